//! Reads of a stop: variables, expressions, assignments, stacks; and the watches.
//!
//! Finds the frame and hands over to `values` and `stop`. Knows no request.

use std::sync::Arc;

use tokio::time::Instant;

use super::{Actor, Done, Phase};
use crate::model::{
    AssignQuery, Assigned, Compared, Effects, EvaluateQuery, Evaluated, Exception, ExceptionQuery,
    Frame, StackQuery, Stacks, Stop, StopClass, ThreadId, VariablesPage, VariablesQuery,
};
use crate::session::adapter;
use crate::session::adapter::wire::Wire;
use crate::session::handle::{Carried, Watch};
use crate::session::record::reply::Reply;
use crate::session::stop::stack::Of;
use crate::session::values;
use crate::session::values::reader::FrameReader;
use crate::session::values::{expressions, query as variables};
use crate::session::{
    Error,
    stop::{changes, exception, stack, threads},
    values::assign,
};

/// Lines of output with an exception.
const LAST_OUTPUT: usize = 5;

impl Actor {
    /// The wire and the frame of a read; as third the index of a frame that the stop did not read.
    pub(super) fn focus(
        &self,
        index: Option<u32>,
    ) -> Result<(Wire, Option<Frame>, Option<u32>), Error> {
        self.need_stop()?;
        let (Some(wire), Some(stop)) = (self.wire.clone(), self.stops.current()) else {
            return Err(Error::NotStopped);
        };
        let index = index.map_or(stop.focus, |index| index as usize);
        match stop.frames.get(index) {
            Some(frame) => Ok((wire, Some(frame.clone()), None)),
            None if stop.frames.is_empty() => Ok((wire, None, None)),
            None => Ok((wire, None, Some(index as u32))),
        }
    }

    pub(super) fn variables(&mut self, query: VariablesQuery, reply: Reply<VariablesPage>) {
        let own = self.motion.thread();
        let other = query.thread.filter(|thread| Some(*thread) != own);
        let changed = self.side_effects.of(other.or(own));
        match self.focus(query.frame) {
            Err(error) => reply.send(Err(error)),
            Ok((wire, frame, deeper)) => self.read(reply, async move {
                let frame = match other {
                    Some(thread) => stack::thread_frame(&wire, thread, query.frame).await,
                    None => stack::frame_at(&wire, own, frame, deeper).await,
                };
                let Some(frame) = frame.map_err(|error| explain_busy(&wire, error))? else {
                    return Err(Error::Values(values::Error::NoSuchFrame {
                        index: 0,
                        count: Some(0),
                    }));
                };
                let target = FrameReader::after(&changed, Some(&frame), &wire);
                let all = query.arguments.then_some(target);
                let mut page = variables::variables(target, frame.clone(), query)
                    .await
                    .map_err(|error| explain_busy(&wire, error))?;
                if let Some(target) = all {
                    page.arguments =
                        exception::arguments_among(&target, &frame, &page.variables).await?;
                }
                Ok(page)
            }),
        }
    }

    pub(super) fn compare(&mut self, path: Option<String>, reply: Reply<Compared>) {
        let changed = self.side_effects.of(self.motion.thread());
        match self.comparison() {
            Err(error) => reply.send(Err(error)),
            Ok((wire, frame, before)) => self.read(reply, async move {
                let target = FrameReader::after(&changed, Some(&frame), &wire);
                changes::compare(&target, &frame, &before, path.as_deref())
                    .await
                    .map_err(|error| explain_busy(&wire, error))
            }),
        }
    }

