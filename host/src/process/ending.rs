//! How a family of processes ended. Plain data.

use super::ProcessId;
use super::table;

/// The last step of [`Family::terminate`](super::Family::terminate).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rung {
    /// No process was alive.
    Gone,
    /// SIGTERM ended all.
    Term,
    /// SIGKILL ended all.
    Kill,
    /// A process is alive after SIGKILL and its deadline; the guard still owns it.
    Stuck,
}

/// The end of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The last rung.
    pub rung: Rung,
    /// Processes that are still alive; empty unless [`Rung::Stuck`].
    pub left: Vec<Member>,
}

/// A living process of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its identity.
    pub id: ProcessId,
    /// Short name in the process table (15 bytes on Linux).
    pub name: String,
}

impl From<table::Entry> for Member {
    fn from(entry: table::Entry) -> Self {
        Self { id: entry.id, name: entry.name }
    }
}
