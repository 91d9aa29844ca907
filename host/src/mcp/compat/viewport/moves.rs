//! `debug_continue`, `debug_run_to`, `debug_step`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::limit::{Visit, limits, or_raise};
use super::{Compatible, Ours, TOOLSET, act, finish, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Arrival;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;

/// Default of `timeout_ms`.
const TIMEOUT_MS: u64 = 30_000;

fn seconds(timeout_ms: Option<u64>) -> f64 {
    timeout_ms.unwrap_or(TIMEOUT_MS) as f64 / 1_000.0
}

pub(super) struct Continue;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Resumption {
    /// Default: the only one
    session_id: Option<String>,
    /// Milliseconds; default 30000
    timeout_ms: Option<u64>,
    /// Thread; default: all
    thread_id: Option<u64>,
}

impl Tool for Continue {
    type Arguments = Resumption;
    type Data = structured::Movement;
    const NAME: &'static str = "debug_continue";
    const TITLE: &'static str = "Continue";
    const DESCRIPTION: &'static str =
        "Resumes the program and waits for the next stop, the exit or the time limit.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"timeout_ms": 30000}"#;

    async fn run(call: &Call, arguments: Resumption) -> Result<Reply, Problem> {
        act(call, Self::NAME, Self::ours(&arguments)).await
    }
}

impl Compatible for Continue {
    fn ours(of: &Resumption) -> Ours {
        let thread = of.thread_id.map(|thread| thread.to_string());
        Ours::new(
            "debug_continue",
            json!({
                "session": of.session_id, "thread": thread, "timeout_s": seconds(of.timeout_ms),
            }),
        )
    }
}

pub(super) struct RunTo;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Target {
    /// Default: the only one
    session_id: Option<String>,
    /// Source file
    file: String,
    /// Line, from 1
    line: u32,
    /// Milliseconds; default 30000
    timeout_ms: Option<u64>,
}

impl Tool for RunTo {
    type Arguments = Target;
    type Data = structured::Movement;
    const NAME: &'static str = "debug_run_to";
    const TITLE: &'static str = "Run to a line";
    const DESCRIPTION: &'static str = "Resumes the program until it reaches a line.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"file": "FILE", "line": 1}"#;

    async fn run(call: &Call, arguments: Target) -> Result<Reply, Problem> {
        act(call, Self::NAME, Self::ours(&arguments)).await
    }
}

impl Compatible for RunTo {
    fn ours(of: &Target) -> Ours {
        let until = format!("{}:{}", of.file, of.line);
        let limit = seconds(of.timeout_ms);
        Ours::new(
            "debug_continue",
            json!({"session": of.session_id, "until": until, "timeout_s": limit}),
        )
    }
}

pub(super) struct Step;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Steps {
    /// Default: the only one
    session_id: Option<String>,
    /// Way of the step
    direction: Direction,
    /// Number of steps; default 1
    count: Option<u32>,
    /// Thread; default: the stopped one
    thread_id: Option<u64>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Direction {
    Over,
    Into,
    Out,
}

impl Tool for Step {
    type Arguments = Steps;
    type Data = structured::Step;
    const NAME: &'static str = "debug_step";
    const TITLE: &'static str = "Step";
    const DESCRIPTION: &'static str = "Steps over, into or out of calls and returns the stop.";
    const EFFECT: Effect = Effect::Moves;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"direction": "over"}"#;

    async fn run(call: &Call, arguments: Steps) -> Result<Reply, Problem> {
        let visit = Visit::begin(call)?;
        let limit = limits(call)?.viewport_step.min(call.limits.longest_wait).as_secs_f64();
        let mut ours = Self::ours(&arguments);
        ours.arguments.insert("timeout_s".to_owned(), limit.into());
        let mut answer = run(call, ours).await;
        if let Some(Arrival::RanOut(running)) = answer.reply.outcome.arrival() {
            let wait = Ours::new("debug_wait", json!({"session": running.session.0})).text();
            let next = or_raise(&wait, "viewport_step_s");
            let note = format!("note: limits.viewport_step_s is {limit}; the step goes on: {next}");
            answer.reply.text.push(note);
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

impl Compatible for Step {
    fn ours(of: &Steps) -> Ours {
        let kind = match of.direction {
            Direction::Over => "over",
            Direction::Into => "in",
            Direction::Out => "out",
        };
        let thread = of.thread_id.map(|thread| thread.to_string());
        Ours::new(
            "debug_step",
            json!({
                "session": of.session_id, "kind": kind, "count": of.count, "thread": thread,
            }),
        )
    }
}
