//! The debuggee's output: a ring of numbered lines.
//!
//! Knows fragments, line ends, terminal escape sequences, which it strips, and bounds. Refuses to
//! know adapters: the actor decides which output is the program's.
//!
//! A line number is a cursor: a caller that has read up to one continues there. So an open line
//! that was delivered and then grows gets a new number and is delivered again, whole; and a line
//! that reaches the bound continues as the next line.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use anstream::adapter::StripBytes;

use crate::model::{OutputLine, OutputNote, OutputPage, OutputQuery, Stream};
use crate::pattern;
use crate::session::Error;
use crate::session::live::{Live, LiveEvent};
use crate::session::record::uncollected::Uncollected;

/// Lines and bytes of [`Output::tail`].
const TAIL: (usize, usize) = (800, 64 * 1024);
/// Lines of [`Output::news`].
const NEWS_LINES: usize = 3;
/// Lines of [`Output::failure_tail`], and the lines it chooses from.
const FAILURE_LINES: (usize, usize) = (12, 400);
/// How many of them explain the failure at most, and how many of adjacent ones.
const EXPLAINING: (usize, usize) = (8, 4);
/// Indented lines are dropped only if at least so many others remain, or if one explains.
const FEW: usize = 2;

/// The longest line, in bytes.
const LONGEST: usize = 2_000;

/// How far back an open line is searched for: the streams of an adapter may be many lines apart.
const OPEN_SEARCH: usize = 500;

pub(crate) struct Output {
    lines: VecDeque<OutputLine>,
    next: u64,
    bytes: usize,
    max_lines: usize,
    max_bytes: usize,
    max_line: usize,
    /// Lines before this one were in a note about news.
    seen: u64,
    /// Lines before this one were delivered, in a note or in a page.
    delivered: u64,
    /// Lines before this one are forgotten.
    forgotten: u64,
    /// How many of the debuggee's lines were forgotten before they were in a note.
    lost: u64,
    /// Counts the fragments that were added.
    revision: u64,
    /// State of a stream whose fragment ended inside an escape sequence.
    escapes: HashMap<Stream, StripBytes>,
    /// Where the program's output goes as well.
    copy: Option<Uncollected>,
    /// Those that watch each line.
    live: Live,
}

impl Output {
    pub(crate) fn new(max_lines: usize, max_bytes: usize, max_line: usize) -> Self {
        let max_line = max_line.min(LONGEST);
        Self {
            lines: VecDeque::new(),
            next: 0,
            bytes: 0,
            max_lines,
            max_bytes,
            max_line,
            seen: 0,
            delivered: 0,
            forgotten: 0,
            lost: 0,
            revision: 0,
            escapes: HashMap::new(),
            copy: None,
            live: Live::default(),
        }
    }

    /// Copies what the program prints from now on, as it prints it.
    pub(crate) fn copy_to(&mut self, copy: Uncollected) {
        self.copy = Some(copy);
    }

    /// Sends each line to watchers from now on.
    pub(crate) fn show_to(&mut self, live: Live) {
        self.live = live;
    }

    /// Sends the lines without an end to watchers: nothing more comes.
    pub(crate) fn close_lines(&self) {
        for line in self.lines.iter().filter(|line| !line.complete && !line.text.is_empty()) {
            self.live.send(|| LiveEvent::Output(line.clone()));
        }
    }

