//! The event log: what waits deliver, in order, each once.
//!
//! Knows cursors and who waits. Refuses to know how a stop was made.

use std::collections::VecDeque;

use crate::model::{Cursor, Happening};
use crate::session::Error;
use crate::session::record::reply::Reply;

type Delivery = Reply<(Happening, Cursor)>;

/// Append-only; the oldest entries are forgotten beyond the bound.
pub(crate) struct Journal {
    entries: VecDeque<Happening>,
    forgotten: u64,
    keep: usize,
    waiters: Vec<(Cursor, Delivery)>,
    delivered: Cursor,
}

impl Journal {
    pub(crate) fn new(keep: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            forgotten: 0,
            keep,
            waiters: Vec::new(),
            delivered: Cursor(0),
        }
    }

    /// Behind the newest entry: where a wait starts that is for what comes next.
    pub(crate) fn end(&self) -> Cursor {
        Cursor(self.forgotten + self.entries.len() as u64)
    }

    /// Behind the newest entry, which counts as delivered: the caller moves on from there.
    pub(crate) fn skip(&mut self) -> Cursor {
        self.delivered = self.end();
        self.delivered
    }

    /// Behind the newest entry that reached a caller, or that a caller left behind.
    pub(crate) fn delivered(&self) -> Cursor {
        self.delivered
    }

    /// Appends, and delivers to all who wait for it.
    pub(crate) fn push(&mut self, happening: Happening) {
        self.entries.push_back(happening);
        if self.entries.len() > self.keep {
            self.entries.pop_front();
            self.forgotten += 1;
        }
        for (from, reply) in std::mem::take(&mut self.waiters) {
            self.wait(from, reply);
        }
    }

    /// Answers with the first entry at or after `from`, now or when it comes.
    pub(crate) fn wait(&mut self, from: Cursor, reply: Delivery) {
        match self.at(from) {
            Some((happening, next)) => {
                if reply.deliver(Ok((happening, next))) {
                    self.deliver(next);
                }
            }
            None => {
                self.waiters.retain(|(_, reply)| !reply.is_abandoned());
                self.waiters.push((from, reply));
            }
        }
    }

    /// The first entry at or after `from`, if there is one already, and the cursor behind it.
    pub(crate) fn at(&self, from: Cursor) -> Option<(Happening, Cursor)> {
        let at = from.0.max(self.forgotten);
        let happening = self.entries.get((at - self.forgotten) as usize)?;
        Some((happening.clone(), Cursor(at + 1)))
    }

    /// What is before `next` has reached a caller.
    pub(crate) fn deliver(&mut self, next: Cursor) {
        self.delivered = self.delivered.max(next);
    }

    /// Tells all who wait that nothing will come.
    pub(crate) fn fail(&mut self, error: &Error) {
        for (_, reply) in self.waiters.drain(..) {
            reply.send(Err(error.clone()));
        }
    }
}
