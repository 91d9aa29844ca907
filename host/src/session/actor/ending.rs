//! The end of a session: a ladder, each rung with its own deadline. Knows nothing of how a process
//! family is ended (`process`) or an attached debuggee is freed (`release`).
//!
//! ```text
//! DAP terminate ─▶ disconnect ─▶ wire closed ─▶ SIGTERM ─▶ SIGKILL ─▶ reaped
//! ```

use std::sync::Arc;
use std::time::Duration;

use super::state::debuggee::Attached;
use super::state::end::Ties;
use super::{Actor, Done, Phase, Signal, pipes};
use crate::dap::arguments::{DisconnectArguments, TerminateArguments};
use crate::dap::{self, request};
use crate::file::names_path_below;
use crate::limits::Limits;
use crate::model::plan::Role;
use crate::model::{Again, Before, Exit, ExitStatus, Happening, Note, OutputNote, Rung, Stream};
use crate::process::{self, Exited, Process, Tail};
use crate::session::adapter;
use crate::session::adapter::quirks;
use crate::session::adapter::wire::Wire;
use crate::session::handle::{EndMode, Life};
use crate::session::launch;
use crate::session::launch::order::Resources;
use crate::session::{Error, adapter::exceptions};

/// An attached process has this many times as long to end as an adapter.
const ATTACHED: u32 = 10;

impl Actor {
    /// First half of the ladder: over the connection.
    pub(super) fn begin_end(&mut self) {
        self.answer_move();
        self.answer_queued_pauses();
        self.end.begin(self.ties(), self.ends_attached());
        // Dropping the flow of the preparation ends the processes that it started.
        if self.wire.is_none()
            || matches!(self.end.cause(), Some(Error::Launch(launch::Error::NoDebugger { .. })))
        {
            self.flows.clear();
            self.edits.end_exchange();
            return self.on_disconnected(Rung::Natural, DisconnectOutcome::Answered);
        }
        let (Some(wire), true) = (self.wire.clone(), self.incoming.is_open()) else {
            return self.on_disconnected(Rung::Natural, DisconnectOutcome::Answered);
        };
        // After `terminated` the adapter reports the exit of a debuggee that ended by itself.
        let over = self.debuggee.exit().is_some()
            || (self.debuggee.is_terminated() && self.quirks.announces_exit());
        self.end.set_exit_was_known(over);
        let kill = self.end.kills();
        let plan = DisconnectPlan { kill, polite: kill && !over && !self.stops.stands(), over };
        if let (false, Some(resources), Some(pid)) =
            (kill, &self.processes.resources, self.debuggee.pid())
        {
            resources.family.release(pid);
        }
        if let (true, Some(pid), Some(family)) =
            (kill && !over, self.debuggee.attached_process(), self.processes.family())
        {
            family.claim(pid);
        }
        let stopped = self.stops.stands();
        if let (true, Some(family)) =
            (kill && stopped && self.quirks.is_ended_by_host(), self.processes.family().cloned())
        {
            return self.flows.push(Box::pin(async move {
                family.kill().await;
                Done::Disconnected(Rung::Disconnect, DisconnectOutcome::Answered)
            }));
        }
        let limits = self.limits.clone();
        let release = self.release().filter(|_| !kill && !over);
        let gone = gone(self.debuggee.pid().filter(|_| kill), limits.close_grace);
        self.flows.push(Box::pin(async move {
            if let Some(release) = release {
                let _ = tokio::time::timeout(limits.detach, release.carry_out(&wire)).await;
            }
            tokio::select! {
                biased;
                (rung, outcome) = disconnect(&wire, plan, &limits) => {
                    Done::Disconnected(rung, outcome)
                }
                () = gone => {
                    let rung = if over { Rung::Natural } else { Rung::Disconnect };
                    Done::Disconnected(rung, DisconnectOutcome::Silent)
                }
            }
        }));
    }

    /// What decides whether the debuggee ends with the session.
    fn ties(&self) -> Ties {
        Ties {
            post_mortem: self.debuggee.is_post_mortem(),
            launched: self.debuggee.is_launched(),
            started: self.debuggee.was_started(),
            can_be_killed: !self.quirks.is_ended_by_host()
                || self.debuggee.attached_process().is_some(),
            always_ends: self.ends_attached().is_some(),
        }
    }

    /// Why an attached debuggee ends with the session; `None`: it does not.
    pub(super) fn ends_attached(&self) -> Option<String> {
        let offered = self.wire.as_ref()?.client().capabilities().terminate_debuggee();
        let why = self.quirks.ends_attached()?;
        let is_attached = self.debuggee.was_started() && !self.debuggee.is_launched();
        (is_attached && !offered).then(|| why.to_owned())
    }

