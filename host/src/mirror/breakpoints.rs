//! The breakpoints that an editor has set in a session.
//!
//! Knows which ones they are and what the editor has read about each. Those of agents are not its
//! own: an editor that sets one at the same place gets theirs and leaves it there.

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
use crate::model::{Author, BreakpointEdit, BreakpointId, BreakpointSpec, Place};
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
    groups: HashMap<Group, Vec<BreakpointId>>,
    /// As the editor has read them last.
    read: HashMap<BreakpointId, types::Breakpoint>,
    /// Filters for exceptions.
    filters: Vec<String>,
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
        let mut remove = state.groups.remove(&group).unwrap_or_default();
        for id in &remove {
            state.read.remove(id);
        }
        let at = |place: &Place| known.iter().find(|one| one.spec.place == *place);
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
        let new = specs.iter().filter(|spec| stays(spec).is_none()).cloned().collect();
        let mut added = self.edit(remove, new).await?.into_iter();
        let now = self.handle.status().await?.breakpoints;
        let mut breakpoints = Vec::with_capacity(specs.len());
        for spec in &specs {
            let id = stays(spec).map(Ok).or_else(|| added.next()).unwrap_or(Err(Error::Superseded));
            let known = id.map(|id| now.iter().find(|known| known.id == id));
            breakpoints.push(match known {
                Ok(Some(known)) => {
                    let shape = message::breakpoint(known);
                    state.groups.entry(group.clone()).or_default().push(known.id);
                    state.read.insert(known.id, shape.clone());
                    shape
                }
                Ok(None) => message::refused("it was removed in the session".to_owned()),
                Err(error) => message::refused(error.to_string()),
            });
        }
        Ok(message::body(&responses::Breakpoints { breakpoints }))
    }

    /// Removes and sets. If the session refuses the edit as a whole, each is set alone: one wrong
    /// condition refuses its own breakpoint only.
    async fn edit(
        &self,
        remove: Vec<BreakpointId>,
        specs: Vec<BreakpointSpec>,
    ) -> Result<Vec<Result<BreakpointId, Error>>, Error> {
        if remove.is_empty() && specs.is_empty() {
            return Ok(Vec::new());
        }
        let all = BreakpointEdit { remove: remove.clone(), set: specs.clone(), ..own() };
        match self.handle.breakpoints(all).await {
            Ok(report) => return Ok(report.added.into_iter().map(Ok).collect()),
            Err(error) if specs.is_empty() || self.handle.is_over() => return Err(error),
            Err(_) => {}
        }
        self.handle.breakpoints(BreakpointEdit { remove, ..own() }).await?;
        let mut set = Vec::with_capacity(specs.len());
        for spec in specs {
            let report = self.handle.breakpoints(BreakpointEdit { set: vec![spec], ..own() }).await;
            let first = report.map(|report| report.added.first().copied());
            set.push(first.and_then(|id| id.ok_or(Error::Superseded)));
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
        let mut events = Vec::new();
        for id in ids {
            let now = status.breakpoints.iter().find(|one| one.id == id).map(message::breakpoint);
            let before = state.read.get(&id).cloned();
            let (reason, breakpoint) = match (now, before) {
                (Some(now), Some(before)) if now == before => continue,
                (Some(now), _) => {
                    state.read.insert(id, now.clone());
                    ("changed", now)
                }
                (None, before) => {
                    state.read.remove(&id);
                    ("removed", before.unwrap_or_default())
                }
            };
            let reason = reason.to_owned();
            events.push(Message::new(&BreakpointEvent { reason, breakpoint }));
        }
        events
    }

    /// Removes all that the editor has set.
    pub async fn clear(&self) {
        let state = self.state.lock().await;
        let exceptions = (!state.filters.is_empty()).then(Vec::new);
        if state.groups.is_empty() && exceptions.is_none() {
            return;
        }
        let all = BreakpointEdit { clear: !state.groups.is_empty(), exceptions, ..own() };
        if let Err(error) = self.handle.breakpoints(all).await {
            tracing::debug!(%error, "an editor's breakpoints are not removed");
        }
    }
}

fn own() -> BreakpointEdit {
    BreakpointEdit { author: Author::Editor, ..BreakpointEdit::default() }
}
