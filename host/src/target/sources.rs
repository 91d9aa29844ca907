//! Source files of a workspace that some adapter sets breakpoints in. Refuses to read them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::plugin::Catalog;

/// Most directory entries that one search visits.
const VISITED: usize = 50_000;

/// The source files below `workspace`, relative to it, that `fits` accepts, at most `most` of them,
/// sorted. Hidden files and those that version control ignores are left out.
pub async fn sources(
    catalog: &Catalog,
    workspace: PathBuf,
    most: usize,
    fits: impl Fn(&str) -> bool + Send + 'static,
) -> Vec<String> {
    let mut extensions = BTreeSet::new();
    for plugin in catalog.all().await.iter().flatten() {
        extensions.extend(plugin.languages().flat_map(|language| language.extensions.clone()));
    }
    let search = move || search(&workspace, &extensions, most, fits);
    tokio::task::spawn_blocking(search).await.unwrap_or_default()
}

fn search(
    workspace: &Path,
    extensions: &BTreeSet<String>,
    most: usize,
    fits: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut walk = WalkBuilder::new(workspace);
    walk.require_git(false).sort_by_file_path(Ord::cmp);
    let mut found = Vec::new();
    for entry in walk.build().take(VISITED).flatten() {
        if found.len() == most {
            break;
        }
        let path = entry.path();
        let extension = path.extension().map(|end| end.to_string_lossy().to_lowercase());
        let is_source = extension.is_some_and(|extension| extensions.contains(&extension));
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let inside = path.strip_prefix(workspace).ok().and_then(Path::to_str);
        if let Some(inside) = inside.filter(|inside| is_source && is_file && fits(inside)) {
            found.push(inside.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_files_with_a_known_extension_that_are_not_ignored() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path();
        for file in ["b/shop.x", "a.x", "a.y", ".hidden/a.x", "built/a.x", "c.x/note", "B.X"] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().expect("below the root")).expect("a directory");
            std::fs::write(path, "x\n").expect("a file");
        }
        std::fs::write(root.join(".gitignore"), "built/\n").expect("a file");
        let extensions = BTreeSet::from(["x".to_owned()]);
        let find = |most, fits: fn(&str) -> bool| search(root, &extensions, most, fits);
        assert_eq!(find(9, |_| true), ["B.X", "a.x", "b/shop.x"]);
        assert_eq!(find(2, |_| true), ["B.X", "a.x"]);
        assert_eq!(find(9, |path| path.contains("shop")), ["b/shop.x"]);
    }
}