    /// Adds a fragment, split anywhere; lines end with `\n` or `\r\n`.
    pub(crate) fn write(&mut self, stream: Stream, text: &str) {
        self.revision += 1;
        for part in text.split_inclusive('\n') {
            let (plain, complete) = (self.strip(stream, part), part.ends_with('\n'));
            let plain = plain.trim_end_matches(['\n', '\r']);
            if let Some(copy) = &self.copy
                && matches!(stream, Stream::Stdout | Stream::Stderr)
            {
                copy.print(plain, complete);
            }
            // A fragment of escape sequences alone makes no line.
            if complete || !plain.is_empty() {
                self.append(stream, plain, complete);
            }
        }
        while self.lines.len() > self.max_lines || self.bytes > self.max_bytes {
            let Some(line) = self.lines.pop_front() else { break };
            self.bytes -= line.text.len();
            self.forgotten = line.number + 1;
            if self.is_news(&line) {
                self.lost += 1;
            }
        }
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// Strips escape sequences and control characters. A sequence ends with its line at the latest:
    /// what only looks like one does not swallow the rest.
    fn strip<'a>(&mut self, stream: Stream, part: &'a str) -> Cow<'a, str> {
        let escapes = self.escapes.entry(stream).or_default();
        // Most lines have nothing to strip.
        if *escapes == StripBytes::new() && !part.bytes().any(is_control) {
            return part.into();
        }
        let mut plain = Vec::with_capacity(part.len());
        for printable in escapes.strip_next(part.as_bytes()) {
            plain.extend_from_slice(printable);
        }
        if part.ends_with('\n') {
            *escapes = StripBytes::new();
        }
        String::from_utf8_lossy(&plain).into_owned().into()
    }

    fn append(&mut self, stream: Stream, part: &str, complete: bool) {
        let mut line = self.take_open(stream);
        let mut rest = part;
        loop {
            let room = self.max_line.saturating_sub(line.text.len());
            let mut fits = rest.floor_char_boundary(room);
            // A character that is longer than a line gets one of its own.
            if fits == 0 && line.text.is_empty() {
                fits = rest.chars().next().map_or(0, char::len_utf8);
            }
            let (head, more) = rest.split_at(fits);
            line.text.push_str(head);
            self.bytes += head.len();
            rest = more;
            line.complete = complete && rest.is_empty();
            // One that reaches the bound goes on as the next line.
            if line.complete || !rest.is_empty() {
                self.live.send(|| LiveEvent::Output(line.clone()));
            }
            self.put(line);
            if rest.is_empty() {
                return;
            }
            line = self.new_line(stream);
        }
    }

    /// Takes the stream's open line out of the ring, or makes a new one. The caller puts it back.
    fn take_open(&mut self, stream: Stream) -> OutputLine {
        let latest =
            self.lines.iter().rev().take(OPEN_SEARCH).position(|line| line.stream == stream);
        let at =
            latest.map(|back| self.lines.len() - 1 - back).filter(|at| !self.lines[*at].complete);
        let Some(mut line) = at.and_then(|at| self.lines.remove(at)) else {
            return self.new_line(stream);
        };
        if line.number < self.delivered {
            line.number = self.next;
            self.next += 1;
        }
        line
    }

    fn new_line(&mut self, stream: Stream) -> OutputLine {
        self.next += 1;
        OutputLine { number: self.next - 1, stream, text: String::new(), complete: false }
    }

    fn put(&mut self, line: OutputLine) {
        let at = self.lines.partition_point(|other| other.number < line.number);
        self.lines.insert(at, line);
    }

    /// The last lines of the debuggee's standard streams, for patterns that look for messages: a
    /// long stack may follow a message.
    pub(crate) fn tail(&self) -> String {
        let mut tail: Vec<&str> = Vec::new();
        let mut room = TAIL.1;
        for line in self.lines.iter().rev() {
            if !matches!(line.stream, Stream::Stdout | Stream::Stderr) {
                continue;
            }
            if tail.len() == TAIL.0 || line.text.len() > room {
                break;
            }
            room -= line.text.len();
            tail.push(&line.text);
        }
        tail.reverse();
        tail.join("\n")
    }

    /// Was the line not in a note yet, and is it not the adapter's?
    fn is_news(&self, line: &OutputLine) -> bool {
        line.number >= self.seen && line.stream != Stream::Adapter
    }

    /// The lines since the last [`mark_seen`](Self::mark_seen): how many, and the last few.
    pub(crate) fn news(&self) -> OutputNote {
        let news: Vec<&OutputLine> = self.lines.iter().filter(|line| self.is_news(line)).collect();
        let tail = &news[news.len().saturating_sub(NEWS_LINES)..];
        OutputNote {
            lines: news.len() as u64 + self.lost,
            lost: self.lost,
            tail: tail.iter().map(|line| (*line).clone()).collect(),
            since: self.seen,
        }
    }

    /// The lines since the last [`mark_seen`](Self::mark_seen) after a failure: more of them,
    /// chosen so that the reason is among them.
    ///
    /// If there are too many, indented lines (those of a stack) and empty ones are dropped. These
    /// stay: lines that explain the failure, the last line, the innermost frame of a stack that
    /// begins with `trace`, and the frame of the program's own code nearest to the failure.
    /// Explaining lines and this frame stay before all others.
    pub(crate) fn failure_tail(
        &self,
        trace: Option<&str>,
        explains: impl Fn(&str) -> bool,
        is_own: impl Fn(&str) -> bool,
    ) -> OutputNote {
        let (most, candidates) = FAILURE_LINES;
        // Newest first.
        let mut tail: Vec<OutputLine> = self
            .lines
            .iter()
            .rev()
            .filter(|line| self.is_news(line))
            .take(candidates)
            .cloned()
            .collect();
        let last = tail.first().map(|line| line.number);
        let any_explains = tail.iter().any(|line| explains(&line.text));
        let flush = tail.iter().filter(|line| is_flush(line)).count();
        let mut explaining = Vec::new();
        if tail.len() > most && (any_explains || flush >= FEW) {
            let innermost = trace.map(|trace| innermost(&tail, trace)).unwrap_or_default();
            explaining = first_in_rows(&tail, |line| explains(&line.text));
            let own = own_frame(&tail, &explaining, is_own);
            if let Some(own) = own.filter(|own| !explaining.contains(own)) {
                explaining.push(own);
            }
            let stays = [innermost, explaining.clone(), last.into_iter().collect()].concat();
            tail.retain(|line| is_flush(line) || stays.contains(&line.number));
        }
        let mut room_explaining = explaining.len().min(EXPLAINING.0);
        let mut room_others = most - room_explaining;
        tail.retain(|line| {
            let is_explaining = explaining.contains(&line.number);
            let room = if is_explaining { &mut room_explaining } else { &mut room_others };
            let fits = *room > 0;
            *room = room.saturating_sub(1);
            fits
        });
        tail.reverse();
        OutputNote { tail, ..self.news() }
    }

    /// The latest note reached a caller.
    pub(crate) fn mark_seen(&mut self) {
        (self.seen, self.lost) = (self.next, 0);
        self.delivered = self.next;
    }

    /// Undoes [`mark_seen`](Self::mark_seen): this note did not reach a caller.
    pub(crate) fn take_back(&mut self, note: &OutputNote) {
        (self.seen, self.lost) = (note.since, self.lost + note.lost);
    }

    /// The last lines of the program that are not blank, in order. A later note about output does
    /// not take them for delivered.
    pub(crate) fn last(&self, count: usize) -> Vec<OutputLine> {
        let of_program =
            |line: &&OutputLine| matches!(line.stream, Stream::Stdout | Stream::Stderr);
        let written = self.lines.iter().rev().filter(of_program);
        let mut last: Vec<OutputLine> =
            written.filter(|line| !line.text.trim().is_empty()).take(count).cloned().collect();
        last.reverse();
        last
    }

    /// Answers a query with a page of lines; `merged`: both standard streams are one, so that the
    /// lines of either may be the requested ones.
    ///
    /// # Errors
    /// `grep` is no regular expression.
    pub(crate) fn page(&mut self, query: &OutputQuery, merged: bool) -> Result<OutputPage, Error> {
        let grep = query.grep.as_deref().map(|pattern| {
            pattern::compile(pattern).map_err(|error| Error::BadPattern {
                pattern: pattern.to_owned(),
                cause: error.to_string().lines().next_back().unwrap_or_default().trim().to_owned(),
            })
        });
        let grep = grep.transpose()?;
        let is_standard = |stream| matches!(stream, Stream::Stdout | Stream::Stderr);
        let merged = merged && query.stream.is_some_and(is_standard);
        let since = query.since.unwrap_or(0);
        let mut all: Vec<&OutputLine> = Vec::new();
        for line in &self.lines {
            let is_wanted = match query.stream {
                Some(_) if merged => is_standard(line.stream),
                Some(stream) => line.stream == stream,
                None => line.stream != Stream::Adapter,
            };
            if line.number >= since
                && is_wanted
                && grep.as_ref().is_none_or(|grep| grep.is_match(&line.text))
            {
                all.push(line);
            }
        }
        let limit = query.limit.max(1) as usize;
        let (first, end) = match query.tail {
            Some(tail) => (all.len().saturating_sub((tail as usize).min(limit)), all.len()),
            None => (0, all.len().min(limit)),
        };
        let next = all.get(end).map_or(self.next, |line| line.number);
        self.delivered = self.delivered.max(next);
        Ok(OutputPage {
            earlier: (first > 0).then(|| all[first.saturating_sub(limit)].number),
            skipped: (all.len() - (end - first)) as u64,
            lost: self.forgotten.saturating_sub(since),
            lines: all[first..end].iter().map(|line| (*line).clone()).collect(),
            next,
            merged,
        })
    }
}

