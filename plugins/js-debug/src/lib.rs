//! JavaScript and TypeScript on Node.js through js-debug's DAP server.
//!
//! - `manifest`: the static description of js-debug and its profile; `install`, `check`
//! - `target` reads a path or a command line, `package` finds the program of a directory
//! - `sources` finds tests in source files, `runner` runs one by its name, `flags` adds options
//!   that keep tests debuggable, `endings` describes runs that failed or had no test
//! - `build` builds TypeScript, `tools` finds the program of a tool that packages install;
//!   `prepared`: what such steps before a launch have found
//! - `attach`: attaches by pid or address
//! - `breakpoints`, `functions`, `exceptions`, `compiled`: breakpoints that log, on functions, on
//!   exceptions, and in sources that are compiled at load
//! - `causes`: the causes of an exception
//! - `assignment` checks evaluations, `timeout` marks them
//! - `stops` reads stops, scopes and threads, `stderr` output, `details` what is added to an
//!   error, `error_values` errors that are values, `entries` entries of maps
//!
//! The scripts in `runtime/` are run by node and sh. Facts come from js-debug 1.112.0 and 1.105.0.

mod assignment;
mod attach;
mod breakpoints;
mod build;
mod causes;
mod check;
mod compiled;
mod details;
mod endings;
mod entries;
mod error_values;
mod exceptions;
mod flags;
mod functions;
mod install;
mod manifest;
mod package;
mod prepared;
mod runner;
mod sources;
mod stderr;
mod stops;
mod target;
mod timeout;
mod tools;

use dapdock_plugin::adapter::{OutputStream, ReadyLine};
use dapdock_plugin::hooks::{Event, EventAction, Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::path;
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, FrameKind, FrameView, Stop, StopView, Thread, ThreadView};
use dapdock_plugin::translate::{
    BreakOn, BreakpointText, EvaluateIntent, Evaluation, ExceptionFilter, Risk,
};

use crate::manifest::{PROGRAM_VARIABLES, VALUES};
use crate::prepared::{Prepared, Step};
use crate::runner::Chosen;
use crate::tools::Tool;

struct JsDebug;

/// The line that the server prints when it is ready (dapDebugServer.ts, `startDebugServer`).
const LISTENS: &str = r"^Debug server listening at 127\.0\.0\.1:(?<dap>\d+)$";
/// The names of files in `runtime`, with their content.
macro_rules! runtime {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../runtime/", $name)))),*]
    };
}

/// The files of the server and of the program's start.
const RUNTIME: &[(&str, &[u8])] = runtime! {
    "cdp.js", "compiled.js", "conditions.js", "counts.js", "effects.js", "entry.js", "errors.js",
    "exceptions.js", "failures.js", "frames.js", "handlers.js", "handovers.js", "harmless.js",
    "live.js", "log_code.js", "logs.js", "modules.js", "names.js", "output.js", "parts.js",
    "pending.js", "previews.js", "programs.js", "returns.js", "run.sh", "server.js", "sizes.js",
    "sources.js", "stale.js", "steps.js", "texts.js", "values.js", "views.js",
};
/// Stands for an empty argument.
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
            _ => launch(project, &request, Prepared::default()),
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        match &request.target {
            Some(TargetRef::Pid(_)) => {
                let mut resolution = attach::attach(project, &request, &results)?;
                if let Resolution::Ready(plan) = &mut resolution {
                    plan.notes.push(STAYS_OPEN.into());
                }
                Ok(resolution)
            }
            Some(TargetRef::Address(_)) => attach::attach(project, &request, &results),
            _ => {
                let result =
                    results.first().ok_or_else(|| Error::internal("the step has no result"))?;
                let prepared: Prepared = serde_json::from_str(state).unwrap_or_default();
                launch(project, &request, prepared.with(result))
            }
        }
    }
}

/// Only the process itself can close its inspector (`inspector.close()`), and that would also end
/// the connections of other clients.
const STAYS_OPEN: &str = "after the detach its inspector keeps listening, \
                          until `inspector.close()` runs in the process";

