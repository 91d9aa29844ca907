//! The phase machine: what a session is doing, and what follows from what happens.
//!
//! Pure: no clock, no wire. The table in `tests/machine` walks every cell.
//!
//! ```text
//! Preparing -> Starting -> Running <-> Stopped -> Ending -> Ended
//! ```
//!
//! Every phase before `Ending` goes to `Ending` on [`Signal::Close`], on
//! [`Signal::Over`] and on [`Signal::Lost`]; nothing leaves `Ended`.

/// What a session is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The plugin decides, programs are built, processes start; no wire yet.
    Preparing,
    /// The wire is up, the debuggee not yet on its way.
    Starting,
    /// The debuggee runs.
    Running,
    /// The debuggee stands still.
    Stopped,
    /// It is being ended.
    Ending,
    /// Nothing of it is left.
    Ended,
}

/// What happens to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// The adapter is connected.
    Connected,
    /// Launch and configuration are both answered.
    Configured,
    /// The adapter says the debuggee stopped.
    Stopped,
    /// A request that moves the debuggee was sent.
    Resumed,
    /// Such a request was refused: it never moved.
    Refused,
    /// The adapter says that debugging is over.
    Over,
    /// Starting failed, or the wire ended.
    Lost,
    /// The caller wants an end.
    Close,
    /// Nothing is left.
    Gone,
}

/// What the actor does about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Begin the start sequence.
    Handshake,
    /// Read the stop.
    Snapshot,
    /// Cancel what is being read of the last stop.
    DropReads,
    /// Climb the ladder of endings.
    End,
    /// Tell everybody.
    Finish,
}

impl Phase {
    /// The phase after `signal`, and what to do. A signal that means nothing in a
    /// phase changes nothing.
    pub fn on(self, signal: Signal) -> (Self, &'static [Effect]) {
        use Effect::{DropReads, End, Finish, Handshake, Snapshot};
        match (self, signal) {
            (Self::Ended, _) => (self, &[]),
            (_, Signal::Gone) => (Self::Ended, &[Finish]),
            (Self::Ending, _) => (self, &[]),
            (_, Signal::Close | Signal::Over | Signal::Lost) => (Self::Ending, &[DropReads, End]),
            (Self::Preparing, Signal::Connected) => (Self::Starting, &[Handshake]),
            (Self::Starting, Signal::Configured) => (Self::Running, &[]),
            // A stop may overtake the answers that complete the configuration.
            (Self::Starting | Self::Running, Signal::Stopped) => (Self::Stopped, &[Snapshot]),
            // A second thread stopped, or the adapter says it again: the newer one counts.
            (Self::Stopped, Signal::Stopped) => (Self::Stopped, &[DropReads, Snapshot]),
            (Self::Stopped, Signal::Resumed) => (Self::Running, &[DropReads]),
            (Self::Running, Signal::Refused) => (Self::Stopped, &[]),
            _ => (self, &[]),
        }
    }

    /// In a word, for status lines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Preparing => "preparing",
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Ending => "ending",
            Self::Ended => "ended",
        }
    }
}
