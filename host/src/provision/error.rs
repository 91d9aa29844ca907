//! Facts about a failed install, with their texts.

use std::io;
use std::path::{Path, PathBuf};

use crate::plugin::{Plugin, installs};

/// A failed install; no file of it is left.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The manifest has no pin.
    #[error("no install of {adapter} is pinned; {hint}")]
    NotPinned {
        /// Its name.
        adapter: String,
        /// How to install it otherwise.
        hint: String,
    },
    /// Its pins are for other machines.
    #[error("{adapter} is pinned for {}, and this is {here}; {hint}", platforms.join(", "))]
    OtherPlatform {
        /// Its name.
        adapter: String,
        /// `OS-ARCH`.
        here: String,
        /// The pins'.
        platforms: Vec<String>,
        /// How to install it otherwise.
        hint: String,
    },
    /// Neither `XDG_DATA_HOME` nor `HOME` names a directory.
    #[error("there is no directory for data: set XDG_DATA_HOME or HOME")]
    NoDirectory,
    /// The package client was not found.
    #[error("{adapter} is installed by `{client}`, which was not found: {hint}")]
    NoClient {
        /// The adapter's name.
        adapter: String,
        /// The program.
        client: String,
        /// How to install it.
        hint: String,
    },
    /// The package client is too old.
    #[error("{client} is {found}, and {oldest} or newer is needed")]
    ClientTooOld {
        /// The program.
        client: PathBuf,
        /// Its version.
        found: String,
        /// The oldest version that works.
        oldest: String,
    },
    /// The package client failed.
    #[error("`{line}` {how}{}", lines(words))]
    ClientFailed {
        /// The command line.
        line: String,
        /// "ended with exit code 1".
        how: String,
        /// Its last lines.
        words: String,
    },
    /// The fetched bytes do not match the pin.
    #[error(
        "{what} has the hash {found}, pinned is {pinned}: other bytes than were tested; nothing \
        was installed"
    )]
    Hash {
        /// Package and version, or address.
        what: String,
        /// The hash of the fetched bytes.
        found: String,
        /// The hash in the manifest.
        pinned: String,
    },
    /// The pinned bytes lack a file that the manifest names.
    #[error("the pinned package of {adapter} has no {path}: the pin is wrong")]
    Incomplete {
        /// The adapter's name.
        adapter: String,
        /// The missing file.
        path: String,
    },
    /// The client succeeded without installing a package.
    #[error(
        "{package} is not in the install: \
         a setting of the client installs elsewhere or only simulates"
    )]
    NotThere {
        /// The package as requested.
        package: String,
    },
    /// An error of the file system.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// "write".
        what: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Every source failed.
    #[error("{}", _0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\nand "))]
    All(Vec<Error>),
}

impl Error {
    /// Whether other sources must not be tried.
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
