//! How the debuggee moves: the move under way, its goal, and what the adapter's answer to it means.
//!
//! ```text
//!             sent                    answered                stopped
//!  standing ───────▶ unanswered move ─────────▶ under way ─────────────▶ standing
//!      ▲                 │ refused: stays          ▲
//!      ├─────────────────┘                         │ the evaluation ends
//!      │                 │ late, behind an evaluation
//!      │  refused late   ▼                         │
//!      └──────────── behind the evaluation ────────┘
//! ```
//!
//! A move is a caller's, or the host's own from a stop that callers do not see. Its effect may come
//! before its answer.

use tokio::time::Instant;

use crate::model::{BreakpointId, Cursor, Resume, StepKind, ThreadId};
use crate::session::actor::resumption::Stepping;
use crate::session::actor::state::generation::{Generation, Generations};
use crate::session::record::reply::Reply;
use crate::session::stop::event::StopEvent;

/// A move whose request has no answer yet.
pub(crate) struct UnansweredMove {
    /// `None`: the host's own move.
    pub(crate) reply: Option<(Reply<Cursor>, Cursor)>,
    /// The stop that the host leaves unpublished: published if the adapter refuses the move.
    pub(crate) left: Option<StopEvent>,
    /// Set if the adapter was evaluating when the move was sent.
    pub(crate) delayed: Option<MoveBehindEvaluation>,
    pub(crate) generation: Generation,
}

/// A move that the adapter handles only after it has finished an evaluation.
pub(crate) struct MoveBehindEvaluation {
    pub(crate) expression: String,
    /// The stop that it leaves: published again if the adapter refuses the move.
    pub(crate) left: Option<StopEvent>,
}

/// The answer to a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Moved,
    Refused,
    /// It has not come in time.
    Late,
}

/// What else decides what an answer means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) by_caller: bool,
    /// The debuggee's process has ended.
    pub(crate) is_gone: bool,
    /// Neither a stop nor another move came since.
    pub(crate) is_present: bool,
    /// The adapter was evaluating when the move was sent.
    pub(crate) is_delayed: bool,
}

/// What the answer to a move means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    UnderWay,
    /// The debuggee has ended, so it cannot move.
    Ended,
    /// The debuggee stays at its stop.
    Stays,
    /// It moves after the evaluation.
    Behind,
    /// The debuggee counts as running until the adapter reports otherwise.
    Unknown,
    OutOfDate,
}

impl Outcome {
    pub(crate) fn of(answer: Answer, facts: Facts) -> Self {
        let Facts { by_caller, is_gone, is_present, is_delayed } = facts;
        match answer {
            Answer::Moved => Self::UnderWay,
            Answer::Refused if by_caller && is_gone => Self::Ended,
            Answer::Refused if is_present => Self::Stays,
            Answer::Refused => Self::OutOfDate,
            Answer::Late if by_caller && is_delayed => Self::Behind,
            Answer::Late => Self::Unknown,
        }
    }
}

pub(crate) struct Motion {
    generations: Generations,
    /// When the caller's latest move was sent.
    since: Instant,
    /// The thread that stopped last.
    thread: Option<ThreadId>,
    /// The other threads run on (DAP, `allThreadsStopped`).
    others_run: bool,
    /// The caller's step under way, or the host's own step out of a frame; `None` for a run. Set by
    /// each caller's move.
    stepping: Option<Stepping>,
    /// The thread that the caller resumed without the others. Set by each caller's move.
    single_thread: Option<ThreadId>,
    /// The host's own step towards the end of the caller's; taken by the next stop that is no halt.
    own_step: Option<StepKind>,
    /// The call that a step is to enter; taken by the next published stop.
    step_target: Option<String>,
    /// The breakpoint of a run-to; taken by the next published stop, or by the end.
    run_to: Option<BreakpointId>,
    unanswered: Option<UnansweredMove>,
    /// Set when the answer to a move is late because of an evaluation.
    behind: Option<MoveBehindEvaluation>,
}

