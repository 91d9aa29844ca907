//! `cargo xtask test`: everything set up, then `cargo test` over the workspace.

use std::process::ExitCode;

use anyhow::Result;

use crate::layout::Layout;
use crate::{adapters, fixtures, setup, tool};

/// Runs every test, `args` going to the test binaries. Adapters count as required,
/// so a missing one fails its tests instead of skipping them.
pub fn run(layout: &Layout, args: &[String]) -> Result<ExitCode> {
    setup::run(layout)?;
    if let Err(error) = adapters::install(layout, &[]) {
        tool::say(&format!("{error:#}"));
        tool::say("the tests of what could not be installed will fail; the others are run");
    }
    if let Err(error) = fixtures::build(layout) {
        tool::say(&format!("{error:#}"));
        tool::say("the tests of what could not be built will fail; the others are run");
    }
    tool::say("cargo test --workspace");
    let status = tool::status(
        tool::cargo()
            .current_dir(&layout.root)
            .args(["test", "--workspace", "--"])
            .args(args)
            .env("DAPDOCK_CONFIG", layout.config())
            .env("REQUIRE_DEBUGGERS", adapters::debuggers(layout)?.join(",")),
        &tool::RUST,
    )?;
    // A child ended by a signal has no code; any failure will do.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}
