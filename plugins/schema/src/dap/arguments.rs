//! Arguments of requests.
//!
//! Knows field names; the DAP specification defines their meaning ("Requests"). Does not know which
//! adapter needs which. A list of declarations, so longer than other files. Absent options are left
//! out; a `frame_id` of 0 is not absent.

use serde::de::{Deserializer, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::types::*;

/// No `arguments` member; any value is accepted and ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(extend("type" = "object")))]
pub struct NoArguments;

impl<'de> Deserialize<'de> for NoArguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

/// Identity and capabilities of the client.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct InitializeArguments {
    /// Some adapters behave differently for some ids.
    #[serde(rename = "clientID")]
    pub client_id: String,
    /// Name of the client.
    pub client_name: String,
    /// The adapter's id.
    #[serde(rename = "adapterID")]
    pub adapter_id: String,
    /// `en-US`: the host parses the texts.
    pub locale: String,
    /// Always true here.
    #[serde(rename = "linesStartAt1")]
    pub lines_start_at1: bool,
    /// Always true here.
    #[serde(rename = "columnsStartAt1")]
    pub columns_start_at1: bool,
    /// `path`.
    pub path_format: String,
    /// Everything else: `supportsVariableType`, `supportsStartDebuggingRequest`…
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Arguments of `setBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetBreakpointsArguments {
    /// Which file.
    pub source: Source,
    /// All items.
    pub breakpoints: Vec<SourceBreakpoint>,
    /// The source has changed since the debuggee was built.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_modified: Option<bool>,
}

/// Arguments of `setFunctionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetFunctionBreakpointsArguments {
    /// All items.
    pub breakpoints: Vec<FunctionBreakpoint>,
}

/// Arguments of `setExceptionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetExceptionBreakpointsArguments {
    /// Ids of filters without a condition.
    pub filters: Vec<String>,
    /// Filters with a condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter_options: Option<Vec<ExceptionFilterOption>>,
    /// Exceptions by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exception_options: Option<Vec<ExceptionOptions>>,
}

/// Arguments of `dataBreakpointInfo`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DataBreakpointInfoArguments {
    /// Parent of `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables_reference: Option<i64>,
    /// A child, or an expression.
    pub name: String,
    /// The frame of the expression.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// The number of bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<i64>,
    /// `name` is an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_address: Option<bool>,
}

/// Arguments of `setDataBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetDataBreakpointsArguments {
    /// All items.
    pub breakpoints: Vec<DataBreakpoint>,
}

/// Arguments of `setInstructionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetInstructionBreakpointsArguments {
    /// All items.
    pub breakpoints: Vec<InstructionBreakpoint>,
}

/// Arguments of `breakpointLocations`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct BreakpointLocationsArguments {
    /// Which file.
    pub source: Source,
    /// First line.
    pub line: i64,
    /// First column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// Last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<i64>,
    /// Last column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<i64>,
}

/// Arguments of `continue` and `reverseContinue`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ContinueArguments {
    /// Which thread.
    pub thread_id: i64,
    /// Only that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_thread: Option<bool>,
}

/// Arguments of `next`, `stepOut` and `stepBack`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StepArguments {
    /// Which thread.
    pub thread_id: i64,
    /// Only that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_thread: Option<bool>,
    /// `statement`, `line` or `instruction`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granularity: Option<String>,
}

/// Arguments of `stepIn`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StepInArguments {
    /// Which thread.
    pub thread_id: i64,
    /// Only that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_thread: Option<bool>,
    /// From `stepInTargets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_id: Option<i64>,
    /// `statement`, `line` or `instruction`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granularity: Option<String>,
}

/// Arguments of requests for a thread.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ThreadArguments {
    /// Which thread.
    pub thread_id: i64,
}

