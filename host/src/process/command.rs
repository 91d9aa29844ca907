//! What to run, as plain data. Knows nothing of how it is run; a `PATH` search is not made here.

use std::ffi::OsString;
use std::path::PathBuf;

/// Where a tool starts that is no part of a project. Unlike a folder for temporary files it has no
/// parent in which a tool may look for its configuration, and no user can write into it.
pub const NEUTRAL_FOLDER: &str = "/";

/// A program with its arguments, environment and directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// An absolute path. A bare name is left to the system's own `PATH` search.
    pub program: PathBuf,
    /// Without the program itself.
    pub args: Vec<OsString>,
    /// Over our own environment, later entries win: `Some` sets, `None` removes.
    pub env: Vec<(String, Option<String>)>,
    /// `None` is our own.
    pub cwd: Option<PathBuf>,
    /// For the log: the role it plays, as in `adapter` or `build`.
    pub label: String,
}

impl Command {
    /// `program` without arguments, in our own environment and directory.
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

    /// Runs it in `cwd`.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Names its role for the log.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }
}
