//! Signals to processes, and waits for their end.
//!
//! Knows pidfds, so that a signal never reaches another process with a reused pid. Systems without
//! them signal by pid. Refuses to know families.

use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;

use super::ProcessId;
use super::table::{entry, identify, raw};

/// Sends `signal` to this process, never to another one with the same pid.
#[cfg(target_os = "linux")]
pub(super) fn signal(id: ProcessId, signal: Signal) -> bool {
    handle(id).is_some_and(|fd| rustix::process::pidfd_send_signal(fd, signal).is_ok())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn signal(id: ProcessId, signal: Signal) -> bool {
    raw(id.pid).is_some_and(|pid| rustix::process::kill_process(pid, signal).is_ok())
}

/// Asks a process to end. Returns false if there is none, or it is another user's.
pub fn terminate(pid: u32) -> bool {
    identify(pid).is_some_and(|id| signal(id, Signal::TERM))
}

/// Sends `signal` to a group. The caller has checked that its number is not reused.
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

/// Waits until the process with this pid has ended. Returns at once if there is none.
pub async fn ended(pid: u32) {
    let Some(id) = identify(pid) else { return };
    let lives = || entry(pid).is_some_and(|now| now.id == id && !now.zombie);
    while lives() {
        // Short waits, because a blocking task delays the end of the host.
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

/// Waits for processes between `fork` and `exec`, which show their environment after `exec` only.
pub(super) fn settle(time: Duration) {
    pause(&mut [], time);
}

fn pause(fds: &mut [PollFd<'_>], time: Duration) -> usize {
    let time = Timespec::try_from(time).ok();
    poll(fds, time.as_ref()).unwrap_or(0)
}

/// A pidfd of the process. It is opened before the start times are compared: if they are equal, the
/// pid was not reused in between.
#[cfg(target_os = "linux")]
pub(super) fn handle(id: ProcessId) -> Option<OwnedFd> {
    let fd =
        rustix::process::pidfd_open(raw(id.pid)?, rustix::process::PidfdFlags::empty()).ok()?;
    (identify(id.pid)? == id).then_some(fd)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn other_start_time_is_another_process() {
        let me = identify(std::process::id()).unwrap();
        assert!(handle(me).is_some());
        assert!(handle(ProcessId { start: me.start + 1, ..me }).is_none());
    }
}
