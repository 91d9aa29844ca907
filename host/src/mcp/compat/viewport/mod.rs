//! `compat:viewport`: the names of a server whose results are one text of a stop, the viewport:
//! place, stack, source and locals in bounds that a launch sets and that shrink in long sessions.
//!
//! Knows the documented names and the bounds. Refuses to know how a program is debugged.

mod breakpoints;
mod config;
mod evaluate;
mod limit;
mod log;
mod moves;
mod of_session;
mod output;
mod screen;
mod session;
mod source;
mod stack;
mod start;
mod state;
mod timer;
mod variables;

use super::{Answer, Compatible, Family, Name, Ours, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::Toolset;
use crate::mcp::problem::Problem;
use crate::view;
use limit::Visit;

const TOOLSET: Toolset = Toolset::Family("compat:viewport");

pub(super) const FAMILY: Family = Family {
    toolset: TOOLSET,
    names: &[
        Name::of::<log::ActionLog>(),
        Name::of::<start::Attach>(),
        Name::of::<moves::Continue>(),
        Name::of::<evaluate::Evaluate>(),
        Name::of::<start::Launch>(),
        Name::of::<breakpoints::List>(),
        Name::of::<output::Output>(),
        Name::of::<moves::RunTo>(),
        Name::of::<breakpoints::Set>(),
        Name::of::<breakpoints::SetExceptions>(),
        Name::of::<source::Source>(),
        Name::of::<stack::StackTrace>(),
        Name::of::<session::Status>(),
        Name::of::<moves::Step>(),
        Name::of::<session::Stop>(),
        Name::of::<stack::Threads>(),
        Name::of::<variables::Variables>(),
        Name::of::<session::Watch>(),
    ],
};

/// A call of one of these names, for the session of the call.
fn of_session(call: &Call, name: &'static str) -> view::Call {
    match call.request.session() {
        Some(session) => view::Call::new(name).with("session_id", session),
        None => view::Call::new(name),
    }
}

/// Runs a tool of ours as an action of the session, and writes a stop as the viewport.
async fn act(call: &Call, name: &str, ours: Ours) -> Result<Reply, Problem> {
    let visit = Visit::begin(call)?;
    let answer = run(call, ours).await;
    Ok(finish(call, &visit, name, answer).await)
}

/// Writes a stop as the viewport, says whether the time of the session is over, and logs the
/// action.
async fn finish(call: &Call, visit: &Visit, name: &str, answer: Answer) -> Reply {
    let mut reply = answer.reply;
    if let Some(text) = screen::of(call, &visit.state, &reply.outcome).await {
        reply.text = text;
    }
    if let Some(error) = visit.time_over(call) {
        if reply.is_error {
            reply = Reply::error(error);
        } else {
            reply.text.push(format!("note: {}. Try: {}", error.cause, error.next));
        }
    }
    if let Some(session) = visit.session.as_deref().filter(|_| visit.is_action) {
        visit.state.log(session, log::action(call, session, name, &reply).await);
    }
    reply
}
