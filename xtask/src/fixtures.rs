//! Builds the Rust, Go, C and C++ programs that tests debug. The Rust ones are a cargo
//! workspace of their own, so that our profile and lints do not shape what a debugger
//! sees. Python ones need no build.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::layout::Layout;
use crate::tool::{self, Fix};

const GO: Fix = Fix { missing: "install Go 1.25 or newer (https://go.dev/dl)", failed: "see its message above" };

const COMPILER: Fix = Fix { missing: "install gcc and g++", failed: "see its message above" };

/// Builds all programs with debug information, and `cart` once more without.
pub fn build(layout: &Layout) -> Result<()> {
    tool::say("building the programs that tests debug …");
    cargo_build(layout, &["--bins"])?;
    cargo_build(layout, &["--profile", "nodebug", "--bin", "cart"])?;
    let programs = layout.go_programs();
    std::fs::create_dir_all(&programs).with_context(|| format!("cannot create {}", programs.display()))?;
    go_build(&layout.go_fixtures(), &programs)?;
    compile_all(layout)
}

/// Each C and C++ file is a program of its own.
fn compile_all(layout: &Layout) -> Result<()> {
    let (sources, programs) = (layout.c_fixtures(), layout.c_programs());
    std::fs::create_dir_all(&programs).with_context(|| format!("cannot create {}", programs.display()))?;
    for entry in std::fs::read_dir(&sources).with_context(|| format!("cannot read {}", sources.display()))? {
        let source = entry?.path();
        let compiler = if source.extension().is_some_and(|extension| extension == "c") { "gcc" } else { "g++" };
        compile(compiler, &source, &programs.join(source.file_stem().unwrap_or_default()))?;
    }
    Ok(())
}

/// One file, as a debugger wants it.
pub fn compile(compiler: &str, source: &Path, output: &Path) -> Result<()> {
    tool::run(
        Command::new(compiler).args(["-g", "-O0", "-Wall", "-Wextra", "-pthread", "-o"]).arg(output).arg(source),
        &COMPILER,
    )
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
