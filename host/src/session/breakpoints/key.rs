//! Which DAP call sets a breakpoint, and which caller's call set it.

use std::path::PathBuf;

/// What one DAP call replaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::session) enum Key {
    /// All breakpoints of a file.
    Source(PathBuf),
    /// All breakpoints on functions.
    Functions,
    /// The filters for exceptions.
    Exceptions,
}

impl Key {
    /// The same for all names of a file.
    pub(super) fn real(&self) -> Self {
        match self {
            Self::Source(path) => {
                Self::Source(path.canonicalize().unwrap_or_else(|_| path.clone()))
            }
            other => other.clone(),
        }
    }
}

/// Which call of a caller has set a breakpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::session) enum Origin {
    /// The one that waits for it: a bad condition fails that call.
    #[default]
    Call,
    /// An earlier one, before this session: a bad condition fails nothing.
    Retained,
    /// None: a command of the debugger's own language has set it.
    Command,
}
