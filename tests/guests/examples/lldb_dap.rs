//! A plugin for LLDB's own DAP server: `lldb-vscode` of LLVM 14 to 17, `lldb-dap` since. Written
//! from the guide and the interface alone; the tests debug with it.

use dapdock_native::compilers::{self, Compiler};
use dapdock_native::{cpp, programs, rust};
use dapdock_plugin::hooks::{Event, EventAction, Request, Response, ResponseAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Reaction, Stop, StopClass, StopView};
use dapdock_plugin::schema::*;

struct Lldb;

/// What the plugin stores for a session.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
struct State {
    /// The signal of the last stop.
    signal: Option<String>,
    /// Why a condition could not be evaluated.
    failed_condition: Option<String>,
}

/// Marks evaluations that only check the syntax of a condition. `sizeof` does not evaluate it.
const CHECK: &str = "`expression --language c++ -- /*check*/";

fn language(name: &str, extensions: &[&str]) -> Language {
    Language {
        name: name.into(),
        extensions: extensions.iter().map(|&one| one.into()).collect(),
        executables: true,
        fallback: true,
        ..Language::default()
    }
}

impl Adapter for Lldb {
    fn manifest() -> Manifest {
        Manifest {
            name: "lldb-dap".into(),
            title: "C and C++ through LLDB's own adapter".into(),
            languages: vec![language("c", &["c"]), language("c++", &["cc", "cpp", "cxx", "c++"])],
            tools: vec![
                Tool {
                    name: "lldb-dap".into(),
                    candidates: words(["lldb-dap", "lldb-vscode", "lldb-vscode-14"]),
                    install: "apt-get install lldb, or name it in [tools.lldb-dap] path".into(),
                    ..Tool::default()
                },
                compilers::C.tool(),
                compilers::CPP.tool(),
            ],
            commands: vec![
                CommandTemplate { tool: "lldb-dap".into(), args: vec![] },
                compilers::C.command(),
                compilers::CPP.command(),
            ],
            programs: words(["program"]),
            config_schema: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "python_path": {
                        "type": "string",
                        "description": "Directory of LLDB's Python modules, if it is not found.",
                    },
                },
            })),
            stdin: true,
            exceptions: vec![
                ExceptionBreak {
                    name: "all".into(),
                    filters: words(["cpp_throw"]),
                    default: false,
                },
                ExceptionBreak { name: "uncaught".into(), filters: vec![], default: true },
            ],
            interests: Interests {
                events: words(["stopped", "exited", "output"]),
                responses: words(["evaluate", "exceptionInfo"]),
                present: words(["stop"]),
                ..Interests::default()
            },
            profile: profile(),
            ..Manifest::default()
        }
    }

    fn targets(project: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        let mut all = programs::sources(project, &query);
        all.extend(programs::built(project, &query));
        Ok(all)
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        match &request.target {
            Some(TargetRef::Path(path)) => match compiler(path) {
                Some(compiler) => Ok(compiler.start(project, path)?.into()),
                None => {
                    let program = project.workspace_executable(path)?;
                    Ok(plan(project, &request, program)?.into())
                }
            },
            Some(TargetRef::Pid(pid)) => {
                let arguments = json!({
                    "pid": pid,
                    "stopOnEntry": request.stop_on_entry,
                    "initCommands": init(&request),
                });
                Ok(LaunchPlan::stdio(adapter(project, &request)?, arguments).attach().into())
            }
            _ => Err(Error::unsupported("lldb-dap runs executables and attaches to processes")
                .hint("name a program, or attach to a pid")),
        }
    }

    fn resume(
        project: &Workspace,
        request: DebugRequest,
        _: &str,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        let Some(TargetRef::Path(path)) = &request.target else {
            return Err(Error::internal("nothing was built"));
        };
        let program = compilers::compiled_program(project, path, &results)?;
        Ok(plan(project, &request, program)?.into())
    }
}

