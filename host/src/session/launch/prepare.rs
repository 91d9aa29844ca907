//! From a request to a connected adapter: plan, build, write files, start, connect.
//!
//! A flow. When it is dropped, all its processes end, because it owns their family. Refuses to know
//! DAP's start sequence, which `handshake` runs.

use std::path::PathBuf;
use std::time::SystemTime;

use serde_json::Value;

use crate::dap::{self, FrameLimits};
use crate::model::answer::RefusalKind;
use crate::model::plan::{Built, LaunchPlan, RequestKind, TargetRef};
use crate::model::{Names, Note};
use crate::plugin::{Catalog, Plugin, Refused, UnknownTool};
use crate::process::{self, Family};
use crate::session::Error;
use crate::session::adapter::quirks::Quirks;
use crate::session::launch;
use crate::session::launch::assets::Assets;
use crate::session::launch::connect::connect;
use crate::session::launch::order::{Order, Prepared, Resources};
use crate::session::launch::plan::decide;
use crate::session::launch::ports::reserve;
use crate::session::launch::program::Program;
use crate::session::launch::spawn::{contradiction, start_and_wait};
use crate::session::launch::too_old;
use crate::target::choose;
use crate::target::stand_in;
use crate::target::test_name::TestName;

/// Carries a request out up to the connection. The error for a missing tool or test names what
/// other plugins offer.
pub(crate) async fn prepare(order: Order) -> Result<Prepared, Error> {
    let (plugin, others) = (order.plugin.clone(), order.others.clone());
    let (request, workspace) = (order.request.clone(), order.workspace.clone());
    let misspelt = order.misspelt.clone();
    let refused = match carry_out(order).await {
        Err(Error::Plugin(refused)) => with_misspelt_tool(refused, misspelt.as_ref()),
        outcome => return outcome,
    };
    let Some(catalog) = others else { return Err(refused.into()) };
    let is_missing_target =
        matches!(&refused, Refused::Request { kind: RefusalKind::TargetMissing, .. });
    if refused.wants_tool() {
        let target = request.target.as_ref();
        let refused = stand_in::with_other_adapter(refused, &plugin, &catalog, target);
        return Err(Box::pin(refused).await.into());
    }
    if let (true, Some(TargetRef::Id(name))) = (is_missing_target, &request.target) {
        let all: Vec<Plugin> = catalog.all().await.into_iter().flatten().collect();
        let test = TestName { name, cwd: request.cwd.as_deref() };
        let refused = test.with_near_names(refused, plugin.name(), &all, &workspace).await;
        return Err(refused.into());
    }
    Err(with_broken_adapters(refused, &catalog).await.into())
}

/// Adds to the refusal of a target the adapters that cannot be loaded: one of them may be for it.
async fn with_broken_adapters(refused: Refused, catalog: &Catalog) -> Refused {
    let Refused::Request { kind: kind @ RefusalKind::Unsupported, mut message, hint } = refused
    else {
        return refused;
    };
    for error in catalog.all().await.into_iter().filter_map(Result::err) {
        message.push_str(&format!("; {error}"));
    }
    Refused::Request { kind, message, hint }
}

/// Adds to a refusal about a missing tool the similar name in the configuration.
fn with_misspelt_tool(refused: Refused, misspelt: Option<&UnknownTool>) -> Refused {
    let wants_tool = refused.wants_tool();
    match (refused, misspelt) {
        (Refused::Request { kind, message, hint }, Some(tool)) if wants_tool => {
            Refused::Request { kind, message: format!("{message}; {tool}"), hint }
        }
        (refused, _) => refused,
    }
}

async fn carry_out(order: Order) -> Result<Prepared, Error> {
    let (plan, built) = decide(&order).await?;
    let quirks = Quirks::of(&plan);
    check_untraced(&order, &quirks)?;
    if let Some(TargetRef::Pid(pid)) = order.request.target {
        choose::check_process(&order.plugin, pid)?;
    }
    let (plugin, used) = (order.plugin.clone(), plan.used.clone());
    match perform(order, plan, built).await {
        Err(error) => Err(too_old::blamed(error, &plugin, &used).await),
        prepared => prepared,
    }
}

