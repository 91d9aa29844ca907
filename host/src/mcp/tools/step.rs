//! `debug_step`: steps.

use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::{Arrival, Outcome};
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Short, Verb, Words};
use super::super::wait;
use super::thread::thread;
use crate::model::{
    self, Granularity, Happening, Resume, StackQuery, StepKind, Stop, StopClass, ThreadId,
    ThreadStack,
};
use crate::session::{AdapterError, Error, Handle};
use crate::view;

pub(in crate::mcp) struct Step;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Default over
    kind: Option<Kind>,
    /// Steps; default 1; any other stop ends them early
    count: Option<u32>,
    /// Default line
    granularity: Option<Size>,
    /// Default: stopped one
    thread: Option<String>,
    /// Call on this line to step into, by name
    into: Option<String>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::mcp) enum Kind {
    In,
    Over,
    Out,
    Back,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::mcp) enum Size {
    Line,
    Statement,
    Instruction,
}

/// Steps by instruction.
const INTO: &[(&str, &str)] = &[("kind", "in"), ("granularity", "instruction")];
const OVER: &[(&str, &str)] = &[("kind", "over"), ("granularity", "instruction")];

impl Tool for Step {
    type Arguments = Arguments;
    type Data = structured::Step;
    const NAME: &'static str = "debug_step";
    const TITLE: &'static str = "Step";
    const DESCRIPTION: &'static str = "Steps over, into or out of calls.";
    const EFFECT: Effect = Effect::Moves;
    const VERB: Option<Verb> = Some(Verb::new("step", Words::One("kind")).shorts(&[
        Short::with("n", "Step over", &[("kind", "over")], Words::One("count")),
        Short::with("next", "Step over", &[("kind", "over")], Words::One("count")),
        Short::with("s", "Step into a call", &[("kind", "in")], Words::One("count")),
        Short::with("finish", "Run to the caller", &[("kind", "out")], Words::One("count")),
        Short::with("fin", "Run to the caller", &[("kind", "out")], Words::One("count")),
        Short::with("stepi", "Step into one instruction", INTO, Words::One("count")),
        Short::with("nexti", "Step over one instruction", OVER, Words::One("count")),
        Short::with("si", "Step into one instruction", INTO, Words::One("count")),
        Short::with("ni", "Step over one instruction", OVER, Words::One("count")),
    ]));
    const EXAMPLE: &'static str = r#"{"kind": "over"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        if arguments.count == Some(0) {
            return Err(call
                .request
                .without(&["count"])
                .refuse("debug_step: `count` must be 1 or more, got 0"));
        }
        let handle = call.session(arguments.session.as_deref())?;
        let thread = thread(&handle, arguments.thread.as_deref()).await?;
        let step = resume_of(call, &arguments)?;
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let deadline = Instant::now() + limit;
        let count = arguments.count.unwrap_or(1);
        let before = handle.current().await?;
        let stepping = thread.or(before.as_ref().map(|stop| stop.thread.id));
        let waited = match (thread, &before) {
            (Some(thread), _) => waiting(&handle, thread).await,
            (None, Some(stop)) => at_stop(stop),
            (None, None) => None,
        };
        let steps = steps(call, &handle, &step, thread, before.as_deref(), count, deadline);
        let (arrival, taken, refusal) = steps.await?;
        let mut text = wait::text(call, &arrival);
        let note = match (&arrival, refusal) {
            _ if taken == 0 => Some(wait::UNMOVED.to_owned()),
            (_, Some(why)) => Some(format!("note: stopped after step {taken} of {count}: {why}")),
            (Arrival::RanOut(running), None) => {
                let step = (count > 1).then(|| format!("step {taken} of {count}"));
                let step = step.as_deref().unwrap_or("the step");
                let waited = waited.as_ref();
                Some(view::unfinished_step(running, stepping, waited, step, limit, &call.lens()))
            }
            (Arrival::Happened(happening), None) => cut_short(happening, stepping, taken, count),
        };
        if let Some(note) = note {
            text.push(note);
        }
        Ok(Reply::new(text, Outcome::Stepped { arrival, step, taken, requested: count }))
    }
}

/// The thread, if it waits: few adapters read the stack of one of a running program.
async fn waiting(handle: &Handle, thread: ThreadId) -> Option<ThreadStack> {
    let query = StackQuery { thread: Some(thread), count: 1, ..StackQuery::default() };
    let stacks = tokio::time::timeout(wait::READING, handle.stack(query)).await.ok()?.ok()?;
    stacks.threads.into_iter().find(|stack| stack.waits.is_some())
}