    /// The frame to compare and the stop before, if both stops are in the same call.
    fn comparison(&self) -> Result<(Wire, Frame, Arc<Stop>), Error> {
        let (wire, frame, _) = self.focus(None)?;
        let frame =
            frame.ok_or(Error::Values(values::Error::NoSuchFrame { index: 0, count: Some(0) }))?;
        let same_call = self.stops.current().is_some_and(|stop| stop.changes.is_some());
        match self.stops.before_last() {
            Some(before) if same_call && before.locals_error.is_none() => {
                Ok((wire, frame, before.clone()))
            }
            before => Err(Error::Values(values::Error::NothingToCompare {
                before: before.map(|stop| changes::place(stop)),
            })),
        }
    }

    pub(super) fn assign(&mut self, query: AssignQuery, reply: Reply<Assigned>) {
        let own = self.motion.thread();
        let other = query.thread.filter(|thread| Some(*thread) != own);
        let thread = other.or(own);
        self.side_effects.on_effect(thread);
        let changed = self.side_effects.of(thread);
        let (wire, frame, deeper) = match self.focus(query.frame) {
            Err(error) => return reply.send(Err(error)),
            Ok(found) => found,
        };
        self.reads.push(Box::pin(async move {
            let assign = async {
                if !wire.idle(wire.limit()).await {
                    return Err(Error::Superseded);
                }
                let frame = match other {
                    Some(thread) => stack::thread_frame(&wire, thread, query.frame).await?,
                    None => stack::frame_at(&wire, own, frame, deeper).await?,
                };
                let Some(frame) = frame else {
                    return Err(Error::Values(values::Error::NoSuchFrame {
                        index: 0,
                        count: Some(0),
                    }));
                };
                let target = FrameReader::after(&changed, Some(&frame), &wire);
                assign::assign(target, frame.clone(), query).await
            };
            let assigned = assign.await.map_err(|error| explain_busy(&wire, error));
            let set = assigned.as_ref().ok().and_then(|(_, set)| set.clone());
            reply.send(assigned.map(|(assigned, _)| assigned));
            Done::Assigned(thread, set)
        }));
    }

    pub(super) fn evaluate(&mut self, query: EvaluateQuery, mut reply: Reply<Vec<Evaluated>>) {
        let own = self.motion.thread();
        let other = query.thread.filter(|thread| Some(*thread) != own);
        let is_known = query.stop.map_or(Ok(()), |stop| self.need_stop_at(stop));
        let (wire, frame, deeper) = match is_known.and_then(|()| self.focus(query.frame)) {
            Err(error) => return reply.send(Err(error)),
            Ok(found) => found,
        };
        if query.effects == Effects::Allow {
            self.side_effects.on_effect(other.or(own));
        }
        self.reads.push(Box::pin(async move {
            // A busy adapter would evaluate it later, when no caller waits any more.
            if !wire.idle(query.patience).await {
                reply.send(Err(explain_busy(&wire, Error::Superseded)));
                return Done::Answered;
            }
            let since = Instant::now();
            let frame = match other {
                Some(thread) => stack::thread_frame(&wire, thread, query.frame).await,
                None => stack::frame_at(&wire, own, frame, deeper).await,
            };
            let frame = match frame {
                Ok(frame) => frame,
                Err(error) => {
                    reply.send(Err(explain_busy(&wire, error)));
                    return Done::Answered;
                }
            };
            let target = FrameReader::new(frame.as_ref(), &wire);
            // Sends nothing if the caller has cancelled.
            let (answers, late) = expressions::evaluate(target, query, reply.abandoned()).await;
            let Some(late) = late else {
                reply.send(Ok(answers));
                return Done::Answered;
            };
            // The adapter is busy until it answers or the stop ends.
            let occupied = wire.occupy(late.expression, since);
            reply.send(Ok(answers));
            late.answer.await;
            drop(occupied);
            Done::Answered
        }));
    }

    pub(super) fn exception(&mut self, query: ExceptionQuery, reply: Reply<Exception>) {
        let output = self.output.last(LAST_OUTPUT);
        let changed = self.side_effects.of(self.motion.thread());
        match self.raised() {
            Err(error) => reply.send(Err(error)),
            Ok((wire, stop)) => self.read(reply, async move {
                let target = FrameReader::after(&changed, None, &wire);
                exception::read(target, stop, query, output)
                    .await
                    .map_err(|error| explain_busy(&wire, wire.error(&error)))
            }),
        }
    }

