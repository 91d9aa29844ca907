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
}

/// How an expression that fails is written into a text.
const ERROR: &str = "<error: ";

impl Logged {
    pub(crate) fn new(keep: usize) -> Self {
        Self { hits: VecDeque::new(), forgotten: 0, keep, seen: 0, errors: HashMap::new() }
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

#[cfg(test)]
mod tests {
    use super::*;

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
