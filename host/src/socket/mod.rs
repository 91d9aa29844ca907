//! Local sockets of the hosts of one user: where they are, who may connect, and which hosts listen.
//!
//! Only processes of the same user connect: the directory and the sockets belong to the user and
//! are closed to others, and both sides compare the user of the peer with their own. Refuses to
//! know what is said over a socket and how a host is started.
//!
//! Files: `directory` (the place and its checks), `listen`, `connect`.

mod connect;
mod directory;
mod listen;

pub use connect::{Connected, connect, hosts};
pub use directory::{Directory, Error};
pub use listen::Listener;

/// The name of a host's socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The host in the background, of which a user has one.
    Background,
    /// A host that serves an agent, with its pid.
    Agent(u32),
}

impl Name {
    fn file(self) -> String {
        match self {
            Self::Background => "host.sock".to_owned(),
            Self::Agent(pid) => format!("mcp-{pid}.sock"),
        }
    }

    fn of(file: &str) -> Option<Self> {
        match file.strip_suffix(".sock")? {
            "host" => Some(Self::Background),
            other => Some(Self::Agent(other.strip_prefix("mcp-")?.parse().ok()?)),
        }
    }
}
