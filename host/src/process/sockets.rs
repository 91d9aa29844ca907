//! TCP connections between processes of one family. Knows `/proc` and whose socket is whose; refuses to touch a
//! connection that leads out of the family.
//!
//! A small message waits in the kernel until the one before it is acknowledged, which the other end puts off by 40 ms
//! (RFC 896; RFC 1122, 4.2.3.2), unless the socket has `TCP_NODELAY`. The sockets are not ours, so they are borrowed for
//! as long as it takes to set that (pidfd_getfd(2), which needs the right to trace their owner). Where that right or
//! `/proc` is missing they stay as they are.

use std::collections::BTreeMap;
use std::fs;

use rustix::net::sockopt::set_tcp_nodelay;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::table::{self, Entry};

/// Has both ends of each connection between two of `members` send at once what they have. Returns how many ends do now.
pub(super) fn send_at_once(members: &[Entry]) -> usize {
    let held: BTreeMap<u64, Held> = members.iter().flat_map(|member| sockets(member.id.pid)).collect();
    let all = members.first().map(|member| connections(member.id.pid)).unwrap_or_default();
    within(&all, &held).into_iter().filter(|held| set(held)).count()
}

/// The ends of connections whose other end is held as well.
fn within<'a>(all: &[Ends], held: &'a BTreeMap<u64, Held>) -> Vec<&'a Held> {
    let is_held = |ends: &&Ends| held.contains_key(&ends.inode);
    let other = |ends: &Ends| all.iter().find(|one| one.local == ends.remote && one.remote == ends.local);
    let inner = all.iter().filter(is_held).filter(|ends| other(ends).as_ref().is_some_and(is_held));
    inner.filter_map(|ends| held.get(&ends.inode)).collect()
}

/// A socket in the hands of a process.
struct Held {
    pid: u32,
    fd: i32,
}

/// One end of an established connection, as the kernel lists it.
struct Ends {
    local: String,
    remote: String,
    inode: u64,
}

/// `/proc/PID/fd/N` leads to `socket:[INODE]` (proc_pid_fd(5)).
fn sockets(pid: u32) -> Vec<(u64, Held)> {
    let Ok(open) = fs::read_dir(format!("/proc/{pid}/fd")) else { return Vec::new() };
    let socket = |entry: fs::DirEntry| {
        let leads_to = fs::read_link(entry.path()).ok()?;
        let inode = leads_to.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()?;
        Some((inode, Held { pid, fd: entry.file_name().to_str()?.parse().ok()? }))
    };
    open.filter_map(|entry| socket(entry.ok()?)).collect()
}

/// Those of the network that `pid` is in (proc_net(5)).
fn connections(pid: u32) -> Vec<Ends> {
    let read = |table| fs::read_to_string(format!("/proc/{pid}/net/{table}")).unwrap_or_default();
    [read("tcp"), read("tcp6")].iter().flat_map(|table| table.lines().filter_map(established)).collect()
}

/// `sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …`
fn established(line: &str) -> Option<Ends> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let field = |n: usize| fields.get(n).copied();
    let ends = Ends { local: field(1)?.to_owned(), remote: field(2)?.to_owned(), inode: field(9)?.parse().ok()? };
    (field(3)? == "01").then_some(ends)
}

fn set(held: &Held) -> bool {
    let Some(pid) = table::raw(held.pid) else { return false };
    let borrowed =
        pidfd_open(pid, PidfdFlags::empty()).and_then(|owner| pidfd_getfd(owner, held.fd, PidfdGetfdFlags::empty()));
    borrowed.and_then(|socket| set_tcp_nodelay(socket, true)).is_ok()
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (client, listener.accept().unwrap().0)
    }

    #[test]
    fn both_ends_of_a_connection_within_the_family_send_at_once() {
        let (client, server) = pair();
        let me = table::entry(std::process::id()).unwrap();
        assert!(send_at_once(&[me]) >= 2);
        assert!(client.nodelay().unwrap() && server.nodelay().unwrap());
    }

    #[test]
    fn a_connection_that_leads_out_of_it_is_left_alone() {
        let table = "\
            0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 10 1 0 100 0 0 10 0\n\
            1: 0100007F:1F90 0100007F:AAAA 01 00000000:00000000 00:00000000 00000000 0 0 11 1 0 20 4 30 10 -1\n\
            2: 0100007F:AAAA 0100007F:1F90 01 00000000:00000000 00:00000000 00000000 0 0 12 1 0 20 4 30 10 -1\n";
        let all: Vec<_> = table.lines().filter_map(established).collect();
        let told = |inodes: &[u64]| {
            let held = inodes.iter().map(|inode| (*inode, Held { pid: 1, fd: *inode as i32 })).collect();
            within(&all, &held).into_iter().map(|held| held.fd).collect::<Vec<_>>()
        };
        assert_eq!(told(&[10, 11, 12]), [11, 12]);
        assert_eq!(told(&[10, 11]), [0; 0]);
    }
}
