//! The stop at which the debuggee stands, from its event until it is left.
//!
//! ```text
//!          event                    read, hits known             move
//!  moving ───────▶ stands, unseen ───────────────────▶ published ───────▶ moving
//!                    │       ▲                           ▲                  │
//!                    ▼       │ the host's move refused   │ refused          │
//!                  moving ◀──┴───────────────────────────┴──────────────────┘
//! ```
//!
//! Callers see a stop only once it is published. The host leaves some before: those of log
//! breakpoints, of its own steps and halts, and those that a rule of the adapter hides.

use std::sync::Arc;

use crate::model::{BreakpointId, Epoch, Stop, StopClass};
use crate::session::actor::state::history::History;
use crate::session::stop::event::{PauseRequest, StopEvent};

/// The breakpoints of a stop.
#[derive(Default)]
pub(crate) struct Hits {
    /// `hitBreakpointIds` of the event.
    pub(crate) adapter_ids: Vec<i64>,
    /// Ours, resolved when the event came: the adapter may renumber while the stop is read.
    pub(crate) ids: Vec<BreakpointId>,
}

pub(crate) struct Stops {
    /// The latest `stopped` event and what was captured with it, until the stop is left.
    event: Option<StopEvent>,
    /// The event of the stop that the last move has left, until the next one comes.
    left: Option<StopEvent>,
    hits: Hits,
    /// Breakpoints of `hits` that make the stop visible to callers; `None` until that is decided,
    /// by the event or by the conditions.
    visible: Option<Vec<BreakpointId>>,
    history: History<Arc<Stop>>,
    /// The number of the latest published stop.
    epoch: Epoch,
    /// A stop at the entry is to come.
    is_entering: bool,
    saw_exception: bool,
    /// A caller has read at the current stop.
    is_read: bool,
}

impl Stops {
    /// `is_entering`: the caller wants a stop at the entry.
    pub(crate) fn new(is_entering: bool) -> Self {
        Self {
            event: None,
            left: None,
            hits: Hits::default(),
            visible: None,
            history: History::default(),
            epoch: Epoch(0),
            is_entering,
            saw_exception: false,
            is_read: false,
        }
    }

    /// A caller reads at the current stop.
    pub(crate) fn note_read(&mut self) {
        self.is_read |= self.current().is_some();
    }

    /// Whether there is a current stop at which no caller has read.
    pub(crate) fn is_unread(&self) -> bool {
        self.current().is_some() && !self.is_read
    }

    /// The stop that callers see.
    pub(crate) fn current(&self) -> Option<&Arc<Stop>> {
        self.history.current()
    }

    /// The latest published stop, current or left.
    pub(crate) fn last(&self) -> Option<&Arc<Stop>> {
        self.history.last()
    }

    /// The stop with which the last one was compared.
    pub(crate) fn before_last(&self) -> Option<&Arc<Stop>> {
        self.history.before_last()
    }

    pub(crate) fn event(&self) -> Option<&StopEvent> {
        self.event.as_ref()
    }

    /// Whether the debuggee stands, seen by callers or not.
    pub(crate) fn stands(&self) -> bool {
        self.event.is_some() || self.current().is_some()
    }

    /// Whether it stands at a stop that callers do not see, or not yet.
    pub(crate) fn is_unseen(&self) -> bool {
        self.event.is_some() && self.current().is_none()
    }

    pub(crate) fn is_entering(&self) -> bool {
        self.is_entering
    }

    /// The stop at the entry is left, and its end is to come: a breakpoint in code that runs before
    /// the program's entry may have stopped first.
    pub(crate) fn expect_entry(&mut self) {
        self.is_entering = true;
    }

    /// Whether a stop for an exception was published.
    pub(crate) fn saw_exception(&self) -> bool {
        self.saw_exception
    }

    /// The debuggee has stopped.
    pub(crate) fn on_stopped(
        &mut self,
        event: StopEvent,
        hits: Hits,
        visible: Option<Vec<BreakpointId>>,
    ) {
        self.history.leave();
        (self.event, self.left) = (Some(event), None);
        (self.hits, self.visible) = (hits, visible);
    }

