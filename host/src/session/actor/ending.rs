//! The end of a session: a ladder, each rung with its own deadline. Knows nothing of how a process
//! family is ended (`process`) or an attached debuggee is freed (`release`).
//!
//! ```text
//! DAP terminate ─▶ disconnect ─▶ wire closed ─▶ SIGTERM ─▶ SIGKILL ─▶ reaped
//! ```

use std::sync::Arc;
use std::time::Duration;

use super::{Actor, Attached, Done, Phase, Signal};
use crate::dap::arguments::{DisconnectArguments, TerminateArguments};
use crate::dap::{self, request};
use crate::limits::Limits;
use crate::model::plan::Role;
use crate::model::{Again, Before, Exit, ExitStatus, Happening, Note, OutputNote, Rung};
use crate::pattern;
use crate::process::{self, Exited, Process, Tail};
use crate::session::adapter;
use crate::session::adapter::wire::Wire;
use crate::session::handle::{EndMode, Life};
use crate::session::launch;
use crate::session::launch::order::Resources;
use crate::session::stop::ending_words::{self, Exceptions};
use crate::session::{Error, breakpoints::exceptions};
use dapdock_schema::Left;

impl Actor {
    /// First half of the ladder: over the connection.
    pub(super) fn end(&mut self) {
        self.answer_move();
        self.answer_queued_pauses();
        self.exit_deadline = None;
        self.kills_debuggee = self.kills();
        self.attached_end_reason = self.ends_attached().filter(|_| self.closed_before_exit);
        // Dropping the flow of the preparation ends the processes that it started.
        if self.wire.is_none()
            || matches!(self.cause, Some(Error::Launch(launch::Error::NoDebugger { .. })))
        {
            self.flows.clear();
            self.edits.forget_exchange();
            return self.on_disconnected(Rung::Natural, DisconnectOutcome::Answered);
        }
        let (Some(wire), true) = (self.wire.clone(), self.inbox.is_some()) else {
            return self.on_disconnected(Rung::Natural, DisconnectOutcome::Answered);
        };
        // After `terminated` the adapter reports the exit of a debuggee that ended by itself.
        let over = self.exit_status.is_some()
            || (self.terminated && self.profile.exit_code_after.is_some());
        self.exit_before_ladder = over;
        let kill = self.kills_debuggee;
        let plan = DisconnectPlan { kill, polite: kill && !over && !self.stops.stands(), over };
        if let (false, Some(running), Some(pid)) = (kill, &self.running, self.debuggee_pid) {
            running.family.release(pid);
        }
        if let (true, Some(pid), Some(family)) = (kill, self.unended_attached(), self.family.get())
        {
            family.claim(pid);
        }
        let stopped = self.stops.stands();
        if let (true, Some(family)) =
            (kill && stopped && self.profile.disconnect_resumes, self.family.get().cloned())
        {
            return self.flows.push(Box::pin(async move {
                family.kill().await;
                Done::Disconnected(Rung::Disconnect, DisconnectOutcome::Answered)
            }));
        }
        let limits = self.limits.clone();
        let release = self.release().filter(|_| !kill && !over);
        let gone = gone(self.debuggee_pid.filter(|_| kill), limits.close_grace);
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

    /// Whether the debuggee ends with the session. An attached one must be under control first.
    fn kills(&self) -> bool {
        match self.end_mode {
            _ if self.post_mortem => self.is_launched(),
            EndMode::Terminate if self.is_launched() => true,
            EndMode::Terminate => {
                self.was_started
                    && (!self.profile.keeps_attached || self.unended_attached().is_some())
            }
            EndMode::Detach => false,
            EndMode::Auto => self.is_launched() || self.ends_attached().is_some(),
        }
    }

    /// Why an attached debuggee ends with the session; `None`: it does not.
    pub(super) fn ends_attached(&self) -> Option<String> {
        let offered = self.wire.as_ref()?.client().capabilities().terminate_debuggee();
        self.profile
            .ends_attached
            .clone()
            .filter(|_| self.was_started && !self.is_launched() && !offered)
    }

    /// The state of the debuggee is unknown from now on. Fails a close that is under way, too.
    pub(super) fn on_connection_lost(&mut self) {
        let address = match &self.attached_to {
            Some(Attached::Address(address)) => Some(address.clone()),
            _ => None,
        };
        let lost = Error::Adapter(adapter::Error::ConnectionLost { address });
        match self.phase {
            Phase::Ending if self.exit_status.is_none() => drop(self.cause.get_or_insert(lost)),
            _ => self.fail(lost),
        }
    }

    /// The attached process, where the adapter does not end it and the host must.
    fn unended_attached(&self) -> Option<u32> {
        match &self.attached_to {
            Some(Attached::Process(pid)) if self.profile.keeps_attached => Some(*pid),
            _ => None,
        }
    }

    /// Second half of the ladder: the processes. Closing the connection ends most adapters.
    pub(super) fn on_disconnected(&mut self, rung: Rung, outcome: DisconnectOutcome) {
        self.rung = self.rung.max(rung);
        // A remote debuggee behind an adapter that refuses or does not answer is neither detached
        // nor ended.
        match (&self.attached_to, &outcome) {
            (Some(Attached::Address(address)), DisconnectOutcome::Failed(Some(why)))
                if self.exit_status.is_none() =>
            {
                let cause = || {
                    Error::Adapter(adapter::Error::NotDetached {
                        address: address.clone(),
                        why: why.clone(),
                    })
                };
                self.cause.get_or_insert_with(cause);
            }
            (Some(Attached::Address(_)), DisconnectOutcome::Failed(None)) => {
                self.on_connection_lost()
            }
            _ => {}
        }
        self.inbox = None;
        let Some(family) = self.family.get().cloned() else { return self.on_reaped(Rung::Natural) };
        let processes = self.running.iter().flat_map(|running| &running.processes);
        let exited: Vec<Exited> = processes.map(|(_, process)| Process::exited(process)).collect();
        let grace = match (self.profile.left, outcome) {
            (Left::Ends, DisconnectOutcome::Answered | DisconnectOutcome::Failed(_)) => {
                self.limits.close_grace
            }
            (Left::Stays, _) | (_, DisconnectOutcome::Silent) => Duration::ZERO,
        };
        let adapter = self
            .running
            .as_ref()
            .and_then(Resources::adapter)
            .filter(|_| self.profile.output.pipes);
        let tails: Vec<Tail> =
            adapter.into_iter().flat_map(|it| [it.stdout().clone(), it.stderr().clone()]).collect();
        let patience = self.limits.close_grace;
        let maps = self.source_maps.clone();
        self.flows.push(Box::pin(async move {
            let all = futures_util::future::join_all(exited.into_iter().map(Exited::wait));
            let _ = tokio::time::timeout(grace, all).await;
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
        self.rung = self.rung.max(rung);
        self.on_all_printed();
        if let (None, Some(running)) = (self.exit_status, &self.running) {
            // A signal on the last rungs comes from the host.
            self.exit_status = own_exit(running)
                .filter(|exit| rung < Rung::Term || !matches!(exit, ExitStatus::Signal(_)));
        }
        self.cause = self.cause.take().map(|error| self.with_last_words(error));
        self.running = None;
        self.family = Arc::default();
        self.signal(Signal::Gone);
    }

    /// All processes are reaped: publishes the end.
    pub(super) fn finish(&mut self) {
        self.reads.clear();
        self.wire = None;
        if self.was_started && !self.detaches() {
            self.breakpoints.settle_all(&self.profile, |path| self.source_maps.has(path));
        }
        let lost = matches!(
            self.cause,
            Some(
                Error::Adapter(adapter::Error::ConnectionLost { .. })
                    | Error::Adapter(adapter::Error::NotDetached { .. })
            )
        );
        self.note_end(lost);
        let status = self.status_of_end(lost);
        let exit = Arc::new(self.exit(status, self.again(status)));
        self.log.add(format!("ended: {:?}, rung {:?}", exit.status, self.rung));
        self.stops.end();
        self.ended = Some(exit.clone());
        self.lifetime = Some(self.requested_at.elapsed());
        self.life.send_replace(match &self.cause {
            _ if self.was_started => Life::Over,
            Some(error) if error.refuses_arguments() => Life::Refused,
            _ => Life::Failed,
        });
        self.progress.send_replace("ended".to_owned());
        self.output.close_lines();
        self.reporter.ended(&exit);
        for reply in std::mem::take(&mut self.close_waiters) {
            reply.send(Ok(exit.clone()));
        }
        self.fail_queued_edits();
        match (&self.cause, self.was_started) {
            // The debuggee never ran: the wait for the first stop fails with the cause.
            (Some(cause), false) => self.journal.fail(cause),
            _ => self.journal.push(Happening::Ended(exit)),
        }
    }
}

impl Actor {
    /// The end of a debuggee.
    pub(super) fn exit(&mut self, status: ExitStatus, again: Again) -> Exit {
        Exit {
            session: self.id.clone(),
            status,
            cause: self.cause.as_ref().map(Error::to_string),
            means: ending_words::explanation(
                &self.profile.endings,
                &self.output,
                self.exceptions_seen(),
                status,
            ),
            // A signal that was reported before the ladder began was not sent by it.
            rung: match status {
                ExitStatus::Signal(_) if self.exit_before_ladder => Rung::Natural,
                _ => self.rung,
            },
            output: match status {
                ExitStatus::Code(0) | ExitStatus::Unknown | ExitStatus::Requested => {
                    self.output.news()
                }
                ExitStatus::Detached | ExitStatus::NotAttached => self.output.news(),
                ExitStatus::Code(_) | ExitStatus::Signal(_) => self.failure_tail(),
            },
            log_hits: self.log_hits.take_news(),
            breakpoints: self.breakpoints.list(),
            unfollowed: self
                .profile
                .unfollowed
                .clone()
                .filter(|_| self.was_started && !self.post_mortem),
            elapsed: self.motion.since().elapsed(),
            built: self.build_time.take(),
            notes: std::mem::take(&mut self.notes),
            again,
        }
    }

    /// Whether the debuggee runs on without the session.
    fn detaches(&self) -> bool {
        self.closed_before_exit && !self.kills_debuggee && !self.post_mortem
    }

    /// Adds the notes of the end.
    fn note_end(&mut self, lost: bool) {
        self.notes.extend(
            self.motion.take_run_to().and_then(|id| self.breakpoints.missed(id, Before::End)),
        );
        let newer = self.sources_newer_than_program();
        self.notes.extend(newer);
        if self.end_mode == EndMode::Terminate
            && self.was_started
            && !self.kills_debuggee
            && !self.post_mortem
        {
            self.notes.push(Note::CannotEnd);
        }
        self.notes.retain(|note| !matches!(note, Note::EndsWithSession(_)));
        if let (EndMode::Auto, false, Some(why)) =
            (self.end_mode, lost, self.attached_end_reason.take())
        {
            self.notes.push(Note::EndedOnDetach(why));
        }
    }

    fn status_of_end(&self, lost: bool) -> ExitStatus {
        let detached = self.detaches() && !lost;
        match self.exit_status {
            Some(status) if !self.closed_before_exit => status,
            _ if detached && self.was_started => ExitStatus::Detached,
            _ if detached => ExitStatus::NotAttached,
            _ if self.closed_before_exit => ExitStatus::Requested,
            _ => ExitStatus::Unknown,
        }
    }

    /// The end of the output, back to the reason of the failure.
    fn failure_tail(&self) -> OutputNote {
        let reasons: Vec<_> =
            self.profile.telling.iter().filter_map(|text| pattern::compile(text).ok()).collect();
        let library = &self.profile.library.paths;
        let is_reason = |line: &str| {
            reasons.iter().any(|pattern| pattern.is_match(line))
                && !library.iter().any(|path| line.contains(path.as_str()))
        };
        self.output.failure_tail(self.profile.trace.as_deref(), is_reason)
    }

    fn exceptions_seen(&self) -> Exceptions {
        let defaults = exceptions::default_words(self.plugin.manifest());
        let words = self.breakpoints.exceptions().unwrap_or(&defaults);
        let stops = words.iter().any(|word| *word != exceptions::NONE);
        if stops && !self.stops.saw_exception() { Exceptions::Unseen } else { Exceptions::Known }
    }

    /// How to debug the same again. A process that has ended cannot be attached to.
    fn again(&self, status: ExitStatus) -> Again {
        match &self.attached_to {
            None if self.opened.is_some() => Again::Nothing,
            None => Again::Restart,
            // The listener has ended with the debuggee.
            Some(Attached::Address(_))
                if self.profile.ends_attached.is_some() && self.kills_debuggee =>
            {
                Again::Nothing
            }
            Some(Attached::Address(_)) => Again::Call(self.repeat_call.clone()),
            Some(Attached::Process(_)) if status == ExitStatus::Detached => {
                Again::Call(self.repeat_call.clone())
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
