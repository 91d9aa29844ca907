//! Every bound and every timeout, in one place, passed explicitly. Knows no policy: who uses a bound says what happens
//! when it is reached.

use std::time::Duration;

/// The bounds of one host. [`Limits::default`] is what it runs with; tests tighten single fields.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// How much of an output stream of a process is kept, in bytes; older bytes are forgotten.
    pub tail_bytes: usize,
    /// Longest line handed to whoever follows a stream, in bytes; longer ones come in pieces.
    pub line_bytes: usize,
    /// From SIGTERM to SIGKILL.
    pub term_grace: Duration,
    /// From SIGKILL until a process counts as stuck.
    pub kill_grace: Duration,
    /// How long nothing must have been alive before an ending is believed: a process in mid-`exec` shows no mark.
    pub settle: Duration,
    /// From starting the guard process to its word that it is ready.
    pub guard_start: Duration,
    /// A guard that died younger than this is not replaced before the next session.
    pub guard_young: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tail_bytes: 64 * 1024,
            line_bytes: 16 * 1024,
            term_grace: Duration::from_millis(500),
            kill_grace: Duration::from_secs(2),
            settle: Duration::from_millis(5),
            guard_start: Duration::from_secs(5),
            guard_young: Duration::from_secs(1),
        }
    }
}
