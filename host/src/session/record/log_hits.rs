//! Hits of log breakpoints, numbered over the life of the session. Beyond a bound the oldest are
//! forgotten; the numbers go on.

use std::collections::VecDeque;

use crate::model::LogHit;
use crate::session::LogHits;

pub(crate) struct Logged {
    hits: VecDeque<LogHit>,
    /// How many came before the oldest of `hits`.
    forgotten: u64,
    keep: usize,
    /// How many were counted for a caller.
    seen: u64,
}

impl Logged {
    pub(crate) fn new(keep: usize) -> Self {
        Self { hits: VecDeque::new(), forgotten: 0, keep, seen: 0 }
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
