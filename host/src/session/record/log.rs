//! The session's own log: processes started, requests sent, phases, one short line each.
//!
//! Refuses to know what is in a line.

use std::collections::VecDeque;

use tokio::time::Instant;

use crate::session::LogLines;

/// Lines are cut here, in bytes.
const LONGEST: usize = 400;

/// Beyond `keep` lines the oldest are forgotten.
pub(crate) struct Log {
    lines: VecDeque<String>,
    forgotten: u64,
    keep: usize,
    born: Instant,
}

impl Log {
    pub(crate) fn new(keep: usize) -> Self {
        Self { lines: VecDeque::new(), forgotten: 0, keep, born: Instant::now() }
    }

    pub(crate) fn add(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        let cut = &line[..line.floor_char_boundary(LONGEST)];
        self.lines.push_back(format!("{:>8.3} s  {cut}", self.born.elapsed().as_secs_f64()));
        if self.lines.len() > self.keep {
            self.lines.pop_front();
            self.forgotten += 1;
        }
    }

    /// The number of the next line.
    pub(crate) fn end(&self) -> u64 {
        self.forgotten + self.lines.len() as u64
    }

    pub(crate) fn lines(&self) -> LogLines {
        LogLines { first: self.forgotten, lines: self.lines.iter().cloned().collect() }
    }
}
