//! What callers want.

use std::time::Duration;

use tokio::time::Instant;

use super::halting::Halting;
use super::onward::{self, Stepping};
use super::{Actor, AfterSync, Done, Moving, Phase, Signal, Until};
use crate::dap::arguments::ThreadArguments;
use crate::dap::{self, request};
use crate::model::answer::{BreakpointText, RefusalKind};
use crate::model::{
    AssignQuery, Assigned, BreakpointEdit, BreakpointId, BreakpointSpec, Compared, Cursor, EvaluateQuery, Evaluated,
    Frame, Happening, Resume, Running, SessionStatus, StackQuery, ThreadId, ThreadStack, VariablesPage, VariablesQuery,
};
use crate::plugin;
use crate::session::breakpoints::Translated;
use crate::session::handle::{BreakpointReport, Carried, Command, EndMode, Now, Watch};
use crate::session::inspect::{self, Target};
use crate::session::reply::Reply;
use crate::session::stack::Of;
use crate::session::start::{self, Synced};
use crate::session::wire::Wire;
use crate::session::{Error, assign, compare, exceptions, locations, stack};

impl Actor {
    pub(super) fn on_command(&mut self, command: Command) {
        match command {
            Command::Breakpoints(edit, reply) => self.edit_breakpoints(edit, reply),
            Command::Resume(how, thread, reply) => self.resume(how, thread, reply),
            Command::Pause(thread, reply) => self.pause(thread, reply),
            Command::Wait(from, reply) => self.wait(from, reply),
            Command::Now(from, reply) => self.now(from, reply),
            Command::Stack(query, reply) => self.stack(query, reply),
            Command::Variables(query, reply) => self.variables(query, reply),
            Command::Evaluate(query, reply) => self.evaluate(query, reply),
            Command::Compare(path, reply) => self.compare(path, reply),
            Command::Assign(query, reply) => self.assign(query, reply),
            Command::Watch(change, reply) => reply.send(self.watch(change)),
            Command::Output(query, reply) => reply.send(self.output.page(&query)),
            Command::LogHits(since, reply) => {
                reply.send(Ok(self.logged.since(since)));
            }
            Command::Status(reply) => reply.send(Ok(self.status())),
            Command::Log(reply) => reply.send(Ok(self.log.lines())),
            Command::Current(reply) => reply.send(Ok(self.stop.clone())),
            Command::Delivered(reply) => reply.send(Ok(self.journal.delivered())),
            Command::Carry(reply) => reply.send(Ok(self.carried())),
            Command::Close(mode, reply) => self.close(mode, reply),
        }
    }

    fn close(&mut self, mode: EndMode, reply: Reply<std::sync::Arc<crate::model::Exit>>) {
        match &self.ended {
            Some(exit) => reply.send(Ok(exit.clone())),
            None => {
                // How it ends is decided with the first step down the ladder: who comes later hears how it ended.
                if self.phase == Phase::Ending {
                    return self.closing.push(reply);
                }
                if mode == EndMode::Detach && self.is_launched() && !self.can_detach() {
                    reply.send(Err(Error::Unsupported { what: "detach from a launched program".to_owned() }));
                    return;
                }
                self.asked_before_exit = self.exit.is_none();
                self.closing.push(reply);
                self.mode = mode;
                self.signal(Signal::Close);
            }
        }
    }

    fn can_detach(&self) -> bool {
        self.profile.detach_launched == dapdock_schema::DetachLaunched::RunsOn
    }

    fn wait(&mut self, from: Cursor, reply: Reply<(Happening, Cursor)>) {
        match self.nothing_comes(from) {
            Some(error) => reply.send(Err(error)),
            None => self.journal.wait(from, reply),
        }
    }

    fn now(&mut self, from: Cursor, reply: Reply<Now>) {
        if let Some(error) = self.nothing_comes(from) {
            return reply.send(Err(error));
        }
        match self.journal.at(from) {
            None => reply.send(Ok(Now::Running(self.running()))),
            Some((happening, next)) => {
                if reply.deliver(Ok(Now::Happened(happening))) {
                    self.journal.deliver(next);
                }
            }
        }
    }