impl Motion {
    /// Before the first stop; `since`: when the session was requested.
    pub(crate) fn new(since: Instant) -> Self {
        Self {
            generations: Generations::first(),
            since,
            thread: None,
            others_run: false,
            stepping: None,
            single_thread: None,
            own_step: None,
            step_target: None,
            run_to: None,
            unanswered: None,
            behind: None,
        }
    }

    pub(crate) fn generation(&self) -> Generation {
        self.generations.present()
    }

    pub(crate) fn is_present(&self, generation: Generation) -> bool {
        self.generations.is_present(generation)
    }

    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    pub(crate) fn thread(&self) -> Option<ThreadId> {
        self.thread
    }

    pub(crate) fn set_thread(&mut self, thread: ThreadId) {
        self.thread = Some(thread);
    }

    pub(crate) fn others_run(&self) -> bool {
        self.others_run
    }

    pub(crate) fn stepping(&self) -> Option<Stepping> {
        self.stepping
    }

    pub(crate) fn single_thread(&self) -> Option<ThreadId> {
        self.single_thread
    }

    pub(crate) fn run_to(&self) -> Option<BreakpointId> {
        self.run_to
    }

    pub(crate) fn set_run_to(&mut self, id: BreakpointId) {
        self.run_to = Some(id);
    }

    pub(crate) fn take_run_to(&mut self) -> Option<BreakpointId> {
        self.run_to.take()
    }

    pub(crate) fn set_step_target(&mut self, name: String) {
        self.step_target = Some(name);
    }

    pub(crate) fn take_step_target(&mut self) -> Option<String> {
        self.step_target.take()
    }

    /// The debuggee leaves its stop with this goal: by a caller's move, or by itself. Without a
    /// step and a thread it runs, with all threads.
    pub(crate) fn begin(&mut self, stepping: Option<Stepping>, single_thread: Option<ThreadId>) {
        self.generations.next();
        (self.stepping, self.single_thread) = (stepping, single_thread);
        (self.own_step, self.step_target, self.behind) = (None, None, None);
    }

    /// The caller's time counts from here: the stop that the move left was one that callers had.
    pub(crate) fn restart_clock(&mut self, now: Instant) {
        self.since = now;
    }

    /// The debuggee leaves its stop by a move of the host towards the same goal.
    pub(crate) fn begin_own(&mut self, how: &Resume) {
        self.generations.next();
        self.own_step = match how {
            Resume::Step(step) => Some(step.kind),
            _ => None,
        };
    }

    /// The move under way is a step out of a frame, from which the caller's step goes on.
    pub(crate) fn set_outer_step(&mut self, stepping: Stepping) {
        self.stepping = Some(stepping);
        self.own_step = Some(StepKind::Out);
    }

    /// The host's own step has not begun.
    pub(crate) fn drop_own_step(&mut self) {
        self.own_step = None;
    }

    pub(crate) fn take_own_step(&mut self) -> Option<StepKind> {
        self.own_step.take()
    }

    /// The request of the move is sent.
    pub(crate) fn on_sent(&mut self, sent: UnansweredMove) {
        self.unanswered = Some(sent);
    }

    /// The move of this generation, once it is answered.
    pub(crate) fn take_answered(&mut self, generation: Generation) -> Option<UnansweredMove> {
        self.unanswered.take_if(|sent| sent.generation == generation)
    }

    pub(crate) fn is_unanswered(&self) -> bool {
        self.unanswered.is_some()
    }

    /// The caller of a move whose effect has come before its answer.
    pub(crate) fn take_caller(&mut self) -> Option<(Reply<Cursor>, Cursor)> {
        self.unanswered.take()?.reply
    }

    pub(crate) fn set_behind(&mut self, delayed: Option<MoveBehindEvaluation>) {
        self.behind = delayed;
    }

