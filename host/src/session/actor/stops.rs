//! Stops: which of them the caller sees, and what a stop is made of.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use dapdock_schema::{HitIds, LogPiece, Profile, log_pieces};
use tokio::time::Instant;

use super::onward::{self, Goes, Onward, Stepping};
use super::{Actor, Beside, Done, Moving, Phase, Signal};
use crate::dap::arguments::StackTraceArguments;
use crate::dap::event::Stopped;
use crate::dap::{self, request};
use crate::model::{
    Before, Binding, BreakpointId, Effects, Epoch, Frame, Happening, LogHit, Note, Place, Resume,
    StepKind, Stop, StopClass, ThreadId,
};
use crate::pattern;
use crate::session::adapter::wire::Wire;
use crate::session::breakpoints::Codeless;
use crate::session::breakpoints::logpoint;
use crate::session::stop::event::{PauseRequest, StopEvent};
use crate::session::stop::focus::FRAMES;
use crate::session::stop::snapshot::{self, Reading};
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::reader::FrameReader;
use crate::session::{
    Error,
    stop::{changes, threads},
    values::convert,
};

/// How often a pause is asked for again that stands where there is nothing to see.
const PAUSES: u32 = 5;

/// What a stop is to the caller.
enum Shown {
    Stop,
    /// Nothing but hits of these log breakpoints, possibly none that counts.
    Log(Vec<BreakpointId>),
    /// Both at one place.
    Both(Vec<BreakpointId>),
}

impl Actor {
    pub(super) fn on_stopped(&mut self, body: Stopped, raw: serde_json::Value) {
        if matches!(self.phase, Phase::Preparing | Phase::Ending | Phase::Ended) {
            return;
        }
        self.left_and_stopped();
        self.hear_printed();
        let hit = match self.breakpoints.is_unsure(&body.hit_breakpoint_ids, &self.profile) {
            true => Vec::new(),
            false => self.breakpoints.identify(&body.hit_breakpoint_ids),
        };
        let (shown, counted) = self.shown(&hit, body.again);
        let thread = body.thread_id.map(ThreadId).or(self.thread);
        if let (Phase::Stopped, Shown::Log(ids)) = (self.phase, &shown) {
            // Another thread, while a stop is being told: it goes on with the others.
            return self.log_hit(ids.clone(), thread, Some(Onward::Rest));
        }
        self.generation += 1;
        self.was_started = true;
        self.answer_move();
        self.thread = thread;
        self.stands_alone = body.all_threads_stopped == Some(false);
        self.hit = (body.hit_breakpoint_ids.clone(), hit);
        self.stop = None;
        self.counted = counted;
        self.pause = Some(StopEvent {
            must_show: false,
            by_instruction: self.stepping.is_some_and(Stepping::by_instruction),
            raw,
            pause_request: self.pausing,
            entering: self.entering,
            output: self.output.tail(),
            watches: self.watches.clone(),
            body,
            maps: self.maps.clone(),
        });
        if self.halted() {
            return self.do_held();
        }
        let stepped = self.pause.as_ref().is_some_and(|pause| pause.body.reason == "step");
        let walked_out =
            self.finishing.take() == Some(StepKind::Out) && self.hit.0.is_empty() && stepped;
        match shown {
            Shown::Stop if walked_out && self.pausing.is_none() => {
                self.log_hit(Vec::new(), thread, None)
            }
            Shown::Stop => self.signal(Signal::Stopped),
            Shown::Log(ids) => self.log_hit(ids, thread, None),
            Shown::Both(ids) => self.log_hit(ids, thread, Some(Onward::Stay)),
        }
        if self.phase == Phase::Stopped {
            self.do_held();
        }
    }