    /// Why there is nothing to wait for from here on.
    fn nothing_comes(&self, from: Cursor) -> Option<Error> {
        if from < self.journal.end() {
            return None;
        }
        match (&self.ended, &self.cause, &self.stop) {
            (Some(_), Some(cause), _) => Some(cause.clone()),
            (Some(_), None, _) => Some(self.over()),
            (None, _, Some(_)) => Some(Error::NotRunning),
            (None, _, None) => None,
        }
    }

    // --- breakpoints -------------------------------------------------------

    pub(super) fn edit_breakpoints(&mut self, edit: BreakpointEdit, reply: Reply<BreakpointReport>) {
        if matches!(self.phase, Phase::Ending | Phase::Ended) {
            return reply.send(Err(self.over()));
        }
        if let Err(error) = self.check_edit(&edit) {
            return reply.send(Err(error));
        }
        if self.must_halt() {
            return self.hold(edit, reply);
        }
        match self.wire.clone() {
            Some(wire) if self.has_own_words() => {
                self.edits += 1;
                // An evaluation beside a running debuggee may keep the adapter busy until it stops.
                let stands = self.phase == Phase::Stopped || self.halting == Halting::Stands;
                let profile = Some(self.profile.clone()).filter(|_| stands);
                self.flows.push(Box::pin(async move {
                    let texts = translate_checked(&wire, profile.as_deref(), &edit.set).await;
                    Done::Translated(edit, texts, reply)
                }));
            }
            _ => {
                let texts = edit.set.iter().cloned().map(Translated::from).collect();
                self.on_translated(edit, Ok(texts), reply);
            }
        }
    }

    /// Must texts go past the plugin or the adapter before they are believed?
    fn has_own_words(&self) -> bool {
        self.plugin.wants_translate("breakpoint") || self.profile.evaluate.check.is_some()
    }

    fn check_edit(&self, edit: &BreakpointEdit) -> Result<(), Error> {
        let Some(words) = &edit.exceptions else { return Ok(()) };
        exceptions::check(self.plugin.manifest(), self.wire.as_ref(), words)
    }

    pub(super) fn on_translated(
        &mut self,
        edit: BreakpointEdit,
        texts: Result<Vec<Translated>, Error>,
        reply: Reply<BreakpointReport>,
    ) {
        match texts.and_then(|texts| self.breakpoints.edit(edit, texts)) {
            Err(error) => reply.send(Err(error)),
            Ok(added) => {
                self.after_sync.push(AfterSync::Report(added, reply));
                self.sync();
            }
        }
    }

    /// Tells the adapter what changed; one conversation at a time, because each call
    /// replaces all of its key.
    pub(super) fn sync(&mut self) {
        if self.syncing || (self.breakpoints.is_dirty() && self.must_halt()) {
            return;
        }
        let wire = self.wire.clone().filter(|_| matches!(self.phase, Phase::Running | Phase::Stopped));
        match wire {
            Some(wire) if self.breakpoints.is_dirty() => {
                self.syncing = true;
                self.expect_halt();
                let jobs = self.breakpoints.take_jobs(&self.profile);
                self.flows.push(Box::pin(async move { Done::Synced(start::sync(wire, jobs).await) }));
            }
            // Not started: the start sequence sends everything, and takes what came meanwhile once it is done.
            _ => self.answer_after_sync(),
        }
    }

    pub(super) fn on_synced(&mut self, synced: Synced) {
        self.syncing = false;
        self.apply(synced);
        match self.breakpoints.is_dirty() {
            true => self.sync(),
            false => {
                self.answer_after_sync();
                self.go_on_after_halt();
            }
        }
    }

    pub(super) fn apply(&mut self, synced: Synced) {
        for (job, answer) in synced {
            for (id, why) in &job.refused {
                self.breakpoints.hold(*id, why.clone());
            }
            match answer {
                Ok(told) => self.breakpoints.apply(&job, &told, &self.profile),
                Err(error) => {
                    let error = Error::from_dap(&error, &self.profile);
                    self.log.add(format!("{:?}: {error}", job.key));
                    self.breakpoints.refuse(&job, &error.to_string());
                }
            }
        }
    }

    pub(super) fn answer_after_sync(&mut self) {
        for waiting in std::mem::take(&mut self.after_sync) {
            match waiting {
                AfterSync::Report(added, reply) => self.report(added, reply),
                AfterSync::Continue(until, reply) => self.run_until(&until, reply),
            }
        }
    }

