//! TCP connections between processes of one family. Knows `/proc` and whose socket is whose;
//! refuses to touch a connection that leads out of the family, or one within a process.
//!
//! A small message waits in the kernel until the one before it is acknowledged, which the other end
//! puts off by 40 ms (RFC 896; RFC 1122, 4.2.3.2), unless the socket has `TCP_NODELAY`. The sockets
//! are not ours, so they are borrowed for as long as it takes to set that (pidfd_getfd(2), which
//! needs the right to trace their owner). Where that right or `/proc` is missing they stay as they
//! are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use rustix::io;
use rustix::net::sockopt::set_tcp_nodelay;
use rustix::process::{PidfdGetfdFlags, pidfd_getfd};

use super::ProcessId;
use super::table::{self, Entry};

/// Has both ends of each connection between two of `members` send at once what they have, except
/// between those that are in `done`: what these connect to later is the debuggee's own. Adds to
/// them whose ends do now.
pub(super) fn send_at_once(members: &[Entry], done: &mut BTreeSet<ProcessId>) {
    let new = members.iter().filter(|member| !done.contains(&member.id));
    let held: BTreeMap<u64, Held> = new.flat_map(|member| sockets(member.id)).collect();
    let all = members.first().map(|member| connections(member.id.pid)).unwrap_or_default();
    done.extend(
        between(&all, &held).into_iter().filter(|held| set(held).is_ok()).map(|held| held.owner),
    );
}

/// The ends of connections between two processes that are held at both.
fn between<'a>(all: &[Ends], held: &'a BTreeMap<u64, Held>) -> Vec<&'a Held> {
    let other =
        |ends: &Ends| all.iter().find(|one| one.local == ends.remote && one.remote == ends.local);
    let inner = |ends: &Ends| {
        let (here, there) = (held.get(&ends.inode)?, held.get(&other(ends)?.inode)?);
        (here.owner != there.owner).then_some(here)
    };
    all.iter().filter_map(inner).collect()
}

/// A socket in the hands of a process.
struct Held {
    owner: ProcessId,
    fd: i32,
    inode: u64,
}

/// One end of an established connection, as the kernel lists it.
struct Ends {
    local: String,
    remote: String,
    inode: u64,
}

/// `/proc/PID/fd/N` leads to `socket:[INODE]` (proc_pid_fd(5)).
fn sockets(owner: ProcessId) -> Vec<(u64, Held)> {
    let Ok(open) = fs::read_dir(format!("/proc/{}/fd", owner.pid)) else { return Vec::new() };
    let socket = |entry: fs::DirEntry| {
        let leads_to = fs::read_link(entry.path()).ok()?;
        let inode = leads_to.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()?;
        Some((inode, Held { owner, fd: entry.file_name().to_str()?.parse().ok()?, inode }))
    };
    open.filter_map(|entry| socket(entry.ok()?)).collect()
}

/// Those of the network that `pid` is in (proc_net(5)).
fn connections(pid: u32) -> Vec<Ends> {
    let read = |table| fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap_or_default();
    [read("tcp"), read("tcp6")]
        .iter()
        .flat_map(|table| table.lines().filter_map(established))
        .collect()
}

/// `sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …`
fn established(line: &str) -> Option<Ends> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let field = |n: usize| fields.get(n).copied();
    let ends = Ends {
        local: field(1)?.to_owned(),
        remote: field(2)?.to_owned(),
        inode: field(9)?.parse().ok()?,
    };
    (field(3)? == "01").then_some(ends)
}

/// Sets it, if this is still that socket of that process.
fn set(held: &Held) -> io::Result<()> {
    let owner = table::handle(held.owner).ok_or(io::Errno::SRCH)?;
    let socket = pidfd_getfd(owner, held.fd, PidfdGetfdFlags::empty())?;
    match rustix::fs::fstat(&socket)?.st_ino == held.inode {
        true => set_tcp_nodelay(socket, true),
        false => Err(io::Errno::BADF),
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    fn held(pid: u32, inode: u64) -> (u64, Held) {
        (inode, Held { owner: ProcessId { pid, start: 1 }, fd: inode as i32, inode })
    }

    fn told(sockets: impl IntoIterator<Item = (u64, Held)>) -> Vec<u64> {
        let table = "\
            0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 10 1 0 100 0 0 10 0\n\
            1: 0100007F:1F90 0100007F:AAAA 01 00000000:00000000 00:00000000 00000000 0 0 11 1 0 20 4 30 10 -1\n\
            2: 0100007F:AAAA 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 0 0 12 1 0 20 4 30 10 -1\n";
        let all: Vec<_> = table.lines().filter_map(established).collect();
        between(&all, &sockets.into_iter().collect()).into_iter().map(|held| held.inode).collect()
    }

    #[test]
    fn only_connections_between_two_of_the_family_are_touched() {
        assert_eq!(told([held(1, 10), held(1, 11), held(2, 12)]), [11, 12]);
        assert_eq!(told([held(1, 10), held(1, 11)]), [0; 0]);
        assert_eq!(told([held(1, 10), held(1, 11), held(1, 12)]), [0; 0]);
    }

    #[test]
    fn a_socket_is_borrowed_and_sends_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let me = table::identify(std::process::id()).unwrap();
        // Sockets of other tests may be closed meanwhile.
        let ours = |held: &Held| set(held).is_ok() && client.nodelay().unwrap();
        assert!(!client.nodelay().unwrap());
        assert!(sockets(me).iter().any(|(_, held)| ours(held)));
    }

    #[test]
    fn what_took_over_the_number_is_left_alone() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let me = table::identify(std::process::id()).unwrap();
        let (_, held) = sockets(me).pop().unwrap();
        assert_eq!(set(&Held { inode: held.inode + 1, ..held }), Err(io::Errno::BADF));
        assert_eq!(
            set(&Held { owner: ProcessId { start: me.start + 1, ..me }, ..held }),
            Err(io::Errno::SRCH)
        );
    }
}
