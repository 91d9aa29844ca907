//! Brings the adapter up to date: the calls that are due, and their answers.

use std::collections::BTreeSet;

use super::call::Job;
use super::entry::{Entry, Translated, refused};
use super::key::{Key, Origin};
use super::set::Breakpoints;
use crate::dap::types;
use crate::model::{Binding, BreakpointId, BreakpointSpec};
use crate::session::adapter::quirks::Quirks;

impl Breakpoints {
    /// Is any call due?
    pub(in crate::session) fn is_dirty(&self) -> bool {
        !self.dirty.is_empty()
    }

    /// The calls that are due; from now on they count as made.
    pub(in crate::session) fn take_jobs(&mut self, quirks: &Quirks) -> Vec<Job> {
        self.early.get_or_insert_default();
        let mut jobs = Vec::new();
        for key in std::mem::take(&mut self.dirty) {
            self.limit_log_points(&key, quirks);
            jobs.push(self.job(key, quirks));
        }
        jobs
    }

    /// Decides which log points the adapter ends itself: those that it sets anew. It changes those
    /// that it has at the same place, and then counts hits on.
    fn limit_log_points(&mut self, key: &Key, quirks: &Quirks) {
        if !quirks.ends_log_points() {
            return;
        }
        let before = self.placed.remove(key).unwrap_or_default();
        let mut placed = Vec::new();
        for (id, entry) in &mut self.entries {
            if !entry.is_sent() || entry.key() != *key {
                continue;
            }
            let place = entry.translated.place.clone();
            match before.iter().find(|(_, other)| *other == place) {
                Some((other, _)) if other == id => {}
                Some(_) => entry.last = None,
                None => entry.last = entry.hits_until_written(*id, quirks),
            }
            placed.push((*id, place));
        }
        self.placed.insert(key.clone(), placed);
    }

    /// All calls are answered: an event for another id concerns none of these breakpoints.
    pub(in crate::session) fn end_calls(&mut self) {
        self.early = None;
    }

    /// The calls that remove all breakpoints from the adapter.
    pub(in crate::session) fn removing_jobs(&self, quirks: &Quirks) -> Vec<Job> {
        let sent = self.entries.values().filter(|entry| !entry.withheld);
        let mut keys: BTreeSet<Key> = sent.map(Entry::key).collect();
        // A debugger that leaves takes its exception breakpoints along.
        keys.remove(&Key::Exceptions);
        keys.into_iter().map(|key| Job::new(key, std::iter::empty(), (None, &[]), quirks)).collect()
    }

    pub(super) fn job(&self, key: Key, quirks: &Quirks) -> Job {
        let mut armed = Vec::new();
        // Calls for two names of a file replace each other if both are sent by its real path.
        let real = quirks.wants_real_paths().then(|| key.real());
        for (id, entry) in &self.entries {
            let is_of_call = match &real {
                Some(real) => entry.key().real() == *real,
                None => entry.key() == key,
            };
            if entry.is_sent() && is_of_call {
                armed.push((*id, entry));
            }
        }
        let exceptions = (self.exceptions(), self.editor_exceptions.as_slice());
        Job::new(key, armed.into_iter(), exceptions, quirks)
    }

    /// Takes the answer to a call, by position. If it is shorter than the call, the adapter may
    /// report the others later.
    pub(in crate::session) fn apply(
        &mut self,
        job: &Job,
        answer: &[types::Breakpoint],
        quirks: &Quirks,
    ) {
        for (id, line) in &job.moved {
            self.set_line(*id, *line, &job.key);
        }
        for (at, (id, _)) in job.ids.iter().enumerate() {
            let Some(entry) = self.entries.get_mut(id) else { continue };
            if job.key == Key::Exceptions {
                entry.binding = Binding::Bound { line: None };
                continue;
            }
            let Some(reported) = answer.get(at) else {
                entry.binding = Binding::Unconfirmed;
                entry.adapter_id = None;
                continue;
            };
            entry.adapter_id = reported.id;
            let is_refused = |answer: &types::Breakpoint| quirks.is_refused(answer);
            let is_set = |at: usize| answer.get(at).is_some_and(|one| !is_refused(one));
            if is_refused(reported)
                && let Some(other) = job.same_line(at, is_set)
            {
                entry.binding = refused(format!("{other} is at this line already"));
                continue;
            }
            entry.bind(reported, quirks, self.live.knows(entry));
            let early = self.early.as_mut().zip(reported.id);
            let early = early.and_then(|(early, id)| early.remove(&id));
            // The answer may be the newer one of two that differ: verified in either counts.
            if let Some(event) = early.filter(|event| event.verified) {
                entry.bind(&event, quirks, self.live.knows(entry));
            }
        }
    }

