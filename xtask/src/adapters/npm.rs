//! Packages for Node.js in a `node_modules`, exactly those of a lock file. npm checks the hashes,
//! runs none of their scripts, and uses the registry and proxy of the user's own configuration.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::pins::Npm;
use crate::tool::{self, Fix};

const PACKAGE: &str = include_str!("../../runners/package.json");
const LOCK: &str = include_str!("../../runners/package-lock.json");

/// For every call of npm.
pub const NPM: Fix = Fix {
    missing: "install Node.js with npm (https://nodejs.org)",
    failed: "see npm's message above; it asks the registry in your npm configuration (`npm config \
        list`)",
};

/// Makes `dir/node_modules`.
pub fn install(pins: &Npm, dir: &Path) -> Result<()> {
    let found = format!("{:x}", Sha256::digest(LOCK));
    if found != pins.lock_sha256 {
        bail!(
            "xtask/runners/package-lock.json has the hash {found}: pin it in xtask/adapters.toml"
        );
    }
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    for (name, text) in [("package.json", PACKAGE), ("package-lock.json", LOCK)] {
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
    fn every_package_of_the_lock_file_has_a_hash_and_no_address() {
        let lock: serde_json::Value = serde_json::from_str(LOCK).unwrap();
        let packages = lock["packages"].as_object().unwrap();
        assert!(packages.len() > 100);
        for (name, package) in packages.iter().filter(|(name, _)| !name.is_empty()) {
            assert!(
                package["integrity"].as_str().is_some_and(|hash| hash.starts_with("sha512-")),
                "{name}"
            );
            assert!(package["resolved"].is_null(), "{name}");
        }
    }
}
