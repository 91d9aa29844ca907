//! `cargo xtask bench`: everything built for release and set up, then the bench in `bench/`.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::layout::Layout;
use crate::{adapters, fixtures, setup, tool};

/// Takes every figure `runs` times; with `check`, fails when a budget is broken.
pub fn run(layout: &Layout, runs: u32, check: bool) -> Result<ExitCode> {
    setup::run(layout)?;
    adapters::install(layout, &["debugpy", "codelldb", "delve", "js-debug", "gdb"].map(str::to_owned))?;
    tool::say("building dapdock for release …");
    let packages = ["--package", "dapdock", "--package", "dapdock-bench"];
    tool::run(tool::cargo().current_dir(&layout.root).args(["build", "--release"]).args(packages), &tool::RUST)?;
    tool::run(tool::cargo().current_dir(layout.root.join("examples/rust")).args(["build", "--quiet"]), &tool::RUST)?;
    let program = layout.root.join("target/examples/checkout-go");
    fixtures::go_build(Path::new("go"), &layout.root.join("examples/go"), &program)?;
    let program = layout.root.join("target/examples/checkout-c");
    fixtures::compile("gcc", &layout.root.join("examples/c/checkout.c"), &program)?;
    let release = layout.root.join("target/release");
    let status = tool::status(
        Command::new(release.join("dapdock-bench"))
            .arg("--dapdock")
            .arg(release.join("dapdock"))
            .arg("--config")
            .arg(layout.config())
            .arg("--root")
            .arg(&layout.root)
            .args(["--runs", &runs.to_string()])
            .args(check.then_some("--check")),
        &tool::RUST,
    )?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
