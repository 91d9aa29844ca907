//! Commands for people. Knows what is printed and the exit codes; refuses to know how adapters are
//! found, installed and tried.
//!
//! Results go to standard output, progress and errors to standard error.

pub mod adapters;
pub mod doctor;

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::config::Flags;

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
