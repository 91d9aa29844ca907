//! The actor: the one place where a session's state changes.
//!
//! `next_input` waits, `handle` decides; nothing is awaited in between. Whatever
//! takes time is a flow: a future over the wire that touches no state and comes
//! back as an input. Reads belong to one stop and are dropped with it, and their
//! callers hear that they were superseded.
//!
//! ```text
//! commands ─┐
//! flows ────┤                        ┌─▶ flows, reads
//! adapter ──┼─▶ next_input ─▶ handle ┼─▶ journal (waits), replies
//! timer ────┘                        └─▶ phase machine ─▶ effects
//! ```

mod aim;
mod begin;
mod commands;
mod edits;
mod ending;
#[cfg(test)]
mod fairness;
mod freeing;
mod halting;
mod inbound;
mod input;
mod moves;
mod onward;
mod pipes;
mod reads;
mod stops;
mod tells;
mod within;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use dapdock_schema::Profile;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use self::halting::{Halting, Held, Leaving};
use self::input::Input;
use self::pipes::Pipes;
use super::breakpoints::BreakpointReport;
use super::breakpoints::{Breakpoints, Territory, Translated};
use super::handle::{Carried, Command, EndMode, Left, Life, Now};
use super::phase::{Effect, Phase, Signal};
use crate::dap::{self, Inbound, Inbox};
use crate::limits::Limits;
use crate::model::plan::TargetRef;
use crate::model::{
    BreakpointEdit, BreakpointId, Cursor, Epoch, Exit, ExitStatus, LogHit, Nearest, Note, Resume,
    Rung, SessionId, Step, StepKind, Stop, Stream, ThreadId,
};
use crate::plugin::Plugin;
use crate::process::{Family, ProcessId};
use crate::session::adapter::source_maps::Maps;
use crate::session::adapter::wire::Wire;
use crate::session::launch::connect;
use crate::session::launch::handshake::{Armed, Start, Synced};
use crate::session::launch::order::{Order, Prepared, Running};
use crate::session::launch::prepare;
use crate::session::record::journal::Journal;
use crate::session::record::log_hits::Logged;
use crate::session::record::output::Output;
use crate::session::record::reply::Reply;
use crate::session::stop::event::{PauseRequest, StopEvent};
use crate::session::stop::snapshot::Reading;
use crate::session::values::reader::SetVariable;
use crate::session::{Error, breakpoints::logpoint};

/// How many commands may queue.
pub(super) const COMMANDS: usize = 64;

/// What a session is made from.
pub(super) struct Birth {
    pub(super) id: SessionId,
    /// When it was asked for.
    pub(super) since: Instant,
    pub(super) target: String,
    /// The call that asks for the same.
    pub(super) again: String,
    pub(super) order: Order,
    pub(super) territory: Territory,
    pub(super) carried: Carried,
    pub(super) commands: mpsc::Receiver<Command>,
    pub(super) life: watch::Sender<Life>,
}

/// What a flow brings back.
enum Done {
    Prepared(Result<Box<Prepared>, Error>),
    Retold(Vec<(BreakpointId, Result<Translated, Error>)>),
    Configured(Result<(), Error>),
    /// The start sequence's breakpoints are answered; none: it failed before.
    Armed(Option<Armed>),
    Synced(Synced),
    Translated(BreakpointEdit, Result<Vec<Translated>, Error>, Reply<BreakpointReport>),
    Moved(u32, Result<(), dap::Error>),
    /// The adapter is at nothing else by now, or not soon: a move.
    Idle(Resume, Option<ThreadId>, Left, Reply<Cursor>),
    /// Where a function is that it shall run to.
    Meant(Result<Translated, Error>, Option<ThreadId>, Reply<Cursor>),
    /// The call to step into is found, or there is none of that name.
    Aimed(Result<StepKind, Error>, String, ThreadId, Reply<Cursor>),
    Fathomed(Step, Option<onward::Stepping>, Reply<Cursor>),
    PauseSent(Option<ThreadId>, Cursor, Result<(), dap::Error>, Reply<Cursor>),
    /// A pause that may have been forgotten by now, sent again until then.
    PauseLate(u32, Option<ThreadId>, Instant),
    HaltSent(Result<(), dap::Error>),
    /// What waits for the debuggee to run or to stand has waited long enough.
    Overdue(u32),
    Located(Beside, Vec<BreakpointId>, Reply<BreakpointReport>),
    /// The same for a stop that is about to be shown.
    Beside(u32, Beside, Box<Reading>),
    /// Which breakpoints a stop has hit, as their conditions say.
    Held(u32, Vec<BreakpointId>, Box<Reading>),
    Read(u32, Box<Result<Reading, dap::Error>>),
    Logged(u32, Vec<LogHit>, onward::Onward),
    Disconnected(Rung, ending::Parting),
    Reaped(Rung),
    Inbound(Vec<Inbound>),
    /// A variable was given another value, where it was listed.
    Assigned(Option<SetVariable>),
    /// A read that has answered its caller itself.
    Answered,
}

