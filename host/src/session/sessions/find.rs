//! Finds sessions by name, and the one that a call without a name means; records which was used
//! last.
//!
//! Refuses to open or end any.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use super::{Entry, Sessions};
use crate::file::input::Input;
use crate::model::Opening;
use crate::session::Error;
use crate::session::claim::Door;
use crate::session::handle::Handle;

impl Sessions {
    /// The named session; without a name the only open one, else the one that ended last.
    pub fn get(&self, name: Option<&str>) -> Result<Handle, Error> {
        let state = self.state();
        if let Some(name) = name {
            let entry = state.open.get(name).ok_or_else(|| state.unknown(name))?;
            return Ok(self.handle(entry));
        }
        let mut open: Vec<&Entry> = state.open.values().collect();
        open.retain(|entry| !entry.handle.is_over());
        match open.as_slice() {
            [one] => Ok(self.handle(one)),
            [] => {
                let started = state.open.values().filter(|entry| !entry.handle.has_failed());
                let last = started.max_by_key(|entry| entry.number);
                last.map(|entry| self.handle(entry)).ok_or(Error::NoSession { failed: None })
            }
            _ => Err(Error::WhichSession {
                open: state.by_use(|entry| !entry.handle.is_over()),
                ended: Vec::new(),
            }),
        }
    }

    /// The session whose log is read: as [`Sessions::get`], but with none open the newest, also if
    /// it failed to start.
    pub fn to_read(&self, name: Option<&str>) -> Result<Handle, Error> {
        let newest = self.all().pop().filter(|newest| name.is_none() && newest.has_failed());
        match newest.filter(|_| !self.any_open()) {
            Some(newest) => Ok(newest),
            None => self.get(name),
        }
    }

    /// A caller uses this session: calls that must name one propose the session used last.
    pub fn note_use(&self, handle: &Handle) {
        self.state().note_use(&handle.id().0);
    }

    /// The working directory of the named session's program, or of the only session's.
    pub fn cwd(&self, name: Option<&str>) -> Option<PathBuf> {
        let handle = self.get(name).ok()?;
        self.state().open.get(&handle.id().0)?.request.cwd.clone()
    }

    /// When the named session was opened; without a name the only one.
    pub fn begun(&self, name: Option<&str>) -> Option<SystemTime> {
        let handle = self.get(name).ok()?;
        Some(self.state().open.get(&handle.id().0)?.begun)
    }

    /// The pipe to the standard input of the named session's program; without a name of the only
    /// one. `None`: it has none.
    ///
    /// # Errors
    /// There is no such session, or a person has it.
    pub fn input(&self, name: Option<&str>) -> Result<Option<Arc<Input>>, Error> {
        let handle = self.get(name)?;
        handle.permit()?;
        Ok(self.state().open.get(&handle.id().0).and_then(|entry| entry.input.clone()))
    }

    /// The session to end: as [`Sessions::get`], but an older ended session does not count if the
    /// newest failed to start.
    pub fn to_end(&self, name: Option<&str>) -> Result<Handle, Error> {
        let found = self.get(name)?;
        let newest = self.all().pop().filter(|newest| name.is_none() && newest.has_failed());
        match newest.filter(|newest| found.is_over() && newest.id() != found.id()) {
            Some(newest) => Err(Error::NoSession { failed: Some(newest.id().to_string()) }),
            None => Ok(found),
        }
    }

    /// Where the calls of this caller come from.
    pub fn door(&self) -> Door {
        self.door
    }

    /// All sessions that are remembered, the oldest first.
    pub fn all(&self) -> Vec<Handle> {
        let state = self.state();
        let mut entries: Vec<&Entry> = state.open.values().collect();
        entries.sort_by_key(|entry| entry.number);
        entries.into_iter().map(|entry| self.handle(entry)).collect()
    }

    /// Whether a session has not ended.
    pub fn any_open(&self) -> bool {
        self.state().open.values().any(|entry| !entry.handle.is_over())
    }

    /// Sessions that are open for commands, the oldest first.
    pub fn openings(&self) -> Vec<Opening> {
        let state = self.state();
        let mut open: Vec<&Entry> = state.open.values().collect();
        open.retain(|entry| !entry.handle.is_over());
        open.sort_by_key(|entry| entry.number);
        open.into_iter().filter_map(|entry| entry.request.target.opening().cloned()).collect()
    }
}
