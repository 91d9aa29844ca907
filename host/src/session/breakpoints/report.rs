//! What a change of breakpoints answers.

use crate::model::{Breakpoint, BreakpointId, SessionId};

/// All breakpoints after a change, and which of them it added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakpointReport {
    /// All, ascending by number.
    pub all: Vec<Breakpoint>,
    /// Added or replaced by this call.
    pub added: Vec<BreakpointId>,
    /// Exception words in force.
    pub exceptions: Vec<String>,
    /// Those of them that nobody can check: names of types, by which the raised are compared.
    pub unchecked: Vec<String>,
    /// The session that is over whose restart will set them, and those that nothing else will.
    pub restart: Option<(SessionId, Vec<BreakpointId>)>,
}
