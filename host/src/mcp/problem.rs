//! Errors of a call: an error of a session, or wrong arguments.
//!
//! Refuses to know how an error of a session is written.

use crate::model::{Choice, SessionId};
use crate::session;
use crate::view::ErrorText;

/// An error of a tool.
#[derive(Debug)]
pub(super) enum Problem {
    /// An error of a session.
    Session(session::Error),
    /// An error of this session, which the call may not name.
    OfSession(SessionId, session::Error),
    /// An error as text.
    Worded(ErrorText),
    /// A person has to agree.
    Unchosen(Box<Choice>, Box<ErrorText>),
}

impl Problem {
    /// Wrong arguments; `example` are valid ones as a JSON object.
    pub fn argument(cause: String, tool: &str, example: &str) -> Self {
        Self::worded("bad-argument", &cause, &format!("{tool} {example}"))
    }

    /// The choice of a person after which the same call works.
    pub fn choice(&self) -> Option<Choice> {
        match self {
            Self::Session(error) | Self::OfSession(_, error) => error.choice(),
            Self::Unchosen(choice, _) => Some((**choice).clone()),
            Self::Worded(_) => None,
        }
    }

    /// `next` is a call that works.
    pub fn worded(code: &'static str, cause: &str, next: &str) -> Self {
        Self::Worded(ErrorText::new(code, cause, next))
    }
}

impl From<session::Error> for Problem {
    fn from(error: session::Error) -> Self {
        Self::Session(error)
    }
}
