//! What the debuggee printed: a ring of lines with numbers.
//!
//! Knows fragments, line ends, the escape sequences of terminals, which are left out, and bounds.
//! Refuses to know adapters: what counts as program output was decided before.
//!
//! A number is a cursor: whoever has been told everything up to one finds the rest behind it. So a
//! line that goes on after it was told is told again, whole, as the newest one; and what a long
//! line has no room for is the next line.

use std::collections::{HashMap, VecDeque};

use anstream::adapter::StripBytes;

use crate::model::{OutputLine, OutputNote, OutputPage, OutputQuery, Stream};
use crate::pattern;
use crate::session::Error;

/// Fewer lines than that do not say why, but where one is such that does.
const FEW: usize = 2;

/// Lines and bytes of the tail that readers of messages are given.
const TAIL: (usize, usize) = (800, 64 * 1024);
/// How many lines a stop shows.
const NOTE_LINES: usize = 3;
/// How many lines the end of one that failed shows, and how many it looks at.
const LAST_WORDS: (usize, usize) = (12, 60);
/// How many of those that it shows may be such that tell why, and of a row of these.
const TELLING: (usize, usize) = (8, 4);

pub(crate) struct Output {
    lines: VecDeque<OutputLine>,
    next: u64,
    bytes: usize,
    max_lines: usize,
    max_bytes: usize,
    max_line: usize,
    seen: u64,
    /// Lines before this one have been told to somebody.
    told: u64,
    /// Lines before this one are forgotten.
    forgotten: u64,
    /// So many of the debuggee's lines are forgotten that no caller was told of.
    unseen: u64,
    /// Where a fragment ended within an escape sequence.
    escapes: HashMap<Stream, StripBytes>,
}

/// The longest line that is told whole, in bytes.
const LONGEST: usize = 2_000;

