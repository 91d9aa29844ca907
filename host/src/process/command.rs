//! A program to run, as plain data.
//!
//! Refuses to know how it is run; nothing here searches `PATH`.

use std::ffi::OsString;
use std::path::PathBuf;

/// Working directory of tools that belong to no project. Tools look for configuration in parent
/// directories and in writable ones: this directory has no parent and only root can write to it.
pub const NEUTRAL_FOLDER: &str = "/";

/// A program with its arguments, environment and directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// An absolute path. The system searches a bare name on `PATH`.
    pub program: PathBuf,
    /// Arguments without the program.
    pub args: Vec<OsString>,
    /// Changes to the owner's environment, later entries win: `Some` sets, `None` removes.
    pub env: Vec<(String, Option<String>)>,
    /// Working directory; `None` is the host's.
    pub cwd: Option<PathBuf>,
    /// Role in the log: `adapter`, `build`.
    pub label: String,
}

impl Command {
    /// `program` without arguments, in the owner's environment and the host's working directory.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), label: "process".into(), ..Self::default() }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets one variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.push((name.into(), Some(value.into())));
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Sets the role for the log.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
}
