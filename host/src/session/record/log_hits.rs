//! Log breakpoints' hits: a ring that counts on when it forgets.

use std::collections::VecDeque;

use crate::model::LogHit;
use crate::session::LogHits;

pub(crate) struct Logged {
    kept: VecDeque<LogHit>,
    /// How many came before the oldest that is kept.
    forgotten: u64,
    keep: usize,
    /// How many a caller has been told of.
    seen: u64,
}

impl Logged {
    pub(crate) fn new(keep: usize) -> Self {
        Self { kept: VecDeque::new(), forgotten: 0, keep, seen: 0 }
    }

    pub(crate) fn push(&mut self, hit: LogHit) {
        self.kept.push_back(hit);
        if self.kept.len() > self.keep {
            self.kept.pop_front();
            self.forgotten += 1;
        }
    }

    /// How many came since this was asked last.
    pub(crate) fn take_news(&mut self) -> usize {
        let end = self.forgotten + self.kept.len() as u64;
        let news = end - self.seen;
        self.seen = end;
        news as usize
    }

    /// The last so many have been told to nobody after all.
    pub(crate) fn take_back(&mut self, news: usize) {
        self.seen = self.seen.saturating_sub(news as u64);
    }

    /// Those from the n-th on.
    pub(crate) fn since(&self, n: u64) -> LogHits {
        let skip = n.saturating_sub(self.forgotten);
        LogHits {
            lost: self.forgotten.saturating_sub(n),
            hits: self.kept.iter().skip(skip as usize).cloned().collect(),
        }
    }
}
