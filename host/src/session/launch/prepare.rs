//! From a request to a connected adapter: decide, build, write assets, start, connect.
//!
//! A flow: dropped at any point, everything it started goes with it, because the
//! family it fills is dropped too.

use std::collections::BTreeSet;
use std::collections::btree_map::Entry;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use regex::Regex;
use serde_json::Value;
use tokio::time::Instant;

use crate::dap::endpoint::{self, Listener};
use crate::dap::{self, FrameLimits};
use crate::file;
use crate::model::answer::RefusalKind;
use crate::model::plan::{
    Build, BuildResult, BuildStep, LaunchPlan, Piece, Port, ReadyLine, ReadyOutput, RequestKind,
    Resolution, Role, Spawn, TargetRef, Transport,
};
use crate::model::{CommandLine, Names, Note, references};
use crate::pattern;
use crate::plugin::{self, Plugin, UnknownTool, installs};
use crate::process::{
    self, Exit, Family, Finish, NEUTRAL_FOLDER, Process, Run, Stdin, Stdio, Stdout,
};
use crate::provision::{self, Installer, Progress};
use crate::session::Error;
use crate::session::adapter;
use crate::session::launch;
use crate::session::launch::assets::Assets;
use crate::session::launch::connect::{connect, died, lie};
use crate::session::launch::order::{Order, Prepared, Running};
use crate::session::launch::program::Look;
use crate::session::launch::too_old;
use crate::session::target::choose;
use crate::session::target::stand_in;
use crate::session::target::test_name::Named;

/// Carries a request out up to the connection. The error for a missing tool or test names what
/// other plugins offer.
pub(crate) async fn prepare(order: Order) -> Result<Prepared, Error> {
    let (plugin, others) = (order.plugin.clone(), order.others.clone());
    let (request, workspace) = (order.request.clone(), order.workspace.clone());
    let misspelt = order.misspelt.clone();
    match carry_on(order).await.map_err(|error| beside(error, misspelt.as_ref())) {
        Err(
            error @ Error::Plugin(plugin::Refused::Request {
                kind: RefusalKind::TargetMissing, ..
            }),
        ) => {
            let (Some(catalog), Some(TargetRef::Id(name))) = (others, &request.target) else {
                return Err(error);
            };
            let all: Vec<Plugin> = catalog.all().await.into_iter().flatten().collect();
            let test = Named { name, cwd: request.cwd.as_deref() };
            Err(test.refused_beside(error, plugin.name(), &all, &workspace).await)
        }
        Err(
            error @ Error::Plugin(plugin::Refused::Request {
                kind: RefusalKind::ToolMissing | RefusalKind::ToolTooOld,
                ..
            }),
        ) => match &others {
            Some(catalog) => {
                Err(Box::pin(stand_in::lacking(error, &plugin, catalog, request.target.as_ref()))
                    .await)
            }
            None => Err(error),
        },
        outcome => outcome,
    }
}

/// The want of a tool, with what the configuration calls like it.
fn beside(error: Error, misspelt: Option<&UnknownTool>) -> Error {
    match (error, misspelt) {
        (
            Error::Plugin(plugin::Refused::Request {
                kind: kind @ (RefusalKind::ToolMissing | RefusalKind::ToolTooOld),
                message,
                hint,
            }),
            Some(tool),
        ) => Error::Plugin(plugin::Refused::Request {
            kind,
            message: format!("{message}; {tool}"),
            hint,
        }),
        (error, _) => error,
    }
}

async fn carry_on(order: Order) -> Result<Prepared, Error> {
    let (plan, built) = decide(&order).await?;
    untraced(&order, &plan)?;
    if let Some(TargetRef::Pid(pid)) = order.request.target {
        choose::speaks(&order.plugin, pid)?;
    }
    let (plugin, used) = (order.plugin.clone(), plan.used.clone());
    match perform(order, plan, built).await {
        Err(error) => Err(too_old::blamed(error, &plugin, &used).await),
        prepared => prepared,
    }
}

