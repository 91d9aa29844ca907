//! A request, and a plugin's decision about it: builds first, then a plan. Commands contain
//! references to values and assets that are known only later; [`crate::model::Names`] replaces
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use dapdock_schema::Profile;
use serde_json::Value;

/// Whether the debuggee is started or attached to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestKind {
    /// The host starts the debuggee.
    #[default]
    Launch,
    /// The debuggee already runs.
    Attach,
}

/// The target of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum TargetRef {
    /// The id of a listed target.
    Id(String),
    /// A program, script, source file or package directory.
    Path(String),
    /// A whole command line, split into words.
    Command(Vec<String>),
    /// A running process.
    Pid(u32),
    /// Host and port of an adapter or debug server that listens.
    Address(String, u16),
}

/// Environment changes: `None` unsets.
pub type EnvChanges = Vec<(String, Option<String>)>;

/// The request with defaults applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Launch or attach.
    pub kind: RequestKind,
    /// The target.
    pub target: Option<TargetRef>,
    /// Arguments of the debuggee.
    pub args: Vec<String>,
    /// Changes to the debuggee's environment.
    pub env: EnvChanges,
    /// The debuggee's directory.
    pub cwd: Option<PathBuf>,
    /// Whether to stop before the first line.
    pub stop_on_entry: bool,
    /// A file for the debuggee's standard input; `None`: no input.
    pub stdin: Option<PathBuf>,
    /// Adapter keys, an object; checked against the manifest's `config_schema`.
    pub options: Value,
}

impl Request {
    /// Whether the target is a core file (`cores` of the manifest).
    pub fn has_core(&self) -> bool {
        self.options["core"].is_string()
    }

    /// Texts of the caller that look like references and are none.
    pub fn literals(&self) -> BTreeSet<String> {
        let words: &[String] = match &self.target {
            Some(TargetRef::Id(text) | TargetRef::Path(text)) => std::slice::from_ref(text),
            Some(TargetRef::Command(words)) => words,
            Some(TargetRef::Pid(_) | TargetRef::Address(..)) | None => &[],
        };
        let env = self.env.iter().filter_map(|(_, value)| value.as_ref());
        let mut texts: Vec<String> = words.iter().chain(&self.args).chain(env).cloned().collect();
        texts.extend(self.cwd.as_ref().map(|cwd| cwd.to_string_lossy().into_owned()));
        strings(&self.options, &mut texts);
        texts.into_iter().filter(|text| text.contains("${")).collect()
    }
}

/// Collects every string inside.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(map) => map.values().for_each(|item| strings(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl Default for Request {
    fn default() -> Self {
        Self {
            kind: RequestKind::Launch,
            target: None,
            args: Vec::new(),
            env: Vec::new(),
            cwd: None,
            stop_on_entry: false,
            stdin: None,
            options: Value::Object(serde_json::Map::new()),
        }
    }
}

/// A plugin's claim on a project or file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// From 0, not for this plugin, to 100, certain.
    pub score: u8,
    /// A language of the manifest.
    pub language: String,
    /// The reason, for people.
    pub reason: String,
}

/// Kind of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum TargetKind {
    Program,
    Test,
    TestGroup,
    Module,
    Script,
    Process,
    Other,
}

/// A target that a plugin lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Stable name for callers: `bin:api`.
    pub id: String,
    /// The kind.
    pub kind: TargetKind,
    /// Description for people.
    pub label: String,
    /// The file that defines it.
    pub file: Option<String>,
    /// Line in `file`, from 1.
    pub line: Option<u32>,
    /// Whether a launch builds first.
    pub needs_build: bool,
}

/// A query for targets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetQuery {
    /// Part of an id or label.
    pub filter: Option<String>,
    /// Kinds; empty: all.
    pub kinds: Vec<TargetKind>,
    /// Only targets of this file.
    pub file: Option<String>,
    /// At most this many.
    pub limit: u32,
}

/// A plugin's answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolution {
    /// Run these steps, then call `Plugin::resume`.
    Build(Build),
    /// The plan.
    Ready(Box<LaunchPlan>),
}

