//! Installs what plugins pin, when the user asks for it: fetched by the user's own package clients,
//! so that mirrors and proxies hold, checked against the pin, and put into a directory of the
//! user's data.
//!
//! What is being made is in a directory of its own below the same one, and is renamed into place
//! when all of it is there; whatever a killed install leaves is removed by the next. One install at
//! a time, held by a file lock. Knows four kinds of sources and no adapter: names, versions, hashes
//! and clients are the manifests'.

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

/// An install that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Installed {
    /// The adapter's own version.
    pub version: String,
    /// The tool that it provides.
    pub tool: String,
    /// The tool's file.
    pub path: PathBuf,
    /// Was it made now?
    pub fresh: bool,
}

/// What can be said of an adapter's installs without fetching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It is there.
    Installed(Installed),
    /// It can be installed.
    Available {
        /// The adapter's own version.
        version: String,
    },
    /// Nothing is pinned for this machine.
    OtherPlatform,
    /// Nothing is pinned.
    NotPinned,
}

/// Where an adapter's own program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Here.
    There {
        /// The program.
        path: PathBuf,
        /// Why it is this one.
        origin: Origin,
    },
    /// Here, and known to be too old.
    TooOld {
        /// The program.
        path: PathBuf,
        /// What it says of itself.
        version: String,
        /// The manifest's words on where to get a newer one.
        hint: String,
    },
    /// The configuration chose a path for one of its tools that cannot be.
    Misconfigured {
        /// Which, and why.
        problem: String,
        /// What helps.
        hint: String,
    },
    /// Not there, and pinned for this machine.
    Installable {
        /// What installs it.
        command: String,
    },
    /// Not there, and pinned for others only.
    OtherPlatform {
        /// The manifest's words on where to get it.
        hint: String,
    },
    /// Not there, and never pinned.
    Missing {
        /// The same.
        hint: String,
    },
}

/// Where one install is made.
struct Bench<'a> {
    /// Becomes the install.
    made: PathBuf,
    /// For what is only needed meanwhile.
    scratch: &'a Path,
}

impl Installer {
    /// Starts nothing.
    pub fn new(owner: Owner, limits: Arc<Limits>) -> Self {
        Self { owner, limits }
    }

    /// Installs what the plugin's manifest pins for this machine, unless it is there. Dropping the
    /// future ends the clients, and nothing is installed.
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

/// The tool that is the adapter: what is pinned, else the manifest's first.
pub fn tool(plugin: &Plugin) -> Option<&str> {
    let manifest = plugin.manifest();
    let pinned = manifest.installs.first().map(|install| install.tool.as_str());
    pinned.or(manifest.tools.first().map(|tool| tool.name.as_str()))
}

/// Where an adapter is, as far as can be said without starting anything.
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

/// What is there, and what could be.
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

/// Removes all versions of the plugin's installs; their names.
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