/// Of breakpoints without code, what is beside them that has some.
type Beside = Vec<(BreakpointId, Nearest)>;
type Flow = BoxFuture<'static, Done>;

/// A move that was sent and not yet answered.
struct Moving {
    reply: Option<(Reply<Cursor>, Cursor)>,
    /// The stop that it leaves without the caller having seen it: a refusal brings it back.
    left: Option<StopEvent>,
    behind: Option<Behind>,
    generation: u32,
}

/// A move that the adapter does not come to before it is through with an evaluation.
struct Behind {
    expression: String,
    /// The stop that it leaves: a refusal brings it back.
    left: Option<StopEvent>,
}

/// What waits for the adapter's answer about breakpoints.
enum AfterSync {
    Report(Vec<BreakpointId>, Reply<BreakpointReport>),
    Continue(Until, Reply<Cursor>),
}

/// A run to a place, to begin once its breakpoint is set.
struct Until {
    id: BreakpointId,
    thread: Option<ThreadId>,
    /// Of the stop that it was asked at.
    generation: u32,
}

pub(super) struct Actor {
    id: SessionId,
    target: String,
    again: String,
    /// None: it was launched.
    attached_to: Option<Attached>,
    /// What is debugged is a core file: no process is, whatever the adapter says of one.
    ended_before: bool,
    limits: Arc<Limits>,
    plugin: Plugin,
    profile: Arc<Profile>,
    phase: Phase,
    progress: watch::Sender<String>,
    life: watch::Sender<Life>,

    wire: Option<Wire>,
    inbox: Option<Inbox>,
    running: Option<Running>,
    pipes: Pipes,
    family: Arc<OnceLock<Family>>,
    initialized: watch::Sender<bool>,
    start: Option<Start>,
    /// Bound while a hook reads an event: what came behind it waits, in order.
    translating: Option<Flow>,
    queue: std::collections::VecDeque<Inbound>,

    flows: FuturesUnordered<Flow>,
    reads: FuturesUnordered<Flow>,
    commands: mpsc::Receiver<Command>,
    abandoned: bool,
    turn: u32,

    journal: Journal,
    output: Output,
    log: crate::session::record::log::Log,
    logged: Logged,
    breakpoints: Breakpoints,
    syncing: bool,
    leaving: Leaving,
    halting: Halting,
    /// Changes of breakpoints that wait for the debuggee to stand.
    held: Vec<Held>,
    /// Changes whose texts are being read.
    edits: usize,
    after_sync: Vec<AfterSync>,
    watches: Vec<String>,
    /// Variables that were given another value during this stop.
    set: Vec<SetVariable>,
    /// Something that may assign was sent during this stop.
    acted: bool,

    born: Instant,
    /// How long building took, until it is told.
    built: Option<Duration>,
    moved: Instant,
    epoch: Epoch,
    /// Counts stops and moves; a flow of an older one is out of date.
    generation: u32,
    moving: Option<Moving>,
    /// What the last move waits for.
    behind: Option<Behind>,
    stop: Option<Arc<Stop>>,
    previous: Option<Arc<Stop>>,
    /// The last stop before `previous` that the caller was told.
    earlier: Option<Arc<Stop>>,
    /// The caller is not told `previous`, from which a move has gone on.
    untold: bool,
    /// The adapter's ids of this stop's breakpoints, and ours as they were when it came: the
    /// adapter may number them anew while the stop is read.
    hit: (Vec<i64>, Vec<BreakpointId>),
    /// Breakpoints that this stop is shown for, once the host has counted its hits.
    counted: Option<Vec<BreakpointId>>,
    stepping: Option<onward::Stepping>,
    /// The thread that the caller has go on without the others.
    alone: Option<ThreadId>,
    /// The host's own step towards the end of the caller's.
    finishing: Option<StepKind>,
    /// The call that a step is to lead into.
    aimed: Option<String>,
    /// The breakpoint of a run to a place.
    until: Option<BreakpointId>,
    thread: Option<ThreadId>,
    /// The stop's thread stands and no other does (DAP, `allThreadsStopped`).
    stands_alone: bool,
    pausing: Option<PauseRequest>,
    entering: bool,
    pause: Option<StopEvent>,
    notes: Vec<Note>,
    /// When what runs was made: built, or loaded from its sources. None: not known.
    made: Option<SystemTime>,
    /// What sources were made into.
    maps: Arc<Maps>,
    /// The executable that runs, where its file is known.
    program: Option<PathBuf>,
    /// The same by all its names, of what was attached to, too.
    images: Vec<PathBuf>,
    /// How long the session was, once it is over.
    lived: Option<Duration>,

