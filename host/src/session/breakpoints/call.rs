//! One DAP call that replaces the breakpoints of a file, those on functions, or the filters for
//! exceptions.
//!
//! Knows how an entry is written in DAP. Refuses to send anything.

use std::path::Path;

use super::entry::Entry;
use super::key::{Key, Origin};
use crate::dap::arguments::{SetBreakpointsArguments, SetFunctionBreakpointsArguments};
use crate::dap::types::{self, BreakpointMark};
use crate::model::{BreakpointId, Place};
use crate::session::adapter::quirks::Quirks;
use crate::session::breakpoints::logpoint;

/// One call with the breakpoints that it sets.
#[derive(Clone, Debug)]
pub(in crate::session) struct Job {
    pub(in crate::session) key: Key,
    pub(in crate::session) call: Call,
    /// The breakpoints of the call, by position. For exceptions a plugin may make one filter of
    /// several, or several of one: they have no positions.
    pub(super) ids: Vec<(BreakpointId, Origin)>,
    /// Removed from the call, with the reason why their conditions cannot be sent.
    pub(in crate::session) refused: Vec<(BreakpointId, Origin, String)>,
    /// Breakpoints of lines without code, with the lines to which the host has moved them.
    pub(super) moved: Vec<(BreakpointId, u32)>,
}

/// The call's arguments.
#[derive(Clone, Debug)]
pub(in crate::session) enum Call {
    Source(SetBreakpointsArguments),
    Functions(SetFunctionBreakpointsArguments),
    /// Words of the caller and of an editor; [`exceptions`](super::exceptions) turns them into
    /// filters.
    Exceptions(Option<Vec<String>>, Vec<String>),
}

impl Job {
    /// The call for a key with these breakpoints. Numbers and breakpoints are collected together:
    /// answers come by position.
    pub(super) fn new<'a>(
        key: Key,
        armed: impl Iterator<Item = (BreakpointId, &'a Entry)>,
        exceptions: (Option<Vec<String>>, &[String]),
        quirks: &Quirks,
    ) -> Self {
        let mut ids = Vec::new();
        let call = match &key {
            Key::Source(path) => {
                let mut breakpoints = Vec::new();
                for (id, entry) in armed {
                    if let Some(one) = line(id, entry, quirks) {
                        ids.push((id, entry.origin));
                        breakpoints.push(one);
                    }
                }
                Call::Source(SetBreakpointsArguments {
                    source: source(path),
                    breakpoints,
                    source_modified: Some(false),
                })
            }
            Key::Functions => {
                let mut breakpoints = Vec::new();
                for (id, entry) in armed {
                    if let Some(one) = function(id, entry, quirks) {
                        ids.push((id, entry.origin));
                        breakpoints.push(one);
                    }
                }
                Call::Functions(SetFunctionBreakpointsArguments { breakpoints })
            }
            Key::Exceptions => {
                ids.extend(armed.map(|(id, entry)| (id, entry.origin)));
                let (words, of_editor) = exceptions;
                Call::Exceptions(words, of_editor.to_vec())
            }
        };
        Self { key, call, ids, refused: Vec::new(), moved: Vec::new() }
    }

    /// The caller's words for exceptions.
    pub(in crate::session) fn exceptions(&self) -> Option<&[String]> {
        match &self.call {
            Call::Exceptions(words, _) => words.as_deref(),
            Call::Source(_) | Call::Functions(_) => None,
        }
    }

    /// The first breakpoint before this one in the call that is on the same line and set.
    pub(super) fn same_line(
        &self,
        at: usize,
        is_set: impl Fn(usize) -> bool,
    ) -> Option<BreakpointId> {
        let Call::Source(call) = &self.call else { return None };
        let place = |at: usize| call.breakpoints.get(at).map(|one| (one.line, one.column));
        let other = (0..at).find(|other| place(*other) == place(at) && is_set(*other))?;
        self.ids.get(other).map(|(id, _)| *id)
    }

    /// Whether it sets the exception filters that are on by default.
    pub(in crate::session) fn has_default_exceptions(&self) -> bool {
        matches!(self.call, Call::Exceptions(None, _))
    }