/// Does as the plan says.
async fn perform(
    order: Order,
    plan: LaunchPlan,
    built: Option<Duration>,
) -> Result<Prepared, Error> {
    // Before an attach it is only looked whether that can be done.
    let built = built.filter(|_| order.request.kind == RequestKind::Launch);
    let target = native_target(&order);
    let program = plan.program.clone().or(target.clone());
    let look = look_at(program.clone()).await;
    let program = program.filter(|_| matches!(look, Look::Debuggable { .. }));
    let (made, lacking) = made_and_lacking(&order, look);
    let notes = lacking
        .into_iter()
        .chain(order.misspelt.clone().map(|tool| Note::UnknownTool(tool.to_string())))
        .collect();
    order.progress.send_replace("starting the adapter".to_owned());
    let family = order
        .owner
        .family()
        .await
        .map_err(|error| Error::Launch(launch::Error::Spawn { cause: error.to_string() }))?;
    let _ = order.family.set(family.clone());
    let assets = write_assets(&plan)?;
    let mut names = Names {
        assets: assets.as_ref().map(|dir| dir.path().to_owned()),
        literals: order.request.literals(),
        ..Names::default()
    };
    let mut listener = reserve(&plan, &mut names).await?;
    let mut running = Running {
        family,
        processes: Vec::new(),
        _assets: assets,
        _outputs: order.workspace.outputs.clone(),
        connections: Vec::new(),
    };
    for spawn in &plan.processes {
        start_and_wait(&order, &plan, spawn, &mut names, &mut running).await?;
    }
    let limits = dap::Limits { frame: FrameLimits::default(), request: order.limits.request };
    let (client, inbox) =
        connect(&order, &plan, &names, &mut running, listener.take(), limits).await?;
    let mut arguments = names.json(&plan.arguments).map_err(lie)?;
    mark(&mut arguments, &running.family);
    Ok(Prepared { client, inbox, plan, arguments, running, built, made, program, target, notes })
}

/// Adapters tell it in words of their own, if at all.
fn untraced(order: &Order, plan: &LaunchPlan) -> Result<(), Error> {
    let (true, Some(TargetRef::Pid(pid))) = (plan.profile.traces, &order.request.target) else {
        return Ok(());
    };
    let Some((by, name)) = process::tracer(*pid) else { return Ok(()) };
    Err(Error::Traced { pid: *pid, by, name })
}

async fn look_at(program: Option<PathBuf>) -> Look {
    let Some(path) = program else { return Look::NoExecutable };
    tokio::task::spawn_blocking(move || Look::at(&path)).await.unwrap_or(Look::NoExecutable)
}

/// When what runs was made, and what its file lacks. What is no executable of its own is made when
/// it is loaded.
fn made_and_lacking(order: &Order, look: Look) -> (Option<SystemTime>, Option<Note>) {
    match look {
        Look::Debuggable { built } => (built, None),
        Look::Bare { name } => (None, Some(Note::NoDebugInformation { program: name })),
        Look::NoExecutable if order.request.kind == RequestKind::Launch => {
            (Some(SystemTime::now()), None)
        }
        Look::NoExecutable => (None, None),
    }
}

/// The file that the caller named, when that is what runs.
fn native_target(order: &Order) -> Option<PathBuf> {
    match &order.request.target {
        Some(TargetRef::Path(path)) => Some(PathBuf::from(path)),
        _ => None,
    }
}

/// The debuggee carries the family's mark even where the adapter gives it an environment of its
/// own.
fn mark(arguments: &mut Value, family: &Family) {
    if let Some(env) = arguments.get_mut("env").and_then(Value::as_object_mut) {
        let (name, value) = family.mark();
        env.insert(name.to_owned(), Value::String(value));
    }
}

/// The plan, and how long building for it took.
async fn decide(order: &Order) -> Result<(LaunchPlan, Option<Duration>), Error> {
    order.progress.send_replace("preparing".to_owned());
    let mut resolution =
        answer(order, || order.plugin.resolve(&order.workspace, &order.request)).await?;
    let mut built = None;
    loop {
        match resolution {
            Resolution::Ready(plan) => return Ok((*plan, built)),
            Resolution::Build(build) => {
                let start = Instant::now();
                let results = run_build(order, &build).await?;
                built = Some(built.unwrap_or_default() + start.elapsed());
                let ask =
                    || order.plugin.resume(&order.workspace, &order.request, &build, &results);
                resolution = answer(order, ask).await?;
            }
        }
    }
}

/// What the plugin decides; asked once more where what it lacked was installed.
async fn answer<F>(order: &Order, ask: impl Fn() -> F) -> Result<Resolution, Error>
where
    F: Future<Output = Result<Resolution, plugin::Error>>,
{
    let answer = match ask().await {
        Err(error) if order.auto_install && provided(order, &error).await? => ask().await,
        answer => answer,
    };
    answer.map_err(Error::from_plan)
}