    /// The state of the debuggee is unknown from now on. Fails a close that is under way, too.
    pub(super) fn on_connection_lost(&mut self) {
        let address = self.debuggee.address().map(str::to_owned);
        let lost = Error::Adapter(adapter::Error::ConnectionLost { address });
        match self.phase {
            Phase::Ending if self.debuggee.exit().is_none() => self.end.fail(lost),
            _ => self.fail(lost),
        }
    }

    /// Second half of the ladder: the processes. Closing the connection ends most adapters.
    pub(super) fn on_disconnected(&mut self, rung: Rung, outcome: DisconnectOutcome) {
        self.end.reach(rung);
        // A remote debuggee behind an adapter that refuses or does not answer is neither detached
        // nor ended.
        match (self.debuggee.address(), &outcome) {
            (Some(address), DisconnectOutcome::Failed(Some(why)))
                if self.debuggee.exit().is_none() =>
            {
                let (address, why) = (address.to_owned(), why.clone());
                self.end.fail(Error::Adapter(adapter::Error::NotDetached { address, why }));
            }
            (Some(_), DisconnectOutcome::Failed(None)) => self.on_connection_lost(),
            _ => {}
        }
        self.incoming.close();
        let Some(family) = self.processes.family().cloned() else {
            return self.on_reaped(Rung::Natural);
        };
        let processes = self.processes.resources.iter().flat_map(|resources| &resources.processes);
        let exited: Vec<Exited> = processes.map(|(_, process)| Process::exited(process)).collect();
        let is_silent = matches!(outcome, DisconnectOutcome::Silent);
        let grace = if self.quirks.stays_after_disconnect() || is_silent {
            Duration::ZERO
        } else {
            self.limits.close_grace
        };
        let mut tails: Vec<Tail> = Vec::new();
        if let Some(adapter) = self.processes.adapter() {
            for stream in self.quirks.passed_streams() {
                tails.push(pipes::tail(adapter, *stream).clone());
            }
        }
        let patience = self.limits.close_grace;
        let maps = self.code.source_maps.clone();
        // The adapter may have asked it to end, and its own end is better than a signal.
        let attached = self.debuggee.attached_process().filter(|_| self.end.kills());
        self.flows.push(Box::pin(async move {
            let all = futures_util::future::join_all(exited.into_iter().map(Exited::wait));
            let attached = futures_util::future::join_all(attached.into_iter().map(process::ended));
            let all = tokio::time::timeout(grace, all);
            let attached = tokio::time::timeout(grace.min(patience) * ATTACHED, attached);
            let _ = futures_util::future::join(all, attached).await;
            let rung = family.terminate().await.rung;
            // A process outside the family may keep the pipes open.
            let _ = tokio::time::timeout(
                patience,
                futures_util::future::join_all(tails.iter().map(Tail::closed)),
            )
            .await;
            // `finish` reads the source maps.
            maps.settle().await;
            Done::Reaped(match rung {
                process::Rung::Gone => Rung::Natural,
                process::Rung::Term => Rung::Term,
                process::Rung::Kill | process::Rung::Stuck => Rung::Kill,
            })
        }));
    }

    pub(super) fn on_reaped(&mut self, rung: Rung) {
        self.end.reach(rung);
        self.on_all_printed();
        // A signal on the last rungs comes from the host.
        let is_own =
            |exit: &ExitStatus| rung < Rung::Term || !matches!(exit, ExitStatus::Signal(_));
        if let Some(exit) = self.processes.resources.as_ref().and_then(own_exit).filter(is_own) {
            self.debuggee.on_exited(exit);
        }
        if let Some(cause) = self.end.take_cause() {
            self.log_standard_error();
            self.end.fail(self.with_last_words(cause));
        }
        self.processes.forget();
        self.signal(Signal::Gone);
    }

    /// Adds the last lines of the adapter's standard error to the log, if it is not the debuggee's.
    fn log_standard_error(&mut self) {
        let is_own = !self.quirks.passed_streams().contains(&Stream::Stderr);
        let adapter = self.processes.adapter().filter(|_| is_own);
        let Some(text) = adapter.map(|adapter| adapter.stderr().text()) else { return };
        for line in launch::last_lines(&text) {
            self.log.add(format!("standard error: {line}"));
        }
    }

