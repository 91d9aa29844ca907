//! Stacks that a caller asks for: of other threads, and frames below those that a stop has read.

use std::ops::Range;

use futures_util::future::join_all;

use crate::dap::arguments::StackTraceArguments;
use crate::dap::responses::StackTraceResponse;
use crate::dap::{self, request};
use crate::model::{Frame, StackQuery, Stacks, Thread, ThreadId, ThreadStack};
use crate::session::Error;
use crate::session::adapter::wire::Wire;
use crate::session::stop::{frames, threads};
use crate::session::values;

/// How many threads one call reads: each costs a request or two.
const THREADS: usize = 200;

/// How many frames are read to find the first of the user's.
const SEARCHED: u32 = 64;

/// How many frames are read to count them.
const COUNTED: u32 = 1_000;

/// Whose stacks are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// A stopped debuggee's; with the thread that stopped.
    Stopped(Option<ThreadId>),
    /// A running debuggee's.
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

/// Answers a stack query. A running debuggee has no current thread: without a thread in the query
/// all are read.
pub(crate) async fn read(wire: &Wire, of: Of, query: StackQuery) -> Result<Stacks, Error> {
    let (stopped, running) = (of.stopped(), of == Of::Running);
    let all = threads::all(wire, query.thread.or(stopped)).await?;
    let reads_all = query.all_threads || (query.thread.is_none() && running);
    let limit = wire.quirks().listing_limit(all.len());
    // `start` counts threads if all are read, else frames.
    let (start, first_frame, threads) = if reads_all {
        (query.start, 0, stopped_first(all, stopped))
    } else {
        let thread = threads::by_number(all, query.thread.or(stopped), limit)?;
        (0, query.start, vec![thread])
    };
    let of = threads.len() as u32;
    let page = threads.into_iter().skip(start as usize).take(THREADS);
    let range = first_frame..first_frame.saturating_add(query.count);
    let stacks = page.map(|thread| thread_stack(wire, thread, stopped, running, range.clone()));
    Ok(Stacks { threads: join_all(stacks).await, start, of, limit: limit.filter(|_| reads_all) })
}

fn stopped_first(threads: Vec<Thread>, stopped: Option<ThreadId>) -> Vec<Thread> {
    let (mut first, others): (Vec<_>, Vec<_>) =
        threads.into_iter().partition(|thread| Some(thread.id) == stopped);
    first.extend(others);
    first
}

async fn thread_stack(
    wire: &Wire,
    thread: Thread,
    stopped: Option<ThreadId>,
    running: bool,
    range: Range<u32>,
) -> ThreadStack {
    let (frames, total, more, stated) = match frame_page(wire, thread.id, range, 1).await {
        Ok(page) => (Ok(page.frames), page.total, page.more, page.waits),
        Err(error) => (Err(wire.quirks().message(&error)), None, false, None),
    };
    let top = frames.as_ref().ok().and_then(|frames| frames.first());
    let waits = match top {
        Some(top) if stated.is_none() && !running => waits(wire, top).await,
        _ => stated,
    };
    let stopped = stopped == Some(thread.id);
    ThreadStack { thread, stopped, running, waits, frames, total, more }
}

/// Why the thread with this frame on top waits, in the words of its runtime.
pub(crate) async fn waits(wire: &Wire, top: &Frame) -> Option<String> {
    let reason = wire.quirks().wait_reason(top)?;
    let answer = wire.call::<request::Evaluate>(reason).await.ok()?;
    Some(answer.result.trim_matches('"').to_owned()).filter(|reason| !reason.is_empty())
}

/// The frame at an index of the stopped thread; `focused` if no index is given.
pub(crate) async fn frame_at(
    wire: &Wire,
    thread: Option<ThreadId>,
    focused: Option<Frame>,
    index: Option<u32>,
) -> Result<Option<Frame>, Error> {
    let (None, Some(index)) = (&focused, index) else { return Ok(focused) };
    let thread = thread.unwrap_or(ThreadId(0));
    let page =
        frame_page(wire, thread, index..index + 1, 0).await.map_err(|error| wire.error(&error))?;
    if let Some(found) = page.frames.into_iter().find(|frame| frame.index == index) {
        return Ok(Some(found));
    }
    let count = depth(wire, thread, index).await.map_err(|error| wire.error(&error))?;
    Err(Error::Values(values::Error::NoSuchFrame { index, count: count.or(page.total) }))
}