    debuggee: Option<u32>,
    /// The same, if it was seen on this machine.
    seen: Option<ProcessId>,
    /// The CPU time that the debuggee had used at some moment since it went on.
    cpu_then: Option<(Instant, Duration)>,
    exit: Option<ExitStatus>,
    /// The adapter has said that debugging is over.
    terminated: bool,
    /// Why what was attached to ends with the session, once that is on its way.
    ended_too: Option<String>,
    exit_settles: Option<Instant>,
    /// An end was asked for while the debuggee was not known to have exited.
    asked_before_exit: bool,
    /// The exit was known before the ladder was entered.
    exit_before_end: bool,
    launched: bool,
    control: Control,
    was_started: bool,
    /// The caller was told of a stop for an exception.
    saw_exception: bool,
    cause: Option<Error>,
    mode: EndMode,
    /// Does the debuggee end with the session? Decided when the ladder is entered.
    killing: bool,
    closing: Vec<Reply<Arc<Exit>>>,
    /// Who asked for what has come while a stop was being read.
    asked: Vec<(Cursor, Reply<Now>)>,
    ended: Option<Arc<Exit>>,
    rung: Rung,
}

/// What a session was attached to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Attached {
    Process(u32),
    /// Host and port.
    Address(String),
}

/// Whether an attached debuggee is under control, where the adapter first resumes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Control {
    Ours,
    /// Not seen to run yet.
    Awaited,
    /// The same, and all else is done.
    Late,
}

impl Actor {
    pub(super) fn new(birth: Birth) -> Self {
        let Birth { id, since, target, again, order, territory, carried, commands, life } = birth;
        let (limits, plugin) = (order.limits.clone(), order.plugin.clone());
        let (progress, family) = (order.progress.clone(), order.family.clone());
        let entering = order.request.stop_on_entry;
        let is_program = matches!(order.request.target, Some(TargetRef::Path(_)));
        let ended_before = is_program && plugin.manifest().cores && order.request.has_core();
        let attached_to = match order.request.target {
            Some(TargetRef::Pid(pid)) => Some(Attached::Process(pid)),
            Some(TargetRef::Address(ref host, port)) => {
                Some(Attached::Address(format!("{host}:{port}")))
            }
            _ => None,
        };
        let seen = match attached_to {
            Some(Attached::Process(pid)) => crate::process::identify(pid),
            _ => None,
        };
        let mut set = Breakpoints::new(limits.breakpoints).with_territory(territory);
        set.adopt(carried.breakpoints, carried.exceptions);
        let prepare =
            async move { Done::Prepared(Box::pin(prepare::prepare(order)).await.map(Box::new)) };
        let flows = FuturesUnordered::new();
        flows.push(Box::pin(prepare) as Flow);
        Self {
            id,
            target,
            again,
            attached_to,
            ended_before,
            profile: Arc::new(plugin.manifest().profile.clone()),
            plugin,
            phase: Phase::Preparing,
            progress,
            life,
            wire: None,
            inbox: None,
            running: None,
            pipes: Pipes::default(),
            family,
            initialized: watch::Sender::new(false),
            start: None,
            translating: None,
            queue: Default::default(),
            flows,
            reads: FuturesUnordered::new(),
            commands,
            abandoned: false,
            turn: 0,
            journal: Journal::new(limits.stops),
            output: Output::new(limits.output_lines, limits.output_bytes, limits.line_bytes),
            log: crate::session::record::log::Log::new(limits.log_lines),
            logged: Logged::new(limits.log_hits),
            breakpoints: set,
            syncing: false,
            leaving: Leaving::default(),
            halting: Halting::No,
            held: Vec::new(),
            edits: 0,
            after_sync: Vec::new(),
            watches: carried.watches,
            set: Vec::new(),
            acted: false,
            born: since,
            built: None,
            moved: since,
            epoch: Epoch(0),
            generation: 0,
            moving: None,
            behind: None,
            stop: None,
            previous: None,
            earlier: None,
            untold: false,
            hit: Default::default(),
            counted: None,
            stepping: None,
            alone: None,
            finishing: None,
            aimed: None,
            until: None,
            thread: None,
            stands_alone: false,
            pausing: None,
            entering,
            pause: None,
            notes: Vec::new(),
            made: None,
            maps: Arc::default(),
            program: None,
            images: Vec::new(),
            lived: None,
            debuggee: None,
            seen,
            cpu_then: None,
            exit: None,
            terminated: false,
            ended_too: None,
            exit_settles: None,
            asked_before_exit: false,
            exit_before_end: false,
            launched: true,
            control: Control::Ours,
            was_started: false,
            saw_exception: false,
            cause: None,
            mode: EndMode::Auto,
            killing: false,
            closing: Vec::new(),
            asked: Vec::new(),
            ended: None,
            rung: Rung::Natural,
            limits,
        }
    }

