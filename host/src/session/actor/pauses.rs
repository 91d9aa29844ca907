//! Pauses: when they are sent to the adapter, and when they are sent again.
//!
//! ```text
//! the debuggee          sent                       the caller gets
//! runs                  pause; after `continued`,  the stop of the pause, or an earlier one
//!                       if the adapter needs that
//! has a caller's move   as if it runs              as if it runs; NotRunning if the adapter
//! unanswered                                       refuses the move
//! has a caller's move   as if it runs              as if it runs; the stop before the move if the
//! behind an evaluation                             adapter refuses it
//! has a move of the     as if it runs              as if it runs; if the adapter refuses the
//! host unanswered                                  move, the stop that the host was to leave
//! is at a stop that     pause, which the adapter   that stop: with reason pause; step, if the
//! the host is to leave  may refuse                 step ended there; its own, if breakpoints
//!                                                  without log texts were hit as well
//! is stopped, being     nothing                    that stop with its own reason: no rule hides
//! read                                             it now, except `pause-again`
//!  … only log hits, or  nothing                    that stop with reason pause; step, if the step
//!  hits that do not                                ended there
//!  count
//!  … hidden by the      a pause after that stop    the stop of the pause
//!  rule `pause-again`
//! is stopped            nothing                    NotRunning: the tool shows the stop. A call of
//!                                                  several steps ends there
//! is absent (idle)      nothing                    NoProgram
//! starts, ends          nothing                    NotReady, Ended
//! ```
//!
//! In the rows up to a stop that the host is to leave the phase is `Running`, in those of a stop
//! `Stopped`: `pause` decides by the phase and by whether the stop is unseen.
//!
//! A rule of the adapter may hide the stop of a pause as well: the host resumes the debuggee and
//! pauses it again, at most `PAUSES` times for each pause.
//!
//! A pause answers with a cursor: its caller waits for the next stop after it. If the adapter
//! refuses it, the caller gets a stop that came since it was sent, else the adapter's error. A
//! second pause is sent or queued like the first; one stop ends the waits of both. While a pause is
//! under way, a stop that was requested as a halt is published as its stop. With several
//! connections, `dap::family` sends a pause once its connection is ready.
//!
//! Some adapters ignore a pause until they have sent `continued` (`pauses_once_continued` of their
//! quirks), others may lose one (`forgets_pauses`). Knows nothing of how the stop is read.

use tokio::time::Instant;

use super::state::generation::Generation;
use super::state::pausing::QueuedPause;
use super::{Actor, Done, Phase};
use crate::dap::arguments::ThreadArguments;
use crate::dap::{self, request};
use crate::model::{Cursor, ThreadId};
use crate::session::Error;
use crate::session::adapter::wire::Wire;
use crate::session::record::reply::Reply;
use crate::session::stop::event::PauseRequest;

/// A caller's pause that the adapter has to answer.
pub(super) struct SentPause {
    request: PauseRequest,
    /// The thread that it was sent for.
    thread: Option<ThreadId>,
    /// The journal's end when the caller requested it.
    from: Cursor,
    /// When it was sent.
    generation: Generation,
}

/// What follows a move that the adapter refused.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AfterRefusal {
    /// The caller's stop stays.
    StopStays,
    /// The stop that the host was to leave is published, or the session ends.
    EventFollows,
}

impl Actor {
    pub(super) fn pause(&mut self, thread: Option<ThreadId>, reply: Reply<Cursor>) {
        match self.phase {
            Phase::Running => {}
            Phase::Idle => return reply.send(Err(Error::NoProgram)),
            // A rule might hide the stop that is being read: with a pause under way only one that
            // repeats the pause does (`rule_may_resume`).
            Phase::Stopped if self.stops.is_unseen() => {
                self.pausing.begin(thread);
                return reply.send(Ok(self.journal.end()));
            }
            Phase::Stopped => {
                self.pausing.on_request_at_stop();
                return reply.send(Err(Error::NotRunning));
            }
            _ => return reply.send(Err(self.not_ready())),
        }
        let request = self.pausing.begin(thread);
        // Every stop published from now on answers the pause.
        self.send_pause(request, self.journal.end(), reply);
    }

    /// Sends a pause, or queues it until the adapter accepts one.
    fn send_pause(&mut self, request: PauseRequest, from: Cursor, reply: Reply<Cursor>) {
        let Some(wire) = self.wire.clone() else { return };
        if self.pausing.is_unconfirmed() {
            self.pausing.queue(QueuedPause { request, from, reply });
            return self.limit_wait();
        }
        let (thread, generation) =
            (request.thread.or(self.motion.thread()), self.motion.generation());
        let pause = SentPause { request, thread, from, generation };
        self.flows.push(Box::pin(async move {
            let result = send(&wire, thread).await;
            Done::PauseSent(pause, result, reply)
        }));
    }

