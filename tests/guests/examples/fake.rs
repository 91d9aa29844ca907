//! A plugin for the fake adapter, through the SDK. It decides nothing: the caller's options contain
//! the adapter's script, its transport, the profile, and other programs to run.

use dapdock_plugin::adapter::{OutputStream, ReadyLine};
use dapdock_plugin::hooks::{Event, EventAction, Hooks, Request};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, FrameKind, FrameView, Present};
use dapdock_plugin::schema::{
    CommandTemplate, Commands, Configurations, Document, EvaluateProfile, ExceptionBreak,
    Interests, Language, Profile, Tool,
};
use dapdock_plugin::translate::{EvaluateIntent, Evaluation, Risk};

struct Fake;

/// A stop by another name.
const HALTED: &str = "halted";

fn template(tool: &str, args: &[&str]) -> CommandTemplate {
    CommandTemplate { tool: tool.into(), args: args.iter().map(|arg| (*arg).into()).collect() }
}

impl Adapter for Fake {
    fn manifest() -> Manifest {
        let tool = |name: &str| Tool { name: name.into(), ..Tool::default() };
        let exception = |name: &str, filter: &str, default| ExceptionBreak {
            name: name.into(),
            filters: vec![filter.into()],
            default,
        };
        Manifest {
            name: "fake".into(),
            title: "The fake adapter".into(),
            languages: vec![Language {
                name: "fake".into(),
                extensions: vec!["fake".into()],
                ..Language::default()
            }],
            tools: vec![tool("fake-adapter"), tool("sh")],
            commands: vec![
                template("fake-adapter", &["{}"]),
                template("fake-adapter", &["{}", "--connect", "{}"]),
                template("fake-adapter", &["{}", "--listen", "{}"]),
                template("sh", &["-c", "{}"]),
            ],
            config_schema: Some(json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "script": {"type": "object"},
                    "transport": {"type": "string", "enum": ["stdio", "connect", "listen", "deaf"]},
                    "profile": {"type": "object"},
                    "heard": {"type": "string", "description": "A file for every message that the \
                        adapter receives."},
                    "debuggee": {"type": "string", "description": "A shell script that runs next \
                        to the adapter."},
                    "ready": {"type": "string", "description": "A pattern of the debuggee's first \
                        output."},
                    "attach": {"type": "boolean"},
                    "asset": {"type": "string", "description": "The text of a file of the plan."},
                },
            })),
            documents: vec![Document::new(
                "reference",
                "The fake debugger",
                "# Commands\n\n### `hang`\n",
            )],
            interests: Interests {
                requests: vec!["launch".into()],
                responses: vec!["launch".into()],
                events: vec![HALTED.into()],
                present: vec!["frames".into()],
                translate: vec!["evaluation-text".into()],
            },
            profile: Profile {
                evaluate: EvaluateProfile {
                    commands: Some(Box::new(Commands {
                        context: "repl".into(),
                        records: Some("record".into()),
                        ..Commands::default()
                    })),
                    ..EvaluateProfile::default()
                },
                ..Profile::default()
            },
            configurations: Configurations {
                types: vec!["fake".into()],
                options: ["script", "profile"].map(|key| (key.into(), key.into())).into(),
                ..Configurations::default()
            },
            exceptions: vec![
                exception("uncaught", "uncaught", true),
                exception("all", "raised", false),
            ],
            ..Manifest::default()
        }
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        let config: Value = serde_json::from_str(&request.config).unwrap_or_default();
        let text = |key: &str| config[key].as_str();
        // Tests find the processes of a session by their working directory.
        let mut adapter = Command::new(project.find_executable("fake-adapter")?)
            .arg(config["script"].to_string())
            .cwd(project.root());
        if let Some(file) = text("heard") {
            adapter = adapter.env("FAKE_HEARD", file);
        }
        let endpoint = Endpoint { host: "127.0.0.1".into(), port: Port::Value("port:dap".into()) };
        let dialled = Transport::Connect(endpoint);
        let (transport, adapter) = match text("transport") {
            Some("connect") => (dialled, adapter.arg("--listen").arg(Piece::named("port:dap"))),
            // It listens on another port than the one connected to.
            Some("deaf") => (dialled, adapter.arg("--listen").arg(Piece::named("port:elsewhere"))),
            Some("listen") => {
                let address = [Piece::from("127.0.0.1:"), Piece::named("port:dap")];
                (Transport::Listen("dap".into()), adapter.arg("--connect").joined(address))
            }
            _ => (Transport::Stdio, adapter),
        };
        let mut plan = LaunchPlan::new(transport, json!({"stopOnEntry": request.stop_on_entry}));
        if let Some(script) = text("debuggee") {
            let command = Command::new(project.find_executable("sh")?).args(["-c", script]);
            let ready = text("ready").map(|pattern| ReadyLine {
                output: OutputStream::Stdout,
                pattern: pattern.into(),
                timeout_ms: 60_000,
            });
            plan = plan.process(Process { role: Role::Both, command, ready, takes_stdin: true });
        }
        plan = plan.process(Process::adapter(adapter));
        if let Some(content) = text("asset") {
            plan = plan.asset("asset.txt", content.as_bytes());
        }
        plan.profile = config["profile"].is_object().then(|| config["profile"].to_string());
        Ok(if config["attach"] == true { plan.attach().into() } else { plan.into() })
    }
}

/// Receives the launch request and its response, and changes nothing of them.
impl Hooks for Fake {
    /// A request that the event names is sent.
    fn on_event(_: &Session, event: Event) -> EventAction {
        if let Some(command) = event.raw()["send"].as_str() {
            return EventAction::requesting(Request::custom(command, json!({})));
        }
        EventAction::replaced([Event::custom("stopped", event.raw().clone())])
    }
}

/// Functions of the fake's runtime begin with `__`, which callers do not see.
impl Present for Fake {
    fn frames(_: &Session, frames: &[Frame]) -> Vec<FrameView> {
        let view = |frame: &Frame| FrameView {
            kind: FrameKind::Unknown,
            name: frame.name.strip_prefix("__").map(str::to_owned),
        };
        frames.iter().map(view).collect()
    }
}

impl Translate for Fake {
    /// `set X` is a statement of the fake's own language, `count` is `n1`, `n2`, … in turn, and
    /// `panic` ends the call.
    fn evaluation_text(
        session: &Session,
        text: &str,
        _: EvaluateIntent,
    ) -> Result<Option<Evaluation>, Error> {
        if text == "panic" {
            host::log(LogLevel::Info, "about to fail");
            panic!("no such text");
        }
        if text == "count" {
            let count =
                session.state().and_then(|state| state.parse::<u32>().ok()).unwrap_or_default() + 1;
            session.set_state(&count.to_string());
            let (expression, context) = (format!("n{count}"), "watch".into());
            return Ok(Some(Evaluation { expression, context, risk: Risk::Reads }));
        }
        Ok(text.strip_prefix("set ").map(|rest| Evaluation {
            expression: format!("={rest}"),
            context: "statement".into(),
            risk: Risk::WritesState,
        }))
    }
}

dapdock_plugin::export!(Fake: hooks, present, translate);