/// Plans the launch, or the next step before it.
fn launch(
    project: &Workspace,
    request: &DebugRequest,
    mut prepared: Prepared,
) -> Result<Resolution, Error> {
    let chosen = chosen(project, request)?;
    let endings = runner::endings(project, request, &chosen);
    let Chosen { mut run, directory, notes, .. } = chosen;
    let compiles = runner::compiles(project, &run, &directory);
    let node = project.find_executable("node")?;
    let package = build::package(project, &run, &directory).filter(|_| !compiles);
    match (package, prepared.is_built) {
        (None, _) | (_, Some(true)) => {}
        (Some(package), None) => {
            return Ok(prepared.before(Step::Check, build::check(project, &package)?));
        }
        (Some(package), Some(false)) if !package.builds => {
            prepared.note = prepared.is_older.then(|| build::OLDER.to_owned());
        }
        (Some(package), Some(false)) => {
            return Ok(prepared.before(Step::Build, build::build(project, &package)?));
        }
    }
    let runtime = match tools::find(project, &run, &directory, prepared.tool.as_deref())? {
        Tool::Found(path) => path,
        Tool::Search(step) => return Ok(prepared.before(Step::Search, step)),
    };
    if run.registers {
        match prepared.registers {
            None => {
                return Ok(
                    prepared.before(Step::Register, tools::check_register(project, &runtime)?)
                );
            }
            Some(registers) => runner::set_loader(&mut run, registers),
        }
    }
    let program = run
        .program
        .as_deref()
        .map(|path| package::entry(project, &path::join(&directory, path)))
        .transpose()?;
    // The program inherits the environment of the server, which has a TMPDIR of its own and none of
    // PROGRAM_VARIABLES.
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
    // js-debug drops empty arguments; run.sh restores them.
    for word in &mut args {
        if word.is_empty() {
            word.push(EMPTY);
        }
    }
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
    plan.notes.extend(prepared.note);
    let state = State { compiles, ..State::default() };
    Ok(plan.state(&state).with_endings(endings).into())
}

/// Resolves the target: a test by its name, a path or a command line.
fn chosen(project: &Workspace, request: &DebugRequest) -> Result<Chosen, Error> {
    if let Some(TargetRef::Id(name)) = &request.target {
        return runner::choose(project, request, name);
    }
    let directory = request.cwd.clone().unwrap_or_else(|| project.root());
    let mut run = target::run(request)?;
    run.args.extend(request.args.iter().cloned());
    runner::check_runnable(project, &run, &directory)?;
    runner::add_compiler(project, &mut run, &directory);
    let mut notes: Vec<String> = flags::remove_watch(&mut run).into_iter().collect();
    match flags::add_debug_options(&mut run) {
        Some(note) => notes.push(note),
        None => notes.extend(runner::script_note(project, &run, &directory)),
    }
    Ok(Chosen { run, directory, test: None, notes })
}

/// The plan with the server, which is started for each session. Child sessions connect to the same
/// port. The server selects the port: one that the host found free could be taken by another
/// process before the server binds it.
fn plan(project: &Workspace, node: Executable, arguments: Value) -> Result<LaunchPlan, Error> {
    let server = Command::new(node)
        // The parser that Node has for itself.
        .arg("--expose-internals")
        .joined([Piece::Asset("server.js".into())])
        .joined([Piece::Exe(project.find_executable("js-debug")?)])
        .args(["0", "127.0.0.1"])
        .without_env(PROGRAM_VARIABLES)
        // The server does not delete its sockets (`node-cdp.PID-N.sock`); this directory is deleted
        // with the session.
        .env("TMPDIR", "${asset:.}");
    let endpoint = Endpoint { host: "127.0.0.1".into(), port: Port::Value("dap".into()) };
    let ready =
        ReadyLine { output: OutputStream::Stdout, pattern: LISTENS.into(), timeout_ms: 30_000 };
    let server = Process { ready: Some(ready), ..Process::adapter(server) };
    let plan = LaunchPlan::new(Transport::Connect(endpoint), arguments).process(server);
    Ok(RUNTIME.iter().fold(plan, |plan, (name, content)| plan.asset(name, content)))
}

