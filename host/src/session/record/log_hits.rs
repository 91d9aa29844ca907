//! Hits of log breakpoints, numbered over the life of the session. Beyond a bound the oldest are
//! forgotten; the numbers go on.

use std::collections::{HashMap, VecDeque};

use crate::model::{BreakpointId, LogHit};
use crate::session::LogHits;

pub(crate) struct Logged {
    hits: VecDeque<LogHit>,
    /// How many came before the oldest of `hits`.
    forgotten: u64,
    keep: usize,
    /// How many were counted for a caller.
    seen: u64,
    /// The last text of each log breakpoint, if it has an error, and how often it came.
    errors: HashMap<BreakpointId, (String, u32)>,
    /// Errors that the texts of each log breakpoint have had.
    known: HashMap<BreakpointId, Vec<String>>,
}

/// How an expression that fails is written into a text.
const ERROR: &str = "<error: ";
const SHORT: &str = "<error>";
/// Of one breakpoint.
const MOST_KNOWN: usize = 16;

impl Logged {
    pub(crate) fn new(keep: usize) -> Self {
        Self {
            hits: VecDeque::new(),
            forgotten: 0,
            keep,
            seen: 0,
            errors: HashMap::new(),
            known: HashMap::new(),
        }
    }

    /// The text of a hit, with `<error>` in place of each error that an earlier hit of the
    /// breakpoint had: the rest of the text may differ each time.
    pub(crate) fn shortened(&mut self, hit: &LogHit) -> String {
        let (mut text, mut rest) = (String::new(), hit.text.as_str());
        while let Some(begin) = rest.find(ERROR) {
            let (before, error) = rest.split_at(begin);
            if before.ends_with(['"', '\'']) {
                // A text of the program.
                text.push_str(&rest[..begin + ERROR.len()]);
                rest = &rest[begin + ERROR.len()..];
                continue;
            }
            let known = self.known.entry(hit.id).or_default();
            text.push_str(before);
            let length = match known.iter().find(|known| error.starts_with(known.as_str())) {
                Some(known) => {
                    text.push_str(SHORT);
                    known.len()
                }
                None => {
                    let length = length(error);
                    text.push_str(&error[..length]);
                    if known.len() < MOST_KNOWN {
                        known.push(error[..length].to_owned());
                    }
                    length
                }
            };
            rest = &error[length..];
        }
        text + rest
    }

    /// How often this text has come in a row before, if an expression of it failed: callers read it
    /// once.
    pub(crate) fn repeats(&mut self, hit: &LogHit) -> u32 {
        if !hit.text.contains(ERROR) {
            self.errors.remove(&hit.id);
            return 0;
        }
        let (text, count) = self.errors.entry(hit.id).or_default();
        if *text != hit.text {
            (*text, *count) = (hit.text.clone(), 0);
        }
        *count += 1;
        *count - 1
    }

    pub(crate) fn push(&mut self, hit: LogHit) {
        self.hits.push_back(hit);
        if self.hits.len() > self.keep {
            self.hits.pop_front();
            self.forgotten += 1;
        }
    }

    /// How many came since the previous call.
    pub(crate) fn take_news(&mut self) -> usize {
        let end = self.forgotten + self.hits.len() as u64;
        let news = end - self.seen;
        self.seen = end;
        news as usize
    }

    /// The count of the last [`take_news`](Self::take_news) did not reach a caller.
    pub(crate) fn take_back(&mut self, news: usize) {
        self.seen = self.seen.saturating_sub(news as u64);
    }

    /// Hits from number `n` on, counted from 0.
    pub(crate) fn since(&self, n: u64) -> LogHits {
        let skip = n.saturating_sub(self.forgotten);
        LogHits {
            lost: self.forgotten.saturating_sub(n),
            hits: self.hits.iter().skip(skip as usize).cloned().collect(),
        }
    }
}

/// The length of an error at the beginning, up to the bracket that closes it.
fn length(text: &str) -> usize {
    let (mut depth, mut before) = (0, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // Of an arrow.
            '>' if matches!(before, '-' | '=') => {}
            '>' => depth -= 1,
            _ => {}
        }
        before = c;
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_written_once_for_a_breakpoint() {
        let mut logged = Logged::new(10);
        let mut shortened = |id: u32, text: &str| {
            let text = text.to_owned();
            let id = BreakpointId(id);
            logged.shortened(&LogHit { id, number: 1, thread: None, thread_id: None, text })
        };
        for (id, text, expected) in [
            (1, "i=1 q=<error: no <q> here> r", "i=1 q=<error: no <q> here> r"),
            (1, "i=2 q=<error: no <q> here> s", "i=2 q=<error> s"),
            (2, "i=2 q=<error: no <q> here>", "i=2 q=<error: no <q> here>"),
            (1, "q=<error: no <q> here><error: is nil>", "q=<error><error: is nil>"),
            (1, "i=3 q=5", "i=3 q=5"),
            (1, "i=4 q=<error: is nil>", "i=4 q=<error>"),
            (1, "<error: cut", "<error: cut"),
            (3, "<error: a->b is nil> c", "<error: a->b is nil> c"),
            (3, "<error: a->b is nil> c", "<error> c"),
            (3, "s='<error: a->b is nil>'", "s='<error: a->b is nil>'"),
        ] {
            assert_eq!(shortened(id, text), expected, "#{id} {text}");
        }
    }

    #[test]
    fn an_error_repeats_while_the_text_is_the_same() {
        let mut logged = Logged::new(10);
        let mut repeats = |id: u32, text: &str| {
            let text = text.to_owned();
            let id = BreakpointId(id);
            logged.repeats(&LogHit { id, number: 1, thread: None, thread_id: None, text })
        };
        for (id, text, expected) in [
            (1, "a=<error: no a>", 0),
            (1, "a=<error: no a>", 1),
            (2, "a=<error: no a>", 0),
            (1, "a=<error: no a>", 2),
            (1, "a=<error: no b>", 0),
            (1, "a=1", 0),
            (1, "a=1", 0),
            (1, "a=<error: no b>", 0),
        ] {
            assert_eq!(repeats(id, text), expected, "#{id} {text}");
        }
    }
}