/// Carries out the plan: files, ports, processes, connection.
async fn perform(order: Order, plan: LaunchPlan, built: Option<Built>) -> Result<Prepared, Error> {
    // The builds of an attach are checks only.
    let built = built.filter(|_| order.request.kind == RequestKind::Launch);
    let target = target_file(&order);
    let program = plan.program.clone().or(target.clone());
    let facts = facts(program.clone()).await;
    let program = program.filter(|_| matches!(facts, Program::Debuggable { .. }));
    let (made, note) = made_and_note(&order, facts);
    let unknown_tool = order.misspelt.clone().map(|tool| Note::UnknownTool(tool.to_string()));
    let notes = note.into_iter().chain(unknown_tool).collect();
    order.progress.send_replace("starting the adapter".to_owned());
    let family = order.owner.family().await;
    let family = family.map_err(|error| launch::Error::Spawn { cause: error.to_string() })?;
    let _ = order.family.set(family.clone());
    let assets = write_assets(&order.plugin, &plan)?;
    let mut names = Names {
        assets: assets.as_ref().map(|dir| dir.path().to_owned()),
        literals: order.request.literals(),
        ..Names::default()
    };
    let mut listener = reserve(&plan, &mut names).await?;
    let mut running = Resources {
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
    let mut arguments = names.json(&plan.arguments).map_err(contradiction)?;
    mark(&mut arguments, &running.family);
    Ok(Prepared { client, inbox, plan, arguments, running, built, made, program, target, notes })
}

/// Refuses to attach to a process that another debugger traces: adapters report that unclearly.
fn check_untraced(order: &Order, quirks: &Quirks) -> Result<(), Error> {
    let (true, Some(TargetRef::Pid(pid))) = (quirks.traces(), &order.request.target) else {
        return Ok(());
    };
    let Some((by, name)) = process::tracer(*pid) else { return Ok(()) };
    Err(crate::target::Error::Traced { pid: *pid, by, name }.into())
}

async fn facts(program: Option<PathBuf>) -> Program {
    let Some(path) = program else { return Program::Other };
    tokio::task::spawn_blocking(move || Program::at(&path)).await.unwrap_or(Program::Other)
}

/// The time when the running code was made, and a note about its file. Code that is not in an
/// executable is made when it is loaded.
fn made_and_note(order: &Order, program: Program) -> (Option<SystemTime>, Option<Note>) {
    match program {
        Program::Debuggable { built } => (built, None),
        Program::Stripped { name } => (None, Some(Note::NoDebugInformation { program: name })),
        Program::Other if order.request.kind == RequestKind::Launch => {
            (Some(SystemTime::now()), None)
        }
        Program::Other => (None, None),
    }
}

/// The file that the caller named.
fn target_file(order: &Order) -> Option<PathBuf> {
    match &order.request.target {
        Some(TargetRef::Path(path)) => Some(PathBuf::from(path)),
        _ => None,
    }
}

/// Adds the family's mark to an environment that the adapter gives to the debuggee.
fn mark(arguments: &mut Value, family: &Family) {
    if let Some(env) = arguments.get_mut("env").and_then(Value::as_object_mut) {
        let (name, value) = family.mark();
        env.insert(name.to_owned(), Value::String(value));
    }
}

fn write_assets(plugin: &Plugin, plan: &LaunchPlan) -> Result<Option<Assets>, Error> {
    let cache = plugin.assets_dir().filter(|_| Quirks::of(plan).caches_assets());
    Assets::write(cache.as_deref(), &plan.assets).map_err(|error| {
        Error::Launch(launch::Error::Spawn {
            cause: format!("cannot write the plan's files: {error}"),
        })
    })
}
