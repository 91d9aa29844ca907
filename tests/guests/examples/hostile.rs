//! Misbehaves in the way that the target's id names.
#![cfg(target_family = "wasm")]
#![allow(missing_docs, unsafe_code, reason = "generated")]

wit_bindgen::generate!({
    path: "../../wit",
    inline: "
        package test:guest;
        world guest { include dapdock:plugin/plugin@0.2.0; include \
        dapdock:plugin/plugin-hooks@0.2.0; }
    ",
    world: "test:guest/guest",
    generate_all,
});

use dapdock::plugin::host::{self, Executable, LogLevel, Session, Workspace};
use dapdock::plugin::types::{EnvVar, Error, ErrorKind};
use exports::dapdock::plugin::adapter::{self, *};
use exports::dapdock::plugin::hooks::{
    self, DapResponse, EventAction, EventEffect, RequestAction, ResponseAction,
};
use serde_json::json;

struct Hostile;
export!(Hostile);

impl adapter::Guest for Hostile {
    fn manifest() -> Json {
        json!({
            "name": "hostile",
            "languages": [{"name": "mischief"}],
            "tools": [
                {"name": "shell", "candidates": ["no-such-shell", "sh"]},
                {"name": "bash"},
                {"name": "nowhere", "install": "there is none"},
            ],
            "probes": [
                {"id": "count", "tool": "shell", "args": ["-c", "echo run >> \"$0.log\"; cat; echo \
                    done", "PROBE"]},
                {"id": "number", "tool": "bash", "args": ["-c", "echo $$"], "stored": true},
                {"id": "slow", "tool": "shell", "args": ["-c", "sleep 1000"], "timeout_ms": 300},
            ],
            "commands": [
                {"tool": "shell", "args": ["-c", "exec adapter --port={}"]},
                {"tool": "build-output", "args": []},
                {"tool": "workspace", "args": ["{...}"]},
            ],
            "programs": ["python"],
            "permissions": {"env": ["ALLOWED"]},
            "config_schema": {"type": "object", "additionalProperties": false,
                "properties": {"flag": {"type": "boolean"}}},
            "interests": {"requests": ["boom"], "events": ["stopped"], "responses": ["evaluate"]},
            "profile": {"leave": {"launched": "impossible"}, "evaluate": {"value": "hover"}},
        })
        .to_string()
    }

    fn detect(_: &Workspace, file: Option<String>) -> Vec<Detection> {
        file.map(|reason| Detection { score: 255, language: "mischief".into(), reason })
            .into_iter()
            .collect()
    }

    fn targets(_: &Workspace, query: TargetQuery) -> Result<Vec<Target>, Error> {
        let target = |id: u32| Target {
            id: id.to_string(),
            kind: TargetKind::Test,
            label: String::new(),
            file: None,
            line: None,
            needs_build: true,
        };
        Ok((0..query.limit + 5).map(target).collect())
    }

    fn resolve(project: &Workspace, request: DebugRequest) -> Result<Resolution, Error> {
        let Some(TargetRef::Id(way)) = &request.target else { return Err(internal("no id")) };
        misbehave(way, project)
    }

    fn resume(
        project: &Workspace,
        _: DebugRequest,
        state: Json,
        results: Vec<BuildResult>,
    ) -> Result<Resolution, Error> {
        if state == "\"again\"" {
            return build(project, "again");
        }
        let mut plan = plan(project)?;
        plan.program = Some(project.build_output(results[0].step, results[0].stdout.trim())?);
        Ok(Resolution::Ready(plan))
    }
}

fn misbehave(way: &str, project: &Workspace) -> Result<Resolution, Error> {
    let mut plan = plan(project)?;
    match way {
        "honest" => {}
        "panic" => deep_inside(&[]),
        "loop" => loop {
            std::hint::black_box(());
        },
        "chatter" => loop {
            host::log(LogLevel::Trace, "again");
        },
        "hoard" => {
            let mut hoard = Vec::new();
            loop {
                hoard.push(vec![1u8; 1 << 20]);
            }
        }
        "mint" => {
            let mut minted = Vec::new();
            loop {
                minted.push(project.find_executable("shell")?);
            }
        }
        "forge" => plan.processes = vec![spawn(unsafe { Executable::from_handle(4711) }, &["-c"])],
        "command" => {
            plan.processes = vec![spawn(project.find_executable("shell")?, &["-c", "rm -rf ~"])]
        }
        "smuggle" => plan.processes = vec![smuggle(project.find_executable("shell")?)],
        "long" => plan.notes = vec!["x".repeat(40 << 20)],
        "json" => plan.arguments = "{\"a\": nope}".into(),
        "list" => plan.arguments = "[]".into(),
        "program" => plan.arguments = json!({"python": ["/bin/evil", "-x"]}).to_string(),
        "minted-program" => {
            plan.arguments =
                json!({"python": [project.find_executable("shell")?.path()]}).to_string();
        }
        "asset" => plan.arguments = json!({"init": ["source ${asset:gone.py}"]}).to_string(),
        "no-adapter" => {
            plan.transport = Transport::Stdio;
            plan.processes.iter_mut().for_each(|process| process.role = Role::Both);
        }
        "asset-name" => plan.assets = vec![Asset { name: "../x".into(), content: Vec::new() }],
        "port" => {
            plan.transport =
                Transport::Connect(Endpoint { host: "h".into(), port: Port::Value("gone".into()) })
        }
        "pattern" => plan.processes = vec![with_pattern(project.find_executable("shell")?, "(")],
        "profile" => plan.profile = Some(json!({"evaluate": {"valeu": "x"}}).to_string()),
        "untrue" => {
            plan.profile =
                Some(json!({"breakpoints": {"hit_ids": {"place": {"untrue": "("}}}}).to_string())
        }
        "override" => plan.profile = Some(json!({"evaluate": {"statement": "x"}}).to_string()),
        "escape" => plan.notes = vec![format!("{:?}", project.read_file("../secret", 100)?)],
        "outside" => plan.program = Some(project.workspace_executable("../secret")?),
        "inside" => plan.program = Some(project.workspace_executable("tool.sh")?),
        "missing" => plan.program = Some(project.find_executable("nowhere")?),
        "unlisted" => plan.program = Some(project.find_executable("rm")?),
        "deep-glob" => plan.notes = project.glob(&"**/".repeat(100_000), 10)?,
        "starred-glob" => plan.notes = project.glob(&("*a".repeat(40) + "b"), 10)?,
        "large-pattern" => {
            plan.processes =
                vec![with_pattern(project.find_executable("shell")?, r"(?:\w{40}){40}")]
        }
        "look" => plan.notes = look(project),
        "probe" => plan.notes = vec![project.find_executable("shell")?.probe("count")?.stdout],
        "stored-probe" => {
            plan.notes = vec![project.find_executable("bash")?.probe("number")?.stdout]
        }
        "slow-probe" => plan.notes = vec![project.find_executable("shell")?.probe("slow")?.stdout],
        "build" => return build(project, "once"),
        "rebuild" => return build(project, "again"),
        "sneak" => plan.program = Some(project.build_output(0, "/bin/sh")?),
        _ => {
            return Err(Error {
                hint: Some("ask for something else".into()),
                ..internal("no such mischief")
            });
        }
    }
    Ok(Resolution::Ready(plan))
}

