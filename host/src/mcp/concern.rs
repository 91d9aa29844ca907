//! The session that a call of a caller is about: those that watch it see the call, and what a
//! person does with it is recorded for its agent.
//!
//! Refuses to know what a tool does.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::Value;

use super::declared::Effect;
use super::memory::Memory;
use super::outcome::Outcome;
use super::request::{Request, literal};
use crate::session::{ClaimId, Deed, Door, GivenBack, Handle, Mark, Sessions};
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

/// The claims on the sessions that a caller has called, each with the mark up to which the caller
/// has read what the person did.
#[derive(Default)]
struct Marks(Mutex<HashMap<ClaimId, Mark>>);

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
        let Some(request) = &self.request else { return Account::default() };
        let mut note = None;
        if let Some(Concerned { handle, was_barred }) = self.session.get() {
            let (tool, answer) = (request.tool, view::head(end.text));
            handle.answered(tool.name, &answer, || {
                let deed = Deed { call: line(request), answer: answer.clone() };
                (tool.effect != Effect::Reads).then_some(deed)
            });
            if handle.is_barred() && !was_barred {
                note = Some(view::taken_meanwhile(handle.id(), &end.lens));
            }
        }
        let concerned = self.session.get().map(|session| &session.handle);
        Account { note, before: given_back(&end, concerned).await }
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

/// What persons did with the sessions of this caller since its last answer, whichever session the
/// call is about. Those at a terminal see it there.
async fn given_back(end: &End<'_>, concerned: Option<&Handle>) -> Option<Text> {
    if end.sessions.door() != Door::Agent {
        return None;
    }
    let marks = end.memory.of::<Marks>();
    let all = end.sessions.all();
    marks.update(&all, concerned);
    let mut text: Option<Text> = None;
    // The newest first: a restart takes a claim along.
    for handle in all.iter().rev().filter(|handle| !handle.is_barred()) {
        if marks.news(handle).is_none() {
            continue;
        }
        let Ok(status) = handle.status().await else { continue };
        // Another answer may have it by now.
        let Some(back) = marks.take_news(handle) else { continue };
        let part = view::given_back(&back, &status, &end.lens);
        match &mut text {
            Some(text) => text.append(part),
            None => text = Some(part),
        }
    }
    text
}

impl Marks {
    fn known(&self) -> MutexGuard<'_, HashMap<ClaimId, Mark>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a session that the caller has called, and forgets those that are gone.
    fn update(&self, all: &[Handle], concerned: Option<&Handle>) {
        let mut known = self.known();
        known.retain(|claim, _| all.iter().any(|handle| handle.claim() == *claim));
        if let Some(handle) = concerned {
            known.entry(handle.claim()).or_default();
        }
    }

    /// What the caller has not read yet.
    fn news(&self, handle: &Handle) -> Option<GivenBack> {
        handle.given_back(*self.known().get(&handle.claim())?)
    }

    /// The same; the caller reads it now.
    fn take_news(&self, handle: &Handle) -> Option<GivenBack> {
        let mut known = self.known();
        let mark = known.get_mut(&handle.claim())?;
        let back = handle.given_back(*mark)?;
        *mark = back.mark;
        Some(back)
    }
}
