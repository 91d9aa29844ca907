//! Breakpoints that commands of the debugger's own language set and delete. The adapter reports
//! them by events; the host lists them, counts their hits, and does not send them.
//!
//! Refuses to know the commands.

use super::entry::{Entry, Translated};
use super::key::Origin;
use super::set::{Breakpoints, next_id};
use crate::dap::types;
use crate::model::{Binding, BreakpointId, BreakpointSpec, Place};
use crate::session::adapter::quirks::Quirks;

impl Breakpoints {
    /// Takes a breakpoint that a command has set; one without a line in a file is not listed.
    pub(in crate::session) fn set_by_command(
        &mut self,
        reported: &types::Breakpoint,
        quirks: &Quirks,
    ) {
        let path = reported.source.as_ref().and_then(|source| source.path.as_deref());
        let line = reported.line.and_then(|line| u32::try_from(line).ok());
        let (Some(number), Some(path), Some(line)) = (reported.id, path, line) else { return };
        if self.with_number(number).is_some() {
            return;
        }
        let place = Place::Line { path: path.into(), line, column: None };
        let delete = quirks.delete_command(number);
        let entry = Entry {
            adapter_id: Some(number),
            binding: Binding::SetByCommand { number, delete },
            origin: Origin::Command,
            withheld: true,
            ..Entry::new(Translated::from(BreakpointSpec::at(place)))
        };
        self.entries.insert(next_id(), entry);
    }

    /// The adapter has deleted a breakpoint. `any`: a command may have deleted one of the host's;
    /// otherwise only one that a command has set goes.
    pub(in crate::session) fn deleted_by_command(&mut self, number: i64, any: bool) {
        let Some(id) = self.with_number(number) else { return };
        if any || self.is_by_command(id) {
            self.entries.remove(&id);
        }
    }

    pub(super) fn is_by_command(&self, id: BreakpointId) -> bool {
        self.entries.get(&id).is_some_and(|entry| entry.origin == Origin::Command)
    }

    fn with_number(&self, number: i64) -> Option<BreakpointId> {
        let mut entries = self.entries.iter();
        entries.find(|(_, entry)| entry.adapter_id == Some(number)).map(|(id, _)| *id)
    }
}
