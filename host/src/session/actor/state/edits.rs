//! Changes of breakpoints under way: edits that wait until the debuggee stands, edits that the
//! plugin translates, the one exchange with the adapter, and the callers that wait for it.
//!
//! An adapter may take breakpoints only while the debuggee stands (`halts_for_breakpoints`
//! of its quirks); then the host stops it first. Callers do not see this stop:
//!
//! ```text
//!        pause sent            stopped by a pause       breakpoints set
//!  None ───────────▶ Requested ──────────────────▶ Stopped ────────────▶ None, and resume
//!                        │ adapter refuses
//!                        └───────────────────────▶ Refused ────────────▶ None
//!  a stop for another reason, a stop that a caller wants, a refused move: None
//! ```

use tokio::time::Instant;

use crate::model::{BreakpointEdit, BreakpointId, Cursor, Resume, ThreadId};
use crate::session::actor::state::generation::Generation;
use crate::session::breakpoints::{BreakpointReport, Translated};
use crate::session::record::reply::Reply;

/// A caller's edit that waits until the debuggee stands.
pub(crate) struct QueuedEdit {
    pub(crate) edit: BreakpointEdit,
    pub(crate) reply: Reply<BreakpointReport>,
    /// When the caller gets an error instead.
    pub(crate) due: Instant,
}

/// What waits until the adapter has the breakpoints.
pub(crate) enum SyncWaiter {
    Report(Vec<BreakpointId>, Reply<BreakpointReport>),
    /// The same, with the nearest code looked up.
    Located(Vec<BreakpointId>, Reply<BreakpointReport>),
    Continue(Until, Reply<Cursor>),
    /// The others at the place of a run are removed for its breakpoint.
    Replace(Box<Translated>, Until, Reply<Cursor>),
    /// A hidden stop of this generation is left.
    Leave(Generation, Resume),
}

/// A run to a place, sent once its breakpoint is set.
pub(crate) struct Until {
    pub(crate) id: BreakpointId,
    pub(crate) thread: Option<ThreadId>,
    /// Of the stop that the run leaves.
    pub(crate) generation: Generation,
}

#[derive(Default)]
pub(crate) struct Edits {
    halt: Halt,
    queued: Vec<QueuedEdit>,
    /// Number of edits that the plugin translates.
    translating: usize,
    /// The adapter has not answered the latest change.
    is_sent: bool,
    waiters: Vec<SyncWaiter>,
}

/// The stop that the host makes to change breakpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Halt {
    #[default]
    None,
    /// The adapter was asked for a pause.
    Requested,
    /// The debuggee stands for it.
    Stopped,
    /// The adapter does not stop it: breakpoints change while it runs.
    Refused,
}

/// What a change of breakpoints needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing: it may be sent.
    Nothing,
    /// The debuggee is to be stopped first.
    Pause,
    /// The stop of a pause that has been requested.
    Stop,
}

/// What is to be done about breakpoints that have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// Nothing yet: an answer of the adapter comes first.
    Wait,
    Halt(Need),
    /// They are sent.
    Send,
    /// Nothing can be sent now: the callers are answered.
    Answer,
}

/// What the rest of the actor knows about breakpoints that may have changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Some differ from those of the adapter.
    pub(crate) changed: bool,
    /// There is an adapter that takes breakpoints.
    pub(crate) reachable: bool,
    /// The debuggee runs, and must stand.
    pub(crate) must_stand: bool,
}

impl Edits {
    /// What a change needs. A pause counts as requested from now on.
    pub(crate) fn require(&mut self, must_stand: bool) -> Need {
        match self.halt {
            _ if !must_stand => Need::Nothing,
            Halt::None => {
                self.halt = Halt::Requested;
                Need::Pause
            }
            Halt::Requested => Need::Stop,
            Halt::Stopped | Halt::Refused => Need::Nothing,
        }
    }

