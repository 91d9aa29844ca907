//! A request and what a plugin decided about it: builds first, then a plan.
//! Commands still hold references to values and assets that are known only when
//! the plan is carried out; [`crate::model::Names`] replaces them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use dapdock_schema::Profile;
use serde_json::Value;

/// How a session begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestKind {
    /// We start the debuggee.
    #[default]
    Launch,
    /// It runs already.
    Attach,
}

/// The target of the request.
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

/// The caller's wish after defaults were applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Launch or attach.
    pub kind: RequestKind,
    /// What to debug.
    pub target: Option<TargetRef>,
    /// Arguments of the debuggee.
    pub args: Vec<String>,
    /// Changes to the debuggee's environment.
    pub env: EnvChanges,
    /// The debuggee's directory.
    pub cwd: Option<PathBuf>,
    /// Stop before the first line.
    pub stop_on_entry: bool,
    /// What the debuggee reads as its standard input; none: nothing.
    pub stdin: Option<PathBuf>,
    /// Adapter keys, an object; checked against the manifest's `config_schema`.
    pub options: Value,
}

impl Request {
    /// Is it about a core file (`cores` of the manifest)?
    pub fn has_core(&self) -> bool {
        self.options["core"].is_string()
    }

    /// The caller's own texts that look like references: they stand for themselves.
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

/// Every string inside.
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
    /// 0 = not mine, 100 = certain.
    pub score: u8,
    /// A language of the manifest.
    pub language: String,
    /// Why, for people.
    pub reason: String,
}

/// What a target is.
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

/// Something that can be debugged here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Stable and visible to callers: `bin:api`.
    pub id: String,
    /// What it is.
    pub kind: TargetKind,
    /// For people.
    pub label: String,
    /// Where it is defined.
    pub file: Option<String>,
    /// Line in `file`, from 1.
    pub line: Option<u32>,
    /// Launching it builds first.
    pub needs_build: bool,
}

/// Which targets are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetQuery {
    /// Part of an id or label.
    pub filter: Option<String>,
    /// Empty: all.
    pub kinds: Vec<TargetKind>,
    /// Only those of this file.
    pub file: Option<String>,
    /// At most so many.
    pub limit: u32,
}

/// A plugin's answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolution {
    /// Run these steps, then call `Plugin::resume`.
    Build(Build),
    /// Everything is known.
    Ready(Box<LaunchPlan>),
}

/// Steps to run, each to its end, in order; the first that fails ends it.
#[derive(Clone, Debug, PartialEq)]
pub struct Build {
    /// In order.
    pub steps: Vec<BuildStep>,
    /// Given back to the plugin with the results.
    pub state: Value,
    /// 1 for the first build of a request.
    pub round: u32,
}

/// One program to run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildStep {
    /// For progress and errors: the tool and what it does.
    pub label: String,
    /// Holds no references to values or assets.
    pub command: Command,
    /// When it is killed.
    pub timeout: Duration,
}

/// How one step ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildResult {
    /// Index into [`Build::steps`].
    pub step: u32,
    /// Its exit code; 128 + n after signal n.
    pub exit_code: i32,
    /// All of its standard output, up to the host's cap.
    pub stdout: String,
    /// The end of its standard error.
    pub stderr_tail: String,
}

/// What to run and send.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchPlan {
    /// Started in order before the connection is made.
    pub processes: Vec<Spawn>,
    /// Files to write into one private directory.
    pub assets: Vec<Asset>,
    /// How DAP is spoken.
    pub transport: Transport,
    /// Which request is sent.
    pub request: RequestKind,
    /// Its body, an object; strings may hold references.
    pub arguments: Value,
    /// Merged over the host's `initialize` arguments.
    pub initialize: Option<Value>,
    /// The debuggee's file.
    pub program: Option<PathBuf>,
    /// The manifest's profile with the plan's overrides.
    pub profile: Profile,
    /// First state of the session.
    pub state: Option<Value>,
    /// One sentence each for the caller.
    pub notes: Vec<String>,
    /// Programs that were found for this plan, by the manifest's tool name: what
    /// a session's probes run.
    pub tools: BTreeMap<String, PathBuf>,
    /// Programs that it starts, and that the adapter is to start: by the manifest's tool name, or
    /// `workspace`.
    pub used: BTreeMap<String, PathBuf>,
}

/// A process to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spawn {
    /// What it is to us.
    pub role: Role,
    /// Its command line.
    pub command: Command,
    /// The next process waits for this line.
    pub ready: Option<ReadyLine>,
    /// It gets the request's `stdin`.
    pub takes_stdin: bool,
}

/// What a process is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It speaks DAP.
    Adapter,
    /// The debuggee with the adapter inside it.
    Both,
}

/// Where a ready line is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadyOutput {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// Both.
    Either,
}

/// A line that says a process is ready; its named groups become values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyLine {
    /// Where it appears.
    pub output: ReadyOutput,
    /// A regular expression that compiles.
    pub pattern: String,
    /// How long to wait for it.
    pub timeout: Duration,
}

/// A command line with references; [`crate::model::Names::command`] resolves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// A path that the host minted.
    pub program: PathBuf,
    /// What it was minted as: a tool's name, `workspace` or `build-output`.
    pub tool: String,
    /// Each argument is its pieces joined.
    pub args: Vec<Vec<Piece>>,
    /// Changes to the host's environment; values may hold references.
    pub env: EnvChanges,
    /// Its directory; `None`: the workspace root, for an adapter a neutral folder.
    pub cwd: Option<PathBuf>,
}

/// A part of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Itself.
    Text(String),
    /// A named value.
    Value(String),
    /// The path of an asset; `.` is the directory that holds all of them.
    Asset(String),
}

/// A number, or a named value known by then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Port {
    /// Known.
    Number(u16),
    /// A value's name.
    Value(String),
}

/// Where to connect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Name or address.
    pub host: String,
    /// TCP port.
    pub port: Port,
}

/// How DAP is spoken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// With stdin and stdout of the process with [`Role::Adapter`].
    Stdio,
    /// Connect, retrying until the process is up or gone.
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