    /// Counts a hit of each. Does the caller see this stop, and for which of them? Hits of log
    /// breakpoints that the host writes, and hits that do not count, are gone from. A stop that is
    /// told `again` was seen, and hits nothing.
    fn shown(&mut self, hit: &[BreakpointId], again: bool) -> (Shown, Option<Vec<BreakpointId>>) {
        if hit.is_empty() {
            return (Shown::Stop, None);
        }
        if again {
            let stops =
                hit.iter().filter(|id| !self.breakpoints.is_logged_by_host(**id, &self.profile));
            return (Shown::Stop, Some(stops.copied().collect()));
        }
        self.breakpoints.count_stop(hit, &self.profile);
        let counts =
            |id: &BreakpointId| self.breakpoints.satisfies_hit_condition(*id, &self.profile);
        let (logs, stops): (Vec<BreakpointId>, Vec<BreakpointId>) = hit
            .iter()
            .copied()
            .filter(counts)
            .partition(|id| self.breakpoints.is_logged_by_host(*id, &self.profile));
        let shown = match (stops.is_empty(), logs.is_empty()) {
            (true, _) => Shown::Log(logs),
            (false, true) => Shown::Stop,
            (false, false) => Shown::Both(logs),
        };
        (shown, Some(stops))
    }

    /// Evaluates log breakpoints' texts and goes on, unless told otherwise; to the caller the
    /// debuggee never stopped.
    pub(super) fn log_hit(
        &mut self,
        ids: Vec<BreakpointId>,
        thread: Option<ThreadId>,
        onward: Option<Onward>,
    ) {
        let mut texts = Vec::new();
        for id in ids {
            let Some(breakpoint) = self.breakpoints.get(id) else { continue };
            match (logpoint::is_let_through(&breakpoint), self.breakpoints.log_text(id)) {
                (true, Some(text)) => texts.push((id, breakpoint.hits, text)),
                _ => self.breakpoints.suppress(id),
            }
        }
        let (Some(wire), generation) = (self.wire.clone(), self.generation) else { return };
        let (profile, stepping) = (self.profile.clone(), self.stepping);
        self.flows.push(Box::pin(async move {
            let hits = render(&wire, &profile, thread, texts).await;
            let onward = match onward {
                Some(onward) => onward,
                None => onward::after_unseen(&wire, thread, stepping).await,
            };
            Done::Logged(generation, hits, onward)
        }));
    }

    pub(super) fn on_logged(&mut self, generation: u32, hits: Vec<LogHit>, onward: Onward) {
        hits.into_iter().for_each(|hit| self.record(hit));
        if generation != self.generation || matches!(self.phase, Phase::Ending | Phase::Ended) {
            return;
        }
        match onward {
            Onward::Rest => {}
            Onward::Stay => {
                self.signal(Signal::Stopped);
                self.do_held();
            }
            Onward::Arrived => self.show_as("step"),
            _ if self.pausing.is_some() => self.show_as("pause"),
            Onward::Move(how) => self.go_unseen(how),
        }
    }

    /// Shows a stop whose own reason, the log breakpoint, has been dealt with.
    fn show_as(&mut self, reason: &str) {
        self.hit = Default::default();
        if let Some(pause) = &mut self.pause {
            pause.body.reason = reason.to_owned();
        }
        self.signal(Signal::Stopped);
    }

    /// Goes on from a stop that the caller does not see.
    fn go_unseen(&mut self, how: Resume) {
        self.generation += 1;
        self.leave();
        let generation = self.generation;
        self.finishing = match &how {
            Resume::Step(step) => Some(step.kind),
            _ => None,
        };
        // A pause may be of no thread; then all go on.
        let (thread, goes) = match self.alone {
            Some(thread) => (thread, Goes::Alone),
            None => (self.thread.unwrap_or(ThreadId(0)), Goes::WithAll),
        };
        let Some(wire) = self.wire.clone() else { return };
        self.moving =
            Some(Moving { reply: None, left: self.pause.take(), behind: None, generation });
        self.flows.push(Box::pin(async move {
            Done::Moved(generation, onward::send(&wire, &how, thread, goes).await)
        }));
    }

    /// Reads the stop.
    pub(super) fn snapshot(&mut self) {
        let (Some(wire), Some(pause)) = (self.wire.clone(), self.pause.clone()) else { return };
        let (profile, generation) = (self.profile.clone(), self.generation);
        self.reads.push(Box::pin(async move {
            Done::Read(generation, Box::new(snapshot::read(wire, profile, pause).await))
        }));
    }

