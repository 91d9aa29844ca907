//! The request for a launch or an attach. Knows no plugin.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::BreakpointSpec;

/// The target of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchTarget {
    /// A program, source file or package directory.
    Program(PathBuf),
    /// A command line, split into words.
    Command(Vec<String>),
    /// A test or another target, by its name in `debug_targets`.
    Named(String),
    /// A running process.
    Process(u32),
    /// Host and port of a listening debugger.
    Address(String, u16),
    /// The debugger alone: its commands name what to debug.
    Commands(Opening),
}

/// A session that is opened for commands of the debugger's own language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its name.
    pub name: String,
    /// How long it may stay without a call while no program runs and no command; then it ends.
    pub idle: Duration,
    /// When it was requested.
    pub created: SystemTime,
}

impl LaunchTarget {
    /// The target in the words of a caller.
    pub fn words(&self) -> String {
        match self {
            Self::Program(path) => path.to_string_lossy().into_owned(),
            Self::Command(words) => shell_words::join(words),
            Self::Named(id) => id.clone(),
            Self::Process(pid) => format!("process {pid}"),
            Self::Address(host, port) => format!("{host}:{port}"),
            Self::Commands(_) => "commands".to_owned(),
        }
    }

    /// The opening for commands, if it is one.
    pub fn opening(&self) -> Option<&Opening> {
        match self {
            Self::Commands(opening) => Some(opening),
            _ => None,
        }
    }
}

/// A request with absolute paths.
#[derive(Clone, Debug)]
pub struct LaunchRequest {
    /// The target.
    pub target: LaunchTarget,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Working directory of the debuggee; `None`: the workspace.
    pub cwd: Option<PathBuf>,
    /// The directory where relative paths start.
    pub workspace: PathBuf,
    /// Changes to the host's environment; `None` unsets a variable.
    pub env: Vec<(String, Option<String>)>,
    /// A name of `[adapters]`; `None`: chosen by the target.
    pub adapter: Option<String>,
    /// Set before the first instruction.
    pub breakpoints: Vec<BreakpointSpec>,
    /// Whether to stop at the start of the program's own code.
    pub stop_on_entry: bool,
    /// A file for the debuggee's standard input; `None`: no input.
    pub stdin: Option<PathBuf>,
    /// Whether, without a file, its standard input is a pipe that calls write to, where the adapter
    /// gives a program standard input.
    pub stdin_pipe: bool,
    /// Bytes of output that are stored, if fewer than the limit of the host.
    pub output_bytes: Option<usize>,
    /// A core file of the target, which is opened instead of running the target.
    pub core: Option<PathBuf>,
    /// Options of the adapter as a JSON object, checked against its plugin's schema.
    pub options: String,
    /// The call that repeats the request, as the caller wrote it: part of the text of the end.
    pub again: String,
}

impl LaunchRequest {
    /// The target with the arguments of the program, as a command line.
    pub fn command_line(&self) -> String {
        let target = match &self.target {
            LaunchTarget::Program(path) => shell_words::quote(&path.to_string_lossy()).into_owned(),
            target => target.words(),
        };
        match &self.args[..] {
            [] => target,
            args => format!("{target} {}", shell_words::join(args)),
        }
    }

    /// Whether a restart can start the same again.
    pub fn can_restart(&self) -> bool {
        !self.attaches() && self.target.opening().is_none()
    }

    /// Whether the request is an attach.
    pub fn attaches(&self) -> bool {
        matches!(self.target, LaunchTarget::Process(_) | LaunchTarget::Address(..))
    }
}
