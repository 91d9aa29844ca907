//! Stops: from the `stopped` event to the stop that callers see.
//!
//! Sends no request itself: `stop::snapshot` reads a stop; `moves` and `hidden_stops` leave it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::hidden_stops::AfterTexts;
use super::hits::Visibility;
use super::resumption::{Resumption, Stepping};
use super::state::generation::Generation;
use super::state::stops::Hits;
use super::{Actor, Done, NearestCode, Phase, Signal};
use crate::dap;
use crate::dap::event::Stopped;
use crate::model::{
    Before, Binding, Breakpoint, Happening, Note, Place, StepKind, Stop, StopClass, ThreadId,
};
use crate::session::breakpoints::Codeless;
use crate::session::stop::event::StopEvent;
use crate::session::stop::focus::FRAMES;
use crate::session::stop::snapshot::{self, Reading};
use crate::session::values::shadows::Listed;
use crate::session::{Error, stop::changes};

/// Repeats of a pause whose stop a rule of the adapter hides.
const PAUSES: u32 = 5;

impl Actor {
    pub(super) fn on_stopped(&mut self, body: Stopped, raw: serde_json::Value) {
        if matches!(self.phase, Phase::Preparing | Phase::Ending | Phase::Ended) {
            return;
        }
        self.answer_queued_pauses();
        self.read_printed();
        let adapter_ids = body.hit_breakpoint_ids.clone();
        let ids = if self.breakpoints.is_unsure(&adapter_ids, &self.quirks) {
            Vec::new()
        } else {
            self.breakpoints.identify(&adapter_ids)
        };
        let (visibility, visible) = self.count_hits(&ids, body.again);
        let thread = body.thread_id.map(ThreadId).or(self.motion.thread());
        if let (Phase::Stopped, Visibility::Log(logs)) = (self.phase, &visibility) {
            // Another thread, while a stop is current or being read: the next move resumes both.
            return self.write_log_texts(
                logs.clone(),
                thread,
                AfterTexts::Then(Resumption::Nothing),
            );
        }
        self.side_effects.on_stopped();
        self.debuggee.on_started();
        self.answer_move();
        self.motion.on_stopped(thread, body.all_threads_stopped == Some(false));
        let stepped = body.reason == "step" && adapter_ids.is_empty();
        let event = StopEvent {
            must_show: false,
            by_instruction: self.motion.stepping().is_some_and(Stepping::by_instruction),
            lines: self.breakpoints.lines(),
            in_library: self.stops.last().is_some_and(|stop| stop.displays_library()),
            raw,
            pause_request: self.pausing.request(),
            entering: self.stops.is_entering(),
            output: self.output.tail(),
            reads_types: self.breakpoints.chooses_exceptions(),
            watches: self.watches.clone(),
            changed: self.side_effects.of(thread),
            body,
            maps: self.code.source_maps.clone(),
        };
        self.stops.on_stopped(event, Hits { adapter_ids, ids }, visible);
        if self.take_halt() {
            return self.apply_queued_edits();
        }
        let own_step_ended = self.motion.take_own_step() == Some(StepKind::Out) && stepped;
        match visibility {
            Visibility::Stop if own_step_ended && !self.pausing.is_wanted() => {
                self.leave_hidden_stop(thread)
            }
            Visibility::Stop => self.signal(Signal::Stopped),
            Visibility::Log(logs) => self.write_log_texts(logs, thread, AfterTexts::LeaveStop),
            Visibility::Both(logs) => {
                self.write_log_texts(logs, thread, AfterTexts::Then(Resumption::Publish))
            }
        }
        if self.phase == Phase::Stopped {
            self.apply_queued_edits();
        }
    }

    /// Reads the stop.
    pub(super) fn snapshot(&mut self) {
        let (Some(wire), Some(event)) = (self.wire.clone(), self.stops.event().cloned()) else {
            return;
        };
        let generation = self.motion.generation();
        self.reads.push(Box::pin(async move {
            Done::Read(generation, Box::new(snapshot::read(wire, event).await))
        }));
    }

