//! The pins as data: `xtask/adapters.toml`, typed. Installs nothing.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use dapdock_schema::Package;
use serde::{Deserialize, Serialize};

use super::apt;

/// Rows by name, sorted.
pub type Pins = BTreeMap<String, Row>;

/// One thing to install. A new way to install is a new [`Source`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Row {
    /// One line for the progress output.
    pub about: String,
    /// Name under `[tools]`; absent for what is no debugger.
    pub tool: Option<String>,
    /// What the tool's name points at, relative to the row's directory.
    pub path: Option<String>,
    /// The only `OS-ARCH` it can be installed on.
    pub platform: Option<String>,
    /// Where it comes from.
    #[serde(flatten)]
    pub source: Source,
}

impl Row {
    /// The row without which it cannot be installed.
    pub fn needs(&self) -> Option<&'static str> {
        match &self.source {
            Source::Apt(apt) if apt.program.is_some() => Some(apt::NEEDS),
            _ => None,
        }
    }

    /// The adapter whose packages it can import.
    pub fn sees(&self) -> Option<&String> {
        match &self.source {
            Source::Pip(pip) => pip.sees.as_ref(),
            _ => None,
        }
    }
}

/// Where a row comes from.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A Python environment with exactly these packages.
    Pip(Pip),
    /// The packages of `xtask/runners`, in `node_modules`.
    Npm(Npm),
    /// One directory out of an npm package, as plugins pin it.
    Packed(dapdock_schema::Npm),
    /// A program that a Go of another version builds, with that Go.
    Go(Go),
    /// A newer release's package, unpacked beside the system.
    Apt(Apt),
    /// A Python environment with nothing in it.
    BareVenv(BareVenv),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pip {
    /// The oldest Python the packages run on, as `MAJOR.MINOR`.
    pub python: String,
    /// An adapter that is an environment, too, whose packages can be imported in this one.
    pub sees: Option<String>,
    pub packages: Vec<Package>,
}

/// What is installed says the lock file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Npm {
    /// Of `package-lock.json`, which names every package's version and hash.
    pub lock_sha256: String,
}

/// Both are Go modules; what the program needs is held by Go against the checksum database.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Go {
    pub toolchain: GoToolchain,
    /// The main package.
    pub package: String,
    /// The module that holds it.
    pub module: String,
    /// The module's version.
    pub version: String,
    /// Of the module's files, as a go.sum has it.
    pub sum: String,
}

/// What builds it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoToolchain {
    /// As `GOTOOLCHAIN` has it.
    pub name: String,
    /// The version of the module `golang.org/toolchain`.
    pub version: String,
    /// Of that module's files, as a go.sum has it.
    pub sum: String,
}

/// Its files are held against the hashes that the distribution has signed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Apt {
    /// Whose mirror among the system's own sources: apt's word for the distribution.
    pub origin: String,
    /// What checks the signature, as the system has it.
    pub keyring: String,
    /// The release.
    pub suite: String,
    pub package: String,
    /// As apt takes it; `*` for what the distribution adds, which changes with its mends.
    pub version: String,
    /// Absent for what has none.
    pub program: Option<Program>,
}

/// What is started, and by which loader and libraries; all below the row's directory.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    pub path: String,
    pub loader: String,
    pub libraries: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BareVenv {
    /// The oldest Python that will do, as `MAJOR.MINOR`.
    pub python: String,
}

/// The pins this build was made with.
pub fn load() -> Result<Pins> {
    toml::from_str(include_str!("../../adapters.toml")).context("xtask/adapters.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(source: &Source) -> Vec<&str> {
        match source {
            Source::Pip(pip) => pip
                .packages
                .iter()
                .flat_map(|package| package.sha256.iter().map(String::as_str))
                .collect(),
            Source::Npm(npm) => vec![npm.lock_sha256.as_str()],
            Source::Packed(packed) => vec![packed.sha256.as_str()],
            // Go's and apt's own; or none.
            Source::Go(_) | Source::Apt(_) | Source::BareVenv(_) => vec![],
        }
    }

    #[test]
    fn every_pin_is_a_sha256() {
        for (name, row) in load().unwrap() {
            for hash in hashes(&row.source) {
                let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
                assert!(hash.len() == 64 && hash.chars().all(hex), "{name}: {hash}");
            }
        }
    }

    #[test]
    fn every_package_names_one_version_and_a_hash() {
        for (name, row) in load().unwrap() {
            let Source::Pip(pip) = row.source else {
                continue;
            };
            for package in pip.packages {
                assert!(package.require.contains("=="), "{name}: {}", package.require);
                assert!(!package.sha256.is_empty(), "{name}: {}", package.require);
            }
        }
    }

    #[test]
    fn every_tool_has_a_path() {
        for (name, row) in load().unwrap() {
            assert_eq!(row.tool.is_some(), row.path.is_some(), "{name}");
        }
    }
}