    /// Runs to a place whose breakpoint is set, or takes that back.
    fn run_until(&mut self, until: &Until, reply: Reply<Cursor>) {
        let refused = self.breakpoints.refusal(until.id).map(|message| Error::Refused { message, condition: None });
        let here = until.generation == self.generation && self.breakpoints.get(until.id).is_some();
        let moved = || (!here).then_some(Error::Superseded);
        match refused.or_else(|| self.need_stop().err()).or_else(moved) {
            None if !reply.is_abandoned() => {
                self.until = Some(until.id);
                return self.send_move(&Resume::Continue, until.thread, reply);
            }
            None => {}
            Some(error) => reply.send(Err(error)),
        }
        if self.until != Some(until.id) && self.breakpoints.drop_one_temporary(until.id) {
            self.sync();
        }
    }

    /// Tells what became of an edit; where a place has no code, the lines beside it that have some are looked up.
    fn report(&mut self, added: Vec<BreakpointId>, reply: Reply<BreakpointReport>) {
        let codeless = self.breakpoints.codeless(&added);
        let asks = |wire: &Wire| wire.client().capabilities().has("supportsBreakpointLocationsRequest");
        match self.wire.clone().filter(|wire| !codeless.is_empty() && asks(wire)) {
            Some(wire) => self.flows.push(Box::pin(async move {
                let found = locations::nearest(&wire, codeless).await;
                Done::Located(found, added, reply)
            })),
            None => self.on_located(Vec::new(), added, reply),
        }
    }

    pub(super) fn on_located(
        &mut self,
        found: Vec<(BreakpointId, Vec<u32>)>,
        added: Vec<BreakpointId>,
        reply: Reply<BreakpointReport>,
    ) {
        found.into_iter().for_each(|(id, lines)| self.breakpoints.name_nearest(id, lines));
        let defaults = exceptions::default_words(self.plugin.manifest());
        reply.send(Ok(self.breakpoints.report(added, &defaults)));
    }

    // --- moving ------------------------------------------------------------

    fn resume(&mut self, how: Resume, thread: Option<ThreadId>, reply: Reply<Cursor>) {
        if let Err(error) = self.need_stop() {
            return reply.send(Err(error));
        }
        self.note_resume(&how);
        match how {
            Resume::Until(place) => {
                let (id, generation) = (self.breakpoints.add_temporary(place), self.generation);
                self.after_sync.push(AfterSync::Continue(Until { id, thread, generation }, reply));
                self.sync();
            }
            Resume::Into(name) => self.aim(name, thread, reply),
            how => self.send_move(&how, thread, reply),
        }
    }

    pub(super) fn send_move(&mut self, how: &Resume, thread: Option<ThreadId>, reply: Reply<Cursor>) {
        let (Some(wire), Some(thread)) = (self.wire.clone(), thread.or(self.thread)) else {
            return reply.send(Err(Error::NotStopped));
        };
        if let Err(error) = self.need_stop() {
            return reply.send(Err(error));
        }
        // Who has gone before it began moves nothing.
        if reply.is_abandoned() {
            return;
        }
        let cursor = self.journal.skip();
        self.stepping = self.stop.as_deref().and_then(|stop| Stepping::begin(how, stop));
        self.begin_move();
        let generation = self.generation;
        self.moving = Some(Moving { reply: Some((reply, cursor)), left: None, generation });
        let how = how.clone();
        self.flows.push(Box::pin(async move { Done::Moved(generation, onward::send(&wire, &how, thread).await) }));
    }

    fn pause(&mut self, thread: Option<ThreadId>, reply: Reply<Cursor>) {
        match self.phase {
            Phase::Running => {}
            // A stop that is still read and may be gone from unseen: it stays.
            Phase::Stopped if self.stop.is_none() && self.pause.is_some() => {
                self.pausing = true;
                return reply.send(Ok(self.journal.end()));
            }
            Phase::Stopped => return reply.send(Err(Error::NotRunning)),
            _ => return reply.send(Err(self.not_ready())),
        }
        self.pausing = true;
        // The stop may come before the answer, but not before the question: the debuggee runs.
        self.send_pause(thread.or(self.thread), self.journal.end(), reply);
    }