/// How far back a line may stand that is still being printed, while other streams go on: an
/// adapter's streams may be many lines apart.
const NEAR: usize = 500;

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
            told: 0,
            forgotten: 0,
            unseen: 0,
            escapes: HashMap::new(),
        }
    }

    /// Adds a fragment: any split, `\n` or `\r\n`.
    pub(crate) fn write(&mut self, stream: Stream, text: &str) {
        for part in text.split_inclusive('\n') {
            let (plain, complete) = (self.plain(stream, part), part.ends_with('\n'));
            match plain.trim_end_matches(['\n', '\r']) {
                // Nothing is to be seen of it.
                "" if !complete => {}
                plain => self.append(stream, plain, complete),
            }
        }
        while self.lines.len() > self.max_lines || self.bytes > self.max_bytes {
            match self.lines.pop_front() {
                Some(line) => {
                    self.bytes -= line.text.len();
                    self.forgotten = line.number + 1;
                    self.unseen +=
                        u64::from(line.number >= self.seen && line.stream != Stream::Adapter);
                }
                None => break,
            }
        }
    }

    /// Without escape sequences. None goes on behind its line: what only looks like one must not
    /// take the rest with it.
    fn plain(&mut self, stream: Stream, part: &str) -> String {
        let escapes = self.escapes.entry(stream).or_default();
        let plain = escapes.strip_next(part.as_bytes()).flatten().copied().collect::<Vec<u8>>();
        if part.ends_with('\n') {
            *escapes = StripBytes::new();
        }
        String::from_utf8_lossy(&plain).into_owned()
    }

    fn append(&mut self, stream: Stream, part: &str, complete: bool) {
        let mut line = self.take_open(stream);
        let mut rest = part;
        loop {
            let room = self.max_line.saturating_sub(line.text.len());
            let fits = match rest.floor_char_boundary(room) {
                // A character that no line has room for.
                0 if line.text.is_empty() => rest.chars().next().map_or(0, char::len_utf8),
                fits => fits,
            };
            let (kept, more) = rest.split_at(fits);
            line.text.push_str(kept);
            self.bytes += kept.len();
            rest = more;
            line.complete = complete && rest.is_empty();
            self.put(line);
            if rest.is_empty() {
                return;
            }
            line = self.fresh(stream);
        }
    }

    /// The stream's line that is not ended yet, else a new one. It is not in the ring until it is
    /// put there.
    fn take_open(&mut self, stream: Stream) -> OutputLine {
        let latest = self.lines.iter().rev().take(NEAR).position(|line| line.stream == stream);
        let at =
            latest.map(|back| self.lines.len() - 1 - back).filter(|at| !self.lines[*at].complete);
        let Some(mut line) = at.and_then(|at| self.lines.remove(at)) else {
            return self.fresh(stream);
        };
        if line.number < self.told {
            line.number = self.next;
            self.next += 1;
        }
        line
    }

    fn fresh(&mut self, stream: Stream) -> OutputLine {
        self.next += 1;
        OutputLine { number: self.next - 1, stream, text: String::new(), complete: false }
    }

    fn put(&mut self, line: OutputLine) {
        let at = self.lines.partition_point(|other| other.number < line.number);
        self.lines.insert(at, line);
    }

    /// The last lines of what the debuggee printed, for readers of messages: behind one may stand a
    /// long stack.
    pub(crate) fn tail(&self) -> String {
        let own = |line: &&OutputLine| matches!(line.stream, Stream::Stdout | Stream::Stderr);
        let mut room = TAIL.1;
        let fits = |line: &&OutputLine| {
            let fits = line.text.len() <= room;
            room = room.saturating_sub(line.text.len());
            fits
        };
        let last = self.lines.iter().rev().filter(own).take(TAIL.0).take_while(fits);
        let mut tail: Vec<&str> = last.map(|line| line.text.as_str()).collect();
        tail.reverse();
        tail.join("\n")
    }

    /// What came since the last [`mark_seen`](Self::mark_seen).
    pub(crate) fn news(&self) -> OutputNote {
        let news = || {
            self.lines
                .iter()
                .filter(|line| line.number >= self.seen && line.stream != Stream::Adapter)
        };
        let lines = news().count();
        OutputNote {
            lines: lines as u64 + self.unseen,
            lost: self.unseen,
            tail: news().skip(lines.saturating_sub(NOTE_LINES)).cloned().collect(),
            since: self.seen,
        }
    }

    /// The same at the end of one that failed, back to why. The lines of a stack, which are
    /// indented, and empty ones give way where there are too many, but for the first in a row that
    /// are `telling`, which stay before any other; of one that begins with `trace` the innermost
    /// frame stays, above its point.
    pub(crate) fn last_words(
        &self,
        trace: Option<&str>,
        telling: impl Fn(&str) -> bool,
    ) -> OutputNote {
        let own = |line: &&OutputLine| line.number >= self.seen && line.stream != Stream::Adapter;
        let (shown, looked_at) = LAST_WORDS;
        let mut tail: Vec<OutputLine> =
            self.lines.iter().rev().filter(own).take(looked_at).cloned().collect();
        let says =
            |line: &OutputLine| !line.text.trim().is_empty() && !line.text.starts_with([' ', '\t']);
        let last = tail.first().map(|line| line.number);
        let mut told = Vec::new();
        let tells = tail.iter().any(|line| telling(&line.text));
        if tail.len() > shown && (tells || tail.iter().filter(|line| says(line)).count() >= FEW) {
            let innermost = trace.map(|trace| innermost(&tail, trace)).unwrap_or_default();
            told = first_in_rows(&tail, |line| telling(&line.text));
            let stays = [innermost, told.clone(), last.into_iter().collect()].concat();
            tail.retain(|line| says(line) || stays.contains(&line.number));
        }
        let mut room = (told.len().min(TELLING.0), shown - told.len().min(TELLING.0));
        tail.retain(|line| {
            let room = if told.contains(&line.number) { &mut room.0 } else { &mut room.1 };
            let fits = *room > 0;
            *room = room.saturating_sub(1);
            fits
        });
        tail.reverse();
        OutputNote { tail, ..self.news() }
    }

    /// A caller has been told of everything so far.
    pub(crate) fn mark_seen(&mut self) {
        (self.seen, self.unseen) = (self.next, 0);
        self.told = self.next;
    }

    /// Nobody has been told of this note after all.
    pub(crate) fn take_back(&mut self, note: &OutputNote) {
        (self.seen, self.unseen) = (note.since, self.unseen + note.lost);
    }

    /// A page.
    pub(crate) fn page(&mut self, query: &OutputQuery) -> Result<OutputPage, Error> {
        let grep = query.grep.as_deref().map(|pattern| {
            pattern::compile(pattern).map_err(|error| Error::BadPattern {
                pattern: pattern.to_owned(),
                cause: error.to_string().lines().next_back().unwrap_or_default().trim().to_owned(),
            })
        });
        let grep = grep.transpose()?;
        let since = query.since.unwrap_or(0);
        let wanted = |line: &&OutputLine| {
            line.number >= since
                && query
                    .stream
                    .map_or(line.stream != Stream::Adapter, |stream| line.stream == stream)
                && grep.as_ref().is_none_or(|grep| grep.is_match(&line.text))
        };
        let all: Vec<&OutputLine> = self.lines.iter().filter(wanted).collect();
        let limit = query.limit.max(1) as usize;
        let (first, last) = match query.tail {
            Some(tail) => (all.len() - all.len().min((tail as usize).min(limit)), all.len()),
            None => (0, all.len().min(limit)),
        };
        let next = all.get(last).map_or(self.next, |line| line.number);
        self.told = self.told.max(next);
        Ok(OutputPage {
            earlier: (first > 0).then(|| all[first.saturating_sub(limit)].number),
            skipped: (all.len() - (last - first)) as u64,
            lost: self.forgotten.saturating_sub(since),
            lines: all[first..last].iter().map(|line| (*line).clone()).collect(),
            next,
        })
    }
}

