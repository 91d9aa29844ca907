//! The answer to a change of breakpoints.

use crate::model::{Breakpoint, BreakpointId, SessionId};

/// All breakpoints after a change, and those that it added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakpointReport {
    /// All, ascending by number.
    pub all: Vec<Breakpoint>,
    /// Added or replaced by this call.
    pub added: Vec<BreakpointId>,
    /// Words for exceptions in force.
    pub exceptions: Vec<String>,
    /// Names of exception types among them: whether such a type exists cannot be checked.
    pub unchecked: Vec<String>,
    /// Words of the default that are not in force because only types are named.
    pub off: Vec<String>,
    /// The open session that has them; `None`: they wait for one.
    pub open: Option<SessionId>,
    /// The ended session that sets them when it is restarted, and those that nothing else will set.
    pub restart: Option<(SessionId, Vec<BreakpointId>)>,
}
