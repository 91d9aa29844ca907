//! Pinned installs: where an adapter comes from, exactly, as data. Nothing is
//! fetched here, and nothing by a plugin: the host installs what the user asks for,
//! with the user's own package clients, into a directory of the user's data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One pinned way to get one of the plugin's tools. Of several that fit a machine the first is
/// taken; the next one where its client is missing or what it asks for cannot be fetched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// The tool of the manifest that it provides.
    pub tool: String,
    /// The adapter's own version, for people: "1.8.22".
    pub version: String,
    /// The `OS-ARCH` it runs on, as Rust names them: "linux-x86_64". Empty: any.
    #[serde(default)]
    pub platforms: Vec<String>,
    /// The tool's file, relative to the install's directory.
    pub path: String,
    /// Where it comes from.
    pub source: Source,
}

/// Where an install comes from. A `client` is a tool of the manifest, found like any other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// An environment (`CLIENT -m venv`) with exactly these packages, which pip takes from the
    /// user's index and checks. `path` is the environment's interpreter.
    Pip(Pip),
    /// One directory out of an npm package's tarball (`CLIENT pack`), from the user's registry.
    Npm(Npm),
    /// A program that Go builds from a module (`CLIENT install`), from the user's proxy, into
    /// `bin`.
    Go(Go),
    /// One directory out of an archive that `CLIENT`, which takes curl's arguments, downloads.
    Archive(Archive),
}

/// An environment with packages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pip {
    /// The interpreter that makes the environment.
    pub client: String,
    /// All of them, dependencies too.
    pub packages: Vec<Package>,
}

/// A package of an environment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// `NAME==VERSION`, with a marker where it is not always needed.
    pub require: String,
    /// SHA-256 of the wheels that will do, in lower-case hex.
    pub sha256: Vec<String>,
}

impl Package {
    /// A line of pip's requirements file, with every hash that will do.
    pub fn line(&self) -> String {
        let hashes = self.sha256.iter().map(|hash| format!(" --hash=sha256:{hash}"));
        format!("{}{}\n", self.require, hashes.collect::<String>())
    }
}

/// A directory of an npm package.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Npm {
    /// What `pack` is asked of.
    pub client: String,
    /// The package's name, with its scope.
    pub package: String,
    /// The package's version.
    pub version: String,
    /// SHA-256 of the tarball, in lower-case hex.
    pub sha256: String,
    /// The directory inside the tarball that becomes the install's directory.
    pub take: String,
    /// Scripts that the package lacks, by their path in the install's directory.
    #[serde(default)]
    pub scripts: BTreeMap<String, String>,
}

/// A program out of a Go module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Go {
    /// What builds it.
    pub client: String,
    /// The oldest client that will do, as `MAJOR.MINOR`.
    pub oldest: String,
    /// The main package.
    pub package: String,
    /// The module that holds it.
    pub module: String,
    /// The module's version: `v1.27.2`.
    pub version: String,
    /// The SHA-256 of the module's files, as a go.sum has it: `h1:` and base64.
    pub sum: String,
}

/// A directory of an archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// What downloads it.
    pub client: String,
    /// `https:` addresses of the same file, tried in order.
    pub urls: Vec<String>,
    /// SHA-256 of the archive, in lower-case hex; a kind that `tar` unpacks.
    pub sha256: String,
    /// The directory inside the archive that becomes the install's directory.
    pub take: String,
}

impl Source {
    /// The tool that fetches.
    pub fn client(&self) -> &str {
        match self {
            Self::Pip(pip) => &pip.client,
            Self::Npm(npm) => &npm.client,
            Self::Go(go) => &go.client,
            Self::Archive(archive) => &archive.client,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requirement_lists_every_hash() {
        let package = Package {
            require: "a==1; python_version < '3.11'".into(),
            sha256: ["00", "ff"].map(String::from).to_vec(),
        };
        assert_eq!(
            package.line(),
            "a==1; python_version < '3.11' --hash=sha256:00 --hash=sha256:ff\n"
        );
    }
}
