//! Python through debugpy.
//!
//! - `manifest`: the static description of debugpy and its profile; `install`, `check`
//! - `target`: reads a path or a command line; `python` chooses the interpreters
//! - `sources` finds tests in source files, `runner` runs one by its name, `collection` lists
//!   parametrized tests
//! - `servers`: options that keep web servers and test runners in one process
//! - `attach`: attaches by pid or address; `wrappers`: commands that run Python in an environment
//! - `breakpoints`, `exceptions`, `syntax`: translate and check what the caller sets
//!
//! The scripts in `runtime/` run in the debuggee and patch pydevd there. Facts come from debugpy
//! 1.8.22; source files named without a directory are in `debugpy/_vendored/pydevd`.

mod attach;
mod breakpoints;
mod check;
mod collection;
mod exceptions;
mod install;
mod manifest;
mod python;
mod runner;
mod servers;
mod sources;
mod syntax;
mod target;
mod wrappers;

use dapdock_plugin::hooks::{Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::path;
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Variable, VariableView};
use dapdock_plugin::translate::{BreakOn, BreakpointText, ExceptionFilter};

use crate::runner::Chosen;
use crate::target::Run;

struct Debugpy;

/// Scripts that run in the debuggee: the first imports `debuggee`, and that one the others. One
/// runs as debugpy's launcher.
const RUNTIME: [(&str, &[u8]); 32] = [
    ("sitecustomize.py", include_bytes!("../runtime/sitecustomize.py")),
    ("dapdock_blocked.py", include_bytes!("../runtime/blocked.py")),
    ("dapdock_causes.py", include_bytes!("../runtime/causes.py")),
    ("dapdock_children.py", include_bytes!("../runtime/children.py")),
    ("dapdock_debuggee.py", include_bytes!("../runtime/debuggee.py")),
    ("dapdock_effects.py", include_bytes!("../runtime/effects.py")),
    ("dapdock_exceptions.py", include_bytes!("../runtime/exceptions.py")),
    ("dapdock_failures.py", include_bytes!("../runtime/failures.py")),
    ("dapdock_functions.py", include_bytes!("../runtime/functions.py")),
    ("dapdock_imports.py", include_bytes!("../runtime/imports.py")),
    ("dapdock_launcher.py", include_bytes!("../runtime/launcher.py")),
    ("dapdock_leaving.py", include_bytes!("../runtime/leaving.py")),
    ("dapdock_lines.py", include_bytes!("../runtime/lines.py")),
    ("dapdock_listing.py", include_bytes!("../runtime/listing.py")),
    ("dapdock_locks.py", include_bytes!("../runtime/locks.py")),
    ("dapdock_marks.py", include_bytes!("../runtime/marks.py")),
    ("dapdock_messages.py", include_bytes!("../runtime/messages.py")),
    ("dapdock_operands.py", include_bytes!("../runtime/operands.py")),
    ("dapdock_output.py", include_bytes!("../runtime/output.py")),
    ("dapdock_plain.py", include_bytes!("../runtime/plain.py")),
    ("dapdock_purity.py", include_bytes!("../runtime/purity.py")),
    ("dapdock_python_types.py", include_bytes!("../runtime/python_types.py")),
    ("dapdock_recursion.py", include_bytes!("../runtime/recursion.py")),
    ("dapdock_results.py", include_bytes!("../runtime/results.py")),
    ("dapdock_step_out.py", include_bytes!("../runtime/step_out.py")),
    ("dapdock_step_targets.py", include_bytes!("../runtime/step_targets.py")),
    ("dapdock_tables.py", include_bytes!("../runtime/tables.py")),
    ("dapdock_tasks.py", include_bytes!("../runtime/tasks.py")),
    ("dapdock_templates.py", include_bytes!("../runtime/templates.py")),
    ("dapdock_texts.py", include_bytes!("../runtime/texts.py")),
    ("dapdock_timeouts.py", include_bytes!("../runtime/timeouts.py")),
    ("dapdock_tracing.py", include_bytes!("../runtime/tracing.py")),
];

/// The note for a debuggee that does not load these scripts.
const UNPATCHED: &str = "debugpy runs without dapdock's patches: stops of several threads at once \
                         and breakpoints on coroutines can be lost";

