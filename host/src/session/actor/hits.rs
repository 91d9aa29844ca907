//! The breakpoints that a stop has hit, and whether callers see the stop.
//!
//! Where the adapter does not report them, or may be wrong, the breakpoints at the place of the
//! stop count, as far as their conditions hold. Knows nothing of how log texts are written.

use std::collections::BTreeSet;

use regex::Regex;

use super::hidden_stops::AfterTexts;
use super::resumption::Resumption;
use super::state::generation::Generation;
use super::{Actor, Done, Phase, Signal};
use crate::model::{BreakpointId, Effects, Frame, Note, StopClass};
use crate::session::adapter::exceptions;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints::Raised;
use crate::session::stop::snapshot::Reading;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::reader::FrameReader;

/// The breakpoints at the place of a stop, after their conditions were evaluated.
pub(super) struct Judged {
    /// The breakpoints without a condition that is false.
    hit: Vec<BreakpointId>,
    /// One note for each condition that could not be evaluated.
    notes: Vec<Note>,
}

/// Whether callers see a stop.
pub(super) enum Visibility {
    Stop,
    /// No: only these log breakpoints were hit. May be empty: no hit counts.
    Log(Vec<BreakpointId>),
    /// Yes, and these log breakpoints were hit too.
    Both(Vec<BreakpointId>),
}

impl Actor {
    /// Counts a hit of each breakpoint. Returns whether callers see the stop, and for which
    /// breakpoints. Callers see neither hits of log breakpoints that the host writes nor hits that
    /// do not satisfy the hit condition. `again`: `dap::family` reports a stop
    /// again whose hits are counted.
    pub(super) fn count_hits(
        &mut self,
        hit: &[BreakpointId],
        again: bool,
    ) -> (Visibility, Option<Vec<BreakpointId>>) {
        if hit.is_empty() {
            return (Visibility::Stop, None);
        }
        if !again {
            self.breakpoints.count_stop(hit, &self.quirks);
        }
        let (mut logs, mut stops) = (Vec::new(), Vec::new());
        for id in hit.iter().copied() {
            if !again && !self.breakpoints.satisfies_hit_condition(id, &self.quirks) {
                continue;
            }
            if self.breakpoints.is_logged_by_host(id, &self.quirks) {
                logs.push(id);
            } else if self.breakpoints.is_retired(id) {
                // It is being removed; what would write its message is gone.
                self.breakpoints.suppress(id, 1);
            } else {
                stops.push(id);
            }
        }
        let visibility = match (stops.is_empty(), logs.is_empty()) {
            _ if again => Visibility::Stop,
            (true, _) => Visibility::Log(logs),
            (false, true) => Visibility::Stop,
            (false, false) => Visibility::Both(logs),
        };
        (visibility, Some(stops))
    }

    /// Finds the breakpoints of a stop that is read, where the event did not decide them; then
    /// publishes the stop or resumes. An adapter may report the id of a breakpoint only after it
    /// has stopped there, so the ids of the event are resolved again.
    pub(super) fn identify_hits(&mut self, reading: Reading) {
        let is_known = self.stops.are_hits_known();
        match (reading.class, self.quirks.untrue_after_step()) {
            (StopClass::Breakpoint, _) if !is_known => {}
            (StopClass::Step | StopClass::Entry, Some(untrue)) if !is_known => {
                return self.identify_hits_of_step(reading, untrue);
            }
            _ => return self.publish_with_hits(reading),
        }
        let adapter_ids = &self.stops.hits().adapter_ids;
        let unsure = self.breakpoints.is_unsure(adapter_ids, &self.quirks);
        let mut here: BTreeSet<BreakpointId> =
            self.breakpoints.identify(adapter_ids).into_iter().collect();
        if unsure || adapter_ids.is_empty() {
            here.extend(self.at_place(&reading));
        }
        if !adapter_ids.is_empty() {
            here.retain(|id| !self.breakpoints.is_short_of_hits(*id, adapter_ids, &self.quirks));
        }
        let here = self.breakpoints.stopping(here.into_iter().collect(), &self.quirks);
        let several = unsure
            || (here.len() > 1 && self.quirks.names_breakpoints_by_place())
            || self.breakpoints.has_replaced(&here);
        let doubtful = if several { self.breakpoints.conditions(&here) } else { Vec::new() };
        match self.wire.clone().filter(|_| !doubtful.is_empty()) {
            None => self.on_hits_known(here, reading),
            Some(wire) => {
                let pattern = self.quirks.untrue();
                let generation = self.motion.generation();
                self.reads.push(Box::pin(async move {
                    let top = reading.frames.first();
                    let judged = judge(&wire, top, here, doubtful, pattern).await;
                    Done::ConditionsRead(generation, judged, Box::new(reading))
                }));
            }
        }
    }

    /// Finds the breakpoints where a step has ended, which the adapter does not report.
    fn identify_hits_of_step(&mut self, reading: Reading, pattern: Regex) {
        // The host's own step to the first statement ends on it.
        let is_entry = reading.class == StopClass::Entry
            && self.stops.event().is_some_and(|event| event.body.reason == "step");
        let line = reading.frames.first().map_or(0, |frame| frame.line);
        let stepping = self.motion.stepping();
        let ends_at_line = is_entry || stepping.is_some_and(|step| step.ends_at_line(line));
        let mut here = if ends_at_line { self.at_place(&reading) } else { Vec::new() };
        if !is_entry && !stepping.is_some_and(|step| step.has_entered(&reading)) {
            self.breakpoints.retain_lines(&mut here);
        }
        let Some(wire) = self.wire.clone().filter(|_| !here.is_empty()) else {
            return self.publish(reading);
        };
        let (generation, doubtful) = (self.motion.generation(), self.breakpoints.conditions(&here));
        self.reads.push(Box::pin(async move {
            let top = reading.frames.first();
            let judged = judge(&wire, top, here, doubtful, Some(pattern)).await;
            Done::ConditionsRead(generation, judged, Box::new(reading))
        }));
    }

