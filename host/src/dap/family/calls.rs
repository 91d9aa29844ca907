//! What a request to a member is for, and how several answers become one.
//!
//! Knows the kinds of requests. Refuses to know when they are sent.

use serde_json::Value;

use crate::dap::Error;
use crate::dap::family::breakpoints::Group;
use crate::dap::family::ids::Key;

/// Where the answer to a request goes.
pub(crate) enum Purpose {
    /// To the actor, as the answer to its request `seq`.
    Actor { seq: i64, command: String },
    /// Into the gathering of the actor's request `seq`.
    Part { seq: i64 },
    /// `initialize` of a child.
    Initialize,
    /// `launch` or `attach` of a child.
    Launch,
    /// Breakpoints from before the child.
    Breakpoints(Group),
    /// Top frame of a member that stopped; the body of its `stopped` event.
    Place(Value),
    /// `disconnect` of a child.
    Disconnect,
    /// Nobody waits for the answer.
    Ignored,
}

/// Answers of several members to one request of the actor.
pub(crate) struct Gathering {
    pub(crate) command: String,
    pub(crate) merge: Merge,
    /// Members that have not answered.
    pub(crate) waiting: usize,
    pub(crate) answers: Vec<(Key, Result<Value, String>)>,
}

/// How they become one.
pub(crate) enum Merge {
    Threads,
    Breakpoints(Group),
    /// It succeeds if any member succeeds.
    Any,
}

/// The text of a failure, as the actor receives it.
pub(crate) fn error_text(error: Error) -> String {
    match error {
        Error::Refused { message, .. } => message,
        error => error.to_string(),
    }
}