    pub(super) fn on_read(&mut self, generation: u32, reading: Result<Reading, dap::Error>) {
        if generation != self.generation || self.phase != Phase::Stopped {
            return;
        }
        match reading {
            Ok(reading) => {
                match reading.resumption.clone().filter(|_| self.goes_on(&reading) && !self.stays())
                {
                    Some(how) => {
                        self.pausing = self.pausing.map(PauseRequest::repeated);
                        self.signal(Signal::Resumed);
                        self.go_unseen(how);
                    }
                    None => self.look_beside(reading),
                }
            }
            Err(error) => self.fail(Error::from_dap(&error, &self.profile)),
        }
    }

    /// A pause is shown wherever it comes, unless a rule asks for it anew, which it does so often
    /// only. What a rule takes for a breakpoint of the adapter's own may be one of the caller's.
    fn goes_on(&self, reading: &Reading) -> bool {
        let callers = reading.class == StopClass::Breakpoint && self.may_be_callers(reading);
        !callers
            && self.pausing.is_none_or(|pausing| reading.repeats_pause && pausing.repeats < PAUSES)
    }

    /// Of breakpoints that were set before, whoever hears of this stop learns what is beside those
    /// without code.
    fn look_beside(&mut self, reading: Reading) {
        self.breakpoints.settle(&self.profile);
        let unlocated =
            if self.syncing { Codeless::default() } else { self.breakpoints.take_codeless() };
        let generation = self.generation;
        match self.beside(unlocated) {
            Some(looked) => self.reads.push(Box::pin(async move {
                Done::Beside(generation, looked.await, Box::new(reading))
            })),
            None => self.judge(reading),
        }
    }

    pub(super) fn on_beside(&mut self, generation: u32, found: Beside, reading: Reading) {
        self.breakpoints.set_nearest(found, &self.profile);
        if generation == self.generation && self.phase == Phase::Stopped {
            self.judge(reading);
        }
    }

    /// Shows the stop. Where the adapter does not say which breakpoints it hit, or may be wrong,
    /// those at its place may have it unseen, beside those that it named; so may one whose number
    /// it said only afterwards.
    fn judge(&mut self, reading: Reading) {
        if self.counted.is_some()
            || !self.hit.1.is_empty()
            || reading.class != StopClass::Breakpoint
        {
            return self.publish(reading);
        }
        let unsure = self.breakpoints.is_unsure(&self.hit.0, &self.profile);
        let mut here: BTreeSet<BreakpointId> =
            self.breakpoints.identify(&self.hit.0).into_iter().collect();
        if unsure || self.hit.0.is_empty() {
            here.extend(self.at_place(&reading));
        }
        let here: Vec<BreakpointId> = here.into_iter().collect();
        let several = unsure || (here.len() > 1 && self.profile.hit_ids == HitIds::Place);
        let doubtful = if several { self.breakpoints.conditions(&here) } else { Vec::new() };
        match self.wire.clone().filter(|_| !doubtful.is_empty()) {
            None => self.judged(here, reading),
            Some(wire) => {
                let (generation, profile) = (self.generation, self.profile.clone());
                self.reads.push(Box::pin(async move {
                    let untrue = untrue(&wire, &profile, reading.frames.first(), doubtful).await;
                    let hit = here.into_iter().filter(|id| !untrue.contains(id)).collect();
                    Done::Held(generation, hit, Box::new(reading))
                }));
            }
        }
    }

    pub(super) fn on_held(&mut self, generation: u32, hit: Vec<BreakpointId>, reading: Reading) {
        if generation == self.generation && self.phase == Phase::Stopped {
            self.judged(hit, reading);
        }
    }

    fn judged(&mut self, here: Vec<BreakpointId>, reading: Reading) {
        let hit = if here.is_empty() {
            self.breakpoints.unconditional_at(&self.hit.0, &self.profile)
        } else {
            here
        };
        self.hit.1.clone_from(&hit);
        let (shown, counted) =
            self.shown(&hit, self.pause.as_ref().is_some_and(|pause| pause.body.again));
        self.counted = counted;
        match shown {
            Shown::Stop => self.publish(reading),
            Shown::Both(ids) => self.log_hit(ids, self.thread, Some(Onward::Stay)),
            Shown::Log(ids) => {
                self.signal(Signal::Resumed);
                self.log_hit(ids, self.thread, None);
            }
        }
    }

