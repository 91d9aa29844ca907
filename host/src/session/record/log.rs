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
    /// The number of the line about the failure of the session.
    failure: Option<u64>,
}

impl Log {
    pub(crate) fn new(keep: usize) -> Self {
        Self { lines: VecDeque::new(), forgotten: 0, keep, born: Instant::now(), failure: None }
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

    /// The line that says why the session failed.
    pub(crate) fn add_failure(&mut self, line: impl AsRef<str>) {
        self.failure = Some(self.end());
        self.add(line);
    }

    /// The lines from this number on, each with whether it says why the session failed.
    pub(crate) fn since(&self, from: u64) -> impl Iterator<Item = (&str, bool)> {
        let first = self.forgotten;
        let numbered = (first..).zip(&self.lines).skip(from.saturating_sub(first) as usize);
        numbered.map(|(number, line)| (line.trim_start(), Some(number) == self.failure))
    }

    /// The number of the next line.
    pub(crate) fn end(&self) -> u64 {
        self.forgotten + self.lines.len() as u64
    }

    pub(crate) fn lines(&self) -> LogLines {
        LogLines { first: self.forgotten, lines: self.lines.iter().cloned().collect() }
    }
}
