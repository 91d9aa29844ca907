//! How busy the machine's processors were during a run. Linux counts it in `/proc/stat` (proc(5));
//! elsewhere it is unknown.

use std::fs;

/// Clock ticks of all processors since the machine started.
#[derive(Debug, PartialEq, Eq)]
pub struct Ticks {
    idle: u64,
    all: u64,
}

impl Ticks {
    pub fn now() -> Option<Self> {
        Self::parse(&fs::read_to_string("/proc/stat").ok()?)
    }

    /// Reads the first line: `cpu user nice system idle iowait irq softirq steal …`. What follows
    /// is counted in `user` and `nice` already.
    fn parse(text: &str) -> Option<Self> {
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<u64> =
            line.split_whitespace().take(8).map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Self { idle: ticks.get(3)? + ticks.get(4)?, all: ticks.iter().sum() })
    }

    /// How much of the time since then the processors worked, in percent.
    pub fn busy_until(&self, later: &Self) -> f64 {
        let all = later.all.saturating_sub(self.all).max(1);
        let idle = later.idle.saturating_sub(self.idle);
        100.0 * (1.0 - idle as f64 / all as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_of_busy_time_is_between_two_readings() {
        let first = Ticks::parse("cpu  100 0 50 800 50 0 0 0 7 7\ncpu0 1\n").unwrap();
        assert_eq!(first, Ticks { idle: 850, all: 1000 });
        let second = Ticks::parse("cpu  160 0 65 820 55 0 0 0 9 9\n").unwrap();
        assert_eq!(first.busy_until(&second).round(), 75.0);
        assert_eq!(Ticks::parse("intr 1\n"), None);
    }
}
