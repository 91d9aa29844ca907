//! Breakpoints that change while the debuggee runs, where the adapter halts it for
//! that and leaves it so (`breakpoints_while_running` of the profile).
//!
//! The stop that comes of it is nobody's: the debuggee runs on once all are set. Any
//! other stop that comes in its stead is shown.

use super::{Actor, Phase};
use dapdock_schema::WhileRunning;

/// What setting breakpoints does to a debuggee that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Halting {
    No,
    /// Breakpoints went out while it ran: a stop that nobody wants is on its way.
    Expected,
    /// It came.
    Stands,
}

impl Actor {
    /// Breakpoints are about to go out.
    pub(super) fn expect_halt(&mut self) {
        let halts = self.profile.breakpoints_while_running == WhileRunning::Halts;
        if self.phase == Phase::Running && halts && self.halting == Halting::No {
            self.halting = Halting::Expected;
        }
    }

    /// Is the stop that has come the one that the adapter makes to set breakpoints?
    pub(super) fn halted(&mut self) -> bool {
        let pause = self.pause.as_ref().is_some_and(|pause| pause.body.reason == "pause");
        let ours = self.halting != Halting::No && pause && !self.pausing;
        self.halting = if ours { Halting::Stands } else { Halting::No };
        ours
    }

    /// Lets the debuggee run on once all breakpoints are set.
    pub(super) fn go_on_after_halt(&mut self) {
        if self.halting == Halting::Stands && !self.syncing {
            self.halting = Halting::No;
            self.log_hit(Vec::new(), self.thread, None);
        }
    }
}
