//! The session's own log: command lines, launch arguments, raw requests, phases, what plugins log,
//! one short line each. DAP messages are in `dap::trace`.
//!
//! Refuses to know what is in a line.

use std::collections::VecDeque;

use tokio::time::Instant;

use crate::dap::Trace;
use crate::model::{LogEntry, LogSink};
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
    /// Lines of those that work for the session.
    sink: LogSink,
    has_hook_failed: bool,
    /// Command lines of the session.
    commands: Vec<String>,
    /// The messages of its connection, once it is there.
    trace: Option<Trace>,
}

impl Log {
    /// `sink`: whose lines it collects.
    pub(crate) fn new(keep: usize, sink: LogSink) -> Self {
        Self {
            lines: VecDeque::new(),
            forgotten: 0,
            keep,
            born: Instant::now(),
            failure: None,
            sink,
            has_hook_failed: false,
            commands: Vec::new(),
            trace: None,
        }
    }

    /// The adapter is connected. Lines of the log and of the trace have the time since the start of
    /// the session.
    pub(crate) fn follow(&mut self, trace: &Trace) {
        trace.count_from(self.born);
        for command in self.commands.drain(..) {
            trace.line(&command);
        }
        self.trace = Some(trace.clone());
    }

    /// The command lines of the session and its DAP messages.
    pub(crate) fn messages(&self) -> LogLines {
        match &self.trace {
            Some(trace) => {
                let (first, lines) = trace.lines();
                LogLines { first, lines }
            }
            None => LogLines { first: 0, lines: self.commands.clone() },
        }
    }

    pub(crate) fn sink(&self) -> LogSink {
        self.sink.clone()
    }

    /// Adds the lines that wait. Returns the reason of the first call of the plugin that failed in
    /// this session, once.
    pub(crate) fn collect(&mut self) -> Option<String> {
        let mut first = None;
        for entry in self.sink.take() {
            match entry {
                LogEntry::Line(line) => self.add(line),
                LogEntry::Command(line) => {
                    self.add(&line);
                    self.commands.push(line);
                }
                LogEntry::HookFailed(reason) => {
                    self.add(format!("the host goes on without an answer: {reason}"));
                    if !std::mem::replace(&mut self.has_hook_failed, true) {
                        first = Some(reason);
                    }
                }
            }
        }
        first
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn messages_have_the_times_of_the_log() {
        let mut log = Log::new(9, LogSink::default());
        tokio::time::advance(Duration::from_secs(2)).await;
        let trace = Trace::new();
        log.follow(&trace);
        tokio::time::advance(Duration::from_secs(1)).await;
        log.add("one");
        trace.line("two");
        let lines = [log.lines().lines, log.messages().lines].concat();
        assert_eq!(lines, ["   3.000 s  one", "   3.000 s  two"]);
    }
}
