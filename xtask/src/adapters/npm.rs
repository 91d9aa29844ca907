//! Packages for Node.js in a `node_modules`, exactly those of a lock file. npm checks the hashes,
//! runs none of their scripts, and uses the registry and proxy of the user's own configuration.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::pins::Npm;
use crate::tool::{self, Fix};

/// Packages that are installed together: a directory below `xtask`.
struct Set {
    directory: &'static str,
    package: &'static str,
    lock: &'static str,
}

const SETS: [Set; 2] = [
    Set {
        directory: "runners",
        package: include_str!("../../runners/package.json"),
        lock: include_str!("../../runners/package-lock.json"),
    },
    Set {
        directory: "mcp-suites",
        package: include_str!("../../mcp-suites/package.json"),
        lock: include_str!("../../mcp-suites/package-lock.json"),
    },
];

/// For every call of npm.
pub const NPM: Fix = Fix {
    missing: "install Node.js with npm (https://nodejs.org)",
    failed: "see npm's message above; it asks the registry in your npm configuration (`npm config \
        list`)",
};

/// Makes `dir/node_modules`.
pub fn install(pins: &Npm, dir: &Path) -> Result<()> {
    let directory = pins.directory.as_str();
    let Some(set) = SETS.iter().find(|set| set.directory == directory) else {
        bail!("there are no npm packages in xtask/{directory}");
    };
    let found = format!("{:x}", Sha256::digest(set.lock));
    if found != pins.lock_sha256 {
        bail!(
            "xtask/{directory}/package-lock.json has the hash {found}: pin it in \
            xtask/adapters.toml"
        );
    }
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    for (name, text) in [("package.json", set.package), ("package-lock.json", set.lock)] {
        let file = dir.join(name);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let mut command = Command::new("npm");
    command.current_dir(dir).args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]);
    tool::run(&mut command, &NPM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_package_of_the_lock_files_has_a_hash_and_no_address() {
        for Set { directory, lock, .. } in SETS {
            let lock: serde_json::Value = serde_json::from_str(lock).unwrap();
            let packages = lock["packages"].as_object().unwrap();
            assert!(packages.len() > 100);
            for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
                assert!(
                    package["integrity"].as_str().is_some_and(|hash| hash.starts_with("sha512-")),
                    "{directory}: {name}"
                );
                assert!(package["resolved"].is_null(), "{directory}: {name}");
            }
        }
    }
}
