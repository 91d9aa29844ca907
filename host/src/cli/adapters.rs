//! `dapdock adapters`: which there are, and installing and removing those that plugins pin.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{Common, print, tell};
use crate::config::Flags;
use crate::host;
use crate::limits::Limits;
use crate::plugin::{self, Origin, Plugin};
use crate::process::Owner;
use crate::provision::{self, Installer, Progress, Standing, State};
use crate::session::Setup;

/// Debug adapters: what there is, and what can be installed.
#[derive(Debug, Args)]
pub struct Adapters {
    #[command(subcommand)]
    task: Task,
    /// Where installs are [default: $XDG_DATA_HOME/dapdock/adapters].
    #[arg(long, global = true, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Every adapter, the version that is pinned, and where it is.
    List {
        /// As JSON, for programs.
        #[arg(long)]
        json: bool,
    },
    /// Install the pinned versions, by your own package clients, checked by SHA-256.
    Install {
        /// Which; all that are pinned for this machine when none is named.
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Remove what was installed.
    Remove {
        /// Which.
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
}

/// Runs the command; 0 where all that was asked for was done.
pub async fn run(adapters: Adapters) -> ExitCode {
    match start(adapters).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            tell(format_args!("error: {problem}"));
            ExitCode::FAILURE
        }
    }
}

async fn start(adapters: Adapters) -> Result<bool, String> {
    let (workspace, flags) =
        adapters.common.places().map_err(|error| format!("cannot find the workspace: {error}"))?;
    let owner = Owner::new(Arc::new(Limits::default()));
    let dir =
        adapters.dir.map(std::path::absolute).transpose().map_err(|error| error.to_string())?;
    let setup = setup(&owner, &workspace, flags, dir)?;
    match adapters.task {
        Task::List { json } => {
            list(&setup, json).await;
            Ok(true)
        }
        Task::Install { names } => {
            install(&setup, &Installer::new(owner, setup.limits.clone()), &names).await
        }
        Task::Remove { names } => remove(&setup, &names).await,
    }
}

fn setup(
    owner: &Owner,
    workspace: &Path,
    flags: Flags,
    dir: Option<PathBuf>,
) -> Result<Setup, String> {
    host::setup(owner, workspace, flags, dir).map_err(|error| error.to_string())
}

/// Those that were named, or all. One that cannot be loaded is an error only if it was named.
async fn chosen(setup: &Setup, names: &[String]) -> Result<Vec<Plugin>, plugin::Error> {
    if names.is_empty() {
        return Ok(setup.catalog.all().await.into_iter().flatten().collect());
    }
    let mut plugins = Vec::new();
    for name in names {
        plugins.push(setup.catalog.get(name).await?);
    }
    Ok(plugins)
}

async fn install(setup: &Setup, installer: &Installer, names: &[String]) -> Result<bool, String> {
    let mut plugins = chosen(setup, names).await.map_err(|error| error.to_string())?;
    if names.is_empty() {
        plugins.retain(|plugin| {
            !matches!(provision::state(plugin), State::NotPinned | State::OtherPlatform)
        });
    }
    let progress = Progress::new(|line| tell(line));
    let mut good = true;
    for plugin in plugins {
        let began = Instant::now();
        match installer.install(&plugin, &progress).await {
            Ok(installed) => {
                let took = began.elapsed().as_secs_f32();
                let how = if installed.fresh {
                    format!("installed in {took:.1} s")
                } else {
                    "is there".to_owned()
                };
                print(format_args!(
                    "{} {} {how}: {}",
                    plugin.name(),
                    installed.version,
                    installed.path.display()
                ));
            }
            Err(error) => {
                tell(format_args!("error: cannot install {}: {error}", plugin.name()));
                good = false;
            }
        }
    }
    Ok(good)
}

