//! The user that owns the other end of a loopback connection.
//!
//! Knows the system's table of TCP sockets. Refuses to decide whether a user may connect.

use std::io;
use std::net::SocketAddr;

use crate::tcp_table;

/// A connection can be missing from one reading of the table (see [`tcp_table::sockets`]).
const READINGS: usize = 3;

/// The user id that owns the socket at `peer` connected to `own`; `None` if there is no such socket
/// (any longer).
///
/// # Errors
/// If the system has no such table.
pub(super) fn user(peer: SocketAddr, own: SocketAddr) -> io::Result<Option<u32>> {
    for _ in 0..READINGS {
        for socket in tcp_table::sockets(None)? {
            if (socket.local, socket.remote) == (peer, own) {
                return Ok(Some(socket.user));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener, TcpStream};

    use super::*;

    /// A connection to `listener`: its stream, and peer and own end as the listener sees them.
    fn connect(listener: &TcpListener, to: SocketAddr) -> (TcpStream, SocketAddr, SocketAddr) {
        let stream = TcpStream::connect(to).unwrap();
        let (accepted, peer) = listener.accept().unwrap();
        (stream, peer, accepted.local_addr().unwrap())
    }

    #[test]
    fn connection_belongs_to_the_user_of_its_peer() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let own = listener.local_addr().unwrap();
        let (_open, peer, accepted) = connect(&listener, own);
        assert_eq!(accepted, own);
        assert_eq!(user(peer, own).unwrap(), Some(rustix::process::geteuid().as_raw()));
        assert_eq!(user(peer, peer).unwrap(), None);
    }

    #[test]
    fn ipv6_socket_of_the_peer_is_found_by_its_mapped_address() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let own = listener.local_addr().unwrap();
        let mapped = Ipv4Addr::LOCALHOST.to_ipv6_mapped();
        let (_open, peer, _) = connect(&listener, (mapped, own.port()).into());
        assert_eq!(user(peer, own).unwrap(), Some(rustix::process::geteuid().as_raw()));
    }
}
