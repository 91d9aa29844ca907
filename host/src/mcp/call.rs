//! One call while it runs: what a tool may use, and its answer.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::asking::Asking;
use super::concern::Concern;
use super::memory::Memory;
use super::outcome::Outcome;
use super::problem::Problem;
use super::progress::Progress;
use super::request::Request;
use crate::limits::Limits;
use crate::model::Choice;
use crate::session::{Handle, Sessions, Shell};
use crate::view::{ErrorText, Lens, Text};

/// What a tool works with during one call.
pub(super) struct Call {
    pub sessions: Arc<Sessions>,
    pub workspace: PathBuf,
    /// `~` of the caller.
    pub home: Option<PathBuf>,
    /// The defaults: a caller connects before the configuration is read. `Sessions::limits` has
    /// the user's.
    pub limits: Arc<Limits>,
    /// The call as its caller made it.
    pub request: Request,
    /// Whether commands of the debugger may leave it.
    pub shell: Shell,
    /// Receiver of progress, if the caller requests it.
    pub progress: Option<Progress>,
    /// What earlier calls of this caller left.
    pub memory: Arc<Memory>,
    /// The session that the call of the caller is about.
    pub concern: Arc<Concern>,
    /// How a person can be asked.
    pub asking: Asking,
    /// What a person has agreed to for this call.
    pub chosen: Vec<Choice>,
    /// The choice that the call, or a call of its own, failed for; the first counts.
    pub lacks: Arc<OnceLock<Choice>>,
}

impl Call {
    /// Another call of the same caller.
    pub fn another(&self, mut request: Request) -> Self {
        request.cwd = self.sessions.cwd(request.session());
        Self {
            sessions: self.sessions.clone(),
            workspace: self.workspace.clone(),
            home: self.home.clone(),
            limits: self.limits.clone(),
            request,
            shell: self.shell,
            progress: self.progress.clone(),
            memory: self.memory.clone(),
            concern: self.concern.clone(),
            asking: self.asking.clone(),
            chosen: self.chosen.clone(),
            lacks: self.lacks.clone(),
        }
    }

    /// The session with this name, or the only one.
    pub fn session(&self, name: Option<&str>) -> Result<Handle, Problem> {
        Ok(self.concerned(self.sessions.get(name)?))
    }

    /// The session to end, as [`Sessions::to_end`].
    pub fn session_to_end(&self, name: Option<&str>) -> Result<Handle, Problem> {
        Ok(self.concerned(self.sessions.to_end(name)?))
    }

    /// The session whose log is read, as [`Sessions::to_read`].
    pub fn session_to_read(&self, name: Option<&str>) -> Result<Handle, Problem> {
        Ok(self.concerned(self.sessions.to_read(name)?))
    }

    fn concerned(&self, handle: Handle) -> Handle {
        self.sessions.note_use(&handle);
        self.concern.begin(&handle);
        handle
    }

    /// How paths and calls are displayed to this caller.
    pub fn lens(&self) -> Lens {
        let usual = self.sessions.get(None).ok().map(|handle| handle.id().clone());
        Lens { workspace: self.workspace.clone(), usual }
    }

    /// A path of the caller, absolute.
    pub fn path(&self, path: &str) -> PathBuf {
        self.below(&self.workspace, path)
    }

    fn below(&self, base: &Path, path: &str) -> PathBuf {
        absolute_from(base, self.home.clone().or_else(home), path)
    }

    /// A path for a program that runs in `cwd`: below `cwd` if it exists there, else below the
    /// workspace.
    pub fn path_in(&self, cwd: Option<&Path>, path: &str) -> PathBuf {
        let below = cwd.map(|cwd| self.below(cwd, path)).filter(|below| below.exists());
        below.unwrap_or_else(|| self.path(path))
    }
}

/// `path` below `base`, unless it is absolute. `..` is resolved through symbolic links; where the
/// path does not exist, it stays.
pub(super) fn absolute(base: &Path, path: &str) -> PathBuf {
    absolute_from(base, home(), path)
}

/// That of this process.
fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from)
}

fn absolute_from(base: &Path, home: Option<PathBuf>, path: &str) -> PathBuf {
    let path = path.strip_prefix("file://").unwrap_or(path);
    let joined = match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => base.join(path),
    };
    let plain: PathBuf =
        joined.components().filter(|part| !matches!(part, Component::CurDir)).collect();
    if plain.components().any(|part| matches!(part, Component::ParentDir)) {
        plain.canonicalize().unwrap_or(plain)
    } else {
        plain
    }
}

/// The answer of a tool, and the data that its text is made from.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub text: Text,
    pub is_error: bool,
    pub outcome: Outcome,
}

impl Reply {
    pub fn new(text: Text, outcome: Outcome) -> Self {
        Self { text, is_error: false, outcome }
    }

    /// A result in a form of its own.
    pub fn own(value: Value, is_error: bool) -> Self {
        Self { text: Text::json(&value.to_string()), is_error, outcome: Outcome::Own(value) }
    }

    pub fn error(error: ErrorText) -> Self {
        Self { text: error.text.clone(), is_error: true, outcome: Outcome::Failed(error) }
    }
}