    /// The stop is to be left; `received`: a caller has it.
    pub(crate) fn on_resume(&mut self, received: bool) {
        self.history.on_resume(received);
    }

    pub(crate) fn is_last_skipped(&self) -> bool {
        self.history.is_last_skipped()
    }

    /// A move leaves the stop. Returns its event, for the case that the adapter refuses.
    pub(crate) fn leave(&mut self) -> Option<StopEvent> {
        self.history.leave();
        self.left = self.event.take();
        self.left.clone()
    }

    /// The event of the stop that the last move has left.
    pub(crate) fn take_left(&mut self) -> Option<StopEvent> {
        self.left.take()
    }

    /// The adapter refused a caller's move: callers see the last stop again.
    pub(crate) fn stay(&mut self) {
        self.history.stay();
    }

    /// The adapter refused a move of the host: the stop that it was to leave is to be published.
    /// Its hits were counted when it came.
    pub(crate) fn stay_unseen(&mut self, event: StopEvent) {
        self.event = Some(StopEvent { must_show: true, ..event });
        self.visible = Some(self.hits.ids.clone());
    }

    /// The debuggee has ended, and the session goes on without it.
    pub(crate) fn forget(&mut self) {
        self.leave();
        self.history.on_resume(true);
        self.hits = Hits::default();
    }

    /// The session has ended.
    pub(crate) fn end(&mut self) {
        self.history.leave();
    }

    /// The stop counts as one with this reason: the end of a step, or a pause.
    pub(crate) fn rename(&mut self, reason: &str, pause: Option<PauseRequest>) {
        self.hits = Hits::default();
        if let Some(event) = &mut self.event {
            event.body.reason = reason.to_owned();
            event.raw["reason"] = reason.into();
            event.pause_request = pause;
        }
    }

    pub(crate) fn hits(&self) -> &Hits {
        &self.hits
    }

    /// Whether it is known which breakpoints it has hit, or which of them callers see.
    pub(crate) fn are_hits_known(&self) -> bool {
        self.visible.is_some() || !self.hits.ids.is_empty()
    }

    pub(crate) fn set_hits(&mut self, ids: Vec<BreakpointId>) {
        self.hits.ids = ids;
    }

    pub(crate) fn set_visible(&mut self, visible: Option<Vec<BreakpointId>>) {
        self.visible = visible;
    }

    /// Callers see that these breakpoints have caused the stop, too.
    pub(crate) fn add_visible(&mut self, ids: Vec<BreakpointId>) {
        if !ids.is_empty() {
            self.visible.get_or_insert_default().extend(ids);
        }
    }

    /// Whether `dap::family` reports the stop again: its hits are counted.
    pub(crate) fn is_repeated(&self) -> bool {
        self.event.as_ref().is_some_and(|event| event.body.again)
    }

    /// Whether the host found breakpoints that callers see, where the adapter named none.
    pub(crate) fn is_at_unnamed_breakpoint(&self) -> bool {
        let is_seen = self.visible.as_ref().is_some_and(|visible| !visible.is_empty());
        is_seen && self.hits.adapter_ids.is_empty()
    }

    /// Whether the adapter has refused to resume from this stop.
    pub(crate) fn was_resume_refused(&self) -> bool {
        self.event.as_ref().is_some_and(|event| event.must_show)
    }

    /// Begins to publish a stop of this class. Returns its number and the breakpoints that callers
    /// see.
    pub(crate) fn begin_publish(&mut self, class: StopClass) -> (Epoch, Vec<BreakpointId>) {
        self.epoch = Epoch(self.epoch.0 + 1);
        self.saw_exception |= matches!(class, StopClass::Exception | StopClass::Panic);
        (self.epoch, self.visible.take().unwrap_or_default())
    }

    /// The stop with which the one that is to be published is compared.
    pub(crate) fn compared(&mut self) -> Option<&Arc<Stop>> {
        self.history.compared()
    }

