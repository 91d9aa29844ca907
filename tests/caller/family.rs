//! Which processes stem from one host, itself and its guard included: a mark in the environment, which children
//! inherit.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::PATIENCE;

/// The mark of one host.
#[derive(Clone, Debug)]
pub struct Mark(String);

impl Mark {
    pub const NAME: &str = "DAPDOCK_TEST_MARK";

    /// One that no other host has.
    pub fn fresh() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Self(format!("{}-{}-", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    pub fn value(&self) -> &str {
        &self.0
    }

    /// Command lines of the living that carry it, words separated by blanks.
    pub fn alive(&self) -> Vec<String> {
        let wanted = format!("{}={}", Self::NAME, self.0);
        let carries = |environment: &[u8]| environment.split(|byte| *byte == 0).any(|pair| pair == wanted.as_bytes());
        std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| {
                let process = entry.ok()?.path();
                // The dead have no environment any more.
                carries(&std::fs::read(process.join("environ")).ok()?).then_some(())?;
                let words = std::fs::read(process.join("cmdline")).ok()?;
                Some(String::from_utf8_lossy(&words).trim_end_matches('\0').replace('\0', " "))
            })
            .collect()
    }

    /// Waits for a process whose command line contains `words`.
    pub async fn comes(&self, words: &str) {
        let came = || self.alive().iter().any(|line| line.contains(words));
        let seen = within(PATIENCE, came).await;
        assert!(seen, "`{words}` was not started; there are {:#?}", self.alive());
    }

    /// Asserts that all are gone within `limit`.
    pub async fn goes(&self, limit: Duration, when: &str) {
        let gone = within(limit, || self.alive().is_empty()).await;
        assert!(gone, "{when}: {limit:?} later there are still {:#?}", self.alive());
    }
}

async fn within(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let mut tick = tokio::time::interval(Duration::from_millis(10));
    let look = async {
        while !holds() {
            tick.tick().await;
        }
    };
    tokio::time::timeout(limit, look).await.is_ok() || holds()
}
