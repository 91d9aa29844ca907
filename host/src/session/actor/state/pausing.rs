//! Pauses of callers under way, and pauses that wait until the adapter accepts one.
//!
//! ```text
//! move sent ─▶ unconfirmed: pauses queue ─┬─ `continued`, or time is up ─▶ sent
//!                                         ├─ the debuggee stopped ───────▶ answered by that stop
//!                                         └─ the move was refused ───────▶ refused; a move of the
//!                                            host: the stop that it was to leave
//! ```

use crate::model::{Cursor, ThreadId};
use crate::session::record::reply::Reply;
use crate::session::stop::event::PauseRequest;

/// A pause that waits for `continued`.
pub(crate) struct QueuedPause {
    pub(crate) request: PauseRequest,
    /// The journal's end when the caller requested it.
    pub(crate) from: Cursor,
    pub(crate) reply: Reply<Cursor>,
}

#[derive(Default)]
pub(crate) struct Pausing {
    /// Pauses of callers that no published stop has answered, the latest last.
    requests: Vec<PauseRequest>,
    /// The adapter has not confirmed the latest move, and takes no pause before it does.
    is_unconfirmed: bool,
    queued: Vec<QueuedPause>,
    /// The host's own pause, to change breakpoints, waits as well.
    is_halt_queued: bool,
    /// A caller requested a pause while the debuggee was stopped.
    came_at_stop: bool,
}

impl Pausing {
    /// The latest pause under way.
    pub(crate) fn request(&self) -> Option<PauseRequest> {
        self.requests.last().copied()
    }

    /// Whether a caller wants the debuggee to stop.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.requests.is_empty()
    }

    /// A caller requests a pause. Earlier ones stay under way; the latest decides the thread and
    /// counts the repeats.
    pub(crate) fn begin(&mut self, thread: Option<ThreadId>) -> PauseRequest {
        let number = self.request().map_or(0, |earlier| earlier.number + 1);
        let request = PauseRequest { thread, number, repeats: 0 };
        self.requests.push(request);
        request
    }

    /// A caller requests a pause, and the debuggee is stopped: a call of several steps ends there.
    pub(crate) fn on_request_at_stop(&mut self) {
        self.came_at_stop = true;
    }

    pub(crate) fn came_at_stop(&self) -> bool {
        self.came_at_stop
    }

    /// The adapter has refused this pause; others stay under way.
    pub(crate) fn on_refused(&mut self, refused: PauseRequest) {
        self.requests.retain(|one| one.number != refused.number);
    }

    /// A rule of the adapter resumes the debuggee: the pause is to be repeated.
    pub(crate) fn repeat(&mut self) {
        if let Some(latest) = self.requests.last_mut() {
            *latest = latest.repeated();
        }
    }

    /// A stop was published, or there is nothing to pause any more.
    pub(crate) fn end(&mut self) {
        self.requests.clear();
    }

    /// A move is sent. `confirms`: no pause may be sent until the adapter has confirmed it.
    pub(crate) fn on_move(&mut self, confirms: bool) {
        self.is_unconfirmed = confirms;
        self.came_at_stop = false;
    }

    pub(crate) fn is_unconfirmed(&self) -> bool {
        self.is_unconfirmed
    }

    pub(crate) fn queue(&mut self, pause: QueuedPause) {
        self.queued.push(pause);
    }

    /// Queues the host's own pause if it may not be sent. Returns whether it is queued.
    pub(crate) fn queue_halt(&mut self) -> bool {
        self.is_halt_queued |= self.is_unconfirmed;
        self.is_unconfirmed
    }

    /// The move is confirmed, or ends without that. Returns the queued pauses, and whether the
    /// host's own was queued.
    pub(crate) fn take_queued(&mut self) -> (Vec<QueuedPause>, bool) {
        self.is_unconfirmed = false;
        (std::mem::take(&mut self.queued), std::mem::take(&mut self.is_halt_queued))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queued(pausing: &mut Pausing) {
        let request = pausing.begin(None);
        pausing.queue(QueuedPause { request, from: Cursor::default(), reply: Reply::new().0 });
    }

    #[test]
    fn refusal_ends_only_the_refused_pause() {
        for first_refused in [true, false] {
            let mut pausing = Pausing::default();
            let first = pausing.begin(Some(ThreadId(1)));
            let second = pausing.begin(Some(ThreadId(2)));
            let (refused, other) = if first_refused { (first, second) } else { (second, first) };
            pausing.on_refused(refused);
            assert_eq!(pausing.request().map(|one| one.thread), Some(other.thread));
            pausing.on_refused(other);
            assert!(!pausing.is_wanted());
        }
    }

    #[test]
    fn repeats_are_counted_until_the_pause_ends() {
        let mut pausing = Pausing::default();
        pausing.repeat();
        assert!(!pausing.is_wanted());
        pausing.begin(None);
        pausing.repeat();
        pausing.repeat();
        assert_eq!(pausing.request().map(|latest| latest.repeats), Some(2));
        pausing.end();
        assert!(!pausing.is_wanted());
        assert_eq!(pausing.begin(None).repeats, 0);
    }

    /// For each kind of adapter: whether the host's pause is queued, and what waits.
    #[test]
    fn pauses_wait_for_an_adapter_that_confirms() {
        for (confirms, halt) in [(false, false), (true, true)] {
            let mut pausing = Pausing::default();
            pausing.on_move(confirms);
            assert_eq!((pausing.is_unconfirmed(), pausing.queue_halt()), (confirms, halt));
            queued(&mut pausing);
            let (pauses, was_halt) = pausing.take_queued();
            assert_eq!((pauses.len(), was_halt), (1, halt), "{confirms}");
            assert!(!pausing.is_unconfirmed() && !pausing.queue_halt());
            let (pauses, was_halt) = pausing.take_queued();
            assert_eq!((pauses.len(), was_halt), (0, false), "{confirms}");
        }
    }
}