    /// Lives until every handle is gone and nothing of the session is left.
    pub(super) async fn run(mut self) {
        while !(self.abandoned && self.phase == Phase::Ended) {
            let input = self.next_input().await;
            self.handle(input);
        }
    }

    fn handle(&mut self, input: Input) {
        match input {
            Input::Flow(done) => self.on_done(done),
            Input::Inbound(inbound) => self.on_inbound(inbound),
            Input::Command(command) => self.on_command(command),
            Input::Settled => self.on_settled(),
            Input::Printed(stream, piece) => self.on_printed(stream, &piece),
            Input::Abandoned => {
                self.abandoned = true;
                self.signal(Signal::Close);
            }
        }
        self.answer_asked();
    }

    /// Feeds the phase machine and does what it says.
    fn signal(&mut self, signal: Signal) {
        let (phase, effects) = self.phase.on(signal);
        if phase != self.phase {
            self.log.add(format!("{} -> {} ({signal:?})", self.phase.word(), phase.word()));
            tracing::debug!(session = %self.id, from = self.phase.word(), to = phase.word(), ?signal, "phase");
        }
        self.phase = phase;
        for effect in effects {
            match effect {
                Effect::Handshake => self.handshake(),
                Effect::Snapshot => self.snapshot(),
                Effect::DropReads => self.reads.clear(),
                Effect::End => self.end(),
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
                self.control = match self.control {
                    Control::Awaited => Control::Late,
                    Control::Ours | Control::Late => return self.started(),
                };
            }
            Done::Retold(texts) => self.on_retold(texts),
            Done::Synced(synced) => self.on_synced(synced),
            Done::Translated(edit, texts, reply) => {
                self.edits -= 1;
                self.on_translated(edit, texts, reply);
                self.go_on_after_halt();
            }
            Done::Moved(generation, result) => self.on_moved(generation, result),
            Done::Idle(how, thread, left, reply) => self.resume_now(how, thread, left, reply),
            Done::Meant(text, thread, reply) => self.on_meant(text, thread, reply),
            Done::Aimed(kind, name, thread, reply) => self.on_aimed(kind, name, thread, reply),
            Done::Fathomed(step, outer, reply) => self.on_fathomed(step, outer, reply),
            Done::Located(found, added, reply) => self.on_located(found, added, reply),
            Done::Beside(generation, found, reading) => self.on_beside(generation, found, *reading),
            Done::Held(generation, hit, reading) => self.on_held(generation, hit, *reading),
            Done::HaltSent(result) => self.on_halt_sent(result),
            Done::Overdue(generation) => self.on_overdue(generation),
            Done::PauseSent(thread, from, result, reply) => {
                self.on_pause_sent(thread, from, result, reply)
            }
            Done::PauseLate(generation, thread, until) => {
                self.on_pause_late(generation, thread, until)
            }
            Done::Read(generation, reading) => self.on_read(generation, *reading),
            Done::Logged(generation, hits, onward) => self.on_logged(generation, hits, onward),
            Done::Disconnected(rung, parting) => self.on_disconnected(rung, parting),
            Done::Reaped(rung) => self.on_reaped(rung),
            Done::Inbound(events) => {
                events.into_iter().for_each(|event| self.on_translated_inbound(event))
            }
            Done::Assigned(set) => self.set.extend(set.filter(|set| !self.set.contains(set))),
            Done::Answered => {}
        }
    }

    /// The debuggee is seen to run or to stand.
    fn take_control(&mut self) {
        if std::mem::replace(&mut self.control, Control::Ours) == Control::Late {
            self.started();
        }
    }

    /// The session cannot go on; who waits hears why.
    fn fail(&mut self, error: Error) {
        if matches!(self.phase, Phase::Ending | Phase::Ended) {
            return;
        }
        self.log.add(format!("failed: {error}"));
        self.cause = Some(error);
        self.signal(Signal::Lost);
    }

    /// An adapter that died says why on its way out, which may take longer than its connection.
    fn with_last_words(&self, error: Error) -> Error {
        match (&error, self.running.as_ref().and_then(Running::adapter)) {
            (Error::AdapterDied { during, tail }, Some(adapter)) if tail.is_empty() => {
                connect::died(during, adapter)
            }
            _ => error,
        }
    }

    fn is_launched(&self) -> bool {
        self.launched
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

    fn record(&mut self, hit: LogHit) {
        self.output.write(Stream::Log, &format!("{}\n", logpoint::line(&hit)));
        self.logged.push(hit);
    }

    fn note_resume(&mut self, how: &Resume) {
        self.log.add(format!("{how:?}"));
    }
}

/// Handles outlive a panic, and say what happened.
impl Drop for Actor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.life.send_replace(Life::Broken);
        }
    }
}
