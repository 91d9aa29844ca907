//! Python through debugpy.
//!
//! `manifest` holds what a table can say, `target` reads what the caller wants to run, `sources`
//! finds tests in sources, `runner` runs one by its name, `collected` asks pytest which a table
//! makes, `servers` keeps those from running the program elsewhere, `attach` gets into what runs,
//! `texts` checks conditions and log messages, `points` has the debuggee count and write, `raised`
//! names exceptions, `python` chooses the interpreter. `debuggee.py`, `functions.py`,
//! `exceptions.py`, `recursion.py` and `patience.py` mend pydevd where it runs. Facts come from
//! debugpy 1.8.22; files named are in `debugpy/_vendored/pydevd`.

mod attach;
mod check;
mod collected;
mod install;
mod manifest;
mod points;
mod python;
mod raised;
mod runner;
mod servers;
mod sources;
mod target;
mod texts;

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::path;
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Variable, VariableView};
use dapdock_plugin::translate::{BreakOn, BreakpointText, ExceptionFilter};

use crate::runner::Chosen;
use crate::target::Run;

struct Debugpy;

/// Python that runs in the debuggee, each by its own words: the first brings in the second, and
/// that the others, some when they are needed.
const IN_DEBUGGEE: [(&str, &[u8]); 6] = [
    ("sitecustomize.py", include_bytes!("sitecustomize.py")),
    ("dapdock_debuggee.py", include_bytes!("debuggee.py")),
    ("dapdock_functions.py", include_bytes!("functions.py")),
    ("dapdock_exceptions.py", include_bytes!("exceptions.py")),
    ("dapdock_recursion.py", include_bytes!("recursion.py")),
    ("dapdock_patience.py", include_bytes!("patience.py")),
];

/// What is amiss where these are not there.
const UNMENDED: &str = "debugpy is as it comes: stops of several threads at once and breakpoints on coroutines can be lost";

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
    let isolated = run.isolated().map(str::to_owned);
    if let (Some(option), Some(_)) = (&isolated, &request.stdin) {
        let refused = Error::unsupported(format!(
            "`python {option}` loads nothing that could give it a standard input"
        ));
        return Err(
            refused.hint(format!("launch without {option}, or have the program open the file"))
        );
    }
    let mut hindered = runner::unhindered(project, request, &mut run, &directory);
    hindered.extend(servers::unhindered(&mut run));
    hindered.extend(run.note.clone());
    match listed {
        Some(listed) => collected::check(project, request, &run, &directory, listed)?,
        None => {
            if let Some(plan) = collected::ask(project, request, &run, &directory)? {
                return Ok(plan.into());
            }
        }
    }
    let endings = runner::endings(project, &run);
    let python = python::find(project, run.interpreter())?;
    let mut arguments = launch_arguments(project, request, &run, &directory, search.as_deref());
    arguments["python"] = json!([python.program]);
    let adapter = Command::new(python.adapter).args(python::ADAPTER);
    let mut plan = with_python(LaunchPlan::stdio(adapter, arguments));
    plan.notes.extend(python.note.into_iter().chain(hindered));
    plan.notes.extend(isolated.map(|option| format!("with {option}, {UNMENDED}")));
    Ok(plan.with_endings(endings).into())
}

/// Puts what runs in the debuggee where it can be read.
fn with_python(plan: LaunchPlan) -> LaunchPlan {
    IN_DEBUGGEE.iter().fold(plan, |plan, (name, content)| plan.asset(name, content))
}

/// One test by its name, a path or a command line.
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

/// What a path is. Of files outside of the workspace only those can be asked
/// about that the caller named, and only by naming them as a program.
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
    let before = match env.get("PYTHONPATH") {
        Some(asked) => asked.as_str().map(str::to_owned),
        None => project.env("PYTHONPATH"),
    };
    let before = match (search, before) {
        (Some(search), before) => Some(python::searched(search, before.as_deref())),
        (None, before) => before,
    };
    // Of the interpreter's own modules, on the stderr of each child process.
    env.entry("PYDEVD_DISABLE_FILE_VALIDATION").or_insert("1".into());
    env.insert("PYTHONPATH".into(), python::searched("${asset:.}", before.as_deref()).into());
    // sitecustomize.py: the launcher's own input is at its end.
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
        // Has the launcher read what is printed; asked for by name, it would be told by each child
        // process again.
        "console": "internalConsole",
        "stopOnEntry": request.stop_on_entry,
    });
    arguments[run.kind.key()] = match run.kind {
        target::Kind::Program => path::join(directory, &run.name).into(),
        target::Kind::Module => run.name.as_str().into(),
    };
    with_common(arguments, &request.config)
}

