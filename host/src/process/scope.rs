//! Which processes belong to a family: data that host and guard share, and its rule.
//!
//! Reads the process table. Refuses to send signals.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::ProcessId;
use super::table::{self, Entry};

/// The processes of one family.
///
/// A process belongs if it is listed, is in a listed group, carries the mark, or descends from a
/// process that belongs. A spared process and its descendants do not belong, except those that are
/// listed, lead a listed group or carry the mark: an attached debuggee may be an ancestor of the
/// processes that the host starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Scope {
    pub mark: String,
    /// Whether the mark counts. After a detach it does not: the debuggee still carries it.
    pub marked: bool,
    /// Start of the family in clock ticks since boot: older processes cannot carry the mark.
    pub since: u64,
    /// Groups by their leaders, which the host started.
    pub groups: BTreeSet<ProcessId>,
    pub pids: BTreeSet<ProcessId>,
    pub spared: BTreeSet<ProcessId>,
    /// The family ends: it spawns nothing.
    #[serde(skip)]
    pub ending: bool,
}

impl Scope {
    pub fn new(mark: String) -> Self {
        let none = BTreeSet::new;
        let since = table::now().saturating_sub(1);
        Self {
            mark,
            marked: true,
            since,
            groups: none(),
            pids: none(),
            spared: none(),
            ending: false,
        }
    }

    /// Living processes that belong, except guards: the guard of a nested host ends by itself.
    pub fn members(&self, processes: &[Entry]) -> Vec<Entry> {
        let mut members = self.members_with(processes, &|pid| table::carries(pid, &self.mark));
        members.retain(|member| !table::is_guard(member.id.pid));
        members
    }

    fn members_with(&self, processes: &[Entry], carries: &dyn Fn(u32) -> bool) -> Vec<Entry> {
        let spared = descend(processes, |e| self.spared.contains(&e.id), |_| true);
        let groups: BTreeSet<u32> = self.groups_in(processes).collect();
        let seeds = |e: &Entry| {
            !self.spared.contains(&e.id)
                && (self.lists(e.id)
                    || groups.contains(&e.group) && !spared.contains(&e.id.pid)
                    || self.marked && e.id.start >= self.since && carries(e.id.pid))
        };
        let found = descend(processes, seeds, |e| !spared.contains(&e.id.pid));
        let own = std::process::id();
        let belongs =
            |e: &&Entry| found.contains(&e.id.pid) && !e.zombie && e.id.pid > 1 && e.id.pid != own;
        processes.iter().filter(belongs).cloned().collect()
    }

    /// The groups that still belong. A number is not reused while its group has a member, so only a
    /// leader with another start time shows a reuse.
    pub fn groups_in(&self, processes: &[Entry]) -> impl Iterator<Item = u32> {
        let reused =
            |id: &ProcessId| processes.iter().any(|e| e.id.pid == id.pid && e.id.start != id.start);
        self.groups.iter().filter(move |id| !reused(id)).map(|id| id.pid)
    }

    /// Groups that contain members only, which one signal may kill.
    pub fn whole_groups(&self, processes: &[Entry], members: &[Entry]) -> Vec<u32> {
        let ours = |e: &Entry| e.zombie || members.iter().any(|m| m.id == e.id);
        let whole = |group: &u32| processes.iter().filter(|e| e.group == *group).all(&ours);
        let inhabited = |group: &u32| members.iter().any(|m| m.group == *group);
        self.groups_in(processes).filter(|group| inhabited(group) && whole(group)).collect()
    }

    fn lists(&self, id: ProcessId) -> bool {
        self.pids.contains(&id) || self.groups.contains(&id)
    }
}

/// Pids of the seeds and their descendants that `enter` accepts. Children of this process descend
/// from no seed.
fn descend(
    all: &[Entry],
    seed: impl Fn(&Entry) -> bool,
    enter: impl Fn(&Entry) -> bool,
) -> BTreeSet<u32> {
    let own = std::process::id();
    let mut found: BTreeSet<u32> = all.iter().filter(|e| seed(e)).map(|e| e.id.pid).collect();
    loop {
        let before = found.len();
        let below = |e: &&Entry| e.id.pid != own && found.contains(&e.parent) && enter(e);
        let more: Vec<u32> = all.iter().filter(below).map(|e| e.id.pid).collect();
        found.extend(more);
        if found.len() == before {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers start at a million so that none is the test's own.
    const M: u32 = 1_000_000;

    fn process(pid: u32, parent: u32, group: u32) -> Entry {
        let id = id(pid);
        Entry {
            id,
            parent: parent + M,
            group: group + M,
            name: String::new(),
            zombie: false,
            exits: false,
        }
    }

    fn id(pid: u32) -> ProcessId {
        ProcessId { pid: pid + M, start: u64::from(pid) }
    }

    #[track_caller]
    fn check(scope: &Scope, processes: &[Entry], marked: &[u32], expect: &[u32]) {
        let found = scope.members_with(processes, &|pid| marked.contains(&(pid - M)));
        assert_eq!(found.iter().map(|e| e.id.pid - M).collect::<Vec<_>>(), expect);
    }

    fn scope() -> Scope {
        let mut scope = Scope::new("m".into());
        scope.since = 0;
        scope.groups.insert(id(10));
        scope
    }

    #[test]
    fn group_descent_and_mark_all_belong() {
        let all = [
            process(10, 2, 10),
            process(11, 2, 10),
            process(12, 11, 12),
            process(13, 1, 13),
            process(14, 1, 14),
        ];
        check(&scope(), &all, &[13], &[10, 11, 12, 13]);
    }

    #[test]
    fn reused_group_number_does_not_belong() {
        let mut leader = process(10, 2, 10);
        leader.id.start += 1;
        check(&scope(), &[leader, process(11, 10, 10)], &[], &[]);
    }

    #[test]
    fn orphans_of_a_dead_leader_belong() {
        check(&scope(), &[process(11, 1, 10)], &[], &[11]);
    }

    #[test]
    fn adopted_pid_with_other_start_does_not_belong() {
        let mut scope = scope();
        scope.pids.insert(ProcessId { start: 7, ..id(20) });
        check(&scope, &[process(20, 1, 20)], &[], &[]);
    }

    #[test]
    fn older_process_cannot_carry_the_mark() {
        let mut scope = scope();
        scope.since = 21;
        check(&scope, &[process(20, 1, 20), process(21, 1, 21)], &[20, 21], &[21]);
    }

    #[test]
    fn released_debuggee_and_its_children_live_on() {
        let mut scope = scope();
        scope.marked = false;
        scope.spared.insert(id(11));
        let all =
            [process(10, 2, 10), process(11, 10, 10), process(12, 11, 10), process(13, 10, 10)];
        check(&scope, &all, &[10, 11, 12, 13], &[10, 13]);
        let members = scope.members_with(&all, &|_| false);
        assert_eq!(scope.whole_groups(&all, &members), Vec::<u32>::new());
    }

    #[test]
    fn attached_ancestor_is_spared_and_own_processes_below_it_are_not() {
        let mut scope = scope();
        scope.spared.insert(id(2));
        let all = [
            process(2, 1, 2),
            process(5, 2, 2),
            process(10, 2, 10),
            process(12, 10, 12),
            process(13, 2, 13),
        ];
        check(&scope, &all, &[10, 13], &[10, 13]);
    }

    #[test]
    fn zombie_has_ended() {
        let mut leader = process(10, 2, 10);
        leader.zombie = true;
        check(&scope(), &[leader], &[], &[]);
    }
}
