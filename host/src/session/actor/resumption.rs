//! The requests that resume the debuggee, and what follows a stop that callers do not see.
//!
//! A log breakpoint inside a function that is stepped over stops the debuggee there, and a plain
//! `continue` would lose the step. The host steps out to the frame where the step began and
//! finishes it there. Knows nothing of the actor's state.

use crate::dap::arguments::{
    ContinueArguments, StackTraceArguments, StepArguments, StepInArguments,
};
use crate::dap::{self, request};
use crate::model::{Granularity, Resume, Step, StepKind, Stop, ThreadId};
use crate::session::adapter::wire::Wire;
use crate::session::stop::focus::FRAMES;
use crate::session::stop::snapshot::Reading;

/// A step of the caller under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stepping {
    step: Step,
    /// The thread that steps.
    thread: ThreadId,
    /// Depth and line of the frame in which the step began. `None`: the step is of another thread
    /// than the one that stopped, whose stack was not read.
    begun: Option<(u32, u32)>,
    /// Line of the frame to which a step out returns.
    caller: Option<u32>,
}

/// What follows a hidden stop, or a stop with hits of log breakpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Resumption {
    /// The step ends here anyway: publish it as the end of the step.
    StepFinished,
    /// Other breakpoints were hit too: publish the stop.
    Publish,
    /// Another stop is current: no move.
    Nothing,
    /// Callers do not see the stop: resume.
    Resume(Resume),
}

impl Stepping {
    /// `None`: a run, not a step.
    pub(super) fn begin(how: &Resume, stop: &Stop, thread: ThreadId) -> Option<Self> {
        let Resume::Step(step) = how else { return None };
        let depth = stop.total_frames.unwrap_or(stop.frames.len() as u32);
        let line = stop.frames.first().map_or(0, |frame| frame.line);
        let begun = (stop.thread.id == thread).then_some((depth, line));
        let caller = begun.and_then(|_| stop.frames.get(1)).map(|frame| frame.line);
        Some(Self { step: *step, thread, begun, caller })
    }

    /// A step in the frame at this depth, which is on this line.
    pub(super) fn at(step: Step, thread: ThreadId, depth: u32, line: u32) -> Self {
        Self { step, thread, begun: Some((depth, line)), caller: None }
    }

    /// Whether the step has ended at the first instruction of this line, where breakpoints are. A
    /// step out ends after the call, in the middle of the caller's line; on another line only if
    /// the call was the last code of its own.
    pub(super) fn ends_at_line(self, line: u32) -> bool {
        let is_first = match self.step.kind {
            StepKind::Over | StepKind::In => true,
            StepKind::Out => self.caller.is_some_and(|caller| caller != line),
            StepKind::Back | StepKind::Into(_) => false,
        };
        self.step.granularity == Granularity::Line && is_first
    }

    /// Whether the step may end at this depth. A step over or out that stops in a function that it
    /// passes has not ended.
    fn may_end_at(self, depth: u32) -> bool {
        self.begun.is_some_and(|(begun, _)| match self.step.kind {
            StepKind::Out => depth < begun,
            StepKind::In | StepKind::Into(_) => true,
            StepKind::Over | StepKind::Back => depth <= begun,
        })
    }

    /// Whether a stop for a breakpoint, of which none is there, is the end of the step.
    pub(super) fn ends_at(self, reading: &Reading) -> bool {
        reading.thread.id == self.thread
            && depth_of(reading).is_some_and(|depth| self.may_end_at(depth))
    }

    /// Whether the step has ended in a function that it called.
    pub(super) fn has_entered(self, reading: &Reading) -> bool {
        let is_in = matches!(self.step.kind, StepKind::In | StepKind::Into(_));
        let is_deeper = self.begun.zip(depth_of(reading)).is_some_and(|(begun, now)| now > begun.0);
        is_in && reading.thread.id == self.thread && is_deeper
    }

    pub(super) fn by_instruction(self) -> bool {
        self.step.granularity == Granularity::Instruction
    }

    /// What finishes the step from a hidden stop at this depth and line. Where the step began at an
    /// unknown depth it ends here: a run would lose it.
    fn finish_from(self, depth: u32, line: u32) -> Resumption {
        let Some(begun) = self.begun else { return Resumption::StepFinished };
        let out = Resumption::Resume(Resume::Step(Step {
            kind: StepKind::Out,
            granularity: Granularity::Line,
        }));
        match self.step.kind {
            StepKind::Over if depth > begun.0 => out,
            StepKind::Over if (depth, line) == begun => Resumption::Resume(Resume::Step(self.step)),
            StepKind::Out if depth >= begun.0 => out,
            _ => Resumption::StepFinished,
        }
    }
}

/// How many frames the thread of a stop has, if they were counted or are all read.
fn depth_of(reading: &Reading) -> Option<u32> {
    let read = reading.frames.len() as u32;
    reading.total_frames.or((i64::from(read) < FRAMES).then_some(read))
}

