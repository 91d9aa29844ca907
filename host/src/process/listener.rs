//! The process that listens on a port of this machine.
//!
//! Knows `/proc`. Refuses to connect: some listeners serve one connection only.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::tcp_table::{self, Socket, State};

/// The owner of a listening socket, as far as this user can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// No socket listens on the port.
    Nobody,
    /// The process with this pid.
    Process(u32),
    /// A process of another user, or the system has no table of sockets.
    Unknown,
}

/// The loopback addresses of a host name; empty if it may name another machine.
pub fn loopback(host: &str) -> Vec<IpAddr> {
    match host {
        "localhost" => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
        host => {
            host.trim_matches(['[', ']']).parse().into_iter().filter(IpAddr::is_loopback).collect()
        }
    }
}

/// The TCP listener at `port` of the first of `addresses` that has one, else of all addresses.
pub fn listener(addresses: &[IpAddr], port: u16) -> Listener {
    let Ok(mut open) = tcp_table::sockets(None) else { return Listener::Unknown };
    open.retain(|socket| socket.state == State::Listening && socket.local.port() == port);
    let on = |wanted: &IpAddr| open.iter().find(|socket| socket.local.ip() == *wanted);
    let everywhere = || open.iter().find(|socket| socket.local.ip().is_unspecified());
    match addresses.iter().find_map(on).or_else(everywhere) {
        None => Listener::Nobody,
        Some(socket) => owner(socket).map_or(Listener::Unknown, Listener::Process),
    }
}

/// The process that has the socket open.
fn owner(socket: &Socket) -> Option<u32> {
    let link = format!("socket:[{}]", socket.inode);
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let open = fs::read_dir(entry.path().join("fd")).into_iter().flatten().flatten();
        let mut links = open.filter_map(|fd| fs::read_link(fd.path()).ok());
        if links.any(|to| to.to_str() == Some(&link)) {
            return Some(pid);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn process_that_listens_is_found_by_address_and_port() {
        let this = Listener::Process(std::process::id());
        let [one, other, all] =
            ["127.0.0.1", "127.0.0.2", "0.0.0.0"].map(|text| text.parse::<IpAddr>().unwrap());
        let bound = TcpListener::bind((one, 0)).unwrap();
        let port = bound.local_addr().unwrap().port();
        assert_eq!(
            [&[one][..], &[other], &[other, one]].map(|on| listener(on, port)),
            [this, Listener::Nobody, this]
        );
        drop(bound);
        assert_eq!(listener(&[one], port), Listener::Nobody);
        let bound = TcpListener::bind((all, port)).unwrap();
        assert_eq!(listener(&[other], port), this);
        drop(bound);
    }
}