    pub(super) fn on_pause_sent(
        &mut self,
        pause: SentPause,
        result: Result<(), dap::Error>,
        reply: Reply<Cursor>,
    ) {
        let SentPause { request, thread, from, generation } = pause;
        match result {
            Ok(()) => {
                self.resend_if_forgotten(thread, Instant::now() + self.limits.pause);
                reply.send(Ok(from));
            }
            // The session ends with its connection: the wait for the stop fails with the cause.
            Err(dap::Error::Closed { .. }) => reply.send(Ok(from)),
            // The debuggee stopped before the adapter had the pause: that stop answers it. A hidden
            // stop is published while a pause is under way.
            Err(_) if !self.motion.is_present(generation) || self.stops.event().is_some() => {
                reply.send(Ok(from))
            }
            Err(error) => {
                self.pausing.on_refused(request);
                reply.send(Err(match self.phase {
                    Phase::Stopped => Error::NotRunning,
                    _ => Error::from_dap(&error, &self.quirks),
                }));
            }
        }
    }

    /// For an adapter that may lose a pause: sends it again until the debuggee stops or `until`.
    fn resend_if_forgotten(&mut self, thread: Option<ThreadId>, until: Instant) {
        if self.quirks.forgets_pauses() && Instant::now() < until {
            self.send_pause_later(thread, until);
        }
    }

    /// The debuggee was resumed from a place where a pause is not published: pauses it once more
    /// when it has had time to leave that place.
    pub(super) fn pause_again_after_rule(&mut self) {
        if let Some(PauseRequest { thread, repeats: 1.., .. }) = self.pausing.request()
            && self.phase == Phase::Running
        {
            self.send_pause_later(
                thread.or(self.motion.thread()),
                Instant::now() + self.limits.pause,
            );
        }
    }

    fn send_pause_later(&mut self, thread: Option<ThreadId>, until: Instant) {
        let (generation, again) =
            (self.motion.generation(), Instant::now() + self.limits.pause_again);
        self.flows.push(Box::pin(async move {
            tokio::time::sleep_until(again).await;
            Done::PauseDue(generation, thread, until)
        }));
    }

    pub(super) fn on_pause_due(
        &mut self,
        generation: Generation,
        thread: Option<ThreadId>,
        until: Instant,
    ) {
        let waits = self.motion.is_present(generation)
            && self.phase == Phase::Running
            && self.pausing.is_wanted();
        let Some(wire) = self.wire.clone().filter(|_| waits) else { return };
        self.flows.push(Box::pin(async move {
            // The first pause is answered already; the result of this one adds nothing.
            let _ = send(&wire, thread).await;
            Done::Answered
        }));
        self.resend_if_forgotten(thread, until);
    }

    /// The move is confirmed, or nothing will confirm it: sends the queued pauses.
    pub(super) fn send_queued_pauses(&mut self) {
        let (pauses, halt) = self.pausing.take_queued();
        for QueuedPause { request, from, reply } in pauses {
            self.send_pause(request, from, reply);
        }
        if halt {
            self.send_halt();
        }
    }

    /// The adapter refused the move: the debuggee stands, and no queued pause or halt is sent. At a
    /// stop that stays, pauses fail as at any stop; else their callers wait for the event that
    /// follows.
    pub(super) fn end_queued_pauses(&mut self, then: AfterRefusal) {
        for QueuedPause { from, reply, .. } in self.pausing.take_queued().0 {
            reply.send(match then {
                AfterRefusal::StopStays => Err(Error::NotRunning),
                AfterRefusal::EventFollows => Ok(from),
            });
        }
        if then == AfterRefusal::StopStays {
            self.pausing.end();
        }
        self.edits.drop_halt();
    }

    /// The debuggee stopped: drops the queued pauses and the queued halt, and answers the callers.
    pub(super) fn answer_queued_pauses(&mut self) {
        for QueuedPause { from, reply, .. } in self.pausing.take_queued().0 {
            reply.send(Ok(from));
        }
    }
}

/// Sends `pause` for this thread, or for the first that the adapter lists.
pub(super) async fn send(wire: &Wire, thread: Option<ThreadId>) -> Result<(), dap::Error> {
    let thread_id = match thread {
        Some(thread) => thread.0,
        None => {
            let listed = wire.call::<request::Threads>(dap::NoArguments).await?;
            listed.threads.first().map_or(0, |thread| thread.id)
        }
    };
    wire.call::<request::Pause>(ThreadArguments { thread_id }).await.map(drop)
}
