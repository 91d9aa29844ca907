//! One call: what a tool may use, and what it answers with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::limits::Limits;
use crate::model::SessionId;
use crate::session::{self, BreakpointError, Handle, Sessions};
use crate::view::{self, ErrorText, Failed, Lens, Text};

use super::said::Said;
use super::server::Progress;

/// What a tool works with during one call.
pub(super) struct Call {
    pub sessions: Arc<Sessions>,
    pub workspace: PathBuf,
    pub limits: Arc<Limits>,
    /// What the caller said.
    pub said: Said,
    /// Where progress goes; none: the caller asked for none.
    pub progress: Option<Progress>,
}

impl Call {
    /// The named session or the only one.
    pub fn session(&self, name: Option<&str>) -> Result<Handle, Problem> {
        Ok(self.sessions.get(name)?)
    }

    /// How this caller sees paths and calls.
    pub fn lens(&self) -> Lens {
        let usual = self.sessions.get(None).ok().map(|handle| handle.id().clone());
        Lens { workspace: self.workspace.clone(), usual }
    }

    /// A path of the caller, absolute.
    pub fn path(&self, path: &str) -> PathBuf {
        absolute(&self.workspace, path)
    }

    /// The same for what runs in `cwd`: below that where it is there, else below the workspace.
    pub fn path_in(&self, cwd: Option<&Path>, path: &str) -> PathBuf {
        let below = cwd.map(|cwd| absolute(cwd, path)).filter(|below| below.exists());
        below.unwrap_or_else(|| self.path(path))
    }
}

/// `path` below `base`, unless it is absolute, with `.` and `..` taken out where no link could be
/// meant.
pub(super) fn absolute(base: &Path, path: &str) -> PathBuf {
    let path = path.strip_prefix("file://").unwrap_or(path);
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let joined = match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => base.join(path),
    };
    let plain: PathBuf =
        joined.components().filter(|part| !matches!(part, std::path::Component::CurDir)).collect();
    if plain.components().any(|part| matches!(part, std::path::Component::ParentDir)) {
        plain.canonicalize().unwrap_or(plain)
    } else {
        plain
    }
}

/// What a tool answers with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub text: Text,
    pub is_error: bool,
}

impl Reply {
    pub fn text(text: Text) -> Self {
        Self { text, is_error: false }
    }
}

/// Why a tool has no answer.
#[derive(Debug)]
pub(super) enum Problem {
    /// The domain says so.
    Session(session::Error),
    /// The domain says so of this session, which the call may not have named.
    Of(SessionId, session::Error),
    /// The arguments do not make a call.
    Worded(ErrorText),
}

impl Problem {
    /// Wrong arguments, with arguments (JSON) that would do.
    pub fn argument(cause: String, tool: &str, example: &str) -> Self {
        Self::worded("bad-argument", &cause, &format!("{tool} {example}"))
    }

    pub fn worded(code: &'static str, cause: &str, next: &str) -> Self {
        Self::Worded(ErrorText::new(code, cause, next))
    }

    /// A file that is not where it was said to be is looked for in the workspace.
    pub async fn searched(self, call: &Call) -> Self {
        match self {
            Self::Session(session::Error::Several { mut all }) => {
                for error in &mut all {
                    search(error, call).await;
                }
                Self::Session(session::Error::Several { all })
            }
            Self::Session(mut error) => {
                search(&mut error, call).await;
                Self::Session(error)
            }
            other => other,
        }
    }

    pub fn reply(self, call: &Call) -> Reply {
        let error = match self {
            Self::Session(error) => told(&error, None, call),
            Self::Of(session, error) => told(&error, Some(&session), call),
            Self::Worded(error) => error,
        };
        Reply { text: error.text, is_error: true }
    }
}

/// A session is named in the next call where this one named it, or where another would be meant
/// without.
fn told(error: &session::Error, session: Option<&SessionId>, call: &Call) -> ErrorText {
    if let Some(told) = call.said.misplaced(error) {
        return told;
    }
    let lens = call.lens();
    let session = session
        .filter(|session| lens.usual.as_ref() != Some(session))
        .map(|session| session.0.as_str());
    let failed =
        Failed { next: call.said.mended(error, &lens), session: call.said.session().or(session) };
    view::error(error, &lens, &failed)
}

async fn search(error: &mut session::Error, call: &Call) {
    if let session::Error::Breakpoints(BreakpointError::NoSuchSource { path, near }) = error {
        let found = session::namesakes(path, &call.workspace).await;
        if !found.is_empty() {
            *near = found;
        }
    }
}

impl From<session::Error> for Problem {
    fn from(error: session::Error) -> Self {
        Self::Session(error)
    }
}
