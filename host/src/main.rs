//! The binary: flags, logging, exit code.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use dapdock::model::ToolChoice;
use dapdock::{cli, config};

/// A real debugger for AI agents and people, over MCP.
#[derive(Parser)]
#[command(name = "dapdock", version)]
struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Serve MCP on standard input and output.
    Mcp(cli::Mcp),
    /// List, install and remove debug adapters.
    Adapters(cli::adapters::Adapters),
    Doctor(cli::doctor::Doctor),
    /// Ends the processes of a killed host; started by the host.
    #[command(hide = true)]
    Guard,
}

fn main() -> ExitCode {
    match Flags::parse().verb {
        Verb::Guard => dapdock::process::guard::main(),
        Verb::Mcp(flags) => mcp(flags),
        Verb::Adapters(adapters) => command(cli::adapters::run(adapters)),
        Verb::Doctor(doctor) => command(cli::doctor::run(doctor)),
    }
}

/// Runs a command for people to its end.
fn command(work: impl Future<Output = ExitCode>) -> ExitCode {
    dapdock::log::start();
    dapdock::log::panics();
    let Ok(runtime) = runtime() else { return ExitCode::FAILURE };
    let code = runtime.block_on(work);
    runtime.shutdown_background();
    code
}

fn mcp(flags: cli::Mcp) -> ExitCode {
    dapdock::log::start();
    dapdock::log::panics();
    match flags.places().and_then(|(workspace, flags, tools)| serve(workspace, flags, &tools)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "failed to serve");
            ExitCode::FAILURE
        }
    }
}

fn serve(workspace: PathBuf, flags: config::Flags, tools: &ToolChoice) -> std::io::Result<()> {
    let runtime = runtime()?;
    let served = runtime.block_on(dapdock::host::serve_stdio(workspace, flags, tools));
    // Does not wait for threads that wait for a file system.
    runtime.shutdown_background();
    served
}

/// Two workers: one may be in a guest call while the other keeps answering.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}
