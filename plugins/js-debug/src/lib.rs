//! JavaScript and TypeScript on Node.js through js-debug's DAP server.
//!
//! `manifest` holds what a table can say, `target` reads what the caller wants to run, `package`
//! finds the program of a directory, `attach` gets into what runs already, `sources` finds tests in
//! sources, `runner` runs one by its name, `endings` tells what it means that none ran, `entries`
//! keeps breakpoints of compiled sources, `flags` keeps runners from hindering, `functions` finds
//! functions in sources, `raised` names exceptions, `stops` names stops and threads, `writes` tells
//! what an expression would do, `endless` gives it its time. Facts come from js-debug 1.112.0 and
//! 1.105.0.

mod attach;
mod check;
mod endings;
mod endless;
mod entries;
mod flags;
mod functions;
mod install;
mod manifest;
mod package;
mod raised;
mod runner;
mod sources;
mod stops;
mod target;
mod writes;

use dapdock_plugin::adapter::{OutputStream, ReadyLine};
use dapdock_plugin::hooks::{Event, EventAction, Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::path;
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, FrameKind, FrameView, Stop, StopView, Thread, ThreadView};
use dapdock_plugin::translate::{
    BreakOn, BreakpointText, EvaluateIntent, Evaluation, ExceptionFilter, Risk,
};

use crate::manifest::{PROGRAM_VARIABLES, VALUES};
use crate::runner::Chosen;
use crate::target::Run;

struct JsDebug;

/// What the server says once it is up (dapDebugServer.ts, `startDebugServer`).
const LISTENS: &str = r"^Debug server listening at 127\.0\.0\.1:(?<dap>\d+)$";
/// Stands for an empty word.
const EMPTY: char = '\u{1e}';

