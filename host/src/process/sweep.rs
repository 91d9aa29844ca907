//! Ends everything in a scope: SIGTERM, patience, SIGKILL, until nothing is left. Synchronous and
//! blocking, because the guard has no runtime and an ending once begun must not be cancelled; the
//! host runs it on a blocking thread.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::scope::Scope;
use super::table::{self, Entry};
use super::{Ending, ProcessId, Rung};

/// Longest wait before looking for new members again.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// How long each rung of the ladder may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ladder {
    /// From SIGTERM to SIGKILL; zero leaves SIGTERM out.
    pub term: Duration,
    /// From SIGKILL to giving up.
    pub kill: Duration,
    /// How long there must have been nothing.
    pub settle: Duration,
}

/// Climbs the ladder. `scope` is asked again before every look, because the debuggee's pid may come
/// late.
pub(super) fn end(scope: impl Fn() -> Option<Scope>, ladder: Ladder) -> Ending {
    let mut sweep = Sweep { scope, seen: BTreeSet::new(), told: BTreeSet::new() };
    if sweep.is_clear(ladder.settle) {
        return Ending { rung: Rung::Gone, left: Vec::new() };
    }
    if !ladder.term.is_zero() && sweep.climb(Signal::TERM, ladder.term, ladder.settle) {
        return Ending { rung: Rung::Term, left: Vec::new() };
    }
    if sweep.climb(Signal::KILL, ladder.kill, ladder.settle) {
        return Ending { rung: Rung::Kill, left: Vec::new() };
    }
    Ending { rung: Rung::Stuck, left: sweep.look().1.into_iter().map(Into::into).collect() }
}

struct Sweep<S> {
    scope: S,
    /// Once a member, always a member: a debuggee that lost its parent may show no other sign.
    seen: BTreeSet<ProcessId>,
    told: BTreeSet<(i32, ProcessId)>,
}

impl<S: Fn() -> Option<Scope>> Sweep<S> {
    /// True when nothing is left before `patience` runs out.
    fn climb(&mut self, signal: Signal, patience: Duration, settle: Duration) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            let members = self.look_and_tell(signal);
            if members.is_empty() && self.is_clear(settle) {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            table::wait_ended(&members, left.min(LOOK_AGAIN));
        }
    }

    /// Nothing there, and still nothing a moment later.
    fn is_clear(&mut self, settle: Duration) -> bool {
        self.look().1.is_empty() && {
            table::settle(settle);
            self.look().1.is_empty()
        }
    }

    fn look_and_tell(&mut self, signal: Signal) -> Vec<ProcessId> {
        let (groups, members) = self.look();
        if signal == Signal::KILL {
            groups.into_iter().for_each(|group| _ = table::signal_group(group, signal));
        }
        for member in &members {
            // SIGTERM is a request: once is enough, and a handler may not expect a second.
            if self.told.insert((signal.as_raw(), member.id)) || signal == Signal::KILL {
                table::signal(member.id, signal);
            }
        }
        members.iter().map(|member| member.id).collect()
    }

    /// The groups that may be killed whole, and all members.
    fn look(&mut self) -> (Vec<u32>, Vec<Entry>) {
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

/// The table, or where the system has none, the processes we know of.
fn processes(scope: &Scope) -> Vec<Entry> {
    if cfg!(target_os = "linux") {
        return table::snapshot();
    }
    scope.groups.iter().chain(&scope.pids).filter_map(|id| table::entry(id.pid)).collect()
}

/// Kills without waiting, for where nobody can wait.
pub(super) fn strike(scope: &Scope) {
    let scope = scope.clone();
    Sweep { scope: || Some(scope.clone()), seen: BTreeSet::new(), told: BTreeSet::new() }
        .look_and_tell(Signal::KILL);
}

/// Who is alive in `scope`.
pub(super) fn alive(scope: &Scope) -> Vec<Entry> {
    scope.members(&processes(scope))
}
