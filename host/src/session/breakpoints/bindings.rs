//! Breakpoints whose places have no code: which ones, why, and where the nearest code is.

use std::path::{Path, PathBuf};

use super::call::Call;
use super::entry::{Entry, ended_before, never_loaded, never_named};
use super::key::Key;
use super::live::Live;
use super::nearest::Trial;
use super::set::Breakpoints;
use crate::model::{Before, Binding, BreakpointId, Frame, Nearest, Note, Place};
use crate::session::adapter::quirks::{Quirks, no_code};
use crate::session::adapter::wire::Wire;

/// Breakpoints whose places the adapter refused.
#[derive(Debug, Default)]
pub(in crate::session) struct Codeless {
    pub(in crate::session) lines: Vec<(BreakpointId, PathBuf, u32)>,
    pub(in crate::session) functions: Vec<(BreakpointId, String)>,
}

impl Breakpoints {
    /// Those of these whose places the adapter refused.
    pub(in crate::session) fn codeless(&self, ids: &[BreakpointId]) -> Codeless {
        let mut codeless = Codeless::default();
        for id in ids {
            let Some(Entry { binding: Binding::Refused { .. }, translated, .. }) =
                self.entries.get(id)
            else {
                continue;
            };
            match &translated.place {
                Place::Line { path, line, .. } => codeless.lines.push((*id, path.clone(), *line)),
                Place::Function(name) => codeless.functions.push((*id, name.clone())),
                Place::Exception(_) => {}
            }
        }
        codeless
    }

    /// Those whose places the adapter refused and for which the nearest code is not known. Each is
    /// returned once.
    pub(in crate::session) fn take_codeless(&mut self) -> Codeless {
        let mut new = Vec::new();
        for (id, entry) in &self.entries {
            let Binding::Refused { nearest, .. } = &entry.binding else { continue };
            let is_wanted = nearest.is_empty() && !entry.withheld && entry.enabled;
            if is_wanted && !self.located.contains(id) {
                new.push(*id);
            }
        }
        self.located.extend(&new);
        self.codeless(&new)
    }

    /// Starts a trial of the lines around each of these places.
    pub(in crate::session) fn trials(
        &self,
        places: &[(BreakpointId, PathBuf, u32)],
        wire: &Wire,
        quirks: &Quirks,
    ) -> Vec<Trial> {
        let mut trials = Vec::new();
        for (id, path, line) in places {
            if let Call::Source(call) = self.job(Key::Source(path.clone()), quirks).call {
                trials.push(Trial::new(wire, *id, *line, call));
            }
        }
        trials
    }

    /// Notes the nearest code of places without any. After a trial the file's breakpoints are due:
    /// the adapter has them as no hook of the plugin has seen them.
    pub(in crate::session) fn set_nearest(
        &mut self,
        found: Vec<(BreakpointId, Nearest)>,
        quirks: &Quirks,
    ) {
        for (id, nearest) in found {
            let Some(entry) = self.entries.get_mut(&id) else { continue };
            if quirks.tries_lines() && matches!(nearest, Nearest::Lines(_)) {
                self.dirty.insert(entry.key());
            }
            entry.set_nearest(nearest, quirks);
        }
    }

    /// The program runs: where its file is loaded, an unconfirmed breakpoint has no code.
    pub(in crate::session) fn settle(&mut self, quirks: &Quirks) {
        if quirks.locates_when_running() {
            self.live = Live::All;
        } else if quirks.locates_when_loaded() {
            self.live.begin();
        } else {
            return;
        }
        for entry in self.entries.values_mut() {
            if entry.binding == Binding::Unconfirmed && self.live.knows(entry) {
                entry.binding = no_code();
            }
        }
    }

    /// The program has ended: an unconfirmed breakpoint stays without code. `is_loaded`: was this
    /// source loaded, or a file generated from it?
    pub(in crate::session) fn settle_all(
        &mut self,
        quirks: &Quirks,
        is_loaded: impl Fn(&Path) -> bool,
    ) {
        self.settle(quirks);
        let by_file = quirks.locates_when_loaded();
        for entry in self.entries.values_mut() {
            if entry.binding != Binding::Unconfirmed {
                continue;
            }
            entry.binding = match &entry.translated.place {
                Place::Function(_) => never_named(),
                Place::Line { path, .. } if by_file && is_loaded(path) => ended_before(),
                Place::Line { .. } if by_file => never_loaded(quirks),
                Place::Line { .. } | Place::Exception(_) => continue,
            };
        }
    }

    /// The program has loaded a file.
    pub(in crate::session) fn load(&mut self, path: PathBuf) {
        self.live.load(path);
    }

    /// Why a run from this frame cannot hit it: the adapter refuses it, or has moved it to a line
    /// that was executed already.
    pub(in crate::session) fn refusal(
        &self,
        id: BreakpointId,
        frame: Option<&Frame>,
    ) -> Option<String> {
        let Entry { binding, translated, .. } = self.entries.get(&id)?;
        match (binding, &translated.place) {
            (Binding::Refused { reason, .. }, place) => Some(format!("{place}: {reason}")),
            (Binding::Bound { line: Some(bound) }, Place::Line { path, line, .. }) => {
                let frame = frame.filter(|frame| frame.path.as_deref() == Some(path))?;
                if *bound > frame.line || frame.line >= *line {
                    return None;
                }
                Some(format!(
                    "{path}:{line} has no code: the debugger would stop at line {bound}, which is \
                     not ahead",
                    path = path.display()
                ))
            }
            _ => None,
        }
    }

    /// The note of a run to a place that was not reached.
    pub(in crate::session) fn missed(&self, id: BreakpointId, before: Before) -> Option<Note> {
        let entry = self.entries.get(&id)?;
        let found = matches!(entry.binding, Binding::Bound { .. });
        let place = entry.translated.spec.place.clone();
        Some(Note::NotReached { place, moved: entry.moved_to(), found, before })
    }
}
