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

/// How notes begin that say when the call works: not yet. Any other note is more advice.
const LATER: [&str; 4] = ["(once ", "(later", "(with ", "(it returns when "];

/// A call that an error proposes.
#[derive(Clone, Debug)]
pub struct Proposal {
    pub tool: String,
    pub arguments: Value,
}

impl Proposal {
    /// The call that this error proposes. Advice in words is none, nor a call for later.
    pub fn of(error: &Answer) -> Option<Self> {
        let (proposal, note) = Self::written(error)?;
        let is_for_later = LATER.iter().any(|begin| note.starts_with(begin));
        (!is_for_later).then_some(proposal)
    }

    /// The call that this error proposes, now or for later, and its note.
    pub fn written(error: &Answer) -> Option<(Self, String)> {
        // Tools in the form of another server answer in JSON.
        if !error.is_error || error.text.starts_with('{') {
            return None;
        }
        let (_, advice) = error.text.rsplit_once("Try: ")?;
        let advice = advice.lines().next().unwrap();
        let (tool, rest) = advice.split_once(' ').unwrap_or((advice, ""));
        if !tool.starts_with("debug_") {
            return None;
        }
        let (arguments, note) = if rest.starts_with('{') {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter();
            let first = values.next().unwrap();
            let first = first.unwrap_or_else(|error| panic!("{advice}: {error}"));
            (first, rest[values.byte_offset()..].trim_start())
        } else {
            (json!({}), rest)
        };
        assert!(note.is_empty() || note.starts_with('(') && note.ends_with(')'), "{advice}");
        Some((Self { tool: tool.to_owned(), arguments }, note.to_owned()))
    }

    /// Whether the call changes neither the program nor the session.
    pub fn reads(&self) -> bool {
        READERS.contains(&self.tool.as_str())
            || self.tool == "debug_breakpoints" && self.lists()
            || self.tool == "debug_evaluate" && self.arguments.get("effects").is_none()
    }
}

impl Proposal {
    /// Whether the only argument is the session, if there is any.
    fn lists(&self) -> bool {
        self.arguments.as_object().unwrap().keys().all(|key| key == "session")
    }
}

impl Caller {
    /// Makes the call that an error proposes: it must work. Arguments and permissions are checked
    /// first, so that a call with the right ones may be the first to find that no session is open.
    pub async fn follow(&mut self, error: &Answer, proposal: Proposal) {
        let Proposal { tool, arguments } = proposal;
        let request = self.begin(&tool, arguments).await;
        let answer = self.answer(request).await;
        let closed = ["error[ended] ", "error[no-session] "];
        let before = ["error[bad-argument] ", "error[owned-request] "];
        let is_closed = before.iter().any(|code| error.text.starts_with(code))
            && closed.iter().any(|code| answer.text.starts_with(code));
        assert!(!answer.is_error || is_closed, "{}\n{}", error.text, answer.text);
    }
}
