//! Passes breakpoints from one set to another, with their numbers: from before a launch to the
//! session, from an ended session to its restart.

use super::entry::{Entry, Translated};
use super::key::Origin;
use super::set::Breakpoints;
use crate::model::{BreakpointEdit, BreakpointId, BreakpointSpec, Place};

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
            let origin = Origin::Retained;
            numbered.push(Numbered { id: one.id, spec: one.spec, enabled: one.enabled, origin });
        }
        numbered
    }

    /// Takes over breakpoints of another set.
    pub(in crate::session) fn adopt(
        &mut self,
        numbered: Vec<Numbered>,
        exceptions: Option<Vec<String>>,
    ) {
        for Numbered { id, spec, enabled, origin } in numbered {
            self.insert(id, Entry { enabled, origin, ..Entry::new(Translated::from(spec)) });
        }
        if exceptions.is_some() {
            self.exceptions = exceptions;
        }
    }

    /// Repeats an edit of the session that took these breakpoints over. Places that are new there
    /// are not added here.
    pub(in crate::session) fn mirror(&mut self, edit: &BreakpointEdit) {
        let places: Vec<&Place> =
            self.entries.values().map(|entry| &entry.translated.spec.place).collect();
        let mut set = edit.set.clone();
        set.retain(|spec| places.contains(&&spec.place));
        let exceptions = edit.exceptions.clone().filter(|_| self.exceptions.is_some());
        self.edit_known(BreakpointEdit { set, exceptions, ..edit.clone() });
    }

    /// Repeats an edit of that session, and takes over the breakpoints that it set.
    pub(in crate::session) fn mirror_with(&mut self, edit: &BreakpointEdit, new: &[Numbered]) {
        self.edit_known(BreakpointEdit { set: Vec::new(), ..edit.clone() });
        self.entries.retain(|_, entry| {
            !new.iter().any(|new| new.spec.place == entry.translated.spec.place)
        });
        self.adopt(new.to_vec(), None);
    }

    /// Applies an edit to the breakpoints of this set alone. It cannot fail: unknown numbers are
    /// left out and no place is new.
    fn edit_known(&mut self, mut edit: BreakpointEdit) {
        let texts = edit.set.iter().cloned().map(Translated::from).collect();
        for ids in [&mut edit.remove, &mut edit.enable, &mut edit.disable] {
            ids.retain(|id| self.entries.contains_key(id));
        }
        let _ = self.edit(edit, texts);
    }
}
