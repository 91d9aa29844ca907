//! Time that does not count against the deadline of a guest call.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time that a call spent waiting for probes; its deadline moves by as much.
#[derive(Default)]
pub(crate) struct ExtraTime(AtomicU64);

impl ExtraTime {
    pub fn get(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::Acquire))
    }

    /// Runs `work`, which ends within `bound`, off the clock.
    pub async fn during<T>(&self, bound: Duration, work: impl Future<Output = T>) -> T {
        let bound = u64::try_from(bound.as_millis()).unwrap_or(u64::MAX >> 8);
        self.0.fetch_add(bound, Ordering::AcqRel);
        let began = tokio::time::Instant::now();
        let result = work.await;
        let took = u64::try_from(began.elapsed().as_millis()).unwrap_or(bound);
        self.0.fetch_sub(bound.saturating_sub(took), Ordering::AcqRel);
        result
    }
}