    pub(crate) fn publish(&mut self, stop: Arc<Stop>) {
        (self.is_entering, self.is_read) = (false, false);
        self.history.publish(stop);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::dap::event::Stopped;
    use crate::session::values::reader::Changed;

    fn event() -> StopEvent {
        StopEvent {
            body: Stopped { reason: "breakpoint".into(), ..Stopped::default() },
            raw: json!({"reason": "breakpoint"}),
            pause_request: None,
            entering: false,
            output: String::new(),
            reads_types: false,
            watches: Vec::new(),
            must_show: false,
            by_instruction: false,
            lines: Vec::new(),
            in_library: false,
            changed: Changed::default(),
            maps: Arc::default(),
        }
    }

    fn hits(ids: &[u32]) -> Hits {
        Hits { adapter_ids: Vec::new(), ids: ids.iter().copied().map(BreakpointId).collect() }
    }

    /// Whether the debuggee stands, whether unseen, and whether its hits are known.
    fn state(stops: &Stops) -> (bool, bool, bool) {
        (stops.stands(), stops.is_unseen(), stops.are_hits_known())
    }

    #[test]
    fn stop_is_unseen_until_published_or_left() {
        let mut stops = Stops::new(true);
        assert_eq!(state(&stops), (false, false, false));
        stops.on_stopped(event(), hits(&[]), None);
        assert_eq!(state(&stops), (true, true, false));
        let left = stops.leave().unwrap();
        assert_eq!(state(&stops), (false, false, false));
        stops.stay_unseen(left);
        assert_eq!(state(&stops), (true, true, true));
        assert!(stops.was_resume_refused() && stops.is_entering());
    }

    #[test]
    fn hits_are_known_by_the_event_or_later() {
        let (one, two) = (BreakpointId(1), BreakpointId(2));
        let mut stops = Stops::new(false);
        stops.on_stopped(event(), hits(&[1, 2]), Some(vec![two]));
        assert_eq!(stops.begin_publish(StopClass::Breakpoint), (Epoch(1), vec![two]));
        stops.on_stopped(event(), hits(&[]), None);
        assert!(!stops.are_hits_known());
        stops.set_hits(vec![one]);
        assert!(stops.are_hits_known());
        stops.set_visible(Some(vec![one]));
        assert_eq!(stops.begin_publish(StopClass::Breakpoint), (Epoch(2), vec![one]));
        // Refused: the breakpoints of the stop, not those that were visible.
        stops.leave();
        stops.set_visible(Some(Vec::new()));
        let left = stops.take_left().unwrap();
        stops.stay_unseen(left);
        assert_eq!(stops.begin_publish(StopClass::Breakpoint), (Epoch(3), vec![one]));
        stops.leave();
        stops.on_stopped(event(), hits(&[]), None);
        assert!(stops.take_left().is_none());
    }

    #[test]
    fn step_may_end_at_a_breakpoint_that_the_adapter_does_not_name() {
        let mut stops = Stops::new(false);
        stops.on_stopped(event(), hits(&[]), None);
        assert!(!stops.is_at_unnamed_breakpoint());
        stops.set_visible(Some(Vec::new()));
        assert!(!stops.is_at_unnamed_breakpoint());
        stops.set_visible(Some(vec![BreakpointId(1)]));
        assert!(stops.is_at_unnamed_breakpoint());
        let named = Hits { adapter_ids: vec![1], ids: vec![BreakpointId(1)] };
        stops.on_stopped(event(), named, Some(vec![BreakpointId(1)]));
        assert!(!stops.is_at_unnamed_breakpoint());
    }

    #[test]
    fn end_of_a_step_has_no_hits() {
        let mut stops = Stops::new(false);
        stops.on_stopped(event(), hits(&[1]), None);
        stops.rename("step", None);
        let event = stops.event().unwrap();
        assert_eq!((event.body.reason.as_str(), &event.raw), ("step", &json!({"reason": "step"})));
        assert!(stops.hits().ids.is_empty());
    }

    #[test]
    fn exceptions_are_remembered() {
        let mut stops = Stops::new(false);
        stops.begin_publish(StopClass::Step);
        assert!(!stops.saw_exception());
        stops.begin_publish(StopClass::Panic);
        stops.begin_publish(StopClass::Step);
        assert!(stops.saw_exception());
    }
}
