//! Which DAP call brings a breakpoint up to date, and since when it is set.

use std::path::PathBuf;

/// What one DAP call is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::session) enum Key {
    Source(PathBuf),
    Functions,
    Exceptions,
}

/// Was a breakpoint set before the launch, by another call?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::session) enum Kept {
    /// Its own call waits for it.
    #[default]
    No,
    /// Nobody asks for it now, and nothing fails because of it.
    Before,
}
