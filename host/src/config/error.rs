//! A mistake in a configuration file: file, line, column, key and problem, on one line.

use std::path::{Path, PathBuf};

/// A configuration file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// The content is wrong.
    #[error("{}:{line}:{column}: {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// The problem.
        problem: Box<Problem>,
    },
}

impl Error {
    /// The project that would have to be trusted, and the key that its file may not have.
    pub fn untrusted(&self) -> Option<(&Path, &str)> {
        let Self::Wrong { problem, .. } = self else { return None };
        match &**problem {
            Problem::NotTrusted { key, project, .. } => Some((project, key)),
            _ => None,
        }
    }
}

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Not TOML.
    #[error("{0}")]
    Syntax(String),
    /// An unknown key.
    #[error("unknown key `{key}`{}", did_you_mean(near.as_deref()))]
    UnknownKey {
        /// The key with its tables.
        key: String,
        /// The closest known key.
        near: Option<String>,
    },
    /// A value of the wrong kind.
    #[error("`{key}` is {found}, expected {expected}")]
    WrongType {
        /// The key with its tables.
        key: String,
        /// The kind of the value.
        found: &'static str,
        /// The kind that the key takes.
        expected: &'static str,
    },
    /// A missing key.
    #[error("`{key}` is missing: \"builtin:NAME\" or the path of a component")]
    NoPlugin {
        /// The key with its tables.
        key: String,
    },
    /// `builtin:NAME` with an unknown name.
    #[error("`{key}`: no plugin `{name}` is built in; there are {}{}", known.join(", "),
        did_you_mean(near.as_deref()))]
    NotBuiltIn {
        /// The key with its tables.
        key: String,
        /// The name.
        name: String,
        /// The known names.
        known: Vec<String>,
        /// The closest known name.
        near: Option<String>,
    },
    /// A key of a project's file that chooses a program to run.
    #[error(
        "`{key}` chooses what runs, and this project is not trusted: read it, then add trust = \
        [{}] to {}, \
         or start dapdock with --trust",
        format_args!("{:?}", project.display().to_string()),
        user.as_deref().unwrap_or(Path::new("your own dapdock.toml")).display()
    )]
    NotTrusted {
        /// The key with its tables.
        key: String,
        /// The file's directory.
        project: PathBuf,
        /// The user's own file.
        user: Option<PathBuf>,
    },
    /// A key of a project's file that only the user's file may have.
    #[error("`{key}` is not allowed in a project's file: move it to {}",
        user.as_deref().unwrap_or(Path::new("your own dapdock.toml")).display())]
    NotYours {
        /// The key.
        key: String,
        /// The user's own file.
        user: Option<PathBuf>,
    },
    /// A plugin by URL.
    #[error("`{key}`: plugins by URL are not supported yet; download it and give its path")]
    Remote {
        /// The key with its tables.
        key: String,
    },
}

/// The end of a message that proposes a name.
fn did_you_mean(near: Option<&str>) -> String {
    near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
}
