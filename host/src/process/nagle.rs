//! Turns Nagle's delay off for TCP connections between processes of one family.
//!
//! Knows `/proc` and the sockets of each process. Refuses to touch connections to other processes
//! and connections inside one process.
//!
//! Without `TCP_NODELAY` a small message waits until the previous one is acknowledged, which the
//! peer delays by 40 ms (RFC 896; RFC 1122, 4.2.3.2). The sockets belong to other processes, so
//! they are borrowed to set the option (pidfd_getfd(2), which needs the right to trace their
//! owner). Without that right or `/proc` they stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rustix::io;
use rustix::net::sockopt::set_tcp_nodelay;
use rustix::process::{PidfdGetfdFlags, pidfd_getfd};

use super::table::Entry;
use super::{ProcessId, signals};
use crate::tcp_table::{self, Socket, State};

/// Sets `TCP_NODELAY` on both ends of each connection between two of `members`, except connections
/// between processes in `done`: those are made later, by the debuggee itself. Adds the processes
/// with a changed end to `done`.
pub(super) fn send_at_once(members: &[Entry], done: &mut BTreeSet<ProcessId>) {
    let mut open = BTreeMap::new();
    for member in members.iter().filter(|member| !done.contains(&member.id)) {
        open.extend(open_sockets(member.id));
    }
    let Some(first) = members.first() else { return };
    let all = tcp_table::sockets(Some(first.id.pid)).unwrap_or_default();
    for end in between(&all, &open) {
        if set(end).is_ok() {
            done.insert(end.owner);
        }
    }
}

/// The ends of established connections where two processes of `open` have one end each.
fn between<'a>(all: &[Socket], open: &'a BTreeMap<u64, Descriptor>) -> Vec<&'a Descriptor> {
    let mut established = all.to_vec();
    established.retain(|socket| socket.state == State::Established);
    let mut ends = Vec::new();
    for socket in &established {
        let other = established
            .iter()
            .find(|other| other.local == socket.remote && other.remote == socket.local);
        let Some(other) = other else { continue };
        if let (Some(here), Some(there)) = (open.get(&socket.inode), open.get(&other.inode))
            && here.owner != there.owner
        {
            ends.push(here);
        }
    }
    ends
}

/// A file descriptor of a process that is a socket.
struct Descriptor {
    owner: ProcessId,
    fd: i32,
    inode: u64,
}

/// By inode. `/proc/PID/fd/N` links to `socket:[INODE]` (proc_pid_fd(5)).
fn open_sockets(owner: ProcessId) -> Vec<(u64, Descriptor)> {
    let Ok(open) = fs::read_dir(format!("/proc/{}/fd", owner.pid)) else { return Vec::new() };
    open.flatten().filter_map(|entry| descriptor(owner, &entry)).collect()
}

fn descriptor(owner: ProcessId, entry: &fs::DirEntry) -> Option<(u64, Descriptor)> {
    let link = fs::read_link(entry.path()).ok()?;
    let inode = link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()?;
    let fd = entry.file_name().to_str()?.parse().ok()?;
    Some((inode, Descriptor { owner, fd, inode }))
}

/// Sets `TCP_NODELAY` if the descriptor is still this socket of this process.
fn set(end: &Descriptor) -> io::Result<()> {
    let owner = signals::handle(end.owner).ok_or(io::Errno::SRCH)?;
    let socket = pidfd_getfd(owner, end.fd, PidfdGetfdFlags::empty())?;
    if rustix::fs::fstat(&socket)?.st_ino != end.inode {
        return Err(io::Errno::BADF);
    }
    set_tcp_nodelay(socket, true)
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;
    use crate::process::table;

    fn open(pid: u32, inode: u64) -> (u64, Descriptor) {
        (inode, Descriptor { owner: ProcessId { pid, start: 1 }, fd: inode as i32, inode })
    }

    /// The inodes of the ends found in a table of one listener and one connection.
    fn ends(open: impl IntoIterator<Item = (u64, Descriptor)>) -> Vec<u64> {
        let rest = "00000000:00000000 00:00000000 00000000 0 0";
        let mut all = Vec::new();
        for (local, remote, state, inode) in [
            ("0100007F:1F90", "00000000:0000", "0A", 10),
            ("0100007F:1F90", "0100007F:AAAA", "01", 11),
            ("0000000000000000FFFF00000100007F:AAAA", "0100007F:1F90", "01", 12),
        ] {
            let line = format!("0: {local} {remote} {state} {rest} {inode} 1 0 20 4 30 10 -1");
            all.push(tcp_table::parse(&line).unwrap());
        }
        between(&all, &open.into_iter().collect()).into_iter().map(|end| end.inode).collect()
    }

    #[test]
    fn only_connections_between_two_of_the_family_are_touched() {
        assert_eq!(ends([open(1, 10), open(1, 11), open(2, 12)]), [11, 12]);
        assert_eq!(ends([open(1, 10), open(1, 11)]), [0; 0]);
        assert_eq!(ends([open(1, 10), open(1, 11), open(1, 12)]), [0; 0]);
    }

    #[test]
    fn borrowed_socket_gets_nodelay() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let me = table::identify(std::process::id()).unwrap();
        // Sockets of other tests may be closed meanwhile.
        let is_client = |end: &Descriptor| set(end).is_ok() && client.nodelay().unwrap();
        assert!(!client.nodelay().unwrap());
        assert!(open_sockets(me).iter().any(|(_, end)| is_client(end)));
    }

    #[test]
    fn reused_number_is_left_alone() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let me = table::identify(std::process::id()).unwrap();
        let (_, end) = open_sockets(me).pop().unwrap();
        assert_eq!(set(&Descriptor { inode: end.inode + 1, ..end }), Err(io::Errno::BADF));
        assert_eq!(
            set(&Descriptor { owner: ProcessId { start: me.start + 1, ..me }, ..end }),
            Err(io::Errno::SRCH)
        );
    }
}
