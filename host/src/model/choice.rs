//! Choices that only a person makes.

use std::path::PathBuf;

use super::SessionId;

/// A choice of a person. A call without it fails; after it the same call works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// To install the pinned adapter of this plugin.
    Install {
        /// The plugin.
        adapter: String,
    },
    /// To let a project's own dapdock.toml choose what runs, until this host ends.
    Trust {
        /// The directory of the file.
        project: PathBuf,
        /// The key that chooses, with its tables.
        key: String,
    },
    /// To end a process that ran before the debugger attached to it.
    End {
        /// The session that is attached to it.
        session: SessionId,
        /// The process, as callers name it.
        process: String,
    },
}

impl Choice {
    /// The same choice has the same key; others have others.
    pub fn key(&self) -> String {
        match self {
            Self::Install { adapter } => format!("install {adapter}"),
            Self::Trust { project, .. } => format!("trust {}", project.display()),
            Self::End { session, .. } => format!("end {session}"),
        }
    }
}
