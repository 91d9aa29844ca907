//! The CPU time of processes at one moment, and their use of the CPU since then.

use std::time::Duration;

use tokio::time::Instant;

use crate::process;

/// The system counts in hundredths of a second, so that a shorter time gives no figure.
const SHORTEST: Duration = Duration::from_millis(200);

pub(crate) struct CpuSample {
    at: Instant,
    /// By process id.
    processes: Vec<(u32, Duration)>,
}

impl CpuSample {
    /// `None` if none of these processes is alive.
    pub(crate) fn of(pids: &[u32]) -> Option<Self> {
        let mut processes = Vec::new();
        for pid in pids {
            processes.extend(process::cpu_time(*pid).map(|cpu| (*pid, cpu)));
        }
        (!processes.is_empty()).then(|| Self { at: Instant::now(), processes })
    }

    /// What the processes that still live have used since, in percent of a core. `None` if none
    /// lives, or too soon.
    pub(crate) fn percent(&self) -> Option<u32> {
        let passed = self.at.elapsed();
        if passed < SHORTEST {
            return None;
        }
        let mut used = None;
        for (pid, before) in &self.processes {
            let Some(now) = process::cpu_time(*pid) else { continue };
            *used.get_or_insert(Duration::ZERO) += now.saturating_sub(*before);
        }
        Some((100.0 * used?.as_secs_f64() / passed.as_secs_f64()) as u32)
    }
}