    /// Decides about breakpoints that may have changed. One exchange at a time, because each
    /// request replaces all breakpoints of its source (DAP, `setBreakpoints`).
    pub(crate) fn change(&mut self, facts: Facts) -> Change {
        let Facts { changed, reachable, must_stand } = facts;
        if self.is_sent {
            return Change::Wait;
        }
        if changed {
            match self.require(must_stand) {
                Need::Nothing => {}
                need => return Change::Halt(need),
            }
        }
        if changed && reachable {
            self.is_sent = true;
            return Change::Send;
        }
        Change::Answer
    }

    /// The adapter has answered the exchange, or will not any more.
    pub(crate) fn end_exchange(&mut self) {
        self.is_sent = false;
    }

    pub(crate) fn is_sent(&self) -> bool {
        self.is_sent
    }

    pub(crate) fn begin_translation(&mut self) {
        self.translating += 1;
    }

    pub(crate) fn end_translation(&mut self) {
        self.translating -= 1;
    }

    /// The adapter has refused the pause. Returns whether edits are to be sent while the debuggee
    /// runs; else another stop came first.
    pub(crate) fn on_pause_refused(&mut self) -> bool {
        let refused = self.halt == Halt::Requested;
        if refused {
            self.halt = Halt::Refused;
        }
        refused
    }

    /// The debuggee has stopped, for a pause or not. Returns whether it stands for edits alone: no
    /// caller wants this stop.
    pub(crate) fn on_stopped(&mut self, by_pause: bool, wanted: bool) -> bool {
        let requested = matches!(self.halt, Halt::Requested | Halt::Stopped);
        let is_halt = requested && by_pause && !wanted;
        self.halt = if is_halt { Halt::Stopped } else { Halt::None };
        is_halt
    }

    /// The debuggee stands for another reason, or has ended.
    pub(crate) fn drop_halt(&mut self) {
        self.halt = Halt::None;
    }

    /// Ends a halt once nothing is under way. Returns whether the debuggee is to be resumed.
    pub(crate) fn finish_halt(&mut self) -> bool {
        if self.is_sent || self.translating > 0 || self.halt == Halt::Requested {
            return false;
        }
        std::mem::take(&mut self.halt) == Halt::Stopped
    }

    /// Whether a pause for edits is under way.
    pub(crate) fn is_requested(&self) -> bool {
        self.halt == Halt::Requested
    }

    /// Whether the debuggee stands for edits.
    pub(crate) fn is_halted(&self) -> bool {
        self.halt == Halt::Stopped
    }

    /// Whether neither a halt nor an exchange is under way.
    pub(crate) fn is_quiet(&self) -> bool {
        self.halt == Halt::None && !self.is_sent
    }

    pub(crate) fn queue(&mut self, edit: QueuedEdit) {
        self.queued.push(edit);
    }

    pub(crate) fn has_queued(&self) -> bool {
        !self.queued.is_empty()
    }

    pub(crate) fn take_queued(&mut self) -> Vec<QueuedEdit> {
        std::mem::take(&mut self.queued)
    }

    /// The edits that have waited long enough.
    pub(crate) fn take_due(&mut self, now: Instant) -> Vec<QueuedEdit> {
        self.queued.extract_if(.., |queued| queued.due <= now).collect()
    }

    pub(crate) fn wait(&mut self, waiter: SyncWaiter) {
        self.waiters.push(waiter);
    }

    /// Whether a hidden stop is left next.
    pub(crate) fn is_leaving(&self) -> bool {
        self.waiters.iter().any(|waiter| matches!(waiter, SyncWaiter::Leave(..)))
    }

