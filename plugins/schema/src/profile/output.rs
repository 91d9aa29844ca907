//! Whose output an adapter reports, and what the debuggee's last lines mean.

use serde::{Deserialize, Serialize};

/// Output of the debuggee and of the adapter. Categories of `output` events that are not the
/// debuggee's are the adapter's own output, which goes into the session's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct OutputProfile {
    /// Categories of the debuggee's output.
    pub program: Vec<String>,
    /// Beginnings of lines in the debuggee's output that are the adapter's.
    pub adapter_lines: Vec<String>,
    /// Whose standard output and error the adapter's are.
    pub streams: Streams,
    /// Regular expressions for lines, without colours, that say why the debuggee failed. If the end
    /// of its output is too long, these lines are displayed first, unless they name a path of the
    /// library.
    pub reasons: Vec<String>,
    /// Meanings of the debuggee's last lines; the first ones that match are reported.
    pub endings: Vec<Ending>,
}

impl Default for OutputProfile {
    fn default() -> Self {
        Self {
            program: vec!["stdout".into(), "stderr".into()],
            adapter_lines: Vec::new(),
            streams: Streams::default(),
            reasons: Vec::new(),
            endings: Vec::new(),
        }
    }
}

/// Whose standard output and error the adapter's are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Streams {
    /// Its own.
    #[default]
    Adapter,
    /// The debuggee's: the adapter passes its streams on. Needed for a process with the role `both`
    /// that sends no `output` events; `adapter_lines` does not apply to them.
    Debuggee,
    /// The same through a single pipe: the order of all that the debuggee writes is known, and not
    /// which stream it was written to.
    Merged,
    /// Its standard output is the debuggee's, its standard error its own. `adapter_lines` does not
    /// apply to them.
    Output,
}

/// Meaning of the debuggee's last output, which its exit code does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Ending {
    /// A regular expression for the last lines of the debuggee's output, without colours; `^` and
    /// `$` match at line ends.
    pub output: String,
    /// A sentence for the caller; `{1}` is replaced by the first group of the expression.
    pub means: String,
    /// Only if the debuggee failed, by its exit code or a signal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// Only if exceptions should have stopped the debuggee, and no such stop was reported.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
}
