//! `compat:go`: the names of a server for Go programs. Every answer is JSON with status, data and
//! context.
//!
//! Programs stop at their entry, as those of that server do. Knows the documented names. Refuses to
//! know how a program is debugged.

mod breakpoints;
mod close;
mod functions;
mod moves;
mod reads;
mod start;

use serde::Serialize;

use super::{Answer, Compatible, Family, Name, Nothing, Ours, forward, run};
use crate::mcp::call::Reply;
use crate::mcp::declared::Toolset;
use crate::mcp::outcome::Outcome;

const TOOLSET: Toolset = Toolset::Family("compat:go");

pub(super) const FAMILY: Family = Family {
    toolset: TOOLSET,
    names: &[
        Name::of::<start::Attach>(),
        Name::of::<close::Close>(),
        Name::of::<moves::Continue>(),
        Name::of::<start::Debug>(),
        Name::of::<start::DebugTest>(),
        Name::of::<reads::EvalVariable>(),
        Name::of::<reads::ExamineVariable>(),
        Name::of::<reads::GetDebuggerOutput>(),
        Name::of::<start::Launch>(),
        Name::of::<breakpoints::ListBreakpoints>(),
        Name::of::<breakpoints::RemoveBreakpoint>(),
        Name::of::<breakpoints::SetBreakpoint>(),
        Name::of::<moves::Step>(),
        Name::of::<moves::StepOut>(),
        Name::of::<moves::StepOver>(),
    ],
};

/// The answer with other data; without data it is an error.
async fn with_data(answer: Answer, data: impl Serialize) -> Reply {
    let mut whole = answer.data().await;
    if whole["data"].is_null() {
        return answer.reply;
    }
    whole["data"] = serde_json::to_value(data).unwrap_or_default();
    Reply { outcome: Outcome::Own(whole), ..answer.reply }
}
