//! The pins as data: `xtask/adapters.toml`, typed. Installs nothing.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use dapdock_schema::Package;
use serde::{Deserialize, Serialize};

/// The row whose program patches those of [`Apt`] rows.
pub const PATCHELF_ROW: &str = "patchelf";

/// Rows by name, sorted.
pub type Pins = BTreeMap<String, Row>;

/// One thing to install. A new way to install is a new [`Source`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Row {
    /// One line for the progress output.
    pub about: String,
    /// Name under `[tools]`; absent if it is no debugger.
    pub tool: Option<String>,
    /// The tool's file, relative to the row's directory.
    pub path: Option<String>,
    /// The only `OS-ARCH` it can be installed on.
    pub platform: Option<String>,
    /// The source.
    #[serde(flatten)]
    pub source: Source,
}

impl Row {
    /// The row without which it cannot be installed.
    pub fn needs(&self) -> Option<&'static str> {
        match &self.source {
            Source::Apt(apt) if apt.program.is_some() => Some(PATCHELF_ROW),
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

/// Source of a row.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A Python environment with exactly these packages.
    Pip(Pip),
    /// The packages of a directory below `xtask`, in `node_modules`.
    Npm(Npm),
    /// One directory of an npm package, as plugins pin it.
    Packed(dapdock_schema::Npm),
    /// A program built by a Go of another version, with that Go.
    Go(Go),
    /// A package of a newer release, unpacked next to the system.
    Apt(Apt),
    /// An empty Python environment.
    BareVenv(BareVenv),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pip {
    /// The oldest Python the packages run on, as `MAJOR.MINOR`.
    pub python: String,
    /// An adapter in an environment of its own, whose packages can be imported from this one.
    pub sees: Option<String>,
    pub packages: Vec<Package>,
}

/// The packages are those of the lock file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Npm {
    /// The directory below `xtask`.
    pub directory: String,
    /// The hash of its `package-lock.json`, which has every package's version and hash.
    pub lock_sha256: String,
}

/// Both are Go modules; Go checks the program's dependencies against the checksum database.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Go {
    pub toolchain: GoToolchain,
    /// The main package.
    pub package: String,
    /// The module that contains it.
    pub module: String,
    /// The module's version.
    pub version: String,
    /// The hash of the module's files, as in a go.sum.
    pub sum: String,
}

/// The Go that builds the program.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoToolchain {
    /// The value for `GOTOOLCHAIN`.
    pub name: String,
    /// The version of the module `golang.org/toolchain`.
    pub version: String,
    /// The hash of that module's files, as in a go.sum.
    pub sum: String,
}

/// apt checks the files against the hashes that the distribution has signed.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Apt {
    /// The distribution, by apt's name: it selects one of the system's own sources.
    pub origin: String,
    /// The keyring that checks the signature, from the system.
    pub keyring: String,
    /// The release.
    pub suite: String,
    pub package: String,
    /// As apt takes it; `*` for the distribution's revision, which changes with its fixes.
    pub version: String,
    /// Absent if the package has no program to patch.
    pub program: Option<Program>,
}

/// The program with its loader and libraries, and with other programs that it starts; all below the
/// row's directory.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    pub path: String,
    pub loader: String,
    /// Directories.
    pub libraries: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BareVenv {
    /// The oldest Python that works, as `MAJOR.MINOR`.
    pub python: String,
}

/// The pins compiled into this build.
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
            // Go and apt check hashes of their own; an empty environment has none.
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