/// How many frames a stack has that ends above `below`; none if it is deeper than [`COUNTED`].
/// `totalFrames` is optional, and may be more than there are (DAP, StackTraceResponse).
async fn depth(wire: &Wire, thread: ThreadId, below: u32) -> Result<Option<u32>, dap::Error> {
    let page = frame_page(wire, thread, 0..below.min(COUNTED), 0).await?;
    let count = page.frames.len() as u32;
    Ok(Some(count).filter(|count| *count < COUNTED))
}

/// The frame at an index of another thread; without an index the first of the user's, as at a
/// stop.
pub(crate) async fn thread_frame(
    wire: &Wire,
    thread: ThreadId,
    index: Option<u32>,
) -> Result<Option<Frame>, Error> {
    if index.is_some() {
        return frame_at(wire, Some(thread), None, index).await;
    }
    let page =
        frame_page(wire, thread, 0..SEARCHED, 0).await.map_err(|error| wire.error(&error))?;
    let own = page.frames.iter().find(|frame| frame.is_user());
    Ok(own.or(page.frames.first()).cloned())
}

/// The frames of a query as the adapter has them. Some adapters ignore `startFrame` and answer from
/// the top; `top`: the id of the thread's frame 0, if it is known.
pub(crate) async fn raw_page(
    wire: &Wire,
    query: StackTraceArguments,
    top: Option<i64>,
) -> Result<StackTraceResponse, dap::Error> {
    let number = |number: Option<i64>| usize::try_from(number.unwrap_or(0)).unwrap_or(0);
    let (start, levels) = (number(query.start_frame), number(query.levels));
    let mut answer = wire.stack(query.clone()).await?;
    let count = answer.stack_frames.len();
    let first = answer.stack_frames.first().map(|frame| frame.id);
    let total = number(answer.total_frames);
    let is_too_long = levels > 0 && count > levels;
    let passes_the_end = total > 0 && start + count > total;
    let has_frame_0 = start > 0 && first.is_some() && first == top;
    if !is_too_long && !passes_the_end && !has_frame_0 {
        return Ok(answer);
    }
    // It may heed `levels`: then the page ends too early.
    if start > 0 && count == levels {
        let levels = query.levels.map(|levels| levels.saturating_add(start as i64));
        let whole = StackTraceArguments { start_frame: Some(0), levels, ..query };
        answer = wire.stack(whole).await?;
    }
    let page = answer.stack_frames.into_iter().skip(start);
    answer.stack_frames = page.take(if levels > 0 { levels } else { usize::MAX }).collect();
    Ok(answer)
}

/// A part of a stack.
#[derive(Default)]
pub(super) struct FramePage {
    pub(super) frames: Vec<Frame>,
    /// How many frames there are in all, if the adapter counts them.
    pub(super) total: Option<u32>,
    /// There are frames below this page.
    pub(super) more: bool,
    /// Why the thread waits, if the adapter says so.
    pub(super) waits: Option<String>,
}

/// The frames in a range. `beyond`: how many more to request to find out whether there are any, as
/// not every adapter counts them.
pub(super) async fn frame_page(
    wire: &Wire,
    thread: ThreadId,
    range: Range<u32>,
    beyond: u32,
) -> Result<FramePage, dap::Error> {
    let levels = range.len() as u32 + beyond;
    let arguments = StackTraceArguments {
        thread_id: thread.0,
        start_frame: Some(i64::from(range.start)),
        levels: Some(i64::from(levels)),
        format: None,
    };
    let answer = raw_page(wire, arguments, None).await?;
    let more = answer.stack_frames.len() > range.len();
    let waits = answer.waits.filter(|why| !why.is_empty());
    let page: Vec<_> = answer.stack_frames.into_iter().take(range.len()).collect();
    let frames = frames::read(wire, &page, range.start).await;
    let total = answer.total_frames.and_then(|n| u32::try_from(n).ok());
    Ok(FramePage { frames, total, more, waits })
}
