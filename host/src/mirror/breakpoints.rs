//! The breakpoints that an editor has set in a session.
//!
//! Knows which ones they are and what the editor has read about each. Those of agents are not its
//! own: an editor that sets one at the same place gets theirs and leaves it there. Once theirs is
//! removed, the editor's is set.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;
use tokio::sync::Mutex;

use super::message::{self, Message};
use crate::dap::arguments::{
    SetBreakpointsArguments, SetExceptionBreakpointsArguments, SetFunctionBreakpointsArguments,
};
use crate::dap::event::BreakpointEvent;
use crate::dap::{responses, types};
use crate::model::{
    Author, Breakpoint, BreakpointEdit, BreakpointId, BreakpointSpec, Fault, Place,
};
use crate::session::{Error, Handle};

/// What one request of an editor replaces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Group {
    File(PathBuf),
    Functions,
}

/// Edits are made one after the other: each replaces what the one before has set.
pub(super) struct Breakpoints {
    handle: Handle,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    groups: HashMap<Group, Vec<Wanted>>,
    read: HashMap<BreakpointId, Read>,
    /// Filters for exceptions.
    filters: Vec<String>,
    /// Some of the session's may be the editor's.
    has_set: bool,
}

/// A breakpoint as the editor wants it.
struct Wanted {
    spec: BreakpointSpec,
    /// The session's at its place; `None`: there is none.
    id: Option<BreakpointId>,
}

/// A breakpoint as the editor has read it last.
struct Read {
    shape: types::Breakpoint,
    author: Author,
}

impl State {
    /// What the editor wants of this one.
    fn wanted(&self, id: BreakpointId) -> Option<&BreakpointSpec> {
        let mut all = self.groups.values().flatten();
        all.find(|wanted| wanted.id == Some(id)).map(|wanted| &wanted.spec)
    }

    /// The session has this one for what the editor wants.
    fn note(&mut self, known: &Breakpoint, spec: &BreakpointSpec) -> types::Breakpoint {
        let shape = message::breakpoint(known, spec);
        self.read.insert(known.id, Read { shape: shape.clone(), author: known.author });
        shape
    }
}

impl Breakpoints {
    pub fn new(handle: Handle) -> Self {
        Self { handle, state: Mutex::default() }
    }

    /// Replaces those of a file.
    pub async fn set_lines(&self, arguments: SetBreakpointsArguments) -> Result<Value, Error> {
        let Some(path) = arguments.source.path.map(PathBuf::from) else {
            let refused = |_| message::refused("its source is no file".to_owned());
            let breakpoints = arguments.breakpoints.iter().map(refused).collect();
            return Ok(message::body(&responses::Breakpoints { breakpoints }));
        };
        let number = |number: i64| u32::try_from(number).unwrap_or(0);
        let mut specs = Vec::new();
        for one in arguments.breakpoints {
            let (path, line) = (path.clone(), number(one.line));
            let column = one.column.map(number).filter(|column| *column > 0);
            specs.push(BreakpointSpec {
                condition: one.condition.filter(|text| !text.is_empty()),
                hit_condition: one.hit_condition.filter(|text| !text.is_empty()),
                log: one.log_message.filter(|text| !text.is_empty()),
                ..BreakpointSpec::at(Place::Line { path, line, column })
            });
        }
        self.set(Group::File(path), specs).await
    }

    /// Replaces those on functions.
    pub async fn set_functions(
        &self,
        arguments: SetFunctionBreakpointsArguments,
    ) -> Result<Value, Error> {
        let mut specs = Vec::new();
        for one in arguments.breakpoints {
            specs.push(BreakpointSpec {
                condition: one.condition.filter(|text| !text.is_empty()),
                hit_condition: one.hit_condition.filter(|text| !text.is_empty()),
                ..BreakpointSpec::at(Place::Function(one.name))
            });
        }
        self.set(Group::Functions, specs).await
    }

    /// Replaces the editor's filters for exceptions, which are in force besides those of callers.
    pub async fn set_exceptions(
        &self,
        arguments: SetExceptionBreakpointsArguments,
    ) -> Result<Value, Error> {
        let mut state = self.state.lock().await;
        let filters = arguments.filters;
        let breakpoint = types::Breakpoint { verified: true, ..types::Breakpoint::default() };
        let breakpoints = vec![breakpoint; filters.len()];
        if filters != state.filters {
            let exceptions = Some(filters.clone());
            self.handle.breakpoints(BreakpointEdit { exceptions, ..own() }).await?;
            state.filters = filters;
        }
        Ok(message::body(&responses::Breakpoints { breakpoints }))
    }

    async fn set(&self, group: Group, specs: Vec<BreakpointSpec>) -> Result<Value, Error> {
        let mut state = self.state.lock().await;
        let known = self.handle.status().await?.breakpoints;
        let before = state.groups.get(&group).into_iter().flatten();
        let before: Vec<BreakpointId> = before.filter_map(|wanted| wanted.id).collect();
        let at = |place: &Place| known.iter().find(|one| one.spec.place == *place);
        let mut remove = before.clone();
        remove.retain(|id| {
            let place = known.iter().find(|one| one.id == *id).map(|one| &one.spec.place);
            place.is_some_and(|place| specs.iter().all(|spec| spec.place != *place))
        });
        // One that is there as it should be needs no edit, for which a running program may have to
        // be halted.
        let stays = |spec: &BreakpointSpec| {
            let same = at(&spec.place)?;
            (same.author == Author::Caller || same.spec == *spec).then_some(same.id)
        };
        let new: Vec<_> = specs.iter().filter(|spec| stays(spec).is_none()).cloned().collect();
        state.has_set |= !new.is_empty();
        let mut added = self.edit(remove, new).await?.into_iter();
        let now = self.handle.status().await?.breakpoints;
        for id in before {
            state.read.remove(&id);
        }
        let (mut breakpoints, mut all) = (Vec::with_capacity(specs.len()), Vec::new());
        for spec in specs {
            let id = stays(&spec).map(Ok).or_else(|| added.next());
            let known = match id.unwrap_or(Err(Error::Superseded)) {
                Ok(id) => now.iter().find(|known| known.id == id).ok_or_else(removed),
                Err(error) => Err(error.to_string()),
            };
            let id = known.as_ref().ok().map(|known| known.id);
            breakpoints.push(match known {
                Ok(known) => state.note(known, &spec),
                Err(reason) => message::refused(reason),
            });
            all.push(Wanted { spec, id });
        }
        state.groups.insert(group, all);
        Ok(message::body(&responses::Breakpoints { breakpoints }))
    }

