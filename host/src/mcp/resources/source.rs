//! Reads a source file for a caller: a visible file of the workspace, or one that the session names
//! in a frame or a bound breakpoint.
//!
//! Refuses every other file: a resource is read by clients without the user.

use std::path::{Component, Path, PathBuf};

use super::super::call::absolute;
use crate::file;
use crate::model::{Binding, Place};
use crate::session::{Handle, Sessions};

/// The longest source file in bytes.
const LONGEST: u64 = 1 << 20;

/// The text of a source file. Invalid UTF-8 is replaced.
///
/// # Errors
/// The cause, in words.
pub(super) async fn read(
    sessions: &Sessions,
    workspace: &Path,
    session: &str,
    path: &str,
) -> Result<String, String> {
    let handle = sessions.get(Some(session)).map_err(|error| error.to_string())?;
    read_for(Some(&handle), workspace, &absolute(workspace, path)).await
}

/// The same for an absolute path. Without a session only files of the workspace are read.
///
/// # Errors
/// The cause, in words.
pub(in crate::mcp) async fn read_for(
    session: Option<&Handle>,
    workspace: &Path,
    named: &Path,
) -> Result<String, String> {
    let real = named.canonicalize().map_err(|error| error.to_string())?;
    let is_visible = is_in_workspace(workspace, &real)
        || match session {
            Some(handle) => is_of_session(handle, &real).await,
            None => false,
        };
    if !is_visible {
        return Err("only files of the workspace that are not hidden, and files of frames and \
            bound breakpoints, are read"
            .to_owned());
    }
    let text = tokio::task::spawn_blocking(move || file::read(&real, LONGEST)).await;
    let bytes = text.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether the file is below the workspace, and neither it nor a directory above it is hidden.
fn is_in_workspace(workspace: &Path, real: &Path) -> bool {
    let Ok(workspace) = workspace.canonicalize() else { return false };
    let Ok(inside) = real.strip_prefix(workspace) else { return false };
    inside.components().all(|part| match part {
        Component::Normal(name) => !name.as_encoded_bytes().starts_with(b"."),
        _ => false,
    })
}

/// Whether a frame of the current stop or a bound breakpoint is in the file. A breakpoint that is
/// not bound may name any file.
async fn is_of_session(handle: &Handle, real: &Path) -> bool {
    let mut known: Vec<PathBuf> = Vec::new();
    if let Ok(Some(stop)) = handle.current().await {
        known.extend(stop.frames.iter().filter_map(|frame| frame.path.clone()));
    }
    if let Ok(status) = handle.status().await {
        for breakpoint in status.breakpoints {
            if let (Place::Line { path, .. }, Binding::Bound { .. }) =
                (breakpoint.spec.place, breakpoint.binding)
            {
                known.push(path);
            }
        }
    }
    known.iter().any(|path| path.canonicalize().is_ok_and(|path| path == real))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_files_and_files_outside_are_no_files_of_the_workspace() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path().canonicalize().expect("it exists");
        for (path, is_inside) in
            [("a.x", true), ("b/c.x", true), (".env", false), (".git/config", false)]
        {
            assert_eq!(is_in_workspace(&root, &root.join(path)), is_inside, "{path}");
        }
        assert!(!is_in_workspace(&root.join("b"), &root.join("a.x")));
    }
}