/// Adds the arguments that launch and attach have in common. Without `__workspaceFolder`
/// breakpoints in compiled sources never bind.
fn with_common(mut arguments: Value, base: &str, config: &str) -> Value {
    let config: Value = serde_json::from_str(config).unwrap_or_default();
    let default = json!([format!("{base}/**/*.(m|c|)js"), "!**/node_modules/**"]);
    let skip = match config["just_my_code"].as_bool() {
        Some(false) => json!([]),
        // V8 does not stop for an exception that skipped code throws; `assert` is not skipped, so
        // that failed tests stop.
        _ => json!(["<node_internals>/!(assert)", "<node_internals>/*/**"]),
    };
    let more = json!({
        "type": "pwa-node",
        "name": "program",
        "sourceMaps": true,
        "outFiles": if config["out_files"].is_array() { &config["out_files"] } else { &default },
        "__workspaceFolder": base,
        "skipFiles": skip,
        // Otherwise a condition that raises counts as false.
        "__breakOnConditionalError": true,
        // With smart steps a pause in library code steps for ever.
        "smartStep": false,
        // "console" loses output that `console` did not write.
        "outputCapture": "std",
    });
    if let (Value::Object(arguments), Value::Object(more)) = (&mut arguments, more) {
        arguments.extend(more);
    }
    arguments
}

/// The directory whose scripts are searched for source maps: that of the nearest project above the
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

/// A source that does not exist.
const NO_SOURCE: &str = "/.dapdock/nowhere";

impl Hooks for JsDebug {
    /// Each session, also of a child process, gets a breakpoint before the others. For the first
    /// breakpoint js-debug has the program evaluate a script (threads.ts,
    /// `_installWasmPauseHandler`). A pause of the caller at that time stops in the script;
    /// js-debug then resumes (`_onPaused`), and Node sometimes never continues.
    fn on_request(session: &Session, request: Request) -> RequestAction {
        if let Some(mut arguments) = request.of::<dap::SetBreakpoints>() {
            let compiles = session.load::<State>().compiles;
            let is_changed = breakpoints::translate(&mut arguments, compiles);
            return match compiled::protected(session, &arguments) {
                Some(arguments) => RequestAction::replaced::<dap::SetBreakpoints>(arguments),
                None if is_changed => RequestAction::replaced::<dap::SetBreakpoints>(arguments),
                None => RequestAction::Unchanged,
            };
        }
        if let Some(arguments) = request.of::<dap::SetExceptionBreakpoints>() {
            return causes::store_errors(session, arguments);
        }
        if let Some(arguments) = request.of::<dap::ExceptionInfo>() {
            return causes::on_request(session, &arguments);
        }
        let first = dap::SetBreakpointsArguments {
            source: dap::Source { path: Some(NO_SOURCE.into()), ..Default::default() },
            breakpoints: vec![dap::SourceBreakpoint { line: 1, ..Default::default() }],
            source_modified: None,
        };
        RequestAction::in_turn([Request::new::<dap::SetBreakpoints>(first), request])
    }

