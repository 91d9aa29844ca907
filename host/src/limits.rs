//! Every bound and every timeout, in one place, passed explicitly. Knows no policy: who uses a bound says what happens
//! when it is reached.

use std::time::Duration;

/// The bounds of one host. [`Limits::default`] is what it runs with; tests tighten single fields.
#[derive(Clone, Debug)]
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
    /// One guest call, wall clock; the time of probes is not counted.
    pub guest_call: Duration,
    /// How often a guest that computes is made to give way, and its clock is read.
    pub guest_tick: Duration,
    /// Linear memory of one guest call, in bytes.
    pub guest_memory: usize,
    /// Handles alive in one guest call.
    pub guest_handles: usize,
    /// What one guest call may pass to the host at a time, in bytes, answers included.
    pub guest_answer: usize,
    /// How much a guest may print, in bytes: room for a panic's message.
    pub guest_stderr: usize,
    /// Longest log or progress line of a guest, in bytes.
    pub guest_line: usize,
    /// Largest component that is read from disk, in bytes.
    pub component: u64,
    /// Rounds of builds for one request.
    pub build_rounds: u32,
    /// A probe that names no limit of its own, and the most it may name.
    pub probe_time: Duration,
    /// How much of a probe's output a guest sees, in bytes.
    pub probe_output: usize,
    /// Most bytes of a workspace file that a guest reads at once.
    pub workspace_file: u64,
    /// Most entries of a directory or matches of a glob that a guest is told.
    pub workspace_entries: usize,
    /// Most directory entries that one glob looks at.
    pub workspace_visits: usize,
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
            guest_call: Duration::from_secs(2),
            guest_tick: Duration::from_millis(10),
            guest_memory: 64 << 20,
            guest_handles: 10_000,
            guest_answer: 16 << 20,
            guest_stderr: 4096,
            guest_line: 4096,
            component: 64 << 20,
            build_rounds: 3,
            probe_time: Duration::from_secs(10),
            probe_output: 256 * 1024,
            workspace_file: 4 << 20,
            workspace_entries: 10_000,
            workspace_visits: 100_000,
        }
    }
}
