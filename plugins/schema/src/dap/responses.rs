//! Bodies of responses.
//!
//! Knows field names; the DAP specification defines their meaning ("Requests"). Does not know how
//! to display them. Every field has a default: one adapter responds to unknown requests with
//! success and no body.

use serde::de::{Deserializer, IgnoredAny};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::types::*;

/// A response without data; the body is ignored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(extend("type" = "object")))]
pub struct Ack;

impl Serialize for Ack {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_map(Some(0))?.end()
    }
}

impl<'de> Deserialize<'de> for Ack {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

/// Response to every `set…Breakpoints`: in the order of the request, and sometimes shorter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Breakpoints {
    /// By position.
    pub breakpoints: Vec<Breakpoint>,
}

/// Response to `dataBreakpointInfo`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DataBreakpointInfoResponse {
    /// Absent: no data breakpoint is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_id: Option<String>,
    /// A description, or the reason why not.
    pub description: String,
    /// `read`, `write`, `readWrite`.
    pub access_types: Vec<String>,
    /// The breakpoint outlives the session.
    pub can_persist: bool,
}

/// Response to `breakpointLocations`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct BreakpointLocationsResponse {
    /// Sorted by the adapter, or not.
    pub breakpoints: Vec<BreakpointLocation>,
}

/// Response to `continue`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ContinueResponse {
    /// Absent means true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_threads_continued: Option<bool>,
}

/// Response to `stepInTargets`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StepInTargetsResponse {
    /// The calls.
    pub targets: Vec<StepInTarget>,
}

/// Response to `threads`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ThreadsResponse {
    /// All items.
    pub threads: Vec<Thread>,
}

/// Response to `stackTrace`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StackTraceResponse {
    /// Innermost first.
    pub stack_frames: Vec<StackFrame>,
    /// The total number; an estimate in some adapters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_frames: Option<i64>,
    /// Not of the specification: why the thread waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<String>,
}

/// Response to `scopes`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ScopesResponse {
    /// In the adapter's order.
    pub scopes: Vec<Scope>,
}

/// Response to `variables`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct VariablesResponse {
    /// In the adapter's order.
    pub variables: Vec<Variable>,
}

/// Response to `setVariable` and `setExpression`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetResponse {
    /// The new value.
    pub value: String,
    /// Its type.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub type_: Option<String>,
    /// Its children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variables_reference: Option<i64>,
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    /// For `readMemory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_reference: Option<String>,
}

/// Response to `evaluate`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct EvaluateResponse {
    /// The value as text.
    pub result: String,
    /// Its type.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub type_: Option<String>,
    /// How to display it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<PresentationHint>,
    /// Above 0: has children.
    pub variables_reference: i64,
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    /// How many; in the context `clipboard` the bytes of a text of which `result` is the beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    /// For `readMemory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_reference: Option<String>,
}

/// Response to `exceptionInfo`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionInfoResponse {
    /// Type or signal.
    pub exception_id: String,
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// `never`, `always`, `unhandled`, `userUnhandled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub break_mode: Option<String>,
    /// The exception in parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<ExceptionDetails>,
}

/// Response to `source`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SourceResponse {
    /// The text.
    pub content: String,
    /// Its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
}

/// Response to `loadedSources`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct LoadedSourcesResponse {
    /// All items.
    pub sources: Vec<Source>,
}

/// Response to `modules`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ModulesResponse {
    /// The requested modules.
    pub modules: Vec<Module>,
    /// The total number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_modules: Option<i64>,
}

/// Response to `readMemory`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ReadMemoryResponse {
    /// The address.
    pub address: String,
    /// The number of unreadable bytes after `data`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable_bytes: Option<i64>,
    /// Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}

/// Response to `writeMemory`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct WriteMemoryResponse {
    /// First byte written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// How many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_written: Option<i64>,
}

/// Response to `disassemble`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DisassembleResponse {
    /// In address order.
    pub instructions: Vec<DisassembledInstruction>,
}

/// Response to `completions`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct CompletionsResponse {
    /// Proposals.
    pub targets: Vec<CompletionItem>,
}
