//! Go through Delve.
//!
//! `manifest` holds what a table can say, `target` reads what the caller wants to run with the
//! words of `flags`, `compile` builds it, `choice` tells which of its tests are meant, `entry`
//! stops at `main`, `stops` reads stops and values, `calls` has functions called, `texts` long
//! strings read; `memory` is what lasts, `version` what older ones lack. Facts come from Delve
//! 1.27.2 with Go 1.26 and 1.20.2 with Go 1.20; files named are in `service/dap`.

mod calls;
mod check;
mod choice;
mod compile;
mod entry;
mod flags;
mod install;
mod manifest;
mod memory;
mod sources;
mod stops;
mod target;
mod texts;
mod version;

use dapdock_plugin::hooks::{Event, EventAction, Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Stop, StopView, Thread, ThreadView, Variable, VariableView};
use dapdock_plugin::schema::{Ending, Profile};
use dapdock_plugin::{path, test_names};

use crate::compile::Next;
use crate::target::{Order, Wish};
use crate::version::{Starts, Version};

struct Delve;

/// Delve starts itself a second time to watch over itself, while it starts the program
/// (`cmd/dlv/main.go`): 8 ms of work that the program's own start then waits for. This value says
/// that Delve is that second one's child already (golang.org/x/telemetry, `start.go`); the program
/// never sees it.
const UNWATCHED: (&str, &str) = ("GO_TELEMETRY_CHILD", "2");

/// How much of a source file is looked at for its build constraint.
const HEAD: u32 = 64 << 10;

