//! A program that Go builds from a module. The module's hash is checked before any of
//! it is compiled; what it needs is held by Go against the checksum database that
//! your Go is configured with (`go env GOSUMDB`), and comes from your proxy.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::pins::Go;
use crate::tool::{self, Fix};

const GO: Fix = Fix {
    missing: "install Go (https://go.dev/dl)",
    failed: "see Go's message above; it asks the proxy in your Go configuration (`go env GOPROXY`)",
};

/// Puts the program into `dir/bin`.
pub fn install(pins: &Go, dir: &Path) -> Result<()> {
    check_version(&pins.go)?;
    check_sum(pins)?;
    tool::run(
        go().args(["install", "-v"])
            .arg(format!("{}@{}", pins.package, pins.version))
            .env("GOBIN", dir.join("bin"))
            .env("GOFLAGS", "-mod=mod"),
        &GO,
    )
}

/// Go, whatever module or workspace we are called in.
fn go() -> Command {
    let mut command = Command::new("go");
    command.current_dir(std::env::temp_dir()).env("GOWORK", "off");
    command
}

fn check_version(oldest: &str) -> Result<()> {
    let found = tool::capture(go().args(["env", "GOVERSION"]), &GO)?;
    if number(&found) < number(oldest) {
        bail!("`go` is {found}: put Go {oldest} or newer first on PATH");
    }
    Ok(())
}

/// `go1.26.8` and `1.25` as numbers.
fn number(version: &str) -> Vec<u32> {
    version.trim_start_matches("go").split('.').take(2).filter_map(|part| part.parse().ok()).collect()
}

/// Downloads the module, and compares what came with what was pinned.
fn check_sum(pins: &Go) -> Result<()> {
    let module = format!("{}@{}", pins.module, pins.version);
    let told = tool::capture(go().args(["mod", "download", "-json"]).arg(&module), &GO)?;
    let told: Value = serde_json::from_str(&told).context("cannot read what `go mod download` says")?;
    let found = told["Sum"].as_str().unwrap_or_default();
    if found != pins.sum {
        bail!(
            "{module} has the hash {found:?}, pinned is {:?}: your proxy serves other files than were tested; \
             nothing was built",
            pins.sum
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_their_first_two_numbers() {
        assert!(number("go1.9.1") < number("1.25"));
        assert!(number("go1.25.0") >= number("1.25"));
        assert!(number("go1.26.8") > number("1.25"));
    }
}
