//! Ends all processes of a scope: SIGTERM, wait, SIGKILL, until none is left.
//!
//! Blocking, because the guard has no runtime and an ending must not be cancelled; the host runs it
//! on a blocking thread. Refuses to know which processes belong.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::ending::{Ending, Rung};
use super::scope::Scope;
use super::table::{self, Entry};
use super::{ProcessId, signals};

/// Longest time between two readings of the process table.
const READ_AGAIN: Duration = Duration::from_millis(50);

/// Time limits of the rungs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ladder {
    /// From SIGTERM to SIGKILL; zero sends no SIGTERM.
    pub term: Duration,
    /// From SIGKILL to the end of the attempt.
    pub kill: Duration,
    /// How long the scope must stay empty before it counts as ended.
    pub settle: Duration,
}

/// Climbs the ladder. `scope` is read again each time, because the debuggee's pid may arrive late.
pub(super) fn end(scope: impl Fn() -> Option<Scope>, ladder: Ladder) -> Ending {
    let mut sweep = Sweep { scope, seen: BTreeSet::new(), signalled: BTreeSet::new() };
    if sweep.is_clear(ladder.settle) {
        return Ending { rung: Rung::Gone, left: Vec::new() };
    }
    if !ladder.term.is_zero() && sweep.climb(Signal::TERM, ladder.term, ladder.settle) {
        return Ending { rung: Rung::Term, left: Vec::new() };
    }
    if sweep.climb(Signal::KILL, ladder.kill, ladder.settle) {
        return Ending { rung: Rung::Kill, left: Vec::new() };
    }
    Ending { rung: Rung::Stuck, left: sweep.members().1.into_iter().map(Into::into).collect() }
}

struct Sweep<S> {
    scope: S,
    /// Members so far. They stay members: a debuggee without parent may show no other sign.
    seen: BTreeSet<ProcessId>,
    signalled: BTreeSet<(i32, ProcessId)>,
}

impl<S: Fn() -> Option<Scope>> Sweep<S> {
    /// Sends a signal until no member is left; false once `patience` has passed.
    fn climb(&mut self, signal: Signal, patience: Duration, settle: Duration) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            let members = self.signal_members(signal);
            if members.is_empty() && self.is_clear(settle) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            signals::wait_ended(&members, left.min(READ_AGAIN));
        }
    }

    /// No member, now and after `settle`.
    fn is_clear(&mut self, settle: Duration) -> bool {
        self.members().1.is_empty() && {
            signals::settle(settle);
            self.members().1.is_empty()
        }
    }

    fn signal_members(&mut self, signal: Signal) -> Vec<ProcessId> {
        let (groups, members) = self.members();
        if signal == Signal::KILL {
            for group in groups {
                signals::signal_group(group, signal);
            }
        }
        for member in &members {
            // One SIGTERM per process: a handler may not expect a second one.
            if self.signalled.insert((signal.as_raw(), member.id)) || signal == Signal::KILL {
                signals::signal(member.id, signal);
            }
        }
        members.iter().map(|member| member.id).collect()
    }

    /// Groups of members only, and all members.
    fn members(&mut self) -> (Vec<u32>, Vec<Entry>) {
        let Some(mut scope) = (self.scope)() else {
            return (Vec::new(), Vec::new());
        };
        scope.pids.extend(self.seen.difference(&scope.spared).copied().collect::<Vec<_>>());
        let processes = processes(&scope);
        let members = scope.members(&processes);
        self.seen.extend(members.iter().map(|member| member.id));
        (scope.whole_groups(&processes, &members), members)
    }
}

/// The process table; where the system has none, the listed processes.
fn processes(scope: &Scope) -> Vec<Entry> {
    if cfg!(target_os = "linux") {
        return table::snapshot();
    }
    scope.groups.iter().chain(&scope.pids).filter_map(|id| table::entry(id.pid)).collect()
}

/// Kills all processes without waiting for their end.
pub(super) fn kill_now(scope: &Scope) {
    let scope = scope.clone();
    Sweep { scope: || Some(scope.clone()), seen: BTreeSet::new(), signalled: BTreeSet::new() }
        .signal_members(Signal::KILL);
}

/// The living processes of a scope.
pub(super) fn alive(scope: &Scope) -> Vec<Entry> {
    scope.members(&processes(scope))
}