impl Adapter for Debugpy {
    fn manifest() -> Manifest {
        manifest::manifest()
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        Ok(runner::targets(project, &query))
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        match &request.target {
            Some(TargetRef::Pid(pid)) => attach::check(project, *pid),
            Some(TargetRef::Address((host, port))) => {
                Ok(attach::by_address(project, host, *port, &request.config))
            }
            _ => launch(project, &request, None),
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        _state: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        match &request.target {
            Some(TargetRef::Pid(pid)) => {
                attach::by_process(project, *pid, &request.config, &results)
            }
            _ => launch(project, &request, results.last()),
        }
    }
}

fn launch(
    project: &Workspace,
    request: &DebugRequest,
    listed: Option<&BuildResult>,
) -> Result<Resolution, Error> {
    let Chosen { mut run, directory, search } = chosen(project, request)?;
    let isolation = run.isolation().map(str::to_owned);
    if let (Some(option), Some(_)) = (&isolation, &request.stdin) {
        let refused = Error::unsupported(format!(
            "`python {option}` skips sitecustomize, which redirects standard input"
        ));
        return Err(
            refused.hint(format!("launch without {option}, or have the program open the file"))
        );
    }
    let mut notes = runner::keep_in_process(project, request, &mut run, &directory);
    notes.extend(servers::keep_in_process(&mut run));
    notes.extend(run.note.clone());
    match listed {
        Some(listed) => collection::check(project, request, &run, &directory, listed)?,
        None => {
            if let Some(plan) = collection::plan(project, request, &run, &directory)? {
                return Ok(plan.into());
            }
        }
    }
    let endings = runner::endings(project, &run);
    let python = python::find(project, run.interpreter())?;
    let mut arguments = launch_arguments(project, request, &run, &directory, search.as_deref());
    arguments["python"] = json!([python.program]);
    let adapter = Command::new(python.adapter).args(python::ADAPTER);
    let mut plan = with_runtime(LaunchPlan::stdio(adapter, arguments));
    plan.notes.extend(python.note.into_iter().chain(notes));
    plan.notes.extend(isolation.map(|option| format!("with {option}, {UNPATCHED}")));
    Ok(plan.with_endings(endings).into())
}

/// Adds the scripts for the debuggee to the plan's files.
fn with_runtime(plan: LaunchPlan) -> LaunchPlan {
    RUNTIME.iter().fold(plan, |plan, (name, content)| plan.asset(name, content))
}

/// Resolves the target: a test by its name, a path or a command line.
fn chosen(project: &Workspace, request: &DebugRequest) -> Result<Chosen, Error> {
    if let Some(TargetRef::Id(name)) = &request.target {
        let mut chosen = runner::choose(project, request, name)?;
        chosen.run.args.extend(request.args.iter().cloned());
        return Ok(chosen);
    }
    let directory = request.cwd.clone().unwrap_or_else(|| project.root());
    let stat = |path: &str| kind(project, &path::join(&directory, path));
    let run = target::run(request, stat)?;
    let named = matches!(request.target, Some(TargetRef::Path(_)));
    Ok(match target::package(&run.name, stat).filter(|_| named) {
        Some((module, above)) => {
            let search = Some(path::join(&directory, &above));
            Chosen { run: run.into_module(&module), directory, search }
        }
        None => Chosen { run, directory, search: None },
    })
}

/// The kind of a path's file. A file outside the workspace is visible only if the caller named it,
/// and only as an executable.
fn kind(project: &Workspace, path: &str) -> Option<FileKind> {
    project
        .stat(path)
        .or_else(|| project.workspace_executable(path).is_ok().then_some(FileKind::File))
}

fn launch_arguments(
    project: &Workspace,
    request: &DebugRequest,
    run: &Run,
    directory: &str,
    search: Option<&str>,
) -> Value {
    let mut env = serde_json::Map::new();
    for variable in &request.env {
        env.insert(variable.name.clone(), variable.value.clone().into());
    }
    let mut path = match env.get("PYTHONPATH") {
        Some(requested) => requested.as_str().map(str::to_owned),
        None => project.env("PYTHONPATH"),
    };
    if let Some(search) = search {
        path = Some(python::prepend(search, path.as_deref()));
    }
    // Else each child process prints warnings about the interpreter's own modules on stderr.
    env.entry("PYDEVD_DISABLE_FILE_VALIDATION").or_insert("1".into());
    env.insert("PYTHONPATH".into(), python::prepend("${asset:.}", path.as_deref()).into());
    // For sitecustomize.py: debugpy's launcher closes the program's standard input.
    if let Some(file) = &request.stdin {
        env.insert("DAPDOCK_STDIN".into(), file.as_str().into());
    }
    let mut arguments = json!({
        "type": "debugpy",
        "request": "launch",
        "args": run.args,
        "pythonArgs": run.python_args,
        "cwd": directory,
        "env": env,
        // Has the launcher read the output. With `redirectOutput` each child process would report
        // it again.
        "console": "internalConsole",
        // Reads stdout and stderr in the order in which they were written.
        "debugLauncherPath": "${asset:dapdock_launcher.py}",
        "stopOnEntry": request.stop_on_entry,
    });
    arguments[run.kind.key()] = match run.kind {
        target::Kind::Program => path::join(directory, &run.name).into(),
        target::Kind::Module => run.name.as_str().into(),
    };
    with_common(arguments, &request.config)
}

/// Adds the arguments that launch and attach have in common.
fn with_common(mut arguments: Value, config: &str) -> Value {
    let config: Value = serde_json::from_str(config).unwrap_or_default();
    arguments["justMyCode"] = config["just_my_code"].as_bool().unwrap_or(true).into();
    // Python child processes become part of the session (`children` of the profile).
    arguments["subProcess"] = true.into();
    // `sys.exit(3)` is an exit, not an uncaught exception (`_parse_break_on_system_exit`).
    arguments["breakOnSystemExit"] = json!([]);
    // Methods and class attributes can be thousands; a group keeps them apart from the attributes
    // of the object (`VariablePresentation`).
    arguments["variablePresentation"] =
        json!({"special": "hide", "function": "group", "class": "group", "protected": "inline"});
    arguments
}

impl Hooks for Debugpy {
    /// Logpoints and hit conditions become conditions. A condition that raises has to stop: debugpy
    /// sets `skipSuspendOnBreakpointException` to `(BaseException,)` (pydevd_defaults.py), with
    /// which the breakpoint would be passed without a report.
    fn on_request(session: &Session, request: Request) -> RequestAction {
        if let Some(arguments) = request.of::<dap::SetBreakpoints>() {
            return match breakpoints::lines(arguments) {
                Some(changed) => RequestAction::replaced::<dap::SetBreakpoints>(changed),
                None => RequestAction::Unchanged,
            };
        }
        if let Some(arguments) = request.of::<dap::SetFunctionBreakpoints>() {
            return match breakpoints::functions(arguments) {
                Some(changed) => RequestAction::replaced::<dap::SetFunctionBreakpoints>(changed),
                None => RequestAction::Unchanged,
            };
        }
        if let Some(arguments) = request.of::<dap::SetExceptionBreakpoints>() {
            let Some(types) = exceptions::types(&arguments) else {
                return RequestAction::Unchanged;
            };
            session.store(&State { exception_types: types.clone() });
            let options = exceptions::options(&arguments, types);
            return RequestAction::replaced::<dap::SetExceptionBreakpoints>(options);
        }
        if request.is::<dap::ConfigurationDone>() {
            // A request of pydevd's own (`on_setdebuggerproperty_request`).
            let property =
                json!({"skipSuspendOnBreakpointException": [], "skipPrintBreakpointException": []});
            let patch = attach::patch(session).map(Request::new::<dap::Evaluate>);
            return RequestAction::in_turn(
                patch
                    .into_iter()
                    .chain([Request::custom("setDebuggerProperty", property), request]),
            );
        }
        if request.is::<dap::Evaluate>() {
            return with_timeout(session, request);
        }
        match assigned_text(&request) {
            Some(text) => check_assignment(session, &text),
            None => RequestAction::Unchanged,
        }
    }