fn profile() -> Profile {
    let stop = |when, class: &str| StopRule {
        reason: Some("exception".into()),
        when,
        class: class.into(),
        ..StopRule::default()
    };
    Profile {
        start: StartProfile { access: Access::Exclusive, ..StartProfile::default() },
        pause: PauseProfile {
            // A pause and a stop on entry stop with `exception`.
            rules: vec![stop(When::Pausing, "pause"), stop(When::Entering, "entry")],
            ..PauseProfile::default()
        },
        breakpoints: BreakpointProfile {
            // lldb-vscode 14: `initialize` offers no supportsLogPoints.
            log_points: LogPoints::Host,
            // Breakpoints of one line share one id, and `stopped` names none.
            hit_ids: HitIds::Place { untrue: cpp::ZERO.into() },
            ..BreakpointProfile::default()
        },
        evaluate: EvaluateProfile {
            check: Some(SyntaxCheck {
                expression: format!("{CHECK}sizeof({{text}})"),
                context: "repl".into(),
                needs: CheckNeeds::Debuggee,
            }),
            ..EvaluateProfile::default()
        },
        frames: FrameProfile {
            library: rust::library(&["/sysdeps/", "sysdeps/", "nptl/", "stdlib/", "csu/"], &["__"]),
            ..FrameProfile::default()
        },
        ..Profile::default()
    }
}

fn compiler(path: &str) -> Option<&'static Compiler> {
    [&compilers::C, &compilers::CPP].into_iter().find(|compiler| compiler.accepts(path))
}

fn config(request: &DebugRequest) -> Value {
    serde_json::from_str(&request.config).unwrap_or_default()
}

fn init(request: &DebugRequest) -> Vec<String> {
    // The program's standard input is a terminal of LLDB's, for which it would wait for ever.
    let input = request.stdin.as_deref().unwrap_or("/dev/null");
    vec![format!("settings set target.input-path {input}")]
}

fn adapter(project: &Workspace, request: &DebugRequest) -> Result<Command, Error> {
    let command = Command::new(project.find_executable("lldb-dap")?);
    Ok(match config(request)["python_path"].as_str() {
        Some(path) => command.env("PYTHONPATH", path),
        None => command,
    })
}

fn plan(
    project: &Workspace,
    request: &DebugRequest,
    program: Executable,
) -> Result<LaunchPlan, Error> {
    let set = request.env.iter();
    let env: Vec<String> =
        set.filter_map(|one| Some(format!("{}={}", one.name, one.value.as_ref()?))).collect();
    let path = program.path();
    let arguments = json!({
        "program": path,
        "args": request.args,
        "env": env,
        "cwd": request.cwd.clone().unwrap_or_else(|| project.root()),
        "stopOnEntry": request.stop_on_entry,
        "initCommands": init(request),
        // Of lldb-dap 17 and later: a struct without a summary shows its fields.
        "enableAutoVariableSummaries": true,
    });
    let mut profile = profile();
    // LLDB 19 complains about debug information in the program's standard error.
    let name = path.rsplit('/').next().unwrap_or(&path);
    profile.output.adapter_lines = vec![format!("error: {name} 0x")];
    let plan = LaunchPlan::stdio(adapter(project, request)?, arguments).profile(&profile);
    Ok(plan.program(program))
}

