//! Threads and frames beyond those that a stop brings.

use std::ops::Range;

use dapdock_schema::Profile;
use futures_util::future::join_all;

use crate::dap::arguments::{EvaluateArguments, StackTraceArguments};
use crate::dap::{NoArguments, request, types};
use crate::model::{Frame, StackQuery, Stacks, Thread, ThreadId, ThreadStack, answer};
use crate::session::adapter::wire::Wire;
use crate::session::{Error, values::convert};

/// Threads whose stacks are read by one call: each costs a request or two.
const THREADS: usize = 200;

/// How far down the user's frame is looked for.
const LOOKED_AT: u32 = 64;

/// Frames, and how many there are in all.
type Told = (Vec<Frame>, Option<u32>, bool);

/// The frame at hand, or the one at an index further down.
pub(crate) async fn frame_at(
    wire: &Wire,
    profile: &Profile,
    thread: Option<ThreadId>,
    frame: Option<Frame>,
    deeper: Option<u32>,
) -> Result<Option<Frame>, Error> {
    let (None, Some(index)) = (&frame, deeper) else { return Ok(frame) };
    let thread = thread.unwrap_or(ThreadId(0));
    let (frames, total, _) = frames(wire, profile, thread, index..index + 1, 0)
        .await
        .map_err(|error| Error::from_dap(&error, profile))?;
    let found = frames.into_iter().find(|frame| frame.index == index);
    found.map(Some).ok_or(Error::NoSuchFrame { index, count: total.unwrap_or(index) })
}

/// The frame of another thread that is meant: the one at an index, or the first of the user's, as
/// at a stop.
pub(crate) async fn seen_frame(
    wire: &Wire,
    profile: &Profile,
    thread: ThreadId,
    index: Option<u32>,
) -> Result<Option<Frame>, Error> {
    if index.is_none() {
        let told = frames(wire, profile, thread, 0..LOOKED_AT, 0).await;
        let (frames, ..) = told.map_err(|error| Error::from_dap(&error, profile))?;
        let own = frames.iter().find(|frame| frame.is_user()).or(frames.first()).cloned();
        return Ok(own);
    }
    frame_at(wire, profile, Some(thread), None, index).await
}

/// Whose stacks are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// A debuggee that stands, for this thread.
    Stopped(Option<ThreadId>),
    Running,
}

impl Of {
    /// The thread that stopped.
    pub(crate) fn stopped(self) -> Option<ThreadId> {
        match self {
            Self::Stopped(thread) => thread,
            Self::Running => None,
        }
    }
}

/// Answers a stack query. Of a debuggee that runs no thread is at hand: all are told, unless one is
/// named.
pub(crate) async fn read(
    wire: &Wire,
    profile: &Profile,
    of: Of,
    query: StackQuery,
) -> Result<Stacks, Error> {
    let (stopped, running) = (of.stopped(), of == Of::Running);
    let all = threads(wire, profile, query.thread.or(stopped)).await?;
    let everyone = query.all_threads || (query.thread.is_none() && running);
    let limit = profile.threads_at_most.filter(|most| all.len() >= *most as usize);
    let (start, first, wanted) = match everyone {
        true => (query.start, 0, stopped_first(all, stopped)),
        false => (0, query.start, vec![one(all, query.thread.or(stopped), limit)?]),
    };
    let of = wanted.len() as u32;
    let page = wanted.into_iter().skip(start as usize).take(THREADS);
    let range = first..first.saturating_add(query.count);
    let stacks = page.map(|thread| stack(wire, profile, thread, stopped, running, range.clone()));
    Ok(Stacks { threads: join_all(stacks).await, start, of, limit: limit.filter(|_| everyone) })
}

/// The thread that a caller means by its number or its name.
pub(crate) async fn named_by(
    wire: &Wire,
    profile: &Profile,
    of: Of,
    number: Option<ThreadId>,
    name: String,
) -> Result<ThreadId, Error> {
    let all = threads(wire, profile, number.or(of.stopped())).await?;
    let limit = profile.threads_at_most.filter(|most| all.len() >= *most as usize);
    match (number, all.iter().find(|thread| thread.name == name)) {
        (Some(_), _) => one(all, number, limit).map(|thread| thread.id),
        (None, Some(thread)) => Ok(thread.id),
        (None, None) => Err(Error::no_such_thread(name, &all)),
    }
}

/// All threads.
async fn threads(
    wire: &Wire,
    profile: &Profile,
    keep: Option<ThreadId>,
) -> Result<Vec<Thread>, Error> {
    let told = wire
        .call::<request::Threads>(NoArguments)
        .await
        .map_err(|error| Error::from_dap(&error, profile))?;
    Ok(named(wire, told.threads, keep).await)
}

