//! Whose the other end of a connection is, asked of the system (sock_diag(7)). Where that cannot be
//! asked, and where it knows no such connection, `/proc/net/tcp` has the word; reading it takes 4
//! ms on a large machine.

use std::io;
use std::net::SocketAddrV4;

use netlink_packet_core::{NLM_F_REQUEST, NetlinkHeader, NetlinkMessage, NetlinkPayload};
use netlink_packet_sock_diag::SockDiagMessage;
use netlink_packet_sock_diag::constants::{AF_INET, IPPROTO_TCP};
use netlink_packet_sock_diag::inet::{ExtensionFlags, InetRequest, SocketId, StateFlags};
use netlink_sys::protocols::NETLINK_SOCK_DIAG;
use netlink_sys::{Socket, SocketAddr};

/// An answer is one small message.
const ANSWER: usize = 4096;

/// The user whose socket at `peer` is connected to `own`; none where there is no such socket (any
/// more).
pub(super) fn user(peer: SocketAddrV4, own: SocketAddrV4) -> io::Result<Option<u32>> {
    // A kernel that cannot be asked says of every socket that there is none.
    asked(peer, own).map_or_else(|| listed(peer, own), |user| Ok(Some(user)))
}

fn asked(peer: SocketAddrV4, own: SocketAddrV4) -> Option<u32> {
    let answer = ask(peer, own)
        .inspect_err(|error| tracing::debug!(%error, "whose a connection is was not told"));
    match NetlinkMessage::deserialize(&answer.ok()?).ok()?.payload {
        NetlinkPayload::InnerMessage(SockDiagMessage::InetResponse(socket)) => {
            Some(socket.header.uid)
        }
        _ => None,
    }
}

/// By the whole table (proc(5), `/proc/net/tcp`).
fn listed(peer: SocketAddrV4, own: SocketAddrV4) -> io::Result<Option<u32>> {
    let end = |end: SocketAddrV4| {
        format!("{:08X}:{:04X}", u32::from_ne_bytes(end.ip().octets()), end.port())
    };
    let ends = [end(peer), end(own)];
    let table = std::fs::read_to_string("/proc/net/tcp")?;
    let fits =
        |line: &&str| line.split_whitespace().skip(1).take(2).eq(ends.iter().map(String::as_str));
    Ok(table.lines().find(fits).and_then(|line| line.split_whitespace().nth(7)?.parse().ok()))
}

fn ask(peer: SocketAddrV4, own: SocketAddrV4) -> io::Result<Vec<u8>> {
    let socket_id = SocketId {
        source_port: peer.port(),
        destination_port: own.port(),
        source_address: (*peer.ip()).into(),
        destination_address: (*own.ip()).into(),
        // Whatever it is.
        cookie: [0xff; 8],
        ..SocketId::new_v4()
    };
    let (family, protocol) = (AF_INET, IPPROTO_TCP);
    let (extensions, states) = (ExtensionFlags::empty(), StateFlags::all());
    let request = SockDiagMessage::InetRequest(InetRequest {
        family,
        protocol,
        extensions,
        states,
        socket_id,
    });
    let mut header = NetlinkHeader::default();
    header.flags = NLM_F_REQUEST;
    let mut message = NetlinkMessage::new(header, request.into());
    message.finalize();
    let mut bytes = vec![0; message.buffer_len()];
    message.serialize(&mut bytes);
    let socket = Socket::new(NETLINK_SOCK_DIAG)?;
    // The kernel answers before `send` returns.
    socket.set_non_blocking(true)?;
    socket.connect(&SocketAddr::new(0, 0))?;
    socket.send(&bytes, 0)?;
    let mut answer = Vec::with_capacity(ANSWER);
    socket.recv(&mut answer, 0)?;
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};

    use super::*;

    fn v4(address: io::Result<SocketAddr>) -> SocketAddrV4 {
        match address.unwrap() {
            SocketAddr::V4(address) => address,
            SocketAddr::V6(address) => panic!("{address}"),
        }
    }

    #[test]
    fn the_system_says_whose_a_connection_is() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (peer, own) = (v4(stream.local_addr()), v4(listener.local_addr()));
        let me = rustix::process::geteuid().as_raw();
        let told =
            |peer, own| [user(peer, own).unwrap(), asked(peer, own), listed(peer, own).unwrap()];
        assert_eq!(told(peer, own), [Some(me); 3]);
        assert_eq!(told(peer, peer), [None; 3]);
    }
}
