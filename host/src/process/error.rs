//! Reasons why a program did not start.
//!
//! Knows file metadata and errno. Refuses to know texts for callers.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::Command;

/// A program did not start. Every variant names the program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// No file at the path, or no such name on `PATH`.
    #[error("no such program: {}", program.display())]
    NotFound {
        /// The program.
        program: PathBuf,
    },
    /// The path names a directory.
    #[error("{} is a directory, not a program", program.display())]
    Directory {
        /// The program.
        program: PathBuf,
    },
    /// A file without any execute permission bit.
    #[error("{} is not executable", program.display())]
    NotExecutable {
        /// The program.
        program: PathBuf,
    },
    /// The kernel refused (`EACCES`, `EPERM`), and an execute bit is set or the metadata cannot be
    /// read.
    #[error("permission denied to run {}", program.display())]
    Denied {
        /// The program.
        program: PathBuf,
    },
    /// An executable file that is neither a binary for this machine nor a script with `#!`
    /// (`ENOEXEC`).
    #[error("{} is not a program that this machine can run", program.display())]
    NotAProgram {
        /// The program.
        program: PathBuf,
    },
    /// The interpreter of the program (from the `#!` line, or a binary's loader) does not exist.
    #[error("{} needs an interpreter that does not exist{}", program.display(),
        named(interpreter.as_deref()))]
    Interpreter {
        /// The program.
        program: PathBuf,
        /// From the `#!` line; `None` when a binary's loader is missing.
        interpreter: Option<PathBuf>,
    },
    /// The working directory cannot be entered.
    #[error("working directory {} {problem} (to run {})", cwd.display(), program.display())]
    WorkingDirectory {
        /// The program.
        program: PathBuf,
        /// The directory.
        cwd: PathBuf,
        /// The fault.
        problem: CwdProblem,
    },
    /// The family is ending.
    #[error("the session is ending, {} was not run", program.display())]
    Ending {
        /// The program.
        program: PathBuf,
    },
    /// The guard did not start; nothing runs without it.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// Another error of the system (too many processes, argument list too long, NUL in an
    /// argument).
    #[error("cannot run {}: {source}", program.display())]
    System {
        /// The program.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// Fault of a working directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CwdProblem {
    /// The path does not exist.
    Missing,
    /// It is a file.
    NotADirectory,
    /// It may not be entered.
    Denied,
}

impl std::fmt::Display for CwdProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Missing => "does not exist",
            Self::NotADirectory => "is not a directory",
            Self::Denied => "may not be entered",
        })
    }
}

/// The guard process did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GuardError {
    /// The executable cannot be found or run.
    #[error("cannot start the guard process {}: {source}", program.display())]
    Start {
        /// The guard's program.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It ran and did not report ready within [`crate::limits::Limits::guard_start`].
    #[error("the guard process {} did not become ready", program.display())]
    NotReady {
        /// The guard's program.
        program: PathBuf,
    },
}

fn named(interpreter: Option<&Path>) -> String {
    interpreter.map_or_else(String::new, |path| format!(": {}", path.display()))
}

/// Finds the cause of a failed spawn in the file system.
///
/// `ENOENT` alone is ambiguous: it covers program, interpreter and working directory.
pub(super) fn diagnose(command: &Command, source: io::Error) -> SpawnError {
    let program = command.program.clone();
    if let Some((cwd, problem)) = command.cwd.as_deref().and_then(cwd_problem) {
        return SpawnError::WorkingDirectory { program, cwd, problem };
    }
    match Errno::from_io_error(&source) {
        Some(Errno::NOENT | Errno::NOTDIR) if program.exists() => {
            SpawnError::Interpreter { interpreter: interpreter(&program), program }
        }
        Some(Errno::NOENT | Errno::NOTDIR) => SpawnError::NotFound { program },
        Some(Errno::ACCESS | Errno::PERM) if program.is_dir() => SpawnError::Directory { program },
        Some(Errno::ACCESS | Errno::PERM) if lacks_execute_bit(&program) => {
            SpawnError::NotExecutable { program }
        }
        Some(Errno::ACCESS | Errno::PERM) => SpawnError::Denied { program },
        Some(Errno::NOEXEC) => SpawnError::NotAProgram { program },
        _ => SpawnError::System { program, source },
    }
}

fn cwd_problem(cwd: &Path) -> Option<(PathBuf, CwdProblem)> {
    use rustix::fs::{Access, access};
    let problem = match cwd.metadata() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => CwdProblem::Denied,
        Err(_) => CwdProblem::Missing,
        Ok(found) if !found.is_dir() => CwdProblem::NotADirectory,
        Ok(_) if access(cwd, Access::EXEC_OK).is_err() => CwdProblem::Denied,
        Ok(_) => return None,
    };
    Some((cwd.to_owned(), problem))
}

fn lacks_execute_bit(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    program.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 == 0)
}

fn interpreter(program: &Path) -> Option<PathBuf> {
    use std::io::Read;
    let mut head = Vec::new();
    std::fs::File::open(program).ok()?.take(256).read_to_end(&mut head).ok()?;
    let line = String::from_utf8_lossy(head.strip_prefix(b"#!")?).into_owned();
    line.lines().next()?.split_whitespace().next().map(PathBuf::from)
}
