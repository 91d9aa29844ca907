//! The project of a launch: the workspace, unless the request names another directory.
//!
//! Plugins see files of the project only, and list their paths relative to it.

use std::path::{Path, PathBuf};

use crate::file::is_below;
use crate::file::paths::without_dots;
use crate::model::{LaunchRequest, LaunchTarget};
use crate::plugin::{Catalog, Plugin, Workspace};
use crate::target::test_name::TestName;

/// The project directory. A working directory elsewhere is the project only if the target is not in
/// the workspace.
pub(crate) async fn of(catalog: &Catalog, request: &LaunchRequest) -> PathBuf {
    let LaunchRequest { workspace, target, cwd, .. } = request;
    let elsewhere = cwd.as_deref().filter(|cwd| is_elsewhere(cwd, workspace));
    let other = match target {
        LaunchTarget::Program(path) => of_program(path, elsewhere, workspace),
        LaunchTarget::Command(words) => elsewhere.filter(|cwd| !names_any(words, cwd, workspace)),
        LaunchTarget::Named(name) => match elsewhere {
            Some(cwd)
                if !has_test(catalog, name, workspace).await
                    && has_test(catalog, name, cwd).await =>
            {
                Some(cwd)
            }
            _ => None,
        },
        LaunchTarget::Process(_) | LaunchTarget::Address(..) | LaunchTarget::Commands(_) => None,
    };
    other.unwrap_or(workspace).to_owned()
}

/// Whether a directory is neither in the workspace nor above it.
fn is_elsewhere(path: &Path, workspace: &Path) -> bool {
    !is_below(path, workspace) && !is_below(workspace, path)
}

/// The project of a program outside of the workspace: the working directory that contains it, or
/// the program if it is a directory.
fn of_program<'a>(
    path: &'a Path,
    elsewhere: Option<&'a Path>,
    workspace: &Path,
) -> Option<&'a Path> {
    if is_below(path, workspace) {
        return None;
    }
    elsewhere.filter(|cwd| is_below(path, cwd)).or_else(|| Some(path).filter(|path| path.is_dir()))
}

/// Whether a word of the command, or its part after `=`, is a path in the workspace.
fn names_any(words: &[String], cwd: &Path, workspace: &Path) -> bool {
    let leads = |text: &str| is_below(&without_dots(&cwd.join(text)), workspace);
    words
        .iter()
        .any(|word| leads(word) || word.split_once('=').is_some_and(|(_, value)| leads(value)))
}

/// Whether the name begins with an existing file, or a plugin lists a test of this name.
async fn has_test(catalog: &Catalog, name: &str, root: &Path) -> bool {
    let (named, workspace) = (TestName { name, cwd: None }, Workspace::at(root.to_owned()));
    if named.has_file(&workspace) {
        return true;
    }
    let plugins: Vec<Plugin> = catalog.all().await.into_iter().flatten().collect();
    let lists = plugins.iter().map(|plugin| named.is_listed(plugin, &workspace));
    futures_util::future::join_all(lists).await.contains(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_belongs_to_the_workspace_that_it_names() {
        for (command, cwd, expect) in [
            (&["run", "/ws/app.x"][..], "/data", true),
            (&["run", "../ws/app.x"], "/data", true),
            (&["/ws/bin/run", "app.x"], "/data", true),
            (&["run", "--root=/ws"], "/data", true),
            (&["run", "/ws/app.x::test"], "/data", true),
            (&["run", "app.x"], "/data", false),
            (&["run", "/wsx/app.x"], "/data", false),
            (&["run", "../other/app.x"], "/data", false),
        ] {
            let words: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(names_any(&words, cwd.as_ref(), "/ws".as_ref()), expect, "{command:?}");
        }
    }

    #[test]
    fn a_directory_above_the_workspace_is_not_elsewhere() {
        for (path, expect) in
            [("/", false), ("/mono", false), ("/mono/ws/a", false), ("/mono/other", true)]
        {
            assert_eq!(is_elsewhere(path.as_ref(), "/mono/ws".as_ref()), expect, "{path}");
        }
    }

    #[test]
    fn a_symbolic_link_is_followed() {
        let (there, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (ws, link) = (there.path().canonicalize().unwrap(), other.path().join("shop"));
        std::fs::create_dir(ws.join("api")).unwrap();
        std::os::unix::fs::symlink(&ws, &link).unwrap();
        assert!(!is_elsewhere(&link.join("api"), &ws));
        assert!(!is_elsewhere(&link, &ws.join("api")));
        assert!(is_elsewhere(other.path(), &ws));
        assert_eq!(of_program(&link.join("api"), None, &ws), None);
    }

    #[test]
    fn a_program_elsewhere_has_its_own_project() {
        let other = tempfile::tempdir().unwrap();
        let (dir, file) = (other.path(), other.path().join("app.x"));
        let ws: &Path = "/ws".as_ref();
        assert_eq!(of_program("/ws/app.x".as_ref(), Some(dir), ws), None);
        assert_eq!(of_program(&file, Some(dir), ws), Some(dir));
        assert_eq!(of_program(&file, None, ws), None);
        assert_eq!(of_program(dir, None, ws), Some(dir));
    }
}
