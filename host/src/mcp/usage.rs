//! When a caller was there last: its open requests, streams included, and its calls that run as
//! tasks.
//!
//! Refuses to know what is answered and what follows from it.

use tokio::sync::watch;
use tokio::time::Instant;

/// The requests and tasks of one caller.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Requests whose answers are neither sent nor broken off, and tasks whose calls run.
    pub open: usize,
    /// The last change.
    pub since: Instant,
}

impl Default for Usage {
    fn default() -> Self {
        Self { open: 0, since: Instant::now() }
    }
}

/// A request until its answer is sent or its connection breaks, or a call of a task until it is
/// answered.
pub struct Use(watch::Sender<Usage>);

impl Use {
    pub fn begin(usage: &watch::Sender<Usage>) -> Self {
        usage.send_modify(|usage| *usage = Usage { open: usage.open + 1, since: Instant::now() });
        Self(usage.clone())
    }
}

impl Drop for Use {
    fn drop(&mut self) {
        self.0.send_modify(|usage| *usage = Usage { open: usage.open - 1, since: Instant::now() });
    }
}
