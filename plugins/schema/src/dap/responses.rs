//! What answers carry.
//!
//! Knows field names; the meaning of each is the DAP specification's ("Requests").
//! Refuses to know how to show it. Every field defaults: one adapter answers what
//! it does not know with success and no body.

use serde::de::{Deserializer, IgnoredAny};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::types::*;

/// An answer that only says yes; whatever its body holds is ignored.
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

/// Of every `set…Breakpoints`: in the order of the wishes, and sometimes shorter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Breakpoints {
    /// By position.
    pub breakpoints: Vec<Breakpoint>,
}

/// Of `dataBreakpointInfo`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DataBreakpointInfoResponse {
    /// Absent: cannot be watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_id: Option<String>,
    /// What it is, or why not.
    pub description: String,
    /// `read`, `write`, `readWrite`.
    pub access_types: Vec<String>,
    /// Outlives the session.
    pub can_persist: bool,
}

/// Of `breakpointLocations`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct BreakpointLocationsResponse {
    /// Sorted by the adapter, or not.
    pub breakpoints: Vec<BreakpointLocation>,
}

/// Of `continue`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ContinueResponse {
    /// Absent means yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_threads_continued: Option<bool>,
}

/// Of `stepInTargets`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StepInTargetsResponse {
    /// The calls.
    pub targets: Vec<StepInTarget>,
}

/// Of `threads`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ThreadsResponse {
    /// All of them.
    pub threads: Vec<Thread>,
}

/// Of `stackTrace`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StackTraceResponse {
    /// Innermost first.
    pub stack_frames: Vec<StackFrame>,
    /// How many there are; a guess in some adapters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_frames: Option<i64>,
}

/// Of `scopes`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ScopesResponse {
    /// In the adapter's order.
    pub scopes: Vec<Scope>,
}

/// Of `variables`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct VariablesResponse {
    /// In the adapter's order.
    pub variables: Vec<Variable>,
}

/// Of `setVariable` and `setExpression`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SetResponse {
    /// What it is now.
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

/// Of `evaluate`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct EvaluateResponse {
    /// The value as text.
    pub result: String,
    /// Its type.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub type_: Option<String>,
    /// How to show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<PresentationHint>,
    /// Above 0: has children.
    pub variables_reference: i64,
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

/// Of `exceptionInfo`.
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
    /// In parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<ExceptionDetails>,
}

/// Of `source`.
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

/// Of `loadedSources`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct LoadedSourcesResponse {
    /// All of them.
    pub sources: Vec<Source>,
}

/// Of `modules`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ModulesResponse {
    /// A page.
    pub modules: Vec<Module>,
    /// How many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_modules: Option<i64>,
}

/// Of `readMemory`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ReadMemoryResponse {
    /// Where.
    pub address: String,
    /// Missing behind `data`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreadable_bytes: Option<i64>,
    /// Base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
}

/// Of `writeMemory`.
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

/// Of `disassemble`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DisassembleResponse {
    /// In address order.
    pub instructions: Vec<DisassembledInstruction>,
}

/// Of `completions`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct CompletionsResponse {
    /// Proposals.
    pub targets: Vec<CompletionItem>,
}
