//! `compat:viewport`: the names of a server whose results are one text of a stop, the viewport:
//! place, stack, source and locals in bounds that a launch sets and that shrink in long sessions.
//!
//! Knows the documented names and the bounds. Refuses to know how a program is debugged.

mod breakpoints;
mod config;
mod moves;
mod reads;
mod screen;
mod session;
mod start;
mod state;

use std::sync::Arc;

use super::{Answer, Compatible, Family, Name, Ours, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::Toolset;
use crate::mcp::problem::Problem;
use state::State;

const TOOLSET: Toolset = Toolset::Family("compat:viewport");

pub(super) const FAMILY: Family = Family {
    toolset: TOOLSET,
    names: &[
        Name::of::<session::ActionLog>(),
        Name::of::<start::Attach>(),
        Name::of::<moves::Continue>(),
        Name::of::<reads::Evaluate>(),
        Name::of::<start::Launch>(),
        Name::of::<breakpoints::List>(),
        Name::of::<session::Output>(),
        Name::of::<moves::RunTo>(),
        Name::of::<breakpoints::Set>(),
        Name::of::<breakpoints::SetExceptions>(),
        Name::of::<reads::Source>(),
        Name::of::<reads::StackTrace>(),
        Name::of::<session::Status>(),
        Name::of::<moves::Step>(),
        Name::of::<session::Stop>(),
        Name::of::<reads::Threads>(),
        Name::of::<reads::Variables>(),
        Name::of::<session::Watch>(),
    ],
};

/// Runs a tool of ours as an action of the session, and writes a stop as the viewport.
async fn act(call: &Call, name: &str, ours: Ours) -> Result<Reply, Problem> {
    let state = enter(call).await?;
    let answer = run(call, ours).await;
    Ok(finish(call, &state, name, answer).await)
}

/// Counts an action of the session that the call names, or of the only one.
async fn enter(call: &Call) -> Result<Arc<State>, Problem> {
    let state = call.memory.of::<State>();
    state.enter(call).await?;
    Ok(state)
}

/// Writes a stop as the viewport, and logs the action.
async fn finish(call: &Call, state: &State, name: &str, answer: Answer) -> Reply {
    let mut reply = answer.reply;
    if let Some(text) = screen::of(call, state, &reply).await {
        reply.text = text;
    }
    state.log(call, name, &reply).await;
    reply
}
