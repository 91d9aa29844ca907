//! `debug_output`: what the program printed.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::limit::{Visit, limits, or_raise};
use super::{Compatible, Ours, TOOLSET, finish, run};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;

pub(super) struct Output;

#[derive(Deserialize, JsonSchema)]
pub(super) struct OutputPart {
    /// Default: the only one
    session_id: Option<String>,
    /// Default both
    stream: Option<Stream>,
    /// Only what came after this action of debug_action_log
    since_action: Option<u32>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Stream {
    Stdout,
    Stderr,
    Both,
}

impl Tool for Output {
    type Arguments = OutputPart;
    type Data = structured::Output;
    const NAME: &'static str = "debug_output";
    const TITLE: &'static str = "Output of the program";
    const DESCRIPTION: &'static str = "Output of the program, also after the exit.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"stream": "both", "since_action": 1}"#;

    async fn run(call: &Call, arguments: OutputPart) -> Result<Reply, Problem> {
        let visit = Visit::begin(call)?;
        let mut ours = Self::ours(&arguments);
        if let Some(number) = arguments.since_action {
            ours.arguments.insert("since".to_owned(), output_after(&visit, number)?.into());
        }
        let mut answer = run(call, ours).await;
        if let Outcome::Output(page) = &answer.reply.outcome
            && page.lost > 0
        {
            let most = limits(call)?.viewport_output_bytes;
            let earlier = or_raise("read it earlier, with since_action", "viewport_output_bytes");
            answer.reply.text.push(format!(
                "note: limits.viewport_output_bytes: the last {most} bytes are stored; {earlier}"
            ));
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

/// `since` of output after an action.
fn output_after(visit: &Visit, number: u32) -> Result<u64, Problem> {
    let at = (number as usize).wrapping_sub(1);
    let read = |actions: &[super::state::Action]| {
        (actions.get(at).map(|action| action.output), actions.len())
    };
    let name = visit.session.as_deref().unwrap_or_default();
    let (output, count) = visit.state.of(name, |it| read(&it.actions)).unwrap_or_default();
    output.ok_or_else(|| {
        let cause = format!("there are {count} actions, not {number}");
        Problem::worded("bad-argument", &cause, "debug_action_log")
    })
}

impl Compatible for Output {
    fn ours(of: &OutputPart) -> Ours {
        let stream = match of.stream {
            Some(Stream::Stdout) => Some("stdout"),
            Some(Stream::Stderr) => Some("stderr"),
            Some(Stream::Both) | None => None,
        };
        Ours::new("debug_output", json!({"session": of.session_id, "stream": stream, "since": 0}))
    }
}