    pub(super) fn on_pause_sent(&mut self, from: Cursor, result: Result<(), dap::Error>, reply: Reply<Cursor>) {
        match result {
            // The session ends with its wire: who waits hears why.
            Ok(()) | Err(dap::Error::Closed { .. }) => reply.send(Ok(from)),
            Err(error) => {
                self.pausing = false;
                reply.send(Err(Error::from_dap(&error, &self.profile)));
            }
        }
    }

    fn need_stop(&self) -> Result<(), Error> {
        match (self.phase, &self.stop) {
            (Phase::Stopped, Some(_)) => Ok(()),
            (Phase::Stopped | Phase::Running, _) => Err(Error::NotStopped),
            _ => Err(self.not_ready()),
        }
    }

    pub(super) fn over(&self) -> Error {
        Error::Ended { session: self.id.to_string(), cause: self.cause.as_ref().map(Error::to_string) }
    }

    fn not_ready(&self) -> Error {
        match self.phase {
            Phase::Ending | Phase::Ended => self.over(),
            _ => Error::NotReady { doing: self.progress.borrow().clone() },
        }
    }

    // --- reading -----------------------------------------------------------

    /// What a read needs: the wire and the frame it is about.
    fn focus(&self, index: Option<u32>) -> Result<(Wire, Option<Frame>, Option<u32>), Error> {
        self.need_stop()?;
        let (Some(wire), Some(stop)) = (self.wire.clone(), &self.stop) else { return Err(Error::NotStopped) };
        let index = index.map_or(stop.focus, |index| index as usize);
        match stop.frames.get(index) {
            Some(frame) => Ok((wire, Some(frame.clone()), None)),
            None if stop.frames.is_empty() => Ok((wire, None, None)),
            None => Ok((wire, None, Some(index as u32))),
        }
    }

    fn variables(&mut self, query: VariablesQuery, reply: Reply<VariablesPage>) {
        let (profile, thread, set) = (self.profile.clone(), self.thread, self.set.clone());
        match self.focus(query.frame) {
            Err(error) => reply.send(Err(error)),
            Ok((wire, frame, deeper)) => self.read(reply, async move {
                let frame = stack::frame_at(&wire, &profile, thread, frame, deeper).await;
                let Some(frame) = frame.map_err(|error| beside(&wire, error))? else {
                    return Err(Error::NoSuchFrame { index: 0, count: 0 });
                };
                let target = Target { frame: Some(&frame), set: &set, profile: &profile, wire: &wire };
                inspect::variables(target, frame.clone(), query).await.map_err(|error| beside(&wire, error))
            }),
        }
    }

    fn compare(&mut self, path: Option<String>, reply: Reply<Compared>) {
        let (profile, set) = (self.profile.clone(), self.set.clone());
        let found = self.focus(None).and_then(|(wire, frame, _)| {
            let alike = self.stop.as_ref().is_some_and(|stop| stop.changes.is_some());
            let before = self.earlier.clone().filter(|before| alike && before.locals_error.is_none());
            let other = || Error::NothingToCompare { before: self.earlier.as_deref().map(compare::place) };
            Ok((wire, frame.ok_or(Error::NoSuchFrame { index: 0, count: 0 })?, before.ok_or_else(other)?))
        });
        match found {
            Err(error) => reply.send(Err(error)),
            Ok((wire, frame, before)) => self.read(reply, async move {
                let target = Target { frame: Some(&frame), set: &set, profile: &profile, wire: &wire };
                compare::compare(&target, &frame, &before, path.as_deref()).await.map_err(|error| beside(&wire, error))
            }),
        }
    }

    fn assign(&mut self, query: AssignQuery, reply: Reply<Assigned>) {
        let (profile, thread, set) = (self.profile.clone(), self.thread, self.set.clone());
        let (wire, frame, deeper) = match self.focus(query.frame) {
            Err(error) => return reply.send(Err(error)),
            Ok(found) => found,
        };
        self.reads.push(Box::pin(async move {
            let assign = async {
                if !wire.idle(wire.limit()).await {
                    return Err(Error::Superseded);
                }
                let frame = stack::frame_at(&wire, &profile, thread, frame, deeper).await?;
                let Some(frame) = frame else { return Err(Error::NoSuchFrame { index: 0, count: 0 }) };
                let target = Target { frame: Some(&frame), set: &set, profile: &profile, wire: &wire };
                assign::assign(target, frame.clone(), query).await
            };
            let assigned = assign.await.map_err(|error| beside(&wire, error));
            let set = assigned.as_ref().ok().and_then(|(_, set)| set.clone());
            reply.send(assigned.map(|(assigned, _)| assigned));
            Done::Assigned(set)
        }));
    }

