//! Lines for the log of a session from those that work for it: the launch, and calls of the plugin.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Lines that wait at most; beyond it the oldest are dropped.
const WAITING: usize = 1000;

/// A line for the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// A fact.
    Line(String),
    /// A command line of the session.
    Command(String),
    /// A call of the plugin failed, with the reason; the host goes on without its answer.
    HookFailed(String),
}

/// Where these lines wait until the session takes them. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct LogSink(Arc<Mutex<VecDeque<LogEntry>>>);

impl LogSink {
    /// Adds a line.
    pub fn line(&self, line: impl Into<String>) {
        self.add(LogEntry::Line(line.into()));
    }

    /// Adds a command line.
    pub fn command(&self, line: impl Into<String>) {
        self.add(LogEntry::Command(line.into()));
    }

    /// Adds that a call of the plugin failed.
    pub fn hook_failed(&self, reason: impl Into<String>) {
        self.add(LogEntry::HookFailed(reason.into()));
    }

    fn add(&self, entry: LogEntry) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.push_back(entry);
        if waiting.len() > WAITING {
            waiting.pop_front();
        }
    }

    /// Takes the lines, in order.
    pub fn take(&self) -> Vec<LogEntry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_their_lines_and_the_oldest_are_dropped() {
        let sink = LogSink::default();
        let other = sink.clone();
        for number in 0..=WAITING {
            other.line(format!("line {number}"));
        }
        let lines = sink.take();
        assert_eq!((lines.len(), &lines[0]), (WAITING, &LogEntry::Line("line 1".into())));
        assert_eq!(other.take(), []);
    }
}
