//! A plugin for Ruby's own debugger, the gem `debug` (1.4 comes with Ruby 3.1), which speaks DAP
//! inside the program. Written from the guide and the interface alone; the tests debug with it.

use std::collections::BTreeMap;

use dapdock_plugin::adapter::{OutputStream, ReadyLine};
use dapdock_plugin::hooks::{Request, RequestAction, Response, ResponseAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, FrameKind, FrameView};
use dapdock_plugin::schema::*;
use dapdock_plugin::translate::{BreakpointText, EvaluateIntent, Evaluation, Risk, SourceLine};
use dapdock_plugin::{files, path};

struct Ruby;

/// What the plugin stores for a session.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
struct State {
    /// File and first line of each method of the project, by name.
    methods: BTreeMap<String, (String, u32)>,
}

impl Adapter for Ruby {
    fn manifest() -> Manifest {
        Manifest {
            name: "rdbg".into(),
            title: "Ruby through the gem debug".into(),
            languages: vec![Language {
                name: "ruby".into(),
                extensions: words(["rb"]),
                commands: words(["ruby"]),
                project_files: words(["Gemfile"]),
                ..Language::default()
            }],
            tools: vec![Tool {
                name: "ruby".into(),
                install: "install Ruby 3.1 or newer, or name it in [tools.ruby] path".into(),
                ..Tool::default()
            }],
            probes: vec![Probe {
                id: "syntax".into(),
                tool: "ruby".into(),
                args: words(["-c"]),
                ..Probe::default()
            }],
            commands: vec![CommandTemplate {
                tool: "ruby".into(),
                args: words(["-rdebug/open", "{}", "{...}"]),
            }],
            stdin: true,
            addresses: true,
            servers: words(["rdbg"]),
            exceptions: vec![ExceptionBreak {
                name: "all".into(),
                filters: words(["any"]),
                default: false,
            }],
            interests: Interests {
                requests: words(["setBreakpoints"]),
                responses: words(["evaluate"]),
                translate: words(["breakpoint", "evaluation-text"]),
                present: words(["frames"]),
                ..Interests::default()
            },
            profile: profile(),
            ..Manifest::default()
        }
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        let (program, args) = match &request.target {
            Some(TargetRef::Path(path)) => (path.clone(), request.args.clone()),
            Some(TargetRef::Command(words)) => match words.as_slice() {
                [_, program, args @ ..] => {
                    (program.clone(), args.iter().chain(&request.args).cloned().collect())
                }
                _ => return Err(Error::invalid_request("the command line names no Ruby file")),
            },
            Some(TargetRef::Address((host, port))) => {
                let endpoint = Endpoint { host: host.clone(), port: Port::Number(*port) };
                let transport = Transport::Connect(endpoint);
                return Ok(LaunchPlan::new(transport, json!({"localfs": true})).attach().into());
            }
            _ => {
                return Err(Error::unsupported("rdbg starts Ruby files").hint("name a .rb file"));
            }
        };
        let mut command = Command::new(project.find_executable("ruby")?)
            .arg("-rdebug/open")
            .arg(program)
            .args(args)
            .env("RUBY_DEBUG_HOST", "127.0.0.1")
            .env("RUBY_DEBUG_PORT", "${value:port:dap}")
            .cwd(request.cwd.clone().unwrap_or_else(|| project.root()));
        command.env.extend(request.env.iter().cloned());
        let ready = ReadyLine {
            output: OutputStream::Stderr,
            pattern: "wait for debugger connection".into(),
            timeout_ms: 10_000,
        };
        let process = Process { role: Role::Both, command, ready: Some(ready), takes_stdin: true };
        let endpoint = Endpoint { host: "127.0.0.1".into(), port: Port::Value("port:dap".into()) };
        let mut plan = LaunchPlan::new(Transport::Connect(endpoint), json!({"localfs": true}));
        plan.processes.push(process);
        Ok(plan.state(&State { methods: methods(project) }).into())
    }
}

/// All from lib/debug/server_dap.rb of 1.4.0.
fn profile() -> Profile {
    Profile {
        start: StartProfile {
            // `setFunctionBreakpoints` does nothing, and there is no recorder.
            lacks: words(["supportsFunctionBreakpoints", "supportsStepBack"]),
            ..StartProfile::default()
        },
        breakpoints: BreakpointProfile {
            log_points: LogPoints::Host,
            verification: Verification::Always,
            while_running: WhileRunning::HaltFirst,
            ..BreakpointProfile::default()
        },
        values: ValueProfile { hidden: words(["#class"]), ..ValueProfile::default() },
        frames: FrameProfile {
            library: LibraryRule {
                paths: words(["/lib/ruby/", "/gems/", "<internal:"]),
                ..LibraryRule::default()
            },
            ..FrameProfile::default()
        },
        output: OutputProfile {
            streams: Streams::Debuggee,
            adapter_lines: words(["DEBUGGER: "]),
            ..OutputProfile::default()
        },
        leave: LeaveProfile {
            attached: LeaveAttached::StaysStopped,
            // It closes the connection at the end of the program, without events.
            end: EndReport::Closing,
            ..LeaveProfile::default()
        },
        ..Profile::default()
    }
}

