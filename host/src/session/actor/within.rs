//! Steps from a stop within a library, as a pause in a sleep is: they are steps of the user's frame
//! that the stop shows.
//!
//! Adapters step the innermost frame. So the host first walks out to the user's, as `onward` does
//! from a stop that the caller does not see, and asks how deep the stack is, of which a stop knows
//! the upper part only. What a step has led into is left by a step out as anything is: back in the
//! frame that is shown.

use super::onward::{self, Stepping};
use super::{Actor, Done};
use crate::model::{Cursor, Granularity, Resume, Step, StepKind, StopClass, ThreadId};
use crate::session::Error;
use crate::session::record::reply::Reply;

impl Actor {
    /// Is this a step of a frame that is not the innermost?
    pub(super) fn steps_outer(&self, how: &Resume, thread: Option<ThreadId>) -> Option<Step> {
        let Resume::Step(step) = how else { return None };
        let outer = self.stop.as_ref().is_some_and(|stop| {
            stop.focus > 0
                && stop.frames[stop.focus].is_user()
                && thread.is_none_or(|thread| thread == stop.thread.id)
        });
        let line = step.granularity == Granularity::Line
            && matches!(step.kind, StepKind::Over | StepKind::Out);
        (outer && line).then_some(*step)
    }

    /// Asks how deep the stack is, then walks out.
    pub(super) fn step_outer(&mut self, step: Step, reply: Reply<Cursor>) {
        let (Some(wire), Some(stop)) = (self.wire.clone(), self.stop.clone()) else {
            return reply.send(Err(Error::NotStopped));
        };
        self.reads.push(Box::pin(async move {
            let depth = onward::depth(&wire, stop.thread.id).await;
            let line = stop.frames[stop.focus].line;
            let back = step.kind == StepKind::Out && stop.class == StopClass::Step;
            let above = stop.focus as u32 - u32::from(back);
            let outer = depth
                .map(|depth| Stepping::of(step, stop.thread.id, depth.saturating_sub(above), line));
            Done::Fathomed(step, outer, reply)
        }));
    }

    pub(super) fn on_fathomed(
        &mut self,
        step: Step,
        outer: Option<Stepping>,
        reply: Reply<Cursor>,
    ) {
        let out = Step { kind: StepKind::Out, granularity: Granularity::Line };
        let generation = self.generation;
        self.send_move(&Resume::Step(if outer.is_some() { out } else { step }), None, reply);
        if outer.is_some() && self.generation != generation {
            (self.stepping, self.finishing) = (outer, Some(StepKind::Out));
        }
    }
}
