//! The binary: flags, logging, exit code.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use dapdock::host::Workspace;
use dapdock::model::ToolChoice;
use dapdock::{cli, config};

/// A real debugger for AI agents and people, over MCP.
#[derive(Parser)]
#[command(name = "dapdock", version)]
struct Flags {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    /// Serve MCP on standard input and output.
    Mcp(cli::Mcp),
    /// Serve MCP by HTTP to many clients.
    ///
    /// The address and the token are printed once, on standard error. Each client has sessions of
    /// its own, which end with it.
    Serve(cli::Serve),
    /// List, install and remove debug adapters.
    Adapters(cli::adapters::Adapters),
    Doctor(cli::doctor::Doctor),
    /// List the sessions of all hosts of this user.
    Sessions(cli::Sessions),
    /// Take a session from its agent, which reads it and cannot move it until you give it back.
    Take(cli::Claim),
    /// Give a session back: the agent's next answer begins with what you did.
    Give(cli::Claim),
    /// Follow a session live until its end: stops, output, log breakpoints and all calls.
    Watch(cli::Watch),
    /// Open a port at which an editor joins a session: it reads every stop, steps, and sets
    /// breakpoints.
    ///
    /// The port speaks the Debug Adapter Protocol, on 127.0.0.1 and for your own processes alone.
    /// The editor attaches to it; its first move takes the session from its agent, until it
    /// disconnects. The mirror ends with the session or with ctrl-C, the program never with the
    /// mirror.
    Mirror(cli::Mirror),
    /// The host in the background, which has the sessions of the command line.
    Host {
        #[command(subcommand)]
        command: cli::verbs::HostCommand,
    },
    /// Describe all commands, for machines.
    Commands(cli::Commands),
    /// Write completions for a shell.
    Completions {
        /// Shell
        shell: clap_complete::Shell,
    },
    /// Write the manual page of dapdock or of a command.
    Man {
        /// Command with its subcommand
        #[arg(value_name = "COMMAND")]
        of: Vec<String>,
    },
    /// Ends the processes of a killed host; started by the host.
    #[command(hide = true)]
    Guard,
}

fn main() -> ExitCode {
    cli::verbs::complete(|| cli::verbs::add(Flags::command()));
    // These need no other command, and the schemas of all tools take time.
    if matches!(std::env::args().nth(1).as_deref(), Some("guard" | "mcp" | "serve")) {
        return run(Flags::parse(), Flags::command());
    }
    let mut command = cli::verbs::add(Flags::command());
    let matches = command.get_matches_mut();
    if let Some((name, matches)) = matches.subcommand()
        && let Some(chosen) = cli::verbs::of(name)
    {
        let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        let raw: Vec<String> = words.collect();
        return self::command(cli::verbs::run(chosen, matches, &raw));
    }
    match Flags::from_arg_matches(&matches) {
        Ok(flags) => run(flags, command),
        Err(error) => error.exit(),
    }
}

fn run(flags: Flags, command: clap::Command) -> ExitCode {
    let Some(verb) = flags.verb else { return self::command(cli::overview::run()) };
    match verb {
        Verb::Guard => dapdock::process::guard::main(),
        Verb::Mcp(flags) => mcp(flags),
        Verb::Serve(flags) => serve_http(flags),
        Verb::Adapters(adapters) => self::command(cli::adapters::run(adapters)),
        Verb::Doctor(doctor) => self::command(cli::doctor::run(doctor)),
        Verb::Sessions(sessions) => self::command(cli::verbs::sessions(sessions)),
        Verb::Take(claim) => self::command(cli::verbs::take(claim)),
        Verb::Give(claim) => self::command(cli::verbs::give(claim)),
        Verb::Watch(watch) => self::command(cli::verbs::watch(watch)),
        Verb::Mirror(mirror) => self::command(cli::verbs::mirror(mirror)),
        Verb::Host { command: cli::verbs::HostCommand::Run } => background(),
        Verb::Host { command } => self::command(cli::verbs::host(command)),
        Verb::Commands(_) => cli::verbs::print_commands(&command),
        Verb::Completions { shell } => cli::verbs::completions(shell),
        Verb::Man { of } => cli::verbs::manual(command, &of),
    }
}

/// Serves the command line in a session of its own, which no terminal ends.
fn background() -> ExitCode {
    // Fails for the leader of a group, which needs no other one.
    let _ = rustix::process::setsid();
    dapdock::log::start();
    dapdock::log::panics();
    let Ok(runtime) = runtime() else { return ExitCode::FAILURE };
    let served = runtime.block_on(dapdock::host::serve_background(cli::verbs::ready));
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "failed to serve");
            cli::verbs::not_ready(&error);
            ExitCode::FAILURE
        }
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

fn serve(workspace: Workspace, flags: config::Flags, tools: &ToolChoice) -> std::io::Result<()> {
    let runtime = runtime()?;
    let served = runtime.block_on(dapdock::host::serve_stdio(workspace, flags, tools));
    // Does not wait for threads that wait for a file system.
    runtime.shutdown_background();
    served
}

fn serve_http(flags: cli::Serve) -> ExitCode {
    dapdock::log::start();
    dapdock::log::panics();
    let served = flags.places().and_then(|(workspace, flags, tools, door)| {
        let runtime = runtime()?;
        let ready = cli::say_opened;
        let work = dapdock::host::serve_http(workspace, flags, &tools, door, ready);
        let served = runtime.block_on(work);
        runtime.shutdown_background();
        served
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::say_not_served(&error);
            ExitCode::FAILURE
        }
    }
}

/// One worker: the host waits for debuggers nearly all of the time, and to wake a second thread for
/// each message costs more than it saves. Long work has threads of its own.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()
}
