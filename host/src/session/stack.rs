//! Threads and frames beyond those that a stop brings.

use std::ops::Range;

use dapdock_schema::Profile;
use futures_util::future::join_all;

use super::wire::Wire;
use super::{Error, read};
use crate::dap::arguments::StackTraceArguments;
use crate::dap::{request, types};
use crate::model::{Frame, StackQuery, Thread, ThreadId, ThreadStack, answer};

/// Threads whose stacks are read by one call.
const THREADS: usize = 200;

/// Frames, and how many there are in all.
type Told = (Vec<Frame>, Option<u32>, bool);

/// The frame at hand, or the one at an index further down.
pub(super) async fn frame_at(
    wire: &Wire,
    profile: &Profile,
    thread: Option<ThreadId>,
    frame: Option<Frame>,
    deeper: Option<u32>,
) -> Result<Option<Frame>, Error> {
    let (None, Some(index)) = (&frame, deeper) else { return Ok(frame) };
    let thread = thread.unwrap_or(ThreadId(0));
    let (frames, total, _) =
        frames(wire, profile, thread, index..index + 1, 0).await.map_err(|error| Error::from_dap(&error, profile))?;
    let found = frames.into_iter().find(|frame| frame.index == index);
    found.map(Some).ok_or(Error::NoSuchFrame { index, count: total.unwrap_or(index) })
}

/// Whose stacks are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// A debuggee that stands, for this thread.
    Stopped(Option<ThreadId>),
    Running,
}

/// Answers a stack query. Of a debuggee that runs no thread is at hand: all are told, unless one is named.
pub(super) async fn read(wire: &Wire, profile: &Profile, of: Of, query: StackQuery) -> Result<Vec<ThreadStack>, Error> {
    let (stopped, running) = match of {
        Of::Stopped(thread) => (thread, false),
        Of::Running => (None, true),
    };
    let told = wire.call::<request::Threads>(()).await.map_err(|error| Error::from_dap(&error, profile))?;
    let mut threads = named(wire, told.threads, query.thread.or(stopped)).await;
    if !query.all_threads && (query.thread.is_some() || !running) {
        let wanted = query.thread.or(stopped).unwrap_or(ThreadId(0));
        let known: Vec<String> = threads.iter().map(|thread| format!("{} {}", thread.id.0, thread.name)).collect();
        threads.retain(|thread| thread.id == wanted);
        if threads.is_empty() {
            return Err(Error::NoSuchThread { asked: wanted.0.to_string(), known });
        }
    }
    threads.truncate(THREADS);
    let stacks = threads
        .iter()
        .map(|thread| frames(wire, profile, thread.id, query.start..query.start.saturating_add(query.count), 1));
    let stacks = join_all(stacks).await;
    let stack = |(thread, told): (Thread, Result<Told, crate::dap::Error>)| {
        let stopped = stopped == Some(thread.id);
        match told {
            Ok((frames, total, more)) => ThreadStack { thread, stopped, running, frames: Ok(frames), total, more },
            Err(error) => {
                let frames = Err(read::words(&error, profile));
                ThreadStack { thread, stopped, running, frames, total: None, more: false }
            }
        }
    };
    Ok(threads.into_iter().zip(stacks).map(stack).collect())
}

/// Threads as the plugin names and orders them, without those it hides: `keep` is never hidden.
pub(super) async fn named(wire: &Wire, told: Vec<types::Thread>, keep: Option<ThreadId>) -> Vec<Thread> {
    let mut threads: Vec<Thread> = told
        .into_iter()
        .map(|thread| {
            let name = if thread.name.is_empty() { format!("thread {}", thread.id) } else { thread.name };
            Thread { id: ThreadId(thread.id), name }
        })
        .collect();
    if wire.plugin().wants_present("threads") {
        let given: Vec<answer::Thread> =
            threads.iter().map(|thread| answer::Thread { id: thread.id.0, name: thread.name.clone() }).collect();
        let turn = wire.turn().await;
        let views = wire.plugin().threads(&turn.view, &given).await;
        let views = turn.degrade(views, Vec::new());
        let mut ranked: Vec<(u8, bool, Thread)> = Vec::with_capacity(threads.len());
        let mut views = views.into_iter();
        for thread in threads {
            let view = views.next();
            let (rank, hidden) = view.as_ref().map_or((u8::MAX, false), |view| (view.rank, view.hidden));
            let name = view.map_or(thread.name, |view| view.label);
            ranked.push((rank, hidden && keep != Some(thread.id), Thread { id: thread.id, name }));
        }
        ranked.retain(|(_, hidden, _)| !hidden);
        ranked.sort_by_key(|(rank, ..)| *rank);
        threads = ranked.into_iter().map(|(.., thread)| thread).collect();
    }
    threads
}

/// The wanted frames, and whether there are more, as far as `beyond` tells: not every adapter counts them. Some ignore
/// where to start, and answer from the top.
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
    let told = wire.call::<request::StackTrace>(arguments).await?;
    let skip = if told.stack_frames.len() > levels as usize { wanted.start as usize } else { 0 };
    let more = told.stack_frames.len().saturating_sub(skip) > wanted.len();
    let frames = told.stack_frames.iter().skip(skip).zip(wanted);
    let total = told.total_frames.and_then(|n| u32::try_from(n).ok());
    Ok((frames.map(|(frame, index)| read::frame(index, frame, profile)).collect(), total, more))
}
