//! How one caller sees paths and calls: the workspace that paths are relative to, and the session
//! that calls need not name. Reads no file.

use std::path::{Path, PathBuf};

use super::Call;
use crate::model::{BreakpointSpec, Frame, Place, SessionId};

/// How paths and next calls are written for one caller.
#[derive(Clone, Debug, Default)]
pub struct Lens {
    /// The directory that paths are relative to.
    pub workspace: PathBuf,
    /// The session of a call that names none. Next calls name every other session.
    pub usual: Option<SessionId>,
}

impl Lens {
    /// A path as the caller would write it.
    pub fn path(&self, path: &Path) -> String {
        match path.strip_prefix(&self.workspace) {
            Ok(inside)
                if !self.workspace.as_os_str().is_empty() && !inside.as_os_str().is_empty() =>
            {
                inside.display().to_string()
            }
            _ => path.display().to_string(),
        }
    }

    /// `cart/pricing.py:41`, or nothing for a frame without source.
    pub(super) fn frame_place(&self, frame: &Frame) -> Option<String> {
        let path = self.path(frame.path.as_deref()?);
        Some(if frame.line == 0 { path } else { format!("{path}:{}", frame.line) })
    }

    /// A breakpoint's place, in the form that `debug_breakpoints` takes back.
    pub fn place(&self, place: &Place) -> String {
        match place {
            Place::Line { path, line, column: None } => format!("{}:{line}", self.path(path)),
            Place::Line { path, line, column: Some(column) } => {
                format!("{}:{line}:{column}", self.path(path))
            }
            Place::Function(name) => name.clone(),
            Place::Exception(_) => place.to_string(),
        }
    }

    /// A breakpoint as its string form, conditions included.
    pub(super) fn spec(&self, spec: &BreakpointSpec) -> String {
        let place = self.place(&spec.place);
        match &spec.condition {
            Some(condition) => format!("{place} if {condition}"),
            None => place,
        }
    }

    /// A call that concerns a session.
    pub(super) fn call(&self, tool: &'static str, session: &SessionId) -> Call {
        if self.usual.as_ref() == Some(session) {
            Call::new(tool)
        } else {
            Call::new(tool).with("session", session.0.as_str())
        }
    }
}