/// Was what a plan lacks installed now?
async fn provided(order: &Order, error: &plugin::Error) -> Result<bool, Error> {
    // Only the tool that is pinned has this hint: a compiler that is missing is not for us to
    // bring.
    let command = installs::command(order.plugin.name());
    let lacks = error.refusal().is_some_and(|refusal| {
        refusal.kind == RefusalKind::ToolMissing
            && refusal.hint.as_deref() == Some(command.as_str())
    });
    if !lacks || !matches!(provision::state(&order.plugin), provision::State::Available { .. }) {
        return Ok(false);
    }
    let told = order.progress.clone();
    let progress = Progress::new(move |line| drop(told.send_replace(line.to_owned())));
    let installer = Installer::new(order.owner.clone(), order.limits.clone());
    if let Err(error) = installer.install(&order.plugin, &progress).await {
        let message = format!("{} cannot be installed: {error}", order.plugin.name());
        return Err(Error::Launch(launch::Error::NotInstalled { message, command }));
    }
    Ok(true)
}

/// Runs the steps up to the first that fails; the plugin says what its failure means.
async fn run_build(order: &Order, build: &Build) -> Result<Vec<BuildResult>, Error> {
    let mut results = Vec::new();
    for (step, number) in build.steps.iter().zip(0..) {
        let result = run_step(order, step, number).await?;
        let failed = result.exit_code != 0;
        results.push(result);
        if failed {
            break;
        }
    }
    Ok(results)
}

async fn run_step(order: &Order, step: &BuildStep, number: u32) -> Result<BuildResult, Error> {
    order.progress.send_replace(step.label.clone());
    let line = Names::default().command(&step.command).map_err(lie)?;
    let mut command = command(line, &step.label, order);
    // As a shell would have it: what is set before a command is its build's, too.
    command.env = order.request.env.iter().cloned().chain(command.env).collect();
    let run = Run { stdin: None, timeout: step.timeout, stdout_cap: order.limits.build_output };
    let told = |stream, text: &str| {
        if stream == process::Stream::Stderr && !text.trim().is_empty() {
            order.progress.send_replace(text.trim().to_owned());
        }
    };
    let output = order
        .owner
        .run(&command, run, told)
        .await
        .map_err(|error| Error::Launch(launch::Error::Spawn { cause: error.to_string() }))?;
    let exit_code = match output.finish {
        Finish::Exited(Exit::Code(code)) => code,
        Finish::Exited(Exit::Signal(signal)) => 128 + signal,
        Finish::TimedOut => {
            return Err(Error::Limit {
                what: format!("`{}`", step.label),
                value: format!("{} s", step.timeout.as_secs()),
                raise: "the adapter's settings in dapdock.toml".to_owned(),
            });
        }
    };
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(BuildResult { step: number, exit_code, stdout, stderr_tail: output.stderr_tail })
}

fn command(line: CommandLine, label: &str, order: &Order) -> process::Command {
    process::Command {
        program: line.program,
        args: line.args.into_iter().map(OsString::from).collect(),
        env: line.env,
        cwd: Some(line.cwd.unwrap_or_else(|| order.workspace.root.clone())),
        label: label.to_owned(),
    }
}

fn write_assets(plan: &LaunchPlan) -> Result<Option<Assets>, Error> {
    Assets::write(&std::env::temp_dir(), &plan.assets).map_err(|error| {
        Error::Launch(launch::Error::Spawn {
            cause: format!("cannot write the plan's files: {error}"),
        })
    })
}

/// Gives every `port:NAME` that the plan mentions a port of its own.
async fn reserve(plan: &LaunchPlan, names: &mut Names) -> Result<Option<Listener>, Error> {
    let failed = |error: std::io::Error| {
        Error::Launch(launch::Error::Spawn { cause: format!("cannot reserve a port: {error}") })
    };
    names.values.insert("host".to_owned(), "127.0.0.1".to_owned());
    let mut listener = None;
    if let Transport::Listen(name) = &plan.transport {
        let reserved = Listener::reserve().await.map_err(failed)?;
        names.values.insert(format!("port:{name}"), reserved.port().to_string());
        listener = Some(reserved);
    }
    for name in mentioned_ports(plan, names) {
        if let Entry::Vacant(unknown) = names.values.entry(name) {
            let port = endpoint::free_port().await.map_err(failed)?;
            unknown.insert(port.to_string());
        }
    }
    Ok(listener)
}

