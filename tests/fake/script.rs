//! What a fake does, as data: Rust structs, or the same as JSON. Knows no DAP messages.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// All of it. Absent keys are as in `Script::default()`: a well-behaved adapter with an
/// empty program.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// The answer of `initialize`.
    pub capabilities: Value,
    /// When `initialized` is sent: once by default, twice or never if you like.
    pub initialized: Vec<Moment>,
    /// When `launch` and `attach` are answered.
    pub launch: Answered,
    /// Path of every place that names none.
    pub source: String,
    /// The debuggee.
    pub program: Vec<Place>,
    /// Id and name; the first one stops.
    pub threads: Vec<(i64, String)>,
    /// The `exited` event; `null` sends none.
    pub exit_code: Option<i64>,
    /// Stops do not say which breakpoints they hit.
    pub anonymous: bool,
    /// Threads that stand in the system's code alone.
    pub idle: Vec<i64>,
    /// Threads whose stacks are never told.
    pub mute: Vec<i64>,
    /// Only the first thread stops.
    pub stops_one: bool,
    /// So many pauses are answered and forgotten.
    pub forgets_pauses: usize,
    /// Lines that hold no code: breakpoints there stay unverified.
    pub no_code: Vec<i64>,
    /// Expressions that are answered so many milliseconds later.
    pub slow: BTreeMap<String, u64>,
    /// Dies once it has sent this many messages.
    pub dies_after: Option<usize>,
    /// What a process that dies writes to stderr.
    pub last_words: String,
    /// What goes wrong.
    pub faults: Vec<Fault>,
}

impl Default for Script {
    fn default() -> Self {
        let on = [
            "ConfigurationDoneRequest",
            "FunctionBreakpoints",
            "ConditionalBreakpoints",
            "HitConditionalBreakpoints",
            "LogPoints",
            "TerminateRequest",
            "ExceptionInfoRequest",
        ];
        let mut capabilities: Map<_, _> =
            on.map(|name| (format!("supports{name}"), Value::Bool(true))).into_iter().collect();
        capabilities.insert("supportTerminateDebuggee".into(), true.into());
        capabilities.insert(
            "exceptionBreakpointFilters".into(),
            json!([{"filter": "uncaught", "label": "Uncaught"}]),
        );
        Self {
            capabilities: capabilities.into(),
            initialized: vec![Moment::AfterInitialize],
            launch: Answered::Configured,
            source: "/fake/program".into(),
            program: Vec::new(),
            threads: vec![(1, "main".into())],
            exit_code: Some(0),
            anonymous: false,
            idle: Vec::new(),
            mute: Vec::new(),
            stops_one: false,
            forgets_pauses: 0,
            no_code: Vec::new(),
            slow: BTreeMap::new(),
            dies_after: None,
            last_words: String::new(),
            faults: Vec::new(),
        }
    }
}

/// A moment during start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Before the answer of `initialize`.
    BeforeInitialize,
    /// Right after it.
    AfterInitialize,
    /// When `launch` has come, before its answer.
    OnLaunch,
    /// Right after the answer of `launch`.
    AfterLaunch,
    /// Right after the answer of `configurationDone`.
    AfterConfiguration,
}

/// When `launch` is answered. The debuggee runs once it is launched and configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// At once.
    AtOnce,
    /// Behind the answer of `configurationDone`.
    Configured,
    /// At `configurationDone`, in front of its answer; so is its refusal.
    Configuring,
}

/// One place of the debuggee's way.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Place {
    /// 1-based.
    pub line: i64,
    /// `main` if empty.
    pub function: String,
    /// [`Script::source`] if absent.
    pub source: Option<String>,
    /// Callers, innermost first: function and line.
    pub callers: Vec<(String, i64)>,
    /// Locals of the innermost frame; objects and arrays have children.
    pub locals: Map<String, Value>,
    /// Written on arrival: category and text.
    pub output: Vec<(String, String)>,
    /// Stops here for this reason, breakpoint or not.
    pub stop: Option<String>,
    /// `description` and `text` of that stop.
    pub text: Option<String>,
    /// Stays here for ever.
    pub hangs: bool,
}

#[allow(dead_code, reason = "the process form reads JSON")]
impl Place {
    /// A bare line.
    pub fn at(line: i64) -> Self {
        Self { line, ..Self::default() }
    }
}

/// Something that goes wrong at every request `on`.
#[derive(Debug, Clone, Deserialize)]
pub struct Fault {
    /// A DAP command.
    pub on: String,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

#[allow(dead_code, reason = "the process form reads JSON")]
impl Fault {
    /// `what` at every request `on`.
    pub fn on(on: &str, what: What) -> Self {
        Self { on: on.into(), what }
    }
}

/// Kinds of faults; each also is a JSON key beside `on`, its value the parameter
/// (`"silent": null`, `"late": 500`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Does it, and never answers.
    Silent,
    /// Dies before answering.
    Die,
    /// Answers `success: false` with this message, and does nothing.
    Refuse(String),
    /// Answers with this body instead; `null` leaves it out.
    Answer(Value),
    /// Answers this many milliseconds later; other requests go on meanwhile.
    Late(u64),
    /// Its events come before its answer.
    EventsFirst,
    /// Writes these bytes before the answer.
    Garbage(String),
    /// Announces a body of 10 GB before the answer.
    HugeLength,
    /// Sends this many `output` events after the answer.
    Flood(usize),
    /// Sends this event after the answer.
    Emit(String, Value),
    /// Sends a `process` event after the answer; the debuggee's pid stands in this file.
    Owns(PathBuf),
    /// Sends this request of its own before the answer.
    Ask(String, Value),
}
