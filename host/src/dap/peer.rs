//! The user that owns the other end of a loopback connection.
//!
//! Knows sock_diag(7), and the system's table of TCP sockets where that does not answer. Refuses to
//! decide whether a user may connect.
//!
//! A socket that no process has open any more has no owner: Linux gives user 0, which is not who
//! had it. Such a connection is nobody's.

use std::io;
use std::net::SocketAddr;

use rustix::net::netlink::{SOCK_DIAG, SocketAddrNetlink};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, ipproto, recv, sendto,
    socket_with,
};

use crate::tcp_table::{self, State};

/// A connection can be missing from one reading of the table (see [`tcp_table::sockets`]).
const READINGS: usize = 3;

/// The user id that owns the open socket at `peer` connected to `own`; `None` if there is no such
/// socket (any longer).
///
/// # Errors
/// If the system has no table of sockets.
pub(super) async fn user(peer: SocketAddr, own: SocketAddr) -> io::Result<Option<u32>> {
    if let Some(owner) = diagnosed(peer, own) {
        return Ok(owner);
    }
    // The tables take milliseconds.
    tokio::task::spawn_blocking(move || searched(peer, own)).await.map_err(io::Error::other)?
}

fn searched(peer: SocketAddr, own: SocketAddr) -> io::Result<Option<u32>> {
    for _ in 0..READINGS {
        if let Some(user) = listed(peer, own)? {
            return Ok(Some(user));
        }
    }
    Ok(None)
}

/// From the table of all sockets, which takes much longer than sock_diag.
fn listed(peer: SocketAddr, own: SocketAddr) -> io::Result<Option<u32>> {
    let sockets = tcp_table::sockets(None)?;
    let found = sockets.iter().find(|socket| (socket.local, socket.remote) == (peer, own));
    let open = found.filter(|socket| socket.state == State::Established && socket.inode != 0);
    Ok(open.map(|socket| socket.user))
}

/// From the kernel's lookup of one socket; the inner `None`: no process has it open. `None` if
/// there is no such socket, and on a system whose kernel or sandbox has no sock_diag.
fn diagnosed(peer: SocketAddr, own: SocketAddr) -> Option<Option<u32>> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket =
        socket_with(AddressFamily::NETLINK, SocketType::DGRAM, flags, Some(SOCK_DIAG)).ok()?;
    let kernel = SocketAddrNetlink::new(0, 0);
    sendto(&socket, &diag_request(peer, own)?, SendFlags::empty(), &kernel).ok()?;
    // The kernel answers before `sendto` returns.
    let mut answer = [0; 512];
    let (_, size) = recv(&socket, &mut answer, RecvFlags::empty()).ok()?;
    diag_user(answer.get(..size)?)
}

/// `SOCK_DIAG_BY_FAMILY`, the type of the request and of its answer (linux/sock_diag.h).
const BY_FAMILY: u16 = 20;

/// An `nlmsghdr` and an `inet_diag_req_v2` (linux/netlink.h, linux/inet_diag.h); `None` for IPv6.
fn diag_request(peer: SocketAddr, own: SocketAddr) -> Option<[u8; 72]> {
    const REQUEST: u16 = 1;
    let (SocketAddr::V4(peer), SocketAddr::V4(own)) = (peer, own) else { return None };
    let mut message = [0; 72];
    let mut put = |at: usize, bytes: &[u8]| message[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &72_u32.to_ne_bytes());
    put(4, &BY_FAMILY.to_ne_bytes());
    put(6, &REQUEST.to_ne_bytes());
    put(16, &[AddressFamily::INET.as_raw() as u8, ipproto::TCP.as_raw().get() as u8]);
    // Sockets in every state.
    put(20, &u32::MAX.to_ne_bytes());
    put(24, &peer.port().to_be_bytes());
    put(26, &own.port().to_be_bytes());
    put(28, &peer.ip().octets());
    put(44, &own.ip().octets());
    // No cookie.
    put(64, &[0xff; 8]);
    Some(message)
}

/// `TCP_ESTABLISHED` (net/tcp_states.h).
const ESTABLISHED: u8 = 1;

/// `idiag_uid` of an `inet_diag_msg`, if a process has the socket open (`idiag_state`,
/// `idiag_inode`); `None` for an error message.
fn diag_user(answer: &[u8]) -> Option<Option<u32>> {
    let kind = u16::from_ne_bytes(answer.get(4..6)?.try_into().ok()?);
    let state = *answer.get(17)?;
    let user = u32::from_ne_bytes(answer.get(80..84)?.try_into().ok()?);
    let inode = u32::from_ne_bytes(answer.get(84..88)?.try_into().ok()?);
    let is_open = state == ESTABLISHED && inode != 0;
    (kind == BY_FAMILY).then_some(is_open.then_some(user))
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    use super::*;

    /// A connection to `listener`: both its ends, and the peer's address as the listener sees it.
    fn connect(listener: &TcpListener, to: SocketAddr) -> (TcpStream, TcpStream, SocketAddr) {
        let stream = TcpStream::connect(to).unwrap();
        let (accepted, peer) = listener.accept().unwrap();
        (stream, accepted, peer)
    }

    #[tokio::test]
    async fn connection_belongs_to_the_user_of_its_peer() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let own = listener.local_addr().unwrap();
        let (_open, accepted, peer) = connect(&listener, own);
        assert_eq!(accepted.local_addr().unwrap(), own);
        let me = Some(rustix::process::geteuid().as_raw());
        assert_eq!((diagnosed(peer, own), listed(peer, own).unwrap()), (Some(me), me));
        assert_eq!((diagnosed(peer, peer), user(peer, peer).await.unwrap()), (None, None));
    }

    /// Its bytes can still be read, and the kernel gives it to user 0.
    #[tokio::test]
    async fn connection_that_its_peer_has_closed_is_nobodys() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let own = listener.local_addr().unwrap();
        let (stream, _accepted, peer) = connect(&listener, own);
        drop(stream);
        assert_eq!((diagnosed(peer, own), listed(peer, own).unwrap()), (Some(None), None));
        assert_eq!(user(peer, own).await.unwrap(), None);
    }

    #[tokio::test]
    async fn ipv6_socket_of_the_peer_is_found_by_its_mapped_address() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let own = listener.local_addr().unwrap();
        let mapped = Ipv4Addr::LOCALHOST.to_ipv6_mapped();
        let (_open, _accepted, peer) = connect(&listener, (mapped, own.port()).into());
        assert_eq!(user(peer, own).await.unwrap(), Some(rustix::process::geteuid().as_raw()));
    }
}