    pub(crate) fn behind(&self) -> Option<&MoveBehindEvaluation> {
        self.behind.as_ref()
    }

    pub(crate) fn take_behind(&mut self) -> Option<MoveBehindEvaluation> {
        self.behind.take()
    }

    /// The debuggee has stopped with this thread.
    pub(crate) fn on_stopped(&mut self, thread: Option<ThreadId>, others_run: bool) {
        self.generations.next();
        (self.thread, self.others_run) = (thread, others_run);
    }

    /// The debuggee has ended, and the session goes on without it.
    pub(crate) fn forget(&mut self) {
        self.begin(None, None);
        self.thread = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Granularity, Step};

    /// Each row: answer, by a caller, debuggee gone, present, behind an evaluation.
    #[test]
    fn answer_means_what_its_circumstances_say() {
        use Answer::{Late, Moved, Refused};
        for (answer, by_caller, is_gone, is_present, is_delayed, expected) in [
            (Moved, true, false, true, false, Outcome::UnderWay),
            (Moved, false, false, true, false, Outcome::UnderWay),
            (Moved, true, true, false, true, Outcome::UnderWay),
            (Refused, true, false, true, false, Outcome::Stays),
            (Refused, true, false, true, true, Outcome::Stays),
            (Refused, true, true, true, false, Outcome::Ended),
            (Refused, true, false, false, false, Outcome::OutOfDate),
            (Refused, true, true, false, false, Outcome::Ended),
            (Refused, false, false, true, false, Outcome::Stays),
            // The end follows by an event; the stop is published until then.
            (Refused, false, true, true, false, Outcome::Stays),
            (Refused, false, false, false, false, Outcome::OutOfDate),
            (Late, true, false, true, false, Outcome::Unknown),
            (Late, true, false, true, true, Outcome::Behind),
            (Late, false, false, true, true, Outcome::Unknown),
        ] {
            let facts = Facts { by_caller, is_gone, is_present, is_delayed };
            assert_eq!(Outcome::of(answer, facts), expected, "{answer:?} {facts:?}");
        }
    }

    fn unanswered(generation: Generation) -> UnansweredMove {
        let reply = Some((Reply::new().0, Cursor::default()));
        UnansweredMove { reply, left: None, delayed: None, generation }
    }

    #[tokio::test(start_paused = true)]
    async fn late_answer_belongs_to_its_own_move() {
        let mut motion = Motion::new(Instant::now());
        motion.begin(None, None);
        let first = motion.generation();
        motion.on_sent(unanswered(first));
        // The stop comes before the answer.
        motion.on_stopped(Some(ThreadId(1)), false);
        assert!(motion.take_caller().is_some());
        motion.begin(None, None);
        let second = motion.generation();
        motion.on_sent(unanswered(second));
        assert!(motion.take_answered(first).is_none());
        assert!(motion.take_answered(second).is_some());
        assert!(motion.take_answered(second).is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn goal_outlives_moves_of_the_host() {
        let step = Step { kind: StepKind::Over, granularity: Granularity::Line };
        let stepping = Stepping::at(step, ThreadId(1), 3, 10);
        let mut motion = Motion::new(Instant::now());
        motion.begin(Some(stepping), Some(ThreadId(1)));
        motion.set_step_target("tax".into());
        motion.on_stopped(Some(ThreadId(1)), false);
        motion.begin_own(&Resume::Step(Step { kind: StepKind::Out, ..step }));
        assert_eq!(
            (motion.stepping(), motion.single_thread()),
            (Some(stepping), Some(ThreadId(1)))
        );
        assert_eq!(motion.take_own_step(), Some(StepKind::Out));
        motion.begin_own(&Resume::Continue);
        assert_eq!(motion.take_own_step(), None);
        assert_eq!(motion.take_step_target().as_deref(), Some("tax"));
        // The next move of a caller has a goal of its own.
        motion.begin(None, None);
        assert_eq!((motion.stepping(), motion.single_thread()), (None, None));
    }
}