    fn at_place(&self, reading: &Reading) -> Vec<BreakpointId> {
        let Some(frame) = reading.frames.first() else { return Vec::new() };
        let at = |path| self.breakpoints.at(path, frame.line, &frame.name, &self.profile);
        frame.path.as_deref().map(at).unwrap_or_default()
    }

    /// Is one of the caller's breakpoints at its place, or may one have come there?
    fn may_be_callers(&self, reading: &Reading) -> bool {
        let top =
            reading.frames.first().and_then(|frame| Some((frame.path.as_deref()?, frame.line)));
        let moved =
            top.is_some_and(|(path, line)| self.breakpoints.may_move_to(path, line, &self.profile));
        moved || !self.at_place(reading).is_empty()
    }

    /// Has the adapter refused to go on from here?
    fn stays(&self) -> bool {
        self.pause.as_ref().is_some_and(|pause| pause.must_show)
    }

    fn publish(&mut self, reading: Reading) {
        self.epoch = Epoch(self.epoch.0 + 1);
        self.thread = Some(reading.thread.id);
        self.saw_exception |= matches!(reading.class, StopClass::Exception | StopClass::Panic);
        let unread = reading.stack_error.as_ref();
        self.notes.extend(unread.cloned().map(Note::StackUnread));
        let not_entered = self.not_entered(&reading);
        self.notes.extend(not_entered);
        let sources = [self.newer(&reading), reading.missing_source.clone()];
        self.notes.extend(sources.into_iter().flatten());
        let hit = self.counted.take().unwrap_or_default();
        if let Some(id) = self.until.take().filter(|id| !hit.contains(id)) {
            self.notes.extend(self.breakpoints.missed(id, Before::Stop));
        }
        self.notes.extend(hit.iter().filter_map(|id| self.breakpoints.moved(*id)));
        self.breakpoints.settle(&self.profile);
        if std::mem::take(&mut self.untold) {
            self.previous = self.earlier.take();
        }
        let changes =
            self.previous.as_ref().filter(|before| same_call(before, &reading)).map(|before| {
                (before.epoch, changes::changes(&before.locals, &reading.locals, &self.profile))
            });
        let stop = Arc::new(Stop {
            session: self.id.clone(),
            epoch: self.epoch,
            class: reading.class,
            title: reading.title,
            detail: reading.detail,
            hit: self.breakpoints.visible(&hit),
            thread: reading.thread,
            threads: reading.threads,
            waits: reading.waits,
            more_frames: reading.total_frames.is_none() && reading.frames.len() as i64 >= FRAMES,
            frames: reading.frames,
            total_frames: reading.total_frames,
            focus: reading.focus,
            origin: reading.origin,
            source: reading.source,
            instruction: reading.instruction,
            locals: reading.locals,
            locals_error: reading.locals_error,
            changes,
            watches: reading.watches,
            output: self.output.news(),
            post_mortem: self.ended_before,
            log_hits: self.logged.take_news(),
            elapsed: self.moved.elapsed(),
            built: self.built.take(),
            notes: std::mem::take(&mut self.notes),
        });
        self.output.mark_seen();
        (self.pausing, self.entering) = (None, false);
        if self.breakpoints.drop_temporary() {
            self.sync();
        }
        let at =
            stop.frames.get(stop.focus).map(|frame| format!("{} line {}", frame.name, frame.line));
        self.log.add(format!("stop {}: {:?} {}", stop.epoch.0, stop.class, at.unwrap_or_default()));
        self.stop = Some(stop.clone());
        self.earlier = self.previous.replace(stop.clone());
        self.journal.push(Happening::Stopped(stop));
    }

