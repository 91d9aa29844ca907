//! `dapdock adapters`: lists adapters, installs and removes the pinned ones. Refuses to know how an
//! install is made.

mod list;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, Subcommand};

use self::list::list;
pub(super) use self::list::{Row, rows};
use super::{Common, print, say};
use crate::config::Flags;
use crate::host;
use crate::limits::Limits;
use crate::plugin::{self, Plugin};
use crate::process::Owner;
use crate::provision::{self, Installer, Progress, State};
use crate::session::Setup;

/// List, install and remove debug adapters.
#[derive(Debug, Args)]
pub struct Adapters {
    #[command(subcommand)]
    task: Task,
    /// Directory of the installs [default: $XDG_DATA_HOME/dapdock/adapters].
    #[arg(long, global = true, value_name = "DIR")]
    dir: Option<PathBuf>,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// List every adapter with its version and path.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Install the pinned versions with your own package clients, checked by SHA-256.
    Install {
        /// Names of adapters [default: all that are pinned for this machine].
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    /// Remove installs.
    Remove {
        /// Names of adapters.
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
}

/// Runs the command; the exit code is 0 if everything was done.
pub async fn run(adapters: Adapters) -> ExitCode {
    match start(adapters).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            say(format_args!("error: {problem}"));
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

/// The named plugins, or all. A plugin that cannot be loaded is an error only if it is named.
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
    let progress = Progress::new(|line| say(line));
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
                say(format_args!("error: cannot install {}: {error}", plugin.name()));
                good = false;
            }
        }
    }
    Ok(good)
}

async fn remove(setup: &Setup, names: &[String]) -> Result<bool, String> {
    let progress = Progress::new(|line| say(line));
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
