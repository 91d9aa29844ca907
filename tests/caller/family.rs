//! All processes that descend from one host, including itself and its guard: they inherit a mark in
//! their environment.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::PATIENCE;

/// The mark of one host.
#[derive(Clone, Debug)]
pub struct Mark(String);

impl Mark {
    pub const NAME: &str = "DAPDOCK_TEST_MARK";

    /// A mark that no other host has.
    pub fn fresh() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Self(format!("{}-{}-", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    pub fn value(&self) -> &str {
        &self.0
    }

    /// Command lines of the live processes with this mark, arguments separated by spaces.
    pub fn alive(&self) -> Vec<String> {
        self.processes().into_iter().map(|(_, line)| line).collect()
    }

    /// The adapter's pid: the host's only child other than its guard.
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

    /// Pid and command line of the live processes with this mark.
    fn processes(&self) -> Vec<(u32, String)> {
        let wanted = format!("{}={}", Self::NAME, self.0);
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
                continue;
            };
            let process = entry.path();
            // A process that ended has neither.
            let (Ok(environment), Ok(line)) =
                (std::fs::read(process.join("environ")), std::fs::read(process.join("cmdline")))
            else {
                continue;
            };
            if environment.split(|byte| *byte == 0).any(|pair| pair == wanted.as_bytes()) {
                let line = String::from_utf8_lossy(&line);
                found.push((pid, line.trim_end_matches('\0').replace('\0', " ")));
            }
        }
        found
    }

    /// Kills what is left, after a test that failed.
    pub fn kill(&self) {
        for (pid, _) in self.processes() {
            let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
            // One that has ended meanwhile cannot be killed.
            let _ = pid.map(|pid| kill_process(pid, Signal::KILL));
        }
    }

    /// Waits for a process whose command line contains `words`.
    pub async fn wait_for_process(&self, words: &str) {
        let started = || self.alive().iter().any(|line| line.contains(words));
        let seen = wait_until(PATIENCE, started).await;
        assert!(seen, "`{words}` was not started; there are {:#?}", self.alive());
    }

    /// Asserts that after at most `limit` only the host and its guard are left.
    pub async fn only_host(&self, limit: Duration) {
        const OWN: [&str; 3] = ["dapdock mcp", "dapdock serve", "dapdock guard"];
        let own = |line: &String| OWN.iter().any(|words| line.contains(words));
        let alone = wait_until(limit, || self.alive().iter().all(own)).await;
        assert!(alone, "{limit:?} later there are still {:#?}", self.alive());
    }

    /// Asserts that after at most `limit` no process is left.
    pub async fn wait_until_gone(&self, limit: Duration, when: &str) {
        let gone = wait_until(limit, || self.alive().is_empty()).await;
        assert!(gone, "{when}: {limit:?} later there are still {:#?}", self.alive());
    }
}

/// Asserts that a process runs: its threads are scheduled (proc(5)), which those of a stopped
/// process are not.
pub async fn assert_runs(pid: u32) {
    let first = context_switches(pid);
    assert!(
        wait_until(PATIENCE, || context_switches(pid) > first + 5).await,
        "process {pid} stands"
    );
}

fn context_switches(pid: u32) -> u64 {
    let mut sum = 0;
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
        // A thread may end meanwhile.
        let status = std::fs::read_to_string(thread.path().join("status")).unwrap_or_default();
        let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        sum += count.map_or(0, |count| count.trim().parse::<u64>().unwrap());
    }
    sum
}

/// The child process of `of` that runs `program`.
pub fn child(of: u32, program: &Path) -> Option<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let mut pids = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let runs_program =
        |pid: u32| std::fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == program);
    pids.find(|pid| parent(*pid) == Some(of) && runs_program(*pid))
}

/// The parent's pid (proc(5)): the fourth field, after a name that may contain anything.
fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

async fn wait_until(limit: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let mut tick = tokio::time::interval(Duration::from_millis(10));
    let poll = async {
        while !condition() {
            tick.tick().await;
        }
    };
    tokio::time::timeout(limit, poll).await.is_ok() || condition()
}
