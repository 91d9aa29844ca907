//! Builds the Rust programs that tests debug. They are a cargo workspace of their
//! own, so that our profile and lints do not shape what a debugger sees. Python
//! ones need no build.

use anyhow::Result;

use crate::layout::Layout;
use crate::tool;

/// Builds all programs with debug information, and `cart` once more without.
pub fn build(layout: &Layout) -> Result<()> {
    tool::say("building the programs that tests debug …");
    cargo_build(layout, &["--bins"])?;
    cargo_build(layout, &["--profile", "nodebug", "--bin", "cart"])
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
