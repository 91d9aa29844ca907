//! What an attached debuggee needs before an adapter is left that leaves it as it is
//! (`leaves_attached_as_is` of the profile). Knows nothing of how the adapter is left.

use super::Actor;
use super::onward::{self, Goes};
use crate::dap::{NoArguments, request};
use crate::model::{Resume, ThreadId};
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints::Job;
use crate::session::launch::handshake;

/// The debuggee's way out.
pub(super) struct Freeing {
    /// They take its breakpoints back.
    jobs: Vec<Job>,
    /// What it stands with.
    stands: Option<ThreadId>,
}

impl Actor {
    /// None where the adapter does all that.
    pub(super) fn freeing(&self) -> Option<Freeing> {
        self.profile.leaves_attached_as_is.then(|| Freeing {
            jobs: self.breakpoints.removing_jobs(&self.profile),
            stands: self.stop.as_ref().map(|stop| stop.thread.id),
        })
    }
}

impl Freeing {
    /// Whatever fails: the adapter is left all the same.
    pub(super) async fn carry_out(self, wire: &Wire) {
        // One that ran stands once its breakpoints have changed.
        let halts = !self.jobs.is_empty();
        handshake::sync(wire.clone(), self.jobs).await;
        let thread = match self.stands {
            None if halts => first_thread(wire).await,
            stands => stands,
        };
        if let Some(thread) = thread {
            let _ = onward::send(wire, &Resume::Continue, thread, Goes::WithAll).await;
        }
    }
}

async fn first_thread(wire: &Wire) -> Option<ThreadId> {
    let told = wire.call::<request::Threads>(NoArguments).await.ok()?;
    told.threads.first().map(|thread| ThreadId(thread.id))
}