/// Whether [`StripBytes`] removes the byte, or enters a sequence at it.
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !byte.is_ascii_whitespace()
}

/// Is the line neither indented nor empty?
fn is_flush(line: &OutputLine) -> bool {
    !line.text.trim().is_empty() && !line.text.starts_with([' ', '\t'])
}

fn indent(line: &OutputLine) -> usize {
    line.text.len() - line.text.trim_start().len()
}

/// Numbers of the lines of the innermost frame of a stack that begins with `trace` and lists the
/// innermost frame last. `tail` is newest first.
fn innermost(tail: &[OutputLine], trace: &str) -> Vec<u64> {
    let Some(begin) = tail.iter().position(|line| line.text.starts_with(trace)) else {
        return Vec::new();
    };
    let frames = tail[..begin].iter().rev().take_while(|line| indent(line) > 0).count();
    let frames = &tail[begin - frames..begin];
    let outer = frames.iter().map(indent).min().unwrap_or(0);
    let first = frames.iter().position(|line| indent(line) == outer).unwrap_or(0);
    frames.iter().take(first + 1).map(|line| line.number).collect()
}

/// The number of the program's own frame nearest to a line that explains the failure, or of the
/// newest one. `tail` is newest first.
fn own_frame(
    tail: &[OutputLine],
    explaining: &[u64],
    is_own: impl Fn(&str) -> bool,
) -> Option<u64> {
    let own = tail.iter().filter(|line| indent(line) > 0 && is_own(&line.text));
    let distance = |number: &u64| explaining.iter().map(|other| other.abs_diff(*number)).min();
    own.map(|line| line.number).min_by_key(distance)
}