/// The lines of the innermost frame above the point of a stack that begins with `trace`; the newest
/// line is the first.
fn innermost(tail: &[OutputLine], trace: &str) -> Vec<u64> {
    let Some(begin) = tail.iter().position(|line| line.text.starts_with(trace)) else {
        return Vec::new();
    };
    let indent = |line: &OutputLine| line.text.len() - line.text.trim_start().len();
    let frames = tail[..begin].iter().rev().take_while(|line| indent(line) > 0).count();
    let frames = &tail[begin - frames..begin];
    let outer = frames.iter().map(indent).min().unwrap_or(0);
    let first = frames.iter().position(|line| indent(line) == outer).unwrap_or(0);
    frames.iter().take(first + 1).map(|line| line.number).collect()
}

/// Numbers of those that are chosen, but no more than [`TELLING`] has of those that follow each
/// other, none less indented. `tail` is newest first.
fn first_in_rows(tail: &[OutputLine], chosen: impl Fn(&OutputLine) -> bool) -> Vec<u64> {
    let (mut numbers, mut row, mut before) = (Vec::new(), 0, 0);
    for line in tail.iter().rev() {
        let indent = line.text.len() - line.text.trim_start().len();
        row = match chosen(line) {
            true if indent < before => 1,
            true => row + 1,
            false => 0,
        };
        before = indent;
        if (1..=TELLING.1).contains(&row) {
            numbers.push(line.number);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_left_out() {
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
    fn what_shows_nothing_is_no_line() {
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
    fn the_end_of_one_that_failed_reaches_back_to_why() {
        let told = |text: &str| {
            let mut output = Output::new(1_000, 1 << 20, 2_000);
            output.write(Stream::Stderr, text);
            let note = output.last_words(Some("Trace of"), |line| line.contains("wanted"));
            (note.lines, note.tail.into_iter().map(|line| line.text).collect::<Vec<_>>())
        };
        let stack = "    at f (shop:9)\n".repeat(15);
        let long = format!("shop:1\nthrow e\n^\n\nError: boom\nof 24\n{stack}\nversion 20\n");
        let points = ["shop:1", "throw e", "^", "Error: boom", "of 24", "version 20"];
        assert_eq!(told(&long), (23, points.map(str::to_owned).into()));
        let short = "raised\n  at shop:1\n\nError: boom\n";
        assert_eq!(
            told(short),
            (4, ["raised", "  at shop:1", "", "Error: boom"].map(str::to_owned).into())
        );
        assert_eq!(told(&"a line\n".repeat(40)).1.len(), 12);
        let failed = format!("FAIL a\n  wanted 3\n{stack}\n1 failed\n");
        assert_eq!(told(&failed).1, ["FAIL a", "  wanted 3", "1 failed"]);
        let (outer, inner) = ("    wanted\n".repeat(20), "      wanted\n".repeat(9));
        let deep = format!("Error: boom\n{outer}  because: wanted\n{inner}}}\nShop 2\n");
        let rows =
            [["    wanted"; 4].as_slice(), &["  because: wanted"], &["      wanted"; 3]].concat();
        let four = [&["Error: boom"][..], &rows, &["}", "Shop 2"]].concat();
        assert_eq!(told(&deep).1, four);
        let (plain, end) = ("a line\n".repeat(9), "another\n".repeat(9));
        let late = told(&format!("{plain}it is wanted\n  wanted 3\n{end}")).1;
        assert_eq!(late[..2], ["a line", "it is wanted"].map(str::to_owned));
        assert_eq!(
            (late.len(), late[2].as_str(), late[11].as_str()),
            (12, "  wanted 3", "another")
        );
        let indented = format!("  1) wanted\n\n{stack}\n");
        assert_eq!(told(&indented).1, ["  1) wanted", ""]);
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
        assert_eq!(told(&traced), (27, points.map(str::to_owned).into()));
    }
}
