//! The session's own log: what it started, sent and went through, in short lines.

use std::collections::VecDeque;

use tokio::time::Instant;

use super::LogLines;

pub(super) struct Log {
    lines: VecDeque<String>,
    forgotten: u64,
    keep: usize,
    born: Instant,
}

impl Log {
    pub(super) fn new(keep: usize) -> Self {
        Self { lines: VecDeque::new(), forgotten: 0, keep, born: Instant::now() }
    }

    pub(super) fn add(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        let cut = &line[..line.floor_char_boundary(400)];
        self.lines.push_back(format!("{:>8.3} s  {cut}", self.born.elapsed().as_secs_f64()));
        if self.lines.len() > self.keep {
            self.lines.pop_front();
            self.forgotten += 1;
        }
    }

    pub(super) fn lines(&self) -> LogLines {
        LogLines { first: self.forgotten, lines: self.lines.iter().cloned().collect() }
    }
}