/// Numbers of the chosen lines. Of adjacent ones, each indented at least as far as the one above,
/// only the first few. `tail` is newest first.
fn first_in_rows(tail: &[OutputLine], chosen: impl Fn(&OutputLine) -> bool) -> Vec<u64> {
    let (mut numbers, mut row, mut before) = (Vec::new(), 0, 0);
    for line in tail.iter().rev() {
        let indent = indent(line);
        if !chosen(line) {
            row = 0;
        } else if indent < before {
            row = 1;
        } else {
            row += 1;
        }
        before = indent;
        if (1..=EXPLAINING.1).contains(&row) {
            numbers.push(line.number);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_stripped() {
        let mut output = Output::new(100, 1 << 20, 2_000);
        let link = "\u{1b}]8;;file:///shop\u{1b}\\shop\u{1b}]8;;\u{1b}\\ \u{1b}[2K\u{1b}[1;31mröd";
        for fragment in [link, "\u{1b}", "[", "0", "m\tgold\n", "\u{1b}]never ends\n", "next\r\n"] {
            output.write(Stream::Stdout, fragment);
            output.write(Stream::Stderr, "e");
        }
        let lines: Vec<_> = output.lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(lines, ["shop röd\tgold", "eeeeeee", "", "next"]);
    }

    #[test]
    fn lines_without_control_characters_need_no_stripping() {
        let mut output = Output::new(100, 1 << 20, 2_000);
        for character in '\0'..='\u{ff}' {
            let text = format!("a{character}b\n");
            let stripped: Vec<u8> =
                StripBytes::new().strip_next(text.as_bytes()).flatten().copied().collect();
            let plain = output.strip(Stream::Stdout, &text);
            assert_eq!(plain.as_bytes(), stripped, "{character:?}");
        }
    }

    #[test]
    fn invisible_text_makes_no_line() {
        let mut output = Output::new(100, 1 << 20, 2_000);
        let lines = |output: &Output| {
            output.lines.iter().map(|line| (line.number, line.text.clone())).collect::<Vec<_>>()
        };
        output.write(Stream::Stdout, "done\n\u{1b}[0m");
        assert_eq!(lines(&output), [(0, "done".to_owned())]);
        output.write(Stream::Stdout, "> ");
        output.mark_seen();
        output.write(Stream::Stdout, "\u{1b}[0m\u{1b}[K");
        assert_eq!((lines(&output).last(), output.news().lines), (Some(&(1, "> ".to_owned())), 0));
        output.write(Stream::Stdout, "\u{1b}[0m\n");
        assert_eq!(lines(&output).last(), Some(&(2, "> ".to_owned())));
        output.write(Stream::Stdout, "\u{1b}[0m\n");
        assert_eq!(lines(&output).last(), Some(&(3, String::new())));
    }

    #[test]
    fn failure_tail_reaches_back_to_the_reason() {
        let tail = |text: &str| {
            let mut output = Output::new(1_000, 1 << 20, 2_000);
            output.write(Stream::Stderr, text);
            let note = output.failure_tail(
                Some("Trace of"),
                |line| line.contains("wanted"),
                |line| line.contains("(own:"),
            );
            (note.lines, note.tail.into_iter().map(|line| line.text).collect::<Vec<_>>())
        };
        let stack = "    at f (shop:9)\n".repeat(15);
        let long = format!("shop:1\nthrow e\n^\n\nError: boom\nof 24\n{stack}\nversion 20\n");
        let points = ["shop:1", "throw e", "^", "Error: boom", "of 24", "version 20"];
        assert_eq!(tail(&long), (23, points.map(str::to_owned).into()));
        let deep = "    at f (shop:9)\n".repeat(150);
        let owned = format!("Error: wanted\n{deep}    at g (own:2)\n{deep}    at h (own:1)\nend\n");
        assert_eq!(tail(&owned).1, ["Error: wanted", "    at g (own:2)", "end"]);
        let short = "raised\n  at shop:1\n\nError: boom\n";
        assert_eq!(
            tail(short),
            (4, ["raised", "  at shop:1", "", "Error: boom"].map(str::to_owned).into())
        );
        assert_eq!(tail(&"a line\n".repeat(40)).1.len(), 12);
        let failed = format!("FAIL a\n  wanted 3\n{stack}\n1 failed\n");
        assert_eq!(tail(&failed).1, ["FAIL a", "  wanted 3", "1 failed"]);
        let (outer, inner) = ("    wanted\n".repeat(20), "      wanted\n".repeat(9));
        let deep = format!("Error: boom\n{outer}  because: wanted\n{inner}}}\nShop 2\n");
        let rows =
            [["    wanted"; 4].as_slice(), &["  because: wanted"], &["      wanted"; 3]].concat();
        let four = [&["Error: boom"][..], &rows, &["}", "Shop 2"]].concat();
        assert_eq!(tail(&deep).1, four);
        let (plain, end) = ("a line\n".repeat(9), "another\n".repeat(9));
        let late = tail(&format!("{plain}it is wanted\n  wanted 3\n{end}")).1;
        assert_eq!(late[..2], ["a line", "it is wanted"].map(str::to_owned));
        assert_eq!(
            (late.len(), late[2].as_str(), late[11].as_str()),
            (12, "  wanted 3", "another")
        );
        let indented = format!("  1) wanted\n\n{stack}\n");
        assert_eq!(tail(&indented).1, ["  1) wanted", ""]);
        let frame = |n: u32| format!("  File \"a\", line {n}\n    code\n      ^^^^\n");
        let frames: String = (1..9).map(frame).collect();
        let traced = format!("Trace of calls\n{frames}Error: boom\nof 24\n");
        let points = [
            "Trace of calls",
            "  File \"a\", line 8",
            "    code",
            "      ^^^^",
            "Error: boom",
            "of 24",
        ];
        assert_eq!(tail(&traced), (27, points.map(str::to_owned).into()));
    }
}
