//! Types that occur in DAP bodies: sources, frames, variables, breakpoints.
//!
//! Knows field names and their defaults; the DAP specification defines their meaning ("Types").
//! Does not know what callers see of them. A list of declarations, so longer than other files.
//!
//! Every struct can be parsed with missing fields (see [`super::lenient`]): adapters omit fields
//! that the specification requires. All numbers are `i64`, because real ids and lines can be 0 or
//! negative.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A file, or a text that only the adapter has (`source_reference` above 0).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// Short name for display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Path as the adapter writes it; may not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Above 0: the text is available by `source`. Valid for the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_reference: Option<i64>,
    /// `normal`, `emphasize` or `deemphasize`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<String>,
    /// Origin of the source ("internal module").
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Must be returned unchanged.
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
    /// Name for display.
    pub name: String,
}

/// A frame. Its id is valid until the debuggee is resumed, may be 0, and is reused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StackFrame {
    /// For `scopes` and `evaluate`.
    pub id: i64,
    /// Function name as the adapter writes it.
    pub name: String,
    /// Absent for frames without a source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// 1-based; 0 or less if unknown.
    pub line: i64,
    /// 1-based; 0 if unknown.
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
    /// Number of named children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    /// Number of indexed children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    /// Reading it is slow.
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

/// How to display a variable.
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
    /// Only requesting its child reads the value.
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
    /// May be empty: then display the children.
    pub value: String,
    /// Type as the adapter writes it.
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub type_: Option<String>,
    /// How to display it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub presentation_hint: Option<PresentationHint>,
    /// Expression for the value; wrong in several adapters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    /// Above 0: has children. Valid until the debuggee is resumed.
    pub variables_reference: i64,
    /// Number of named children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named_variables: Option<i64>,
    /// Number of indexed children.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_variables: Option<i64>,
    /// For `readMemory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_reference: Option<String>,
    /// Line of its declaration, added by a plugin where the function has several variables of the
    /// name and the adapter lists the innermost one only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<i64>,
}

/// A breakpoint in `setBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct SourceBreakpoint {
    /// 1-based.
    pub line: i64,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// In the language of the debuggee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// Adapters interpret it differently.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
    /// Makes it a log point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_message: Option<String>,
    /// One of the adapter's breakpoint modes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Only for the plugin's `on-request`, which removes it; not part of DAP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<BreakpointMark>,
}

/// What the host adds to a breakpoint for code of the plugin in the debuggee that counts its hits
/// or writes its log messages (`hit_counts` and `log_points` of the profile).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct BreakpointMark {
    /// The host's number of the breakpoint.
    pub number: u32,
    /// The hit condition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hits: Option<HitCondition>,
    /// The number of the hit with which a log point has written all that it may, counted from when
    /// the adapter set it. Only with `log_limits` of the profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
}

/// The debuggee stops where the number of hits, the earlier ones included, satisfies this.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct HitCondition {
    /// Hits that were counted before the breakpoint was sent.
    pub earlier: u32,
    /// How the number of hits is compared.
    pub operator: HitOperator,
    /// With which number.
    pub number: u32,
}

/// How a number of hits is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum HitOperator {
    /// It is equal.
    #[default]
    #[serde(rename = "==")]
    Equal,
    /// It is equal or greater.
    #[serde(rename = ">=")]
    AtLeast,
    /// It is a multiple.
    #[serde(rename = "%")]
    Multiple,
}

/// `data` of an `output` event by which code of the plugin in the debuggee reports hits of a
/// breakpoint: log messages if `texts` has any, further hits if `hits` is there, else one, whose
/// log message is the event's `output`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BreakpointOutput {
    /// The host's number of the breakpoint.
    pub breakpoint: u32,
    /// Hits since the last report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hits: Option<u32>,
    /// The name of the thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// Log messages in order, each of one hit; the event has no other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<LoggedText>,
    /// The hits are of a log breakpoint whose messages are not sent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlogged: bool,
}

/// The message of one hit of a log breakpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LoggedText {
    /// The host's number of the breakpoint.
    pub breakpoint: u32,
    /// The name of the thread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The message.
    pub text: String,
}

/// A breakpoint in `setFunctionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct FunctionBreakpoint {
    /// Name in the syntax of the adapter.
    pub name: String,
    /// In the language of the debuggee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// See [`SourceBreakpoint`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
    /// Only for the plugin's `on-request`, which removes it; not part of DAP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<BreakpointMark>,
}

/// A breakpoint in `setDataBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct DataBreakpoint {
    /// From `dataBreakpointInfo`.
    pub data_id: String,
    /// `read`, `write` or `readWrite`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_type: Option<String>,
    /// In the language of the debuggee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// See [`SourceBreakpoint`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
}

/// A breakpoint in `setInstructionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct InstructionBreakpoint {
    /// From a frame or from `disassemble`.
    pub instruction_reference: String,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// In the language of the debuggee.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// See [`SourceBreakpoint`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hit_condition: Option<String>,
}

/// A breakpoint in a response. `verified` is unreliable: adapters set it too early or too late.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Breakpoint {
    /// Identifies it in later `breakpoint` events; may be 0 or negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// Whether it is bound, according to the adapter.
    pub verified: bool,
    /// Why not, or the actual location.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The line; may differ from the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
    /// The column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<i64>,
    /// Last line of the range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<i64>,
    /// The address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction_reference: Option<String>,
    /// Offset from that address, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// `pending` or `failed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A possible location of a breakpoint.
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

/// A filter for `setExceptionBreakpoints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionFilter {
    /// Its id.
    pub filter: String,
    /// Name for display.
    pub label: String,
    /// Longer text for display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Enabled by default.
    pub default: bool,
    /// Accepts a condition.
    pub supports_condition: bool,
    /// Description of the condition.
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
    /// In the form that `condition_description` explains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
}

/// Exceptions by their path in the adapter's tree, and when they stop.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionOptions {
    /// Path from the root; empty: all exceptions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<ExceptionPathSegment>,
    /// `never`, `always`, `unhandled`, `userUnhandled`.
    pub break_mode: String,
}

/// One level of that path.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ExceptionPathSegment {
    /// All names but these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub negate: Option<bool>,
    /// Names of nodes.
    pub names: Vec<String>,
}

/// A call on this line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct StepInTarget {
    /// For `stepIn`.
    pub id: i64,
    /// Name of the called function.
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
    /// Name for display.
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
    /// Address range as text.
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
    /// Function that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Absent means: as for the previous instruction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Source>,
    /// 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<i64>,
}

/// Details of an exception.
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
    /// Expression for the exception.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluate_name: Option<String>,
    /// As the language prints it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack_trace: Option<String>,
    /// Its causes.
    pub inner_exception: Vec<ExceptionDetails>,
    /// Not of the specification: how it is linked to the exception that lists it. `cause`, the
    /// default; `context`: that one was raised while this one was handled; `member`: that one is a
    /// group of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Not of the specification: where it was raised, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<StackFrame>,
    /// Not of the specification: names of the types that its type is derived from, the nearest
    /// first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub base_types: Vec<String>,
    /// Not of the specification: the line that the frame of the stop executed last, if code ran
    /// there after the exception was raised (`finally` and the like): its values are of then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ran_on: Option<u32>,
}

/// A completion.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct CompletionItem {
    /// Text for display.
    pub label: String,
    /// Text to insert, else the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// `method`, `variable`…
    #[serde(skip_serializing_if = "Option::is_none", rename = "type")]
    pub type_: Option<String>,
    /// Position of the replaced text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    /// Length of the replaced text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<i64>,
}
