//! Names that resume and pause the program.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Refusal, good};
use super::facts::{self, Session, seconds};
use super::name;
use super::sessions::OfSession;
use super::stacks::{self, Thread};
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Nothing, Ours, forward};
use crate::mcp::outcome::Outcome;

#[derive(Deserialize, JsonSchema)]
pub(super) struct ContinueArguments {
    /// Milliseconds; default 30000
    timeout: Option<u32>,
}

name! {
    Continue(ContinueArguments) -> OfSession,
    "debug_continue", "Continue", Moves,
    "{}",
    "Resumes the program and returns at once; breakpoint_wait waits for the next hit."
}

impl Continue {
    async fn answer(call: &Call, arguments: ContinueArguments) -> Result<OfSession, Refusal> {
        facts::note_stop(call).await?;
        good(forward::<Self>(call, &arguments).await)?;
        // A stop that has come since is for breakpoint_wait.
        let session = facts::session(call).await?.running();
        Ok(OfSession { session, notes: Vec::new() })
    }
}

impl Compatible for Continue {
    fn ours(ContinueArguments { timeout }: &ContinueArguments) -> Ours {
        Ours::new("debug_continue", json!({"wait": false, "timeout_s": seconds(*timeout)}))
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Paused {
    /// paused or already_paused.
    state: &'static str,
    threads: Vec<Thread>,
}

name! {
    Pause(Nothing) -> Paused,
    "debug_pause", "Pause", Sets,
    "{}",
    "Stops the running program wherever it is and lists its threads."
}

impl Pause {
    async fn answer(call: &Call, arguments: Nothing) -> Result<Paused, Refusal> {
        let is_paused = call.session(None)?.current().await?.is_some();
        let reply = good(forward::<Self>(call, &arguments).await)?;
        if let Outcome::Unpaused(..) = &reply.outcome {
            return Err(Refusal::with_next(
                "not-paused",
                "the program has not stopped yet; it stops once it runs code that the debugger \
                 can stop",
                "breakpoint_wait",
            ));
        }
        let state = if is_paused { "already_paused" } else { "paused" };
        Ok(Paused { state, threads: stacks::threads(call).await? })
    }
}

impl Compatible for Pause {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_pause", json!({}))
    }
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mode {
    In,
    Over,
    Out,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct StepArguments {
    /// Into a call, over calls, or out of the function
    mode: Mode,
    /// Milliseconds; default 30000
    timeout: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stepped {
    step_mode: Mode,
    session: Session,
}

name! {
    Step(StepArguments) -> Stepped,
    "debug_step", "Step", Moves,
    r#"{"mode": "over"}"#,
    "Steps and returns where the program stops."
}

impl Step {
    async fn answer(call: &Call, arguments: StepArguments) -> Result<Stepped, Refusal> {
        facts::note_stop(call).await?;
        good(forward::<Self>(call, &arguments).await)?;
        Ok(Stepped { step_mode: arguments.mode, session: facts::session(call).await? })
    }
}

impl Compatible for Step {
    fn ours(StepArguments { mode, timeout }: &StepArguments) -> Ours {
        Ours::new("debug_step", json!({"kind": mode, "timeout_s": seconds(*timeout)}))
    }
}