    fn evaluate(&mut self, query: EvaluateQuery, reply: Reply<Vec<Evaluated>>) {
        let (profile, own) = (self.profile.clone(), self.thread);
        let other = query.thread.filter(|thread| Some(*thread) != own);
        let (wire, frame, deeper) = match self.focus(query.frame) {
            Err(error) => return reply.send(Err(error)),
            Ok(found) => found,
        };
        self.reads.push(Box::pin(async move {
            // What is sent to a busy adapter would be evaluated when nobody waits for it any more.
            if !wire.idle(query.patience).await {
                reply.send(Err(beside(&wire, Error::Superseded)));
                return Done::Answered;
            }
            let since = Instant::now();
            let frame = match other {
                Some(_) => stack::frame_at(&wire, &profile, other, None, query.frame.or(Some(0))).await,
                None => stack::frame_at(&wire, &profile, own, frame, deeper).await,
            };
            let frame = match frame {
                Ok(frame) => frame,
                Err(error) => {
                    reply.send(Err(beside(&wire, error)));
                    return Done::Answered;
                }
            };
            let target = Target { frame: frame.as_ref(), set: &[], profile: &profile, wire: &wire };
            let (answers, late) = inspect::evaluate(target, query).await;
            let Some(late) = late else {
                reply.send(Ok(answers));
                return Done::Answered;
            };
            // Ends with the answer, or with the stop.
            let occupied = wire.occupy(late.expression, since);
            reply.send(Ok(answers));
            late.answer.await;
            drop(occupied);
            Done::Answered
        }));
    }

    fn stack(&mut self, query: StackQuery, reply: Reply<Vec<ThreadStack>>) {
        let profile = self.profile.clone();
        let of = match self.phase {
            Phase::Running if profile.stacks_while_running => Ok(Of::Running),
            _ => self.need_stop().map(|()| Of::Stopped(self.thread)),
        };
        match of.and_then(|of| Ok((of, self.wire.clone().ok_or(Error::NotStopped)?))) {
            Err(error) => reply.send(Err(error)),
            Ok((of, wire)) => self.read(reply, async move {
                stack::read(&wire, &profile, of, query).await.map_err(|error| beside(&wire, error))
            }),
        }
    }

    fn watch(&mut self, change: Watch) -> Result<Vec<String>, Error> {
        match change {
            Watch::Add(expressions) => {
                let mut watches = self.watches.clone();
                for new in expressions {
                    if !watches.contains(&new) {
                        watches.push(new);
                    }
                }
                if watches.len() > self.limits.watches {
                    return Err(Error::Limit {
                        what: "the number of watched expressions".to_owned(),
                        value: self.limits.watches.to_string(),
                        raise: "limits.watches in dapdock.toml".to_owned(),
                    });
                }
                self.watches = watches;
            }
            Watch::Remove(expressions) if expressions.is_empty() => self.watches.clear(),
            Watch::Remove(expressions) => self.watches.retain(|watch| !expressions.contains(watch)),
        }
        Ok(self.watches.clone())
    }

    fn carried(&self) -> Carried {
        Carried {
            breakpoints: self.breakpoints.known_ones(),
            exceptions: self.breakpoints.exceptions().map(<[String]>::to_vec),
            watches: self.watches.clone(),
        }
    }

    // --- telling -----------------------------------------------------------

    /// CPU time of the debuggee so far.
    pub(super) fn cpu(&self) -> Option<Duration> {
        self.debuggee.and_then(crate::process::cpu_time)
    }

    fn running(&self) -> Running {
        let elapsed = self.moved.elapsed();
        let cpu = self.cpu().map(|now| now.saturating_sub(self.cpu_then.unwrap_or_default()));
        // The system counts in hundredths of a second: over less time the figure means nothing.
        let cpu = cpu.filter(|_| elapsed >= Duration::from_millis(200));
        let percent = cpu.map(|cpu| (100.0 * cpu.as_secs_f64() / elapsed.as_secs_f64()) as u32);
        let doing = matches!(self.phase, Phase::Preparing | Phase::Starting).then(|| self.progress.borrow().clone());
        Running {
            session: self.id.clone(),
            elapsed,
            doing,
            cpu_percent: percent,
            breakpoints: self.breakpoints.list(),
            output: self.output.news(),
            cursor: self.journal.delivered(),
        }
    }