impl Adapter for JsDebug {
    fn manifest() -> Manifest {
        manifest::manifest()
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        Ok(runner::targets(project, &query))
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        match &request.target {
            Some(TargetRef::Address((host, port))) => attach::check(project, host, *port),
            Some(TargetRef::Pid(pid)) => attach::find(project, *pid),
            _ => launch(project, &request),
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        _state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        match &request.target {
            Some(TargetRef::Pid(_)) => {
                let plan = attach::attach(project, &request, &results)?;
                Ok(noted(plan, STAYS_OPEN))
            }
            Some(TargetRef::Address(_)) => attach::attach(project, &request, &results),
            _ => Err(Error::internal("only what runs is asked about")),
        }
    }
}

/// Node has no way to close it but from within (`inspector.close()`), which would end the
/// connection of others, too.
const STAYS_OPEN: &str =
    "its inspector listens on after it is let go, until `inspector.close()` runs in it";

fn noted(mut resolution: Resolution, note: &str) -> Resolution {
    if let Resolution::Ready(plan) = &mut resolution {
        plan.notes.push(note.into());
    }
    resolution
}

fn launch(project: &Workspace, request: &DebugRequest) -> Result<Resolution, Error> {
    let chosen = chosen(project, request)?;
    let endings = runner::endings(project, &chosen);
    let Chosen { run, directory, notes, .. } = chosen;
    let compiles = runner::compiles(project, &run, &directory);
    let node = project.find_executable("node")?;
    let runtime = runtime(project, &run, &directory)?;
    let program = run
        .program
        .as_deref()
        .map(|path| package::entry(project, &path::join(&directory, path)))
        .transpose()?;
    // The adapter has another TMPDIR and no PROGRAM_VARIABLES, and the program inherits from it.
    let mut env = serde_json::Map::new();
    env.insert("TMPDIR".to_owned(), project.env("TMPDIR").into());
    for name in PROGRAM_VARIABLES {
        if let Some(value) = project.env(name) {
            env.insert(name.to_owned(), value.into());
        }
    }
    env.extend(request.env.iter().map(|one| (one.name.clone(), one.value.clone().into())));
    let mut words = vec!["${asset:run.sh}".to_owned(), runtime];
    words.extend(run.options);
    let mut args = run.args;
    // js-debug drops empty words; run.sh has them back.
    args.iter_mut().filter(|word| word.is_empty()).for_each(|word| word.push(EMPTY));
    let mut arguments = json!({
        "request": "launch",
        "runtimeExecutable": project.find_executable("sh")?.path(),
        "runtimeArgs": words,
        "args": args,
        "cwd": directory,
        "env": env,
        "console": "internalConsole",
        "stopOnEntry": request.stop_on_entry,
    });
    if let Some(program) = &program {
        arguments["program"] = program.as_str().into();
    }
    let base = base(project, program.as_deref().unwrap_or(&format!("{directory}/.")));
    let mut plan = plan(project, node, with_common(arguments, &base, &request.config))?;
    plan.notes.extend(notes);
    plan.state = compiles.then(|| entries::COMPILED.to_owned());
    Ok(plan.with_endings(endings).into())
}

/// One test by its name, a path or a command line.
fn chosen(project: &Workspace, request: &DebugRequest) -> Result<Chosen, Error> {
    if let Some(TargetRef::Id(name)) = &request.target {
        return runner::choose(project, request, name);
    }
    let directory = request.cwd.clone().unwrap_or_else(|| project.root());
    let mut run = target::run(request)?;
    run.args.extend(request.args.iter().cloned());
    runner::alone(project, &run, &directory)?;
    let watched = flags::unwatched(&mut run);
    let notes =
        flags::unhinder(&mut run).or_else(|| runner::script_note(project, &run, &directory));
    Ok(Chosen { run, directory, test: None, notes: watched.into_iter().chain(notes).collect() })
}

/// The server, started anew for each session; its children's connections go to the same port, which
/// it chooses itself: one that was only free a moment ago may be another program's by now, even
/// another adapter's.
fn plan(project: &Workspace, node: Executable, arguments: Value) -> Result<LaunchPlan, Error> {
    let server = Command::new(node)
        .joined([Piece::Exe(project.find_executable("js-debug")?)])
        .args(["0", "127.0.0.1"])
        .without_env(PROGRAM_VARIABLES)
        // It leaves its sockets behind (`node-cdp.PID-N.sock`); this directory goes with the
        // session.
        .env("TMPDIR", "${asset:.}");
    let endpoint = Endpoint { host: "127.0.0.1".into(), port: Port::Value("dap".into()) };
    let ready =
        ReadyLine { output: OutputStream::Stdout, pattern: LISTENS.into(), timeout_ms: 30_000 };
    let server = Step::Spawn(Process {
        role: Role::Adapter,
        command: server,
        ready: Some(ready),
        takes_stdin: false,
    });
    let plan = LaunchPlan::new(Transport::Connect(endpoint), arguments).step(server);
    Ok(plan.asset("run.sh", include_bytes!("run.sh")))
}

/// Arguments that launch and attach share. Without `__workspaceFolder` breakpoints in
/// sources that were compiled never bind.
fn with_common(mut arguments: Value, base: &str, config: &str) -> Value {
    let config: Value = serde_json::from_str(config).unwrap_or_default();
    let default = json!([format!("{base}/**/*.(m|c|)js"), "!**/node_modules/**"]);
    let skip = match config["just_my_code"].as_bool() {
        Some(false) => json!([]),
        // V8 stops for nothing that skipped code throws, and a test that fails is one that `assert`
        // fails.
        _ => json!(["<node_internals>/!(assert)", "<node_internals>/*/**"]),
    };
    let more = json!({
        "type": "pwa-node",
        "name": "program",
        "sourceMaps": true,
        "outFiles": if config["out_files"].is_array() { &config["out_files"] } else { &default },
        "__workspaceFolder": base,
        "skipFiles": skip,
        // Else a condition that fails never holds.
        "__breakOnConditionalError": true,
        // Else a pause in library code livelocks, stepping on for ever.
        "smartStep": false,
        // "console" loses what is not written by `console`.
        "outputCapture": "std",
    });
    if let (Value::Object(arguments), Value::Object(more)) = (&mut arguments, more) {
        arguments.extend(more);
    }
    arguments
}

/// What runs the program: a tool of the user's, or one of the workspace's own.
fn runtime(project: &Workspace, run: &Run, directory: &str) -> Result<String, Error> {
    if run.tool.contains('/') {
        return Ok(project.workspace_executable(&run.tool)?.path());
    }
    let root = format!("{}/", project.root());
    let file = format!("{directory}/.");
    if let Some(own) = runner::own_tool(project, file.strip_prefix(&root).unwrap_or("."), &run.tool)
    {
        return Ok(own);
    }
    Ok(project.find_executable(&run.tool)?.path())
}

/// The directory whose scripts are searched for source maps: the nearest project around the
/// program.
fn base(project: &Workspace, program: &str) -> String {
    let root = project.root();
    let mut directory = program;
    let nearest = program.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned();
    while let Some((parent, _)) = directory.rsplit_once('/') {
        let marks = ["package.json", "tsconfig.json"];
        if marks.iter().any(|mark| project.stat(&format!("{parent}/{mark}")).is_some()) {
            return parent.to_owned();
        }
        if parent == root {
            break;
        }
        directory = parent;
    }
    nearest
}

/// A source of which there is none.
const NOWHERE: &str = "/.dapdock/nowhere";

impl Hooks for JsDebug {
    /// One breakpoint is always there, for each child too. With the first of all js-debug has the
    /// program evaluate a script (threads.ts, `_installWasmPauseHandler`), and a pause on its way
    /// stops in that one: js-debug resumes from there unasked (`_onPaused`), and Node at times
    /// never runs again.
    fn on_request(session: &Session, request: Request) -> RequestAction {
        if let Some(asked) = request.of::<dap::SetBreakpoints>() {
            return entries::kept(session, asked);
        }
        let first = dap::SetBreakpointsArguments {
            source: dap::Source { path: Some(NOWHERE.into()), ..Default::default() },
            breakpoints: vec![dap::SourceBreakpoint { line: 1, ..Default::default() }],
            source_modified: None,
        };
        RequestAction::in_turn([Request::new::<dap::SetBreakpoints>(first), request])
    }

