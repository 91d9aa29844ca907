//! The bound on open sessions: each is opened with a room, which it fills or gives back.
//!
//! Refuses to know what a session is opened for.

use tokio::time::Instant;

use super::{Entry, Sessions, State};
use crate::limits::Limits;
use crate::model::SessionId;
use crate::session::Error;

/// The right to open one more session, within `limits.sessions`.
pub(in crate::session) struct Room<'a> {
    sessions: &'a Sessions,
    /// When the caller requested the session.
    pub(super) since: Instant,
    /// The session that is started again meanwhile. It is not counted: the new one is.
    successor_of: Option<SessionId>,
    is_filled: bool,
}

impl Room<'_> {
    /// The session is in `open` from now on.
    pub(super) fn fill(mut self, state: &mut State) {
        self.leave(state);
        self.is_filled = true;
    }

    fn leave(&self, state: &mut State) {
        state.opening -= 1;
        if let Some(id) = &self.successor_of {
            state.restarting.remove(id);
        }
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if !self.is_filled {
            self.leave(&mut self.sessions.state());
        }
        self.sessions.feed().changed();
    }
}

impl Sessions {
    /// Room for one more session.
    pub(super) fn room(&self, limits: &Limits, since: Instant) -> Result<Room<'_>, Error> {
        let mut state = self.state();
        self.room_in(&mut state, limits, since, None)
    }

    /// Room for the session that takes the place of this one. Refuses a second restart of the same
    /// session meanwhile.
    pub(in crate::session) fn room_of(
        &self,
        id: &SessionId,
        limits: &Limits,
        since: Instant,
    ) -> Result<Room<'_>, Error> {
        let mut state = self.state();
        if !state.restarting.insert(id.clone()) {
            return Err(Error::NotReady { doing: "being started again".to_owned() });
        }
        let room = self.room_in(&mut state, limits, since, Some(id.clone()));
        if room.is_err() {
            state.restarting.remove(id);
        }
        room
    }

    fn room_in(
        &self,
        state: &mut State,
        limits: &Limits,
        since: Instant,
        successor_of: Option<SessionId>,
    ) -> Result<Room<'_>, Error> {
        let is_open = |entry: &&Entry| {
            !entry.handle.is_over() && !state.restarting.contains(entry.handle.id())
        };
        let open = state.open.values().filter(is_open).count();
        if open + state.opening < limits.sessions {
            state.opening += 1;
            return Ok(Room { sessions: self, since, successor_of, is_filled: false });
        }
        Err(Error::Limit {
            what: "the number of open sessions".to_owned(),
            value: limits.sessions.to_string(),
            raise: "limits.sessions".to_owned(),
        })
    }
}