    /// Is the source that is shown younger than what runs? Told at each stop there: each shows
    /// lines that may not fit.
    fn newer(&self, reading: &Reading) -> Option<Note> {
        let path = reading.frames.get(reading.origin.unwrap_or(reading.focus))?.path.clone()?;
        let younger = reading.source.modified? > reading.generated.or(self.made)?;
        younger.then_some(Note::SourceIsNewer { path })
    }

    /// Of sources of the program whose breakpoints were never hit, those that are younger than what
    /// ran.
    pub(super) fn newer_than_run(&self) -> Vec<Note> {
        let missed = self.breakpoints.list().into_iter().filter(|one| one.hits == 0);
        let is_made = |place: &Place| matches!(place, Place::Line { path, .. } if self.maps.generated(path).is_some());
        let known = missed.filter(|one| match &one.binding {
            Binding::Bound { .. } => true,
            Binding::Refused { nearest, .. } if !nearest.is_empty() => true,
            _ => is_made(&one.spec.place),
        });
        let paths: BTreeSet<_> = known
            .filter_map(|one| match one.spec.place {
                Place::Line { path, .. } => Some(path),
                Place::Function(_) => None,
            })
            .collect();
        let younger = |path: &PathBuf| {
            let made = self.maps.generated(path).or(self.made);
            made.is_some_and(|made| {
                path.metadata().and_then(|file| file.modified()).is_ok_and(|at| at > made)
            })
        };
        paths.into_iter().filter(younger).map(|path| Note::SourceIsNewer { path }).collect()
    }

    /// A move whose answer lags behind its effect is settled by the effect.
    pub(super) fn answer_move(&mut self) {
        if let Some((reply, cursor)) = self.moving.take().and_then(|moving| moving.reply) {
            reply.send(Ok(cursor));
        }
    }

    pub(super) fn on_moved(&mut self, generation: u32, result: Result<(), dap::Error>) {
        let Some(moving) = self.moving.take_if(|moving| moving.generation == generation) else {
            return;
        };
        if result.is_err() {
            self.left();
        }
        match (moved(result), moving.reply) {
            (Moved::Yes, Some((reply, cursor))) => reply.send(Ok(cursor)),
            // Who waits for what comes hears of its end.
            (Moved::No(_), Some((reply, cursor))) if self.is_gone() => {
                reply.send(Ok(cursor));
                self.signal(Signal::Over);
            }
            (Moved::No(error), Some((reply, _))) if generation == self.generation => {
                self.signal(Signal::Refused);
                self.stop.clone_from(&self.previous);
                reply.send(Err(Error::from_dap(&error, &self.profile)));
            }
            (Moved::No(error), None) if generation == self.generation => {
                self.on_stuck(moving.left, convert::message(&error, &self.profile))
            }
            // It has the move, and comes to it.
            (Moved::Perhaps(_), Some((reply, cursor))) if moving.behind.is_some() => {
                self.behind = moving.behind;
                reply.send(Ok(cursor));
            }
            (Moved::Perhaps(error), Some((reply, _))) => {
                reply.send(Err(Error::from_dap(&error, &self.profile)))
            }
            (Moved::Perhaps(error), None) => {
                self.log.add(format!("it may or may not go on: {error}"));
                self.halt_again();
                self.pause_again();
            }
            (Moved::Yes, None) => {
                self.halt_again();
                self.pause_again();
            }
            (Moved::No(_), _) => {}
        }
    }

    /// The adapter refused to go on from a stop that nobody looks at any more: the debuggee stands,
    /// and the caller sees it. `why`: the adapter's words.
    pub(super) fn on_stuck(&mut self, left: Option<StopEvent>, why: String) {
        let Some(pause) = left.filter(|_| self.phase == Phase::Running) else { return };
        self.pause = Some(StopEvent { must_show: true, ..pause });
        self.finishing = None;
        // They are counted already.
        self.counted = Some(self.hit.1.clone());
        self.notes.push(Note::Stays(why));
        self.signal(Signal::Stopped);
    }

    /// The debuggee is about to move.
    pub(super) fn begin_move(&mut self) {
        self.generation += 1;
        self.leave();
        (self.stop, self.pause, self.finishing, self.aimed, self.behind) =
            (None, None, None, None, None);
        self.set.clear();
        self.acted = false;
        if !self.untold {
            self.moved = Instant::now();
            self.look();
        }
        self.signal(Signal::Resumed);
    }
}

