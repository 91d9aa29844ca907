//! The system's process table, as far as ownership needs it. Knows `/proc`, start times and pidfds;
//! knows nothing of who owns what. Where there is no `/proc` the table is empty and signals go by
//! number.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};

use super::ProcessId;

/// The variable that marks what we started; see [`super::Family::mark`].
pub(super) const MARK: &str = "DAPDOCK_SESSION";

/// The variable that tells guards from what they guard.
pub(super) const GUARD: &str = "DAPDOCK_GUARD";

/// One process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: ProcessId,
    pub parent: u32,
    pub group: u32,
    pub name: String,
    /// Ended, waiting for its parent to take notice.
    pub zombie: bool,
    /// Nothing of its program runs any more: it closes what it has open, or has ended.
    pub leaves: bool,
}

/// A flag of threads that are past their last instruction (linux/sched.h, proc_pid_stat(5)).
#[cfg(target_os = "linux")]
const PF_EXITING: u64 = 4;

/// Every process there is, by ascending number.
#[cfg(target_os = "linux")]
pub(super) fn snapshot() -> Vec<Entry> {
    let Ok(dir) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = dir.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    pids.collect::<BTreeSet<_>>().into_iter().filter_map(entry).collect()
}

/// One process by its number.
#[cfg(target_os = "linux")]
pub(super) fn entry(pid: u32) -> Option<Entry> {
    let stat = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

/// The program that a process runs.
///
/// # Errors
/// `NotFound` where there is no such process, `PermissionDenied` where it is not ours.
#[cfg(target_os = "linux")]
pub fn program(pid: u32) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/exe"))
}

