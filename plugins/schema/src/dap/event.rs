//! Types of events.
//!
//! Knows the body of each event. Does not know how to handle one. The reader also stores the raw
//! body, because plugins may rewrite it before it is typed.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lenient;
use super::types::{Breakpoint, Module, Source};

/// The body of a kind of event.
pub trait EventBody: Serialize + DeserializeOwned {
    /// The name on the wire.
    const EVENT: &'static str;
}

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident($body:ident) = $event:literal;)*) => {
        /// A typed event. Unknown events and bodies that cannot be read are [`Event::Other`].
        #[derive(Debug, Clone, PartialEq)]
        pub enum Event {
            /// Ready for breakpoints; may arrive at any time around the launch, twice, or never.
            Initialized,
            /// Changed capabilities, to be merged.
            Capabilities(Value),
            $($(#[$doc])* $name($body),)*
            /// Any other event, such as `progressStart`.
            Other {
                /// Its name.
                event: String,
                /// Its body as received.
                body: Value,
            },
        }

        impl Event {
            /// Parses the body of the event `name`.
            pub fn read(name: &str, body: &Value) -> Self {
                let typed = match name {
                    "initialized" => Some(Self::Initialized),
                    "capabilities" => Some(Self::Capabilities(body["capabilities"].clone())),
                    $($event => lenient::decode(body).ok().map(Self::$name),)*
                    _ => None,
                };
                typed.unwrap_or_else(|| Self::Other { event: name.to_owned(), body: body.clone() })
            }
        }

        $(impl EventBody for $body {
            const EVENT: &'static str = $event;
        })*

        /// The names of all events that are read.
        pub const EVENTS: &[&str] = &["initialized", "capabilities", $($event),*];

        /// Schema of each body, by the event's name.
        #[cfg(feature = "schema")]
        pub(super) fn event_schemas(
            generator: &mut schemars::SchemaGenerator,
        ) -> serde_json::Map<String, Value> {
            [$(($event.to_owned(), generator.subschema_for::<$body>().to_value()),)*]
                .into_iter()
                .collect()
        }
    };
}

events! {
    /// The debuggee stopped.
    Stopped(Stopped) = "stopped";
    /// The debuggee was resumed.
    Continued(Continued) = "continued";
    /// The debuggee exited; may arrive after `terminated`, or never.
    Exited(Exited) = "exited";
    /// Debugging ended.
    Terminated(Terminated) = "terminated";
    /// A thread started or exited.
    Thread(ThreadEvent) = "thread";
    /// Text from the debuggee or the adapter.
    Output(Output) = "output";
    /// A breakpoint changed.
    Breakpoint(BreakpointEvent) = "breakpoint";
    /// The process that is debugged.
    Process(Process) = "process";
    /// A module was loaded, changed or removed.
    Module(ModuleEvent) = "module";
    /// A source was loaded, changed or removed.
    LoadedSource(LoadedSourceEvent) = "loadedSource";
    /// Values read before are out of date.
    Invalidated(Invalidated) = "invalidated";
    /// Memory changed.
    Memory(MemoryEvent) = "memory";
}

/// Body of `stopped`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Stopped {
    /// `step`, `breakpoint`, `exception`, `pause`, `entry`… or the adapter's own.
    pub reason: String,
    /// Longer text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// May be missing or null (then request `threads`), and may be 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<i64>,
    /// Do not change the current thread.
    pub preserve_focus_hint: bool,
    /// Exception name and such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Absent does not mean `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_threads_stopped: Option<bool>,
    /// Often missing.
    pub hit_breakpoint_ids: Vec<i64>,
    /// Reported before, and not resumed since: no breakpoint is hit again. Set by the host if
    /// several processes are debugged, whose stops it reports one at a time; no adapter sends it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    /// The threads of the stopped process; absent: there is no other process. Set by the host, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub together: Option<Vec<i64>>,
}

/// Body of `continued`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Continued {
    /// Which thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<i64>,
    /// Absent does not mean `false`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_threads_continued: Option<bool>,
}

/// Body of `exited`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Exited {
    /// Adapters encode signals differently.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
    /// The number of the signal that ended the debuggee. Not part of DAP: for a plugin's
    /// `on-event`, where the exit code alone does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal_number: Option<i64>,
}

/// Body of `terminated`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Terminated {
    /// Requests a restart with this value as `__restart`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<Value>,
    /// Set by a plugin: the connection to the debuggee's server is lost, and it is unknown whether
    /// the debuggee has ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
}

/// Body of `thread`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ThreadEvent {
    /// `started` or `exited`.
    pub reason: String,
    /// Which thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<i64>,
}

/// Body of `output`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Output {
    /// `console` (the default), `important`, `stdout`, `stderr`, `telemetry`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Split anywhere, with CRLF, LF or no line break.
    pub output: String,
    /// `start`, `startCollapsed` or `end`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Above 0: structured output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables_reference: Option<i64>,
    /// Where it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// The adapter's; for hits of breakpoints a `BreakpointOutput`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// Body of `breakpoint`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct BreakpointEvent {
    /// `changed`, `new` or `removed`.
    pub reason: String,
    /// Matched by its id alone.
    pub breakpoint: Breakpoint,
}

/// Body of `process`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Process {
    /// Its path or command.
    pub name: String,
    /// Pid of the debuggee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_process_id: Option<i64>,
    /// On this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_local_process: Option<bool>,
    /// `launch`, `attach`, `attachForSuspendedLaunch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_method: Option<String>,
}

/// Body of `module`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ModuleEvent {
    /// `new`, `changed` or `removed`.
    pub reason: String,
    /// Which one.
    pub module: Module,
}

/// Body of `loadedSource`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct LoadedSourceEvent {
    /// `new`, `changed` or `removed`.
    pub reason: String,
    /// Which one.
    pub source: Source,
}

/// Body of `invalidated`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Invalidated {
    /// `all`, `stacks`, `threads`, `variables`.
    pub areas: Vec<String>,
    /// Which thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<i64>,
    /// Which frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack_frame_id: Option<i64>,
}

/// Body of `memory`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct MemoryEvent {
    /// The address.
    pub memory_reference: String,
    /// In bytes.
    pub offset: i64,
    /// In bytes.
    pub count: i64,
}
