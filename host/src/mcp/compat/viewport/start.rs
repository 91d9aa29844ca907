//! `debug_launch` and `debug_attach`.

use std::path::Path;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::config::{Given, OutOfRange};
use super::limit::{Starting, Visit, limits};
use super::state::State;
use super::{Answer, Compatible, Ours, TOOLSET, finish, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::compat::run_in;
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;

pub(super) struct Launch;

/// Breakpoints of a file.
#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct File {
    /// Source file
    file: String,
    /// Its breakpoints
    breakpoints: Vec<Breakpoint>,
}

/// A breakpoint.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Breakpoint {
    /// Line, from 1
    line: u32,
    /// Stops only where this holds
    condition: Option<String>,
    /// Stops only at these hits
    hit_condition: Option<String>,
    /// Prints this and does not stop
    log_message: Option<String>,
}

impl Breakpoint {
    /// As ours take it.
    pub fn item(&self, file: &str) -> Value {
        let mut item = json!({"file": file, "line": self.line});
        for (key, value) in [
            ("condition", &self.condition),
            ("hit_condition", &self.hit_condition),
            ("log", &self.log_message),
        ] {
            if let Some(value) = value {
                item[key] = json!(value);
            }
        }
        item
    }
}

/// The breakpoints of files below a directory.
fn items(files: Option<&Vec<File>>, cwd: Option<&str>) -> Option<Vec<Value>> {
    let mut all = Vec::new();
    for File { file, breakpoints } in files? {
        let file = match cwd {
            Some(cwd) if Path::new(cwd).join(file).exists() => format!("{cwd}/{file}"),
            _ => file.clone(),
        };
        all.extend(breakpoints.iter().map(|one| one.item(&file)));
    }
    Some(all)
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Start {
    /// Command line, as you would type it
    command: Option<String>,
    /// Default: chosen by the command
    language: Option<String>,
    /// Test runner or framework; recognised in the command
    framework: Option<String>,
    /// Breakpoints by file
    breakpoints: Option<Vec<File>>,
    /// Working directory; default: the workspace
    cwd: Option<String>,
    /// Variables to add
    env: Option<Map<String, Value>>,
    /// Bounds of stops
    viewport_config: Option<Given>,
    /// Stop before the first line; default false
    stop_on_entry: Option<bool>,
    /// Instead of a command: a configuration of launch.json
    launch_config: Option<Configuration>,
}

/// A configuration of launch.json.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Configuration {
    /// File; default .vscode/launch.json
    path: Option<String>,
    /// Name of the configuration
    name: Option<String>,
}

impl Tool for Launch {
    type Arguments = Start;
    type Data = structured::Started;
    const NAME: &'static str = "debug_launch";
    const TITLE: &'static str = "Launch";
    const DESCRIPTION: &'static str = "Starts a command under the debugger and runs it to the \
        first stop or the exit. Give a command or a launch_config.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"command": "PROGRAM", "stop_on_entry": true}"#;

    async fn run(call: &Call, mut arguments: Start) -> Result<Reply, Problem> {
        check_target(call, &arguments)?;
        let given = arguments.viewport_config.take().unwrap_or_default();
        check_bounds(call, &given)?;
        let starting = Starting::begin(call, given)?;
        let mut ours = limited(call, &starting, Self::ours(&arguments))?;
        if let Some(language) = &arguments.language {
            let adapter = adapter(call, language).await?;
            ours.arguments.insert("adapter".to_owned(), adapter.into());
        }
        let configuration = arguments.launch_config.as_ref();
        let answer = match configuration.and_then(|it| it.path.as_deref()) {
            Some(path) => run_in(call, ours, project(call, path)?).await,
            None => run(call, ours).await,
        };
        let mut reply = started(call, starting, Self::NAME, answer).await;
        if let Some(framework) = arguments.framework.filter(|_| !reply.is_error) {
            let command = arguments.command.unwrap_or_default();
            if !command.contains(&framework) {
                reply.text.push(format!("note: the command does not name {framework}"));
            }
        }
        Ok(reply)
    }
}

/// Refuses a launch that names nothing to launch, or two things.
fn check_target(call: &Call, start: &Start) -> Result<(), Problem> {
    let command = start.command.as_deref().map(str::trim).filter(|command| !command.is_empty());
    let name = start.launch_config.as_ref().and_then(|it| it.name.as_deref());
    match (command, &start.launch_config, name) {
        (Some(_), None, _) | (None, Some(_), Some(_)) => Ok(()),
        (Some(_), Some(_), _) => {
            let cause = "debug_launch takes only one of `command`, `launch_config`";
            Err(call.request.without(&["launch_config"]).refuse(cause))
        }
        (None, Some(Configuration { path, .. }), None) => {
            let cause = "debug_launch: `launch_config` needs the `name` of a configuration";
            let named = json!({"path": path, "name": "NAME"});
            Err(call.request.without(&["command"]).with("launch_config", named).refuse(cause))
        }
        (None, None, _) => {
            let cause = "debug_launch needs `command` or `launch_config`";
            Err(call.request.with("command", "PROGRAM").refuse(cause))
        }
    }
}