    pub(super) fn on_read(&mut self, generation: Generation, reading: Result<Reading, dap::Error>) {
        if !self.motion.is_present(generation) || self.phase != Phase::Stopped {
            return;
        }
        let reading = match reading {
            Ok(reading) => reading,
            Err(error) => return self.fail(Error::from_dap(&error, &self.quirks)),
        };
        match reading.resume.clone().filter(|_| self.rule_may_resume(&reading)) {
            Some(how) => {
                if reading.class == StopClass::Entry {
                    self.stops.expect_entry();
                }
                self.pausing.repeat();
                self.signal(Signal::Resumed);
                self.resume_hidden(how);
            }
            None => self.find_nearest_code(reading),
        }
    }

    /// Whether a rule of the adapter may resume this stop. A pause is published wherever it stops,
    /// unless the rule repeats it, at most [`PAUSES`] times. A breakpoint that looks like the
    /// adapter's own may be one of the caller's.
    fn rule_may_resume(&self, reading: &Reading) -> bool {
        let callers = reading.class == StopClass::Breakpoint && self.may_be_callers(reading);
        !callers
            && self
                .pausing
                .request()
                .is_none_or(|pause| reading.repeats_pause && pause.repeats < PAUSES)
            && !self.stops.was_resume_refused()
    }

    /// Looks up the code nearest to earlier breakpoints without code: the stop reports it.
    fn find_nearest_code(&mut self, reading: Reading) {
        self.breakpoints.settle(&self.quirks);
        let unlocated = if self.edits.is_sent() {
            Codeless::default()
        } else {
            self.breakpoints.take_codeless()
        };
        let generation = self.motion.generation();
        match self.nearest_code(unlocated) {
            Some(search) => self.reads.push(Box::pin(async move {
                Done::NearestFound(generation, search.await, Box::new(reading))
            })),
            None => self.identify_hits(reading),
        }
    }

    pub(super) fn on_nearest_found(
        &mut self,
        generation: Generation,
        found: NearestCode,
        reading: Reading,
    ) {
        self.breakpoints.set_nearest(found, &self.quirks);
        self.sync();
        if self.motion.is_present(generation) && self.phase == Phase::Stopped {
            self.identify_hits(reading);
        }
    }

    /// Makes the stop current and answers those that wait for it.
    pub(super) fn publish(&mut self, reading: Reading) {
        let (epoch, hit) = self.stops.begin_publish(reading.class);
        self.motion.set_thread(reading.thread.id);
        let unread = reading.stack_error.as_ref();
        self.notes.extend(unread.cloned().map(Note::StackUnread));
        let not_entered = self.not_entered(&reading);
        self.notes.extend(not_entered);
        let sources = [self.source_newer(&reading), reading.missing_source.clone()];
        self.notes.extend(sources.into_iter().flatten());
        let ran_on = reading.ran_on.map(|line| {
            let ty = reading.types.first().cloned().unwrap_or_else(|| reading.title.clone());
            Note::RanOn { line, ty }
        });
        self.notes.extend(ran_on);
        let run_to = self.motion.take_run_to();
        let reached = run_to.is_some_and(|id| hit.contains(&id));
        if let Some(id) = run_to.filter(|_| !reached) {
            self.notes.extend(self.breakpoints.missed(id, Before::Stop));
        }
        self.notes.extend(hit.iter().filter_map(|id| self.breakpoints.moved(*id)));
        let top = reading.frames.first().and_then(|frame| frame.path.as_deref());
        self.breakpoints.found_in(&hit, top);
        self.breakpoints.settle(&self.quirks);
        let before = self.stops.compared().cloned();
        let changes = before.as_ref().filter(|before| same_call(before, &reading)).map(|before| {
            let then = Listed::new(&before.locals, before.arguments.unwrap_or(0));
            let now = Listed::new(&reading.locals, reading.arguments.unwrap_or(0));
            (before.epoch, changes::changes(then, now, &self.quirks))
        });
        let from = before.as_ref().and_then(|before| before.frames.get(before.focus).cloned());
        let stop = Arc::new(Stop {
            session: self.identity.id.clone(),
            epoch,
            class: reading.class,
            title: reading.title,
            detail: reading.detail,
            first_chance: reading.first_chance,
            types: reading.types,
            causes: reading.causes,
            hit: self.breakpoints.visible(&hit),
            reached,
            thread: reading.thread,
            threads: reading.threads,
            thread_list: reading.thread_list,
            waits: reading.waits,
            more_frames: reading.total_frames.is_none() && reading.frames.len() as i64 >= FRAMES,
            frames: reading.frames,
            total_frames: reading.total_frames,
            focus: reading.focus,
            origin: reading.origin,
            source: reading.source,
            instruction: reading.instruction,
            locals: reading.locals,
            arguments: reading.arguments,
            more_locals: reading.more_locals,
            locals_error: reading.locals_error,
            changes,
            from,
            watches: reading.watches,
            output: self.output.news(),
            post_mortem: self.debuggee.is_post_mortem(),
            others_run: self.motion.others_run(),
            log_hits: self.log_hits.take_news(),
            elapsed: self.motion.since().elapsed(),
            built: self.code.build_time.take(),
            notes: std::mem::take(&mut self.notes),
        });
        self.output.mark_seen();
        self.pausing.end();
        if self.breakpoints.drop_temporary() {
            self.sync();
        }
        let at =
            stop.frames.get(stop.focus).map(|frame| format!("{} line {}", frame.name, frame.line));
        self.log.add(format!("stop {}: {:?} {}", stop.epoch.0, stop.class, at.unwrap_or_default()));
        for note in &stop.notes {
            // The text of a stop names the log for the notes that it leaves out.
            self.log.add(format!("note: {note:?}"));
        }
        self.stops.publish(stop.clone());
        // Before the answers: a caller that has the stop finds its event.
        self.reporter.stopped(&stop, || self.hit_at(&stop));
        self.journal.push(Happening::Stopped(stop));
    }

