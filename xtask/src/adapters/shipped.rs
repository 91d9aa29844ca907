//! What plugins pin, installed by the binary that ships: `dapdock adapters`, into our own
//! directory.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::layout::Layout;
use crate::tool::{self, Fix};

const DAPDOCK: Fix = Fix { missing: "it was just built", failed: "see its message above" };

/// An adapter of a plugin, as `dapdock adapters list --json` has it.
#[derive(Debug, Deserialize)]
pub struct Adapter {
    /// The name that `dapdock adapters install` takes.
    pub name: String,
    /// The tool that the install provides.
    pub tool: Option<String>,
    /// Its file, once it is installed.
    pub installed: Option<PathBuf>,
    /// Can it be installed on this machine?
    pub pinned: bool,
}

/// All of them. Builds the binary where that is to be done.
pub fn list(layout: &Layout) -> Result<Vec<Adapter>> {
    tool::run(tool::cargo().current_dir(&layout.root).args(["build", "--workspace"]), &tool::RUST)?;
    let told = tool::capture(dapdock(layout).args(["list", "--json"]), &DAPDOCK)?;
    serde_json::from_str(&told).context("cannot read what `dapdock adapters list --json` says")
}

/// Installs one that is not there yet.
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