#[inline(never)]
fn deep_inside(list: &[u8]) {
    assert!(!list.is_empty(), "the list\nis empty");
}

fn look(project: &Workspace) -> Vec<String> {
    let set: std::collections::HashSet<u32> = (0..20).collect();
    vec![
        format!("{:?} {:?}", project.env("ALLOWED"), project.env("SECRET")),
        format!("{:?}", std::fs::read_to_string("/etc/passwd").map_err(|error| error.kind())),
        format!("{:?}", std::env::vars().count()),
        format!("{set:?}"),
        project.glob("**/*.sh", 10).unwrap_or_default().join(","),
        project.settings(),
    ]
}

fn plan(project: &Workspace) -> Result<LaunchPlan, Error> {
    let shell = project.find_executable("shell")?;
    let text = |text: &str| vec![Piece::Text(text.into())];
    let port = vec![Piece::Text("exec adapter --port=".into()), Piece::Value("port:dap".into())];
    let env = vec![EnvVar { name: "HOST".into(), value: Some("${value:host}".into()) }];
    let command =
        Command { program: shell, args: vec![text("-c"), port], env, cwd: Some("sub".into()) };
    Ok(LaunchPlan {
        processes: vec![process(command)],
        assets: vec![Asset { name: "init.py".into(), content: b"1".into() }],
        transport: Transport::Listen("dap".into()),
        request: host::RequestKind::Launch,
        arguments: json!({"init": "${asset:init.py}"}).to_string(),
        initialize: None,
        program: None,
        profile: None,
        state: Some("1".into()),
        notes: Vec::new(),
    })
}

fn process(command: Command) -> Process {
    Process { role: Role::Adapter, command, ready: None, takes_stdin: false }
}

fn spawn(program: Executable, args: &[&str]) -> Process {
    let args = args.iter().map(|arg| vec![Piece::Text((*arg).into())]).collect();
    process(Command { program, args, env: Vec::new(), cwd: None })
}

/// A value where the template requires text.
fn smuggle(program: Executable) -> Process {
    let args =
        vec![vec![Piece::Value("host".into())], vec![Piece::Text("exec adapter --port=1".into())]];
    process(Command { program, args, env: Vec::new(), cwd: None })
}

fn with_pattern(program: Executable, pattern: &str) -> Process {
    let ready = ReadyLine { output: OutputStream::Either, pattern: pattern.into(), timeout_ms: 1 };
    Process { ready: Some(ready), ..spawn(program, &["-c", "exec adapter --port=1"]) }
}

fn build(project: &Workspace, state: &str) -> Result<Resolution, Error> {
    let program = project.workspace_executable("tool.sh")?;
    let command = Command { program, args: Vec::new(), env: Vec::new(), cwd: None };
    let steps = vec![BuildStep { label: "build".into(), command, timeout_s: 5 }];
    Ok(Resolution::Build(BuildPlan { steps, state: json!(state).to_string() }))
}

fn internal(message: &str) -> Error {
    Error { kind: ErrorKind::InvalidRequest, message: message.into(), hint: None, detail: None }
}

impl hooks::Guest for Hostile {
    fn on_request(_: &Session, _: String, arguments: Json) -> RequestAction {
        panic!("boom {arguments}");
    }

    fn on_response(
        s: &Session,
        _: String,
        arguments: Json,
        response: DapResponse,
    ) -> ResponseAction {
        let checked = s.probe("count", &arguments);
        let output = checked.map_or_else(|error| error.message, |output| output.stdout);
        ResponseAction::Replace(json!({"probe": output, "was": response.message}).to_string())
    }

    fn on_event(s: &Session, event: String, body: Json) -> EventAction {
        s.set_state(&json!({"seen": event, "before": s.state()}).to_string());
        let events = vec![hooks::DapEvent { event: "mine".into(), body: s.arguments() }];
        match body.as_str() {
            "{}" => EventAction::Effect(EventEffect { events, requests: Vec::new() }),
            _ => EventAction::Effect(EventEffect {
                events: Vec::new(),
                requests: vec![hooks::DapRequest { command: "x".into(), arguments: "7".into() }],
            }),
        }
    }
}
