//! A Go program, built by a Go of another version, which is stored next to it in `sdk/NAME`, as
//! `golang.org/dl` does. Each module's hash is checked before any of it runs. Modules go into a
//! cache of the row's own, which is removed: nothing of the user's Go is changed but its build
//! cache.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::pins::Go;
use crate::tool::{self, Fix};

const GO: Fix = Fix {
    missing: "install Go 1.25 or newer (https://go.dev/dl)",
    failed: "see its message above; it asks the proxy of your Go configuration (`go env GOPROXY`)",
};

/// Makes `dir/sdk/NAME`, and the program in `dir/bin`.
pub fn install(pins: &Go, dir: &Path) -> Result<()> {
    let modules = dir.join("modules");
    fs::create_dir_all(&modules).with_context(|| format!("cannot create {}", modules.display()))?;
    let toolchain = &pins.toolchain;
    let module = format!("golang.org/toolchain@{}", toolchain.version);
    let made = download(go(Path::new("go"), dir), &module, &toolchain.sum)?;
    // Go makes a toolchain's programs executable when it first uses it itself.
    let root = tool::capture(
        go(Path::new("go"), dir).args(["env", "GOROOT"]).env("GOTOOLCHAIN", &toolchain.name),
        &GO,
    )?;
    if Path::new(&root) != Path::new(&made) {
        bail!("`go` takes {} from {root}: it must be 1.25 or newer", toolchain.name);
    }
    let sdk = dir.join("sdk");
    fs::create_dir_all(&sdk).with_context(|| format!("cannot create {}", sdk.display()))?;
    fs::rename(&made, sdk.join(&toolchain.name)).with_context(|| format!("cannot move {made}"))?;
    let older = sdk.join(&toolchain.name).join("bin/go");
    download(go(&older, dir), &format!("{}@{}", pins.module, pins.version), &pins.sum)?;
    let package = format!("{}@{}", pins.package, pins.version);
    tool::run(go(&older, dir).args(["install", &package]).env("GOBIN", dir.join("bin")), &GO)?;
    fs::remove_dir_all(&modules).with_context(|| format!("cannot remove {}", modules.display()))
}

/// Fetches a module, compares its hash with the pinned one, and returns its directory.
fn download(mut go: Command, module: &str, pinned: &str) -> Result<String> {
    let download = tool::capture(go.args(["mod", "download", "-json", module]), &GO)?;
    let download: Value =
        serde_json::from_str(&download).context("cannot read what `go mod download` says")?;
    let text = |key: &str| download[key].as_str().unwrap_or_default().to_owned();
    match text("Sum") {
        found if found == pinned => Ok(text("Dir")),
        found => bail!("{module} has the hash {found:?}, and {pinned:?} is pinned"),
    }
}

/// Independent of any module, workspace or version around; what it fetches is writable, and can be
/// removed.
fn go(program: &Path, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(dir).env_remove("GOROOT").env("GOWORK", "off").env("GOTOOLCHAIN", "local");
    command.env("GOMODCACHE", dir.join("modules")).env("GOFLAGS", "-modcacherw");
    command
}