    /// All processes are reaped: publishes the end.
    pub(super) fn finish(&mut self) {
        self.reads.clear();
        self.wire = None;
        let ties = self.ties();
        if ties.started && !self.end.detaches(ties.post_mortem) {
            self.breakpoints.settle_all(&self.quirks, |path| self.code.source_maps.has(path));
        }
        let lost = matches!(
            self.end.cause(),
            Some(
                Error::Adapter(adapter::Error::ConnectionLost { .. })
                    | Error::Adapter(adapter::Error::NotDetached { .. })
            )
        );
        self.note_end(ties, lost);
        let status = self.end.status(self.debuggee.exit(), ties, lost);
        let exit = Arc::new(self.exit(status, self.again(status)));
        self.log.add(format!("ended: {:?}, rung {:?}", exit.status, self.end.reached()));
        self.stops.end();
        self.end.finish(exit.clone(), self.identity.requested_at.elapsed());
        self.life.send_replace(if ties.started { Life::Over } else { Life::Failed });
        if self.journal.is_awaited() {
            self.forget_refused_launch();
        }
        self.progress.send_replace("ended".to_owned());
        self.output.close_lines();
        self.reporter.ended(&exit);
        for reply in self.end.take_waiters() {
            reply.send(Ok(exit.clone()));
        }
        self.fail_queued_edits();
        match (self.end.cause(), ties.started) {
            // The debuggee never ran: the wait for the first stop fails with the cause.
            (Some(cause), false) => self.journal.fail(cause),
            _ => self.journal.push(Happening::Ended(exit)),
        }
    }
}

impl Actor {
    /// A caller gets the reason of the end: a refused launch leaves no session.
    pub(super) fn forget_refused_launch(&self) {
        let is_refused = self.end.cause().is_some_and(Error::refuses_launch);
        if is_refused && *self.life.borrow() == Life::Failed {
            self.life.send_replace(Life::Refused);
        }
    }

    /// The end of a debuggee.
    pub(super) fn exit(&mut self, status: ExitStatus, again: Again) -> Exit {
        Exit {
            session: self.identity.id.clone(),
            status,
            cause: self.end.cause().map(Error::to_string),
            means: self.meaning(status),
            rung: self.end.rung(status),
            output: match status {
                ExitStatus::Code(0) | ExitStatus::Unknown | ExitStatus::Requested => {
                    self.output.news()
                }
                ExitStatus::Detached | ExitStatus::NotAttached => self.output.news(),
                ExitStatus::Code(_) | ExitStatus::Signal(_) => self.failure_tail(),
            },
            log_hits: self.log_hits.take_news(),
            breakpoints: self.breakpoints.list(),
            unfollowed: self.quirks.unfollowed_children().filter(|_| self.may_have_had_children()),
            elapsed: self.motion.since().elapsed(),
            built: self.code.build_time.take(),
            notes: std::mem::take(&mut self.notes),
            again,
        }
    }

    /// Whether child processes may have reached breakpoints without hits. Where a caller ends the
    /// program early, that explains them.
    fn may_have_had_children(&self) -> bool {
        self.debuggee.was_started() && !self.debuggee.is_post_mortem() && !self.end.was_requested()
    }

    /// Adds the notes of the end.
    fn note_end(&mut self, ties: Ties, lost: bool) {
        self.notes.extend(
            self.motion.take_run_to().and_then(|id| self.breakpoints.missed(id, Before::End)),
        );
        let newer = self.sources_newer_than_program();
        self.notes.extend(newer);
        if self.end.mode() == EndMode::Terminate
            && ties.started
            && !self.end.kills()
            && !ties.post_mortem
        {
            self.notes.push(Note::CannotEnd);
        }
        let is_launched = ties.launched && self.debuggee.exit().is_some();
        if is_launched && self.stops.is_entering() && !self.end.was_requested() {
            self.notes.push(Note::NoEntryStop);
        }
        self.notes.retain(|note| !matches!(note, Note::EndsWithSession(_)));
        if !lost && let Some(why) = self.end.take_reason() {
            self.notes.push(Note::EndedOnDetach(why));
        }
    }

    /// The end of the output, back to the reason of the failure.
    fn failure_tail(&self) -> OutputNote {
        let root = &self.code.root;
        let is_own = |line: &str| names_path_below(line, root) && !self.quirks.is_in_library(line);
        self.output.failure_tail(self.quirks.trace(), self.quirks.failure_reasons(), is_own)
    }

    /// The meaning of the end of the output, if the adapter has a rule for it.
    fn meaning(&self, status: ExitStatus) -> Option<String> {
        if !self.quirks.has_endings() {
            return None;
        }
        self.quirks.ending(quirks::LastOutput {
            text: &self.output.tail(),
            failed: matches!(status, ExitStatus::Code(1..) | ExitStatus::Signal(_)),
            unseen_exception: self.misses_exception(),
        })
    }

