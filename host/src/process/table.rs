//! The system's process table.
//!
//! Knows `/proc` and start times. Refuses to know which family owns a process. Without `/proc` the
//! table is empty.

use std::collections::BTreeSet;

use rustix::process::Pid;

use super::ProcessId;

/// The variable that marks processes of a family; see [`super::Family::mark`].
pub(super) const MARK: &str = "DAPDOCK_SESSION";

/// The variable that marks guards.
pub(super) const GUARD: &str = "DAPDOCK_GUARD";

/// One process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: ProcessId,
    pub parent: u32,
    pub group: u32,
    pub name: String,
    /// Ended and not reaped.
    pub zombie: bool,
    /// It exits or has ended: its program runs no more.
    pub exits: bool,
}

/// Flag of an exiting thread (linux/sched.h, proc_pid_stat(5)).
#[cfg(target_os = "linux")]
const PF_EXITING: u64 = 4;

/// All processes by ascending pid.
#[cfg(target_os = "linux")]
pub(super) fn snapshot() -> Vec<Entry> {
    let Ok(dir) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = dir.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    pids.collect::<BTreeSet<_>>().into_iter().filter_map(entry).collect()
}

/// One process by its pid.
#[cfg(target_os = "linux")]
pub(super) fn entry(pid: u32) -> Option<Entry> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

/// Reads `pid (name) state ppid pgrp … starttime …`. The name may contain spaces and brackets
/// (proc_pid_stat(5)).
#[cfg(target_os = "linux")]
pub(super) fn parse(pid: u32, stat: &str) -> Option<Entry> {
    let (head, rest) = stat.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let zombie = matches!(fields.first(), Some(&("Z" | "X" | "x")));
    Some(Entry {
        id: ProcessId { pid, start: number(22)? },
        parent: number(4)? as u32,
        group: number(5)? as u32,
        name: name.to_owned(),
        zombie,
        exits: zombie || number(9)? & PF_EXITING != 0,
    })
}

/// Whether the initial environment of `pid` carries `mark`. Hosts nest: the value is a
/// `/`-separated path.
#[cfg(target_os = "linux")]
pub(super) fn carries(pid: u32, mark: &str) -> bool {
    initial_variable(pid, MARK).is_some_and(|path| path.split('/').any(|part| part == mark))
}

/// Whether a process is the guard of a host. A guard ends after its host, when it has ended its
/// families.
#[cfg(target_os = "linux")]
pub(super) fn is_guard(pid: u32) -> bool {
    initial_variable(pid, GUARD).is_some()
}

#[cfg(target_os = "linux")]
fn initial_variable(pid: u32, name: &str) -> Option<String> {
    let environ = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let value = |variable: &[u8]| {
        variable.strip_prefix(name.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec)
    };
    environ
        .split(|byte| *byte == 0)
        .find_map(value)
        .map(|value| String::from_utf8_lossy(&value).into_owned())
}

/// The current time in the unit of [`ProcessId::start`]: `USER_HZ` is 100 on every supported Linux.
#[cfg(target_os = "linux")]
pub(super) fn now() -> u64 {
    let uptime = std::fs::read_to_string("/proc/uptime").unwrap_or_default();
    let seconds = uptime.split_whitespace().next().and_then(|first| first.parse::<f64>().ok());
    (seconds.unwrap_or(0.0) * 100.0) as u64
}

#[cfg(not(target_os = "linux"))]
pub(super) fn snapshot() -> Vec<Entry> {
    Vec::new()
}

/// Without `/proc` only the existence of the process is known.
#[cfg(not(target_os = "linux"))]
pub(super) fn entry(pid: u32) -> Option<Entry> {
    rustix::process::test_kill_process(raw(pid)?).ok()?;
    let id = ProcessId { pid, start: 0 };
    Some(Entry { id, parent: 0, group: pid, name: String::new(), zombie: false, exits: false })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn carries(_pid: u32, _mark: &str) -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_guard(_pid: u32) -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
pub(super) fn now() -> u64 {
    0
}

/// The identity of the process with this pid.
pub fn identify(pid: u32) -> Option<ProcessId> {
    entry(pid).map(|entry| entry.id)
}

pub(super) fn raw(pid: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(pid).ok()?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn name_with_brackets_and_spaces_does_not_shift_fields() {
        let stat = "7 (a) (b c) S 3 5 5 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 1 1";
        let entry = parse(7, stat).unwrap();
        assert_eq!(
            (entry.name.as_str(), entry.parent, entry.group, entry.id.start),
            ("a) (b c", 3, 5, 4242)
        );
    }

    #[test]
    fn this_process_started_before_now() {
        let me = entry(std::process::id()).unwrap();
        assert!(me.id.start > 0 && me.id.start <= now());
    }
}
