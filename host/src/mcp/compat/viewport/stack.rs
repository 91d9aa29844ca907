//! `debug_stack_trace` and `debug_threads`.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::limit::Visit;
use super::of_session::OfSession;
use super::{Compatible, Ours, TOOLSET, act, finish, run, source};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Toolset};
use crate::mcp::outcome::Outcome;
use crate::mcp::problem::Problem;
use crate::mcp::structured;
use crate::mcp::tool::Tool;
use crate::model::ThreadStack;
use crate::view::{self, Text};

/// Default of `max_frames`.
const FRAMES: u32 = 20;

/// Most frames that our tool reads.
pub(super) const MOST: u32 = 500;

pub(super) struct StackTrace;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Frames {
    /// Default: the only one
    session_id: Option<String>,
    /// Most frames; default 20
    max_frames: Option<u32>,
    /// The line of each frame too; default false
    include_source: Option<bool>,
}

impl Tool for StackTrace {
    type Arguments = Frames;
    type Data = structured::Stacks;
    const NAME: &'static str = "debug_stack_trace";
    const TITLE: &'static str = "Stack";
    const DESCRIPTION: &'static str = "The call stack of the stopped thread.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = r#"{"max_frames": 20}"#;

    async fn run(call: &Call, arguments: Frames) -> Result<Reply, Problem> {
        let visit = Visit::begin(call)?;
        let mut answer = run(call, Self::ours(&arguments)).await;
        if let (Some(true), Outcome::Stacks(stacks)) =
            (arguments.include_source, &answer.reply.outcome)
        {
            let mut lines = Vec::new();
            for stack in &stacks.threads {
                lines.extend(with_source(call, stack).await);
            }
            let narrower = view::Call::new(Self::NAME).with("max_frames", 5);
            answer.reply.text = view::cap(Text::lines(lines), &narrower);
        }
        Ok(finish(call, &visit, Self::NAME, answer).await)
    }
}

/// The frames of a thread, each with its line.
async fn with_source(call: &Call, stack: &ThreadStack) -> Vec<String> {
    let frames = match &stack.frames {
        Ok(frames) => frames,
        Err(why) => return vec![format!("not readable: {why}")],
    };
    let mut lines = Vec::new();
    for frame in frames {
        lines.push(view::frame(frame, &call.lens()));
        let Some(path) = &frame.path else { continue };
        let whole = source::read(call, &path.to_string_lossy()).await.unwrap_or_default();
        let line = whole.lines().nth((frame.line as usize).saturating_sub(1));
        lines.extend(
            line.map(|line| format!("  {}", source::line(frame.line as usize, line.trim_start()))),
        );
    }
    let next = super::of_session(call, StackTrace::NAME);
    let may_be_more = stack.more && stack.total.is_none();
    lines.extend(more(next, frames.len(), stack.total, may_be_more));
    lines
}

/// The line about frames that are not listed; `next` lists them.
pub(super) fn more(
    next: view::Call,
    listed: usize,
    total: Option<u32>,
    may_be_more: bool,
) -> Option<String> {
    let hidden = total.map_or(0, |total| (total as usize).saturating_sub(listed));
    let next = with_frames(next, if may_be_more { MOST } else { (hidden + listed) as u32 });
    match (hidden, may_be_more) {
        (0, false) => None,
        (0, true) => Some(format!("  more: {}", next.json())),
        (hidden, false) => Some(format!("  {hidden} more: {}", next.json())),
        (hidden, true) => Some(format!("  {hidden} or more: {}", next.json())),
    }
}

/// The call that lists this many frames.
pub(super) fn with_frames(next: view::Call, frames: u32) -> view::Call {
    if frames > FRAMES { next.with("max_frames", frames.min(MOST)) } else { next }
}

impl Compatible for StackTrace {
    fn ours(of: &Frames) -> Ours {
        let count = of.max_frames.unwrap_or(FRAMES);
        Ours::new("debug_stack", json!({"session": of.session_id, "count": count, "library": true}))
    }
}

pub(super) struct Threads;

impl Tool for Threads {
    type Arguments = OfSession;
    type Data = structured::Stacks;
    const NAME: &'static str = "debug_threads";
    const TITLE: &'static str = "Threads";
    const DESCRIPTION: &'static str = "All threads with their stacks.";
    const EFFECT: Effect = Effect::Reads;
    const TOOLSET: Toolset = TOOLSET;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: OfSession) -> Result<Reply, Problem> {
        act(call, Self::NAME, Self::ours(&arguments)).await
    }
}

impl Compatible for Threads {
    fn ours(of: &OfSession) -> Ours {
        Ours::new("debug_stack", json!({"session": of.session_id, "all_threads": true}))
    }
}
