//! The adapters pinned by plugins, installed by the shipped binary (`dapdock adapters`) into a
//! directory of the workspace.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::layout::Layout;
use crate::tool::{self, Fix};

const DAPDOCK: Fix = Fix { missing: "it was just built", failed: "see its message above" };

/// An adapter of a plugin, as `dapdock adapters list --json` prints it.
#[derive(Debug, Deserialize)]
pub struct Adapter {
    /// The name that `dapdock adapters install` takes.
    pub name: String,
    /// The tool that the install provides.
    pub tool: Option<String>,
    /// Its file, if it is installed.
    pub installed: Option<PathBuf>,
    /// Whether it can be installed on this machine.
    pub pinned: bool,
}

/// All of them. Builds the binary first.
pub fn list(layout: &Layout) -> Result<Vec<Adapter>> {
    tool::run(tool::cargo().current_dir(&layout.root).args(["build", "--workspace"]), &tool::RUST)?;
    let list_json = tool::capture(dapdock(layout).args(["list", "--json"]), &DAPDOCK)?;
    serde_json::from_str(&list_json).context("cannot read what `dapdock adapters list --json` says")
}

/// Installs an adapter that is not installed yet.
pub fn install(layout: &Layout, adapter: &Adapter) -> Result<()> {
    match &adapter.installed {
        Some(_) => Ok(()),
        None => tool::run(dapdock(layout).args(["install", &adapter.name]), &DAPDOCK),
    }
}

fn dapdock(layout: &Layout) -> Command {
    let mut command = Command::new(layout.dapdock());
    command
        .current_dir(&layout.root)
        .env_remove("DAPDOCK_CONFIG")
        .args(["adapters", "--dir"])
        .arg(layout.adapters());
    command
}
