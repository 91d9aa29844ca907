//! Commands for people. Knows what is printed and the exit codes; refuses to know how adapters are
//! found, installed and tried.
//!
//! Results go to standard output, progress and errors to standard error.

pub mod adapters;
pub mod doctor;
pub mod overview;
pub mod verbs;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::config::Flags;
use crate::host::{Door, Opened, TokenSource, Workspace};
use crate::model::ToolChoice;

/// Flags of every command that reads the configuration.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Common {
    /// Directory where relative paths start [default: the current directory].
    #[arg(long, global = true, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Strongest layer of the configuration [default: $DAPDOCK_CONFIG].
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Let the workspace's own dapdock.toml choose programs and plugins to run.
    #[arg(long, global = true)]
    trust: bool,
}

/// Flags of `dapdock sessions`.
#[derive(Clone, Debug, clap::Args)]
pub struct Sessions {
    #[command(flatten)]
    common: Common,
    /// Print data.
    #[arg(long)]
    json: bool,
}

/// The session of an agent that a command is about.
#[derive(Clone, Debug, clap::Args)]
pub struct AgentSession {
    /// Session, PID/SESSION of a host or PID.CLIENT/SESSION [default: the only one of an agent].
    session: Option<String>,
    /// The same.
    #[arg(short = 'S', long = "session", value_name = "SESSION", conflicts_with = "session")]
    flag: Option<String>,
}

impl AgentSession {
    fn name(&self) -> Option<&str> {
        self.session.as_deref().or(self.flag.as_deref())
    }
}

/// Flags of `dapdock take` and `dapdock give`.
#[derive(Clone, Debug, clap::Args)]
pub struct Claim {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    session: AgentSession,
    /// Print data: {ok: true, data} or {ok: false, error}.
    #[arg(long)]
    json: bool,
}

/// Flags of `dapdock watch`.
#[derive(Clone, Debug, clap::Args)]
pub struct Watch {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    session: AgentSession,
}

/// Flags of `dapdock mirror`.
#[derive(Clone, Debug, clap::Args)]
pub struct Mirror {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    session: AgentSession,
    /// Port on 127.0.0.1; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
}

/// Flags of `dapdock commands`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Commands {
    /// Print data; the only form.
    #[arg(long)]
    json: bool,
}

/// Flags of `dapdock mcp`. Each replaces its key of `[mcp]` in the configuration.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Mcp {
    #[command(flatten)]
    common: Common,
    /// Groups of tools [default: default, or none with --tools].
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    toolsets: Option<Vec<String>>,
    /// Single tools, in addition to those of --toolsets.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tools: Option<Vec<String>>,
    /// Tools to leave out of both.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    exclude_tools: Option<Vec<String>>,
    /// Only tools that change nothing.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true")]
    read_only: Option<bool>,
    /// A short list of tools: names of arguments in place of schemas.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true")]
    slim: Option<bool>,
    /// Results as data next to their text: MCP's structuredContent with an outputSchema.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true")]
    structured: Option<bool>,
    /// debug_command may run programs, scripts and files of commands.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true")]
    allow_shell: Option<bool>,
}

/// Flags of `dapdock serve`.
#[derive(Clone, Debug, clap::Args)]
pub struct Serve {
    #[command(flatten)]
    mcp: Mcp,
    /// Port; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Address or name of this machine to listen on. Other machines can connect to one that is not
    /// loopback, without encryption [default: 127.0.0.1].
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Serve clients that send no token, on loopback only: every program of this machine can then
    /// run programs as you.
    #[arg(long)]
    no_token: bool,
    /// Private file with the token, which is then not printed, in place of a new one at each start
    /// [default: $DAPDOCK_TOKEN_FILE].
    #[arg(long, value_name = "FILE", conflicts_with = "no_token")]
    token_file: Option<PathBuf>,
    /// All clients see the same sessions, which stay when a client ends.
    #[arg(long)]
    shared: bool,
}

impl Serve {
    /// As [`Mcp::places`], with the address.
    ///
    /// # Errors
    /// The workspace is no directory.
    pub fn places(self) -> io::Result<(Workspace, Flags, ToolChoice, Door)> {
        let (workspace, flags, choice) = self.mcp.places()?;
        let named = || std::env::var_os("DAPDOCK_TOKEN_FILE").filter(|file| !file.is_empty());
        let file = self.token_file.or_else(|| Some(named()?.into()));
        let token = match file {
            _ if self.no_token => TokenSource::None,
            Some(file) => TokenSource::File(file),
            None => TokenSource::Random,
        };
        let door =
            Door { listen: self.listen, port: self.port, token, shares_sessions: self.shared };
        Ok((workspace, flags, choice, door))
    }
}

/// Says where clients connect, and what they need.
pub fn say_opened(opened: &Opened<'_>) {
    say(format_args!("MCP by streamable HTTP at {}", opened.url));
    match (opened.token, opened.token_file) {
        (Some(token), _) => say(format_args!("clients send `Authorization: Bearer {token}`")),
        (None, Some(file)) => say(format_args!(
            "clients send `Authorization: Bearer TOKEN` with the token in {}",
            file.display()
        )),
        (None, None) => say("no token: every program of this machine can run programs as you"),
    }
    if !opened.is_loopback {
        say(
            "other machines can connect: everybody who has the token can run programs as you, and \
             nothing is encrypted",
        );
    }
}

/// Says why nothing is served.
pub fn say_not_served(error: &io::Error) {
    say(error);
}

impl Mcp {
    /// The workspace, the flags for the configuration, and the choice of tools.
    ///
    /// # Errors
    /// The workspace is no directory.
    pub fn places(self) -> io::Result<(Workspace, Flags, ToolChoice)> {
        let is_named = self.common.workspace.is_some();
        let (path, flags) = self.common.places()?;
        let workspace = Workspace { path, is_named };
        let choice = ToolChoice {
            toolsets: self.toolsets,
            tools: self.tools,
            exclude: self.exclude_tools,
            read_only: self.read_only,
            slim: self.slim,
            structured: self.structured,
            allow_shell: self.allow_shell,
        };
        Ok((workspace, flags, choice))
    }
}

impl Common {
    /// The workspace, and the flags for the configuration.
    ///
    /// # Errors
    /// The workspace is no directory.
    pub fn places(self) -> io::Result<(PathBuf, Flags)> {
        let workspace = directory(self.workspace)?;
        Ok((workspace, Flags { file: self.config, trust: self.trust }))
    }
}

/// The workspace: the flag or the current directory.
fn directory(named: Option<PathBuf>) -> io::Result<PathBuf> {
    let Some(path) = named else { return std::env::current_dir() };
    let fault = |why: &dyn Display| format!("--workspace {}: {why}", path.display());
    let found = path.canonicalize().map_err(|error| io::Error::new(error.kind(), fault(&error)))?;
    if found.is_dir() {
        Ok(found)
    } else {
        Err(io::Error::new(io::ErrorKind::NotADirectory, fault(&"is not a directory")))
    }
}

/// Prints a result; a closed standard output is no error.
fn print(text: impl Display) {
    drop(writeln!(io::stdout().lock(), "{text}"));
}

/// Prints progress or an error.
fn say(text: impl Display) {
    drop(writeln!(io::stderr().lock(), "dapdock: {text}"));
}
