//! The calls that errors propose: `Try: TOOL {ARGUMENTS}`.

use serde_json::{Value, json};

use super::{Answer, Caller};

/// The tools that only read.
const READERS: [&str; 6] = [
    "debug_exception",
    "debug_output",
    "debug_stack",
    "debug_status",
    "debug_targets",
    "debug_variables",
];

/// A call that an error proposes.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub tool: String,
    pub arguments: Value,
}

impl Proposal {
    /// The call that this error proposes. Advice in words is none, nor a call for later, which
    /// words in parentheses follow.
    pub fn of(error: &Answer) -> Option<Self> {
        // Tools in the form of another server answer in JSON.
        if !error.is_error || error.text.starts_with('{') {
            return None;
        }
        let (_, advice) = error.text.rsplit_once("Try: ")?;
        let advice = advice.lines().next().unwrap();
        let (tool, arguments) = advice.split_once(' ').unwrap_or((advice, "{}"));
        if !tool.starts_with("debug_") || advice.ends_with(')') {
            return None;
        }
        let arguments = serde_json::from_str(arguments);
        let arguments = arguments.unwrap_or_else(|error| panic!("{advice}: {error}"));
        Some(Self { tool: tool.to_owned(), arguments })
    }

    /// Whether the call changes neither the program nor the session.
    pub fn reads(&self) -> bool {
        READERS.contains(&self.tool.as_str())
            || self.tool == "debug_breakpoints" && self.arguments == json!({})
            || self.tool == "debug_evaluate" && self.arguments.get("effects").is_none()
    }
}

impl Caller {
    /// Makes the call that an error proposes: it must work, unless no session is open.
    pub async fn follow(&mut self, error: &Answer, proposal: Proposal) {
        let Proposal { tool, arguments } = proposal;
        let request = self.begin(&tool, arguments).await;
        let answer = self.answer(request).await;
        let closed = ["error[ended] ", "error[no-session] "];
        let is_closed = closed.iter().any(|code| answer.text.starts_with(code));
        assert!(!answer.is_error || is_closed, "{}\n{}", error.text, answer.text);
    }
}
