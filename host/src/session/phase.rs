//! The phase machine: the phases of a session, and the effects of each signal.
//!
//! Pure: no clock, no connection. The table in `tests/machine` covers every cell.
//!
//! ```text
//! Preparing -> Starting -> Running <-> Stopped -> Ending -> Ended
//!                   |         ^          ^
//!                   `-> Idle -+----------´  (a session without a target)
//! ```
//!
//! Every phase before `Ending` goes to `Ending` on [`Signal::Close`], [`Signal::Over`] and
//! [`Signal::Lost`]; no signal leaves `Ended`.

/// The phase of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The plugin plans, programs are built, processes start; no connection yet.
    Preparing,
    /// The adapter is connected; the start sequence runs.
    Starting,
    /// The session is open for commands of the debugger, and has no debuggee.
    Idle,
    /// The debuggee runs, or stands at a stop that callers do not see.
    Running,
    /// The debuggee is stopped. Callers see the stop once it is read, unless the host resumes it
    /// then.
    Stopped,
    /// The session is being ended.
    Ending,
    /// No process of the session is left.
    Ended,
}

/// An event in the life of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// The adapter is connected.
    Connected,
    /// Launch and configuration are both answered.
    Configured,
    /// The session is open and has no target.
    Opened,
    /// The debuggee has ended, and the session stays open.
    Exited,
    /// A stop is to be read: at its event, or once it is known that callers see it.
    Stopped,
    /// A move is to be sent, or the stop that is being read turned out to be hidden.
    Resumed,
    /// The adapter refused the move.
    Refused,
    /// The adapter reports the end of debugging.
    Over,
    /// The start failed, or the connection ended.
    Lost,
    /// The caller ends the session.
    Close,
    /// All processes are reaped.
    Gone,
}

/// What the actor does at a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Begin the start sequence.
    Handshake,
    /// Read the stop.
    Snapshot,
    /// Cancel the reads of the last stop.
    DropReads,
    /// Begin the ladder that ends the session.
    End,
    /// Publish the end.
    Finish,
}

impl Phase {
    /// The phase after `signal`, and its effects. A signal without meaning in a phase has none.
    pub fn on(self, signal: Signal) -> (Self, &'static [Effect]) {
        use Effect::{DropReads, End, Finish, Handshake, Snapshot};
        match (self, signal) {
            (Self::Ended, _) => (self, &[]),
            (_, Signal::Gone) => (Self::Ended, &[Finish]),
            (Self::Ending, _) => (self, &[]),
            (_, Signal::Close | Signal::Over | Signal::Lost) => (Self::Ending, &[DropReads, End]),
            (Self::Preparing, Signal::Connected) => (Self::Starting, &[Handshake]),
            (Self::Starting, Signal::Configured) => (Self::Running, &[]),
            (Self::Starting, Signal::Opened) => (Self::Idle, &[]),
            (Self::Idle, Signal::Resumed) => (Self::Running, &[]),
            (Self::Running | Self::Stopped, Signal::Exited) => (Self::Idle, &[DropReads]),
            // A stop may overtake the answers that complete the configuration.
            (Self::Starting | Self::Idle | Self::Running, Signal::Stopped) => {
                (Self::Stopped, &[Snapshot])
            }
            // A second thread stopped, or the adapter repeats the event: the newer one counts.
            (Self::Stopped, Signal::Stopped) => (Self::Stopped, &[DropReads, Snapshot]),
            (Self::Stopped, Signal::Resumed) => (Self::Running, &[DropReads]),
            (Self::Running, Signal::Refused) => (Self::Stopped, &[]),
            _ => (self, &[]),
        }
    }

    /// Whether the adapter takes requests about a debuggee, or about its breakpoints.
    pub fn is_up(self) -> bool {
        matches!(self, Self::Idle | Self::Running | Self::Stopped)
    }

    /// The word for status lines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Preparing => "preparing",
            Self::Starting => "starting",
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Ending => "ending",
            Self::Ended => "ended",
        }
    }
}
