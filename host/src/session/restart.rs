//! Starting a session again.
//!
//! Knows which session a restart is about, and what it carries over. Refuses to know how a session
//! ends.

use tokio::time::Instant;

use super::claim::Claim;
use super::handle::{Carried, EndMode, Handle};
use super::sessions::{Entry, Sessions, choose};
use super::{Error, launch};
use crate::model::SessionId;
use crate::plugin::Workspace;
use crate::target::request;

impl Sessions {
    /// Ends a launched session, if it has not ended, and starts it again with its current
    /// breakpoints, exception filters and watches. Without a name: the session that was opened
    /// last, unless an older one is open.
    pub async fn restart(&self, name: Option<&str>) -> Result<Handle, Error> {
        let since = Instant::now();
        let handle = match name {
            Some(_) => self.get(name)?,
            None => self.latest()?,
        };
        handle.permit()?;
        let (request, mut terms) = {
            let state = self.state();
            let entry = state.open.get(&handle.id().0).ok_or(Error::NoSession { failed: None })?;
            (entry.request.clone(), entry.terms.clone())
        };
        if !request.can_restart() {
            let again = request.again;
            return Err(match request.target.opening() {
                Some(_) => launch::Error::WasOpened { again }.into(),
                None => launch::Error::WasAttached { again }.into(),
            });
        }
        request::check(&request)?;
        let room = self.room_of(handle.id(), &terms.setup.limits, since)?;
        let workspace = Workspace::of(&request);
        let plugin = choose(&terms.setup, &workspace, &request).await?;
        let carried = self.with_later(handle.id(), handle.carried().await?);
        // A person may have taken it meanwhile.
        handle.permit()?;
        // A person who has the session, or takes it while it ends, has the new one too. The end of
        // a session has given it back.
        let moving = (!handle.is_over()).then(|| terms.claim.begin_move());
        if moving.is_none() {
            terms.claim = Claim::default();
        }
        handle.close(EndMode::Terminate).await?;
        let new = self.open(terms, request, plugin, workspace, carried, room).await?;
        if let Some(moving) = moving {
            moving.arrive(new.id());
        }
        Ok(new.by(handle.door))
    }

    /// The session that was opened last, unless an older one is open.
    fn latest(&self) -> Result<Handle, Error> {
        let state = self.state();
        let last = state.open.values().max_by_key(|entry| entry.number);
        let last = last.ok_or(Error::NoSession { failed: None })?;
        let is_open = |entry: &Entry| !entry.handle.is_over();
        if state.by_use(|entry| entry.number != last.number && is_open(entry)).is_empty() {
            return Ok(self.handle(last));
        }
        let ended = if is_open(last) { Vec::new() } else { vec![last.handle.id().to_string()] };
        let open = state.by_use(is_open);
        Err(Error::WhichSession { open, ended })
    }

    /// What a session carries over, with its breakpoints as changed since its end.
    fn with_later(&self, id: &SessionId, carried: Carried) -> Carried {
        let state = self.state();
        match state.open.get(&id.0).and_then(|entry| entry.later.as_ref()) {
            Some(later) => Carried {
                breakpoints: later.numbered(),
                chooses_exceptions: later.chooses_exceptions(),
                ..carried
            },
            None => carried,
        }
    }
}
