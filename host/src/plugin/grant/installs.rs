//! Pinned installs on disk. Each is a directory named after its version and a digest of its pin.
//! It appears by a rename when it is complete, so one that exists is complete. Fetches nothing.

use std::path::{Path, PathBuf};

use dapdock_schema::{Install, Manifest};
use sha2::{Digest, Sha256};

/// This machine, as manifests name platforms.
pub fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The manifest's installs for this machine, the preferred one first.
pub fn fitting(manifest: &Manifest) -> impl Iterator<Item = &Install> {
    let here = platform();
    manifest
        .installs
        .iter()
        .filter(move |one| one.platforms.is_empty() || one.platforms.contains(&here))
}

/// All versions of a plugin's installs are below this.
pub fn shelf(base: &Path, manifest: &Manifest) -> PathBuf {
    base.join(&manifest.name)
}

/// Where an install is, or would be.
pub fn place(base: &Path, manifest: &Manifest, install: &Install) -> PathBuf {
    shelf(base, manifest).join(format!("{}-{}", install.version, digest(install)))
}

/// Another pin of the same version is another install.
fn digest(install: &Install) -> String {
    let pin = serde_json::to_vec(install).unwrap_or_default();
    Sha256::digest(pin).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

/// The first existing install of a tool.
pub fn installed<'a>(
    base: &Path,
    manifest: &'a Manifest,
    tool: &str,
) -> Option<(&'a Install, PathBuf)> {
    let ours = fitting(manifest).filter(|one| one.tool == tool);
    ours.map(|one| (one, place(base, manifest, one)))
        .find(|(one, dir)| dir.join(&one.path).is_file())
}

/// The command that a person types, without the name of the adapter.
const COMMAND: &str = "dapdock adapters install ";

/// The command that a person types.
pub fn command(adapter: &str) -> String {
    format!("{COMMAND}{adapter}")
}

/// The adapter that such a command installs.
pub fn named_by(command: &str) -> Option<&str> {
    command.strip_prefix(COMMAND)
}
