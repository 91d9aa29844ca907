//! Which breakpoints stopped the debuggee, and how often each was hit.
//!
//! Adapters differ: some name the breakpoints of a stop exactly, some name any at the same place,
//! some name none. Refuses to evaluate conditions: it says which ones are in doubt.

use std::path::{Path, PathBuf};

use super::entry::Entry;
use super::logpoint;
use super::set::Breakpoints;
use crate::model::{Binding, BreakpointId, Note, Place};
use crate::session::adapter::quirks::Quirks;

impl Breakpoints {
    /// Those of these that may have stopped the debuggee; all of them if none may: a log point of
    /// the adapter stops only if its condition fails.
    pub(in crate::session) fn stopping(
        &self,
        ids: Vec<BreakpointId>,
        quirks: &Quirks,
    ) -> Vec<BreakpointId> {
        let stops =
            |id: &&BreakpointId| self.entries.get(id).is_none_or(|entry| entry.stops(quirks));
        let stopping: Vec<BreakpointId> = ids.iter().filter(stops).copied().collect();
        if stopping.is_empty() { ids } else { stopping }
    }

    /// The breakpoints with these ids of the adapter.
    pub(in crate::session) fn identify(&self, adapter_ids: &[i64]) -> Vec<BreakpointId> {
        let named = self.entries.iter().filter(|(_, entry)| entry.is_named_by(adapter_ids));
        named.map(|(id, _)| *id).collect()
    }

    /// Whether one of them is replaced by a temporary one: the adapter does not know its condition.
    pub(in crate::session) fn has_replaced(&self, ids: &[BreakpointId]) -> bool {
        ids.iter().any(|id| self.entries.get(id).is_some_and(|entry| entry.replaced))
    }

    /// May other breakpoints than the named ones have stopped the debuggee? So if the adapter names
    /// any at the place, and one there has a condition; also if others are replaced by it.
    pub(in crate::session) fn is_unsure(&self, adapter_ids: &[i64], quirks: &Quirks) -> bool {
        let is_temporary = |entry: &Entry| entry.temporary && entry.is_named_by(adapter_ids);
        let has_replaced = self.entries.values().any(|entry| entry.replaced);
        if has_replaced && self.entries.values().any(is_temporary) {
            return true;
        }
        if !quirks.names_breakpoints_by_place() {
            return false;
        }
        for (id, entry) in &self.entries {
            if !entry.enabled || !entry.is_named_by(adapter_ids) {
                continue;
            }
            for (other_id, other) in &self.entries {
                let conditional = entry.translated.condition.is_some()
                    || other.translated.condition.is_some()
                    || !entry.stops(quirks);
                if other_id != id && conditional && other.stops(quirks) && other.may_share(entry) {
                    return true;
                }
            }
        }
        false
    }

    /// Those of these with conditions, which may not hold here.
    pub(in crate::session) fn conditions(
        &self,
        ids: &[BreakpointId],
    ) -> Vec<(BreakpointId, String)> {
        let mut conditions = Vec::new();
        for id in ids {
            let condition =
                self.entries.get(id).and_then(|entry| entry.translated.spec.condition.clone());
            conditions.extend(condition.map(|condition| (*id, condition)));
        }
        conditions
    }

    /// What stopped the debuggee if no condition of the named breakpoints holds: those without a
    /// condition at the same place; without any, the named ones.
    pub(in crate::session) fn unconditional_at(
        &self,
        adapter_ids: &[i64],
        quirks: &Quirks,
    ) -> Vec<BreakpointId> {
        let named = self.identify(adapter_ids);
        let mut others = Vec::new();
        for (id, entry) in &self.entries {
            let shares = named
                .iter()
                .any(|id| self.entries.get(id).is_some_and(|named| entry.shares(named)));
            if shares && entry.stops(quirks) && entry.translated.condition.is_none() {
                others.push(*id);
            }
        }
        if others.is_empty() { named } else { others }
    }

    /// The places of breakpoints at lines, where the adapter has put them.
    pub(in crate::session) fn lines(&self) -> Vec<(PathBuf, u32)> {
        let place = |entry: &Entry| match &entry.translated.place {
            Place::Line { path, .. } => Some((path.clone(), entry.line()?)),
            Place::Function(_) | Place::Exception(_) => None,
        };
        self.entries.values().filter_map(place).collect()
    }

    /// For adapters that do not name breakpoints: those that stop the debuggee at this place. One
    /// with a condition is listed only if no other is there, or if its condition is evaluated next
    /// ([`Self::conditions`]).
    pub(in crate::session) fn at(
        &self,
        path: &Path,
        line: u32,
        function: &str,
        quirks: &Quirks,
    ) -> Vec<BreakpointId> {
        let (mut all, mut unconditional) = (Vec::new(), Vec::new());
        for (id, entry) in &self.entries {
            let is_here = match &entry.translated.place {
                Place::Line { .. } => entry.is_in(path) && entry.line() == Some(line),
                Place::Function(name) => {
                    is_called(function, name) && entry.line().is_none_or(|bound| bound == line)
                }
                Place::Exception(_) => false,
            };
            if !is_here || !entry.stops(quirks) {
                continue;
            }
            all.push(*id);
            if entry.translated.condition.is_none() || entry.replaced {
                unconditional.push(*id);
            }
        }
        let evaluates_conditions = quirks.names_breakpoints_by_place();
        if unconditional.is_empty() || evaluates_conditions { all } else { unconditional }
    }

