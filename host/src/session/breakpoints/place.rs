//! What can be known of a breakpoint's place without asking anybody: is there such a
//! file, and such a line in it.

use std::ffi::OsStr;
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ignore::{DirEntry, WalkBuilder};

use crate::file;
use crate::model::{BreakpointSpec, Place};
use crate::session::Error;
use crate::session::breakpoints;
use crate::session::breakpoints::hit_condition::Hits;

/// A source larger than this is not looked into.
const MAX_SOURCE: u64 = 64 << 20;
/// Directory entries looked at for a file of the same name.
const SEARCHED: usize = 50_000;

/// Checks specs beside everything else: a file system may be slow.
pub(crate) async fn check(specs: &[BreakpointSpec]) -> Result<(), Error> {
    let specs = specs.to_vec();
    let checked =
        tokio::task::spawn_blocking(move || Error::all(specs.iter().flat_map(check_one).collect()))
            .await;
    checked.unwrap_or(Err(Error::Superseded))
}

/// All that is wrong with one.
fn check_one(spec: &BreakpointSpec) -> Vec<Error> {
    let count = spec.hit_condition.as_deref().map(Hits::parse).and_then(Result::err);
    count.into_iter().chain(check_place(&spec.place).err()).collect()
}

fn check_place(place: &Place) -> Result<(), Error> {
    let Place::Line { path, line, .. } = place else { return Ok(()) };
    let text = file::read(path, MAX_SOURCE).map_err(|_| {
        Error::Breakpoints(breakpoints::Error::NoSuchSource {
            path: path.clone(),
            near: file::near(path, FileType::is_file),
        })
    })?;
    let lines =
        text.iter().filter(|byte| **byte == b'\n').count() + usize::from(!text.ends_with(b"\n"));
    let lines = u32::try_from(lines).unwrap_or(u32::MAX);
    if *line == 0 || *line > lines {
        Err(Error::Breakpoints(breakpoints::Error::NoSuchLine {
            path: path.clone(),
            line: *line,
            lines,
        }))
    } else {
        Ok(())
    }
}

/// Files below `workspace` with the name of one that is not there, the likeliest first, at most
/// three.
pub async fn namesakes(path: &Path, workspace: &Path) -> Vec<PathBuf> {
    let (path, workspace) = (path.to_owned(), workspace.to_owned());
    tokio::task::spawn_blocking(move || likeliest(&path, &workspace)).await.unwrap_or_default()
}

fn likeliest(path: &Path, workspace: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name() else { return Vec::new() };
    let mut found = named(workspace, name);
    let rank = |near: &PathBuf| (near.file_name() == Some(name), shared(near, path));
    found.sort_by(|a, b| rank(b).cmp(&rank(a)).then(a.cmp(b)));
    found.truncate(3);
    found
}

/// How many components both end with, compared without case.
fn shared(one: &Path, other: &Path) -> usize {
    let both = one.iter().rev().zip(other.iter().rev());
    both.take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}

/// Files of this name, compared without case, as far as the bound goes. Hidden files are not
/// searched, nor what the project tells its version control to ignore.
fn named(workspace: &Path, name: &OsStr) -> Vec<PathBuf> {
    let is = |entry: &DirEntry| {
        entry.file_name().eq_ignore_ascii_case(name)
            && entry.file_type().is_some_and(|kind| kind.is_file())
    };
    let seen = Arc::new(AtomicUsize::new(0));
    let (mut found, mut depth) = (Vec::new(), 1);
    // Level by level: a tree that is met first does not hide what lies near the top.
    while seen.load(Ordering::Relaxed) < SEARCHED {
        let mut walk = WalkBuilder::new(workspace);
        let counted = Arc::clone(&seen);
        walk.require_git(false).max_depth(Some(depth));
        walk.filter_entry(move |_| counted.fetch_add(1, Ordering::Relaxed) < SEARCHED);
        let level: Vec<_> = walk.build().flatten().filter(|entry| entry.depth() == depth).collect();
        if level.is_empty() {
            break;
        }
        found.extend(level.into_iter().filter(is).map(DirEntry::into_path));
        depth += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_same_name_are_found_the_likeliest_first() {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path();
        std::fs::write(root.join(".gitignore"), "built/\n").expect("a file");
        for file in [
            "a/cart.py",
            "b/shop/cart.py",
            ".git/cart.py",
            "built/cart.py",
            "a/carts.py",
            "cart.py/x",
        ] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().expect("below the root")).expect("a directory");
            std::fs::write(path, "x\n").expect("a file");
        }
        let found = |path: &str| likeliest(&root.join(path), root);
        assert_eq!(found("shop/cart.py"), [root.join("b/shop/cart.py"), root.join("a/cart.py")]);
        assert_eq!(found("b/cart.py"), [root.join("a/cart.py"), root.join("b/shop/cart.py")]);
        assert_eq!(found("Shop/Cart.py"), [root.join("b/shop/cart.py"), root.join("a/cart.py")]);
        assert!(found("card.py").is_empty());
        let deep = root.join("a/a/a/a");
        std::fs::create_dir_all(&deep).expect("a directory");
        (0..SEARCHED / 2)
            .for_each(|number| drop(std::fs::File::create(deep.join(number.to_string()))));
        std::fs::create_dir(root.join("z")).expect("a directory");
        std::fs::write(root.join("z/last.py"), "x\n").expect("a file");
        assert_eq!(found("last.py"), [root.join("z/last.py")]);
    }
}
