//! What `disconnect` does to the debuggee and to the adapter.

use dapdock_schema::{DetachLaunched, Left};

use super::Quirks;

impl Quirks {
    /// A launched debuggee can keep running without the debugger.
    pub(crate) fn detaches_launched(&self) -> bool {
        self.0.detach_launched == DetachLaunched::RunsOn
    }

    /// A stopped debuggee runs for a moment before `disconnect` ends it.
    pub(crate) fn resumes_on_disconnect(&self) -> bool {
        self.0.disconnect_resumes
    }

    /// An attached debuggee is never ended by the adapter.
    pub(crate) fn spares_attached(&self) -> bool {
        self.0.keeps_attached
    }

    /// An attached debuggee stays stopped, with its breakpoints set.
    pub(crate) fn leaves_attached_stopped(&self) -> bool {
        self.0.leaves_attached_as_is
    }

    /// Why an attached debuggee ends with the session; none: it need not.
    pub(crate) fn ends_attached(&self) -> Option<&str> {
        self.0.ends_attached.as_deref()
    }

    /// The adapter does not exit by itself.
    pub(crate) fn stays_after_disconnect(&self) -> bool {
        self.0.left == Left::Stays
    }
}