    pub(crate) fn take_waiters(&mut self) -> Vec<SyncWaiter> {
        std::mem::take(&mut self.waiters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALTS: [Halt; 4] = [Halt::None, Halt::Requested, Halt::Stopped, Halt::Refused];

    fn edits(halt: Halt, is_sent: bool) -> Edits {
        Edits { halt, is_sent, ..Edits::default() }
    }

    #[derive(Clone, Copy, Debug)]
    enum Event {
        EditWhileRunning,
        EditAtStop,
        PauseRefused,
        /// The flags of [`Edits::on_stopped`].
        Stopped(bool, bool),
        MoveRefused,
        NothingUnderWay,
        AdapterSilent,
    }

    fn apply(edits: &mut Edits, event: Event) {
        match event {
            Event::EditWhileRunning => _ = edits.require(true),
            Event::EditAtStop => _ = edits.require(false),
            Event::PauseRefused => _ = edits.on_pause_refused(),
            Event::Stopped(by_pause, wanted) => _ = edits.on_stopped(by_pause, wanted),
            Event::MoveRefused => edits.drop_halt(),
            Event::NothingUnderWay => _ = edits.finish_halt(),
            Event::AdapterSilent => {
                edits.is_sent = true;
                edits.finish_halt();
            }
        }
    }

    /// For each halt before the event (none, requested, stopped, refused) the halt after it.
    #[test]
    fn halt_changes_with_stops_and_answers() {
        use Halt::{None, Refused, Requested, Stopped};
        for (event, after) in [
            (Event::EditWhileRunning, [Requested, Requested, Stopped, Refused]),
            (Event::EditAtStop, HALTS),
            (Event::PauseRefused, [None, Refused, Stopped, Refused]),
            (Event::Stopped(true, false), [None, Stopped, Stopped, None]),
            (Event::Stopped(true, true), [None; 4]),
            (Event::Stopped(false, false), [None; 4]),
            (Event::MoveRefused, [None; 4]),
            (Event::NothingUnderWay, [None, Requested, None, None]),
            (Event::AdapterSilent, HALTS),
        ] {
            for (before, after) in HALTS.into_iter().zip(after) {
                let mut edits = edits(before, false);
                apply(&mut edits, event);
                assert_eq!(edits.halt, after, "{event:?}, {before:?}");
            }
        }
    }

    #[test]
    fn debuggee_resumes_only_from_a_halt_that_is_finished() {
        for halt in HALTS {
            assert_eq!(edits(halt, false).finish_halt(), halt == Halt::Stopped, "{halt:?}");
        }
        let mut edits = edits(Halt::Stopped, false);
        edits.begin_translation();
        assert!(!edits.finish_halt(), "the plugin translates an edit");
        edits.end_translation();
        assert!(edits.finish_halt());
    }

    #[test]
    fn change_is_sent_once_the_debuggee_stands_and_the_adapter_has_answered() {
        use Change::{Answer, Send, Wait};
        let halt = Change::Halt;
        for (before, is_sent, changed, reachable, must_stand, expected) in [
            (Halt::None, false, true, true, false, Send),
            (Halt::None, false, true, true, true, halt(Need::Pause)),
            (Halt::Requested, false, true, true, true, halt(Need::Stop)),
            (Halt::Stopped, false, true, true, true, Send),
            (Halt::Refused, false, true, true, true, Send),
            (Halt::None, true, true, true, true, Wait),
            (Halt::None, true, false, true, false, Wait),
            (Halt::None, false, false, true, true, Answer),
            // The start sequence sends them.
            (Halt::None, false, true, false, false, Answer),
        ] {
            let mut edits = edits(before, is_sent);
            let change = edits.change(Facts { changed, reachable, must_stand });
            let case = format!("{before:?} {is_sent} {changed} {reachable} {must_stand}");
            assert_eq!(change, expected, "{case}");
            assert_eq!(edits.is_sent(), is_sent || change == Send, "{case}");
            let halts = change == halt(Need::Pause);
            let after = if halts { Halt::Requested } else { before };
            assert_eq!(edits.halt, after, "{case}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn edits_are_due_one_by_one() {
        let mut edits = Edits::default();
        let now = Instant::now();
        for seconds in [1, 3] {
            let due = now + std::time::Duration::from_secs(seconds);
            edits.queue(QueuedEdit { edit: BreakpointEdit::default(), reply: Reply::new().0, due });
        }
        assert_eq!(edits.take_due(now + std::time::Duration::from_secs(2)).len(), 1);
        assert!(edits.has_queued());
        assert_eq!(edits.take_queued().len(), 1);
        assert!(!edits.has_queued());
    }
}
