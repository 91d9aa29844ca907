//! The own files of a project, found once for all plugins that a request calls: without hidden
//! files, what version control ignores, and directories that plugins skip by name.
//!
//! Knows no language. Refuses to read files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use ignore::{DirEntry, Walk, WalkBuilder};

/// The files of one project; clones share the last search.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnFiles(Arc<Mutex<Option<Search>>>);

/// A search, and the names of directories that it skipped.
#[derive(Debug)]
struct Search {
    skipped: Vec<String>,
    found: Arc<Found>,
}

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Relative to the root, sorted.
    pub paths: Vec<String>,
    /// Whether the whole project was searched.
    pub complete: bool,
}

/// What bounds a search.
pub(crate) struct Bounds<'a> {
    /// Names of directories that are skipped.
    pub skipped: &'a [String],
    /// The file or directory to search before the rest.
    pub first: Option<&'a Path>,
    /// Most entries visited.
    pub visits: usize,
    /// When the search ends, with the files that it has found.
    pub until: Instant,
    /// Whether nobody waits for the search any more.
    pub is_over: &'a dyn Fn() -> bool,
}

impl OwnFiles {
    /// Searches the project at the first call that skips these directories; blocks. A search that
    /// its caller gave up is not stored.
    pub fn find(&self, root: &Path, bounds: &Bounds) -> Arc<Found> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = known.as_ref().filter(|last| last.skipped == bounds.skipped) {
            return last.found.clone();
        }
        let found = Arc::new(search(root, bounds));
        if !(bounds.is_over)() {
            *known = Some(Search { skipped: bounds.skipped.to_vec(), found: found.clone() });
        }
        found
    }

    /// The number of files found, if the search was cut; none if there was no search, or one that
    /// its caller gave up is still at work.
    pub fn cut(&self) -> Option<usize> {
        let known = self.0.try_lock().ok()?;
        known.as_ref().filter(|last| !last.found.complete).map(|last| last.found.paths.len())
    }
}

fn search(root: &Path, bounds: &Bounds) -> Found {
    let first = bounds.first.filter(|first| first.starts_with(root) && *first != root);
    let (mut visits, mut paths) = (bounds.visits, BTreeSet::new());
    let mut collect = |directory: &Path, paths: &mut BTreeSet<String>| {
        for entry in walk(directory, bounds, first.unwrap_or(root).to_owned()) {
            if visits == 0 || Instant::now() >= bounds.until || (bounds.is_over)() {
                return false;
            }
            visits -= 1;
            let Ok(entry) = entry else { continue };
            let inside = entry.path().strip_prefix(root).ok().and_then(Path::to_str);
            paths.extend(inside.filter(|_| is_file(&entry)).map(str::to_owned));
        }
        true
    };
    let mut complete = collect(root, &mut paths);
    // Version control may ignore what the request names.
    if complete
        && let Some(first) = first
        && !paths.iter().any(|path| root.join(path).starts_with(first))
    {
        complete = collect(first, &mut paths);
    }
    Found { paths: paths.into_iter().collect(), complete }
}

/// All entries below the root, those on the way to `first` before their neighbours.
fn walk(root: &Path, bounds: &Bounds, first: PathBuf) -> Walk {
    let skipped = bounds.skipped.to_vec();
    let mut walk = WalkBuilder::new(root);
    walk.require_git(false).parents(false).git_global(false);
    walk.sort_by_file_path(move |one, other| {
        let is_later = |path: &Path| !first.starts_with(path);
        (is_later(one), one).cmp(&(is_later(other), other))
    });
    walk.filter_entry(move |entry| entry.depth() == 0 || !is_skipped(entry, &skipped));
    walk.build()
}

fn is_skipped(entry: &DirEntry, skipped: &[String]) -> bool {
    let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
    is_directory && skipped.iter().any(|name| entry.file_name() == name.as_str())
}

/// Whether it is a file, or a link to one.
fn is_file(entry: &DirEntry) -> bool {
    match entry.file_type() {
        Some(kind) if kind.is_symlink() => entry.path().is_file(),
        kind => kind.is_some_and(|kind| kind.is_file()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn in_a_minute() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    fn project(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        dir
    }

    #[test]
    fn named_and_ignored_directories_are_skipped() {
        let files = ["b.x", "others/c.x", ".git/d", "src/a.x", "made/e.x", "src/others/f"];
        let dir = project(&files);
        std::fs::write(dir.path().join(".gitignore"), "/made\n").unwrap();
        std::os::unix::fs::symlink("b.x", dir.path().join("link.x")).unwrap();
        let own = OwnFiles::default();
        let skipped = ["others".to_owned()];
        let until = in_a_minute();
        let bounds =
            Bounds { skipped: &skipped, first: None, visits: 100, until, is_over: &|| false };
        let found = own.find(dir.path(), &bounds);
        assert_eq!(found.paths, ["b.x", "link.x", "src/a.x"]);
        assert_eq!((found.complete, own.cut()), (true, None));
        // The search is not repeated.
        std::fs::write(dir.path().join("later.x"), "").unwrap();
        assert_eq!(own.find(dir.path(), &bounds).paths.len(), 3);
        let bounds = Bounds { skipped: &[], ..bounds };
        assert_eq!(own.find(dir.path(), &bounds).paths.len(), 6);
    }

    #[test]
    fn cut_search_has_the_files_of_the_first_directory() {
        let dir = project(&["a/1", "a/2", "a/3", "z/in/test_x", "z/made/3", "z/test_y"]);
        std::fs::write(dir.path().join(".gitignore"), "made\n").unwrap();
        let first = dir.path().join("z");
        let own = OwnFiles::default();
        let until = in_a_minute();
        let bounds =
            Bounds { skipped: &[], first: Some(&first), visits: 5, until, is_over: &|| false };
        assert_eq!(own.find(dir.path(), &bounds).paths, ["z/in/test_x", "z/test_y"]);
        assert_eq!(own.cut(), Some(2));
        let ignored = dir.path().join("z/made");
        let bounds = Bounds { first: Some(&ignored), visits: 100, ..bounds };
        let paths = &OwnFiles::default().find(dir.path(), &bounds).paths;
        assert_eq!((paths.len(), paths.contains(&"z/made/3".to_owned())), (6, true));
        let whole = OwnFiles::default();
        let bounds = Bounds { first: Some(&first), ..bounds };
        assert_eq!(whole.find(dir.path(), &bounds).paths.len(), 5);
    }

    #[test]
    fn abandoned_search_is_not_stored() {
        let dir = project(&["a"]);
        let own = OwnFiles::default();
        let until = in_a_minute();
        let abandoned = Bounds { skipped: &[], first: None, visits: 9, until, is_over: &|| true };
        own.find(dir.path(), &abandoned);
        let bounds = Bounds { is_over: &|| false, ..abandoned };
        assert_eq!(own.find(dir.path(), &bounds).paths, ["a"]);
    }

    #[test]
    fn search_that_takes_too_long_keeps_what_it_found() {
        let dir = project(&["a", "b"]);
        let own = OwnFiles::default();
        let until = Instant::now();
        let bounds = Bounds { skipped: &[], first: None, visits: 9, until, is_over: &|| false };
        let found = own.find(dir.path(), &bounds);
        assert_eq!((found.complete, own.cut()), (false, Some(found.paths.len())));
    }
}
