//! Pinned installs: the exact source of an adapter, as data. Nothing is fetched here or by a
//! plugin: the host installs what the user requests, with the user's own package clients, into a
//! directory of the user's data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One pinned install of a tool. The first install for the platform is used; the next one if its
/// client is missing or its files cannot be fetched.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// The tool of the manifest that it provides.
    pub tool: String,
    /// The adapter's version, for display: "1.8.22".
    pub version: String,
    /// The supported `OS-ARCH`, as Rust names them: "linux-x86_64". Empty: all.
    #[serde(default)]
    pub platforms: Vec<String>,
    /// The tool's file, relative to the install's directory.
    pub path: String,
    /// The source.
    pub source: Source,
}

/// The source of an install. A `client` is a tool of the manifest, found like any other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// An environment (`CLIENT -m venv`) with exactly these packages, which pip fetches from the
    /// user's index and verifies. `path` is the interpreter of the environment.
    Pip(Pip),
    /// One directory of an npm package's tarball (`CLIENT pack`), from the user's registry.
    Npm(Npm),
    /// A program that Go builds from a module (`CLIENT install`), from the user's proxy, into
    /// `bin`.
    Go(Go),
    /// One directory of an archive that `CLIENT` downloads; it takes curl's arguments.
    Archive(Archive),
}

/// An environment with packages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pip {
    /// The interpreter that creates the environment.
    pub client: String,
    /// All packages, dependencies included.
    pub packages: Vec<Package>,
}

/// A package of an environment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// `NAME==VERSION`, with an environment marker if it is not always needed.
    pub require: String,
    /// SHA-256 of the accepted wheels, in lower-case hex.
    pub sha256: Vec<String>,
}

impl Package {
    /// A line of pip's requirements file, with every accepted hash.
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
    /// The tool that runs `pack`.
    pub client: String,
    /// The package's name, with its scope.
    pub package: String,
    /// The package's version.
    pub version: String,
    /// SHA-256 of the tarball, in lower-case hex.
    pub sha256: String,
    /// The directory in the tarball that becomes the install's directory.
    pub take: String,
    /// Scripts that the package lacks, by path in the install's directory.
    #[serde(default)]
    pub scripts: BTreeMap<String, String>,
}

/// A program of a Go module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Go {
    /// The tool that builds it.
    pub client: String,
    /// The oldest client that works, as `MAJOR.MINOR`.
    pub oldest: String,
    /// The main package.
    pub package: String,
    /// The module that contains it.
    pub module: String,
    /// The module's version: `v1.27.2`.
    pub version: String,
    /// The hash of the module's files, as in go.sum: `h1:` and base64.
    pub sum: String,
}

/// A directory of an archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// The tool that downloads it.
    pub client: String,
    /// `https:` addresses of the same file, tried in order.
    pub urls: Vec<String>,
    /// SHA-256 of the archive, in lower-case hex; a format that `tar` unpacks.
    pub sha256: String,
    /// The directory in the archive that becomes the install's directory.
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