    /// Exceptions were to stop the debuggee, and none did.
    fn misses_exception(&self) -> bool {
        let defaults = || exceptions::default_words(self.plugin.manifest());
        let words = self.breakpoints.exceptions().unwrap_or_else(defaults);
        let stops = words.iter().any(|word| *word != exceptions::NONE);
        stops && !self.stops.saw_exception()
    }

    /// How to debug the same again. A process that has ended cannot be attached to.
    fn again(&self, status: ExitStatus) -> Again {
        match self.debuggee.attached_to() {
            None if self.opened.is_some() => Again::Nothing,
            None if status == ExitStatus::Code(0) => match self.quirks.following_options() {
                Some(options) => {
                    Again::Following { call: self.identity.repeat_call.clone(), options }
                }
                None => Again::Restart,
            },
            None => Again::Restart,
            // The listener has ended with the debuggee.
            Some(Attached::Address(_))
                if self.quirks.ends_attached().is_some() && self.end.kills() =>
            {
                Again::Nothing
            }
            Some(Attached::Address(_)) => Again::Call(self.identity.repeat_call.clone()),
            Some(Attached::Process(_)) if status == ExitStatus::Detached => {
                Again::Call(self.identity.repeat_call.clone())
            }
            Some(Attached::Process(_)) => Again::Nothing,
        }
    }
}

/// How `disconnect` ended.
#[derive(Debug)]
pub(super) enum DisconnectOutcome {
    /// The adapter answered, or no answer was needed.
    Answered,
    /// The adapter refused, in its words; `None`: it did not answer.
    Failed(Option<String>),
    /// The debuggee has ended and the adapter does not answer: it waits for another process that
    /// has the debuggee's streams open.
    Silent,
}

/// Waits until the debuggee has ended and the adapter has had `grace` to report it. Never returns
/// without a process id.
async fn gone(debuggee: Option<u32>, grace: Duration) {
    if let Some(pid) = debuggee {
        process::ended(pid).await;
        drop(tokio::time::timeout(grace, std::future::pending::<()>()).await);
    } else {
        std::future::pending().await
    }
}

/// How to leave the adapter.
#[derive(Clone, Copy)]
struct DisconnectPlan {
    /// The debuggee ends with the session.
    kill: bool,
    /// Send `terminate` first: the debuggee runs and may clean up.
    polite: bool,
    /// The debuggee has ended already.
    over: bool,
}

async fn disconnect(
    wire: &Wire,
    plan: DisconnectPlan,
    limits: &Limits,
) -> (Rung, DisconnectOutcome) {
    if plan.polite {
        let terminate = wire.call_with_limit::<request::Terminate>(
            TerminateArguments { restart: None },
            limits.terminate,
        );
        // The answer does not mean that the debuggee has ended: `disconnect` follows at once.
        let _ = terminate.await;
    }
    let capable = wire.client().capabilities().terminate_debuggee();
    let arguments = DisconnectArguments {
        restart: None,
        terminate_debuggee: (capable && !plan.over).then_some(plan.kill),
        suspend_debuggee: None,
    };
    let limit = if plan.kill { limits.disconnect } else { limits.detach };
    match wire.call_with_limit::<request::Disconnect>(arguments, limit).await {
        _ if plan.over => (Rung::Natural, DisconnectOutcome::Answered),
        // A plugin refuses the request when it knows that the connection is lost.
        Err(dap::Error::Refused { message, read: None, .. }) => {
            (Rung::Disconnect.max(Rung::Terminate), DisconnectOutcome::Failed(Some(message)))
        }
        Err(dap::Error::Timeout { .. } | dap::Error::Refused { .. }) => {
            (Rung::Disconnect.max(Rung::Terminate), DisconnectOutcome::Failed(None))
        }
        Err(_) => (Rung::Disconnect.max(Rung::Terminate), DisconnectOutcome::Answered),
        Ok(_) => (Rung::Disconnect, DisconnectOutcome::Answered),
    }
}

/// The exit of a debuggee that the host started, where the adapter did not report it.
fn own_exit(running: &Resources) -> Option<ExitStatus> {
    let (_, process) = running.processes.iter().find(|(role, _)| *role != Role::Adapter)?;
    match process.exited().now()? {
        process::Exit::Code(code) => Some(ExitStatus::Code(i64::from(code))),
        process::Exit::Signal(signal) => Some(ExitStatus::Signal(signal)),
    }
}