fn stopped_first(threads: Vec<Thread>, stopped: Option<ThreadId>) -> Vec<Thread> {
    let (mut first, others): (Vec<_>, Vec<_>) =
        threads.into_iter().partition(|thread| Some(thread.id) == stopped);
    first.extend(others);
    first
}

/// The one that is asked for. An adapter that does not list all may know it all the same.
fn one(
    threads: Vec<Thread>,
    wanted: Option<ThreadId>,
    limit: Option<u32>,
) -> Result<Thread, Error> {
    let id = wanted.unwrap_or(ThreadId(0));
    match threads.iter().find(|thread| thread.id == id) {
        Some(thread) => Ok(thread.clone()),
        None if limit.is_some() => Ok(Thread { id, name: format!("thread {}", id.0) }),
        None => Err(Error::no_such_thread(id.0.to_string(), &threads)),
    }
}

async fn stack(
    wire: &Wire,
    profile: &Profile,
    thread: Thread,
    stopped: Option<ThreadId>,
    running: bool,
    wanted: Range<u32>,
) -> ThreadStack {
    let told = frames(wire, profile, thread.id, wanted, 1).await;
    let stopped = stopped == Some(thread.id);
    let (frames, total, more) = match told {
        Ok((frames, total, more)) => (Ok(frames), total, more),
        Err(error) => (Err(convert::words(&error, profile)), None, false),
    };
    let top = frames.as_ref().ok().and_then(|frames| frames.first()).filter(|_| !running);
    let waits = match top {
        Some(top) => waits(wire, profile, top).await,
        None => None,
    };
    ThreadStack { thread, stopped, running, waits, frames, total, more }
}

/// Why the thread with this frame on top waits, in its runtime's words.
pub(crate) async fn waits(wire: &Wire, profile: &Profile, top: &Frame) -> Option<String> {
    let waits =
        profile.waits.as_ref().filter(|waits| top.index == 0 && waits.function == top.name)?;
    let arguments = EvaluateArguments {
        expression: waits.reason.clone(),
        frame_id: Some(top.id),
        context: Some(profile.evaluate.value.clone()),
        format: None,
    };
    let told = wire.call::<request::Evaluate>(arguments).await.ok()?;
    Some(told.result.trim_matches('"').to_owned()).filter(|reason| !reason.is_empty())
}

/// Threads as the plugin names and orders them, without those it hides: `keep` is never hidden.
pub(crate) async fn named(
    wire: &Wire,
    told: Vec<types::Thread>,
    keep: Option<ThreadId>,
) -> Vec<Thread> {
    let mut threads: Vec<Thread> = told
        .into_iter()
        .map(|thread| {
            let name =
                if thread.name.is_empty() { format!("thread {}", thread.id) } else { thread.name };
            Thread { id: ThreadId(thread.id), name }
        })
        .collect();
    if wire.plugin().wants_present("threads") {
        let given: Vec<answer::Thread> = threads
            .iter()
            .map(|thread| answer::Thread { id: thread.id.0, name: thread.name.clone() })
            .collect();
        let turn = wire.turn().await;
        let views = wire.plugin().threads(&turn.view, &given).await;
        let views = turn.degrade(views, Vec::new());
        let mut ranked: Vec<(u8, bool, Thread)> = Vec::with_capacity(threads.len());
        let mut views = views.into_iter();
        for thread in threads {
            let view = views.next();
            let (rank, hidden) =
                view.as_ref().map_or((u8::MAX, false), |view| (view.rank, view.hidden));
            let name = view.map_or(thread.name, |view| view.label);
            ranked.push((rank, hidden && keep != Some(thread.id), Thread { id: thread.id, name }));
        }
        ranked.retain(|(_, hidden, _)| !hidden);
        ranked.sort_by_key(|(rank, ..)| *rank);
        threads = ranked.into_iter().map(|(.., thread)| thread).collect();
    }
    threads
}

/// The wanted frames, and whether there are more, as far as `beyond` tells: not every adapter
/// counts them. Some ignore where to start, and answer from the top.
async fn frames(
    wire: &Wire,
    profile: &Profile,
    thread: ThreadId,
    wanted: Range<u32>,
    beyond: u32,
) -> Result<Told, crate::dap::Error> {
    let levels = wanted.len() as u32 + beyond;
    let arguments = StackTraceArguments {
        thread_id: thread.0,
        start_frame: Some(i64::from(wanted.start)),
        levels: Some(i64::from(levels)),
        format: None,
    };
    let told = wire.stack(arguments).await?;
    let skip = if told.stack_frames.len() > levels as usize { wanted.start as usize } else { 0 };
    let more = told.stack_frames.len().saturating_sub(skip) > wanted.len();
    let frames = told.stack_frames.iter().skip(skip).zip(wanted);
    let total = told.total_frames.and_then(|n| u32::try_from(n).ok());
    Ok((frames.map(|(frame, index)| convert::frame(index, frame, profile)).collect(), total, more))
}