    /// Removes and sets. If the session refuses the edit as a whole for what the editor wants, each
    /// is set alone: one wrong condition refuses its own breakpoint only.
    async fn edit(
        &self,
        remove: Vec<BreakpointId>,
        specs: Vec<BreakpointSpec>,
    ) -> Result<Vec<Result<BreakpointId, Error>>, Error> {
        if remove.is_empty() && specs.is_empty() {
            return Ok(Vec::new());
        }
        let is_wrong = |error: &Error| error.fault() == Fault::Caller && !self.handle.is_over();
        let all = BreakpointEdit { remove: remove.clone(), set: specs.clone(), ..own() };
        match self.handle.breakpoints(all).await {
            Ok(report) => return Ok(report.added.into_iter().map(Ok).collect()),
            Err(error) if specs.is_empty() || !is_wrong(&error) => return Err(error),
            Err(_) => {}
        }
        if !remove.is_empty() {
            self.handle.breakpoints(BreakpointEdit { remove, ..own() }).await?;
        }
        let mut set = Vec::with_capacity(specs.len());
        let mut cause: Option<Error> = None;
        for spec in specs {
            // What is no fault of one breakpoint would fail the others as well, each after a while.
            if let Some(cause) = &cause {
                set.push(Err(cause.clone()));
                continue;
            }
            let report = self.handle.breakpoints(BreakpointEdit { set: vec![spec], ..own() }).await;
            let first = report.map(|report| report.added.first().copied());
            let one = first.and_then(|id| id.ok_or(Error::Superseded));
            cause = one.as_ref().err().filter(|error| !is_wrong(error)).cloned();
            set.push(one);
        }
        Ok(set)
    }

    /// Events about those that differ from what the editor has read.
    pub async fn changes(&self) -> Vec<Message> {
        let mut state = self.state.lock().await;
        if state.read.is_empty() {
            return Vec::new();
        }
        let Ok(status) = self.handle.status().await else { return Vec::new() };
        let mut ids: Vec<BreakpointId> = state.read.keys().copied().collect();
        ids.sort();
        let (mut events, mut uncovered) = (Vec::new(), Vec::new());
        for id in ids {
            let now = status.breakpoints.iter().find(|one| one.id == id);
            let Some(spec) = state.wanted(id).cloned() else { continue };
            let Some(before) = state.read.remove(&id) else { continue };
            match now {
                Some(now) => {
                    let shape = state.note(now, &spec);
                    if shape != before.shape {
                        events.push(changed("changed", shape));
                    }
                }
                None => {
                    events.push(changed("removed", before.shape));
                    let of_id = |wanted: &&mut Wanted| wanted.id == Some(id);
                    for wanted in state.groups.values_mut().flatten().filter(of_id) {
                        wanted.id = None;
                    }
                    if before.author == Author::Caller {
                        uncovered.push(spec);
                    }
                }
            }
        }
        events.extend(self.uncover(&mut state, uncovered).await);
        events
    }

    /// Sets what the editor wants where the caller's own breakpoint is gone.
    async fn uncover(&self, state: &mut State, specs: Vec<BreakpointSpec>) -> Vec<Message> {
        state.has_set |= !specs.is_empty();
        let set = match self.edit(Vec::new(), specs.clone()).await {
            Ok(set) => set,
            Err(error) => {
                tracing::debug!(%error, "an editor's breakpoints are not set");
                return Vec::new();
            }
        };
        let Ok(status) = self.handle.status().await else { return Vec::new() };
        let mut events = Vec::new();
        for (spec, id) in specs.iter().zip(set) {
            let id = id.ok();
            let Some(known) = status.breakpoints.iter().find(|one| Some(one.id) == id) else {
                continue;
            };
            for wanted in state.groups.values_mut().flatten().filter(|one| one.spec == *spec) {
                wanted.id = id;
            }
            events.push(changed("new", state.note(known, spec)));
        }
        events
    }

    /// Removes all that the editor has set.
    pub async fn clear(&self) {
        let state = self.state.lock().await;
        let exceptions = (!state.filters.is_empty()).then(Vec::new);
        if !state.has_set && exceptions.is_none() {
            return;
        }
        let all = BreakpointEdit { clear: state.has_set, exceptions, ..own() };
        if let Err(error) = self.handle.breakpoints(all).await {
            tracing::debug!(%error, "an editor's breakpoints are not removed");
        }
    }
}

fn removed() -> String {
    "it was removed in the session".to_owned()
}

fn changed(reason: &str, breakpoint: types::Breakpoint) -> Message {
    Message::new(&BreakpointEvent { reason: reason.to_owned(), breakpoint })
}

fn own() -> BreakpointEdit {
    BreakpointEdit { author: Author::Editor, ..BreakpointEdit::default() }
}