    /// Scopes and variables as the program has them; of an expression's error the words count.
    fn on_response(_: &Session, _: Request, response: Response) -> ResponseAction {
        if let Some(words) = response.failure() {
            return ResponseAction::failed(Error::invalid_request(stops::cause(words)));
        }
        if let Some(body) = response.of::<dap::Scopes>() {
            return ResponseAction::replaced::<dap::Scopes>(stops::scopes(body));
        }
        if let Some(body) = response.of::<dap::Variables>() {
            return ResponseAction::replaced::<dap::Variables>(stops::variables(body));
        }
        let Some(mut body) = response.of::<dap::Evaluate>() else {
            return ResponseAction::Unchanged;
        };
        stops::counted(body.indexed_variables, &mut body.named_variables);
        ResponseAction::replaced::<dap::Evaluate>(body)
    }

    /// There is no `exited`; run.sh tells it where the program's stderr ends. What fails in a
    /// condition is told there too.
    fn on_event(_: &Session, event: Event) -> EventAction {
        let output =
            event.of::<dap::Output>().filter(|output| output.category.as_deref() == Some("stderr"));
        let Some(output) = output else { return EventAction::Unchanged };
        let Some(told) = stops::stderr(&output.output) else { return EventAction::Unchanged };
        let note = |why| dap::Output {
            category: Some("important".into()),
            output: format!("the condition failed: {why}\n"),
            ..Default::default()
        };
        let mut events: Vec<Event> =
            told.failed.into_iter().map(|why| Event::new(note(why))).collect();
        if !told.own.is_empty() {
            events.push(Event::new(dap::Output { output: told.own, ..output }));
        }
        events.extend(told.code.map(|code| Event::new(dap::Exited { exit_code: Some(code) })));
        EventAction::replaced(events)
    }
}

impl Present for JsDebug {
    fn stop(_: &Session, stop: &Stop) -> Option<StopView> {
        stops::view(&stop.body, &stop.info()?, &stop.top)
    }

    fn frames(_: &Session, frames: &[Frame]) -> Vec<FrameView> {
        let view = |frame: &Frame| FrameView {
            kind: FrameKind::Unknown,
            name: stops::function(&frame.name),
        };
        frames.iter().map(view).collect()
    }

    fn threads(_: &Session, threads: &[Thread]) -> Vec<ThreadView> {
        stops::threads(&threads.iter().map(|thread| thread.name.as_str()).collect::<Vec<_>>())
    }
}

impl Translate for JsDebug {
    /// There is one context for values and statements alike.
    fn evaluation_text(
        session: &Session,
        text: &str,
        intent: EvaluateIntent,
    ) -> Result<Option<Evaluation>, Error> {
        let sent = |expression, risk| Evaluation { expression, context: VALUES.into(), risk };
        if matches!(intent, EvaluateIntent::Value) && writes::writes(text) {
            return Ok(Some(sent(text.into(), Risk::WritesState)));
        }
        let limited = session.patience().and_then(|patience| endless::limited(text, patience));
        Ok(limited.map(|expression| sent(expression, Risk::CallsCode)))
    }

    /// A condition that does not parse would be one line on stderr, and never hold.
    fn breakpoint(session: &Session, spec: BreakpointText) -> Result<BreakpointText, Error> {
        let at =
            spec.function.as_deref().map(|name| functions::place(session, name)).transpose()?;
        if let Some(condition) = &spec.condition {
            let answer = session.probe("expression", condition)?;
            let words = answer.stderr.lines().find_map(|line| line.strip_prefix("SyntaxError: "));
            let parses = answer.exit_code == 0;
            if !parses || writes::writes(condition) {
                let otherwise = if parses {
                    "it assigns, which debug_set does"
                } else {
                    "it is not an expression"
                };
                let words = words.unwrap_or(otherwise).trim();
                return Err(Error::invalid_request(format!(
                    "condition `{condition}` does not parse: {words}"
                )));
            }
        }
        Ok(BreakpointText { at, ..spec })
    }

    fn exception_filters(
        _: &Session,
        want: &[BreakOn],
        types: &[String],
        _: &[dap::ExceptionFilter],
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        Ok(raised::filters(want, types))
    }
}

dapdock_plugin::export!(JsDebug: hooks, present, translate);
