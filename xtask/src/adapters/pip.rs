//! A Python environment with pinned packages. pip checks the hashes, and uses the index and proxy
//! of the user's own configuration.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use dapdock_schema::Package;

use super::pins::Pip;
use super::python::{self, WithPip};
use super::shipped::Adapter;
use crate::tool::{self, Fix};

const PIP: Fix = Fix {
    missing: "the environment just made has no interpreter",
    failed: "see pip's message above; it asks the index in your pip configuration \
             (`pip config list`)",
};

/// Makes the environment in `dir`.
pub fn install(pins: &Pip, dir: &Path, shipped: &[Adapter]) -> Result<()> {
    let python = python::venv(dir, &pins.python, WithPip::Yes)?;
    let list = dir.join("requirements.txt");
    fs::write(&list, pins.packages.iter().map(Package::line).collect::<String>())
        .with_context(|| format!("cannot write {}", list.display()))?;
    tool::run(
        Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--no-input"])
            .args(["--disable-pip-version-check", "--only-binary", ":all:"])
            .args(["--require-hashes", "--requirement"])
            .arg(&list),
        &PIP,
    )?;
    match &pins.sees {
        Some(name) => link_packages(name, &python, shipped),
        None => Ok(()),
    }
}

/// Lets the environment import the packages of another one too: a `.pth` file names their
/// directory.
fn link_packages(name: &str, python: &Path, shipped: &[Adapter]) -> Result<()> {
    let other = shipped
        .iter()
        .find(|adapter| adapter.name == name)
        .and_then(|adapter| adapter.installed.as_ref());
    let other = other.with_context(|| format!("{name} is not installed"))?;
    let file = packages(python)?.join(format!("{name}.pth"));
    let text = format!("{}\n", packages(other)?.display());
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// The directory of an environment's packages.
fn packages(python: &Path) -> Result<PathBuf> {
    let script = "import sysconfig; print(sysconfig.get_path('purelib'))";
    Ok(tool::capture(Command::new(python).args(["-c", script]), &PIP)?.into())
}
