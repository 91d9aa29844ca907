//! The TCP sockets of this machine, as `/proc/net/tcp` and `/proc/net/tcp6` list them
//! (proc_net(5)).
//!
//! Knows the format of these tables. Refuses to know which process has a socket open, and what a
//! connection is for.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::{fs, io};

/// State of a socket. The table gives more; nothing here depends on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Both ends are connected.
    Established,
    /// It accepts connections.
    Listening,
    /// Being opened or closed.
    Other,
}

/// One socket. IPv4 addresses mapped to IPv6 are given as IPv4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Socket {
    /// Its own end.
    pub local: SocketAddr,
    /// The other end; unspecified while it listens.
    pub remote: SocketAddr,
    pub state: State,
    /// The user id of its owner.
    pub user: u32,
    /// Its number in links such as `/proc/PID/fd/N`; 0 once no process has it open.
    pub inode: u64,
}

/// All sockets in the network of process `pid`, or of this process. Takes some 12 ms on a machine
/// with 24 GiB of memory: for each table the kernel walks its whole hash table of connections.
///
/// The kernel writes the table in pieces: a socket may be missing where others in its hash bucket
/// close between two pieces.
///
/// # Errors
/// `/proc/net/tcp` cannot be read. A system without IPv6 has no `/proc/net/tcp6`.
pub(crate) fn sockets(pid: Option<u32>) -> io::Result<Vec<Socket>> {
    let process = pid.map_or_else(|| "self".to_owned(), |pid| pid.to_string());
    let v4 = fs::read_to_string(format!("/proc/{process}/net/tcp"))?;
    let v6 = fs::read_to_string(format!("/proc/{process}/net/tcp6")).unwrap_or_default();
    Ok(v4.lines().chain(v6.lines()).filter_map(parse).collect())
}

/// `sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …`;
/// states as in net/tcp_states.h.
pub(crate) fn parse(line: &str) -> Option<Socket> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let state = match *fields.get(3)? {
        "01" => State::Established,
        "0A" => State::Listening,
        _ => State::Other,
    };
    Some(Socket {
        local: end(fields.get(1)?)?,
        remote: end(fields.get(2)?)?,
        state,
        user: fields.get(7)?.parse().ok()?,
        inode: fields.get(9)?.parse().ok()?,
    })
}

/// `ADDRESS:PORT` in hex.
fn end(text: &str) -> Option<SocketAddr> {
    let (ip, port) = text.rsplit_once(':')?;
    Some(SocketAddr::new(address(ip)?, u16::from_str_radix(port, 16).ok()?))
}

/// Words of 32 bits as they lie in memory, in hex.
fn address(text: &str) -> Option<IpAddr> {
    let mut bytes = Vec::new();
    for at in (0..text.len()).step_by(8) {
        bytes.extend(u32::from_str_radix(text.get(at..at + 8)?, 16).ok()?.to_ne_bytes());
    }
    if let Ok(v4) = <[u8; 4]>::try_from(bytes.as_slice()) {
        return Some(Ipv4Addr::from(v4).into());
    }
    let v6 = <[u8; 16]>::try_from(bytes.as_slice()).ok()?;
    Some(Ipv6Addr::from(v6).to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_endian = "little")]
    fn addresses_are_read_from_words_in_memory_order() {
        assert_eq!(address("0100007F"), Some(Ipv4Addr::LOCALHOST.into()));
        assert_eq!(address("0000000000000000FFFF00000100007F"), Some(Ipv4Addr::LOCALHOST.into()));
        assert_eq!(address("00000000000000000000000001000000"), Some(Ipv6Addr::LOCALHOST.into()));
        assert_eq!((address(""), address("0100007"), address("é0000000")), (None, None, None));
    }
}
