//! Things DAP bodies are made of: sources, frames, variables, breakpoints.
//!
//! Knows field names and their defaults; the meaning of each field is the DAP
//! specification's ("Types"). Refuses to know what a caller sees of it. A list of
//! declarations, so longer than other files.
//!
//! Every struct reads with missing fields (see [`super::lenient`]): adapters leave
//! out what the specification requires. Numbers are `i64` throughout, because ids
//! are 0 or negative in the wild, and so are lines.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A file, or text that only the adapter has (`source_reference` above 0).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// Short name to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Path as the adapter spells it; may name no file at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Above 0: ask `source` for the text. Valid for the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_reference: Option<i64>,
    /// `normal`, `emphasize` or `deemphasize`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
    /// Where it comes from ("internal module").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Must be sent back as it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter_data: Option<Value>,
}

/// A thread; ids may be 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Thread {
    /// Unique in the session.
    pub id: i64,
    /// Name to show.
    pub name: String,
}

/// A frame. Its id is valid until the debuggee moves, may be 0, and is recycled.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StackFrame {
    /// For `scopes` and `evaluate`.
    pub id: i64,
    /// Function name as the adapter writes it.
    pub name: String,
    /// Absent for frames without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// 1-based; 0 or less where unknown.
    pub line: i64,
    /// 1-based; 0 where unknown.
    pub column: i64,
    /// Last line of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<i64>,
    /// Last column of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<i64>,
    /// For `disassemble`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_pointer_reference: Option<String>,
    /// Number or string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module_id: Option<Value>,
    /// `normal`, `label` (no real frame) or `subtle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
    /// Whether `restartFrame` works here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub can_restart: Option<bool>,
}

/// A named set of variables of a frame.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Scope {
    /// As the adapter writes it ("Locals").
    pub name: String,
    /// `arguments`, `locals`, `registers`, `returnValue`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
    /// For `variables`.
    pub variables_reference: i64,
    /// How many named children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    /// How many indexed children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    /// Whether reading it is slow.
    pub expensive: bool,
    /// Its source range, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// First line of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// Last line of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<i64>,
}

/// How a variable wants to be shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct PresentationHint {
    /// `property`, `method`, `class`, `data`, `virtual`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// `static`, `constant`, `readOnly`, `rawString`, `hasSideEffects`…
    pub attributes: Vec<String>,
    /// `public`, `private`, `internal`…
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<String>,
    /// The value is only read by asking for its child.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lazy: Option<bool>,
}

/// A name and a value as text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Variable {
    /// May be empty (unnamed children).
    pub name: String,
    /// May be empty: show the children then.
    pub value: String,
    /// Type as the adapter writes it.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub type_: Option<String>,
    /// How to show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<PresentationHint>,
    /// Expression that reads it; wrong in several adapters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    /// Above 0: has children. Valid until the debuggee moves.
    pub variables_reference: i64,
    /// How many named children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    /// How many indexed children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    /// For `readMemory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_reference: Option<String>,
}

/// A wish for `setBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SourceBreakpoint {
    /// 1-based.
    pub line: i64,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// In the debuggee's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Means different things to different adapters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
    /// Makes it a log point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_message: Option<String>,
    /// One of the adapter's breakpoint modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

/// A wish for `setFunctionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct FunctionBreakpoint {
    /// As the adapter understands it.
    pub name: String,
    /// In the debuggee's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// See [`SourceBreakpoint`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
}

/// A wish for `setDataBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DataBreakpoint {
    /// From `dataBreakpointInfo`.
    pub data_id: String,
    /// `read`, `write` or `readWrite`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_type: Option<String>,
    /// In the debuggee's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// See [`SourceBreakpoint`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
}

/// A wish for `setInstructionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct InstructionBreakpoint {
    /// From a frame or from `disassemble`.
    pub instruction_reference: String,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// In the debuggee's language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// See [`SourceBreakpoint`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
}

/// What an adapter made of a wish. `verified` means little: adapters say it too early and too late.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Breakpoint {
    /// Key of later `breakpoint` events; may be 0 or negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Whether it is bound, says the adapter.
    pub verified: bool,
    /// Why not, or where instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Where it is; may have moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// Last line of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<i64>,
    /// Where it is in memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_reference: Option<String>,
    /// From there, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// `pending` or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A place that can hold a breakpoint.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct BreakpointLocation {
    /// 1-based.
    pub line: i64,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// Last line of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<i64>,
    /// Last column of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<i64>,
}

/// A choice for `setExceptionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionFilter {
    /// Its id.
    pub filter: String,
    /// What to show.
    pub label: String,
    /// More to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// On unless told otherwise.
    pub default: bool,
    /// Takes a condition.
    pub supports_condition: bool,
    /// What the condition may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_description: Option<String>,
}

/// A filter with a condition.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionFilterOption {
    /// See [`ExceptionFilter`].
    pub filter_id: String,
    /// As `condition_description` explains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

/// Exceptions by their place in the adapter's tree of them, and when they stop.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionOptions {
    /// From the root on; empty: all there are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<ExceptionPathSegment>,
    /// `never`, `always`, `unhandled`, `userUnhandled`.
    pub break_mode: String,
}

/// One level of that tree.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionPathSegment {
    /// All but these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub negate: Option<bool>,
    /// Of its nodes.
    pub names: Vec<String>,
}

/// A call on this line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StepInTarget {
    /// For `stepIn`.
    pub id: i64,
    /// What is called.
    pub label: String,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
}

/// A loaded library or package.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Module {
    /// Number or string.
    pub id: Value,
    /// Name to show.
    pub name: String,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Built with optimisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_optimized: Option<bool>,
    /// Part of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_user_code: Option<bool>,
    /// As text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// As text ("Symbols not found").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_status: Option<String>,
    /// Where the symbols are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_file_path: Option<String>,
    /// As text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address_range: Option<String>,
}

/// One machine instruction.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DisassembledInstruction {
    /// Hexadecimal with `0x`.
    pub address: String,
    /// Hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_bytes: Option<String>,
    /// Its text.
    pub instruction: String,
    /// Function it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Absent means: as the instruction before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Source>,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

/// An exception in parts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionDetails {
    /// Its text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Short type name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    /// Qualified type name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_type_name: Option<String>,
    /// Expression that reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    /// As the language prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack_trace: Option<String>,
    /// Its causes.
    pub inner_exception: Vec<ExceptionDetails>,
}

/// A proposal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct CompletionItem {
    /// What to show.
    pub label: String,
    /// What to insert, else the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// `method`, `variable`…
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub type_: Option<String>,
    /// Where to insert.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    /// How much to replace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<i64>,
}
