//! What the debuggee printed: a ring of lines with numbers.
//!
//! Knows fragments, line ends and bounds. Refuses to know adapters: what counts as
//! program output was decided before.

use std::collections::VecDeque;

use regex::Regex;

use super::Error;
use crate::model::{OutputLine, OutputNote, OutputPage, OutputQuery, Stream};

/// How many lines a stop shows.
const NOTE_LINES: usize = 3;

pub(super) struct Output {
    lines: VecDeque<OutputLine>,
    next: u64,
    bytes: usize,
    max_lines: usize,
    max_bytes: usize,
    max_line: usize,
    seen: u64,
}

/// How far back a line may stand that is still being printed, while other streams go on: an adapter's streams may be
/// many lines apart.
const NEAR: usize = 500;

impl Output {
    pub(super) fn new(max_lines: usize, max_bytes: usize, max_line: usize) -> Self {
        Self { lines: VecDeque::new(), next: 0, bytes: 0, max_lines, max_bytes, max_line, seen: 0 }
    }

    /// Adds a fragment: any split, `\n` or `\r\n`.
    pub(super) fn write(&mut self, stream: Stream, text: &str) {
        for part in text.split_inclusive('\n') {
            let complete = part.ends_with('\n');
            self.append(stream, part.trim_end_matches(['\n', '\r']), complete);
        }
        while self.lines.len() > self.max_lines || self.bytes > self.max_bytes {
            match self.lines.pop_front() {
                Some(line) => self.bytes -= line.text.len(),
                None => break,
            }
        }
    }

    fn append(&mut self, stream: Stream, part: &str, complete: bool) {
        let open = self.lines.iter_mut().rev().take(NEAR).find(|line| line.stream == stream && !line.complete);
        let line = match open {
            Some(line) => line,
            None => {
                self.lines.push_back(OutputLine { number: self.next, stream, text: String::new(), complete: false });
                self.next += 1;
                match self.lines.back_mut() {
                    Some(line) => line,
                    None => return,
                }
            }
        };
        let room = self.max_line.saturating_sub(line.text.len());
        let kept = &part[..part.floor_char_boundary(room)];
        line.text.push_str(kept);
        line.complete = complete;
        self.bytes += kept.len();
    }

    /// The last characters of what the debuggee printed, for readers of messages.
    pub(super) fn tail(&self, lines: usize) -> String {
        let own = |line: &&OutputLine| matches!(line.stream, Stream::Stdout | Stream::Stderr);
        let mut tail: Vec<&str> = self.lines.iter().rev().filter(own).take(lines).map(|l| l.text.as_str()).collect();
        tail.reverse();
        tail.join("\n")
    }

    /// What came since the last [`mark_seen`](Self::mark_seen).
    pub(super) fn news(&self) -> OutputNote {
        let news = || self.lines.iter().filter(|line| line.number >= self.seen && line.stream != Stream::Adapter);
        let lines = news().count();
        OutputNote {
            lines: lines as u64,
            tail: news().skip(lines.saturating_sub(NOTE_LINES)).cloned().collect(),
            since: self.seen,
        }
    }

    /// A caller has been told of everything so far.
    pub(super) fn mark_seen(&mut self) {
        self.seen = self.next;
    }

    /// A page.
    pub(super) fn page(&self, query: &OutputQuery) -> Result<OutputPage, Error> {
        let grep = query.grep.as_deref().map(|pattern| {
            Regex::new(pattern).map_err(|error| Error::BadPattern {
                pattern: pattern.to_owned(),
                cause: error.to_string().lines().next_back().unwrap_or_default().trim().to_owned(),
            })
        });
        let grep = grep.transpose()?;
        let since = query.since.unwrap_or(0);
        let first = self.lines.front().map_or(self.next, |line| line.number);
        let wanted = |line: &&OutputLine| {
            line.number >= since
                && query.stream.map_or(line.stream != Stream::Adapter, |stream| line.stream == stream)
                && grep.as_ref().is_none_or(|grep| grep.is_match(&line.text))
        };
        let all: Vec<&OutputLine> = self.lines.iter().filter(wanted).collect();
        let limit = query.limit.max(1) as usize;
        let (lines, next) = match query.tail {
            Some(tail) => (&all[all.len() - all.len().min((tail as usize).min(limit))..], self.next),
            None => {
                let page = &all[..all.len().min(limit)];
                let cut = page.len() < all.len();
                (page, if cut { page.last().map_or(self.next, |line| line.number + 1) } else { self.next })
            }
        };
        Ok(OutputPage {
            lines: lines.iter().map(|line| (*line).clone()).collect(),
            next,
            lost: first.saturating_sub(since),
            skipped: (all.len() - lines.len()) as u64,
        })
    }
}
