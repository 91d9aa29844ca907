//! Answers of a plugin during a session: about messages on the wire, about the display of stops and
//! values, and about expressions. Knows no JSON of DAP.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::plan::RequestKind;
use super::{LogSink, Place};

/// Facts about a running session for a plugin.
#[derive(Clone, Debug, Default)]
pub struct SessionView {
    /// The host's name of the session, unique in this host.
    pub id: u32,
    /// Whether it was launched or attached.
    pub kind: RequestKind,
    /// The arguments of the sent `launch` or `attach`.
    pub arguments: Arc<Value>,
    /// The data that the plugin stored last.
    pub state: Option<Value>,
    /// Executables by tool name that the plan used (`LaunchPlan::tools`).
    pub tools: Arc<BTreeMap<String, PathBuf>>,
    /// How long the caller waits for the evaluation of this call.
    pub patience: Option<Duration>,
    /// Where the lines of the plugin go.
    pub log: LogSink,
}

/// A refusal with a reason and a hint for a person, in words of the plugin or the host.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The stable kind.
    pub kind: RefusalKind,
    /// The reason.
    pub message: String,
    /// The next step that helps.
    pub hint: Option<String>,
    /// Details for the log.
    pub detail: Option<Value>,
}

impl Refusal {
    /// The reason and the next step.
    pub fn with_hint(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        }
    }
}

/// Kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum RefusalKind {
    InvalidRequest,
    InvalidConfig,
    ToolMissing,
    ToolTooOld,
    TargetMissing,
    TargetAmbiguous,
    BuildFailed,
    Unsupported,
    NotPermitted,
    Internal,
    Other,
}

/// A DAP request of a plugin.
#[derive(Clone, Debug, PartialEq)]
pub struct DapRequest {
    /// Its command.
    pub command: String,
    /// An object.
    pub arguments: Value,
}

/// A DAP event.
#[derive(Clone, Debug, PartialEq)]
pub struct DapEvent {
    /// Its name.
    pub event: String,
    /// An object.
    pub body: Value,
}

/// A DAP response as the adapter gave it.
#[derive(Clone, Debug, PartialEq)]
pub struct DapResponse {
    /// Its `success`.
    pub success: bool,
    /// Its `message` when it failed.
    pub message: Option<String>,
    /// Its body, `{}` when absent.
    pub body: Value,
}

/// A plugin's decision about a request before it is sent.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestAction {
    /// Sent as it is.
    Unchanged,
    /// Sent with these arguments.
    Replace(Value),
    /// These requests are sent instead, in order; the last response is the answer.
    Expand(Vec<DapRequest>),
    /// Answered without the adapter.
    Respond(Value),
    /// Refused.
    Reject(Refusal),
}

/// A plugin's decision about a response.
#[derive(Clone, Debug, PartialEq)]
pub enum ResponseAction {
    /// Unchanged.
    Unchanged,
    /// A success with this body.
    Replace(Value),
    /// A failure.
    Fail(Refusal),
}

/// A plugin's decision about an event.
#[derive(Clone, Debug, PartialEq)]
pub enum EventAction {
    /// Unchanged.
    Unchanged,
    /// Replaced.
    Effect {
        /// The events in its place; empty: dropped.
        events: Vec<DapEvent>,
        /// Requests that are sent afterwards, without waiting for responses.
        requests: Vec<DapRequest>,
    },
}

/// A variable as the adapter reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value as text.
    pub value: String,
    /// Its type.
    pub ty: Option<String>,
    /// The expression that evaluates to it.
    pub evaluate_name: Option<String>,
    /// Whether it has children.
    pub has_children: bool,
    /// Number of named children; 0: unknown.
    pub named: u32,
    /// Number of indexed children; 0: unknown.
    pub indexed: u32,
}

/// How a variable is displayed; variables without a view are hidden, and not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableView {
    /// Index into the variables of the call.
    pub index: u32,
    /// Replaces the value in text.
    pub summary: Option<String>,
    /// Number of children to read at once.
    pub prefetch: u32,
    /// Number of elements that the adapter does not report; 0: it is not opened.
    pub elements: Option<u64>,
    /// Whether the value is hidden.
    pub secret: bool,
}

/// A frame as the adapter reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Name of the function.
    pub name: String,
    /// Path of the source.
    pub path: Option<String>,
    /// Line from 1; 0: unknown.
    pub line: u32,
    /// Module or library.
    pub module: Option<String>,
}

/// Owner of the code of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum FrameKind {
    User,
    Library,
    Runtime,
    Generated,
    Inlined,
    Asynchronous,
    Unknown,
}

/// How a frame is displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameView {
    /// Owner of the code.
    pub kind: FrameKind,
    /// The displayed name.
    pub name: Option<String>,
}

/// Class of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum StopClass {
    Entry,
    Breakpoint,
    Step,
    Pause,
    Goto,
    Exception,
    ExceptionCaught,
    ExceptionUncaught,
    Panic,
    Assertion,
    Signal,
    OutOfMemory,
    DataBreakpoint,
    FunctionBreakpoint,
    Deadlock,
    Other,
}

/// What the host does at a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// It reports the stop.
    Report,
    /// It resumes.
    Resume,
    /// It resumes and repeats the pause that is under way.
    PauseAgain,
    /// It steps out.
    StepOut,
}

/// A plugin's classification of a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopView {
    /// The class.
    pub class: StopClass,
    /// The title, one line.
    pub title: String,
    /// A longer text.
    pub detail: Option<String>,
    /// Number of frames at the top that are not user code.
    pub skip_frames: u32,
    /// What the host does at the stop.
    pub reaction: Reaction,
}

/// Facts about a stop while it is read.
#[derive(Clone, Debug, Default)]
pub struct StopFacts {
    /// The body of the `stopped` event.
    pub body: Value,
    /// The body of the response to `exceptionInfo`.
    pub info: Option<Value>,
    /// The top frames.
    pub top: Vec<Frame>,
    /// The end of the debuggee's output.
    pub output: String,
}

/// A thread as the adapter reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The adapter's id.
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// How a thread is displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadView {
    /// Its name.
    pub label: String,
    /// Whether lists leave it out by default.
    pub hidden: bool,
    /// Order of lists, lowest first.
    pub rank: u8,
}

/// Purpose of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum EvaluateIntent {
    Value,
    Call,
    Assign,
    DebuggerCommand,
}

/// Possible effects of an expression, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Risk {
    Reads,
    CallsCode,
    WritesState,
    DebuggerCommand,
    HostCommand,
}

/// An expression in the syntax of the debugger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The text to send.
    pub expression: String,
    /// The `context` of `evaluate`.
    pub context: String,
    /// Its possible effects.
    pub risk: Risk,
}

/// The texts of a breakpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BreakpointText {
    /// The condition.
    pub condition: Option<String>,
    /// The log message.
    pub log_message: Option<String>,
    /// The function.
    pub function: Option<String>,
    /// The file and line of the function, for an adapter without function breakpoints.
    pub at: Option<Place>,
}

/// Which exceptions stop the debuggee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum BreakOn {
    Never,
    Uncaught,
    Caught,
    All,
    Panic,
    Assertion,
    Signal,
}

/// A filter of `setExceptionBreakpoints`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExceptionFilter {
    /// The adapter's name of the filter.
    pub filter: String,
    /// Its condition.
    pub condition: Option<String>,
}
