//! The limits of a session: what refuses a call, and the errors with name, value and next call.
//!
//! Refuses to end a session: its timer does.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::time::Instant;

use super::config::Given;
use super::state::{Session, State, handle};
use super::timer::Timer;
use crate::limits::Limits;
use crate::mcp::call::Call;
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::session::{Error, Handle};
use crate::view::{self, ErrorText};

/// A call to a session.
pub(super) struct Visit {
    pub state: Arc<State>,
    /// The session that the call is about.
    pub session: Option<String>,
    /// Whether it is an action: a session that has ended takes none.
    pub is_action: bool,
}

impl Visit {
    /// Counts an action of the session that the call names, or of the only one.
    ///
    /// # Errors
    /// The session has had all its actions, or several are open and the call names none.
    pub fn begin(call: &Call) -> Result<Self, Problem> {
        let state = call.memory.of::<State>();
        state.forget_gone(call);
        let of_all = call.request.tool.name == "debug_status";
        if let Err(error @ Error::WhichSession { .. }) = call.sessions.get(call.request.session())
            && !of_all
        {
            return Err(error.into());
        }
        let Some(handle) = handle(call) else {
            return Ok(Self { state, session: None, is_action: false });
        };
        let session = Some(handle.id().0.clone());
        let is_action = count(call, &state, &handle)?;
        Ok(Self { state, session, is_action })
    }

    /// What the latest call of the session is told once its time is over.
    pub fn time_over(&self, call: &Call) -> Option<ErrorText> {
        let name = self.session.as_deref()?;
        let seconds = limits(call).ok()?.viewport_session.as_secs_f64();
        let begin = |session: &Session| session.timer.is_over().then(|| session.begin.clone());
        let begin = self.state.of(name, begin).flatten()?;
        let cause = format!(
            "{name} was ended when its time was over: limits.viewport_session_s is {seconds}"
        );
        Some(ErrorText::new("limit", &cause, &or_raise(&begin, "viewport_session_s")))
    }
}

/// Counts a call to a session that has not ended; `false`: it has, or is not of this family.
fn count(call: &Call, state: &State, handle: &Handle) -> Result<bool, Problem> {
    let most = limits(call)?.viewport_actions;
    let name = &handle.id().0;
    let mut sessions = state.sessions();
    let Some(session) = sessions.by_name.get_mut(name) else { return Ok(false) };
    if handle.is_over() || session.timer.is_over() {
        return Ok(false);
    }
    let ends = call.request.tool.name == "debug_stop";
    if session.count >= most && !ends {
        let cause = format!("{name} has had its actions: limits.viewport_actions is {most}");
        return Err(refusal(&cause, &end(name), "viewport_actions"));
    }
    session.count += 1;
    Ok(true)
}

/// A start that has not returned. Its sessions are stored when it does, and also when its caller
/// cancels it.
pub(super) struct Starting<'a> {
    call: &'a Call,
    state: Arc<State>,
    given: Given,
    at: Instant,
    /// The sessions before it.
    known: HashSet<String>,
    /// All its sessions are stored.
    has_returned: bool,
}

impl<'a> Starting<'a> {
    /// # Errors
    /// `limits.viewport_sessions` are open or starting.
    pub fn begin(call: &'a Call, given: Given) -> Result<Self, Problem> {
        let state = call.memory.of::<State>();
        state.forget_gone(call);
        let most = limits(call)?.viewport_sessions;
        let all = call.sessions.all();
        let mut open = Vec::new();
        for handle in all.iter().filter(|handle| !handle.is_over()) {
            open.push(handle.id().0.clone());
        }
        {
            let mut sessions = state.sessions();
            // A start that has not returned may be among the open ones already.
            let others = open.iter().filter(|name| !sessions.by_name.contains_key(*name)).count();
            let count = open.len() - others + others.max(sessions.starting);
            if count >= most {
                let cause = format!(
                    "{count} sessions are open{}{}: limits.viewport_sessions is {most}",
                    if open.is_empty() { "" } else { ", " },
                    open.join(", ")
                );
                let next = open.first().map_or("debug_status".to_owned(), |name| end(name));
                return Err(refusal(&cause, &next, "viewport_sessions"));
            }
            sessions.starting += 1;
        }
        let known = all.iter().map(|handle| handle.id().0.clone()).collect();
        Ok(Self { call, state, given, at: Instant::now(), known, has_returned: false })
    }

    /// How long it may wait: its sessions do not outlast their time meanwhile.
    pub fn patience(&self) -> Result<f64, Problem> {
        let limit = limits(self.call)?.viewport_session;
        Ok(limit.min(self.call.limits.wait).as_secs_f64())
    }

    /// Stores the sessions that it began; returns the first.
    pub fn end(mut self, outcome: &Outcome) -> Option<String> {
        let Outcome::Started(all) = outcome else { return None };
        let begun: Vec<&str> =
            all.iter().flatten().map(|one| one.arrival.session().0.as_str()).collect();
        self.store(|name| begun.contains(&name));
        self.has_returned = all.iter().all(Result::is_ok);
        begun.first().map(|name| (*name).to_owned())
    }

    fn store(&self, is_begun: impl Fn(&str) -> bool) {
        let time = limits(self.call).map(|limits| limits.viewport_session);
        let deadline = time.ok().and_then(|time| self.at.checked_add(time));
        let mut sessions = self.state.sessions();
        for handle in self.call.sessions.all() {
            let name = handle.id().0.clone();
            if !is_begun(&name) {
                continue;
            }
            let session = Session {
                given: self.given.clone(),
                begin: self.call.request.text(),
                start: self.at,
                count: 1,
                actions: Vec::new(),
                timer: Timer::start(handle, deadline),
            };
            sessions.by_name.insert(name, session);
        }
    }
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        if !self.has_returned {
            let stored: HashSet<String> = self.state.sessions().by_name.keys().cloned().collect();
            self.store(|name| !self.known.contains(name) && !stored.contains(name));
        }
        self.state.sessions().starting -= 1;
    }
}

/// The limits of the user.
pub(super) fn limits(call: &Call) -> Result<&Limits, Problem> {
    Ok(call.sessions.limits()?)
}

/// A next call, or the act of a person that makes it unnecessary.
pub(super) fn or_raise(next: &str, key: &str) -> String {
    format!("{next} (or raise limits.{key} in dapdock.toml and start dapdock again)")
}

fn refusal(cause: &str, next: &str, key: &str) -> Problem {
    Problem::worded("limit", cause, &or_raise(next, key))
}

/// The call that ends a session.
fn end(session: &str) -> String {
    view::Call::new("debug_stop").with("session_id", session).json()
}