/// Arguments that launch and attach share.
fn with_common(mut arguments: Value, config: &str) -> Value {
    let config: Value = serde_json::from_str(config).unwrap_or_default();
    arguments["justMyCode"] = config["just_my_code"].as_bool().unwrap_or(true).into();
    // Child processes that are Python join the session (`children` of the profile).
    arguments["subProcess"] = true.into();
    // `sys.exit(3)` is an exit, not an uncaught exception (`_parse_break_on_system_exit`).
    arguments["breakOnSystemExit"] = json!([]);
    // Groups that stand before an object's own attributes, thousands deep (`VariablePresentation`).
    arguments["variablePresentation"] =
        json!({"special": "hide", "function": "group", "class": "group", "protected": "inline"});
    arguments
}

impl Hooks for Debugpy {
    /// Breakpoints that write or count are conditions. One that raises stops: debugpy sets
    /// `(BaseException,)` here (pydevd_defaults.py), so that such a breakpoint would pass in
    /// silence.
    fn on_request(session: &Session, request: Request) -> RequestAction {
        if let Some(asked) = request.of::<dap::SetBreakpoints>() {
            let reworded = points::lines(asked);
            return reworded
                .map(RequestAction::replaced::<dap::SetBreakpoints>)
                .unwrap_or_default();
        }
        if let Some(asked) = request.of::<dap::SetFunctionBreakpoints>() {
            let reworded = points::functions(asked);
            return reworded
                .map(RequestAction::replaced::<dap::SetFunctionBreakpoints>)
                .unwrap_or_default();
        }
        if let Some(asked) = request.of::<dap::SetExceptionBreakpoints>() {
            let Some(types) = raised::types(&asked) else { return RequestAction::Unchanged };
            session.set_state(&json!(types).to_string());
            return RequestAction::replaced::<dap::SetExceptionBreakpoints>(raised::options(
                &asked, types,
            ));
        }
        if request.is::<dap::ConfigurationDone>() {
            // pydevd's own (`on_setdebuggerproperty_request`).
            let told =
                json!({"skipSuspendOnBreakpointException": [], "skipPrintBreakpointException": []});
            let mend = attach::mend(session).map(Request::new::<dap::Evaluate>);
            return RequestAction::in_turn(
                mend.into_iter().chain([Request::custom("setDebuggerProperty", told), request]),
            );
        }
        if request.is::<dap::Evaluate>() {
            return patient(session, request);
        }
        assigned(&request).map(|value| assigns(session, &value)).unwrap_or_default()
    }
}

/// patience.py: how long the expression may take, in seconds.
fn patient(session: &Session, request: Request) -> RequestAction {
    let Some(milliseconds) = session.patience() else { return RequestAction::Unchanged };
    let mut arguments = request.raw().clone();
    arguments["patience"] = (f64::from(milliseconds) / 1000.0).into();
    RequestAction::in_turn([Request::custom(request.command(), arguments)])
}

/// The text that `setExpression` or `setVariable` assigns.
fn assigned(request: &Request) -> Option<String> {
    let variable = || request.of::<dap::SetVariable>().map(|asked| asked.value);
    request.of::<dap::SetExpression>().map(|asked| asked.value).or_else(variable)
}

/// pydevd puts the text between brackets, which it may close (pydevd_vars.py,
/// `change_attr_expression`).
fn assigns(session: &Session, value: &str) -> RequestAction {
    let words = python::parses(session, value).ok().flatten();
    let refused =
        |words| Error::invalid_request(format!("`{value}` is not one expression: {words}"));
    words.map(|words| RequestAction::rejected(refused(words))).unwrap_or_default()
}

impl Present for Debugpy {
    /// pytest's own, in place of an `assert` (`_pytest/assertion/rewrite.py`): no program can name
    /// them.
    fn variables(_: &Session, _scope: &str, variables: &[Variable]) -> Option<Vec<VariableView>> {
        let own = |variable: &Variable| variable.name.starts_with("@py_");
        let view = |index| VariableView {
            index,
            summary: None,
            prefetch: 0,
            elements: None,
            secret: false,
        };
        let shown = || variables.iter().zip(0..).filter(|(variable, _)| !own(variable));
        variables.iter().any(own).then(|| shown().map(|(_, index)| view(index)).collect())
    }
}

impl Translate for Debugpy {
    fn breakpoint(session: &Session, spec: BreakpointText) -> Result<BreakpointText, Error> {
        texts::check(&spec, |code| python::parses(session, code))?;
        Ok(spec)
    }

    /// pytest and unittest catch what a test raises, so that `uncaught` never fires there.
    fn exception_filters(
        session: &Session,
        want: &[BreakOn],
        types: &[String],
        offered: &[dap::ExceptionFilter],
    ) -> Result<Option<Vec<ExceptionFilter>>, Error> {
        let arguments: Value = serde_json::from_str(&session.arguments()).unwrap_or_default();
        let catches = matches!(arguments["module"].as_str(), Some("pytest" | "unittest"));
        Ok(raised::filters(want, types, offered, catches))
    }
}

dapdock_plugin::export!(Debugpy: hooks, present, translate);