    fn status(&self) -> SessionStatus {
        let capabilities = self.wire.as_ref().map(|wire| wire.client().capabilities());
        let names = capabilities.iter().flat_map(|known| known.raw().iter());
        let capabilities = names.filter(|(_, value)| value.as_bool() == Some(true)).map(|(name, _)| name.clone());
        let defaults = exceptions::default_words(self.plugin.manifest());
        let in_force = self.breakpoints.exceptions().unwrap_or(&defaults);
        let words = self.plugin.manifest().exceptions.iter().map(|known| known.name.clone());
        let at = self.stop.as_ref().and_then(|stop| Some((stop.class, stop.frames.get(stop.focus)?.clone())));
        SessionStatus {
            id: self.id.clone(),
            adapter: self.plugin.name().to_owned(),
            target: self.target.clone(),
            phase: self.phase.word(),
            at,
            capabilities: capabilities.collect(),
            breakpoints: self.breakpoints.list(),
            exceptions: words.map(|word| (word.clone(), in_force.contains(&word))).collect(),
            watches: self.watches.clone(),
            age: self.born.elapsed(),
        }
    }
}

/// An adapter that is at something else says nothing of what it was asked.
fn beside(wire: &Wire, error: Error) -> Error {
    match (wire.busy(), &error) {
        (Some(busy), Error::AdapterSilent { .. } | Error::Superseded) => {
            Error::Busy { expression: busy.expression, since: busy.since.elapsed() }
        }
        _ => error,
    }
}

async fn translate_checked(
    wire: &Wire,
    profile: Option<&dapdock_schema::Profile>,
    specs: &[BreakpointSpec],
) -> Result<Vec<Translated>, Error> {
    let texts = translate_all(wire, specs).await?;
    let conditions = texts.iter().filter_map(|text| text.condition.as_deref());
    if let Some(profile) = profile {
        for condition in conditions {
            start::check(wire, profile, condition).await?;
        }
    }
    Ok(texts)
}

/// The adapter's words for every spec, or the first refusal.
pub(crate) async fn translate_all(wire: &Wire, specs: &[BreakpointSpec]) -> Result<Vec<Translated>, Error> {
    let mut texts = Vec::with_capacity(specs.len());
    for spec in specs {
        texts.push(translate(wire, spec).await?);
    }
    Ok(texts)
}

/// The adapter's words for one.
pub(crate) async fn translate(wire: &Wire, spec: &BreakpointSpec) -> Result<Translated, Error> {
    let mut text = Translated::from(spec.clone());
    let function = text.function.take();
    let given =
        BreakpointText { condition: text.condition.take(), log_message: text.log.take(), function: function.clone() };
    let turn = wire.turn().await;
    let answer = wire.plugin().breakpoint(&turn.view, &given).await.map_err(|error| unreadable(error, spec))?;
    let answer = turn.keep(answer);
    // A function breakpoint has a function: a plugin that names none leaves it as it is.
    (text.condition, text.log, text.function) = (answer.condition, answer.log_message, answer.function.or(function));
    Ok(text)
}

/// A text that the plugin cannot read is the breakpoint's mistake, not the plugin's.
fn unreadable(error: plugin::Error, spec: &BreakpointSpec) -> Error {
    match error.refusal() {
        Some(refusal) if matches!(refusal.kind, RefusalKind::InvalidRequest) => {
            let condition = spec.condition.clone().filter(|_| spec.log.is_none());
            Error::Refused { message: refusal.message.clone(), condition }
        }
        _ => error.into(),
    }
}

pub(super) async fn send_pause(wire: &Wire, thread: Option<ThreadId>) -> Result<(), dap::Error> {
    let thread_id = match thread {
        Some(thread) => thread.0,
        None => wire.call::<request::Threads>(()).await?.threads.first().map_or(0, |thread| thread.id),
    };
    wire.call::<request::Pause>(ThreadArguments { thread_id }).await.map(drop)
}
