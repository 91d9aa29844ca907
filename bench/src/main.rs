//! Measures dapdock beside its floors: one table, every figure with the least it could be, taken in
//! the same run.
//!
//! A floor is the same work without us: the bare adapter with a client of a page, wasmtime without
//! a host around it, a process that only copies its input. Ours and the floor take turns, and
//! medians are compared, so that a busy machine disturbs both alike. Knows the shipped binary as
//! its caller does; only [`guest`] links the host, because what a plugin costs cannot be seen from
//! outside.
//!
//! Reading order: [`table`] (figures and budgets), [`startup`], [`guest`], [`stops`] with the bare
//! client in [`bare`].
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a bench starts programs and talks to a person; it is no part of the host"
)]

mod bare;
mod guest;
mod startup;
mod stops;
mod table;

// The demo's client: one outside client is enough.
#[path = "../../xtask/src/mcp.rs"]
mod mcp;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Measures dapdock beside its floors; started by `cargo xtask bench`.
#[derive(Parser)]
struct Flags {
    /// The binary to measure
    #[arg(long)]
    dapdock: PathBuf,
    /// The dapdock.toml that names the adapters
    #[arg(long)]
    config: PathBuf,
    /// The checkout
    #[arg(long)]
    root: PathBuf,
    /// How often each figure is taken
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Stops, steps and exits of this language alone, and nothing else
    #[arg(long)]
    only: Option<String>,
    /// Fail when a budget is broken
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    match measure(&flags) {
        Ok(table) => {
            println!("{table}");
            let broken = table.broken();
            if !broken.is_empty() {
                eprintln!("over budget: {}", broken.join(", "));
            }
            ExitCode::from(u8::from(flags.check && !broken.is_empty()))
        }
        Err(error) => {
            eprintln!("bench: error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(flags: &Flags) -> anyhow::Result<table::Table> {
    let mut table = table::Table::new(flags.runs);
    if flags.only.is_none() {
        startup::measure(flags, &mut table)?;
        guest::measure(flags, &mut table)?;
    }
    stops::measure(flags, &mut table)?;
    Ok(table)
}

/// One line of progress on stderr.
fn say(line: &str) {
    eprintln!("bench: {line}");
}
