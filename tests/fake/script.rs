//! The behaviour of a fake as data: Rust structs, or the same as JSON. Knows no DAP messages.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The whole script. Missing keys are as in `Script::default()`: a well-behaved adapter with an
/// empty program.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    /// The response to `initialize`.
    pub capabilities: Value,
    /// When `initialized` is sent: once by default, but it may be twice or never.
    pub initialized: Vec<Moment>,
    /// When `launch` and `attach` are answered.
    pub launch: LaunchResponse,
    /// The path of every place that names none.
    pub source: String,
    /// The debuggee.
    pub program: Vec<Place>,
    /// Id and name; the first one stops.
    pub threads: Vec<(i64, String)>,
    /// The `exited` event; `null` sends none.
    pub exit_code: Option<i64>,
    /// Stops do not say which breakpoints they hit.
    pub anonymous: bool,
    /// Threads that are in system code only.
    pub idle: Vec<i64>,
    /// `stackTrace` is answered without `totalFrames`.
    pub counts_no_frames: bool,
    /// Threads whose `stackTrace` is never answered.
    pub mute: Vec<i64>,
    /// Only the first thread stops.
    pub stops_one: bool,
    /// Stops name no thread, and only a listed thread has frames.
    pub omits_thread: bool,
    /// This many pauses are answered and then ignored.
    pub forgets_pauses: usize,
    /// Lines without code: breakpoints there stay unverified.
    pub no_code: Vec<i64>,
    /// Expressions that are answered this many milliseconds later.
    pub slow: BTreeMap<String, u64>,
    /// Crashes after sending this many messages.
    pub dies_after: Option<usize>,
    /// The text a crashing process writes to stderr.
    pub last_words: String,
    /// The faults.
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
            launch: LaunchResponse::Configured,
            source: "/fake/program".into(),
            program: Vec::new(),
            threads: vec![(1, "main".into())],
            exit_code: Some(0),
            anonymous: false,
            idle: Vec::new(),
            counts_no_frames: false,
            mute: Vec::new(),
            stops_one: false,
            omits_thread: false,
            forgets_pauses: 0,
            no_code: Vec::new(),
            slow: BTreeMap::new(),
            dies_after: None,
            last_words: String::new(),
            faults: Vec::new(),
        }
    }
}

/// A moment during the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Before the response to `initialize`.
    BeforeInitialize,
    /// Right after it.
    AfterInitialize,
    /// When `launch` arrives, before its response.
    OnLaunch,
    /// Right after the response to `launch`.
    AfterLaunch,
    /// Right after the response to `configurationDone`.
    AfterConfiguration,
}

/// When `launch` is answered. The debuggee runs once it is launched and configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaunchResponse {
    /// At once.
    AtOnce,
    /// After the response to `configurationDone`.
    Configured,
    /// At `configurationDone`, before its response; so is a refusal.
    Configuring,
}

/// One place on the debuggee's path.
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
    /// Stops here for this reason, with or without a breakpoint.
    pub stop: Option<String>,
    /// `description` and `text` of that stop.
    pub text: Option<String>,
    /// Stays here forever.
    pub hangs: bool,
}

#[allow(dead_code, reason = "the process form reads JSON")]
impl Place {
    /// A bare line.
    pub fn at(line: i64) -> Self {
        Self { line, ..Self::default() }
    }
}

/// A fault at every request `on`.
#[derive(Debug, Clone, Deserialize)]
pub struct Fault {
    /// A DAP command.
    pub on: String,
    /// The kind of the fault.
    #[serde(flatten)]
    pub what: FaultKind,
}

#[allow(dead_code, reason = "the process form reads JSON")]
impl Fault {
    /// The fault `what` at every request `on`.
    pub fn on(on: &str, what: FaultKind) -> Self {
        Self { on: on.into(), what }
    }
}

/// Kinds of faults; each is also a JSON key next to `on`, with its parameter as the value
/// (`"silent": null`, `"late": 500`).
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// Performs the request and never answers.
    Silent,
    /// Crashes before the response.
    Die,
    /// Crashes before the response if the arguments contain this text.
    DieAt(String),
    /// Answers `success: false` with this message, and does nothing.
    Refuse(String),
    /// Answers, and does nothing.
    Ignore,
    /// Answers with this body instead; `null` leaves it out.
    Answer(Value),
    /// Answers this many milliseconds later; other requests are handled in the meantime.
    Late(u64),
    /// Its events come before its response.
    EventsFirst,
    /// Writes these bytes before the response.
    Garbage(String),
    /// Announces a body of 10 GB before the response.
    HugeLength,
    /// Sends this many `output` events after the response.
    Flood(usize),
    /// Sends this many lines of output after the response: their numbers with so many digits.
    Pour(usize, usize),
    /// Sends this event after the response.
    Emit(String, Value),
    /// Sends a `process` event after the response, with the pid read from this file.
    Owns(PathBuf),
    /// Sends this request of its own before the response.
    Ask(String, Value),
}
