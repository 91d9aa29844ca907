//! The end of a session: who wants it, whether the debuggee ends with it, and how it is reported.
//!
//! ```text
//!  open ─▶ ending ─▶ ended
//!    close, `terminated`,   all processes
//!    a failure              are reaped
//! ```

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::model::{Exit, ExitStatus, Rung};
use crate::session::Error;
use crate::session::handle::EndMode;
use crate::session::record::reply::Reply;

/// What decides whether the debuggee ends with the session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ties {
    pub(crate) post_mortem: bool,
    pub(crate) launched: bool,
    /// It has run under our control.
    pub(crate) started: bool,
    /// The adapter or the host can end an attached one.
    pub(crate) can_be_killed: bool,
    /// The adapter ends an attached one in any case.
    pub(crate) always_ends: bool,
}

impl Ties {
    /// Whether the debuggee ends with the session. An attached one must be under control first.
    fn end_it(self, mode: EndMode) -> bool {
        match mode {
            _ if self.post_mortem => self.launched,
            EndMode::Terminate => self.launched || (self.started && self.can_be_killed),
            EndMode::Detach => false,
            EndMode::Auto => self.launched || self.always_ends,
        }
    }
}

pub(crate) struct End {
    /// How the caller wants the session to end.
    mode: EndMode,
    /// A caller requested the end before the debuggee was known to have exited.
    requested: bool,
    /// The debuggee ends with the session. Set when the ladder begins.
    kills: bool,
    /// The exit was known before the ladder began.
    exit_was_known: bool,
    /// Why an attached debuggee ends with the session. Set when the ladder begins.
    reason: Option<String>,
    /// When an exit without `terminated` ends the session. Set by the exit, cleared by the ladder.
    deadline: Option<Instant>,
    /// The highest rung of the ladder that the end has needed.
    rung: Rung,
    /// Why the session failed.
    cause: Option<Error>,
    /// Callers that wait for the end.
    waiters: Vec<Reply<Arc<Exit>>>,
    exit: Option<Arc<Exit>>,
    /// How long the session lasted.
    lifetime: Option<Duration>,
}

impl Default for End {
    fn default() -> Self {
        Self {
            mode: EndMode::Auto,
            requested: false,
            kills: false,
            exit_was_known: false,
            reason: None,
            deadline: None,
            rung: Rung::Natural,
            cause: None,
            waiters: Vec::new(),
            exit: None,
            lifetime: None,
        }
    }
}

impl End {
    /// A caller requests the end. `exited`: the debuggee is known to have exited.
    pub(crate) fn request(&mut self, mode: EndMode, exited: bool) {
        (self.mode, self.requested) = (mode, !exited);
    }

    pub(crate) fn mode(&self) -> EndMode {
        self.mode
    }

    pub(crate) fn wait(&mut self, reply: Reply<Arc<Exit>>) {
        self.waiters.push(reply);
    }

    pub(crate) fn take_waiters(&mut self) -> Vec<Reply<Arc<Exit>>> {
        std::mem::take(&mut self.waiters)
    }

    /// When an exit without `terminated` ends the session.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub(crate) fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// The ladder begins. `reason`: why the adapter ends an attached debuggee in any case.
    pub(crate) fn begin(&mut self, ties: Ties, reason: Option<String>) {
        self.deadline = None;
        self.kills = ties.end_it(self.mode);
        self.reason = reason.filter(|_| self.requested);
    }

    /// The debuggee had exited when the adapter was to be left.
    pub(crate) fn set_exit_was_known(&mut self, known: bool) {
        self.exit_was_known = known;
    }

    /// Whether the debuggee ends with the session.
    pub(crate) fn kills(&self) -> bool {
        self.kills
    }

    /// Why an attached debuggee ended although its session was only to be left.
    pub(crate) fn take_reason(&mut self) -> Option<String> {
        self.reason.take().filter(|_| self.mode == EndMode::Auto)
    }

    /// The end has needed this rung.
    pub(crate) fn reach(&mut self, rung: Rung) {
        self.rung = self.rung.max(rung);
    }

    /// The highest rung that the end has needed.
    pub(crate) fn reached(&self) -> Rung {
        self.rung
    }

    /// The rung to report. A signal that was reported before the ladder began was not sent by it.
    pub(crate) fn rung(&self, status: ExitStatus) -> Rung {
        match status {
            ExitStatus::Signal(_) if self.exit_was_known => Rung::Natural,
            _ => self.rung,
        }
    }

    pub(crate) fn cause(&self) -> Option<&Error> {
        self.cause.as_ref()
    }

    /// The session fails; the first cause counts.
    pub(crate) fn fail(&mut self, cause: Error) {
        self.cause.get_or_insert(cause);
    }

    pub(crate) fn take_cause(&mut self) -> Option<Error> {
        self.cause.take()
    }

