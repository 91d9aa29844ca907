//! Why an install failed, as facts.

use std::io;
use std::path::{Path, PathBuf};

use crate::plugin::{Plugin, installs};

/// An install that failed; nothing of it is left.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The manifest pins nothing.
    #[error("no install of {adapter} is pinned; {hint}")]
    NotPinned {
        /// Its name.
        adapter: String,
        /// How to get it otherwise.
        hint: String,
    },
    /// What it pins is for other machines.
    #[error("{adapter} is pinned for {}, and this is {here}; {hint}", platforms.join(", "))]
    OtherPlatform {
        /// Its name.
        adapter: String,
        /// `OS-ARCH`.
        here: String,
        /// The pins'.
        platforms: Vec<String>,
        /// How to get it otherwise.
        hint: String,
    },
    /// Neither `XDG_DATA_HOME` nor `HOME` names a directory.
    #[error("there is no directory for data: set XDG_DATA_HOME or HOME")]
    NoDirectory,
    /// The package client is not there.
    #[error("{adapter} is installed by `{client}`, which is not there: {hint}")]
    NoClient {
        /// The adapter's name.
        adapter: String,
        /// The program.
        client: String,
        /// How to get it.
        hint: String,
    },
    /// The package client is not new enough.
    #[error("{client} is {found}, and {oldest} or newer is needed")]
    ClientTooOld {
        /// The program.
        client: PathBuf,
        /// Its version.
        found: String,
        /// The least version.
        oldest: String,
    },
    /// The package client failed.
    #[error("`{line}` {how}{}", lines(words))]
    ClientFailed {
        /// The command line.
        line: String,
        /// "ended with exit code 1".
        how: String,
        /// The last of what it said.
        words: String,
    },
    /// Other bytes came than were pinned.
    #[error(
        "{what} has the hash {found}, pinned is {pinned}: other bytes than were tested; nothing \
        was installed"
    )]
    Hash {
        /// Package and version, or address.
        what: String,
        /// Of what came.
        found: String,
        /// The manifest's.
        pinned: String,
    },
    /// The right bytes came, without what the pin says is in them.
    #[error("what {adapter} pins holds no {path}: the pin is wrong")]
    Incomplete {
        /// The adapter's name.
        adapter: String,
        /// The missing file.
        path: String,
    },
    /// The client succeeded and left out what it was asked for.
    #[error(
        "{package} was not put where it was asked for: \
         a setting of the client sends packages elsewhere or only tries"
    )]
    NotThere {
        /// As it was asked for.
        package: String,
    },
    /// The system refused.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// "write".
        what: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The system's own error.
        source: io::Error,
    },
    /// Every way failed.
    #[error("{}", _0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\nand "))]
    All(Vec<Error>),
}

impl Error {
    /// Must no other source be tried?
    pub(super) fn is_final(&self) -> bool {
        matches!(self, Self::Hash { .. } | Self::File { .. })
    }

    pub(super) fn all(mut errors: Vec<Self>) -> Self {
        match errors.len() {
            1 => errors.remove(0),
            _ => Self::All(errors),
        }
    }

    pub(super) fn file(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::File { what, path: path.to_owned(), source }
    }

    pub(super) fn not_pinned(plugin: &Plugin) -> Self {
        Self::NotPinned { adapter: plugin.name().to_owned(), hint: hint(plugin) }
    }

    pub(super) fn other_platform(plugin: &Plugin) -> Self {
        let mut platforms: Vec<_> = plugin
            .manifest()
            .installs
            .iter()
            .flat_map(|install| install.platforms.clone())
            .collect();
        platforms.sort();
        platforms.dedup();
        let (adapter, here) = (plugin.name().to_owned(), installs::platform());
        Self::OtherPlatform { adapter, here, platforms, hint: hint(plugin) }
    }
}

fn hint(plugin: &Plugin) -> String {
    plugin.manifest().tools.first().map(|tool| tool.install.clone()).unwrap_or_default()
}

fn lines(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(":\n{words}") }
}
