//! The source files of a project, without installed dependencies and build output. Knows no
//! language.

use crate::adapter::Workspace;
use crate::path;

/// Directories of dependencies, and of what builds and test runs leave.
const OTHERS: [&str; 11] = [
    "node_modules",
    "bower_components",
    "site-packages",
    "venv",
    "vendor",
    "target",
    "build",
    "dist",
    "coverage",
    "__pycache__",
    "testdata",
];

/// Most entries of a directory.
const ENTRIES: u32 = 5_000;

/// Most bytes read of a source file.
const SOURCE: u32 = 1 << 20;

/// Sorted paths relative to the root of the project's own files that are `wanted`.
pub fn own(project: &Workspace, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let others = OTHERS.map(str::to_owned);
    let mut paths = project.own_files(&others).map(|found| found.paths).unwrap_or_default();
    paths.retain(|path| wanted(path));
    paths
}

/// Paths of the files directly in a directory that are `wanted`.
pub fn in_directory(
    project: &Workspace,
    directory: &str,
    wanted: impl Fn(&str) -> bool,
) -> Vec<String> {
    let entries = project.read_dir(directory, ENTRIES).unwrap_or_default();
    let names = entries.into_iter().map(|entry| entry.name).filter(|name| wanted(name));
    names.map(|name| path::join(directory, &name)).collect()
}

/// The text of a source file; empty if it cannot be read.
pub fn text(project: &Workspace, path: &str) -> String {
    let bytes = project.read_file(path, SOURCE).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The directory of `path` and its ancestors up to the root, nearest first; the root is empty.
pub fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(parent(path)), |path| (!path.is_empty()).then_some(parent(path)))
}

/// The path of `name` in a directory that [`above`] yields.
pub fn child(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_above_end_with_the_root() {
        assert_eq!(above("a/b/c.py").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(above("c.py").collect::<Vec<_>>(), [""]);
        assert_eq!((child("", "x"), child("a", "x")), ("x".into(), "a/x".into()));
    }
}
