//! Which processes stem from one host, itself and its guard included: a mark in the environment,
//! which children inherit.

use std::path::Path;
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
        self.processes().into_iter().map(|(_, line)| line).collect()
    }

    /// The adapter: what the host has started itself, beside its guard.
    #[track_caller]
    pub fn adapter(&self) -> u32 {
        let all = self.processes();
        let host = all.iter().find(|(_, line)| line.contains("dapdock mcp")).map(|(pid, _)| *pid);
        let own =
            |(pid, line): &&(u32, String)| parent(*pid) == host && !line.contains("dapdock guard");
        let adapters: Vec<_> = all.iter().filter(own).collect();
        assert_eq!(adapters.len(), 1, "{adapters:?} of {all:#?}");
        adapters[0].0
    }

    /// The living that carry it: number and command line.
    fn processes(&self) -> Vec<(u32, String)> {
        let wanted = format!("{}={}", Self::NAME, self.0);
        let carries = |environment: &[u8]| {
            environment.split(|byte| *byte == 0).any(|pair| pair == wanted.as_bytes())
        };
        std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| {
                let process = entry.ok()?.path();
                // The dead have no environment any more.
                carries(&std::fs::read(process.join("environ")).ok()?).then_some(())?;
                let words = std::fs::read(process.join("cmdline")).ok()?;
                let pid = process.file_name()?.to_str()?.parse().ok()?;
                Some((
                    pid,
                    String::from_utf8_lossy(&words).trim_end_matches('\0').replace('\0', " "),
                ))
            })
            .collect()
    }

    /// Waits for a process whose command line contains `words`.
    pub async fn comes(&self, words: &str) {
        let came = || self.alive().iter().any(|line| line.contains(words));
        let seen = within(PATIENCE, came).await;
        assert!(seen, "`{words}` was not started; there are {:#?}", self.alive());
    }

    /// Asserts that within `limit` only the host and its guard are left.
    pub async fn only_host(&self, limit: Duration) {
        let own = |line: &String| line.contains("dapdock mcp") || line.contains("dapdock guard");
        let alone = within(limit, || self.alive().iter().all(own)).await;
        assert!(alone, "{limit:?} later there are still {:#?}", self.alive());
    }

    /// Asserts that all are gone within `limit`.
    pub async fn goes(&self, limit: Duration, when: &str) {
        let gone = within(limit, || self.alive().is_empty()).await;
        assert!(gone, "{when}: {limit:?} later there are still {:#?}", self.alive());
    }
}

/// Asserts that a process runs: its threads take turns (proc(5)), which those that the system has
/// stopped do not.
pub async fn runs(pid: u32) {
    let first = turns(pid);
    assert!(within(PATIENCE, || turns(pid) > first + 5).await, "process {pid} stands");
}

fn turns(pid: u32) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let status =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("status")).ok());
    let count = |text: String| {
        text.lines().find_map(|line| {
            line.strip_prefix("voluntary_ctxt_switches:")?.trim().parse::<u64>().ok()
        })
    };
    status.filter_map(count).sum()
}

/// What a process has started to run a program.
pub fn child(of: u32, program: &Path) -> Option<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let mut pids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let runs =
        |pid: u32| std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == program);
    pids.find(|pid| parent(*pid) == Some(of) && runs(*pid))
}

/// Who started it, while that one lives (proc(5)): the fourth word, behind a name that may hold
/// anything.
fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
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