    /// The stop, if it is for an exception or the like.
    fn raised(&self) -> Result<(Wire, Arc<Stop>), Error> {
        self.need_stop()?;
        let (Some(wire), Some(stop)) = (self.wire.clone(), self.stops.current().cloned()) else {
            return Err(Error::NotStopped);
        };
        match stop.class {
            StopClass::Exception | StopClass::Panic | StopClass::Signal | StopClass::Assertion => {
                Ok((wire, stop))
            }
            class => Err(Error::NoException { stop: stop.epoch.0, class }),
        }
    }

    pub(super) fn stack(&mut self, query: StackQuery, reply: Reply<Stacks>) {
        match self.stacks() {
            Err(error) => reply.send(Err(error)),
            Ok((of, wire)) => self.read(reply, async move {
                stack::read(&wire, of, query).await.map_err(|error| explain_busy(&wire, error))
            }),
        }
    }

    pub(super) fn thread(&mut self, named: String, reply: Reply<ThreadId>) {
        let number = named.trim().parse().ok().map(ThreadId);
        match (self.stacks(), number) {
            (Err(_), Some(number)) => reply.send(Ok(number)),
            (Err(_), None) if self.phase == Phase::Running => {
                reply.send(Err(Error::Values(values::Error::ThreadsUnlisted { name: named })))
            }
            (Err(error), None) => reply.send(Err(error)),
            (Ok((of, wire)), _) => self.read(reply, async move {
                threads::find(&wire, of.stopped(), number, named)
                    .await
                    .map_err(|error| explain_busy(&wire, error))
            }),
        }
    }

    /// The threads that can be read now.
    fn stacks(&self) -> Result<(Of, Wire), Error> {
        let of = match self.phase {
            Phase::Running if self.quirks.has_stacks_while_running() => Of::Running,
            _ => self.need_stop().map(|()| Of::Stopped(self.motion.thread()))?,
        };
        Ok((of, self.wire.clone().ok_or(Error::NotStopped)?))
    }

    pub(super) fn watch(&mut self, change: Watch) -> Result<Vec<String>, Error> {
        match change {
            Watch::Add(expressions) => {
                let mut watches = self.watches.clone();
                for new in &expressions {
                    if !watches.contains(new) {
                        watches.push(new.clone());
                    }
                }
                let most = self.limits.watches;
                if watches.len() > most {
                    let surplus = watches.len() - most;
                    // A watch that the call names would be added again.
                    let others = self.watches.iter().filter(|watch| !expressions.contains(watch));
                    let mut oldest: Vec<String> = others.take(surplus).cloned().collect();
                    if oldest.len() < surplus {
                        oldest.clear();
                    }
                    let known = self.watches.clone();
                    return Err(Error::TooManyWatches { most, known, oldest });
                }
                self.watches = watches;
            }
            Watch::Remove(expressions) if expressions.is_empty() => self.watches.clear(),
            Watch::Remove(expressions) => self.watches.retain(|watch| !expressions.contains(watch)),
        }
        Ok(self.watches.clone())
    }

    pub(super) fn carried(&self) -> Carried {
        Carried {
            breakpoints: self.breakpoints.numbered(),
            chooses_exceptions: self.breakpoints.chooses_exceptions(),
            watches: self.watches.clone(),
        }
    }
}

/// Replaces a missing answer by its reason: the adapter is evaluating.
fn explain_busy(wire: &Wire, error: Error) -> Error {
    match (wire.busy(), &error) {
        (Some(busy), Error::Adapter(adapter::Error::Silent { .. }) | Error::Superseded) => {
            busy.into()
        }
        _ => error,
    }
}