async fn remove(setup: &Setup, names: &[String]) -> Result<bool, String> {
    let progress = Progress::new(|line| tell(line));
    for plugin in chosen(setup, names).await.map_err(|error| error.to_string())? {
        let removed =
            provision::remove(&plugin, &progress).await.map_err(|error| error.to_string())?;
        match removed.as_slice() {
            [] => print(format_args!("{} is not installed", plugin.name())),
            versions => print(format_args!("removed {} {}", plugin.name(), versions.join(", "))),
        }
    }
    Ok(true)
}

/// One adapter, as far as can be said without starting anything.
struct Row {
    name: String,
    state: &'static str,
    /// Of the pin, where that is what is used, or would be.
    version: Option<String>,
    tool: Option<String>,
    path: Option<PathBuf>,
    /// The install's own file, be it used or not.
    installed: Option<PathBuf>,
    /// Can it be installed on this machine?
    pinned: bool,
    /// What a person can do, or what is wrong.
    note: String,
}

async fn list(setup: &Setup, json: bool) {
    let names: Vec<String> = setup.catalog.names().map(str::to_owned).collect();
    let plugins = setup.catalog.all().await;
    let rows: Vec<Row> =
        names.into_iter().zip(plugins).map(|(name, plugin)| row(name, plugin)).collect();
    setup.catalog.unknown_tools().await.iter().for_each(|tool| tell(format_args!("note: {tool}")));
    if json {
        print(Value::Array(rows.iter().map(Row::json).collect()))
    } else {
        rows.iter().for_each(|row| print(row.text()))
    }
}

fn row(name: String, plugin: Result<Plugin, plugin::Error>) -> Row {
    let plugin = match plugin {
        Ok(plugin) => plugin,
        Err(error) => {
            let note = error.to_string();
            let (version, tool, path, installed, pinned) = (None, None, None, None, false);
            return Row { name, state: "broken", version, tool, path, installed, pinned, note };
        }
    };
    let tool = provision::tool(&plugin).map(str::to_owned);
    let (version, installed) = match provision::state(&plugin) {
        State::Installed(installed) => (Some(installed.version), Some(installed.path)),
        State::Available { version } => (Some(version), None),
        State::OtherPlatform | State::NotPinned => (None, None),
    };
    let pinned = version.is_some();
    // Of a tool of the user's own nobody knows it without asking the tool.
    let own = |standing: &Standing| {
        matches!(
            standing,
            Standing::There { origin: Origin::Configured | Origin::Path, .. }
                | Standing::Misconfigured { .. }
        )
    };
    let standing = provision::standing(&plugin);
    let mut told = version.filter(|_| !own(&standing));
    let (state, path, note) = match standing {
        Standing::There { path, origin: Origin::Configured } => {
            ("configured", Some(path), String::new())
        }
        Standing::There { path, origin: Origin::Installed } => {
            ("installed", Some(path), String::new())
        }
        Standing::There { path, origin: Origin::Path } => ("on PATH", Some(path), String::new()),
        Standing::TooOld { path, version, hint } => {
            told = Some(version);
            ("too old", Some(path), hint)
        }
        Standing::Misconfigured { problem, hint } => {
            ("misconfigured", None, format!("{problem}: {hint}"))
        }
        Standing::Installable { command } => ("not installed", None, command),
        Standing::OtherPlatform { hint } => ("not pinned for this machine", None, hint),
        Standing::Missing { hint } => ("not found", None, hint),
    };
    Row { name, state, version: told, tool, path, installed, pinned, note }
}

impl Row {
    fn text(&self) -> String {
        let version = self.version.as_deref().unwrap_or("-");
        let place = self.path.as_ref().map_or(String::new(), |path| path.display().to_string());
        let parts =
            [place.as_str(), &self.note].map(str::trim).into_iter().filter(|part| !part.is_empty());
        let rest: Vec<&str> = parts.collect();
        format!("{:<10} {:<9} {:<14} {}", self.name, version, self.state, rest.join(" · "))
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "state": self.state,
            "version": self.version,
            "tool": self.tool,
            "path": self.path,
            "installed": self.installed,
            "pinned": self.pinned,
            "note": self.note,
        })
    }
}
