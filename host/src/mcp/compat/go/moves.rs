//! `continue`, `step`, `step_over`, `step_out`.

use serde_json::json;

use super::{Compatible, Nothing, Ours, TOOLSET, forward, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Form, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;

/// A call that takes nothing.
pub(super) struct Continue;

impl Tool for Continue {
    type Arguments = Nothing;
    type Data = structured::Movement;
    const NAME: &'static str = "continue";
    const TITLE: &'static str = "Continue";
    const DESCRIPTION: &'static str = "Resumes the program and waits for the next stop or the \
        exit, at most 30 seconds; then the event is `running`, and another call waits on. A stop \
        that happened before the call is returned without resuming, once.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        let reply = run(call, Ours::new("debug_wait", json!({}))).await.reply;
        match &reply.outcome {
            // An answer had the stop; or no wait began, and the error is that of a continue.
            Outcome::Failed(error) if matches!(error.code, "not-running" | "which-session") => {
                Ok(forward::<Self>(call, &arguments).await.reply)
            }
            _ => Ok(reply),
        }
    }
}

impl Compatible for Continue {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_continue", json!({}))
    }
}

pub(super) struct Step;

impl Tool for Step {
    type Arguments = Nothing;
    type Data = structured::Step;
    const NAME: &'static str = "step";
    const TITLE: &'static str = "Step into";
    const DESCRIPTION: &'static str = "Runs to the next line, into a call.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        Ok(forward::<Self>(call, &arguments).await.reply)
    }
}

impl Compatible for Step {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_step", json!({"kind": "in"}))
    }
}

pub(super) struct StepOver;

impl Tool for StepOver {
    type Arguments = Nothing;
    type Data = structured::Step;
    const NAME: &'static str = "step_over";
    const TITLE: &'static str = "Step over";
    const DESCRIPTION: &'static str = "Runs to the next line, over calls.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        Ok(forward::<Self>(call, &arguments).await.reply)
    }
}

impl Compatible for StepOver {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_step", json!({"kind": "over"}))
    }
}

pub(super) struct StepOut;

impl Tool for StepOut {
    type Arguments = Nothing;
    type Data = structured::Step;
    const NAME: &'static str = "step_out";
    const TITLE: &'static str = "Step out";
    const DESCRIPTION: &'static str = "Runs to the caller of the current function.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        Ok(forward::<Self>(call, &arguments).await.reply)
    }
}

impl Compatible for StepOut {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_step", json!({"kind": "out"}))
    }
}