    /// Drops breakpoints on functions whose line the adapter has not reported: any line of the
    /// function may be the one of the stop.
    pub(in crate::session) fn retain_lines(&self, ids: &mut Vec<BreakpointId>) {
        ids.retain(|id| self.entries.get(id).is_some_and(|entry| entry.line().is_some()));
    }

    /// May the adapter have moved a breakpoint that stops the debuggee to this line?
    pub(in crate::session) fn may_move_to(&self, path: &Path, line: u32, quirks: &Quirks) -> bool {
        self.entries.values().any(|entry| entry.stops(quirks) && entry.may_move_to(path, line))
    }

    /// Counts a hit of each breakpoint that stopped the debuggee, unless the adapter counts.
    pub(in crate::session) fn count_stop(&mut self, ids: &[BreakpointId], quirks: &Quirks) {
        for id in ids {
            let by_adapter =
                self.entries.get(id).is_some_and(|entry| entry.is_counted_by_plugin(quirks));
            self.count(*id, if by_adapter { 0 } else { 1 });
        }
    }

    /// Counts hits. A hit proves that the breakpoint is set.
    pub(in crate::session) fn count(&mut self, id: BreakpointId, hits: u32) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.hits = entry.hits.saturating_add(hits);
            entry.proven = true;
            if matches!(entry.binding, Binding::Pending | Binding::Unconfirmed)
                || entry.has_no_code()
            {
                entry.prove();
            }
        }
    }

    /// The debuggee has stopped in this file: breakpoints on functions that the adapter has set
    /// without naming a file are there.
    pub(in crate::session) fn found_in(&mut self, ids: &[BreakpointId], file: Option<&Path>) {
        for id in ids {
            if let Some(entry) = self.entries.get_mut(id)
                && matches!(entry.translated.place, Place::Function(_))
                && entry.file.is_none()
            {
                entry.file = file.map(Path::to_owned);
            }
        }
    }

    /// Does the latest hit, which is counted already, satisfy the hit condition?
    pub(in crate::session) fn satisfies_hit_condition(
        &self,
        id: BreakpointId,
        quirks: &Quirks,
    ) -> bool {
        let Some(entry) = self.entries.get(&id) else { return true };
        entry.is_counted_by_plugin(quirks)
            || entry.hit_condition().is_none_or(|hits| hits.accept(u64::from(entry.hits)))
    }

    /// Does the plugin count the hits of this breakpoint, which the adapter does not name? Then the
    /// stop does not satisfy its hit condition.
    pub(in crate::session) fn is_short_of_hits(
        &self,
        id: BreakpointId,
        adapter_ids: &[i64],
        quirks: &Quirks,
    ) -> bool {
        self.entries.get(&id).is_some_and(|entry| {
            entry.is_counted_by_plugin(quirks) && !entry.is_named_by(adapter_ids)
        })
    }

    /// Has it written all that it may?
    pub(in crate::session) fn is_retired(&self, id: BreakpointId) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.retired)
    }

    /// Is it a log breakpoint at which the debuggee stops and the host writes the line?
    pub(in crate::session) fn is_logged_by_host(&self, id: BreakpointId, quirks: &Quirks) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.is_logged_by_host(quirks))
    }

    /// Counts hits of a log breakpoint that write no message, because of `every` or `max_hits`, or
    /// because more messages came than are kept.
    pub(in crate::session) fn suppress(&mut self, id: BreakpointId, hits: u32) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.suppressed = entry.suppressed.saturating_add(hits);
        }
    }

    /// Ends a log breakpoint that has written its `max_hits`: later hits would cost time for
    /// nothing. True if it has to be removed from the adapter now, which has not ended it itself.
    pub(in crate::session) fn retire(&mut self, id: BreakpointId) -> bool {
        let Some(entry) = self.entries.get_mut(&id) else { return false };
        if !logpoint::has_written_all(&entry.view(id)) {
            return false;
        }
        match (entry.retired, entry.last.is_some()) {
            (true, false) => false,
            (false, true) => {
                entry.retired = true;
                false
            }
            // A hit after the last one: the adapter has not ended it.
            (false, false) | (true, true) => {
                self.change(id, |entry| (entry.retired, entry.last) = (true, None));
                true
            }
        }
    }

    /// A note at the first hit that the adapter moved the breakpoint to another line.
    pub(in crate::session) fn moved(&self, id: BreakpointId) -> Option<Note> {
        let entry = self.entries.get(&id).filter(|entry| entry.hits == 1)?;
        entry.moved_to()?;
        let place = entry.translated.spec.place.clone();
        Some(Note::Moved { id: (!entry.temporary).then_some(id), place })
    }
}

/// Does a frame show a function of this name? Frames add its module or class, and parameters.
fn is_called(function: &str, name: &str) -> bool {
    let plain = function.split('(').next().unwrap_or(function);
    let before = plain.strip_suffix(name);
    function == name
        || before.is_some_and(|before| before.is_empty() || before.ends_with([':', '.']))
}
