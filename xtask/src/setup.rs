//! The requirement of a build besides cargo: the standard library for plugins.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::layout::Layout;
use crate::tool::{self, Fix};

/// The compilation target of plugins.
const PLUGIN_TARGET: &str = "wasm32-wasip2";

const ADD_TARGET: Fix = Fix {
    missing: "plugins need Rust's wasm32-wasip2 standard library: install it as your Rust \
              distribution offers it, or use rustup (https://rustup.rs)",
    failed: "plugins need Rust's wasm32-wasip2 standard library: see rustup's message above, \
             then run `rustup target add wasm32-wasip2`",
};

/// Installs it if it is missing. Prints nothing otherwise.
pub fn run(layout: &Layout) -> Result<()> {
    if has_target(layout)? {
        return Ok(());
    }
    tool::say(&format!("adding the Rust target {PLUGIN_TARGET} …"));
    tool::run(
        Command::new("rustup").current_dir(&layout.root).args(["target", "add", PLUGIN_TARGET]),
        &ADD_TARGET,
    )?;
    if !has_target(layout)? {
        bail!(
            "rustup added {PLUGIN_TARGET}, but not for the `rustc` on PATH: \
             put ~/.cargo/bin first on PATH"
        );
    }
    Ok(())
}

/// Whether cargo's compiler has a standard library for plugins.
fn has_target(layout: &Layout) -> Result<bool> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let dir = tool::capture(
        Command::new(rustc).current_dir(&layout.root).args([
            "--print",
            "target-libdir",
            "--target",
            PLUGIN_TARGET,
        ]),
        &tool::RUST,
    )?;
    Ok(Path::new(&dir).is_dir())
}
