//! A launch as the caller requests it.

use std::path::PathBuf;

use super::BreakpointSpec;

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchTarget {
    /// A program, source file or package directory.
    Program(PathBuf),
    /// A whole command line in words.
    Command(Vec<String>),
    /// A test or other target by the name that `debug_targets` lists.
    Named(String),
    /// A process that runs already.
    Process(u32),
    /// Host and port of a debugger that listens.
    Address(String, u16),
}

impl LaunchTarget {
    /// As a caller writes it.
    pub fn words(&self) -> String {
        match self {
            Self::Program(path) => path.to_string_lossy().into_owned(),
            Self::Command(words) => shell_words::join(words),
            Self::Named(id) => id.clone(),
            Self::Process(pid) => format!("process {pid}"),
            Self::Address(host, port) => format!("{host}:{port}"),
        }
    }
}

/// A launch as the caller wants it, paths absolute.
#[derive(Clone, Debug)]
pub struct LaunchRequest {
    /// What to start.
    pub target: LaunchTarget,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Working directory of the debuggee; none: the workspace.
    pub cwd: Option<PathBuf>,
    /// The project: where relative paths start.
    pub workspace: PathBuf,
    /// Environment added to the host's; none unsets.
    pub env: Vec<(String, Option<String>)>,
    /// A name of `[adapters]`; none: chosen by the target.
    pub adapter: Option<String>,
    /// Armed before the first instruction.
    pub breakpoints: Vec<BreakpointSpec>,
    /// Stop where the program's own code begins.
    pub stop_on_entry: bool,
    /// A file that the debuggee reads as its standard input; none: nothing.
    pub stdin: Option<PathBuf>,
    /// A core file that the target has dumped: it is looked into, and nothing runs.
    pub core: Option<PathBuf>,
    /// Keys of the adapter, checked against its plugin's schema: a JSON object.
    pub options: String,
    /// The call that asks for the same once more, in the words of who asked: told at the end, never
    /// read.
    pub again: String,
}

impl LaunchRequest {
    /// Is the program running already?
    pub fn attaches(&self) -> bool {
        matches!(self.target, LaunchTarget::Process(_) | LaunchTarget::Address(..))
    }
}
