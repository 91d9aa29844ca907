//! Facts about one process, of the family or not.
//!
//! Knows `/proc`. Systems without it have none of these facts. Refuses to know families.

#[cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::ProcessId;
#[cfg(target_os = "linux")]
use super::table::parse;
use super::table::{entry, identify};

/// The path of a process's executable.
///
/// # Errors
/// `NotFound` if there is no such process, `PermissionDenied` if it belongs to another user.
#[cfg(target_os = "linux")]
pub fn program(pid: u32) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/{pid}/exe"))
}

/// A path where a process's executable can be read, even if its file was replaced.
///
/// # Errors
/// `Unsupported` without `/proc`.
#[cfg(target_os = "linux")]
pub fn image(pid: u32) -> io::Result<PathBuf> {
    Ok(PathBuf::from(format!("/proc/{pid}/exe")))
}

/// Unknown without `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn image(_pid: u32) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Unknown without `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn program(_pid: u32) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether a process was started with this file as its first argument behind flags, as an
/// interpreter is.
#[cfg(target_os = "linux")]
pub fn interprets(pid: u32, file: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let cwd = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
    let mut arguments = words.split(|byte| *byte == 0).skip(1);
    let first = arguments.find(|word| !word.starts_with(b"-")).map(OsStr::from_bytes);
    first.is_some_and(|word| cwd.join(word).canonicalize().is_ok_and(|path| path == file))
}

/// Unknown without `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn interprets(_pid: u32, _file: &Path) -> bool {
    false
}

/// The parent of a process.
pub fn parent(pid: u32) -> Option<u32> {
    Some(entry(pid)?.parent)
}

/// Pid and name of the process that traces a process. There is at most one (ptrace(2)).
#[cfg(target_os = "linux")]
pub fn tracer(pid: u32) -> Option<(u32, String)> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let number =
        status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?.trim().parse().ok()?;
    (number != 0).then(|| (number, entry(number).map(|tracer| tracer.name).unwrap_or_default()))
}

/// Unknown without `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn tracer(_pid: u32) -> Option<(u32, String)> {
    None
}

/// Whether a process has ended or exits now, zombies included. The main thread may end before the
/// others.
#[cfg(target_os = "linux")]
pub fn has_ended(id: ProcessId) -> bool {
    let mut all_exit = true;
    let threads = std::fs::read_dir(format!("/proc/{}/task", id.pid)).into_iter().flatten();
    for thread in threads.flatten() {
        let Ok(stat) = std::fs::read(thread.path().join("stat")) else { continue };
        if parse(id.pid, &String::from_utf8_lossy(&stat)).is_some_and(|entry| !entry.exits) {
            all_exit = false;
        }
    }
    // Read after the threads: they belong to this process if it still has its number.
    all_exit || identify(id.pid) != Some(id)
}

/// Unknown without `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn has_ended(_id: ProcessId) -> bool {
    false
}

/// Whether a process has living children (proc_pid_task_tid_children(5)).
#[cfg(target_os = "linux")]
pub fn has_children(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten();
    let mut started =
        threads.filter_map(|thread| std::fs::read(thread.ok()?.path().join("children")).ok());
    started.any(|numbers| !numbers.is_empty())
}

/// Unknown without `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn has_children(_pid: u32) -> bool {
    false
}

/// The owner of a process if it is another user; `None` for root, who may trace all.
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

/// Unknown without `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn foreign_owner(_pid: u32) -> Option<u32> {
    None
}

/// The restriction of tracing, if there is one: `kernel.yama.ptrace_scope` above 0
/// (Documentation/admin-guide/LSM/Yama.rst of Linux).
pub fn tracing_scope() -> Option<u32> {
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope").ok()?;
    scope.trim().parse().ok().filter(|scope| *scope > 0)
}

/// CPU time of a process, user and kernel together; `None` if it has ended.
#[cfg(target_os = "linux")]
pub fn cpu_time(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    // In USER_HZ, which is 100 on every supported architecture (proc_pid_stat(5)).
    Some(Duration::from_millis((ticks(14)? + ticks(15)?) * 10))
}

/// Unknown without `/proc`.
#[cfg(not(target_os = "linux"))]
pub fn cpu_time(_pid: u32) -> Option<Duration> {
    None
}