fn mentioned_ports(plan: &LaunchPlan, names: &Names) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut note = |piece: &Piece| {
        if let Piece::Value(name) = piece
            && name.starts_with("port:")
        {
            found.insert(name.clone());
        }
    };
    for spawn in &plan.processes {
        spawn.command.args.iter().flatten().for_each(&mut note);
        for text in spawn.command.env.iter().filter_map(|(_, value)| value.as_deref()) {
            references(text, &names.literals).for_each(|piece| note(&piece));
        }
    }
    if let Transport::Connect(endpoint) = &plan.transport
        && let Port::Value(name) = &endpoint.port
    {
        note(&Piece::Value(name.clone()));
    }
    note_references(&plan.arguments, &names.literals, &mut note);
    found
}

fn note_references(value: &Value, literals: &BTreeSet<String>, note: &mut impl FnMut(&Piece)) {
    match value {
        Value::String(text) => references(text, literals).for_each(|piece| note(&piece)),
        Value::Array(items) => items.iter().for_each(|item| note_references(item, literals, note)),
        Value::Object(map) => map.values().for_each(|item| note_references(item, literals, note)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Starts a process of the plan and waits for its ready line.
async fn start_and_wait(
    order: &Order,
    plan: &LaunchPlan,
    spawn: &Spawn,
    names: &mut Names,
    running: &mut Running,
) -> Result<(), Error> {
    let mut process = start(order, plan, spawn, names, &running.family)?;
    if let Some(ready) = &spawn.ready {
        wait_ready(&mut process, ready, names, order.limits.close_grace).await?;
    }
    running.processes.push((spawn.role, process));
    Ok(())
}

fn start(
    order: &Order,
    plan: &LaunchPlan,
    spawn: &Spawn,
    names: &Names,
    family: &Family,
) -> Result<Process, Error> {
    let label = match spawn.role {
        Role::Adapter => "adapter",
        Role::Both => "debuggee with adapter",
    };
    let line = names.command(&spawn.command).map_err(lie)?;
    let wire = plan.transport == Transport::Stdio && spawn.role == Role::Adapter;
    let stdin =
        order.request.stdin.clone().filter(|_| spawn.takes_stdin).map_or(Stdin::Null, Stdin::File);
    let stdio = if wire { Stdio::WIRE } else { Stdio { stdin, stdout: Stdout::Captured } };
    let mut command = command(line, label, order);
    // An adapter that imports or configures itself from its directory must not find the project's
    // files there. A version manager reads there which version the project wants.
    if spawn.role == Role::Adapter
        && spawn.command.cwd.is_none()
        && !file::is_version_manager(&command.program)
    {
        command = command.cwd(NEUTRAL_FOLDER);
    }
    family
        .spawn(&command, stdio)
        .map_err(|error| Error::Launch(launch::Error::Spawn { cause: error.to_string() }))
}

/// Waits for the line that says a process is ready; its named groups become values.
async fn wait_ready(
    process: &mut Process,
    ready: &ReadyLine,
    names: &mut Names,
    grace: Duration,
) -> Result<(), Error> {
    let pattern = pattern::compile(&ready.pattern)
        .map_err(|error| Error::Launch(launch::Error::Spawn { cause: error.to_string() }))?;
    let (mut stdout, mut stderr) = (process.stdout().lines(), process.stderr().lines());
    let (out, err) = (ready.output != ReadyOutput::Stderr, ready.output != ReadyOutput::Stdout);
    let search = async {
        loop {
            let line = tokio::select! {
                Some(line) = stdout.next(), if out => line,
                Some(line) = stderr.next(), if err => line,
                else => return None,
            };
            if let Some(found) = captures(&pattern, &line) {
                return Some(found);
            }
        }
    };
    match tokio::time::timeout(ready.timeout, search).await {
        Ok(Some(found)) => {
            names.values.extend(found);
            Ok(())
        }
        Ok(None) => {
            // It closed its output on its way out.
            let _ = tokio::time::timeout(grace, process.exited().wait()).await;
            Err(died("start", process))
        }
        Err(_) => Err(Error::Adapter(adapter::Error::Silent {
            command: format!("start (no line like `{}`)", ready.pattern),
            after: ready.timeout,
            limit: "the plugin's ready line",
        })),
    }
}

fn captures(pattern: &Regex, line: &str) -> Option<Vec<(String, String)>> {
    let found = pattern.captures(line)?;
    let named = pattern.capture_names().flatten();
    Some(
        named
            .filter_map(|name| Some((name.to_owned(), found.name(name)?.as_str().to_owned())))
            .collect(),
    )
}