/// What follows a stop of this thread that callers do not see.
pub(super) async fn after_hidden_stop(
    wire: &Wire,
    thread: Option<ThreadId>,
    stepping: Option<Stepping>,
) -> Resumption {
    if let Some(stepping) = stepping
        && thread.is_none_or(|thread| thread == stepping.thread)
        && let Some((depth, line)) = depth_and_line(wire, stepping.thread).await
    {
        return stepping.finish_from(depth, line);
    }
    Resumption::Resume(Resume::Continue)
}

/// How many frames a thread has; `None`: the adapter does not answer.
pub(super) async fn depth(wire: &Wire, thread: ThreadId) -> Option<u32> {
    depth_and_line(wire, thread).await.map(|(depth, _)| depth)
}

/// The depth of the whole stack, and the line of its innermost frame.
async fn depth_and_line(wire: &Wire, thread: ThreadId) -> Option<(u32, u32)> {
    let arguments = StackTraceArguments { thread_id: thread.0, ..Default::default() };
    let stack = wire.stack(arguments).await.ok()?;
    let depth = stack.total_frames.unwrap_or(0).max(stack.stack_frames.len() as i64);
    let line = stack.stack_frames.first().map_or(0, |frame| frame.line);
    Some((depth as u32, line as u32))
}

/// The threads that a move resumes (DAP, `singleThread`). A step is always of one thread, and
/// adapters let the others run meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResumedThreads {
    One,
    All,
}

/// Sends the request of a move.
pub(super) async fn send(
    wire: &Wire,
    how: &Resume,
    thread: ThreadId,
    threads: ResumedThreads,
) -> Result<(), dap::Error> {
    let thread_id = thread.0;
    let single_thread = (threads == ResumedThreads::One).then_some(true);
    let step = match how {
        Resume::Step(step) => *step,
        Resume::Continue | Resume::Until(_) | Resume::Into(_) => {
            let arguments = ContinueArguments { thread_id, single_thread };
            return wire.call::<request::Continue>(arguments).await.map(drop);
        }
        Resume::Reverse => {
            let arguments = ContinueArguments { thread_id, single_thread };
            return wire.call::<request::ReverseContinue>(arguments).await.map(drop);
        }
    };
    let Step { kind, granularity } = step;
    let granularity = match granularity {
        Granularity::Line => None,
        Granularity::Statement => Some("statement".to_owned()),
        Granularity::Instruction => Some("instruction".to_owned()),
    };
    let granularity = granularity.filter(|_| wire.client().capabilities().stepping_granularity());
    let arguments =
        StepArguments { thread_id, single_thread: None, granularity: granularity.clone() };
    match kind {
        StepKind::Over => wire.call::<request::Next>(arguments).await.map(drop),
        StepKind::Out => wire.call::<request::StepOut>(arguments).await.map(drop),
        StepKind::Back => wire.call::<request::StepBack>(arguments).await.map(drop),
        StepKind::In | StepKind::Into(_) => {
            let target_id = if let StepKind::Into(target) = kind { Some(target) } else { None };
            let arguments =
                StepInArguments { thread_id, granularity, target_id, single_thread: None };
            wire.call::<request::StepIn>(arguments).await.map(drop)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupted_step_finishes_in_its_own_frame() {
        let step = |kind| Step { kind, granularity: Granularity::Line };
        let moved = |kind| Resumption::Resume(Resume::Step(step(kind)));
        let stepping = |kind| Stepping::at(step(kind), ThreadId(1), 3, 10);
        for (kind, depth, line, want) in [
            (StepKind::Over, 5, 40, moved(StepKind::Out)),
            (StepKind::Over, 3, 10, moved(StepKind::Over)),
            (StepKind::Over, 3, 11, Resumption::StepFinished),
            (StepKind::Over, 2, 7, Resumption::StepFinished),
            (StepKind::In, 4, 40, Resumption::StepFinished),
            (StepKind::Out, 3, 12, moved(StepKind::Out)),
            (StepKind::Out, 2, 7, Resumption::StepFinished),
        ] {
            assert_eq!(
                stepping(kind).finish_from(depth, line),
                want,
                "{kind:?} at depth {depth}, line {line}"
            );
        }
        let of_other_thread = Stepping { begun: None, ..stepping(StepKind::Over) };
        assert_eq!(of_other_thread.finish_from(5, 40), Resumption::StepFinished);
    }

    #[test]
    fn step_out_ends_at_a_line_that_is_not_that_of_the_call() {
        let ends = |kind, granularity, caller, line| {
            let step = Step { kind, granularity };
            Stepping { caller, ..Stepping::at(step, ThreadId(1), 3, 10) }.ends_at_line(line)
        };
        for (kind, caller, line, want) in [
            (StepKind::Over, None, 10, true),
            (StepKind::Out, Some(13), 13, false),
            (StepKind::Out, Some(13), 14, true),
            (StepKind::Out, None, 14, false),
            (StepKind::Back, Some(13), 14, false),
        ] {
            assert_eq!(ends(kind, Granularity::Line, caller, line), want, "{kind:?} {caller:?}");
        }
        assert!(!ends(StepKind::Out, Granularity::Instruction, Some(13), 14));
    }
}