    fn hit_at(&self, stop: &Stop) -> Vec<Breakpoint> {
        stop.hit.iter().filter_map(|id| self.breakpoints.get(*id)).collect()
    }

    /// The note for a source that is newer than the code that runs. Repeated at each stop there:
    /// each shows lines that may not fit.
    fn source_newer(&self, reading: &Reading) -> Option<Note> {
        let path = reading.frames.get(reading.origin.unwrap_or(reading.focus))?.path.clone()?;
        let is_newer = reading.source.modified? > reading.generated.or(self.code.built_at)?;
        is_newer.then_some(Note::SourceIsNewer { path })
    }

    /// Notes for sources with breakpoints that were never hit and that are newer than the code that
    /// ran.
    pub(super) fn sources_newer_than_program(&self) -> Vec<Note> {
        let mut paths = BTreeSet::new();
        for breakpoint in self.breakpoints.list() {
            if breakpoint.hits == 0
                && self.is_in_program(&breakpoint)
                && let Place::Line { path, .. } = breakpoint.spec.place
            {
                paths.insert(path);
            }
        }
        let mut notes = Vec::new();
        for path in paths {
            let built = self.code.source_maps.generated(&path).or(self.code.built_at);
            let modified = path.metadata().and_then(|file| file.modified()).ok();
            if built.zip(modified).is_some_and(|(built, modified)| modified > built) {
                notes.push(Note::SourceIsNewer { path });
            }
        }
        notes
    }

    /// Whether the source of a breakpoint is known to be one of the program's.
    fn is_in_program(&self, breakpoint: &Breakpoint) -> bool {
        match (&breakpoint.binding, &breakpoint.spec.place) {
            (Binding::Bound { .. }, _) => true,
            (Binding::Refused { nearest, .. }, _) if !nearest.is_empty() => true,
            (_, Place::Line { path, .. }) => self.code.source_maps.generated(path).is_some(),
            (_, Place::Function(_) | Place::Exception(_)) => false,
        }
    }
}

/// Whether both stops are in the same call of the same function, so that locals can be compared.
fn same_call(before: &Stop, now: &Reading) -> bool {
    let depth_before = before.total_frames.map_or(before.frames.len(), |total| total as usize);
    let depth_now = now.total_frames.map_or(now.frames.len(), |total| total as usize);
    let frame_before = before.frames.get(before.focus).map(|frame| (&frame.name, &frame.path));
    let frame_now = now.frames.get(now.focus).map(|frame| (&frame.name, &frame.path));
    frame_before == frame_now
        && before.thread.id == now.thread.id
        && depth_before - before.focus == depth_now - now.focus
}