    /// Notes that the host has sent another line than the caller's, which has no code.
    fn set_line(&mut self, id: BreakpointId, line: u32, key: &Key) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        entry.set_line(line);
        let placed = self.placed.get_mut(key).into_iter().flatten();
        for (_, place) in placed.filter(|(other, _)| *other == id) {
            *place = entry.translated.place.clone();
        }
    }

    /// The adapter refused the whole call.
    pub(in crate::session) fn refuse(&mut self, job: &Job, reason: &str) {
        for (id, _) in &job.ids {
            if let Some(entry) = self.entries.get_mut(id) {
                entry.binding = refused(reason.to_owned());
            }
        }
    }

    /// Takes a `breakpoint` event (DAP). An adapter may send it before the answers to all calls of
    /// an edit are there, or even before the answer that gives out its id.
    pub(in crate::session) fn on_event(&mut self, reported: &types::Breakpoint, quirks: &Quirks) {
        let Some(adapter_id) = reported.id else { return };
        let mut known = false;
        for entry in self.entries.values_mut() {
            if entry.adapter_id == Some(adapter_id) {
                known = true;
                if entry.origin != Origin::Command {
                    entry.bind(reported, quirks, self.live.knows(entry));
                }
            }
        }
        if let Some(early) = self.early.as_mut().filter(|early| !known && early.len() < self.max) {
            early.insert(adapter_id, reported.clone());
        }
    }

    /// Withholds a breakpoint from the adapter: its condition does not parse or cannot be sent, or
    /// there is no such function. One that a call has replaced meanwhile is left alone.
    pub(in crate::session) fn withhold(&mut self, id: BreakpointId, origin: Origin, why: String) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        let is_unconditional = entry.translated.condition.is_none();
        if entry.origin != origin || (origin == Origin::Call && is_unconditional) {
            return;
        }
        entry.withheld = true;
        entry.binding = match entry.translated.spec.condition {
            Some(_) => Binding::BadCondition { why },
            None => refused(why),
        };
    }

    /// Was it taken over from an earlier set?
    pub(in crate::session) fn is_retained(&self, id: BreakpointId) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.origin == Origin::Retained)
    }

    /// Specs of all that the adapter is to set.
    pub(in crate::session) fn specs(&self) -> Vec<(BreakpointId, BreakpointSpec)> {
        let sent = self.entries.iter().filter(|(_, entry)| !entry.withheld && !entry.temporary);
        sent.map(|(id, entry)| (*id, entry.translated.spec.clone())).collect()
    }

    /// Replaces the caller's texts by the adapter's, before anything is sent.
    pub(in crate::session) fn set_texts(&mut self, texts: Vec<(BreakpointId, Translated)>) {
        for (id, text) in texts {
            self.change(id, |entry| entry.translated = text);
        }
        // A translated place may belong to another call: the call of the old one has nothing to
        // remove.
        let keys: BTreeSet<Key> = self.entries.values().map(Entry::key).collect();
        self.dirty.retain(|key| *key == Key::Exceptions || keys.contains(key));
    }

    /// Drops the breakpoints on exceptions that this adapter does not know; if none is left, the
    /// manifest's defaults are in force. Nothing was sent for them.
    pub(in crate::session) fn forget_exceptions(&mut self, unknown: &[String]) {
        let is_unknown = |entry: &Entry| {
            let word = entry.translated.place.exception();
            word.is_some_and(|word| unknown.iter().any(|unknown| unknown == word))
        };
        let before = self.entries.len();
        self.entries.retain(|_, entry| !is_unknown(entry));
        if self.entries.len() < before && self.exception_entries().is_empty() {
            self.chooses_exceptions = false;
        }
    }
}
