//! Answers to failed calls: the error and a call that works. Where the remedy of the error is a
//! change of the failed call, that is the failed call with this change and nothing else.
//!
//! Knows the arguments of a call. Refuses to know which errors exist and how one is written.

mod breakpoints;
mod patch;
#[cfg(test)]
mod tests;

use serde_json::Value;

use super::call::{Call, Reply};
use super::problem::Problem;
use super::request::Request;
use crate::model::{Patch, Remedies, Remedy, SessionId};
use crate::session::Error;
use crate::view::{self, ErrorText, Failed, Lens};

/// The answer to a call with a problem.
pub(super) fn reply(problem: Problem, call: &Call) -> Reply {
    Reply::error(worded(problem, call))
}

/// Words a problem for the caller.
pub(super) fn worded(problem: Problem, call: &Call) -> ErrorText {
    match problem {
        Problem::Session(error) => of_session(&error, None, call),
        Problem::OfSession(session, error) => of_session(&error, Some(&session), call),
        Problem::Worded(error) => error,
        Problem::Unchosen(_, error) => *error,
    }
}

/// The next call names the session if the failed one does, or if it would be about another one
/// without.
fn of_session(error: &Error, session: Option<&SessionId>, call: &Call) -> ErrorText {
    let lens = call.lens();
    let session = session
        .filter(|session| lens.usual.as_ref() != Some(session))
        .map(|session| session.0.as_str());
    let next = repaired(&call.request, &error.remedies(), &lens).map(|request| request.call());
    let session = call.request.session().or(session);
    let frame = call.request.arguments.get("frame").and_then(Value::as_i64);
    let thread = call.request.arguments.get("thread").and_then(Value::as_str);
    view::error(error, &lens, &Failed { next, session, thread, frame })
}

/// The failed call with the first change that fits it; none where another remedy comes before.
fn repaired(failed: &Request, remedies: &Remedies, lens: &Lens) -> Option<Request> {
    for remedy in &remedies.list {
        let Remedy::Same(patch) = remedy else { return None };
        let mut request = failed.clone();
        let repeats = matches!(patch, Patch::Again | Patch::StartAgain);
        if patch::apply(&mut request, patch, lens)
            && (repeats || request.arguments != failed.arguments)
        {
            return Some(request);
        }
    }
    None
}
