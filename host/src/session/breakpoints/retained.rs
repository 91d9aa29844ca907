//! Passes breakpoints from one set to another, with their numbers: from before a launch to the
//! session, from an ended session to its restart.

use super::entry::{Entry, Translated};
use super::key::Origin;
use super::set::Breakpoints;
use crate::model::{Author, Breakpoint, BreakpointEdit, BreakpointId, BreakpointSpec, Place};

/// A breakpoint that has its number already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::session) struct Numbered {
    pub(in crate::session) id: BreakpointId,
    pub(in crate::session) spec: BreakpointSpec,
    pub(in crate::session) enabled: bool,
    pub(in crate::session) origin: Origin,
}

impl Breakpoints {
    /// What another set takes over: all that callers have set.
    pub(in crate::session) fn numbered(&self) -> Vec<Numbered> {
        let mut numbered = Vec::new();
        for one in self.list() {
            if self.is_of_editor(one.id) {
                continue;
            }
            numbered.push(retained(&one));
        }
        numbered
    }

    /// Takes over breakpoints of another set. `chooses_exceptions`: its caller has chosen the
    /// exceptions that stop.
    pub(in crate::session) fn adopt(&mut self, numbered: Vec<Numbered>, chooses_exceptions: bool) {
        for Numbered { id, spec, enabled, origin } in numbered {
            self.insert(id, Entry { enabled, origin, ..Entry::new(Translated::from(spec)) });
        }
        self.chooses_exceptions |= chooses_exceptions;
    }

    /// Repeats an edit of the session that took these breakpoints over. Places that are new there
    /// are not added here. `exceptions`: the session's breakpoints on exceptions after it.
    pub(in crate::session) fn mirror(&mut self, edit: &BreakpointEdit, exceptions: &[Numbered]) {
        let places: Vec<&Place> =
            self.entries.values().map(|entry| &entry.translated.spec.place).collect();
        let mut set = edit.set.clone();
        set.retain(|spec| places.contains(&&spec.place));
        let chooses = self.chooses_exceptions;
        self.edit_known(BreakpointEdit { set, ..edit.clone() });
        if chooses && edit.exceptions.is_some() {
            self.replace_exceptions(exceptions);
        }
    }

    /// Repeats an edit of that session, and takes over the breakpoints that it set.
    pub(in crate::session) fn mirror_with(&mut self, edit: &BreakpointEdit, new: &[Numbered]) {
        self.edit_known(BreakpointEdit { set: Vec::new(), ..edit.clone() });
        if edit.exceptions.is_some() {
            self.replace_exceptions(&[]);
        }
        self.entries.retain(|_, entry| {
            !new.iter().any(|new| new.spec.place == entry.translated.spec.place)
        });
        self.adopt(new.to_vec(), false);
    }

    /// Replaces the breakpoints on exceptions by these, with their numbers.
    fn replace_exceptions(&mut self, exceptions: &[Numbered]) {
        for (id, _) in self.exception_entries() {
            self.entries.remove(&id);
        }
        self.adopt(exceptions.to_vec(), true);
    }

    /// Applies an edit to the breakpoints of this set alone, without those on exceptions. It cannot
    /// fail: unknown numbers are left out and no place is new.
    fn edit_known(&mut self, mut edit: BreakpointEdit) {
        edit.exceptions = None;
        let texts = edit.set.iter().cloned().map(Translated::from).collect();
        for ids in [&mut edit.remove, &mut edit.enable, &mut edit.disable] {
            ids.retain(|id| self.entries.contains_key(id));
        }
        let _ = self.edit(edit, texts);
    }
}

/// The breakpoints on exceptions that callers have set.
pub(in crate::session) fn exceptions_among(all: &[Breakpoint]) -> Vec<Numbered> {
    let is_callers = |one: &&Breakpoint| one.author == Author::Caller;
    let chosen = all.iter().filter(is_callers).filter(|one| one.spec.place.exception().is_some());
    chosen.map(retained).collect()
}

fn retained(one: &Breakpoint) -> Numbered {
    let origin = Origin::Retained;
    Numbered { id: one.id, spec: one.spec.clone(), enabled: one.enabled, origin }
}
