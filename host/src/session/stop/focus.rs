//! Which thread and which frames a stop shows: where the user's code stands.
//!
//! Knows threads and their stacks. Refuses to know what a stop means.

use dapdock_schema::Profile;

use crate::dap::arguments::StackTraceArguments;
use crate::dap::event::Stopped;
use crate::dap::responses::StackTraceResponse;
use crate::dap::types as wire;
use crate::model::{Frame, Thread, ThreadId, answer};
use crate::session::adapter::wire::Wire;
use crate::session::values::convert;

/// Frames read at a stop.
pub(crate) const FRAMES: i64 = 20;

/// How many more are read for where an exception comes from.
const FAR: i64 = 60;

/// How many other threads are looked at, where a pause stands in none of the user's code.
const OTHERS: usize = 16;

/// A thread and how it stands.
pub(crate) struct Shown {
    pub(crate) thread: Thread,
    pub(crate) stack: StackTraceResponse,
    pub(crate) frames: Vec<Frame>,
}

impl Shown {
    pub(crate) async fn of(
        wire: &Wire,
        profile: &Profile,
        thread: Thread,
        stack: StackTraceResponse,
    ) -> Self {
        let frames = frames(wire, profile, &stack.stack_frames).await;
        Self { thread, stack, frames }
    }

    /// Is one of its frames the user's, and stands?
    pub(crate) fn stands_users(&self) -> bool {
        self.frames[..standing(&self.stack.stack_frames)].iter().any(Frame::is_user)
    }

    /// Where an exception comes from, if in none of the user's code that stands: of frames that are
    /// farther, too.
    pub(crate) async fn origin(&mut self, wire: &Wire, profile: &Profile) -> Option<usize> {
        if self.stands_users() {
            return None;
        }
        if let Some(far) = far(wire, self.thread.id, &self.stack).await {
            self.stack.stack_frames.extend(far);
            self.frames = frames(wire, profile, &self.stack.stack_frames).await;
        }
        self.frames.iter().position(Frame::is_user).filter(|_| !self.stands_users())
    }
}

/// The first thread beside the one shown that stands in the user's code. It is looked for no longer
/// than one request may take.
pub(crate) async fn elsewhere(
    wire: &Wire,
    profile: &Profile,
    stop: &Stopped,
    shown: &Shown,
    threads: &[Thread],
) -> Option<Shown> {
    let others = stand_with(threads, stop, shown.thread.id);
    tokio::time::timeout(wire.limit(), first_users(wire, profile, others)).await.ok().flatten()
}

/// Those of the threads that stand, too.
fn stand_with<'a>(
    threads: &'a [Thread],
    stop: &Stopped,
    one: ThreadId,
) -> impl Iterator<Item = &'a Thread> {
    let all = stop.all_threads_stopped != Some(false);
    let listed = stop.together.clone();
    let stands =
        move |thread: &Thread| all && listed.as_ref().is_none_or(|ids| ids.contains(&thread.id.0));
    threads.iter().filter(move |thread| thread.id != one && stands(thread))
}

/// The first of the threads that stands in the user's code.
async fn first_users(
    wire: &Wire,
    profile: &Profile,
    threads: impl Iterator<Item = &Thread>,
) -> Option<Shown> {
    for thread in threads.take(OTHERS) {
        let arguments = StackTraceArguments {
            thread_id: thread.id.0,
            levels: Some(FRAMES),
            ..Default::default()
        };
        let Ok(stack) = wire.stack(arguments).await else { continue };
        let shown = Shown::of(wire, profile, thread.clone(), stack).await;
        if shown.stands_users() {
            return Some(shown);
        }
    }
    None
}

/// The frames behind those that were read.
async fn far(
    wire: &Wire,
    thread: ThreadId,
    read: &StackTraceResponse,
) -> Option<Vec<wire::StackFrame>> {
    let count = i64::try_from(read.stack_frames.len()).ok()?;
    if count < FRAMES || read.total_frames.is_some_and(|total| total <= count) {
        return None;
    }
    let arguments = StackTraceArguments {
        thread_id: thread.0,
        start_frame: Some(count),
        levels: Some(FAR),
        ..Default::default()
    };
    Some(wire.stack(arguments).await.ok()?.stack_frames)
}

async fn frames(wire: &Wire, profile: &Profile, told: &[wire::StackFrame]) -> Vec<Frame> {
    let mut frames: Vec<Frame> =
        told.iter().zip(0..).map(|(frame, index)| convert::frame(index, frame, profile)).collect();
    if wire.plugin().wants_present("frames") {
        let turn = wire.turn().await;
        let views = wire.plugin().frames(&turn.view, &convert::frames_for_plugin(told)).await;
        for (frame, view) in frames.iter_mut().zip(turn.degrade(views, Vec::new())) {
            frame.kind = match view.kind {
                answer::FrameKind::User => crate::model::FrameKind::User,
                answer::FrameKind::Unknown => frame.kind,
                _ => crate::model::FrameKind::Library,
            };
            frame.name = view.name.unwrap_or_else(|| frame.name.clone());
        }
    }
    frames
}

/// How many frames stand on the stack. Behind a separator (DAP's `label`) come those that only
/// brought it about, whose calls are over.
pub(crate) fn standing(told: &[wire::StackFrame]) -> usize {
    told.iter()
        .position(|frame| frame.presentation_hint.as_deref() == Some("label"))
        .unwrap_or(told.len())
}

/// The innermost frame of the user's, else the top.
pub(crate) fn focus(frames: &[Frame], skip: usize) -> usize {
    let user = |frame: &&Frame| frame.is_user() && frame.index as usize >= skip;
    frames.iter().find(user).map_or(0, |frame| frame.index as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_threads_stand_where_nobody_says_that_they_run() {
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
            let found: Vec<i64> =
                stand_with(&threads, &stop, ThreadId(2)).map(|thread| thread.id.0).collect();
            assert_eq!(found, expect, "{all:?} {together:?}");
        }
    }

    #[test]
    fn behind_a_separator_no_frame_stands() {
        let frame = |hint: Option<&str>| wire::StackFrame {
            presentation_hint: hint.map(str::to_owned),
            ..wire::StackFrame::default()
        };
        assert_eq!(
            standing(&[frame(None), frame(Some("subtle")), frame(Some("label")), frame(None)]),
            2
        );
        assert_eq!(standing(&[frame(None), frame(Some("normal"))]), 2);
    }
}