/// Steps that run in order, each to its end, up to the first failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// In order.
    pub steps: Vec<BuildStep>,
    /// Data that the plugin gets back with the results.
    pub state: Value,
    /// Number of the build in its request, from 1.
    pub round: u32,
}

/// One program to run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildStep {
    /// For progress and errors: the tool and its subcommand.
    pub label: String,
    /// Without references to values or assets.
    pub command: Command,
    /// Time until it is killed.
    pub timeout: Duration,
}

/// Result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildResult {
    /// Index into [`Build::steps`].
    pub step: u32,
    /// Its exit code; 128 + n after signal n.
    pub exit_code: i32,
    /// Its standard output, up to a limit of the host.
    pub stdout: String,
    /// The end of its standard error.
    pub stderr_tail: String,
}

/// The builds of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// How long they took.
    pub time: Duration,
    /// Their command lines, in order.
    pub commands: Vec<String>,
    /// The ends of their standard errors.
    pub output: String,
}

/// A plan: processes, files, and the first DAP requests.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchPlan {
    /// Started in order before the connection is made.
    pub processes: Vec<Spawn>,
    /// Files to write into one private directory.
    pub assets: Vec<Asset>,
    /// The connection to the adapter.
    pub transport: Transport,
    /// The request that is sent: `launch` or `attach`.
    pub request: RequestKind,
    /// Its body, an object; strings may hold references.
    pub arguments: Value,
    /// Merged into the host's arguments of `initialize`.
    pub initialize: Option<Value>,
    /// The debuggee's file.
    pub program: Option<PathBuf>,
    /// The manifest's profile with the changes of the plan.
    pub profile: Profile,
    /// The first data that the plugin stores for the session.
    pub state: Option<Value>,
    /// Sentences for the caller.
    pub notes: Vec<String>,
    /// Programs that the plugin found for this plan, by the manifest's tool name: those that probes
    /// of the session run.
    pub tools: BTreeMap<String, PathBuf>,
    /// Programs that the plan and the adapter start, by the manifest's tool name or `workspace`.
    pub used: BTreeMap<String, PathBuf>,
}

/// A process to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spawn {
    /// The role.
    pub role: Role,
    /// Its command line.
    pub command: Command,
    /// The next process waits for this line.
    pub ready: Option<ReadyLine>,
    /// Whether it reads the request's `stdin`.
    pub takes_stdin: bool,
}

/// Role of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It speaks DAP.
    Adapter,
    /// The debuggee with the adapter inside it.
    Both,
}

/// Streams that may have a ready line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadyOutput {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// Both.
    Either,
}

/// A line that reports a ready process; its named groups become values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyLine {
    /// The stream.
    pub output: ReadyOutput,
    /// A valid regular expression.
    pub pattern: String,
    /// How long to wait for it.
    pub timeout: Duration,
}

/// A command line with references; [`crate::model::Names::command`] resolves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// A path that the host minted.
    pub program: PathBuf,
    /// The tool's name, `workspace` or `build-output`.
    pub tool: String,
    /// Each argument is the concatenation of its pieces.
    pub args: Vec<Vec<Piece>>,
    /// Changes to the host's environment; values may hold references.
    pub env: EnvChanges,
    /// Working directory; `None`: the workspace root, or a neutral directory for an adapter.
    pub cwd: Option<PathBuf>,
}

/// A part of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A text.
    Text(String),
    /// A named value.
    Value(String),
    /// The path of an asset; `.` is the directory that holds all of them.
    Asset(String),
}

/// A number, or a named value that is known later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Port {
    /// A number.
    Number(u16),
    /// A value's name.
    Value(String),
}

/// An address to connect to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Name or address.
    pub host: String,
    /// TCP port.
    pub port: Port,
}

/// The connection to the adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Standard streams of the process with [`Role::Adapter`].
    Stdio,
    /// The host connects, and retries until the process is ready or has ended.
    Connect(Endpoint),
    /// The adapter connects to the value `port:NAME`; this is NAME.
    Listen(String),
}

/// A file of the plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// A plain file name.
    pub name: String,
    /// Its bytes.
    pub content: Vec<u8>,
}
