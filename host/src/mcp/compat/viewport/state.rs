//! What the family stores of its sessions: bounds, actions and limits.
//!
//! Refuses to know what an action does.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::json;
use tokio::time::Instant;

use super::config::{Config, Given};
use super::{Ours, run};
use crate::limits::Limits;
use crate::mcp::call::{Call, Reply};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::session::Error;
use crate::view::estimate;

/// One call.
#[derive(Clone)]
pub(super) struct Action {
    pub call: String,
    /// The first line of its answer.
    pub answer: String,
    pub tokens: usize,
    /// `since` of output after it.
    pub output: u64,
}

/// A session.
#[derive(Clone)]
pub(super) struct Session {
    given: Given,
    pub start: Instant,
    pub count: usize,
    pub actions: Vec<Action>,
}

/// The sessions of a caller, by name.
#[derive(Default)]
pub(super) struct State(Mutex<HashMap<String, Session>>);

impl State {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a session that a launch or an attach started.
    pub fn add(&self, name: &str, given: Given) {
        let session = Session { given, start: Instant::now(), count: 1, actions: Vec::new() };
        self.all().insert(name.to_owned(), session);
    }

    /// Refuses a session more than `limits.viewport_sessions`.
    pub fn check_room(&self, call: &Call) -> Result<(), Problem> {
        let most = limits(call)?.viewport_sessions;
        let open = call.sessions.all().into_iter().filter(|handle| !handle.is_over()).count();
        if open < most {
            return Ok(());
        }
        Err(limit("the number of open sessions", &most.to_string(), "viewport_sessions"))
    }

    /// Counts an action. A session that is too old is ended.
    pub async fn enter(&self, call: &Call) -> Result<(), Problem> {
        let Some(name) = name(call) else { return Ok(()) };
        let limits = limits(call)?;
        let (age, count) = match self.all().get_mut(&name) {
            Some(session) => {
                session.count += 1;
                (session.start.elapsed(), session.count)
            }
            None => return Ok(()),
        };
        if age > limits.viewport_session {
            run(call, Ours::new("debug_stop", json!({"session": name}))).await;
            let value = format!("{} s; it is ended", limits.viewport_session.as_secs());
            return Err(limit("the time of a session", &value, "viewport_session_s"));
        }
        let most = limits.viewport_actions;
        if count > most && call.request.tool.name != "debug_stop" {
            return Err(limit("the actions of a session", &most.to_string(), "viewport_actions"));
        }
        Ok(())
    }

    /// Logs an action.
    pub async fn log(&self, call: &Call, tool: &str, reply: &Reply) {
        let name = reply.outcome.session().map(|session| session.0.clone()).or_else(|| name(call));
        let Some(name) = name else { return };
        let query = json!({"session": name, "tail": 1});
        let output = match run(call, Ours::new("debug_output", query)).await.reply.outcome {
            Outcome::Output(page) => page.next,
            _ => 0,
        };
        let text = call.request.text();
        let action = Action {
            call: if text.is_empty() { tool.to_owned() } else { text },
            answer: reply.text.lines().next().unwrap_or_default().to_owned(),
            tokens: estimate(&reply.text),
            output,
        };
        if let Some(session) = self.all().get_mut(&name) {
            session.actions.push(action);
        }
    }

    /// A session of this family.
    pub fn session(&self, name: &str) -> Option<Session> {
        self.all().get(name).cloned()
    }

    /// The bounds that hold now.
    pub fn config(&self, name: &str) -> Config {
        match self.all().get(name) {
            Some(session) => session.given.after(session.count),
            None => Given::default().after(0),
        }
    }
}

/// The session that the call names, or the only one.
pub(super) fn name(call: &Call) -> Option<String> {
    let handle = call.sessions.to_end(call.request.session()).ok()?;
    Some(handle.id().0.clone())
}

/// The limits of the user.
pub(super) fn limits(call: &Call) -> Result<&Limits, Problem> {
    Ok(call.sessions.limits()?)
}

fn limit(what: &str, value: &str, key: &str) -> Problem {
    let raise = format!("limits.{key}");
    Error::Limit { what: what.to_owned(), value: value.to_owned(), raise }.into()
}
