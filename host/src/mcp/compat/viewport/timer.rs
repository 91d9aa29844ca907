//! Ends a session when its time is over.
//!
//! Belongs to the memory of the caller: dropping it cancels it. Refuses to know how long a session
//! may last.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::session::{EndMode, Handle};

/// The time of one session.
pub(super) struct Timer {
    is_over: Arc<AtomicBool>,
    task: Option<JoinHandle<()>>,
}

impl Timer {
    /// `deadline`: `None`: the session may last for ever.
    pub fn start(session: Handle, deadline: Option<Instant>) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let task = deadline.map(|deadline| spawn(end_in_time(session, deadline, is_over.clone())));
        Self { is_over, task }
    }

    /// Whether it has ended the session.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

async fn end_in_time(session: Handle, deadline: Instant, is_over: Arc<AtomicBool>) {
    if timeout_at(deadline, session.over()).await.is_ok() {
        return;
    }
    // A person who has taken it is not interrupted.
    session.given().await;
    is_over.store(true, Ordering::Relaxed);
    // The session may have ended by itself just now.
    drop(session.close(EndMode::Auto).await);
}

#[expect(
    clippy::disallowed_methods,
    reason = "no call is open when the time is over; the timer owns the task"
)]
fn spawn(ending: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(ending)
}