    /// Drops these words; if none is left, the manifest's defaults are in force.
    pub(in crate::session) fn forget_exceptions(&mut self, unknown: &[String]) {
        let Call::Exceptions(words, _) = &mut self.call else { return };
        let Some(all) = words.as_mut().filter(|_| !unknown.is_empty()) else { return };
        all.retain(|word| !unknown.contains(word));
        if all.is_empty() {
            *words = None;
        }
    }

    /// Every condition of the call as the adapter gets it, with its position and origin.
    pub(in crate::session) fn conditions(&self) -> Vec<(usize, Origin, String)> {
        let conditions: Vec<Option<&String>> = match &self.call {
            Call::Source(call) => {
                call.breakpoints.iter().map(|one| one.condition.as_ref()).collect()
            }
            Call::Functions(call) => {
                call.breakpoints.iter().map(|one| one.condition.as_ref()).collect()
            }
            Call::Exceptions(..) => Vec::new(),
        };
        let mut found = Vec::new();
        for (at, (condition, (_, origin))) in conditions.into_iter().zip(&self.ids).enumerate() {
            if let Some(condition) = condition {
                found.push((at, *origin, condition.clone()));
            }
        }
        found
    }

    /// The file and line of the breakpoint at a position; none: it is on a function.
    pub(in crate::session) fn line(&self, at: usize) -> Option<(&Path, u32)> {
        let (Key::Source(path), Call::Source(call)) = (&self.key, &self.call) else { return None };
        Some((path, u32::try_from(call.breakpoints.get(at)?.line).ok()?))
    }

    /// Removes the breakpoint at a position from the call.
    pub(in crate::session) fn refuse(&mut self, at: usize, why: String) {
        match &mut self.call {
            Call::Source(call) => drop(call.breakpoints.remove(at)),
            Call::Functions(call) => drop(call.breakpoints.remove(at)),
            Call::Exceptions(..) => return,
        }
        let (id, origin) = self.ids.remove(at);
        self.refused.push((id, origin, why));
    }

    /// Makes breakpoints of log points: the debuggee stops there.
    pub(in crate::session) fn drop_log_messages(&mut self) {
        if let Call::Source(call) = &mut self.call {
            for breakpoint in &mut call.breakpoints {
                breakpoint.log_message = None;
            }
        }
    }

    /// Removes every breakpoint with a condition from the call.
    pub(in crate::session) fn refuse_conditions(&mut self, why: &str) {
        // In reverse order: a removal does not change earlier positions.
        for (at, ..) in self.conditions().into_iter().rev() {
            self.refuse(at, why.to_owned());
        }
    }
}

fn source(path: &Path) -> types::Source {
    types::Source {
        name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
        path: Some(path.to_string_lossy().into_owned()),
        ..types::Source::default()
    }
}

/// For code of the plugin that counts hits or writes log messages.
fn breakpoint_mark(id: BreakpointId, entry: &Entry, quirks: &Quirks) -> Option<BreakpointMark> {
    let hits = entry.hit_condition().filter(|_| entry.is_counted_by_plugin(quirks));
    let logs = entry.translated.log.is_some() && !entry.is_logged_by_host(quirks);
    let wants_mark = hits.is_some() || (logs && !quirks.marks_log_messages());
    let hits = hits.map(|hits| hits.for_plugin(entry.hits));
    wants_mark.then_some(BreakpointMark { number: id.0, hits, last: entry.last })
}

fn line(id: BreakpointId, entry: &Entry, quirks: &Quirks) -> Option<types::SourceBreakpoint> {
    let Place::Line { line, column, .. } = &entry.translated.place else { return None };
    let log = entry.translated.log.as_ref().filter(|_| quirks.writes_log_points());
    let log_message = |text: &String| {
        if quirks.marks_log_messages() { logpoint::mark(id, text) } else { text.clone() }
    };
    Some(types::SourceBreakpoint {
        line: i64::from(*line),
        column: column.map(i64::from),
        condition: entry.translated.condition.clone(),
        log_message: log.map(log_message),
        mark: breakpoint_mark(id, entry, quirks),
        ..types::SourceBreakpoint::default()
    })
}

fn function(id: BreakpointId, entry: &Entry, quirks: &Quirks) -> Option<types::FunctionBreakpoint> {
    Some(types::FunctionBreakpoint {
        name: entry.translated.function.clone()?,
        condition: entry.translated.condition.clone(),
        mark: breakpoint_mark(id, entry, quirks),
        ..types::FunctionBreakpoint::default()
    })
}
