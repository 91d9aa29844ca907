//! The actor: the one place where the state of a session changes.
//!
//! `next_input` waits, `handle` decides without waiting. Whatever takes time is a flow: a future
//! over the wire that holds no state and returns as an input. Reads belong to one stop and are
//! dropped with it; their callers get `Superseded`. Knows no text for callers and no adapter.
//!
//! ```text
//! commands ─┐
//! flows ────┤                        ┌─▶ flows, reads
//! adapter ──┼─▶ next_input ─▶ handle ┼─▶ journal (waits), replies
//! timer ────┘                        └─▶ phase machine ─▶ effects
//! ```
//!
//! The way of one stop:
//!
//! ```text
//! `stopped` event        on_inbound: the plugin's `on-event` first, if its manifest names it
//! on_stopped             counts hits, stores the event in `stops`, begins a generation
//!   ├─ halt ───────────▶ apply_queued_edits, then leave_hidden_stop
//!   ├─ end of a step ──▶ leave_hidden_stop: the caller's step may need another one. Only after
//!   │  out by the host   a step out, and if no pause is wanted; any other end is published
//!   ├─ log hits, and ──▶ write_log_texts
//!   │  hits whose hit condition does not hold
//!   └─ Signal::Stopped ▶ Effect::Snapshot: flow in `reads`, which the next move drops: frames,
//!                        class (`stop/classify.rs`), locals, source
//! on_resumption_known   after write_log_texts, and after leave_hidden_stop, which has no texts
//!   ├─ resume_hidden     callers see no stop
//!   ├─ publish_as        the caller's step or pause ends at this stop: Signal::Stopped
//!   ├─ Nothing           a log hit of another thread, while a stop is current or being read
//!   └─ Signal::Stopped   other breakpoints were hit as well
//! on_read                a rule of the adapter or `present.stop` may resume it (resume_hidden)
//! find_nearest_code      flow: code near breakpoints that have none
//! identify_hits          flow: conditions, where the adapter does not say what it hit; with log
//!                        hits: write_log_texts, and after it the stop is read again or left
//! publish                makes the `Stop`, the current one of `stops`
//!   └─ journal.push ───▶ answers those that wait for a stop: `Handle::wait`, of which
//!                        `mcp/wait.rs` makes an answer and `view/stop.rs` its text
//! ```

mod birth;
mod commands;
mod debugger_commands;
mod edits;
mod ending;
#[cfg(test)]
mod fairness;
mod halt;
mod hidden_stops;
mod hits;
mod inbound;
mod incoming;
mod input;
mod log_texts;
mod moves;
mod opened;
mod outer_step;
mod pauses;
mod pipes;
mod processes;
mod raw;
mod reads;
mod release;
mod resumption;
mod startup;
mod state;
mod status;
mod step_target;
mod stop_reads;
mod stops;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::watch;
use tokio::time::Instant;

pub(super) use self::birth::{Birth, Identity};
use self::hits::Judged;
use self::incoming::Incoming;
use self::input::{Calls, Input};
use self::opened::Opened;
use self::pauses::SentPause;
use self::processes::Processes;
use self::state::code::Code;
use self::state::debuggee::Debuggee;
use self::state::edits::Edits;
use self::state::end::End;
use self::state::generation::Generation;
use self::state::motion::Motion;
use self::state::pausing::Pausing;
use self::state::side_effects::SideEffects;
use self::state::stops::Stops;
use super::breakpoints::{BreakpointReport, Breakpoints, Translated};
use super::feed::{EventKind, Reporter, Revision};
use super::handle::{Life, StopLeft};
use super::live::State;
use super::phase::{Effect, Phase, Signal};
use crate::dap::{self, Inbound};
use crate::limits::Limits;
use crate::model::{
    BreakpointEdit, BreakpointId, Cursor, LogHit, Nearest, Note, Resume, Rung, Step, StepKind,
    Stream, ThreadId,
};
use crate::plugin::Plugin;
use crate::session::adapter;
use crate::session::adapter::quirks::Quirks;
use crate::session::adapter::wire::Wire;
use crate::session::launch::died;
use crate::session::launch::handshake::{Armed, Start, Synced};
use crate::session::launch::order::Prepared;
use crate::session::record::journal::Journal;
use crate::session::record::log::Log;
use crate::session::record::log_hits::Logged;
use crate::session::record::output::Output;
use crate::session::record::reply::Reply;
use crate::session::stop::snapshot::Reading;
use crate::session::values::reader::SetVariable;
use crate::session::{Error, breakpoints::logpoint};

