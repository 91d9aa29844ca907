//! The breakpoints of a session: what is wanted, what the adapter made of it, and
//! which calls bring the two together.
//!
//! Breakpoints are the host's. DAP replaces all of a file (or all functions) at a
//! time, so a call is derived from the whole set of its key and answers by position.

mod call;
mod entry;
pub(crate) mod exceptions;
pub(crate) mod hit_condition;
mod key;
mod live;
pub(crate) mod logpoint;
pub(crate) mod nearest;
pub(crate) mod place;
mod report;
pub(crate) mod similar_functions;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use dapdock_schema::{HitIds, Profile, Verification};

pub(super) use self::call::{Call, Job};
use self::entry::{Entry, ended_before, never_loaded, never_named, no_code};
pub(super) use self::entry::{Territory, Translated};
pub(super) use self::key::{Kept, Key};
use self::live::Live;
pub use self::report::BreakpointReport;
use crate::dap::types as wire;
use crate::model::{
    Before, Binding, Breakpoint, BreakpointEdit, BreakpointId, BreakpointSpec, Frame, Nearest,
    Note, Place,
};
use crate::session::Error;
use crate::session::adapter::wire::Wire;

/// Breakpoints whose places the adapter refused.
#[derive(Debug, Default)]
pub(super) struct Codeless {
    pub(super) lines: Vec<(BreakpointId, PathBuf, u32)>,
    pub(super) functions: Vec<(BreakpointId, String)>,
}

/// Numbers are the host's, over all sessions.
static NEXT: AtomicU32 = AtomicU32::new(1);

fn next_id() -> BreakpointId {
    BreakpointId(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A breakpoint that has its number already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) id: BreakpointId,
    pub(super) spec: BreakpointSpec,
    pub(super) enabled: bool,
    pub(super) kept: Kept,
}

/// The set.
pub(super) struct Breakpoints {
    entries: BTreeMap<BreakpointId, Entry>,
    /// Words of the caller; none: the manifest's defaults.
    exceptions: Option<Vec<String>>,
    dirty: BTreeSet<Key>,
    max: usize,
    territory: Territory,
    live: Live,
    /// Beside these, lines with code have been looked for at a stop.
    located: BTreeSet<BreakpointId>,
}

impl Breakpoints {
    pub(super) fn new(max: usize) -> Self {
        let dirty = BTreeSet::from([Key::Exceptions]);
        Self {
            entries: BTreeMap::new(),
            exceptions: None,
            dirty,
            max,
            territory: Territory::default(),
            live: Live::default(),
            located: BTreeSet::new(),
        }
    }

    /// The same for an adapter that leaves some files to others.
    pub(super) fn within(self, territory: Territory) -> Self {
        Self { territory, ..self }
    }

    /// Applies an edit whose texts are translated already; nothing changes when any part of it is
    /// wrong.
    pub(super) fn edit(
        &mut self,
        edit: BreakpointEdit,
        texts: Vec<Translated>,
    ) -> Result<Vec<BreakpointId>, Error> {
        let named = edit.remove.iter().chain(&edit.enable).chain(&edit.disable);
        for id in named {
            self.known(*id)?;
        }
        self.check_room(&edit, texts.iter().map(|text| &text.spec.place))?;
        let gone: Vec<BreakpointId> = match edit.clear {
            true => self.entries.keys().copied().collect(),
            false => edit.remove,
        };
        for id in gone {
            self.remove(id);
        }
        for (ids, on) in [(edit.enable, true), (edit.disable, false)] {
            for id in ids {
                self.change(id, |entry| entry.enabled = on);
            }
        }
        if let Some(words) = edit.exceptions {
            self.exceptions = Some(words);
            self.dirty.insert(Key::Exceptions);
        }
        Ok(texts.into_iter().map(|text| self.add(text, false)).collect())
    }