impl Adapter for Delve {
    fn manifest() -> Manifest {
        manifest::manifest()
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        Ok(sources::targets(project, &query))
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        let wish = wish(project, &request)?;
        if follows(&request) && !matches!(wish, Wish::Program { .. } | Wish::Build(_)) {
            return Err(Error::unsupported(
                "Delve follows children only of programs that it has started",
            ));
        }
        match wish {
            Wish::Program { path, args } => {
                let program = project.workspace_executable(&path)?;
                let cwd = request.cwd.clone().unwrap_or_else(|| project.root());
                let mut plan = launch(project, &request, program, args, cwd)?;
                plan.notes.extend((!build_flags(&request).is_null()).then(|| UNBUILT.to_owned()));
                Ok(plan.into())
            }
            Wish::Core { program, core } => {
                let program = project.workspace_executable(&program)?;
                let arguments = json!({
                    "request": "launch", "mode": "core", "program": program.path(), "coreFilePath": core,
                });
                Ok(dials_back(project, with_common(arguments, &request))?.program(program).into())
            }
            Wish::Pid(pid) => {
                let arguments = json!({"request": "attach", "mode": "local", "processId": pid});
                Ok(dials_back(project, with_common(arguments, &request))?.attach().into())
            }
            Wish::Server { host, port } => {
                let transport = Transport::Connect(Endpoint { host, port: Port::Number(port) });
                let arguments = json!({"request": "attach", "mode": "remote"});
                // server.go, `onDisconnectRequest`: "The target is left in whatever state it is
                // already in".
                let ends = "its Delve was started without --accept-multiclient";
                // It offers to end the program where it can leave it, too (`onAttachRequest`).
                let profile = Profile {
                    leaves_attached_as_is: true,
                    ends_attached: Some(ends.into()),
                    ..manifest::profile()
                };
                let plan = LaunchPlan::new(transport, with_common(arguments, &request)).attach();
                Ok(plan.profile(&profile).into())
            }
            Wish::Build(order) => Ok(compile::start(project, &order)?.into()),
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        let Wish::Build(order) = wish(project, &request)? else {
            return Err(Error::internal("only packages are built"));
        };
        let built = match compile::next(project, &order, state, &results)? {
            Next::Build(plan) => return Ok(plan.into()),
            Next::Run(built) => built,
        };
        // `go run` runs where it is called, `go test` in the package.
        let here = request.cwd.clone().unwrap_or_else(|| project.root());
        let cwd =
            if order.tests { built.directory.unwrap_or_else(|| package(&order)) } else { here };
        let mut args = arguments(&order);
        if order.fuzz.is_some() {
            // What `go test` would keep in its cache.
            args.push(format!("-test.fuzzcachedir={}/fuzz", project.output_dir()?));
        }
        // `go test` finds what a top-level name means before it starts; what a test runs within
        // itself only the end tells (testing.go, `M.Run`).
        let inner = order.run.iter().filter(|run| order.tests && run.contains('/'));
        let endings: Vec<Ending> = inner.map(|run| unmatched(project, &cwd, run)).collect();
        let mut plan = launch(project, &request, built.program, args, cwd)?;
        plan = plan.with_endings(endings);
        plan.notes.extend(order.notes);
        plan.notes.extend((order.fuzz.is_some() && !follows(&request)).then(|| FUZZED.to_owned()));
        Ok(plan.into())
    }
}

/// What is to be told where no test was run.
fn unmatched(project: &Workspace, directory: &str, run: &str) -> Ending {
    const NONE: &str = "^testing: warning: no tests to run$";
    let within = sources::within(
        project,
        directory,
        run.split('/').next().unwrap_or(run).trim_matches(['^', '$']),
    );
    if !within.is_empty() {
        return test_names::unmatched(run, NONE, within.iter().map(String::as_str));
    }
    let means = format!(
        "no test was run that `{run}` matches: `go test -v` lists what the test runs within itself"
    );
    Ending { output: NONE.into(), means, ..Ending::default() }
}

fn wish(project: &Workspace, request: &DebugRequest) -> Result<Wish, Error> {
    let mut wish = named(project, request)?;
    if let Wish::Build(order) = &mut wish {
        flags::beside(order, &build_flags(request))?;
    }
    Ok(wish)
}

fn build_flags(request: &DebugRequest) -> Value {
    serde_json::from_str::<Value>(&request.config)
        .map(|mut config| config["build_flags"].take())
        .unwrap_or_default()
}

fn named(project: &Workspace, request: &DebugRequest) -> Result<Wish, Error> {
    let root = project.root();
    if let Some(TargetRef::Id(name)) = &request.target {
        let here = request.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(&format!("{root}/")));
        let name = name.strip_prefix(&format!("{root}/")).unwrap_or(name);
        let found = sources::choose(project, name, here)?;
        let directory =
            if found.package.is_empty() { root } else { path::join(&root, &found.package) };
        return Ok(target::test_named(found.sort, found.pattern, directory));
    }
    let head = |path: &str| {
        let bytes = project.read_file(path, HEAD).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    target::wish(request, &root, |path| project.stat(path), head)
}

/// The directory of the package under test.
fn package(order: &Order) -> String {
    let package = order.packages.first().map_or(".", String::as_str);
    if package == "." { order.directory.clone() } else { path::join(&order.directory, package) }
}

/// A test binary's arguments select the test; `go test` says a panic of `os.Exit(0)` too.
fn arguments(order: &Order) -> Vec<String> {
    let mut args = Vec::new();
    if order.tests {
        args.push("-test.paniconexit0".into());
        args.extend(order.chosen());
    }
    args.extend(order.args.iter().cloned());
    args
}

fn launch(
    project: &Workspace,
    request: &DebugRequest,
    program: Executable,
    mut args: Vec<String>,
    cwd: String,
) -> Result<LaunchPlan, Error> {
    args.extend(request.args.iter().cloned());
    let mut env = serde_json::Map::from_iter([(UNWATCHED.0.to_owned(), Value::Null)]);
    env.extend(
        request.env.iter().map(|variable| (variable.name.clone(), variable.value.clone().into())),
    );
    let follows = follows(request);
    let arguments = json!({
        "request": "launch",
        "mode": "exec",
        "followExec": follows,
        "program": program.path(),
        "args": args,
        "cwd": cwd,
        "env": env,
        // Else the program prints to Delve's own stdout.
        "outputMode": "remote",
    });
    let plan = dials_back(project, with_common(arguments, request))?.program(program);
    let mut plan = plan.passes_stdin();
    plan.state = request.stop_on_entry.then(entry::wanted);
    plan.notes.extend(target::left_out(request));
    // server.go, `onSetFunctionBreakpointsRequest`; native/proc_linux.go, `trapWaitInternal`.
    plan.notes.extend(follows.then(|| FOLLOWED.to_owned()));
    Ok(plan)
}

const FOLLOWED: &str = "children are followed: breakpoints by function hold in the program alone, those by line in its \
                        children, too, and the exit code told is that of the process that ends last";

/// internal/fuzz/worker.go: the first process only hands out what is tried.
const FUZZED: &str = "what is made up is tried in child processes: `options` {\"follow_children\": true} stops there";

const UNBUILT: &str = "`build_flags` is left out: the program is built already";

/// Does the caller want the program's children, too?
fn follows(request: &DebugRequest) -> bool {
    serde_json::from_str::<Value>(&request.config)
        .is_ok_and(|config| config["follow_children"] == true)
}

/// Arguments that launch and attach share.
fn with_common(mut arguments: Value, request: &DebugRequest) -> Value {
    let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
    arguments["type"] = "go".into();
    arguments["hideSystemGoroutines"] = true.into();
    arguments["showPprofLabels"] = json!(["*"]);
    if let Some(paths) = config["substitute_path"].as_array() {
        arguments["substitutePath"] = paths.clone().into();
    }
    arguments
}

/// The adapter dials back: no race for a free port.
fn dials_back(project: &Workspace, arguments: Value) -> Result<LaunchPlan, Error> {
    let endpoint = [Piece::named("host"), ":".into(), Piece::named("port:dap")];
    let dlv = project.find_executable("dlv")?;
    let starts = match arguments["mode"].as_str() {
        Some("exec") if arguments["followExec"] == true => Starts::Family,
        Some("exec") => Starts::Program,
        Some("core") => Starts::Core,
        _ => Starts::Nothing,
    };
    let version = Version::of(&dlv);
    if starts == Starts::Family && version.is_some_and(|version| !version.follows_children()) {
        return Err(Error::unsupported("Delve follows children from 1.26 on"));
    }
    let profile = version::profile(version, starts);
    let dlv = Command::new(dlv)
        .args(["dap", "--client-addr"])
        .joined(endpoint)
        .env(UNWATCHED.0, UNWATCHED.1);
    Ok(LaunchPlan::dials_back(dlv, "dap", arguments).profile(&profile))
}

/// `call f()` and `dlv config …` do something in every context (server.go, `onEvaluateRequest`).
fn acts(expression: &str) -> bool {
    let mut words = expression.split_whitespace();
    matches!((words.next(), words.next()), (Some("call" | "dlv"), Some(_)))
}

/// Until what was attached to has stopped once, a pause is taken for the end of a download that it
/// never began, where the program has libraries (1.27: server.go, `onPauseRequest`; bininfo.go,
/// `AddImage`). Breakpoints halt it all the same, and it runs on.
fn pause(session: &Session, pause: Request) -> RequestAction {
    let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
    match arguments["mode"] == "local" {
        true => {
            let none = dap::SetInstructionBreakpointsArguments::default();
            RequestAction::in_turn([Request::new::<dap::SetInstructionBreakpoints>(none), pause])
        }
        false => RequestAction::Unchanged,
    }
}

impl Hooks for Delve {
    fn on_request(session: &Session, request: Request) -> RequestAction {
        match request.of::<dap::Evaluate>() {
            Some(asked) if asked.context.as_deref() != Some("repl") && acts(&asked.expression) => {
                RequestAction::rejected(Error::invalid_request(
                    "it would change the program; effects=allow lets it",
                ))
            }
            Some(asked) => {
                let called = calls::made(&asked);
                let sent = called.clone().map_or(request, Request::new::<dap::Evaluate>);
                let alone =
                    || called.map(RequestAction::replaced::<dap::Evaluate>).unwrap_or_default();
                texts::on_request(session, sent).unwrap_or_else(alone)
            }
            None if request.is::<dap::Scopes>() => {
                texts::on_request(session, request).unwrap_or_default()
            }
            None if request.is::<dap::Pause>() => pause(session, request),
            None => entry::on_request(session, request),
        }
    }

