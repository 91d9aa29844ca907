//! How an adapter evaluates expressions and runs commands.

use serde::{Deserialize, Serialize};

/// `evaluate`, the debugger's own commands, and texts of errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct EvaluateProfile {
    /// The context that reads a value. If it also takes assignments or statements, the adapter
    /// refuses none of them: `translate.evaluation-text` has to report these as `writes-state`.
    pub value: String,
    /// The context that may run statements.
    pub statement: String,
    /// What assigns.
    pub assignment: Assignment,
    /// How to check the syntax of a condition before it is sent.
    pub check: Option<SyntaxCheck>,
    /// What the adapter does with other requests during an evaluation.
    pub busy: Busy,
    /// How to run commands of the debugger's own language; none: the adapter takes none.
    pub commands: Option<Box<Commands>>,
    /// Which part of an error text is for the caller.
    pub errors: ErrorText,
    /// The beginning of an error text that is a stack trace: the message is the line after the
    /// frames, which are indented.
    pub trace: Option<String>,
}

impl Default for EvaluateProfile {
    fn default() -> Self {
        Self {
            value: "watch".into(),
            statement: "repl".into(),
            assignment: Assignment::default(),
            check: None,
            busy: Busy::default(),
            commands: None,
            errors: ErrorText::default(),
            trace: None,
        }
    }
}

/// What assigns to a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Assignment {
    /// The statement context as well as requests to set a variable.
    #[default]
    Statement,
    /// Only a request to set a variable.
    Request,
}

/// How to check the syntax of a condition before it is sent. A response with an error refuses the
/// condition, with its message for the caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SyntaxCheck {
    /// The expression, with `{json}` in place of the condition as a JSON string, or `{text}` in
    /// place of the condition itself; evaluated without a frame. It must not evaluate the
    /// condition.
    pub expression: String,
    /// Its context.
    pub context: String,
    /// What must exist before it can be evaluated.
    pub needs: CheckNeeds,
}

impl Default for SyntaxCheck {
    fn default() -> Self {
        Self { expression: String::new(), context: "repl".into(), needs: CheckNeeds::default() }
    }
}

/// What must exist before the syntax of a condition can be checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CheckNeeds {
    /// The response to `initialize`: an invalid condition is reported before anything starts.
    #[default]
    Adapter,
    /// A debuggee: after the event `initialized`.
    Debuggee,
}

/// What the adapter does with other requests during an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Busy {
    /// It answers them.
    #[default]
    Answers,
    /// It reads none and cannot abort the evaluation: a call would continue after its caller has
    /// given up.
    Waits,
}

/// Which part of an error text is for the caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorText {
    /// The whole text.
    #[default]
    Whole,
    /// The last line that is not empty.
    LastLine,
    /// The first line.
    FirstLine,
}

/// How to run commands of the debugger's own language. The response to `evaluate` is the output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Commands {
    /// The context of `evaluate`.
    pub context: String,
    /// Text before each command.
    pub prefix: String,
    /// Commands that leave the debugger: they run programs, scripts or files. `sh[ell] -c` means
    /// the words `shell` and `-c`, the first also as `sh`, `she` or `shel`; `x * -o*` the word `x`
    /// and, behind any words, one that begins with `-o`; `+` one word. A word of other characters
    /// than letters, digits, `-`, `_` and `.` also counts without a space after it.
    pub escapes: Vec<String>,
    /// Commands that may contain another command after their first word, in the same notation: no
    /// later word may begin an escape.
    pub carriers: Vec<String>,
    /// Texts that leave the debugger anywhere in a command.
    pub escape_texts: Vec<String>,
    /// Texts that leave the debugger anywhere in an expression of a raw request. The expressions of
    /// other requests pass `evaluation-text` and `breakpoint`, which refuse these.
    pub expression_escapes: Vec<String>,
    /// The command that deletes the breakpoint with the adapter's number `{}`.
    pub delete: Option<String>,
    /// The context of `evaluate` for sessions that are opened without a target: the debugger takes
    /// commands before it has a program, and the response is a JSON object
    /// `{number, result, output, stops}`. `number` counts the commands; `result` is
    /// `{status: done | running | connected | error | exit, data | message}`, `null` for an empty
    /// command; `stops` has the stops of earlier commands that were answered with `running`:
    /// `{number, command, result, output}`, each once.
    pub records: Option<String>,
}