/// Refuses bounds that nothing can read.
fn check_bounds(call: &Call, given: &Given) -> Result<(), Problem> {
    let Err(refused) = given.check() else { return Ok(()) };
    let OutOfRange { key, given, least, most } = refused;
    let tool = call.request.tool.name;
    let cause = format!("{tool}: `viewport_config.{key}` is {least} to {most}, got {given}");
    let mut bounds = call.request.arguments.get("viewport_config").cloned().unwrap_or_default();
    bounds[key] = refused.nearest().into();
    Err(call.request.with("viewport_config", bounds).refuse(&cause))
}

/// The call of ours in the limits of a session.
fn limited(call: &Call, starting: &Starting<'_>, mut ours: Ours) -> Result<Ours, Problem> {
    let bytes = limits(call)?.viewport_output_bytes;
    ours.arguments.insert("output_bytes".to_owned(), bytes.into());
    ours.arguments.insert("timeout_s".to_owned(), starting.patience()?.into());
    Ok(ours)
}

impl Compatible for Launch {
    fn ours(start: &Start) -> Ours {
        let mut options = Map::new();
        if let Some(stop_on_entry) = start.stop_on_entry {
            options.insert("stop_on_entry".to_owned(), stop_on_entry.into());
        }
        let name = start.launch_config.as_ref().and_then(|it| it.name.as_deref());
        if let Some(name) = name {
            options.insert("config".to_owned(), name.into());
        }
        let options = Some(options).filter(|options| !options.is_empty());
        let breakpoints = items(start.breakpoints.as_ref(), start.cwd.as_deref());
        Ours::new(
            "debug_launch",
            json!({
                "command": start.command, "cwd": start.cwd, "env": start.env,
                "breakpoints": breakpoints, "options": options,
            }),
        )
    }
}

/// The directory whose `.vscode/launch.json` this is.
fn project(call: &Call, path: &str) -> Result<std::path::PathBuf, Problem> {
    let file = call.path(path);
    match file.parent().and_then(Path::parent) {
        Some(project) if file.ends_with(".vscode/launch.json") => Ok(project.to_owned()),
        _ => {
            let cause = format!("`launch_config.path` is a .vscode/launch.json, got {path}");
            Err(call.request.without(&["launch_config"]).refuse(&cause))
        }
    }
}

/// The adapter for a language, or with this name.
async fn adapter(call: &Call, language: &str) -> Result<String, Problem> {
    let adapters = call.sessions.adapters().await?;
    let is_it = |name: &String| name.eq_ignore_ascii_case(language);
    let found = adapters.iter().find(|one| is_it(&one.name) || one.languages.iter().any(is_it));
    match found {
        Some(adapter) => Ok(adapter.name.clone()),
        None => {
            let known: Vec<_> = adapters.into_iter().flat_map(|one| one.languages).collect();
            let cause = format!("no adapter debugs `{language}`; there are {}", known.join(", "));
            Err(call.request.without(&["language"]).refuse(&cause))
        }
    }
}

/// Stores the sessions that a start began, and writes its answer.
async fn started(call: &Call, starting: Starting<'_>, name: &str, answer: Answer) -> Reply {
    let state = call.memory.of::<State>();
    let session = starting.end(&answer.reply.outcome);
    let is_action = session.is_some();
    finish(call, &Visit { state, session, is_action }, name, answer).await
}

pub(super) struct Attach;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Process {
    /// Language of the program
    language: String,
    /// Process id
    pid: Option<u32>,
    /// Instead: port of a debugger that listens
    port: Option<u16>,
    /// Its host; default 127.0.0.1
    host: Option<String>,
    /// Directory where relative files start; default: the workspace
    cwd: Option<String>,
    /// Breakpoints by file
    breakpoints: Option<Vec<File>>,
    /// Bounds of stops
    viewport_config: Option<Given>,
}

impl Tool for Attach {
    type Arguments = Process;
    type Data = structured::Started;
    const NAME: &'static str = "debug_attach";
    const TITLE: &'static str = "Attach";
    const DESCRIPTION: &'static str =
        "Attaches to a running process, or to a debugger that listens on a port.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"language": "LANGUAGE", "pid": 4711}"#;

    async fn run(call: &Call, mut arguments: Process) -> Result<Reply, Problem> {
        match (arguments.pid, arguments.port) {
            (Some(_), None) | (None, Some(_)) => {}
            (None, None) => {
                let cause = "debug_attach needs one of `pid`, `port`";
                return Err(call.request.with("pid", 4711).refuse(cause));
            }
            (Some(_), Some(_)) => {
                let cause = "debug_attach takes only one of `pid`, `port`";
                return Err(call.request.without(&["port", "host"]).refuse(cause));
            }
        }
        let given = arguments.viewport_config.take().unwrap_or_default();
        check_bounds(call, &given)?;
        let starting = Starting::begin(call, given)?;
        let mut ours = limited(call, &starting, Self::ours(&arguments))?;
        let adapter = adapter(call, &arguments.language).await?;
        ours.arguments.insert("adapter".to_owned(), adapter.into());
        let answer = run(call, ours).await;
        Ok(started(call, starting, Self::NAME, answer).await)
    }
}

impl Compatible for Attach {
    fn ours(process: &Process) -> Ours {
        let host = process.host.as_deref().unwrap_or("127.0.0.1");
        let address = process.port.map(|port| format!("{host}:{port}"));
        let breakpoints = items(process.breakpoints.as_ref(), process.cwd.as_deref());
        Ours::new(
            "debug_attach",
            json!({"pid": process.pid, "address": address, "breakpoints": breakpoints}),
        )
    }
}
