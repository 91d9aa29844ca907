//! How much of the program's code is loaded.
//!
//! Knows the files that the adapter reports as loaded. Refuses to know what is in them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::entry::Entry;
use crate::model::Place;

/// The code that is loaded: a breakpoint that is unconfirmed there has no code.
#[derive(Debug)]
pub(super) enum Live {
    /// These files, once the program `runs`.
    Files { loaded: BTreeSet<PathBuf>, runs: bool },
    /// Everything.
    All,
}

impl Default for Live {
    fn default() -> Self {
        Self::Files { loaded: BTreeSet::new(), runs: false }
    }
}

impl Live {
    /// The program runs.
    pub(super) fn begin(&mut self) {
        if let Self::Files { runs, .. } = self {
            *runs = true;
        }
    }

    /// A file is loaded.
    pub(super) fn load(&mut self, path: PathBuf) {
        if let Self::Files { loaded, .. } = self {
            loaded.insert(path);
        }
    }

    /// Is all code that its file will have loaded?
    pub(super) fn knows(&self, entry: &Entry) -> bool {
        match (self, &entry.translated.place) {
            (Self::All, _) => true,
            (Self::Files { loaded, runs: true }, Place::Line { path, .. }) => loaded.contains(path),
            (Self::Files { .. }, _) => false,
        }
    }
}