impl Hooks for Lldb {
    fn on_response(session: &Session, request: Request, response: Response) -> ResponseAction {
        if request.is::<dap::ExceptionInfo>() {
            // "signal SIGSEGV: invalid address (fault address: 0x0)"
            let text = response.raw()["description"].as_str().unwrap_or_default();
            let name = text.strip_prefix("signal ").and_then(|rest| rest.split(':').next());
            session.store(&State { signal: name.map(str::to_owned), ..session.load() });
            return ResponseAction::Unchanged;
        }
        let is_check =
            request.of::<dap::Evaluate>().is_some_and(|one| one.expression.starts_with(CHECK));
        if is_check {
            // A command of LLDB never fails: its result may be the text of an error, such as
            // "error: <user expression 1>:1:1: expected expression".
            let result = response.raw()["result"].as_str().unwrap_or_default();
            let expected = result.lines().find_map(|line| Some(&line[line.find("expected ")?..]));
            return match expected {
                Some(text) => ResponseAction::failed(Error::invalid_request(text)),
                None => ResponseAction::replaced::<dap::Evaluate>(dap::EvaluateResponse::default()),
            };
        }
        let Some(message) = response.failure() else { return ResponseAction::Unchanged };
        let error = message.lines().find_map(|line| line.strip_prefix("error: "));
        let Some(line) = error else { return ResponseAction::Unchanged };
        let point = line.rsplit_once("> ").map_or(line, |(_, point)| point);
        let point = match point.strip_prefix("<user expression ") {
            Some(rest) => rest.split_once(": ").map_or(rest, |(_, text)| text),
            None => point,
        };
        ResponseAction::failed(Error::invalid_request(point))
    }

    fn on_event(session: &Session, event: Event) -> EventAction {
        let state: State = session.load();
        if event.of::<dap::Stopped>().is_some() {
            session.store(&State { signal: None, ..state });
            return EventAction::Unchanged;
        }
        if let Some(output) = event.of::<dap::Output>() {
            // LLDB 19: a condition that cannot be evaluated stops the program, and this says why.
            if !output.output.starts_with("error: stopped due to an error evaluating condition") {
                return EventAction::Unchanged;
            }
            let lines = output.output.lines();
            let failed_condition = lines
                .filter_map(|line| line.rsplit_once(">:"))
                .find_map(|(_, rest)| Some(rest.split_once(": ")?.1.to_owned()));
            session.store(&State { failed_condition, ..state });
            return EventAction::swallowed();
        }
        // After a signal that ends the program `exitCode` is the signal's number.
        let code = event.of::<dap::Exited>().and_then(|exited| exited.exit_code);
        let signal = state.signal.as_deref().and_then(number);
        match signal.filter(|signal| code == Some(*signal)) {
            Some(signal) => {
                let exited = dap::Exited { signal_number: Some(signal), ..Default::default() };
                EventAction::replaced([Event::new(exited)])
            }
            None => EventAction::Unchanged,
        }
    }
}

/// Numbers of signals on Linux.
fn number(name: &str) -> Option<i64> {
    let known = [
        ("SIGILL", 4),
        ("SIGTRAP", 5),
        ("SIGABRT", 6),
        ("SIGBUS", 7),
        ("SIGFPE", 8),
        ("SIGSEGV", 11),
        ("SIGPIPE", 13),
        ("SIGTERM", 15),
    ];
    known.iter().find(|(one, _)| *one == name).map(|(_, number)| *number)
}

impl Present for Lldb {
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        let state: State = session.load();
        if let (Some(why), "breakpoint") = (&state.failed_condition, stop.body.reason.as_str()) {
            let detail = format!("the condition cannot be evaluated: {why}");
            session.store(&State { failed_condition: None, ..state });
            return Some(StopView {
                class: StopClass::Breakpoint,
                title: String::new(),
                detail: Some(detail),
                skip_frames: 0,
                reaction: Reaction::Report,
            });
        }
        let skip_frames = rust::frames_above_user_code(&stop.top);
        let (class, title) = match cpp::uncaught_exception(&stop.top, &stop.output) {
            Some(title) => (StopClass::ExceptionUncaught, title),
            None if cpp::is_throw(&stop.top) => {
                (StopClass::ExceptionCaught, "C++ exception thrown".to_owned())
            }
            None => return None,
        };
        Some(StopView { class, title, detail: None, skip_frames, reaction: Reaction::Report })
    }
}

dapdock_plugin::export!(Lldb: hooks, present);