/// Where the file that a process runs can be read, even one that has been replaced since.
///
/// # Errors
/// The system has no such place.
#[cfg(target_os = "linux")]
pub fn image(pid: u32) -> io::Result<PathBuf> {
    Ok(PathBuf::from(format!("/proc/{pid}/exe")))
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn image(_pid: u32) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn program(_pid: u32) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Who traces a process: number and name, as one can at a time (ptrace(2)).
#[cfg(target_os = "linux")]
pub fn tracer(pid: u32) -> Option<(u32, String)> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let number =
        status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?.trim().parse().ok()?;
    (number != 0).then(|| (number, entry(number).map(|tracer| tracer.name).unwrap_or_default()))
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn tracer(_pid: u32) -> Option<(u32, String)> {
    None
}

/// Has it ended, or is it about to, whether or not its parent has taken notice? A main thread may
/// end before the others.
#[cfg(target_os = "linux")]
pub fn has_ended(id: ProcessId) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{}/task", id.pid)).into_iter().flatten();
    let stats = threads.filter_map(|thread| std::fs::read(thread.ok()?.path().join("stat")).ok());
    let mut lives =
        stats.filter_map(|stat| Some(!parse(id.pid, &String::from_utf8_lossy(&stat))?.leaves));
    identify(id.pid) != Some(id) || !lives.any(|lives| lives)
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn has_ended(_id: ProcessId) -> bool {
    false
}

/// Has any of its threads started a process that is still there (proc_pid_task_tid_children(5))?
#[cfg(target_os = "linux")]
pub fn has_children(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten();
    let mut started =
        threads.filter_map(|thread| std::fs::read(thread.ok()?.path().join("children")).ok());
    started.any(|numbers| !numbers.is_empty())
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn has_children(_pid: u32) -> bool {
    false
}

/// The user that a process belongs to, where that is not our own; root is not hindered by that
/// alone.
#[cfg(target_os = "linux")]
pub fn foreign_owner(pid: u32) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let owner = status
        .lines()
        .find_map(|line| line.strip_prefix("Uid:"))?
        .split_whitespace()
        .next()?
        .parse()
        .ok()?;
    let own = rustix::process::getuid();
    (!own.is_root() && owner != own.as_raw()).then_some(owner)
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn foreign_owner(_pid: u32) -> Option<u32> {
    None
}

/// How far tracing is restricted, where it is (Documentation/admin-guide/LSM/Yama.rst of Linux).
pub fn tracing_scope() -> Option<u32> {
    let told = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").ok()?;
    told.trim().parse().ok().filter(|scope| *scope > 0)
}

/// CPU time that a process has used so far, in user and kernel together; `None` where it is gone or
/// the system does not say.
#[cfg(target_os = "linux")]
pub fn cpu_time(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    // USER_HZ, part of the kernel's interface: 100 on every architecture this runs on
    // (proc_pid_stat(5)).
    Some(Duration::from_millis((ticks(14)? + ticks(15)?) * 10))
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub fn cpu_time(_pid: u32) -> Option<Duration> {
    None
}

/// `pid (name) state ppid pgrp … starttime …`; the name may hold spaces and brackets
/// (proc_pid_stat(5)).
#[cfg(target_os = "linux")]
fn parse(pid: u32, stat: &str) -> Option<Entry> {
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
        leaves: zombie || number(9)? & PF_EXITING != 0,
    })
}

/// Whether the environment `pid` was started with carries `mark`. Hosts nest: the value is a
/// `/`-separated path.
#[cfg(target_os = "linux")]
pub(super) fn carries(pid: u32, mark: &str) -> bool {
    started_with(pid, MARK).is_some_and(|path| path.split('/').any(|part| part == mark))
}

/// Whether it is some host's guard. It ends with its host, after it has ended what only it knows
/// of.
#[cfg(target_os = "linux")]
pub(super) fn is_guard(pid: u32) -> bool {
    started_with(pid, GUARD).is_some()
}

#[cfg(target_os = "linux")]
fn started_with(pid: u32, name: &str) -> Option<String> {
    let environ = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let value = |variable: &[u8]| {
        variable.strip_prefix(name.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec)
    };
    environ
        .split(|byte| *byte == 0)
        .find_map(value)
        .map(|value| String::from_utf8_lossy(&value).into_owned())
}

/// Now, in the unit of [`ProcessId::start`]: `USER_HZ` is 100 on every Linux we build for.
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

/// Alive or not is all that is known without `/proc`.
#[cfg(not(target_os = "linux"))]
pub(super) fn entry(pid: u32) -> Option<Entry> {
    rustix::process::test_kill_process(raw(pid)?).ok()?;
    let id = ProcessId { pid, start: 0 };
    Some(Entry { id, parent: 0, group: pid, name: String::new(), zombie: false })
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

/// The identity of a process we just started and have not reaped, or were told about.
pub fn identify(pid: u32) -> Option<ProcessId> {
    entry(pid).map(|entry| entry.id)
}

/// Sends `signal` to exactly this process; one that took over its number is left alone.
#[cfg(target_os = "linux")]
pub(super) fn signal(id: ProcessId, signal: Signal) -> bool {
    handle(id).is_some_and(|fd| rustix::process::pidfd_send_signal(fd, signal).is_ok())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn signal(id: ProcessId, signal: Signal) -> bool {
    raw(id.pid).is_some_and(|pid| rustix::process::kill_process(pid, signal).is_ok())
}

/// Sends `signal` to a whole group; the caller has checked that it is the group it means.
pub(super) fn signal_group(leader: u32, signal: Signal) -> bool {
    raw(leader).is_some_and(|pid| rustix::process::kill_process_group(pid, signal).is_ok())
}

/// Whether the group has any member, zombies included.
pub(super) fn group_exists(leader: u32) -> bool {
    raw(leader).is_some_and(|pid| rustix::process::test_kill_process_group(pid).is_ok())
}

/// Waits until all of `ids` have ended, or for `patience`.
#[cfg(target_os = "linux")]
pub(super) fn wait_ended(ids: &[ProcessId], patience: Duration) {
    let deadline = std::time::Instant::now() + patience;
    let mut open: Vec<OwnedFd> = ids.iter().filter_map(|id| handle(*id)).collect();
    while !open.is_empty() {
        let left = deadline.saturating_duration_since(std::time::Instant::now());
        let mut fds: Vec<_> = open.iter().map(|fd| PollFd::new(fd, PollFlags::IN)).collect();
        if left.is_zero() || pause(&mut fds, left) == 0 {
            return;
        }
        let ended: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        let mut ended = ended.into_iter();
        open.retain(|_| !ended.next().unwrap_or(false));
    }
}

/// Waits until the process of this number has ended, whoever started it; returns at once where
/// there is none.
pub async fn ended(pid: u32) {
    let Some(id) = identify(pid) else { return };
    let lives = || entry(pid).is_some_and(|now| now.id == id && !now.zombie);
    while lives() {
        // In short waits: one that nobody wants any more must not hold up the end of the host.
        let wait =
            tokio::task::spawn_blocking(move || wait_ended(&[id], Duration::from_millis(50)));
        if wait.await.is_err() {
            return;
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn wait_ended(_ids: &[ProcessId], patience: Duration) {
    settle(patience.min(Duration::from_millis(10)));
}

/// Lets processes between `fork` and `exec` arrive: only after `exec` do they show the environment
/// we gave them.
pub(super) fn settle(time: Duration) {
    pause(&mut [], time);
}

fn pause(fds: &mut [PollFd<'_>], time: Duration) -> usize {
    let time = Timespec::try_from(time).ok();
    poll(fds, time.as_ref()).unwrap_or(0)
}

/// A pidfd opened before the start time is compared: equal means that the number was not reused in
/// between.
#[cfg(target_os = "linux")]
pub(super) fn handle(id: ProcessId) -> Option<OwnedFd> {
    let fd =
        rustix::process::pidfd_open(raw(id.pid)?, rustix::process::PidfdFlags::empty()).ok()?;
    (identify(id.pid)? == id).then_some(fd)
}

fn raw(pid: u32) -> Option<Pid> {
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

    #[test]
    fn other_start_time_is_another_process() {
        let me = identify(std::process::id()).unwrap();
        assert!(handle(me).is_some());
        assert!(handle(ProcessId { start: me.start + 1, ..me }).is_none());
    }
}
