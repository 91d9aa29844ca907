//! The journal of stops and of the end. A wait starts at a cursor and gets the entry behind it;
//! two waits at one cursor get the same entry.
//!
//! Holds the callers of `now`, too, while a stop is read. Knows cursors and waiting callers.
//! Refuses to know how a stop is read.

use std::collections::VecDeque;

use crate::model::{Cursor, Happening};
use crate::session::Error;
use crate::session::handle::Now;
use crate::session::record::reply::Reply;

type Delivery = Reply<(Happening, Cursor)>;

/// Append-only; beyond `keep` entries the oldest are forgotten.
pub(crate) struct Journal {
    entries: VecDeque<Happening>,
    forgotten: u64,
    keep: usize,
    waiters: Vec<(Cursor, Delivery)>,
    /// Callers that want the present state, while a stop is read.
    reading: Vec<(Cursor, Reply<Now>)>,
    delivered: Cursor,
}

impl Journal {
    pub(crate) fn new(keep: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            forgotten: 0,
            keep,
            waiters: Vec::new(),
            reading: Vec::new(),
            delivered: Cursor(0),
        }
    }

    /// The cursor after the newest entry: a wait from here is for the next one.
    pub(crate) fn end(&self) -> Cursor {
        Cursor(self.forgotten + self.entries.len() as u64)
    }

    /// The cursor after the newest entry, which counts as delivered from now on.
    pub(crate) fn skip(&mut self) -> Cursor {
        self.delivered = self.end();
        self.delivered
    }

    /// The cursor after the newest entry that reached a caller or that a caller skipped.
    pub(crate) fn delivered(&self) -> Cursor {
        self.delivered
    }

    /// Appends an entry and delivers it to the callers that wait for it.
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

    /// Answers with the first entry at or after `from`, now or when it arrives.
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

    /// Whether a caller waits for an entry.
    pub(crate) fn is_awaited(&self) -> bool {
        self.waiters.iter().any(|(_, reply)| !reply.is_abandoned())
    }

    /// The first entry at or after `from`, if it has arrived, and the cursor after it.
    pub(crate) fn at(&self, from: Cursor) -> Option<(Happening, Cursor)> {
        let at = from.0.max(self.forgotten);
        let happening = self.entries.get((at - self.forgotten) as usize)?;
        Some((happening.clone(), Cursor(at + 1)))
    }

    /// The caller is answered once the stop is published or left.
    pub(crate) fn wait_for_reading(&mut self, from: Cursor, reply: Reply<Now>) {
        self.reading.push((from, reply));
    }

    /// No stop is read any more: the callers that waited for that.
    pub(crate) fn take_reading(&mut self) -> Vec<(Cursor, Reply<Now>)> {
        std::mem::take(&mut self.reading)
    }

    /// Entries before `next` have reached a caller.
    pub(crate) fn deliver(&mut self, next: Cursor) {
        self.delivered = self.delivered.max(next);
    }

    /// Answers all waits with the error: no entry will follow.
    pub(crate) fn fail(&mut self, error: &Error) {
        for (_, reply) in self.waiters.drain(..) {
            reply.send(Err(error.clone()));
        }
    }
}
