//! Names of a source file: links in a path give a file several, and the program was compiled under
//! one of them.
//!
//! Knows paths and the launch arguments. Refuses to know which name the program has.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Launch arguments with paths as the caller has named them.
const NAMED: [&str; 2] = ["program", "cwd"];

/// Other names of a file: its real path, and those by links in the paths of the launch.
pub(super) async fn others(path: PathBuf, arguments: &Value) -> Vec<PathBuf> {
    let given: Vec<PathBuf> = NAMED
        .iter()
        .filter_map(|key| arguments.get(key)?.as_str())
        .filter(|path| path.starts_with('/'))
        .map(PathBuf::from)
        .collect();
    tokio::task::spawn_blocking(move || find(&path, &given)).await.unwrap_or_default()
}

fn find(path: &Path, given: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(real) = path.canonicalize() else { return Vec::new() };
    let mut names = vec![real.clone()];
    names.extend(given.iter().filter_map(|given| by_link(&real, given)));
    names.retain(|name| name != path);
    names.dedup();
    names
}

/// The file's name below a link that leads to a directory above the file.
fn by_link(real: &Path, given: &Path) -> Option<PathBuf> {
    for above in given.ancestors() {
        let Ok(target) = above.canonicalize() else { continue };
        if target == above {
            return None;
        }
        if let Ok(rest) = real.strip_prefix(&target) {
            return Some(above.join(rest));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;

    #[test]
    fn links_of_the_path_and_of_the_launch_give_names() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path().canonicalize().expect("it exists");
        let (real, link) = (root.join("real"), root.join("link"));
        std::fs::create_dir(&real).expect("a directory");
        std::fs::write(real.join("a.c"), "").expect("a file");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        let (by_real, by_link) = (real.join("a.c"), link.join("a.c"));
        assert_eq!(find(&by_link, &[]), from_ref(&by_real));
        assert!(find(&by_real, from_ref(&real)).is_empty());
        // The program may not be built yet.
        assert_eq!(find(&by_real, &[link.join("a")]), from_ref(&by_link));
        std::fs::write(real.join("a"), "").expect("a program");
        assert_eq!(find(&by_real, &[link.join("a"), link]), [by_link]);
        assert!(find(&root.join("none.c"), &[]).is_empty());
    }
}
