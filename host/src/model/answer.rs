//! What a plugin answers while a session runs: about messages on the wire, about
//! what to show, and about the words a debugger understands.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::Place;
use super::plan::RequestKind;

/// What a plugin may know of a running session.
#[derive(Clone, Debug, Default)]
pub struct SessionView {
    /// Ours, unique in this host.
    pub id: u32,
    /// Launch or attach.
    pub kind: RequestKind,
    /// The arguments that were sent.
    pub arguments: Arc<Value>,
    /// What the plugin last left here.
    pub state: Option<Value>,
    /// Executables by tool name that the plan used (`LaunchPlan::tools`).
    pub tools: Arc<BTreeMap<String, PathBuf>>,
    /// How long somebody waits for the evaluation that the call is about.
    pub patience: Option<Duration>,
}

/// A refusal a person can act on, in the plugin's or the host's words.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Stable word.
    pub kind: RefusalKind,
    /// What is wrong.
    pub message: String,
    /// The one next step that fixes it.
    pub hint: Option<String>,
    /// Anything more, for the log.
    pub detail: Option<Value>,
}

/// Why a plugin refuses.
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

/// A DAP request that a plugin wants sent.
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

/// What becomes of a request before it is sent.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestAction {
    /// Sent as it is.
    Unchanged,
    /// Sent with these arguments.
    Replace(Value),
    /// These are sent instead, in order; the last response is the answer.
    Expand(Vec<DapRequest>),
    /// Answered without asking the adapter.
    Respond(Value),
    /// Refused.
    Reject(Refusal),
}

/// What becomes of a response.
#[derive(Clone, Debug, PartialEq)]
pub enum ResponseAction {
    /// Taken as it is.
    Unchanged,
    /// A success with this body.
    Replace(Value),
    /// A failure.
    Fail(Refusal),
}

/// What becomes of an event.
#[derive(Clone, Debug, PartialEq)]
pub enum EventAction {
    /// Taken as it is.
    Unchanged,
    /// Something else.
    Effect {
        /// What the host sees instead; empty = swallowed.
        events: Vec<DapEvent>,
        /// Sent afterwards, responses not awaited.
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
    /// The expression that yields it.
    pub evaluate_name: Option<String>,
    /// It can be opened.
    pub has_children: bool,
    /// Named children, 0 when unknown.
    pub named: u32,
    /// Indexed children, 0 when unknown.
    pub indexed: u32,
}

/// How a variable is displayed; variables without a view are hidden and counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableView {
    /// Index into the variables given.
    pub index: u32,
    /// Replaces the value in text.
    pub summary: Option<String>,
    /// So many children are fetched at once.
    pub prefetch: u32,
    /// So many elements it has, where the adapter does not say; 0: it is not opened.
    pub elements: Option<u64>,
    /// The value is hidden.
    pub secret: bool,
}

/// A frame as the adapter reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Function.
    pub name: String,
    /// Source.
    pub path: Option<String>,
    /// From 1, 0 when unknown.
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
    /// Another name.
    pub name: Option<String>,
}

/// What a stop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum StopClass {
    Entry,
    Breakpoint,
    Step,
    Pause,
    Goto,
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

/// A plugin's reading of a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopView {
    /// What it is.
    pub class: StopClass,
    /// One line.
    pub title: String,
    /// More.
    pub detail: Option<String>,
    /// So many frames at the top are not the caller's.
    pub skip_frames: u32,
}

/// What is known of a stop when it is read.
#[derive(Clone, Debug, Default)]
pub struct StopFacts {
    /// The body of the `stopped` event.
    pub body: Value,
    /// The answer to `exceptionInfo`.
    pub info: Option<Value>,
    /// The top frames.
    pub top: Vec<Frame>,
    /// The end of what the debuggee printed.
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
    /// Not listed by default.
    pub hidden: bool,
    /// Lower comes first.
    pub rank: u8,
}

/// What an evaluation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum EvaluateIntent {
    Value,
    Call,
    Assign,
    DebuggerCommand,
}

/// What a text could do, from nothing to everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Risk {
    Reads,
    CallsCode,
    WritesState,
    DebuggerCommand,
    HostCommand,
}

/// An expression in the debugger's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// What is sent.
    pub expression: String,
    /// The `context` of `evaluate`.
    pub context: String,
    /// What it could do.
    pub risk: Risk,
}

/// The texts of a breakpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BreakpointText {
    /// Stops only when it holds.
    pub condition: Option<String>,
    /// Logs instead of stopping.
    pub log_message: Option<String>,
    /// A function instead of a line.
    pub function: Option<String>,
    /// Where that begins, for an adapter that knows no functions.
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
    /// The adapter's word.
    pub filter: String,
    /// With this condition.
    pub condition: Option<String>,
}