/// How many commands may queue.
pub(super) const COMMANDS: usize = 64;

/// The result of a flow.
enum Done {
    Prepared(Result<Box<Prepared>, Error>),
    /// Breakpoints set before the adapter was there, translated by the plugin.
    Retranslated(Vec<(BreakpointId, Result<Translated, Error>)>),
    Configured(Result<(), Error>),
    /// The breakpoints of the start sequence are answered; `None`: it failed before.
    Armed(Option<Armed>),
    Synced(Synced),
    Translated(BreakpointEdit, Result<Vec<Translated>, Error>, Reply<BreakpointReport>),
    /// The answer to the move of this generation.
    Moved(Generation, Result<(), dap::Error>),
    /// A move may be sent: no evaluation is pending, or the wait for it has ended.
    AdapterIdle(Resume, Option<ThreadId>, StopLeft, Reply<Cursor>),
    /// The place of a run-to, translated by the plugin.
    UntilTranslated(Result<Translated, Error>, Option<ThreadId>, Reply<Cursor>),
    /// The step-in target with this name, or why there is no single one.
    TargetChosen(Result<StepKind, Error>, String, ThreadId, Reply<Cursor>),
    /// The depth of an outer frame, for a step in it.
    DepthRead(Step, Option<resumption::Stepping>, Reply<Cursor>),
    PauseSent(SentPause, Result<(), dap::Error>, Reply<Cursor>),
    /// Time to send a pause again; repeated until the instant.
    PauseDue(Generation, Option<ThreadId>, Instant),
    HaltSent(Result<(), dap::Error>),
    /// The wait for the debuggee to run or to stop has taken too long.
    WaitExpired(Generation),
    /// Code near the breakpoints of an edit.
    Located(NearestCode, Vec<BreakpointId>, Reply<BreakpointReport>),
    /// Code near earlier breakpoints, before a stop is published.
    NearestFound(Generation, NearestCode, Box<Reading>),
    /// The breakpoints that a stop has hit, by their conditions.
    ConditionsRead(Generation, Judged, Box<Reading>),
    Read(Generation, Box<Result<Reading, dap::Error>>),
    /// The log texts of a stop are written; how the debuggee goes on.
    ResumptionKnown(Generation, Vec<LogHit>, resumption::Resumption),
    Disconnected(Rung, ending::DisconnectOutcome),
    Reaped(Rung),
    /// An event as a hook has translated it, and the requests that the plugin has sent.
    Inbound(Vec<Inbound>, Vec<(String, inbound::Answered)>),
    /// The answer to a request that the plugin has sent during this generation.
    PluginAnswered(Generation, String, Result<(), dap::Error>),
    /// An assignment, if it was made by `setVariable`.
    Assigned(Option<ThreadId>, Option<SetVariable>),
    /// A command of the debugger's language is answered.
    Ran(Box<debugger_commands::Ran>),
    /// The flow has answered its caller itself.
    Answered,
}

/// The nearest code of breakpoints without code.
type NearestCode = Vec<(BreakpointId, Nearest)>;
type Flow = BoxFuture<'static, Done>;

pub(super) struct Actor {
    /// Never changes.
    identity: Identity,
    /// Never changes.
    limits: Arc<Limits>,
    /// Never changes.
    plugin: Plugin,
    /// From the manifest; replaced by the plan's when prepared.
    quirks: Quirks,
    /// Changes in `signal` only.
    phase: Phase,
    /// The current line of progress until the debuggee runs, then `running` and `ended`.
    progress: watch::Sender<String>,
    /// How far the session is, for handles. Set when started and when ended.
    life: watch::Sender<Life>,
    /// Reports changes to those that follow the sessions; never changes.
    reporter: Reporter,

    /// The connection to the adapter. Set when prepared, cleared in `finish`.
    wire: Option<Wire>,
    /// Messages of the adapter.
    incoming: Incoming,
    processes: Processes,
    /// True once the adapter has sent `initialized`.
    initialized: watch::Sender<bool>,
    /// The start sequence, from prepared until it begins.
    start: Option<Start>,

    /// Futures that run to their end.
    flows: FuturesUnordered<Flow>,
    /// Futures about the current stop; dropped when it is left.
    reads: FuturesUnordered<Flow>,
    /// Calls of handles.
    calls: Calls,