    /// Is there room for what an edit adds at these places?
    pub(super) fn check_room<'a>(
        &'a self,
        edit: &BreakpointEdit,
        new: impl Iterator<Item = &'a Place>,
    ) -> Result<(), Error> {
        let kept = self
            .entries
            .iter()
            .filter(|(id, entry)| !(entry.temporary || edit.clear || edit.remove.contains(id)));
        let places: BTreeSet<&Place> =
            kept.map(|(_, entry)| &entry.text.spec.place).chain(new).collect();
        match places.len() <= self.max {
            true => Ok(()),
            false => Err(Error::Limit {
                what: "the number of breakpoints".into(),
                value: self.max.to_string(),
                raise: "limits.breakpoints in dapdock.toml".into(),
            }),
        }
    }

    /// Adds one, or changes the one at the same place.
    fn add(&mut self, text: Translated, temporary: bool) -> BreakpointId {
        let same = |entry: &Entry| {
            entry.text.spec.place == text.spec.place && entry.temporary == temporary
        };
        let id =
            self.entries.iter().find(|(_, entry)| same(entry)).map_or_else(next_id, |(id, _)| *id);
        let hits = self.entries.get(&id).map_or(0, |entry| entry.hits);
        self.insert(id, Entry { enabled: true, hits, temporary, ..Entry::new(text) });
        id
    }

    /// One that is in a file of others is kept back.
    fn insert(&mut self, id: BreakpointId, mut entry: Entry) {
        if let Some(extension) = self.territory.leaves(&entry.text.spec.place) {
            let adapter = self.territory.adapter.clone();
            entry.held = true;
            entry.binding = match entry.kept {
                Kept::Before => Binding::Foreign { adapter },
                Kept::No => Binding::Refused {
                    reason: format!("{adapter} does not debug .{extension} files"),
                    nearest: Nearest::default(),
                },
            };
        }
        self.soil(&entry);
        self.entries.insert(id, entry);
    }

    /// The adapter is to hear of this one.
    fn soil(&mut self, entry: &Entry) {
        if !entry.held {
            self.dirty.insert(entry.key());
        }
    }

    /// Keeps one back whose condition the debugger cannot read, or whose function there is not.
    pub(super) fn hold(&mut self, id: BreakpointId, why: String) {
        // One that was set anew meanwhile is another.
        if let Some(entry) = self.entries.get_mut(&id).filter(|entry| entry.kept == Kept::Before) {
            entry.held = true;
            entry.binding = match entry.text.spec.condition {
                Some(_) => Binding::BadCondition { why },
                None => Binding::Refused { reason: why, nearest: Nearest::default() },
            };
        }
    }

    /// Was it kept from before?
    pub(super) fn is_kept(&self, id: BreakpointId) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.kept == Kept::Before)
    }

    /// A breakpoint for one run to a place.
    pub(super) fn add_temporary(&mut self, text: Translated) -> BreakpointId {
        self.add(text, true)
    }

    /// Drops those that [`add_temporary`](Self::add_temporary) made; tells whether there were any.
    pub(super) fn drop_temporary(&mut self) -> bool {
        let ids: Vec<_> =
            self.entries.iter().filter(|(_, entry)| entry.temporary).map(|(id, _)| *id).collect();
        ids.iter().for_each(|id| self.remove(*id));
        !ids.is_empty()
    }

    /// Drops one of them; tells whether it was there.
    pub(super) fn drop_one_temporary(&mut self, id: BreakpointId) -> bool {
        let there = self.entries.get(&id).is_some_and(|entry| entry.temporary);
        if there {
            self.remove(id);
        }
        there
    }

    fn remove(&mut self, id: BreakpointId) {
        if let Some(entry) = self.entries.remove(&id) {
            self.soil(&entry);
        }
    }

    fn change(&mut self, id: BreakpointId, change: impl FnOnce(&mut Entry)) {
        if let Some(mut entry) = self.entries.remove(&id) {
            change(&mut entry);
            self.soil(&entry);
            self.entries.insert(id, entry);
        }
    }

    fn known(&self, id: BreakpointId) -> Result<(), Error> {
        match self.entries.contains_key(&id) {
            true => Ok(()),
            false => Err(Error::UnknownBreakpoint {
                id: id.0,
                known: self.entries.keys().map(|id| id.0).collect(),
            }),
        }
    }

    /// The calls that bring the adapter up to date; from here on they count as made.
    pub(super) fn take_jobs(&mut self, profile: &Profile) -> Vec<Job> {
        std::mem::take(&mut self.dirty).into_iter().map(|key| self.job(key, profile)).collect()
    }

    /// The calls that leave the adapter none of them.
    pub(super) fn take_back(&self, profile: &Profile) -> Vec<Job> {
        let sent = self.entries.values().filter(|entry| !entry.held);
        let keys: BTreeSet<Key> = sent.map(Entry::key).collect();
        keys.into_iter().map(|key| Job::new(key, std::iter::empty(), None, profile)).collect()
    }

    /// Is there anything to tell the adapter?
    pub(super) fn is_dirty(&self) -> bool {
        !self.dirty.is_empty()
    }

    fn job(&self, key: Key, profile: &Profile) -> Job {
        let armed = |entry: &Entry| entry.enabled && !entry.held && entry.key() == key;
        let armed =
            self.entries.iter().filter(|(_, entry)| armed(entry)).map(|(id, entry)| (*id, entry));
        Job::new(key.clone(), armed, self.exceptions.as_deref(), profile)
    }

    /// Takes the answer to a call, by position; an answer may be short.
    pub(super) fn apply(&mut self, job: &Job, answer: &[wire::Breakpoint], profile: &Profile) {
        for ((id, _), told) in job.ids.iter().zip(answer) {
            if let Some(entry) = self.entries.get_mut(id) {
                entry.adapter_id = told.id;
                entry.bind(told, profile, self.live.knows(entry));
            }
        }
    }

    /// The adapter refused the whole call.
    pub(super) fn refuse(&mut self, job: &Job, reason: &str) {
        for (id, _) in &job.ids {
            if let Some(entry) = self.entries.get_mut(id) {
                entry.binding =
                    Binding::Refused { reason: reason.to_owned(), nearest: Nearest::default() };
            }
        }
    }

    /// Those of the given whose place the adapter refused.
    pub(super) fn codeless(&self, ids: &[BreakpointId]) -> Codeless {
        let mut codeless = Codeless::default();
        for id in ids {
            let Some(Entry { binding: Binding::Refused { .. }, text, .. }) = self.entries.get(id)
            else {
                continue;
            };
            match &text.place {
                Place::Line { path, line, .. } => codeless.lines.push((*id, path.clone(), *line)),
                Place::Function(name) => codeless.functions.push((*id, name.clone())),
            }
        }
        codeless
    }

    /// Those whose place the adapter refused before a caller could be told what is beside it. Each
    /// is named once.
    pub(super) fn unlocated(&mut self) -> Codeless {
        let unnamed = |entry: &Entry| match &entry.binding {
            Binding::Refused { nearest, .. } => nearest.is_empty() && !entry.held && entry.enabled,
            _ => false,
        };
        let new = |id: &BreakpointId| !self.located.contains(id);
        let found =
            self.entries.iter().filter(|(_, entry)| unnamed(entry)).map(|(id, _)| *id).filter(new);
        let ids: Vec<BreakpointId> = found.collect();
        self.located.extend(&ids);
        self.codeless(&ids)
    }

    /// Tries the lines beside each of these places.
    pub(super) fn tried(
        &self,
        places: &[(BreakpointId, PathBuf, u32)],
        wire: &Wire,
        profile: &Profile,
    ) -> Vec<nearest::Tried> {
        let tried = |(id, path, line): &(BreakpointId, PathBuf, u32)| {
            let Call::Source(call) = self.job(Key::Source(path.clone()), profile).call else {
                return None;
            };
            Some(nearest::Tried::new(wire, *id, *line, call))
        };
        places.iter().filter_map(tried).collect()
    }

    pub(super) fn name_all(&mut self, found: Vec<(BreakpointId, Nearest)>, profile: &Profile) {
        found.into_iter().for_each(|(id, found)| self.name_nearest(id, found, profile));
    }

    /// Names the lines with code beside a place that has none, or the functions of a name like it.
    /// Where a line has some itself, the condition was refused, if there is one; of files that were
    /// loaded before the adapter came, it is set, and nobody tells.
    fn name_nearest(&mut self, id: BreakpointId, found: Nearest, profile: &Profile) {
        let Some(entry) = self.entries.get_mut(&id) else { return };
        let untold = profile.verification == Verification::WhenLoaded && entry.binding == no_code();
        let has = |line: u32| matches!(&found, Nearest::Lines(lines) if lines.contains(&line));
        if untold && entry.wanted_line().is_some_and(has) {
            return entry.prove();
        }
        let Binding::Refused { reason, nearest } = &mut entry.binding else { return };
        let place = &entry.text.place;
        let here = matches!((place, &found), (Place::Line { line, .. }, Nearest::Lines(lines)) if lines.contains(line));
        match (here, &entry.text.condition) {
            (true, Some(_)) => {
                entry.binding = Binding::BadCondition { why: std::mem::take(reason) }
            }
            (true, None) => {}
            (false, _) => *nearest = found,
        }
    }

    /// Follows a `breakpoint` event.
    pub(super) fn follow(&mut self, told: &wire::Breakpoint, profile: &Profile) {
        let Some(adapter_id) = told.id else { return };
        for entry in self.entries.values_mut().filter(|entry| entry.adapter_id == Some(adapter_id))
        {
            entry.bind(told, profile, self.live.knows(entry));
        }
    }

    /// The host's breakpoints behind the adapter's ids of a stop.
    pub(super) fn identify(&self, adapter_ids: &[i64]) -> Vec<BreakpointId> {
        let known = |entry: &&Entry| entry.adapter_id.is_some_and(|id| adapter_ids.contains(&id));
        self.entries.iter().filter(|(_, entry)| known(entry)).map(|(id, _)| *id).collect()
    }

    /// May others have stopped the debuggee than those that are named, as some at one place have
    /// conditions?
    pub(super) fn is_unsure(&self, adapter_ids: &[i64], profile: &Profile) -> bool {
        let named = |(_, entry): &(&BreakpointId, &Entry)| {
            entry.stops(profile) && entry.adapter_id.is_some_and(|id| adapter_ids.contains(&id))
        };
        let doubt = |one: &Entry, other: &Entry| {
            one.text.condition.is_some() || other.text.condition.is_some()
        };
        let beside = |(id, entry): (&BreakpointId, &Entry)| {
            let mut others = self.entries.iter().filter(|(other, _)| *other != id);
            others.any(|(_, other)| {
                other.stops(profile) && doubt(entry, other) && other.may_share(entry)
            })
        };
        profile.hit_ids == HitIds::Place && self.entries.iter().filter(named).any(beside)
    }

    /// Where others may have stopped the debuggee, those that may not have, with their conditions.
    pub(super) fn doubtful(&self, here: &[BreakpointId]) -> Vec<(BreakpointId, String)> {
        here.iter()
            .filter_map(|id| Some((*id, self.entries.get(id)?.text.spec.condition.clone()?)))
            .collect()
    }

    /// Who has stopped it when no condition holds of those that are named: whatever shares their
    /// place and has none. Where nothing does, it was they.
    pub(super) fn otherwise(&self, adapter_ids: &[i64], profile: &Profile) -> Vec<BreakpointId> {
        let named = self.identify(adapter_ids);
        let plain = |entry: &Entry| entry.stops(profile) && entry.text.condition.is_none();
        let shares = |entry: &Entry| {
            named.iter().any(|id| self.entries.get(id).is_some_and(|one| entry.shares(one)))
        };
        let others = self.entries.iter().filter(|(_, entry)| plain(entry) && shares(entry));
        let others: Vec<BreakpointId> = others.map(|(id, _)| *id).collect();
        if others.is_empty() { named } else { others }
    }

    /// For adapters that do not say which breakpoint was hit: those at the place that stop the
    /// debuggee. One with a condition is named only where no other can have been it, or where that
    /// is asked for next ([`Self::doubtful`]).
    pub(super) fn at(
        &self,
        path: &Path,
        line: u32,
        function: &str,
        profile: &Profile,
    ) -> Vec<BreakpointId> {
        let here = |entry: &&Entry| match &entry.text.place {
            Place::Line { path: wanted, .. } => wanted == path && entry.line() == Some(line),
            Place::Function(name) => {
                is_called(function, name) && entry.line().is_none_or(|bound| bound == line)
            }
        };
        let all: Vec<_> =
            self.entries.iter().filter(|(_, entry)| entry.stops(profile) && here(entry)).collect();
        let sure = all.iter().filter(|(_, entry)| entry.text.condition.is_none());
        let sure: Vec<BreakpointId> = sure.map(|(id, _)| **id).collect();
        let asked = profile.hit_ids == HitIds::Place;
        if sure.is_empty() || asked { all.into_iter().map(|(id, _)| *id).collect() } else { sure }
    }

    /// May one that stops the debuggee have moved there?
    pub(super) fn may_move_to(&self, path: &Path, line: u32, profile: &Profile) -> bool {
        self.entries.values().any(|entry| entry.stops(profile) && entry.may_move_to(path, line))
    }

    /// Counts a hit of each that has stopped the debuggee.
    pub(super) fn count_stop(&mut self, ids: &[BreakpointId], profile: &Profile) {
        for id in ids {
            let told =
                self.entries.get(id).is_some_and(|entry| entry.is_counted_by_adapter(profile));
            self.count(*id, if told { 0 } else { 1 });
        }
    }

    /// Counts more hits.
    pub(super) fn count(&mut self, id: BreakpointId, more: u32) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.hits = entry.hits.saturating_add(more);
            entry.proven = true;
            if matches!(entry.binding, Binding::Pending | Binding::Unconfirmed)
                || entry.binding == no_code()
            {
                entry.prove();
            }
        }
    }

    /// Is the latest hit of this breakpoint one that stops (or logs)? It is counted already.
    pub(super) fn counts(&self, id: BreakpointId, profile: &Profile) -> bool {
        let Some(entry) = self.entries.get(&id) else { return true };
        entry.is_counted_by_adapter(profile)
            || entry.condition_of_hits().is_none_or(|hits| hits.accept(u64::from(entry.hits)))
    }

    /// Is a stop here one to write a log line at?
    pub(super) fn host_writes(&self, id: BreakpointId, profile: &Profile) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.is_written_by_host(profile))
    }

    /// The program runs: what is not bound by now has no code, where its file is loaded.
    pub(super) fn settle(&mut self, profile: &Profile) {
        match profile.verification {
            Verification::WhenRunning => self.live = Live::All,
            Verification::WhenLoaded => self.live.begin(),
            Verification::Honest | Verification::Always => return,
        }
        let open = |entry: &&mut Entry| entry.binding == Binding::Unconfirmed;
        for entry in self.entries.values_mut().filter(open).filter(|entry| self.live.knows(entry)) {
            entry.binding = no_code();
        }
    }

    /// The program has ended: no more of it will be loaded. `is_loaded`: was this source, or
    /// something that was made of it?
    pub(super) fn settle_all(&mut self, profile: &Profile, is_loaded: impl Fn(&Path) -> bool) {
        self.settle(profile);
        let by_file = profile.verification == Verification::WhenLoaded;
        for entry in self.entries.values_mut().filter(|entry| entry.binding == Binding::Unconfirmed)
        {
            entry.binding = match &entry.text.place {
                Place::Function(_) => never_named(),
                Place::Line { path, .. } if by_file && is_loaded(path) => ended_before(),
                Place::Line { .. } if by_file => never_loaded(profile),
                Place::Line { .. } => continue,
            };
        }
    }

    /// A file of the program's is loaded.
    pub(super) fn load(&mut self, path: PathBuf) {
        self.live.load(path);
    }

    /// Counts a hit that was not shown.
    pub(super) fn suppress(&mut self, id: BreakpointId) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.suppressed += 1;
        }
    }

    /// The visible ones among these.
    pub(super) fn visible(&self, ids: &[BreakpointId]) -> Vec<BreakpointId> {
        ids.iter()
            .filter(|id| self.entries.get(id).is_some_and(|entry| !entry.temporary))
            .copied()
            .collect()
    }

    /// Why it cannot be hit from where the debuggee stands: the adapter refuses it, or has moved it
    /// back to code that has been run.
    pub(super) fn refusal(&self, id: BreakpointId, stands: Option<&Frame>) -> Option<String> {
        let Entry { binding, text, .. } = self.entries.get(&id)?;
        let here = |path: &Path| {
            stands.filter(|frame| frame.path.as_deref() == Some(path)).map(|frame| frame.line)
        };
        match (binding, &text.place) {
            (Binding::Refused { reason, .. }, place) => Some(format!("{place}: {reason}")),
            (Binding::Bound { line: Some(bound) }, Place::Line { path, line, .. })
                if here(path).is_some_and(|here| *bound <= here && here < *line) =>
            {
                Some(format!(
                    "{path}:{line} has no code: the debugger would stop at line {bound}, which is not ahead",
                    path = path.display()
                ))
            }
            _ => None,
        }
    }

    /// Where it was to be, if the adapter has put it on another line and this is its first hit.
    pub(super) fn moved(&self, id: BreakpointId) -> Option<Note> {
        let Entry { binding, text, temporary, .. } =
            self.entries.get(&id).filter(|entry| entry.hits == 1)?;
        let Binding::Bound { line: Some(bound) } = binding else { return None };
        let moved = matches!(&text.spec.place, Place::Line { line, .. } if line != bound);
        (moved && !temporary).then(|| Note::Moved { id, place: text.spec.place.clone() })
    }

    /// What became of a run to a place that was not reached.
    pub(super) fn missed(&self, id: BreakpointId, before: Before) -> Option<Note> {
        let entry = self.entries.get(&id)?;
        let found = matches!(entry.binding, Binding::Bound { .. });
        Some(Note::NotReached { place: entry.text.spec.place.clone(), found, before })
    }

    /// One of them.
    pub(super) fn get(&self, id: BreakpointId) -> Option<Breakpoint> {
        self.entries.get(&id).map(|entry| entry.view(id))
    }

    /// Its text for the adapter.
    pub(super) fn log_text(&self, id: BreakpointId) -> Option<String> {
        self.entries.get(&id).and_then(|entry| entry.text.log.clone())
    }

    /// All that callers see.
    pub(super) fn list(&self) -> Vec<Breakpoint> {
        self.entries
            .iter()
            .filter(|(_, entry)| !entry.temporary)
            .map(|(id, entry)| entry.view(*id))
            .collect()
    }

    /// All, with those added by a call.
    pub(super) fn report(&self, added: Vec<BreakpointId>, defaults: &[String]) -> BreakpointReport {
        let exceptions = self.exceptions.clone().unwrap_or_else(|| defaults.to_vec());
        BreakpointReport {
            all: self.list(),
            added,
            exceptions,
            unchecked: Vec::new(),
            restart: None,
        }
    }

    /// Words that mean nothing to the adapter are not in force.
    pub(super) fn forget_exceptions(&mut self, strange: &[String]) {
        call::forget(&mut self.exceptions, strange);
    }

    /// Words for exceptions in force.
    pub(super) fn exceptions(&self) -> Option<&[String]> {
        self.exceptions.as_deref()
    }

    /// Puts the adapter's words in place of the caller's.
    pub(super) fn retell(&mut self, texts: Vec<(BreakpointId, Translated)>) {
        for (id, text) in texts {
            self.change(id, |entry| entry.text = text);
        }
        // Nothing was sent yet: what is told by another call now leaves nothing to take back.
        let keys: BTreeSet<Key> = self.entries.values().map(Entry::key).collect();
        self.dirty.retain(|key| *key == Key::Exceptions || keys.contains(key));
    }

    /// Specs of all that the adapter is told of.
    pub(super) fn specs(&self) -> Vec<(BreakpointId, BreakpointSpec)> {
        let told = self.entries.iter().filter(|(_, entry)| !entry.held && !entry.temporary);
        told.map(|(id, entry)| (*id, entry.text.spec.clone())).collect()
    }

    /// Their numbers.
    pub(super) fn ids(&self) -> BTreeSet<BreakpointId> {
        self.entries.keys().copied().collect()
    }

    /// What another set takes over.
    pub(super) fn known_ones(&self) -> Vec<Known> {
        let kept = Kept::Before;
        let known =
            |one: Breakpoint| Known { id: one.id, spec: one.spec, enabled: one.enabled, kept };
        self.list().into_iter().map(known).collect()
    }

    /// Does to its own what a session that took them over has had done to them; what is new there
    /// stays there.
    pub(super) fn mirror(&mut self, edit: &BreakpointEdit) {
        let places: Vec<&Place> =
            self.entries.values().map(|entry| &entry.text.spec.place).collect();
        let set: Vec<BreakpointSpec> =
            edit.set.iter().filter(|spec| places.contains(&&spec.place)).cloned().collect();
        let exceptions = edit.exceptions.clone().filter(|_| self.exceptions.is_some());
        self.do_to_own(BreakpointEdit { set: set.clone(), exceptions, ..edit.clone() });
    }

    /// Does the same to its own, and takes over what is new.
    pub(super) fn mirror_with(&mut self, edit: &BreakpointEdit, new: &[Known]) {
        self.do_to_own(BreakpointEdit { set: Vec::new(), ..edit.clone() });
        let replaced =
            |entry: &Entry| new.iter().any(|new| new.spec.place == entry.text.spec.place);
        self.entries.retain(|_, entry| !replaced(entry));
        self.adopt(new.to_vec(), None);
    }

    /// Numbers of others are left out, and no place is new: nothing of it can be wrong.
    fn do_to_own(&mut self, mut edit: BreakpointEdit) {
        let texts = edit.set.iter().cloned().map(Translated::from).collect();
        for ids in [&mut edit.remove, &mut edit.enable, &mut edit.disable] {
            ids.retain(|id| self.entries.contains_key(id));
        }
        let _ = self.edit(edit, texts);
    }

    /// Takes over breakpoints that have numbers already.
    pub(super) fn adopt(&mut self, known: Vec<Known>, exceptions: Option<Vec<String>>) {
        for Known { id, spec, enabled, kept } in known {
            self.insert(id, Entry { enabled, kept, ..Entry::new(Translated::from(spec)) });
        }
        if exceptions.is_some() {
            self.exceptions = exceptions;
        }
    }
}

/// Is a function meant that frames show with its module or class, and its parameters?
fn is_called(function: &str, name: &str) -> bool {
    let plain = function.split('(').next().unwrap_or(function);
    let before = plain.strip_suffix(name);
    function == name
        || before.is_some_and(|before| before.is_empty() || before.ends_with([':', '.']))
}
