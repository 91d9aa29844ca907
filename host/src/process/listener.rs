//! Who listens on a port of this machine. Knows `/proc`; connects to nobody, as what listens may serve one connection only.

use std::fs;

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

/// Of TCP, on any address of this machine.
pub fn listener(port: u16) -> Listener {
    let tables = ["tcp", "tcp6"].map(|table| fs::read_to_string(format!("/proc/self/net/{table}")));
    if tables[0].is_err() {
        return Listener::Unknown;
    }
    let inode = tables.iter().flatten().flat_map(|table| table.lines()).find_map(|line| listening(line, port));
    match inode {
        None => Listener::Nobody,
        Some(inode) => holder(&format!("socket:[{inode}]")).map_or(Listener::Unknown, Listener::Process),
    }
}

/// `sl local_address rem_address st … inode` with the state 0A (proc_net(5), net/tcp_states.h): the inode.
fn listening(line: &str, port: u16) -> Option<&str> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let (_, local) = fields.get(1)?.rsplit_once(':')?;
    (fields.get(3) == Some(&"0A") && u16::from_str_radix(local, 16) == Ok(port)).then(|| fields.get(9).copied())?
}

/// The process that has it open.
fn holder(socket: &str) -> Option<u32> {
    let pids = fs::read_dir("/proc").ok()?.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
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
        let bound = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = bound.local_addr().unwrap().port();
        assert_eq!(listener(port), Listener::Process(std::process::id()));
        drop(bound);
        assert_eq!(listener(port), Listener::Nobody);
    }
}