    /// Corrects scopes and variables, and shortens errors.
    fn on_response(_: &Session, request: Request, response: Response) -> ResponseAction {
        if let Some(action) = causes::on_response(&request, &response) {
            return action;
        }
        if let Some(message) = response.failure() {
            return ResponseAction::failed(stops::error(message));
        }
        if let Some(body) = response.of::<dap::ExceptionInfo>() {
            let arguments = request.of::<dap::ExceptionInfo>();
            let lists_causes = arguments.is_some_and(|arguments| arguments.causes.is_some());
            let read = if lists_causes { details::without } else { details::with_cause };
            return ResponseAction::replaced::<dap::ExceptionInfo>(read(body));
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
        stops::fix_count(body.indexed_variables, &mut body.named_variables);
        body.result = stops::value(body.result, body.type_.as_deref());
        let is_whole = request
            .of::<dap::Evaluate>()
            .is_some_and(|arguments| arguments.context.as_deref() == Some("clipboard"));
        if let Some(text) = stops::text(&body.result).filter(|_| is_whole) {
            body.result = text;
        }
        ResponseAction::replaced::<dap::Evaluate>(body)
    }

    /// js-debug sends no `exited`: run.sh writes the exit code at the end of the program's stderr.
    /// Errors of conditions arrive there too.
    fn on_event(_: &Session, event: Event) -> EventAction {
        let Some(output) = event.of::<dap::Output>() else { return EventAction::Unchanged };
        if output.category.as_deref() != Some("stderr") {
            return EventAction::Unchanged;
        }
        let Some(stderr) = stderr::read(&output.output) else { return EventAction::Unchanged };
        let mut events = Vec::new();
        for why in stderr.condition_errors {
            events.push(Event::new(dap::Output {
                category: Some("important".into()),
                output: format!("the condition failed: {why}\n"),
                ..Default::default()
            }));
        }
        if !stderr.own.is_empty() {
            events.push(Event::new(dap::Output { output: stderr.own, ..output }));
        }
        if let Some(code) = stderr.exit_code {
            events.push(Event::new(dap::Exited { exit_code: Some(code), ..Default::default() }));
        }
        EventAction::replaced(events)
    }
}

impl Present for JsDebug {
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        let State { only_uncaught, .. } = session.load();
        stops::view(&stop.body, &stop.info()?, &stop.top, only_uncaught)
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
    /// js-debug has one context for expressions and statements.
    fn evaluation_text(
        session: &Session,
        text: &str,
        intent: EvaluateIntent,
    ) -> Result<Option<Evaluation>, Error> {
        if matches!(intent, EvaluateIntent::Value) && assignment::writes(text) {
            return Ok(Some(Evaluation {
                expression: text.into(),
                context: VALUES.into(),
                risk: Risk::WritesState,
            }));
        }
        if matches!(intent, EvaluateIntent::Assign)
            && let Some(text) = entries::assignment(text)
        {
            let expression = match session.patience() {
                Some(milliseconds) => timeout::limited(&text, milliseconds),
                None => text,
            };
            let (context, risk) = (VALUES.into(), Risk::CallsCode);
            return Ok(Some(Evaluation { expression, context, risk }));
        }
        let expression = entries::expression(text);
        let text = expression.as_deref().unwrap_or(text);
        // js-debug assigns itself; without a call that takes no time.
        if matches!(intent, EvaluateIntent::Assign) && !text.contains('(') {
            return Ok(None);
        }
        let Some(milliseconds) = session.patience() else { return Ok(None) };
        let expression = match intent {
            EvaluateIntent::Value => timeout::pure(text, milliseconds),
            _ => timeout::limited(text, milliseconds),
        };
        Ok(Some(Evaluation { expression, context: VALUES.into(), risk: Risk::CallsCode }))
    }

    /// Finds the line of a function breakpoint, and checks the condition: js-debug would report one
    /// that does not parse by a line on stderr, and treat it as false.
    fn breakpoint(session: &Session, spec: BreakpointText) -> Result<BreakpointText, Error> {
        let at = match &spec.function {
            Some(name) => Some(functions::find(session, name)?),
            None => None,
        };
        if let Some(condition) = &spec.condition {
            check_condition(session, condition)?;
        }
        Ok(BreakpointText { at, ..spec })
    }

    fn exception_filters(
        _: &Session,
        want: &[BreakOn],
        types: &[String],
        _: &[dap::ExceptionFilter],
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        Ok(exceptions::filters(want, types))
    }
}

/// What the plugin stores for a session.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
struct State {
    /// Sources are compiled at load, see `compiled`.
    compiles: bool,
    /// The error of every stop is stored in the program, see `causes`.
    stores_errors: bool,
    /// Only uncaught exceptions stop.
    only_uncaught: bool,
}

fn check_condition(session: &Session, condition: &str) -> Result<(), Error> {
    let answer = session.probe("expression", condition)?;
    let why = if answer.exit_code != 0 {
        let error = answer.stderr.lines().find_map(|line| line.strip_prefix("SyntaxError: "));
        error.unwrap_or("it is not an expression").trim()
    } else if assignment::writes(condition) {
        "it assigns, which debug_set does"
    } else {
        return Ok(());
    };
    Err(Error::invalid_request(format!("condition `{condition}` does not parse: {why}")))
}

dapdock_plugin::export!(JsDebug: hooks, present, translate);
