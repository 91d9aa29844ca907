//! Builds the Rust and Go programs that tests debug. The Rust ones are a cargo
//! workspace of their own, so that our profile and lints do not shape what a debugger
//! sees. Python ones need no build.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::layout::Layout;
use crate::tool::{self, Fix};

const GO: Fix = Fix { missing: "install Go 1.25 or newer (https://go.dev/dl)", failed: "see its message above" };

/// Builds all programs with debug information, and `cart` once more without.
pub fn build(layout: &Layout) -> Result<()> {
    tool::say("building the programs that tests debug …");
    cargo_build(layout, &["--bins"])?;
    cargo_build(layout, &["--profile", "nodebug", "--bin", "cart"])?;
    let programs = layout.go_programs();
    std::fs::create_dir_all(&programs).with_context(|| format!("cannot create {}", programs.display()))?;
    go_build(&layout.go_fixtures(), &programs)
}

/// All programs of a module as a debugger wants them: neither optimised nor inlined.
/// `output` is a directory where there are several.
pub fn go_build(module: &Path, output: &Path) -> Result<()> {
    tool::run(
        Command::new("go")
            .current_dir(module)
            .args(["build", "-gcflags=all=-N -l", "-o"])
            .arg(output)
            .arg("./...")
            .env("GOWORK", "off"),
        &GO,
    )
}

fn cargo_build(layout: &Layout, args: &[&str]) -> Result<()> {
    tool::run(
        tool::cargo()
            .current_dir(layout.rust_fixtures())
            .args(["build", "--quiet", "--locked", "--target-dir"])
            .arg(layout.fixtures())
            .args(args),
        &tool::RUST,
    )
}
