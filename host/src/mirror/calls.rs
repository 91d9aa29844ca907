//! Moves and lines of the debug console that an editor has begun, until its agent can read what
//! they led to.
//!
//! Knows what an agent reads about each. Refuses to know how one is carried out.

use crate::session::Deed;

/// Those under way, in order.
#[derive(Default)]
pub(super) struct Calls(Vec<Call>);

/// A call of the editor.
pub(super) struct Call {
    /// Number of the request.
    seq: i64,
    /// Its name for those that watch the session.
    pub tool: &'static str,
    /// On one line.
    text: String,
    kind: Kind,
}

/// What ends a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The stop after it, or the end of the program.
    Move,
    /// Its answer.
    Line,
}

impl Call {
    /// What its agent reads.
    pub fn deed(&self, answer: &str) -> Deed {
        Deed { call: self.text.clone(), answer: answer.to_owned() }
    }
}

impl Calls {
    /// A move begins; returns the line about it.
    pub fn move_begins(&mut self, seq: i64, command: &str) -> String {
        let names = ["continue", "next", "stepIn", "stepOut", "pause"];
        let tool = names.into_iter().find(|name| *name == command).unwrap_or("a move");
        self.begin(Call { seq, tool, text: format!("{tool} in an editor"), kind: Kind::Move })
    }

    /// A line of the debug console begins; returns the line about it.
    pub fn line_begins(&mut self, seq: i64, expression: &str) -> String {
        let text = crate::view::head(&format!("evaluate `{expression}` in an editor"));
        self.begin(Call { seq, tool: "evaluate", text, kind: Kind::Line })
    }

    fn begin(&mut self, call: Call) -> String {
        let text = call.text.clone();
        self.0.push(call);
        text
    }

    /// The call with the number of this request, which has ended.
    pub fn take(&mut self, seq: i64) -> Option<Call> {
        let at = self.0.iter().position(|call| call.seq == seq)?;
        Some(self.0.remove(at))
    }

    /// The moves, whose stop is there.
    pub fn take_moves(&mut self) -> Vec<Call> {
        self.0.extract_if(.., |call| call.kind == Kind::Move).collect()
    }

    /// Whether there are moves.
    pub fn has_moves(&self) -> bool {
        self.0.iter().any(|call| call.kind == Kind::Move)
    }

    /// All that are left.
    pub fn into_rest(self) -> Vec<Call> {
        self.0
    }
}