    fn on_response(_: &Session, request: Request, response: Response) -> ResponseAction {
        if let Some(message) = response.failure() {
            let error = match request.is::<dap::Evaluate>() {
                true => Some(Error::invalid_request(
                    calls::refused(message).unwrap_or_else(|| stops::plain_error(message)),
                )),
                false => stops::start_error(message),
            };
            return error.map(ResponseAction::failed).unwrap_or_default();
        }
        if let (Some(sent), Some(mut body)) =
            (request.of::<dap::Evaluate>(), response.of::<dap::Evaluate>())
        {
            stops::counted(body.type_.as_deref().unwrap_or_default(), &mut body.named_variables);
            return ResponseAction::replaced::<dap::Evaluate>(calls::told(&sent, body));
        }
        let told = response.of::<dap::Variables>().map(stops::without_metadata);
        told.map(ResponseAction::replaced::<dap::Variables>).unwrap_or_default()
    }

    /// A breakpoint whose condition fails stops as such; a process that is gone has ended.
    fn on_event(_: &Session, event: Event) -> EventAction {
        let Some(stopped) = event.of::<dap::Stopped>() else { return EventAction::Unchanged };
        if stops::is_gone(&stopped) {
            return EventAction::replaced([Event::custom("terminated", json!({}))]);
        }
        let Some(why) = stops::unjudged(&stopped) else { return EventAction::Unchanged };
        let note = dap::Output {
            category: Some("important".into()),
            output: format!("the condition failed: {why}\n"),
            ..Default::default()
        };
        let stopped =
            dap::Stopped { reason: "breakpoint".into(), description: None, text: None, ..stopped };
        EventAction::replaced([Event::new(note), Event::new(stopped)])
    }
}

impl Present for Delve {
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        entry::stopped(session);
        stops::view(&stop.body, &stop.top)
    }

    fn threads(_: &Session, threads: &[Thread]) -> Vec<ThreadView> {
        threads.iter().map(|thread| stops::thread(&thread.name)).collect()
    }

    fn variables(_: &Session, _scope: &str, variables: &[Variable]) -> Option<Vec<VariableView>> {
        Some(stops::variables(variables))
    }
}

dapdock_plugin::export!(Delve: hooks, present);