    pub(super) fn on_conditions_read(
        &mut self,
        generation: Generation,
        judged: Judged,
        reading: Reading,
    ) {
        if self.motion.is_present(generation) && self.phase == Phase::Stopped {
            self.notes.extend(judged.notes);
            self.on_hits_known(judged.hit, reading);
        }
    }

    fn on_hits_known(&mut self, here: Vec<BreakpointId>, mut reading: Reading) {
        let hit = if here.is_empty() {
            self.breakpoints.unconditional_at(&self.stops.hits().adapter_ids, &self.quirks)
        } else {
            here
        };
        if hit.is_empty() && self.is_step_end(&reading) {
            reading.class = StopClass::Step;
        }
        let again = self.stops.is_repeated();
        let (visibility, visible) = self.count_hits(&hit, again);
        // The end of a step is a stop in any case, and so is the entry.
        let is_step = matches!(reading.class, StopClass::Step | StopClass::Entry);
        self.stops.set_hits(hit);
        self.stops.set_visible(visible);
        match visibility {
            Visibility::Log(ids) if is_step => self.write_log_texts(
                ids,
                self.motion.thread(),
                AfterTexts::Then(Resumption::Publish),
            ),
            Visibility::Stop => self.publish_with_hits(reading),
            Visibility::Both(ids) => self.write_log_texts(
                ids,
                self.motion.thread(),
                AfterTexts::Then(Resumption::Publish),
            ),
            Visibility::Log(ids) => {
                self.signal(Signal::Resumed);
                self.write_log_texts(ids, self.motion.thread(), AfterTexts::LeaveStop);
            }
        }
    }

    /// Some adapters report the end of a step as a breakpoint, without an id.
    fn is_step_end(&self, reading: &Reading) -> bool {
        let is_breakpoint =
            self.stops.event().is_some_and(|event| event.body.reason == "breakpoint");
        is_breakpoint
            && self.stops.hits().adapter_ids.is_empty()
            && self.motion.stepping().is_some_and(|step| step.ends_at(reading))
    }

    /// Publishes a stop whose hits are known: a step that ends at a breakpoint is a stop at it. The
    /// stop may be read again after the log texts are written, so the class follows from the hits.
    fn publish_with_hits(&mut self, mut reading: Reading) {
        let is_step = matches!(reading.class, StopClass::Step | StopClass::Entry);
        if is_step && self.stops.is_at_unnamed_breakpoint() {
            reading.class = StopClass::Breakpoint;
        }
        self.count_raised(&reading);
        self.publish(reading);
    }

    /// Counts a hit of each breakpoint on exceptions that the exception of a stop fits.
    fn count_raised(&mut self, reading: &Reading) {
        let is_raised = matches!(
            reading.class,
            StopClass::Exception | StopClass::Panic | StopClass::Assertion | StopClass::Signal
        );
        if !is_raised || !self.breakpoints.chooses_exceptions() {
            return;
        }
        let own = exceptions::known(self.plugin.manifest(), self.wire.as_ref());
        let Reading { class, types, first_chance, .. } = reading;
        let raised = Raised { class: *class, types, first_chance: *first_chance };
        let hit = self.breakpoints.raised(&raised, &own);
        if !self.stops.is_repeated() {
            self.breakpoints.count_stop(&hit, &self.quirks);
        }
        self.stops.add_visible(hit);
    }

    fn at_place(&self, reading: &Reading) -> Vec<BreakpointId> {
        let Some(frame) = reading.frames.first() else { return Vec::new() };
        let Some(path) = frame.path.as_deref() else { return Vec::new() };
        self.breakpoints.at(path, frame.line, &frame.name, &self.quirks)
    }

    /// Whether a breakpoint of the caller is at the place of the stop, or may have moved there.
    pub(super) fn may_be_callers(&self, reading: &Reading) -> bool {
        let top =
            reading.frames.first().and_then(|frame| Some((frame.path.as_deref()?, frame.line)));
        let moved =
            top.is_some_and(|(path, line)| self.breakpoints.may_move_to(path, line, &self.quirks));
        moved || !self.at_place(reading).is_empty()
    }
}

/// Evaluates the conditions in the frame. A breakpoint is not hit if the value matches the pattern;
/// without a pattern none of them is. A condition that cannot be evaluated is not false.
async fn judge(
    wire: &Wire,
    frame: Option<&Frame>,
    here: Vec<BreakpointId>,
    doubtful: Vec<(BreakpointId, String)>,
    untrue: Option<Regex>,
) -> Judged {
    let mut judged = Judged { hit: here, notes: Vec::new() };
    let target = FrameReader::new(frame, wire);
    for (id, condition) in doubtful {
        let is_untrue = match &untrue {
            None => true,
            Some(untrue) => {
                match evaluate_one(&target, frame, &condition, Effects::None).await.result {
                    Ok(variable) => untrue.is_match(&variable.value),
                    Err(why) => {
                        judged.notes.push(Note::ConditionUnread { id, condition, why });
                        false
                    }
                }
            }
        };
        if is_untrue {
            judged.hit.retain(|hit| *hit != id);
        }
    }
    judged
}
