//! `cargo xtask bench`: everything built for release and set up, then the bench in `bench/`.

use std::process::{Command, ExitCode};

use anyhow::Result;

use crate::layout::Layout;
use crate::{adapters, fixtures, setup, tool};

/// Options of a measurement.
pub struct Options {
    /// Fails when a figure is over its budget.
    pub check: bool,
    /// How often each figure is measured.
    pub runs: u32,
    /// Only this language.
    pub only: Option<String>,
}

pub fn run(layout: &Layout, options: &Options) -> Result<ExitCode> {
    setup::run(layout)?;
    adapters::install(
        layout,
        &["debugpy", "codelldb", "delve", "js-debug", "gdb"].map(str::to_owned),
    )?;
    tool::say("building dapdock for release …");
    let packages = ["--package", "dapdock", "--package", "dapdock-bench"];
    tool::run(
        tool::cargo().current_dir(&layout.root).args(["build", "--release"]).args(packages),
        &tool::RUST,
    )?;
    fixtures::examples(layout)?;
    fixtures::loops(layout)?;
    let release = layout.root.join("target/release");
    let status = tool::status(
        Command::new(release.join("dapdock-bench"))
            .arg("--dapdock")
            .arg(release.join("dapdock"))
            .arg("--config")
            .arg(layout.config())
            .arg("--root")
            .arg(&layout.root)
            .args(["--runs", &options.runs.to_string()])
            .args(options.only.iter().flat_map(|only| ["--only", only]))
            .args(options.check.then_some("--check")),
        &tool::RUST,
    )?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
