//! Answers to failed calls: the error and one call that works, which is the failed one repaired
//! where its remedy says how.
//!
//! Knows the arguments of a call and how a remedy changes them. Refuses to know which errors exist
//! and how one is written.

mod mend;
mod misplaced;
mod places;

use super::call::{Call, Reply};
use super::problem::Problem;
use crate::model::SessionId;
use crate::session::{self, BreakpointError};
use crate::view::{self, ErrorText, Failed};

/// Words a problem for the caller.
pub(super) fn reply(problem: Problem, call: &Call) -> Reply {
    let error = match problem {
        Problem::Session(error) => worded(&error, None, call),
        Problem::Of(session, error) => worded(&error, Some(&session), call),
        Problem::Worded(error) => error,
    };
    Reply { text: error.text, is_error: true }
}

/// The next call names the session if the failed one does, or if it would be about another one
/// without.
fn worded(error: &session::Error, session: Option<&SessionId>, call: &Call) -> ErrorText {
    if let Some(text) = call.request.misplaced(error) {
        return text;
    }
    let lens = call.lens();
    let session = session
        .filter(|session| lens.usual.as_ref() != Some(session))
        .map(|session| session.0.as_str());
    let next = call.request.mended(error, &lens);
    view::error(error, &lens, &Failed { next, session: call.request.session().or(session) })
}

/// Searches the workspace for the files that an error misses.
pub(super) async fn searched(problem: Problem, call: &Call) -> Problem {
    let mut problem = problem;
    if let Problem::Session(error) = &mut problem {
        match error {
            session::Error::Several { all } => {
                for error in all {
                    search(error, call).await;
                }
            }
            error => search(error, call).await,
        }
    }
    problem
}

async fn search(error: &mut session::Error, call: &Call) {
    if let session::Error::Breakpoints(BreakpointError::NoSuchSource { path, near }) = error {
        let found = session::namesakes(path, &call.workspace).await;
        if !found.is_empty() {
            *near = found;
        }
    }
}
