//! One DAP call that brings a file's breakpoints, or all of functions, or the words for exceptions
//! up to date.

use std::path::Path;

use dapdock_schema::{LogPoints, Profile};

use super::entry::Entry;
use super::key::{Kept, Key};
use crate::dap::arguments::{SetBreakpointsArguments, SetFunctionBreakpointsArguments};
use crate::dap::types as wire;
use crate::model::{BreakpointId, Place};
use crate::session::breakpoints::logpoint;

/// One DAP call that brings a key up to date.
#[derive(Clone, Debug)]
pub(in crate::session) struct Job {
    pub(in crate::session) key: Key,
    pub(in crate::session) call: Call,
    /// The breakpoints of the call, by position, and whether each was kept from before.
    pub(super) ids: Vec<(BreakpointId, Kept)>,
    /// Taken out of it, with the debugger's words about their conditions.
    pub(in crate::session) refused: Vec<(BreakpointId, String)>,
}

/// The call's arguments.
#[derive(Clone, Debug)]
pub(in crate::session) enum Call {
    Source(SetBreakpointsArguments),
    Functions(SetFunctionBreakpointsArguments),
    /// Words of the caller; filters are looked up when it is sent.
    Exceptions(Option<Vec<String>>),
}

impl Job {
    /// The call for a key, from those that the adapter is to know of it. Numbers and calls come
    /// from one pass: answers come by position.
    pub(super) fn new<'a>(
        key: Key,
        armed: impl Iterator<Item = (BreakpointId, &'a Entry)>,
        exceptions: Option<&[String]>,
        profile: &Profile,
    ) -> Self {
        let (ids, call) = match &key {
            Key::Source(path) => {
                let (ids, breakpoints) = armed
                    .filter_map(|(id, entry)| Some(((id, entry.kept), line(id, entry, profile)?)))
                    .unzip();
                let source = source(path);
                (
                    ids,
                    Call::Source(SetBreakpointsArguments {
                        source,
                        breakpoints,
                        source_modified: Some(false),
                    }),
                )
            }
            Key::Functions => {
                let (ids, breakpoints) = armed
                    .filter_map(|(id, entry)| {
                        Some(((id, entry.kept), function(id, entry, profile)?))
                    })
                    .unzip();
                (ids, Call::Functions(SetFunctionBreakpointsArguments { breakpoints }))
            }
            Key::Exceptions => (Vec::new(), Call::Exceptions(exceptions.map(<[String]>::to_vec))),
        };
        Self { key, call, ids, refused: Vec::new() }
    }

    /// The caller's words for exceptions.
    pub(in crate::session) fn exceptions(&self) -> Option<&[String]> {
        match &self.call {
            Call::Exceptions(words) => words.as_deref(),
            Call::Source(_) | Call::Functions(_) => None,
        }
    }

    /// Leaves these words out; where none is left, the adapter's defaults hold.
    pub(in crate::session) fn forget_exceptions(&mut self, strange: &[String]) {
        if let Call::Exceptions(words) = &mut self.call {
            forget(words, strange);
        }
    }

    /// Every condition in it, in the adapter's words, with its position and whether its breakpoint
    /// was kept.
    pub(in crate::session) fn conditions(&self) -> Vec<(usize, Kept, String)> {
        let conditions: Vec<Option<&String>> = match &self.call {
            Call::Source(call) => {
                call.breakpoints.iter().map(|one| one.condition.as_ref()).collect()
            }
            Call::Functions(call) => {
                call.breakpoints.iter().map(|one| one.condition.as_ref()).collect()
            }
            Call::Exceptions(_) => Vec::new(),
        };
        let at = |((at, condition), (_, kept)): ((usize, Option<&String>), &(_, Kept))| {
            Some((at, *kept, condition?.clone()))
        };
        conditions.into_iter().enumerate().zip(&self.ids).filter_map(at).collect()
    }

    /// Where the breakpoint at a position is set, if on a line.
    pub(in crate::session) fn line(&self, at: usize) -> Option<(&Path, u32)> {
        let (Key::Source(path), Call::Source(call)) = (&self.key, &self.call) else { return None };
        Some((path, u32::try_from(call.breakpoints.get(at)?.line).ok()?))
    }

    /// Takes the breakpoint at a position out of the call.
    pub(in crate::session) fn refuse(&mut self, at: usize, why: String) {
        match &mut self.call {
            Call::Source(call) => drop(call.breakpoints.remove(at)),
            Call::Functions(call) => drop(call.breakpoints.remove(at)),
            Call::Exceptions(_) => return,
        }
        self.refused.push((self.ids.remove(at).0, why));
    }
}

/// Leaves words out; where none is left, nothing was said.
pub(super) fn forget(words: &mut Option<Vec<String>>, strange: &[String]) {
    if let Some(all) = words.as_mut().filter(|_| !strange.is_empty()) {
        all.retain(|word| !strange.contains(word));
    }
    if words.as_ref().is_some_and(Vec::is_empty) && !strange.is_empty() {
        *words = None;
    }
}

fn source(path: &Path) -> wire::Source {
    wire::Source {
        name: path.file_name().map(|name| name.to_string_lossy().into_owned()),
        path: Some(path.to_string_lossy().into_owned()),
        ..wire::Source::default()
    }
}

/// What an adapter that counts is told.
fn hit_condition(id: BreakpointId, entry: &Entry, profile: &Profile) -> Option<String> {
    let hits = entry.condition_of_hits().filter(|_| entry.is_counted_by_adapter(profile))?;
    Some(logpoint::mark(id, &hits.words(entry.hits)))
}

fn line(id: BreakpointId, entry: &Entry, profile: &Profile) -> Option<wire::SourceBreakpoint> {
    let Place::Line { line, column, .. } = &entry.text.place else { return None };
    let by_adapter = profile.log_points == LogPoints::Adapter;
    Some(wire::SourceBreakpoint {
        line: i64::from(*line),
        column: column.map(i64::from),
        condition: entry.text.condition.clone(),
        hit_condition: hit_condition(id, entry, profile),
        log_message: entry
            .text
            .log
            .as_ref()
            .filter(|_| by_adapter)
            .map(|text| logpoint::mark(id, text)),
        ..wire::SourceBreakpoint::default()
    })
}

fn function(
    id: BreakpointId,
    entry: &Entry,
    profile: &Profile,
) -> Option<wire::FunctionBreakpoint> {
    let (name, condition) = (entry.text.function.clone()?, entry.text.condition.clone());
    Some(wire::FunctionBreakpoint {
        name,
        condition,
        hit_condition: hit_condition(id, entry, profile),
    })
}
