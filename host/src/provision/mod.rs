//! Installs pinned adapters on the user's request. The user's own package clients fetch them, with
//! the user's mirrors and proxies; the hash is checked, and the result goes into the user's data
//! directory.
//!
//! An install is made in a scratch directory next to its place and renamed when it is complete; the
//! next install removes the scratch directories of killed ones. A file lock allows one install at a
//! time. Knows four kinds of sources and no adapter: names, versions, hashes and clients come from
//! manifests.

mod archive;
mod client;
mod digest;
mod error;
mod go;
mod npm;
mod pip;
mod progress;
mod shelf;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dapdock_schema::{Install, Source};

use crate::file::private;
use crate::limits::Limits;
use crate::plugin::{Origin, Plugin, installs};
use crate::process::Owner;
use client::Client;
pub use error::Error;
pub use progress::Progress;

/// Installs and removes. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Installer {
    owner: Owner,
    limits: Arc<Limits>,
}

/// An install.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The adapter's own version.
    pub version: String,
    /// The tool that it provides.
    pub tool: String,
    /// The tool's file.
    pub path: PathBuf,
    /// Whether this call made it.
    pub fresh: bool,
}

/// State of an adapter's install, without network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Installed.
    Installed(Installed),
    /// Pinned for this machine and not installed.
    Available {
        /// The adapter's own version.
        version: String,
    },
    /// Pinned for other machines only.
    OtherPlatform,
    /// Not pinned.
    NotPinned,
}

/// Location of an adapter's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Found.
    There {
        /// The program.
        path: PathBuf,
        /// The source of the path.
        origin: Origin,
    },
    /// Found, and too old.
    TooOld {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: String,
        /// The manifest's instructions for a newer one.
        hint: String,
    },
    /// The configuration has an unusable path for one of its tools.
    Misconfigured {
        /// The path and the reason.
        problem: String,
        /// The correction.
        hint: String,
    },
    /// Not found, and pinned for this machine.
    Installable {
        /// The command that installs it.
        command: String,
    },
    /// Not found, and pinned for other machines only.
    OtherPlatform {
        /// The manifest's instructions for its installation.
        hint: String,
    },
    /// Not found, and not pinned.
    Missing {
        /// The manifest's instructions for its installation.
        hint: String,
    },
}

/// Directories of an install in progress.
struct Bench<'a> {
    /// Renamed to the place of the install.
    made: PathBuf,
    /// For temporary files.
    scratch: &'a Path,
}

impl Installer {
    /// An installer; starts no process.
    pub fn new(owner: Owner, limits: Arc<Limits>) -> Self {
        Self { owner, limits }
    }

    /// Installs the pin of the plugin's manifest for this machine, unless it is installed. Dropping
    /// the future ends the clients without an install.
    pub async fn install(&self, plugin: &Plugin, progress: &Progress) -> Result<Installed, Error> {
        let base = plugin.adapters_dir().ok_or(Error::NoDirectory)?;
        match state(plugin) {
            State::Installed(found) => return Ok(found),
            State::NotPinned => return Err(Error::not_pinned(plugin)),
            State::OtherPlatform => return Err(Error::other_platform(plugin)),
            State::Available { .. } => {}
        }
        let _lock = shelf::lock(base, progress).await?;
        if let State::Installed(found) = state(plugin) {
            return Ok(found);
        }
        shelf::sweep(base);
        let mut failed = Vec::new();
        for install in installs::fitting(plugin.manifest()) {
            match self.make(plugin, install, base, progress).await {
                Ok(made) => return Ok(made),
                Err(error) if error.is_final() => return Err(error),
                Err(error) => failed.push(error),
            }
        }
        Err(Error::all(failed))
    }

    async fn make(
        &self,
        plugin: &Plugin,
        install: &Install,
        base: &Path,
        progress: &Progress,
    ) -> Result<Installed, Error> {
        let client = Client::find(self, plugin, install.source.client(), progress)?;
        progress.say(&format!("installing {} {} …", plugin.name(), install.version));
        let scratch = shelf::scratch(base)?;
        let bench = Bench { made: scratch.path().join("made"), scratch: scratch.path() };
        private::directory(&bench.made).map_err(|error| Error::file("make", &bench.made, error))?;
        match &install.source {
            Source::Pip(pip) => pip::make(&client, pip, &install.path, &bench).await?,
            Source::Npm(npm) => npm::make(&client, npm, &bench).await?,
            Source::Go(go) => go::make(&client, go, &bench).await?,
            Source::Archive(archive) => archive::make(&client, archive, &bench).await?,
        }
        if !bench.made.join(&install.path).is_file() {
            return Err(Error::Incomplete {
                adapter: plugin.name().to_owned(),
                path: install.path.clone(),
            });
        }
        let place = installs::place(base, plugin.manifest(), install);
        shelf::put(&bench.made, &place)?;
        Ok(found(install, &place, true))
    }
}

/// The tool that is the adapter: the pinned one, or else the manifest's first.
pub fn tool(plugin: &Plugin) -> Option<&str> {
    let manifest = plugin.manifest();
    let pinned = manifest.installs.first().map(|install| install.tool.as_str());
    pinned.or(manifest.tools.first().map(|tool| tool.name.as_str()))
}

/// Finds an adapter without starting a process.
pub fn standing(plugin: &Plugin) -> Standing {
    if let Some((problem, hint)) = plugin.wrong_choice() {
        return Standing::Misconfigured { problem, hint };
    }
    let hint =
        || plugin.manifest().tools.first().map(|tool| tool.install.clone()).unwrap_or_default();
    match (tool(plugin).and_then(|tool| plugin.tool(tool)), state(plugin)) {
        (Some((path, origin)), _) => match plugin.known_too_old() {
            Some(version) => Standing::TooOld { path, version, hint: hint() },
            None => Standing::There { path, origin },
        },
        (None, State::Installed(_) | State::Available { .. }) => {
            Standing::Installable { command: installs::command(plugin.name()) }
        }
        (None, State::OtherPlatform) => Standing::OtherPlatform { hint: hint() },
        (None, State::NotPinned) => Standing::Missing { hint: hint() },
    }
}

/// The state of a plugin's install.
pub fn state(plugin: &Plugin) -> State {
    let manifest = plugin.manifest();
    let Some(first) = installs::fitting(manifest).next() else {
        return if manifest.installs.is_empty() { State::NotPinned } else { State::OtherPlatform };
    };
    let there =
        plugin.adapters_dir().and_then(|base| installs::installed(base, manifest, &first.tool));
    match there {
        Some((install, place)) => State::Installed(found(install, &place, false)),
        None => State::Available { version: first.version.clone() },
    }
}

/// Removes all versions of the plugin's installs and returns their names.
pub async fn remove(plugin: &Plugin, progress: &Progress) -> Result<Vec<String>, Error> {
    let base = plugin.adapters_dir().ok_or(Error::NoDirectory)?;
    let shelf = installs::shelf(base, plugin.manifest());
    if !shelf.is_dir() {
        return Ok(Vec::new());
    }
    let _lock = shelf::lock(base, progress).await?;
    shelf::sweep(base);
    shelf::remove(base, &shelf)
}

fn found(install: &Install, place: &Path, fresh: bool) -> Installed {
    let (version, tool) = (install.version.clone(), install.tool.clone());
    Installed { version, tool, path: place.join(&install.path), fresh }
}
