//! The context of a request: project and directory for build outputs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::file::paths::without_dots;
use crate::file::scratch::Scratch;
use crate::model::{LaunchRequest, LaunchTarget, LogSink};
use crate::plugin::own_files::OwnFiles;

/// The project of a request.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Absolute path.
    pub root: PathBuf,
    /// Directory for the outputs of this request's build steps.
    pub outputs: Outputs,
    /// Where lines about this request go: the log of its session, if it has one.
    pub log: LogSink,
    /// The file or directory of the project that a search for its own files visits before the rest.
    pub first: Option<PathBuf>,
    /// The project's own files, as far as they are known.
    pub(super) files: OwnFiles,
}

impl Workspace {
    /// The project at this path, without build outputs.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), ..Self::default() }
    }

    /// The project of a launch. The file that its test begins with (`cart/test_total.x::tax`) is
    /// searched first, else its working directory.
    pub fn of(request: &LaunchRequest) -> Self {
        let file = match &request.target {
            LaunchTarget::Named(name) => {
                let mut roots = request.cwd.iter().chain([&request.workspace]);
                roots.find_map(|root| file_of_test(name, root, &request.workspace))
            }
            _ => None,
        };
        Self { first: file.or_else(|| request.cwd.clone()), ..Self::at(&request.workspace) }
    }

    /// The number of the project's own files that were searched, if it has more than the limit.
    pub fn searched(&self) -> Option<usize> {
        self.files.cut()
    }
}

/// The existing file of the workspace that the name of a test begins with, relative to `root`.
fn file_of_test(name: &str, root: &Path, workspace: &Path) -> Option<PathBuf> {
    let (file, _) = name.split_once("::")?;
    let path = without_dots(&root.join(file));
    Some(path).filter(|path| path.starts_with(workspace) && path.is_file())
}

/// A private directory, created at its first use and deleted with its last clone.
#[derive(Clone, Debug, Default)]
pub struct Outputs(Arc<OnceLock<Scratch>>);

impl Outputs {
    /// The directory; an error is the system's.
    pub(super) fn directory(&self) -> std::io::Result<&Path> {
        if self.0.get().is_none() {
            let made = Scratch::below(&std::env::temp_dir())?;
            // Another thread may have been first; then this directory is dropped.
            drop(self.0.set(made));
        }
        self.0.get().map(Scratch::path).ok_or_else(|| std::io::Error::other("no directory"))
    }

    /// Whether this path is inside.
    pub(super) fn holds(&self, path: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        self.0
            .get()
            .and_then(|made| Some(real(path)?.starts_with(real(made.path())?)))
            .unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_names_a_file_of_the_workspace() {
        let root = tempfile::tempdir().unwrap();
        let workspace = root.path().join("workspace");
        let [cart, shop] = ["cart", "shop"].map(|name| workspace.join(name));
        for directory in [&cart, &shop] {
            std::fs::create_dir_all(directory).unwrap();
        }
        let [inside, outside] = [shop.join("test_a.x"), root.path().join("test_b.x")];
        for file in [&inside, &outside] {
            std::fs::write(file, "").unwrap();
        }
        let found = |name: &str| file_of_test(name, &cart, &workspace);
        for name in ["../shop/test_a.x::tax", "./../shop/./test_a.x::tax"] {
            assert_eq!(found(name), Some(inside.clone()), "{name}");
        }
        for name in ["../../test_b.x::tax", "test_a.x::tax", "../shop::tax", "../shop/test_a.x"] {
            assert_eq!(found(name), None, "{name}");
        }
    }
}
