//! The binary: flags, logging, exit code.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use dapdock::config;

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
    Mcp {
        /// Where relative paths start [default: the current directory].
        #[arg(long, value_name = "DIR")]
        workspace: Option<PathBuf>,
        /// Strongest layer of the configuration [default: $DAPDOCK_CONFIG].
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Let the workspace's own dapdock.toml choose programs and plugins to run.
        #[arg(long)]
        trust: bool,
    },
    /// Ends what a host that was killed leaves behind; started by the host.
    #[command(hide = true)]
    Guard,
}

fn main() -> ExitCode {
    match Flags::parse().verb {
        Verb::Guard => dapdock::process::guard::main(),
        Verb::Mcp { workspace, config, trust } => mcp(workspace, config::Flags { file: config, trust }),
    }
}

fn mcp(workspace: Option<PathBuf>, flags: config::Flags) -> ExitCode {
    dapdock::log::start();
    dapdock::log::panics();
    let workspace = workspace.map_or_else(std::env::current_dir, |path| path.canonicalize());
    match workspace.and_then(|workspace| serve(workspace, flags)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "failed to serve");
            ExitCode::FAILURE
        }
    }
}

fn serve(workspace: PathBuf, flags: config::Flags) -> std::io::Result<()> {
    let runtime = runtime()?;
    let served = runtime.block_on(dapdock::host::serve_stdio(workspace, flags));
    // A thread that a file system keeps waiting is not waited for.
    runtime.shutdown_background();
    served
}

/// Two workers: one may be in a guest call while the other keeps answering.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}