/// What an answer to a move proves.
enum Moved {
    Yes,
    No(dap::Error),
    /// Nothing: the debuggee counts as running until the adapter says otherwise.
    Perhaps(dap::Error),
}

fn moved(answer: Result<(), dap::Error>) -> Moved {
    match answer {
        // It was done, whatever else the answer says; and a session ends with its wire: who waits
        // hears why.
        Ok(()) | Err(dap::Error::BadAnswer { .. } | dap::Error::Closed { .. }) => Moved::Yes,
        Err(
            error @ (dap::Error::Refused { .. }
            | dap::Error::Unsupported { .. }
            | dap::Error::BadArguments { .. }),
        ) => Moved::No(error),
        Err(error @ dap::Error::Timeout { .. }) => Moved::Perhaps(error),
    }
}

/// Is this the same call of the same function, so that its locals can be compared?
fn same_call(before: &Stop, now: &Reading) -> bool {
    let depth = |frames: usize, focus: usize, total: Option<u32>| {
        total.map_or(frames, |n| n as usize) - focus
    };
    let then = before.frames.get(before.focus).map(|frame| (&frame.name, &frame.path));
    let here = now.frames.get(now.focus).map(|frame| (&frame.name, &frame.path));
    then == here
        && before.thread.id == now.thread.id
        && depth(before.frames.len(), before.focus, before.total_frames)
            == depth(now.frames.len(), now.focus, now.total_frames)
}

async fn render(
    wire: &Wire,
    profile: &Profile,
    thread: Option<ThreadId>,
    texts: Vec<(BreakpointId, u32, String)>,
) -> Vec<LogHit> {
    if texts.is_empty() {
        return Vec::new();
    }
    let id = thread.map_or(0, |thread| thread.0);
    let top = StackTraceArguments { thread_id: id, levels: Some(1), ..Default::default() };
    let (frames, threads) = futures_util::future::join(
        wire.stack(top),
        wire.call::<request::Threads>(dap::NoArguments),
    )
    .await;
    let one = threads
        .ok()
        .map(|told| told.threads.into_iter().filter(|thread| thread.id == id).collect());
    let name =
        threads::named(wire, one.unwrap_or_default(), thread).await.pop().map(|thread| thread.name);
    let frame = frames
        .ok()
        .and_then(|told| told.stack_frames.first().map(|frame| convert::frame(0, frame, profile)));
    let target = FrameReader::new(frame.as_ref(), profile, wire);
    // One after the other, as with watches in `snapshot`.
    let mut hits = Vec::with_capacity(texts.len());
    for (id, number, text) in texts {
        hits.push(LogHit { id, number, thread: name.clone(), text: fill(&target, &text).await });
    }
    hits
}

/// Those whose conditions do not hold there. One that cannot be judged stays named.
async fn untrue(
    wire: &Wire,
    profile: &Profile,
    frame: Option<&Frame>,
    doubtful: Vec<(BreakpointId, String)>,
) -> Vec<BreakpointId> {
    let Some(untrue) = profile.untrue.as_deref().and_then(|text| pattern::compile(text).ok())
    else {
        return Vec::new();
    };
    let target = FrameReader::new(frame, profile, wire);
    let mut all = Vec::new();
    for (id, condition) in doubtful {
        let told = evaluate_one(&target, frame, &condition, Effects::None).await.result;
        all.extend(told.ok().filter(|variable| untrue.is_match(&variable.value)).map(|_| id));
    }
    all
}

async fn fill(target: &FrameReader<'_>, text: &str) -> String {
    let mut filled = String::new();
    for piece in log_pieces(text) {
        match piece {
            LogPiece::Text(text) => filled.push_str(&text),
            LogPiece::Expression(expression) => {
                match evaluate_one(target, target.frame, &expression, Effects::None).await.result {
                    Ok(variable) => filled.push_str(&variable.value),
                    Err(why) => filled.push_str(&format!("<error: {why}>")),
                }
            }
        }
    }
    filled
}