    /// Whether the debuggee runs on without the session.
    pub(crate) fn detaches(&self, post_mortem: bool) -> bool {
        self.requested && !self.kills && !post_mortem
    }

    /// How the debuggee ended. `lost`: its state is unknown.
    pub(crate) fn status(&self, exit: Option<ExitStatus>, ties: Ties, lost: bool) -> ExitStatus {
        match exit {
            Some(status) if !self.requested => status,
            _ if self.detaches(ties.post_mortem) && !lost => {
                if ties.started {
                    ExitStatus::Detached
                } else {
                    ExitStatus::NotAttached
                }
            }
            _ if self.requested => ExitStatus::Requested,
            _ => ExitStatus::Unknown,
        }
    }

    /// A call has ended the session.
    pub(crate) fn was_requested(&self) -> bool {
        self.requested
    }

    pub(crate) fn exit(&self) -> Option<&Arc<Exit>> {
        self.exit.as_ref()
    }

    /// All processes are reaped.
    pub(crate) fn finish(&mut self, exit: Arc<Exit>, lifetime: Duration) {
        (self.exit, self.lifetime) = (Some(exit), Some(lifetime));
    }

    pub(crate) fn lifetime(&self) -> Option<Duration> {
        self.lifetime
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ties(launched: bool, started: bool) -> Ties {
        let (post_mortem, can_be_killed, always_ends) = (false, true, false);
        Ties { post_mortem, launched, started, can_be_killed, always_ends }
    }

    #[test]
    fn debuggee_ends_as_its_origin_and_the_caller_say() {
        use EndMode::{Auto, Detach, Terminate};
        let launched = ties(true, true);
        let attached = ties(false, true);
        let preparing = ties(false, false);
        let unkillable = Ties { can_be_killed: false, ..attached };
        let bound = Ties { always_ends: true, ..attached };
        let core = Ties { post_mortem: true, ..launched };
        for (ties, kills) in [
            (launched, [true, true, false]),
            (attached, [false, true, false]),
            (preparing, [false, false, false]),
            (unkillable, [false, false, false]),
            (bound, [true, true, false]),
            // The debugger of a core file is left, whatever the caller says.
            (core, [true, true, true]),
            (Ties { launched: false, ..core }, [false, false, false]),
        ] {
            for (mode, kills) in [Auto, Terminate, Detach].into_iter().zip(kills) {
                assert_eq!(ties.end_it(mode), kills, "{mode:?} {ties:?}");
            }
        }
    }

    /// Mode of the caller or none; exit before the request; ties; lost; the status.
    #[test]
    fn status_is_the_debuggees_own_or_what_the_caller_wanted() {
        use EndMode::{Auto, Detach, Terminate};
        let (launched, attached, preparing) =
            (ties(true, true), ties(false, true), ties(false, false));
        let code = Some(ExitStatus::Code(3));
        for (mode, exit, ties, lost, expected) in [
            (None, code, launched, false, ExitStatus::Code(3)),
            (None, None, launched, false, ExitStatus::Unknown),
            (Some(Auto), None, launched, false, ExitStatus::Requested),
            (Some(Terminate), None, launched, false, ExitStatus::Requested),
            (Some(Auto), code, launched, false, ExitStatus::Code(3)),
            (Some(Auto), None, attached, false, ExitStatus::Detached),
            (Some(Detach), None, launched, false, ExitStatus::Detached),
            (Some(Auto), None, preparing, false, ExitStatus::NotAttached),
            (Some(Auto), None, attached, true, ExitStatus::Requested),
            (None, None, attached, true, ExitStatus::Unknown),
        ] {
            let mut end = End::default();
            if let Some(mode) = mode {
                end.request(mode, exit.is_some());
            }
            end.begin(ties, None);
            assert_eq!(end.status(exit, ties, lost), expected, "{mode:?} {exit:?} {ties:?} {lost}");
        }
    }

    #[test]
    fn signal_before_the_ladder_is_natural() {
        let mut end = End::default();
        end.reach(Rung::Kill);
        end.reach(Rung::Disconnect);
        assert_eq!(end.rung(ExitStatus::Signal(9)), Rung::Kill);
        end.set_exit_was_known(true);
        assert_eq!(end.rung(ExitStatus::Signal(9)), Rung::Natural);
        assert_eq!(end.rung(ExitStatus::Requested), Rung::Kill);
    }

    #[test]
    fn end_of_an_attached_debuggee_is_explained_to_who_wanted_to_leave_it() {
        let bound = Ties { always_ends: true, ..ties(false, true) };
        for (requested, mode, explained) in [
            (true, EndMode::Auto, true),
            (true, EndMode::Terminate, false),
            (false, EndMode::Auto, false),
        ] {
            let mut end = End::default();
            if requested {
                end.request(mode, false);
            }
            end.begin(bound, Some("it serves one".into()));
            assert_eq!(end.take_reason().is_some(), explained, "{requested} {mode:?}");
        }
    }
}