/// The thread that stopped, if it waits.
fn at_stop(stop: &Stop) -> Option<ThreadStack> {
    stop.waits.clone().map(|waits| ThreadStack {
        thread: stop.thread.clone(),
        stopped: true,
        running: false,
        waits: Some(waits),
        frames: Ok(Vec::new()),
        total: None,
        more: false,
    })
}

/// The step. A step into a named call is a single one, by line.
fn resume_of(call: &Call, arguments: &Arguments) -> Result<Resume, Problem> {
    let plain =
        model::Step { kind: kind(arguments.kind), granularity: size(arguments.granularity) };
    let Some(name) = arguments.into.as_deref().map(str::trim).filter(|name| !name.is_empty())
    else {
        return Ok(Resume::Step(plain));
    };
    let is_single = matches!(arguments.kind, None | Some(Kind::In))
        && arguments.count.is_none_or(|count| count == 1)
        && plain.granularity == Granularity::Line;
    if !is_single {
        let one = call.request.without(&["count", "granularity"]).with("kind", "in");
        return Err(one.refuse("debug_step: `into` takes one step of kind `in`, by line"));
    }
    Ok(Resume::Into(name.to_owned()))
}

/// Steps `count` times from the stop `before`, or until another stop. Returns the number of steps,
/// and why the adapter refused the one after them. None is taken from a stop that no call had
/// returned.
async fn steps(
    call: &Call,
    handle: &Handle,
    step: &Resume,
    thread: Option<ThreadId>,
    before: Option<&Stop>,
    count: u32,
    deadline: Instant,
) -> Result<(Arrival, u32, Option<String>), Problem> {
    let mut taken = 1;
    let mut cursor = handle.resume(step.clone(), thread).await?;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let arrival = wait::arrive(call, handle, cursor, left).await?;
        if wait::is_unmoved(before, &arrival) {
            return Ok((arrival, 0, None));
        }
        let stepped = matches!(&arrival,
            Arrival::Happened(Happening::Stopped(stop)) if stop.class == StopClass::Step);
        if !stepped || taken == count {
            return Ok((arrival, taken, None));
        }
        cursor = match handle.step_on(step.clone(), thread).await {
            // Somebody has paused the program between two steps.
            Err(Error::Superseded) => return Ok((arrival, taken, None)),
            Err(Error::Adapter(AdapterError::Refused { message, .. })) => {
                return Ok((arrival, taken, Some(message)));
            }
            next => next?,
        };
        taken += 1;
    }
}

/// The note about steps that were not taken, and about a step of one thread during which another
/// one has stopped.
fn cut_short(
    happening: &Happening,
    stepping: Option<ThreadId>,
    taken: u32,
    count: u32,
) -> Option<String> {
    let (several, step) = (count > 1, format!("step {taken} of {count}"));
    let stop = match happening {
        Happening::Ended(_) => {
            return several.then(|| format!("note: the program ended during {step}"));
        }
        Happening::Stopped(stop) => stop,
    };
    let what = match stop.class {
        StopClass::Step => return (taken < count).then(|| format!("note: stopped after {step}")),
        // The first line of such a stop names its reason.
        StopClass::Entry | StopClass::Other => return None,
        StopClass::Pause => "a pause",
        StopClass::Breakpoint => "a breakpoint",
        StopClass::Signal => "a signal",
        StopClass::Assertion => "a failed assertion",
        StopClass::Exception => "an exception",
        StopClass::Panic => "a panic",
    };
    let other = stepping.is_some_and(|thread| thread != stop.thread.id);
    let of_thread = if other { " of another thread" } else { "" };
    let during = if several { step.as_str() } else { "the step" };
    (several || other)
        .then(|| format!("note: {what}{of_thread} stopped the program during {during}"))
}

fn kind(kind: Option<Kind>) -> StepKind {
    match kind {
        None | Some(Kind::Over) => StepKind::Over,
        Some(Kind::In) => StepKind::In,
        Some(Kind::Out) => StepKind::Out,
        Some(Kind::Back) => StepKind::Back,
    }
}

fn size(size: Option<Size>) -> Granularity {
    match size {
        None | Some(Size::Line) => Granularity::Line,
        Some(Size::Statement) => Granularity::Statement,
        Some(Size::Instruction) => Granularity::Instruction,
    }
}
