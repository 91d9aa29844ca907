//! Frees an attached debuggee before the host disconnects, for adapters that leave it as it is
//! (a quirk of the adapter): its breakpoints go and it runs. Knows nothing of how
//! the host disconnects.

use super::Actor;
use super::resumption::{self, ResumedThreads};
use crate::dap::{NoArguments, request};
use crate::model::{Resume, ThreadId};
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints::Job;
use crate::session::launch::handshake;

/// What frees the debuggee.
pub(super) struct Release {
    /// The calls that remove its breakpoints.
    jobs: Vec<Job>,
    /// The thread that it stands with, if it does.
    stopped: Option<ThreadId>,
}

impl Actor {
    /// `None` where the adapter frees the debuggee itself.
    pub(super) fn release(&self) -> Option<Release> {
        self.quirks.leaves_attached_stopped().then(|| Release {
            jobs: self.breakpoints.removing_jobs(&self.quirks),
            stopped: self.stops.current().map(|stop| stop.thread.id),
        })
    }
}

impl Release {
    /// Ignores failures: the host disconnects anyway.
    pub(super) async fn carry_out(self, wire: &Wire) {
        // A change of breakpoints stops a debuggee that runs.
        let halts = !self.jobs.is_empty();
        handshake::sync(wire.clone(), self.jobs).await;
        let thread = match self.stopped {
            None if halts => first_thread(wire).await,
            stopped => stopped,
        };
        if let Some(thread) = thread {
            let _ = resumption::send(wire, &Resume::Continue, thread, ResumedThreads::All).await;
        }
    }
}

async fn first_thread(wire: &Wire) -> Option<ThreadId> {
    let listed = wire.call::<request::Threads>(NoArguments).await.ok()?;
    listed.threads.first().map(|thread| ThreadId(thread.id))
}
