//! Names that list threads and frames.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Refusal, good};
use super::facts::Location;
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Nothing, Ours, forward, run};
use crate::mcp::outcome::Outcome;
use crate::model::{self, ThreadStack};

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Thread {
    id: i64,
    name: String,
    /// stopped or running.
    state: &'static str,
    /// The thread that stopped the program.
    is_current: bool,
    location: Option<Location>,
}

impl Thread {
    fn of(stack: &ThreadStack) -> Self {
        let top = stack.frames.as_ref().ok().and_then(|frames| frames.first());
        Self {
            id: stack.thread.id.0,
            name: stack.thread.name.clone(),
            state: if stack.running { "running" } else { "stopped" },
            is_current: stack.stopped,
            location: top.map(Location::of),
        }
    }
}

#[derive(Serialize, JsonSchema)]
pub(super) struct ThreadList {
    threads: Vec<Thread>,
}

name! {
    Threads(Nothing) -> ThreadList,
    "threads_list", "Threads", Reads,
    "{}",
    "All threads, each with its innermost frame."
}

impl Threads {
    async fn answer(call: &Call, _: Nothing) -> Result<ThreadList, Refusal> {
        Ok(ThreadList { threads: threads(call).await? })
    }
}

impl Compatible for Threads {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_stack", json!({"all_threads": true, "count": 1}))
    }
}

/// All threads, page by page.
pub(super) async fn threads(call: &Call) -> Result<Vec<Thread>, Refusal> {
    let mut threads = Vec::new();
    loop {
        let page = json!({"all_threads": true, "count": 1, "start": threads.len()});
        let reply = good(run(call, Ours::new("debug_stack", page)).await)?;
        let Outcome::Stacks(stacks) = &reply.outcome else { return Ok(threads) };
        threads.extend(stacks.threads.iter().map(Thread::of));
        if stacks.threads.is_empty() || threads.len() >= stacks.of as usize {
            return Ok(threads);
        }
    }
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct StackArguments {
    /// Default: the one that stopped
    thread_id: Option<i64>,
    /// Default 0
    start_frame: Option<u32>,
    /// Default 20, at most 500
    max_frames: Option<u32>,
    /// Add the address of the next instruction; default false
    include_raw: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct StackFrames {
    thread_id: i64,
    /// Number of all frames, as far as they are known.
    total_frames: u32,
    frames: Vec<Frame>,
    /// The call that reads the frames after these; null: there are none.
    next: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Frame {
    index: u32,
    function: String,
    /// null: unknown.
    module: Option<String>,
    /// Code of a library or the runtime.
    is_external: bool,
    location: Location,
    /// Only with `include_raw`.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<Raw>,
}

#[derive(Serialize, JsonSchema)]
struct Raw {
    /// Address of the next instruction; null: unknown.
    address: Option<String>,
}

impl Frame {
    fn of(frame: &model::Frame, is_raw: bool) -> Self {
        Self {
            index: frame.index,
            function: frame.name.clone(),
            module: None,
            is_external: !frame.is_user(),
            location: Location::of(frame),
            raw: is_raw.then(|| Raw { address: frame.pc.clone() }),
        }
    }
}

name! {
    StackTrace(StackArguments) -> StackFrames,
    "stacktrace_get", "Frames of a thread", Reads,
    r#"{"max_frames": 20}"#,
    "Frames of a thread, innermost first; frames of libraries are external."
}

impl StackTrace {
    async fn answer(call: &Call, arguments: StackArguments) -> Result<StackFrames, Refusal> {
        let reply = good(forward::<Self>(call, &arguments).await)?;
        let stack = match &reply.outcome {
            Outcome::Stacks(stacks) => stacks.threads.first(),
            _ => None,
        };
        let Some(stack) = stack else { return Err(crate::session::Error::NotStopped.into()) };
        let frames = match &stack.frames {
            Ok(frames) => frames.as_slice(),
            Err(words) => {
                return Err(Refusal::with_next("no-frames", words, "threads_list"));
            }
        };
        let is_raw = arguments.include_raw == Some(true);
        let read = arguments.start_frame.unwrap_or(0).saturating_add(frames.len() as u32);
        Ok(StackFrames {
            thread_id: stack.thread.id.0,
            total_frames: stack.total.unwrap_or(read),
            frames: frames.iter().map(|frame| Frame::of(frame, is_raw)).collect(),
            next: stack.more.then(|| call.request.with("start_frame", read).text()),
        })
    }
}

impl Compatible for StackTrace {
    fn ours(arguments: &StackArguments) -> Ours {
        let StackArguments { thread_id, start_frame, max_frames, .. } = arguments;
        Ours::new(
            "debug_stack",
            json!({
                "thread": thread_id.map(|id| id.to_string()),
                "start": start_frame,
                "count": max_frames.unwrap_or(20),
            }),
        )
    }
}
