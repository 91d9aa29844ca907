//! Development tasks: `cargo xtask --help`.
//!
//! Installs what a fresh clone lacks, then calls cargo. Knows the sources of debug adapters and of
//! test programs; uses the host only as a caller does, over MCP.
//!
//! Reading order: `layout` (where everything is), `tool` (running children),
//! `setup`, `adapters`, `fixtures`, `test`, `bench`, `tidy`, and `demo` and `real` with their
//! client in `mcp`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "a task runner spawns tools and talks to a person; it is no part of the host"
)]

mod adapters;
mod bench;
mod demo;
mod fixtures;
mod layout;
mod mcp;
mod real;
mod setup;
mod test;
mod tidy;
mod tool;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::layout::Layout;

/// Development tasks for dapdock.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Debug a program with a bug as an agent does, and print the answers
    Demo {
        /// Language of the program
        #[arg(default_value = "python")]
        language: demo::Language,
    },
    /// Measure the release build and its floors, and print one table
    Bench {
        /// Fail when a figure is over its budget
        #[arg(long)]
        check: bool,
        /// How often each figure is measured
        #[arg(long, default_value_t = 10)]
        runs: u32,
        /// Measure only stops, steps and exits of this language
        #[arg(long)]
        only: Option<String>,
    },
    /// Debug real projects by a script and compare the answers with what the programs print
    Real {
        /// Names of directories in tests/real_projects [default: all]
        names: Vec<String>,
        /// Debug with this binary and the configuration of DAPDOCK_CONFIG, and build none
        #[arg(long)]
        dapdock: Option<PathBuf>,
    },
    /// Check the requirements of a build and install missing ones
    Setup,
    /// Install the pinned debug adapters into target/adapters
    Adapters {
        /// Names of adapters [default: all]
        names: Vec<String>,
    },
    /// Build the programs that tests debug
    Fixtures,
    /// Print signs of dense code next to earlier figures
    Tidy,
    /// Set up, then run every test, or those that need no debugger
    Test {
        /// Part of the tests [default: all]
        scope: Option<test::Scope>,
        /// Parts of test names, --exact, --skip NAME, --nocapture, --test-threads N
        #[arg(last = true)]
        args: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse().task) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<ExitCode> {
    let layout = Layout::find();
    match task {
        Task::Demo { language } => demo::run(&layout, language)?,
        Task::Bench { check, runs, only } => {
            return bench::run(&layout, &bench::Options { check, runs, only });
        }
        Task::Real { names, dapdock } => {
            return real::run(&layout, &real::Options { names, dapdock });
        }
        Task::Setup => setup::run(&layout)?,
        Task::Adapters { names } => adapters::install(&layout, &names)?,
        Task::Fixtures => fixtures::build(&layout)?,
        Task::Tidy => tidy::run(&layout)?,
        Task::Test { scope, args } => return test::run(&layout, scope, &args),
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_readmes_tasks_are_understood() {
        let readme = include_str!("../../README.md").lines();
        let ci = include_str!("../../.ci/run").lines().filter_map(|l| l.strip_prefix("step "));
        let lines = readme.chain(ci);
        let tasks: Vec<_> = lines.filter_map(|line| line.strip_prefix("cargo xtask ")).collect();
        assert!(tasks.len() > 9);
        assert!(tasks.contains(&"test quick"));
        for task in tasks {
            let words = ["xtask"].into_iter().chain(task.split(' '));
            assert!(Cli::try_parse_from(words).is_ok(), "cargo xtask {task}");
        }
    }
}