    /// Published stops and the end, with those that wait for them.
    journal: Journal,
    output: Output,
    /// The session's own log.
    log: Log,
    log_hits: Logged,
    breakpoints: Breakpoints,
    /// Changes of breakpoints under way.
    edits: Edits,
    /// Pauses of callers under way.
    pausing: Pausing,
    watches: Vec<String>,
    /// What calls may have changed in the program during this stop.
    side_effects: SideEffects,

    /// The move under way.
    motion: Motion,
    /// The stop that the debuggee is at, and those before.
    stops: Stops,
    /// For the next stop or the end, which takes them.
    notes: Vec<Note>,
    /// The files of the debuggee. Set when prepared.
    code: Code,

    debuggee: Debuggee,
    end: End,
    /// Of a session without a target; its debuggees come and go.
    opened: Option<Opened>,
}

impl Actor {
    /// Runs until every handle is gone and the session has ended.
    pub(super) async fn run(mut self) {
        while !(self.calls.are_over() && self.phase == Phase::Ended) {
            let input = self.next_input().await;
            self.handle(input);
        }
    }

    fn handle(&mut self, input: Input) {
        let is_query = matches!(&input, Input::Command(command) if command.is_query());
        let uses = matches!(&input, Input::Command(_)) && !is_query;
        if let Some(reason) = self.log.collect() {
            self.notes.push(Note::HookFailed(reason));
        }
        match input {
            Input::Flow(done) => self.on_done(done),
            Input::Inbound(inbound) => self.on_inbound(inbound),
            Input::Command(command) => self.on_command(command),
            Input::Settled => self.on_settled(),
            Input::Printed(stream, piece) => self.on_printed(stream, &piece),
            Input::Unused => self.end_unused(),
            Input::GivenBack => self.note_return(),
            Input::Abandoned => {
                self.calls.end();
                self.signal(Signal::Close);
            }
        }
        self.answer_now_waiters();
        if uses {
            self.note_use();
        }
        let revision = Revision { output: self.output.revision(), log: self.log.end() };
        self.report_state();
        self.reporter.log(self.log.end(), |from| self.log.since(from));
        // A follower that reads the status must not cause the next report.
        if !is_query {
            self.reporter.changed(revision);
        }
    }

    /// Reports the state as callers see it. While a stop is read and while the session ends, the
    /// state before counts.
    fn report_state(&mut self) {
        let state = match self.phase {
            Phase::Preparing | Phase::Starting => State::Starting,
            Phase::Idle => State::Idle,
            Phase::Running => State::Running,
            Phase::Stopped if self.stops.current().is_some() => State::Stopped,
            Phase::Ended => State::Ended,
            Phase::Stopped | Phase::Ending => return,
        };
        self.reporter.state(state, self.stops.current());
    }

    /// Feeds the phase machine and carries out its effects.
    fn signal(&mut self, signal: Signal) {
        let (phase, effects) = self.phase.on(signal);
        if phase != self.phase {
            self.log.add(format!("{} -> {} ({signal:?})", self.phase.word(), phase.word()));
            let (from, to) = (self.phase.word(), phase.word());
            tracing::debug!(session = %self.identity.id, from, to, ?signal, "phase");
        }
        self.phase = phase;
        for effect in effects {
            match effect {
                Effect::Handshake => self.handshake(),
                Effect::Snapshot => self.snapshot(),
                Effect::DropReads => self.reads.clear(),
                Effect::End => self.begin_end(),
                Effect::Finish => self.finish(),
            }
        }
    }

