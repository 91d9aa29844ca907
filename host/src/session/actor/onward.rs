//! Moving, and finishing a move that a stop the caller does not see interrupted.
//!
//! A log breakpoint inside a function that is stepped over stops the debuggee there;
//! a plain `continue` would lose the step. So the host walks out to where the step
//! began and finishes it.

use crate::dap::arguments::{
    ContinueArguments, StackTraceArguments, StepArguments, StepInArguments,
};
use crate::dap::{self, request};
use crate::model::{Granularity, Resume, Step, StepKind, Stop, ThreadId};
use crate::session::adapter::wire::Wire;

/// A step under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stepping {
    step: Step,
    thread: ThreadId,
    depth: u32,
    line: u32,
}

/// How to go on from an unseen stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Onward {
    /// The step ends here anyway.
    Arrived,
    /// There is more to the stop than the caller does not see.
    Stay,
    /// Another stop is told: nothing moves.
    Rest,
    Move(Resume),
}

impl Stepping {
    /// None: a run, not a step.
    pub(super) fn begin(how: &Resume, stop: &Stop) -> Option<Self> {
        let Resume::Step(step) = how else { return None };
        let depth = stop.total_frames.unwrap_or(stop.frames.len() as u32);
        let line = stop.frames.first().map_or(0, |frame| frame.line);
        Some(Self { step: *step, thread: stop.thread.id, depth, line })
    }

    /// Of a frame at this depth, which stands on this line.
    pub(super) fn of(step: Step, thread: ThreadId, depth: u32, line: u32) -> Self {
        Self { step, thread, depth, line }
    }

    /// Is it a step of the machine's?
    pub(super) fn by_instruction(self) -> bool {
        self.step.granularity == Granularity::Instruction
    }

    /// Where the debuggee stands decides.
    fn after(self, depth: u32, line: u32) -> Onward {
        let out = Onward::Move(Resume::Step(Step {
            kind: StepKind::Out,
            granularity: Granularity::Line,
        }));
        match self.step.kind {
            StepKind::Over if depth > self.depth => out,
            StepKind::Over if depth == self.depth && line == self.line => {
                Onward::Move(Resume::Step(self.step))
            }
            StepKind::Out if depth >= self.depth => out,
            _ => Onward::Arrived,
        }
    }
}

/// What to do after a stop that the caller does not see.
pub(super) async fn after_unseen(
    wire: &Wire,
    thread: Option<ThreadId>,
    stepping: Option<Stepping>,
) -> Onward {
    let Some(stepping) =
        stepping.filter(|stepping| thread.is_none_or(|thread| thread == stepping.thread))
    else {
        return Onward::Move(Resume::Continue);
    };
    match whole(wire, stepping.thread).await {
        Some((depth, line)) => stepping.after(depth, line),
        None => Onward::Move(Resume::Continue),
    }
}

/// How many frames a thread has; none: the adapter does not tell.
pub(super) async fn depth(wire: &Wire, thread: ThreadId) -> Option<u32> {
    whole(wire, thread).await.map(|(depth, _)| depth)
}

/// The depth of the whole stack, and the line of its innermost frame.
async fn whole(wire: &Wire, thread: ThreadId) -> Option<(u32, u32)> {
    let arguments = StackTraceArguments { thread_id: thread.0, ..Default::default() };
    let stack = wire.stack(arguments).await.ok()?;
    let depth = stack.total_frames.unwrap_or(0).max(stack.stack_frames.len() as i64);
    let line = stack.stack_frames.first().map_or(0, |frame| frame.line);
    Some((depth as u32, line as u32))
}

/// Who goes on when a thread is resumed. Steps are of one thread anyway, and adapters let the
/// others run meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goes {
    Alone,
    WithAll,
}

/// Sends a move.
pub(super) async fn send(
    wire: &Wire,
    how: &Resume,
    thread: ThreadId,
    goes: Goes,
) -> Result<(), dap::Error> {
    let thread_id = thread.0;
    let single_thread = (goes == Goes::Alone).then_some(true);
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
    fn an_interrupted_step_is_finished_where_it_began() {
        let step = |kind| Step { kind, granularity: Granularity::Line };
        let moved = |kind| Onward::Move(Resume::Step(step(kind)));
        let stepping =
            |kind| Stepping { step: step(kind), thread: ThreadId(1), depth: 3, line: 10 };
        for (kind, depth, line, want) in [
            (StepKind::Over, 5, 40, moved(StepKind::Out)),
            (StepKind::Over, 3, 10, moved(StepKind::Over)),
            (StepKind::Over, 3, 11, Onward::Arrived),
            (StepKind::Over, 2, 7, Onward::Arrived),
            (StepKind::In, 4, 40, Onward::Arrived),
            (StepKind::Out, 3, 12, moved(StepKind::Out)),
            (StepKind::Out, 2, 7, Onward::Arrived),
        ] {
            assert_eq!(
                stepping(kind).after(depth, line),
                want,
                "{kind:?} at depth {depth}, line {line}"
            );
        }
    }
}