/// Arguments of `exceptionInfo`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionInfoArguments {
    /// Which thread.
    pub thread_id: i64,
    /// Not of the specification, for a plugin with a hook on this request: the answer needs
    /// `details` with causes to this depth. Absent at the stop itself, which has to be fast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub causes: Option<u32>,
    /// With `causes`: the innermost frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
}

/// Arguments of requests for a frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct FrameArguments {
    /// Which frame; 0 is valid.
    pub frame_id: i64,
}

/// Arguments of `stackTrace`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StackTraceArguments {
    /// Which thread.
    pub thread_id: i64,
    /// First frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_frame: Option<i64>,
    /// How many frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<i64>,
    /// Format of names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Value>,
}

/// Arguments of `variables`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct VariablesArguments {
    /// The variable with the children.
    pub variables_reference: i64,
    /// `indexed` or `named`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// First child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// `{"hex": true}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Value>,
}

/// Arguments of `setVariable`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetVariableArguments {
    /// Parent.
    pub variables_reference: i64,
    /// Child.
    pub name: String,
    /// New value as source text.
    pub value: String,
    /// `{"hex": true}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Value>,
}

/// Arguments of `setExpression`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetExpressionArguments {
    /// What to assign.
    pub expression: String,
    /// New value as source text.
    pub value: String,
    /// The frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// `{"hex": true}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Value>,
}

/// Arguments of `evaluate`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct EvaluateArguments {
    /// In the debuggee's language, or a command for `repl`.
    pub expression: String,
    /// The frame; 0 is valid, absent means global.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// `watch`, `repl`, `hover`, `clipboard`, `variables`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// `{"hex": true}`; in the context `clipboard` also `{"from": 0, "to": 9}`: bytes of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Value>,
}

/// Arguments of `source`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SourceArguments {
    /// The source as received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The same as in `source`.
    pub source_reference: i64,
}

/// Arguments of `modules`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ModulesArguments {
    /// First one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_module: Option<i64>,
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module_count: Option<i64>,
}

/// Arguments of `readMemory`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ReadMemoryArguments {
    /// The address.
    pub memory_reference: String,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// In bytes.
    pub count: i64,
}

/// Arguments of `writeMemory`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct WriteMemoryArguments {
    /// The address.
    pub memory_reference: String,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// A partial write is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_partial: Option<bool>,
    /// Base64.
    pub data: String,
}

/// Arguments of `disassemble`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DisassembleArguments {
    /// The address.
    pub memory_reference: String,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// In instructions; may be negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_offset: Option<i64>,
    /// How many.
    pub instruction_count: i64,
    /// Include symbol names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolve_symbols: Option<bool>,
}

/// Arguments of `completions`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct CompletionsArguments {
    /// The frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame_id: Option<i64>,
    /// The text typed so far.
    pub text: String,
    /// Column of the cursor, 1-based.
    pub column: i64,
    /// Line of the cursor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

/// Arguments of `terminate`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct TerminateArguments {
    /// Part of a restart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<bool>,
}

/// Arguments of `disconnect`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DisconnectArguments {
    /// Part of a restart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart: Option<bool>,
    /// End the debuggee; send only with `Capabilities::terminate_debuggee`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminate_debuggee: Option<bool>,
    /// Leave it suspended; send only with `Capabilities::suspend_debuggee`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspend_debuggee: Option<bool>,
}

/// Arguments of `restart`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct RestartArguments {
    /// New `launch` or `attach` arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Value>,
}

/// Arguments of `cancel`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct CancelArguments {
    /// `Call::seq` of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<i64>,
    /// The progress to cancel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress_id: Option<String>,
}

impl Default for InitializeArguments {
    fn default() -> Self {
        Self {
            client_id: "dapdock".to_owned(),
            client_name: "dapdock".to_owned(),
            adapter_id: String::new(),
            locale: "en-US".to_owned(),
            lines_start_at1: true,
            columns_start_at1: true,
            path_format: "path".to_owned(),
            more: Map::new(),
        }
    }
}
