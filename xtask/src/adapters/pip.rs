//! A Python environment with pinned packages. pip checks the hashes, and takes the
//! index and proxy from the user's own pip configuration.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::pins::{Package, Pip};
use super::python::{self, WithPip};
use crate::tool::{self, Fix};

const PIP: Fix = Fix {
    missing: "the environment just made has no interpreter",
    failed: "see pip's message above; it asks the index in your pip configuration \
             (`pip config list`)",
};

/// Makes the environment in `dir`.
pub fn install(pins: &Pip, dir: &Path) -> Result<()> {
    let python = python::venv(dir, &pins.python, WithPip::Yes)?;
    let list = dir.join("requirements.txt");
    fs::write(&list, requirements(&pins.packages)).with_context(|| format!("cannot write {}", list.display()))?;
    tool::run(
        Command::new(python)
            .args(["-m", "pip", "install", "--quiet", "--no-input"])
            .args(["--disable-pip-version-check", "--only-binary", ":all:"])
            .args(["--require-hashes", "--requirement"])
            .arg(&list),
        &PIP,
    )
}

/// pip's requirements file: one package a line, with every hash that will do.
fn requirements(packages: &[Package]) -> String {
    let mut text = String::new();
    for package in packages {
        text += &package.require;
        for hash in &package.sha256 {
            let _ = write!(text, " --hash=sha256:{hash}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requirement_lists_every_hash() {
        let packages =
            [Package { require: "a==1; python_version < '3.11'".into(), sha256: vec!["00".into(), "ff".into()] }];
        assert_eq!(requirements(&packages), "a==1; python_version < '3.11' --hash=sha256:00 --hash=sha256:ff\n");
    }
}
