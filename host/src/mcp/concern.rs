//! The session that a call of a caller is about: those that watch it see the call, and what a
//! person does with a session that is taken is recorded for its agent.
//!
//! Refuses to know what a tool does.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::declared::Effect;
use super::memory::Memory;
use super::outcome::Outcome;
use super::request::{Request, literal};
use crate::model::SessionId;
use crate::session::{Deed, Door, Handle, Mark, Sessions};
use crate::view::{self, Lens, Literal, Text};

/// What one call is about. The default is that of a part of an answer, which nobody sees.
#[derive(Default)]
pub(super) struct Concern {
    /// The call as its caller made it.
    request: Option<Request>,
    session: OnceLock<Concerned>,
}

struct Concerned {
    handle: Handle,
    /// Somebody else had it when the call began.
    was_barred: bool,
}

/// The marks up to which a caller has read what persons did.
#[derive(Default)]
struct Marks(Mutex<HashMap<SessionId, Mark>>);

impl Concern {
    pub fn of(request: Request) -> Self {
        Self { request: Some(request), session: OnceLock::new() }
    }

    /// The call is about this session; the first counts.
    pub fn begin(&self, handle: &Handle) {
        let Some(request) = &self.request else { return };
        let session = Concerned { handle: handle.clone(), was_barred: handle.is_barred() };
        if self.session.set(session).is_ok() {
            handle.called(|| line(request));
        }
    }

    /// The call is answered.
    pub async fn end(&self, end: End<'_>) -> Account {
        if let Some(id) = end.outcome.session()
            && let Ok(handle) = end.sessions.get(Some(&id.0))
        {
            self.begin(&handle);
        }
        let (Some(request), Some(session)) = (&self.request, self.session.get()) else {
            return Account::default();
        };
        let (tool, handle) = (request.tool, &session.handle);
        let answer = view::head(end.text);
        handle.answered(tool.name, &answer, || {
            let deed = Deed { call: line(request), answer: answer.clone() };
            (tool.effect != Effect::Reads).then_some(deed)
        });
        if handle.is_barred() {
            let is_new = !session.was_barred;
            let note = is_new.then(|| view::taken_meanwhile(handle.id(), &end.lens));
            return Account { note, before: None };
        }
        Account { note: None, before: given_back(&end, handle).await }
    }
}

/// What the caller of a call has to know of a person's claim.
#[derive(Default)]
pub(super) struct Account {
    /// The session was taken while the call waited.
    pub note: Option<String>,
    /// What the person did since the caller's last answer.
    pub before: Option<Text>,
}

/// An answer, and what its caller's calls share.
pub(super) struct End<'a> {
    pub sessions: &'a Sessions,
    pub memory: &'a Memory,
    pub lens: Lens,
    pub outcome: &'a Outcome,
    pub text: &'a str,
}

/// A call on one line.
fn line(request: &Request) -> String {
    let mut call = view::Call::new(request.tool.name);
    for (name, value) in &request.arguments {
        let value = match value {
            Value::String(text) => Literal::Text(text.clone()),
            value => literal(value),
        };
        call = call.with(name.clone(), value);
    }
    view::head(&call.to_string())
}

/// What a person did since this caller's last answer. Those at a terminal see it there.
async fn given_back(end: &End<'_>, handle: &Handle) -> Option<Text> {
    if handle.door() != Door::Agent {
        return None;
    }
    let marks = end.memory.of::<Marks>();
    let known = || marks.0.lock().unwrap_or_else(PoisonError::into_inner);
    let mark = known().get(handle.id()).copied().unwrap_or_default();
    let back = handle.given_back(mark)?;
    let status = handle.status().await.ok()?;
    known().insert(handle.id().clone(), back.mark);
    Some(view::given_back(&back, &status, &end.lens))
}