    fn on_response(_: &Session, _: Request, response: Response) -> ResponseAction {
        let Some(mut body) = response.of::<dap::SetBreakpoints>() else {
            return ResponseAction::Unchanged;
        };
        breakpoints::explain(&mut body.breakpoints);
        ResponseAction::replaced::<dap::SetBreakpoints>(body)
    }
}

/// Adds the time that the expression may take, in seconds, for `timeouts.py`.
fn with_timeout(session: &Session, request: Request) -> RequestAction {
    let Some(milliseconds) = session.patience() else { return RequestAction::Unchanged };
    let mut arguments = request.raw().clone();
    arguments["patience"] = (f64::from(milliseconds) / 1000.0).into();
    RequestAction::in_turn([Request::custom(request.command(), arguments)])
}

/// The text that `setExpression` or `setVariable` assigns.
fn assigned_text(request: &Request) -> Option<String> {
    if let Some(arguments) = request.of::<dap::SetExpression>() {
        return Some(arguments.value);
    }
    request.of::<dap::SetVariable>().map(|arguments| arguments.value)
}

/// Refuses a text that is not one expression: pydevd puts it between brackets, which the text could
/// close (pydevd_vars.py, `change_attr_expression`).
fn check_assignment(session: &Session, text: &str) -> RequestAction {
    match python::parses(session, text) {
        Ok(Some(message)) => RequestAction::rejected(Error::invalid_request(format!(
            "`{text}` is not one expression: {message}"
        ))),
        _ => RequestAction::Unchanged,
    }
}

impl Present for Debugpy {
    /// Hides the variables that pytest puts into a function in place of an `assert`
    /// (`_pytest/assertion/rewrite.py`). No program can have such a name.
    fn variables(_: &Session, _scope: &str, variables: &[Variable]) -> Option<Vec<VariableView>> {
        let mut views = Vec::new();
        for (variable, index) in variables.iter().zip(0..) {
            if !variable.name.starts_with("@py_") {
                views.push(VariableView {
                    index,
                    summary: None,
                    prefetch: 0,
                    elements: None,
                    secret: false,
                });
            }
        }
        (views.len() < variables.len()).then_some(views)
    }
}

impl Translate for Debugpy {
    fn breakpoint(session: &Session, spec: BreakpointText) -> Result<BreakpointText, Error> {
        syntax::check(&spec, |code| python::parses(session, code))?;
        Ok(spec)
    }

    fn exception_filters(
        _: &Session,
        want: &[BreakOn],
        types: &[String],
        offered: &[dap::ExceptionFilter],
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        Ok(exceptions::filters(want, types, offered))
    }
}

/// What the plugin stores for a session.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
struct State {
    /// The exception types that stop.
    exception_types: Vec<String>,
}

dapdock_plugin::export!(Debugpy: hooks, present, translate);