    fn on_done(&mut self, done: Done) {
        match done {
            Done::Prepared(Ok(prepared)) => self.on_prepared(*prepared),
            Done::Prepared(Err(error)) | Done::Configured(Err(error)) => self.fail(error),
            Done::Armed(armed) => self.on_armed(armed.unwrap_or_default()),
            Done::Configured(Ok(())) => {
                if self.debuggee.on_configured() {
                    self.started();
                }
            }
            Done::Retranslated(texts) => self.on_retranslated(texts),
            Done::Synced(synced) => self.on_synced(synced),
            Done::Translated(edit, texts, reply) => {
                self.edits.end_translation();
                self.on_translated(edit, texts, reply);
                self.finish_halt();
            }
            Done::Moved(generation, result) => self.on_moved(generation, result),
            Done::AdapterIdle(how, thread, left, reply) => {
                self.resume_now(how, thread, left, reply)
            }
            Done::UntilTranslated(text, thread, reply) => {
                self.on_until_translated(text, thread, reply)
            }
            Done::TargetChosen(kind, name, thread, reply) => {
                self.on_target_chosen(kind, name, thread, reply)
            }
            Done::DepthRead(step, outer, reply) => self.on_depth_read(step, outer, reply),
            Done::Located(found, added, reply) => self.on_located(found, added, reply),
            Done::NearestFound(generation, found, reading) => {
                self.on_nearest_found(generation, found, *reading)
            }
            Done::ConditionsRead(generation, judged, reading) => {
                self.on_conditions_read(generation, judged, *reading)
            }
            Done::HaltSent(result) => self.on_halt_sent(result),
            Done::WaitExpired(generation) => self.on_wait_expired(generation),
            // A stop that comes before the refusal answers the pause.
            Done::PauseSent(pause, Err(error), reply) if self.incoming.is_delayed() => {
                self.incoming.queue_behind(Done::PauseSent(pause, Err(error), reply));
            }
            Done::PauseSent(pause, result, reply) => self.on_pause_sent(pause, result, reply),
            Done::PauseDue(generation, thread, until) => {
                self.on_pause_due(generation, thread, until)
            }
            Done::Read(generation, reading) => self.on_read(generation, *reading),
            Done::ResumptionKnown(generation, hits, then) => {
                self.on_resumption_known(generation, hits, then)
            }
            Done::Disconnected(rung, parting) => self.on_disconnected(rung, parting),
            Done::Reaped(rung) => self.on_reaped(rung),
            Done::Inbound(events, sent) => self.on_hooked_inbound(events, sent),
            // An event that came before the refusal decides what it means.
            late @ Done::PluginAnswered(..) if self.incoming.is_delayed() => {
                self.incoming.queue_behind(late);
            }
            Done::PluginAnswered(generation, command, result) => {
                self.on_plugin_answered(generation, &command, result)
            }
            Done::Assigned(thread, assigned) => {
                if let Some(variable) = assigned {
                    self.side_effects.on_assigned(thread, variable);
                }
            }
            Done::Ran(ran) => self.on_command_run(*ran),
            Done::Answered => {}
        }
    }

    /// An event shows that the debuggee runs or stands under our control.
    fn take_control(&mut self) {
        if self.debuggee.on_event() {
            self.started();
        }
    }

    /// Ends the session with this cause; all callers that wait get it.
    fn fail(&mut self, error: Error) {
        if matches!(self.phase, Phase::Ending | Phase::Ended) {
            return;
        }
        self.log.add_failure(format!("failed: {error}"));
        self.end.fail(error);
        self.signal(Signal::Lost);
    }

    /// Adds what a dead adapter printed last: its output may end after its connection.
    fn with_last_words(&self, error: Error) -> Error {
        match (&error, self.processes.adapter()) {
            (Error::Adapter(adapter::Error::Died { during, tail }), Some(adapter))
                if tail.is_empty() =>
            {
                died(during, adapter)
            }
            _ => error,
        }
    }

    fn read<T: Send + 'static>(
        &mut self,
        reply: Reply<T>,
        flow: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) {
        self.reads.push(Box::pin(async move {
            let answer = flow.await;
            reply.send(answer);
            Done::Answered
        }));
    }

    fn record(&mut self, mut hit: LogHit) {
        match self.log_hits.repeats(&hit) {
            0 => {}
            1 => {
                self.breakpoints.suppress(hit.id, 1);
                let line = format!("{} the same error again; more are only counted\n", hit.id);
                return self.output.write(Stream::Log, &line);
            }
            _ => return self.breakpoints.suppress(hit.id, 1),
        }
        hit.text = self.log_hits.shortened(&hit);
        self.output.write(Stream::Log, &format!("{}\n", logpoint::line(&hit)));
        if let Some(logpoint) = self.breakpoints.get(hit.id) {
            self.reporter.event(|| EventKind::Logged(hit.clone(), Box::new(logpoint)));
        }
        self.log_hits.push(hit);
    }

    fn log_move(&mut self, how: &Resume) {
        self.log.add(format!("{how:?}"));
    }
}

/// Handles outlive a panic of the actor and report it.
impl Drop for Actor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.life.send_replace(Life::Broken);
        }
    }
}
