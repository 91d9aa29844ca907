//! The set of a session's breakpoints: adding, changing and removing them.
//!
//! Knows which calls an edit makes necessary (`dirty`). Refuses to read the adapter's answers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU32, Ordering};

use super::entry::{Entry, Translated, refused};
use super::key::{Key, Origin};
use super::live::Live;
use super::report::BreakpointReport;
use crate::dap::types;
use crate::model::{
    Author, Binding, Breakpoint, BreakpointEdit, BreakpointId, BreakpointSpec, Place,
};
use crate::session::Error;
use crate::session::adapter::exceptions::NONE;
use crate::session::adapter::quirks::Quirks;
use crate::session::breakpoints;
use crate::target::ForeignFiles;

/// Numbers are unique over all sessions.
static NEXT: AtomicU32 = AtomicU32::new(1);

pub(super) fn next_id() -> BreakpointId {
    BreakpointId(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// All breakpoints of a session.
pub(in crate::session) struct Breakpoints {
    pub(super) entries: BTreeMap<BreakpointId, Entry>,
    /// Whether the caller has chosen the exceptions that stop: those of the entries, or none. Else
    /// the manifest's defaults do.
    pub(super) chooses_exceptions: bool,
    /// Words for exceptions of an editor, in force besides those.
    pub(super) editor_exceptions: Vec<String>,
    /// Calls that are due.
    pub(super) dirty: BTreeSet<Key>,
    pub(super) max: usize,
    foreign_files: ForeignFiles,
    pub(super) live: Live,
    /// Breakpoints without code that were reported once by [`Self::take_codeless`].
    pub(super) located: BTreeSet<BreakpointId>,
    /// Events with ids that no answer has given out yet; `None` while no call is unanswered.
    pub(super) early: Option<BTreeMap<i64, types::Breakpoint>>,
    /// Those that were removed last: lines about them may still come.
    removed: BTreeSet<BreakpointId>,
    /// The breakpoints of the last call for each key, with their places.
    pub(super) placed: BTreeMap<Key, Vec<(BreakpointId, Place)>>,
}

/// Removed breakpoints that are remembered.
const REMOVED: usize = 1_000;

impl Breakpoints {
    /// A set of at most `max` places.
    pub(in crate::session) fn new(max: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            chooses_exceptions: false,
            editor_exceptions: Vec::new(),
            dirty: BTreeSet::from([Key::Exceptions]),
            max,
            foreign_files: ForeignFiles::default(),
            live: Live::default(),
            located: BTreeSet::new(),
            early: None,
            removed: BTreeSet::new(),
            placed: BTreeMap::new(),
        }
    }

    /// The set for an adapter that leaves some files to other adapters.
    pub(in crate::session) fn with_foreign_files(self, foreign_files: ForeignFiles) -> Self {
        Self { foreign_files, ..self }
    }

    /// Applies an edit; `texts` are its specs with the adapter's texts. Returns the numbers of the
    /// breakpoints set. On an error nothing changes.
    pub(in crate::session) fn edit(
        &mut self,
        mut edit: BreakpointEdit,
        texts: Vec<Translated>,
    ) -> Result<Vec<BreakpointId>, Error> {
        let author = edit.author;
        if author == Author::Editor {
            self.leave_others(&mut edit);
        }
        for id in edit.remove.iter().chain(&edit.enable).chain(&edit.disable) {
            self.check_known(*id)?;
            self.check_own(*id)?;
        }
        self.check_room(&edit, texts.iter().map(|text| &text.spec.place))?;
        if edit.clear && self.has_exceptions() {
            self.chooses_exceptions = false;
        }
        let removed = if edit.clear { self.own_ids() } else { edit.remove };
        for id in removed {
            self.remove(id);
        }
        for id in edit.enable {
            self.change(id, |entry| entry.enabled = true);
        }
        for id in edit.disable {
            self.change(id, |entry| entry.enabled = false);
        }
        let mut added: Vec<_> = texts.into_iter().map(|text| self.add(text, author)).collect();
        if let Some(words) = edit.exceptions {
            self.dirty.insert(Key::Exceptions);
            match author {
                Author::Caller => added.extend(self.choose_exceptions(&words)),
                Author::Editor => self.editor_exceptions = words,
            }
        }
        Ok(added)
    }

    /// Replaces the breakpoints on exceptions. One that stays keeps its number and its hits.
    fn choose_exceptions(&mut self, words: &[String]) -> Vec<BreakpointId> {
        self.chooses_exceptions = true;
        let places = exception_places(words);
        for (id, place) in self.exception_entries() {
            if !places.contains(&place) {
                self.remove(id);
            }
        }
        let mut chosen = Vec::with_capacity(places.len());
        for place in places {
            chosen.push(self.add(BreakpointSpec::at(place).into(), Author::Caller));
        }
        chosen
    }

    fn has_exceptions(&self) -> bool {
        !self.exception_entries().is_empty()
    }

    /// The breakpoints on exceptions.
    pub(super) fn exception_entries(&self) -> Vec<(BreakpointId, Place)> {
        let places = self.entries.iter().map(|(id, entry)| (*id, entry.translated.place.clone()));
        places.filter(|(_, place)| place.exception().is_some()).collect()
    }

    /// Takes out of an editor's edit what concerns breakpoints of callers, or none.
    fn leave_others(&self, edit: &mut BreakpointEdit) {
        if std::mem::take(&mut edit.clear) {
            edit.remove = self.entries.keys().copied().collect();
        }
        for ids in [&mut edit.remove, &mut edit.enable, &mut edit.disable] {
            ids.retain(|id| self.is_of_editor(*id));
        }
    }

    pub(super) fn is_of_editor(&self, id: BreakpointId) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.author == Author::Editor)
    }

    fn check_known(&self, id: BreakpointId) -> Result<(), Error> {
        if self.entries.contains_key(&id) {
            return Ok(());
        }
        Err(Error::Breakpoints(breakpoints::Error::UnknownBreakpoint {
            id: id.0,
            known: self.entries.keys().map(|id| id.0).collect(),
        }))
    }

    /// The host changes no breakpoint that a command of the debugger has set.
    fn check_own(&self, id: BreakpointId) -> Result<(), Error> {
        match self.entries.get(&id).map(|entry| &entry.binding) {
            Some(Binding::SetByCommand { delete, .. }) => {
                let error = breakpoints::Error::SetByCommand { id: id.0, delete: delete.clone() };
                Err(error.into())
            }
            _ => Ok(()),
        }
    }

    fn own_ids(&self) -> Vec<BreakpointId> {
        let mut ids: Vec<_> = self.entries.keys().copied().collect();
        ids.retain(|id| !self.is_by_command(*id));
        ids
    }

    /// Checks that the set has room for an edit that adds these places.
    pub(in crate::session) fn check_room<'a>(
        &'a self,
        edit: &BreakpointEdit,
        new: impl Iterator<Item = &'a Place>,
    ) -> Result<(), Error> {
        let chosen = edit.exceptions.as_deref().filter(|_| edit.author == Author::Caller);
        let exceptions = exception_places(chosen.unwrap_or_default());
        let mut places: BTreeSet<&Place> = exceptions.iter().collect();
        for place in new {
            places.insert(place);
        }
        for (id, entry) in &self.entries {
            let place = &entry.translated.spec.place;
            let is_replaced = chosen.is_some() && place.exception().is_some();
            if !entry.temporary && !edit.clear && !edit.remove.contains(id) && !is_replaced {
                places.insert(place);
            }
        }
        if places.len() <= self.max {
            return Ok(());
        }
        Err(Error::Limit {
            what: "the number of breakpoints".into(),
            value: self.max.to_string(),
            raise: "limits.breakpoints".into(),
        })
    }

    /// Adds a breakpoint, or changes the one at the same place; an editor leaves one of a caller
    /// there as it is.
    fn add(&mut self, text: Translated, author: Author) -> BreakpointId {
        if let Some((id, entry)) = self.same_place(&text.spec.place, false)
            && (author, entry.author) == (Author::Editor, Author::Caller)
        {
            return id;
        }
        self.put(Entry { author, ..Entry::new(text) })
    }

    fn same_place(&self, place: &Place, temporary: bool) -> Option<(BreakpointId, &Entry)> {
        let mut known = self.entries.iter().map(|(id, entry)| (*id, entry));
        known.find(|(_, entry)| {
            entry.translated.spec.place == *place && entry.temporary == temporary
        })
    }

    /// Inserts a breakpoint with the number and the hits of the one at the same place.
    fn put(&mut self, entry: Entry) -> BreakpointId {
        let same = self.same_place(&entry.translated.spec.place, entry.temporary);
        let same = same.map(|(id, entry)| (id, entry.hits, entry.replaced));
        let (id, hits, replaced) = same.unwrap_or_else(|| (next_id(), 0, false));
        self.insert(id, Entry { hits, replaced, ..entry });
        id
    }

    /// Inserts a breakpoint. One in a file that the adapter leaves to others is withheld.
    pub(super) fn insert(&mut self, id: BreakpointId, mut entry: Entry) {
        if let Some(extension) = self.foreign_files.leaves(&entry.translated.spec.place) {
            let adapter = self.foreign_files.adapter.clone();
            entry.withheld = true;
            entry.binding = match entry.origin {
                Origin::Retained => Binding::Foreign { adapter },
                Origin::Call | Origin::Command => {
                    refused(format!("{adapter} does not debug .{extension} files"))
                }
            };
        }
        self.mark_dirty(&entry);
        self.entries.insert(id, entry);
    }

    /// The call of this breakpoint is due.
    fn mark_dirty(&mut self, entry: &Entry) {
        if !entry.withheld {
            self.dirty.insert(entry.key());
        }
    }

    fn remove(&mut self, id: BreakpointId) {
        if let Some(entry) = self.entries.remove(&id) {
            self.mark_dirty(&entry);
            self.removed.insert(id);
            if self.removed.len() > REMOVED {
                self.removed.pop_first();
            }
        }
    }

    /// Whether it is in the set, or was.
    pub(in crate::session) fn has_had(&self, id: BreakpointId) -> bool {
        self.entries.contains_key(&id) || self.removed.contains(&id)
    }

    pub(super) fn change(&mut self, id: BreakpointId, change: impl FnOnce(&mut Entry)) {
        if let Some(mut entry) = self.entries.remove(&id) {
            change(&mut entry);
            self.mark_dirty(&entry);
            self.entries.insert(id, entry);
        }
    }

    /// Adds a breakpoint for one run to a place.
    pub(in crate::session) fn add_temporary(&mut self, text: Translated) -> BreakpointId {
        self.put(Entry { temporary: true, ..Entry::new(text) })
    }

    /// The caller's breakpoint that stops the debuggee whenever it comes to this place.
    pub(in crate::session) fn plain_at(
        &self,
        place: &Translated,
        quirks: &Quirks,
    ) -> Option<BreakpointId> {
        let mut entries = self.entries.iter();
        let found = entries.find(|(_, entry)| entry.always_stops(quirks) && entry.is_at(place));
        found.map(|(id, _)| *id)
    }

    /// Removes a temporary breakpoint that the adapter refused, and the others at its place, so
    /// that it can be added again in their place: an adapter may take one there, and may not try a
    /// refused one again. None if the adapter has no other there.
    pub(in crate::session) fn replace_others(&mut self, id: BreakpointId) -> Option<Translated> {
        let temporary = self.entries.get(&id).filter(|entry| entry.temporary)?;
        let text = temporary.translated.clone();
        let mut others = Vec::new();
        for (other, entry) in &self.entries {
            let is_bound = matches!(entry.binding, Binding::Bound { .. });
            let is_there = entry.is_at(&text) || entry.shares_line(&text);
            if !entry.temporary && is_bound && entry.is_sent() && is_there {
                others.push(*other);
            }
        }
        if others.is_empty() {
            return None;
        }
        self.remove(id);
        for other in others {
            self.change(other, |entry| (entry.replaced, entry.adapter_id) = (true, None));
        }
        Some(text)
    }

    /// Sends breakpoints again that a temporary one has replaced.
    fn restore_replaced(&mut self) {
        let mut replaced: Vec<_> = self.entries.iter().collect();
        replaced.retain(|(_, entry)| entry.replaced);
        let ids: Vec<_> = replaced.into_iter().map(|(id, _)| *id).collect();
        for id in ids {
            self.change(id, |entry| entry.replaced = false);
        }
    }

    /// Drops all temporary breakpoints. True if there were any.
    pub(in crate::session) fn drop_temporary(&mut self) -> bool {
        let ids: Vec<_> =
            self.entries.iter().filter(|(_, entry)| entry.temporary).map(|(id, _)| *id).collect();
        for id in &ids {
            self.remove(*id);
        }
        self.restore_replaced();
        !ids.is_empty()
    }

    /// Drops one temporary breakpoint. True if it was there.
    pub(in crate::session) fn drop_one_temporary(&mut self, id: BreakpointId) -> bool {
        let there = self.entries.get(&id).is_some_and(|entry| entry.temporary);
        if there {
            self.remove(id);
            self.restore_replaced();
        }
        there
    }

    pub(in crate::session) fn get(&self, id: BreakpointId) -> Option<Breakpoint> {
        self.entries.get(&id).map(|entry| entry.view(id))
    }

    /// The log message as the adapter or the host is to write it.
    pub(in crate::session) fn log_text(&self, id: BreakpointId) -> Option<String> {
        let entry = self.entries.get(&id)?;
        let own = &entry.translated;
        if entry.replaced { own.spec.log.clone() } else { own.log.clone() }
    }

    /// All that callers see, ascending by number.
    pub(in crate::session) fn list(&self) -> Vec<Breakpoint> {
        let visible = self.entries.iter().filter(|(_, entry)| !entry.temporary);
        visible.map(|(id, entry)| entry.view(*id)).collect()
    }

    /// Those of these that callers see.
    pub(in crate::session) fn visible(&self, ids: &[BreakpointId]) -> Vec<BreakpointId> {
        let mut visible = ids.to_vec();
        visible.retain(|id| self.entries.get(id).is_some_and(|entry| !entry.temporary));
        visible
    }

    pub(in crate::session) fn ids(&self) -> BTreeSet<BreakpointId> {
        self.entries.keys().copied().collect()
    }

    /// The report of an edit that added these.
    pub(in crate::session) fn report(
        &self,
        added: Vec<BreakpointId>,
        default_exceptions: &[String],
    ) -> BreakpointReport {
        BreakpointReport {
            all: self.list(),
            added,
            exceptions: self.exceptions().unwrap_or_else(|| default_exceptions.to_vec()),
            unchecked: Vec::new(),
            off: Vec::new(),
            open: None,
            restart: None,
        }
    }

    /// The caller's words for exceptions in force; none: the manifest's defaults are in force.
    pub(in crate::session) fn exceptions(&self) -> Option<Vec<String>> {
        if !self.chooses_exceptions {
            return None;
        }
        let mut words = Vec::new();
        for entry in self.entries.values().filter(|entry| entry.enabled) {
            words.extend(entry.translated.place.exception().map(str::to_owned));
        }
        if words.is_empty() {
            words.push(NONE.to_owned());
        }
        Some(words)
    }

    /// Whether the caller has chosen the exceptions that stop.
    pub(in crate::session) fn chooses_exceptions(&self) -> bool {
        self.chooses_exceptions
    }
}

/// The breakpoints for these words, each once.
fn exception_places(words: &[String]) -> Vec<Place> {
    let mut places = Vec::with_capacity(words.len());
    for word in words {
        let place = Place::Exception(word.clone());
        if word != NONE && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BreakpointSpec, Place};

    #[test]
    fn removed_breakpoint_is_remembered() {
        let mut set = Breakpoints::new(9);
        let spec = BreakpointSpec::at(Place::Function("f".to_owned()));
        let id = set.add_temporary(Translated::from(spec));
        assert!(set.has_had(id));
        assert!(set.drop_one_temporary(id) && set.get(id).is_none());
        assert!(set.has_had(id));
        assert!(!set.has_had(BreakpointId(u32::MAX)));
    }
}
