//! Which thread and which frame a stop displays: the innermost frame of the user's code, or the one
//! of a library where the caller has set a breakpoint.
//!
//! Knows threads and their stacks. Refuses to know what a stop means.

use std::path::Path;

use crate::dap::arguments::StackTraceArguments;
use crate::dap::event::Stopped;
use crate::dap::responses::StackTraceResponse;
use crate::dap::types;
use crate::model::{Frame, StopClass, Thread, ThreadId};
use crate::session::adapter::quirks::live_frames;
use crate::session::adapter::wire::Wire;
use crate::session::stop::event::StopEvent;
use crate::session::stop::frames;

/// Frames read at a stop.
pub(crate) const FRAMES: i64 = 20;

/// How many more are read to find where an exception was raised.
const MORE_FRAMES: i64 = 60;

/// How many other threads are read if a paused thread is not in the user's code.
const OTHER_THREADS: usize = 16;

/// A stopped thread with its stack.
pub(crate) struct StoppedThread {
    pub(crate) thread: Thread,
    /// As the adapter sent it.
    pub(crate) stack: StackTraceResponse,
    /// The same frames as callers read them.
    pub(crate) frames: Vec<Frame>,
}

impl StoppedThread {
    pub(crate) async fn new(wire: &Wire, thread: Thread, stack: StackTraceResponse) -> Self {
        let frames = frames::read(wire, &stack.stack_frames, 0).await;
        Self { thread, stack, frames }
    }

    /// Is a live frame the user's?
    pub(crate) fn is_in_user_code(&self) -> bool {
        self.frames[..live_frames(&self.stack.stack_frames)].iter().any(Frame::is_user)
    }

    /// Index of the user's frame that an exception comes from, if no live frame is the user's.
    /// Reads more of the stack if it has to.
    pub(crate) async fn exception_origin(&mut self, wire: &Wire) -> Option<usize> {
        if self.is_in_user_code() {
            return None;
        }
        if let Some(deeper) = deeper_frames(wire, self.thread.id, &self.stack).await {
            self.stack.stack_frames.extend(deeper);
            self.frames = frames::read(wire, &self.stack.stack_frames, 0).await;
        }
        self.frames.iter().position(Frame::is_user).filter(|_| !self.is_in_user_code())
    }
}

/// The first other thread that is in the user's code. The search takes no longer than one request
/// may.
pub(crate) async fn other_thread_in_user_code(
    wire: &Wire,
    stop: &Stopped,
    paused: &StoppedThread,
    threads: &[Thread],
) -> Option<StoppedThread> {
    let others = other_stopped(threads, stop, paused.thread.id);
    tokio::time::timeout(wire.limit(), first_in_user_code(wire, others)).await.ok()?
}

/// The threads that stopped together with this one (DAP, `allThreadsStopped`; some adapters list
/// them).
fn other_stopped<'a>(threads: &'a [Thread], stop: &Stopped, one: ThreadId) -> Vec<&'a Thread> {
    let mut others = Vec::new();
    if stop.all_threads_stopped == Some(false) {
        return others;
    }
    for thread in threads {
        let is_listed = stop.together.as_ref().is_none_or(|ids| ids.contains(&thread.id.0));
        if thread.id != one && is_listed {
            others.push(thread);
        }
    }
    others
}

async fn first_in_user_code(wire: &Wire, threads: Vec<&Thread>) -> Option<StoppedThread> {
    for thread in threads.into_iter().take(OTHER_THREADS) {
        let arguments = StackTraceArguments {
            thread_id: thread.id.0,
            levels: Some(FRAMES),
            ..Default::default()
        };
        let Ok(stack) = wire.stack(arguments).await else { continue };
        let stopped = StoppedThread::new(wire, thread.clone(), stack).await;
        if stopped.is_in_user_code() {
            return Some(stopped);
        }
    }
    None
}

/// The frames below those that were read.
async fn deeper_frames(
    wire: &Wire,
    thread: ThreadId,
    read: &StackTraceResponse,
) -> Option<Vec<types::StackFrame>> {
    let count = i64::try_from(read.stack_frames.len()).ok()?;
    if count < FRAMES || read.total_frames.is_some_and(|total| total <= count) {
        return None;
    }
    let arguments = StackTraceArguments {
        thread_id: thread.0,
        start_frame: Some(count),
        levels: Some(MORE_FRAMES),
        ..Default::default()
    };
    Some(wire.stack(arguments).await.ok()?.stack_frames)
}

/// Whether the top frame is displayed, though it may be a library's: the caller has set a
/// breakpoint at its line, or steps from one.
pub(crate) fn is_top_chosen(event: &StopEvent, class: StopClass, top: Option<&Frame>) -> bool {
    match (class, top) {
        (StopClass::Breakpoint, Some(Frame { path: Some(path), line, .. })) => {
            event.lines.iter().any(|(file, number)| number == line && is_same(file, path))
        }
        (StopClass::Step, _) => event.in_library,
        _ => false,
    }
}

/// Whether both are the same file; the first may be named by a link.
fn is_same(file: &Path, path: &Path) -> bool {
    file == path || file.canonicalize().is_ok_and(|real| real == path)
}

/// Index of the user's innermost frame from `skip` on, else of the top frame.
pub(crate) fn focus(frames: &[Frame], skip: usize) -> usize {
    let own = frames.iter().find(|frame| frame.is_user() && frame.index as usize >= skip);
    own.map_or(0, |frame| frame.index as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_threads_are_stopped_unless_the_event_says_otherwise() {
        let threads: Vec<Thread> =
            (1..=3).map(|id| Thread { id: ThreadId(id), name: String::new() }).collect();
        for (all, together, expect) in [
            (None, None, &[1, 3][..]),
            (Some(true), None, &[1, 3]),
            (Some(false), None, &[]),
            (Some(true), Some(vec![2, 3]), &[3]),
            (None, Some(vec![2]), &[]),
        ] {
            let stop = Stopped {
                all_threads_stopped: all,
                together: together.clone(),
                ..Stopped::default()
            };
            let found: Vec<i64> = other_stopped(&threads, &stop, ThreadId(2))
                .iter()
                .map(|thread| thread.id.0)
                .collect();
            assert_eq!(found, expect, "{all:?} {together:?}");
        }
    }
}
