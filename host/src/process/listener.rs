//! Who listens on a port of this machine. Knows `/proc`; connects to nobody, as what listens may
//! serve one connection only.

use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Who it is, as far as can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listener {
    /// Nobody listens there.
    Nobody,
    /// This process does.
    Process(u32),
    /// Somebody may.
    Unknown,
}

/// Addresses of this machine alone that a host's name means; none: it may be another's.
pub fn loopback(host: &str) -> Vec<IpAddr> {
    match host {
        "localhost" => vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()],
        host => {
            host.trim_matches(['[', ']']).parse().into_iter().filter(IpAddr::is_loopback).collect()
        }
    }
}

/// Of TCP, on the first of these addresses of this machine where somebody does; else on all
/// addresses.
pub fn listener(addresses: &[IpAddr], port: u16) -> Listener {
    let tables = ["tcp", "tcp6"].map(|table| fs::read_to_string(format!("/proc/self/net/{table}")));
    if tables[0].is_err() {
        return Listener::Unknown;
    }
    let lines = tables.iter().flatten().flat_map(|table| table.lines());
    let open: Vec<(IpAddr, &str)> = lines.filter_map(|line| listening(line, port)).collect();
    let on = |wanted: &IpAddr| open.iter().find(|(local, _)| local == wanted);
    let everywhere = || open.iter().find(|(local, _)| local.is_unspecified());
    match addresses.iter().find_map(on).or_else(everywhere) {
        None => Listener::Nobody,
        Some((_, inode)) => {
            holder(&format!("socket:[{inode}]")).map_or(Listener::Unknown, Listener::Process)
        }
    }
}

/// `sl local_address rem_address st … inode` with the state 0A (proc_net(5), net/tcp_states.h):
/// address and inode.
fn listening(line: &str, port: u16) -> Option<(IpAddr, &str)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let (address, local) = fields.get(1)?.rsplit_once(':')?;
    let listens = fields.get(3) == Some(&"0A") && u16::from_str_radix(local, 16) == Ok(port);
    listens.then(|| Some((self::address(address)?, *fields.get(9)?)))?
}

/// Words of 32 bits as they lie in memory, in hex.
fn address(text: &str) -> Option<IpAddr> {
    let word = |at: usize| {
        u32::from_str_radix(text.get(at * 8..at * 8 + 8)?, 16).ok().map(u32::to_ne_bytes)
    };
    match text.len() {
        8 => Some(Ipv4Addr::from(word(0)?).into()),
        32 => {
            let words = [word(0)?, word(1)?, word(2)?, word(3)?];
            let bytes: [u8; 16] = words.as_flattened().try_into().ok()?;
            Some(Ipv6Addr::from(bytes).to_canonical())
        }
        _ => None,
    }
}

/// The process that has it open.
fn holder(socket: &str) -> Option<u32> {
    let pids = fs::read_dir("/proc")
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    let holds = |pid: &u32| {
        let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten();
        let mut leads_to = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
        leads_to.any(|to| to.to_str() == Some(socket))
    };
    { pids }.find(holds)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn who_listens_is_known() {
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

    #[test]
    #[cfg(target_endian = "little")]
    fn addresses_are_read_as_they_are_written() {
        assert_eq!(address("0100007F"), Some(Ipv4Addr::LOCALHOST.into()));
        assert_eq!(address("0000000000000000FFFF00000100007F"), Some(Ipv4Addr::LOCALHOST.into()));
        assert_eq!(address("00000000000000000000000001000000"), Some(Ipv6Addr::LOCALHOST.into()));
        assert_eq!((address(""), address("0100007")), (None, None));
    }
}
