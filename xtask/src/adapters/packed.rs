//! One directory of an npm package, as plugins pin it. The hash is checked before anything is
//! unpacked, and none of the package's scripts is run.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use dapdock_schema::Npm;
use sha2::{Digest, Sha256};

use super::npm::NPM;
use crate::layout;
use crate::tool::{self, Fix};

const TAR: Fix = Fix { missing: "install tar", failed: "see its message above" };

/// Unpacks it into `dir`.
pub fn install(pins: &Npm, dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let wanted = format!("{}@{}", pins.package, pins.version);
    let packed = tool::capture(
        Command::new(&pins.client).current_dir(dir).args(["pack", "--loglevel=error", &wanted]),
        &NPM,
    )?;
    let tarball = dir.join(packed.lines().last().unwrap_or_default());
    let found = Sha256::digest(
        fs::read(&tarball).with_context(|| format!("cannot read {}", tarball.display()))?,
    );
    let found = format!("{found:x}");
    if found != pins.sha256 {
        bail!("{wanted} has the SHA-256 {found}, and {} is pinned", pins.sha256);
    }
    let strip = format!("--strip-components={}", pins.take.split('/').count());
    let words = ["xzf", &layout::text(&tarball), "-C", &layout::text(dir), &strip, &pins.take];
    tool::run(Command::new("tar").args(words), &TAR)?;
    fs::remove_file(&tarball).with_context(|| format!("cannot remove {}", tarball.display()))?;
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
