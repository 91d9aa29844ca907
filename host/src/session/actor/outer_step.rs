//! Steps in an outer frame: where a stop is inside a library, as a pause in a sleep is, `over` and
//! `out` step in the user's frame that the stop shows.
//!
//! Adapters step the innermost frame, so the host first steps out to the user's. A stop knows only
//! the upper part of its stack, so the depth of the whole stack is read first. A step or a run to a
//! place that has entered a library leaves it by `out` as any other call: back to the frame that is
//! shown.

use super::resumption::{self, Stepping};
use super::{Actor, Done};
use crate::model::{Cursor, Granularity, Resume, Step, StepKind, StopClass, ThreadId};
use crate::session::Error;
use crate::session::record::reply::Reply;

impl Actor {
    /// The step, if it is one in a frame that is not the innermost.
    pub(super) fn outer_frame_step(&self, how: &Resume, thread: Option<ThreadId>) -> Option<Step> {
        let Resume::Step(step) = how else { return None };
        let outer = self.stops.current().is_some_and(|stop| {
            stop.focus > 0
                && stop.frames[stop.focus].is_user()
                && thread.is_none_or(|thread| thread == stop.thread.id)
        });
        let line = step.granularity == Granularity::Line
            && matches!(step.kind, StepKind::Over | StepKind::Out);
        (outer && line).then_some(*step)
    }

    /// Reads the depth of the stack, then steps out.
    pub(super) fn step_outer_frame(&mut self, step: Step, reply: Reply<Cursor>) {
        let (Some(wire), Some(stop)) = (self.wire.clone(), self.stops.current().cloned()) else {
            return reply.send(Err(Error::NotStopped));
        };
        self.reads.push(Box::pin(async move {
            let depth = resumption::depth(&wire, stop.thread.id).await;
            let line = stop.frames[stop.focus].line;
            let has_entered = stop.class == StopClass::Step || stop.reached;
            let returns = step.kind == StepKind::Out && has_entered;
            let above = stop.focus as u32 - u32::from(returns);
            let outer = depth
                .map(|depth| Stepping::at(step, stop.thread.id, depth.saturating_sub(above), line));
            Done::DepthRead(step, outer, reply)
        }));
    }

    pub(super) fn on_depth_read(
        &mut self,
        step: Step,
        outer: Option<Stepping>,
        reply: Reply<Cursor>,
    ) {
        let out = Step { kind: StepKind::Out, granularity: Granularity::Line };
        let generation = self.motion.generation();
        self.send_move(&Resume::Step(if outer.is_some() { out } else { step }), None, reply);
        if let Some(stepping) = outer
            && !self.motion.is_present(generation)
        {
            self.motion.set_outer_step(stepping);
        }
    }
}
