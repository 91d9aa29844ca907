//! Measures dapdock and prints a table of figures, each with its floor: the cost of the same work
//! without dapdock, measured in the same run.
//!
//! Floors are the bare adapter with a minimal client, wasmtime without the host, and a process that
//! copies its input. dapdock and the floor are measured alternately and medians are compared, so
//! that a busy machine disturbs both equally. Uses the shipped binary as its callers do; only
//! [`guest`] links the host, because the cost of a plugin is not visible from outside.
//!
//! Reading order: [`table`] (figures and budgets), [`startup`], [`commands`], [`guest`], [`stops`]
//! and [`logs`] with the debugged programs in [`programs`] and the bare client in [`bare`].
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a bench starts programs and talks to a person; it is no part of the host"
)]

mod bare;
mod commands;
mod guest;
mod logs;
mod programs;
mod startup;
mod stops;
mod table;

// The MCP client of `cargo xtask demo`.
#[path = "../../xtask/src/mcp.rs"]
mod mcp;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

/// Measures dapdock and compares it with its floors; started by `cargo xtask bench`.
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
    /// How often each figure is measured
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Measure only stops, steps, exits and log breakpoints of this language
    #[arg(long)]
    only: Option<String>,
    /// Fail when a figure is over its budget
    #[arg(long)]
    check: bool,
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    match measure(&flags) {
        Ok(table) => {
            println!("{table}");
            let over_budget = table.over_budget();
            if !over_budget.is_empty() {
                eprintln!("over budget: {}", over_budget.join(", "));
            }
            ExitCode::from(u8::from(flags.check && !over_budget.is_empty()))
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
        commands::measure(flags, &mut table)?;
        guest::measure(flags, &mut table)?;
    }
    stops::measure(flags, &mut table)?;
    logs::measure(flags, &mut table)?;
    Ok(table)
}

/// One line of progress on stderr.
fn say(line: &str) {
    eprintln!("bench: {line}");
}