/// Where methods begin in the project: the line behind `def`, because rdbg binds `def` itself to
/// the definition.
fn methods(project: &Workspace) -> BTreeMap<String, (String, u32)> {
    let mut all = BTreeMap::new();
    for file in files::own(project, |file| file.ends_with(".rb")) {
        for (line, number) in files::text(project, &file).lines().zip(2..) {
            let Some(rest) = line.trim_start().strip_prefix("def ") else { continue };
            let name = rest.split(['(', ' ', ';']).next().unwrap_or_default();
            let name = name.trim_start_matches("self.").to_owned();
            all.entry(name).or_insert_with(|| (path::join(&project.root(), &file), number));
        }
    }
    all
}

impl Hooks for Ruby {
    /// rdbg only ever adds breakpoints: those of the file are deleted first. Frame 1 is of the
    /// first stop, whose thread still stands.
    fn on_request(_: &Session, request: Request) -> RequestAction {
        let Some(arguments) = request.of::<dap::SetBreakpoints>() else {
            return RequestAction::Unchanged;
        };
        // A string of Ruby; `#` would begin an expression in it.
        let file = json!(arguments.source.path).to_string().replace('#', "\\#");
        let delete = format!(
            "DEBUGGER__::SESSION.instance_eval {{ \
             @bps.select {{ |key, _| key.is_a?(Array) && key[0] == {file} }}\
             .each {{ |key, bp| bp.delete; @bps.delete(key) }} }}; nil"
        );
        let evaluate = Request::new::<dap::Evaluate>(dap::EvaluateArguments {
            expression: delete,
            frame_id: Some(1),
            context: Some("repl".into()),
            ..Default::default()
        });
        RequestAction::in_turn([evaluate, request])
    }

    /// An exception is the result of the expression that raised it.
    fn on_response(_: &Session, _: Request, response: Response) -> ResponseAction {
        let raw = response.raw();
        let ty = raw["type"].as_str().unwrap_or_default();
        let result = raw["result"].as_str().unwrap_or_default();
        let raised = result.strip_prefix("#<");
        match raised.filter(|rest| rest.starts_with(ty) && ty.ends_with("Error")) {
            Some(rest) => {
                ResponseAction::failed(Error::invalid_request(rest.trim_end_matches('>')))
            }
            None => ResponseAction::Unchanged,
        }
    }
}

impl Present for Ruby {
    fn frames(_: &Session, frames: &[Frame]) -> Vec<FrameView> {
        let mut views = Vec::with_capacity(frames.len());
        for frame in frames {
            let is_native = frame.name.starts_with("[C] ");
            let kind = if is_native { FrameKind::Library } else { FrameKind::Unknown };
            views.push(FrameView { kind, name: None });
        }
        views
    }
}

impl Translate for Ruby {
    fn evaluation_text(
        _: &Session,
        text: &str,
        intent: EvaluateIntent,
    ) -> Result<Option<Evaluation>, Error> {
        Ok(matches!(intent, EvaluateIntent::Assign).then(|| Evaluation {
            expression: text.into(),
            context: "repl".into(),
            risk: Risk::WritesState,
        }))
    }

    fn breakpoint(session: &Session, spec: BreakpointText) -> Result<BreakpointText, Error> {
        if let Some(condition) = &spec.condition {
            let parsed = session.probe("syntax", condition)?;
            if parsed.exit_code != 0 {
                let first = parsed.stderr.lines().next().unwrap_or_default();
                return Err(Error::invalid_request(first.trim_start_matches("-:1: ")));
            }
        }
        let Some(function) = &spec.function else { return Ok(spec) };
        let State { methods } = session.load();
        let name = function.rsplit(['#', '.']).next().unwrap_or(function);
        let Some((path, line)) = methods.get(name).cloned() else {
            let message = format!("no method of the project is named {name}");
            return Err(Error::invalid_request(message));
        };
        Ok(BreakpointText { at: Some(SourceLine { path, line, column: None }), ..spec })
    }
}

dapdock_plugin::export!(Ruby: hooks, present, translate);
