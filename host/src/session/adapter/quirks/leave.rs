//! What `disconnect` does to the debuggee and to the adapter.

use dapdock_schema::{AfterDisconnect, LeaveAttached, LeaveLaunched, Termination};

use super::Quirks;

impl Quirks {
    /// A launched debuggee can keep running without the debugger.
    pub(crate) fn detaches_launched(&self) -> bool {
        self.0.leave.launched == LeaveLaunched::RunsOn
    }

    /// The host ends a stopped debuggee, and an attached one: `disconnect` would let the first run
    /// for a moment, and never ends the second.
    pub(crate) fn is_ended_by_host(&self) -> bool {
        self.0.leave.termination == Termination::ByHost
    }

    /// An attached debuggee stays stopped, with its breakpoints set.
    pub(crate) fn leaves_attached_stopped(&self) -> bool {
        self.0.leave.attached != LeaveAttached::RunsOn
    }

    /// Why an attached debuggee ends with the session; none: it need not.
    pub(crate) fn ends_attached(&self) -> Option<&str> {
        match &self.0.leave.attached {
            LeaveAttached::Ends(why) => Some(why),
            LeaveAttached::RunsOn | LeaveAttached::StaysStopped => None,
        }
    }

    /// The adapter does not exit by itself.
    pub(crate) fn stays_after_disconnect(&self) -> bool {
        self.0.leave.adapter == AfterDisconnect::Stays
    }
}
