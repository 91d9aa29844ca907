//! A project's files as a guest may see them: nothing outside the root, by `..` or by link. Knows
//! no WIT; blocking.
//!
//! A link inside the project that leads out of it can be seen and named (a virtual environment's
//! interpreter is one) but not read.

use std::fs::Metadata;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use crate::limits::Limits;
use crate::plugin::grant::blocking::Waiter;
use crate::plugin::grant::denied::Denied;
use crate::plugin::grant::glob::Glob;

/// What an entry is, its link followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Directory,
    Other,
}

/// A project's root, with its links resolved.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    root: PathBuf,
    real: PathBuf,
}

impl Files {
    pub fn new(root: &Path) -> Result<Self, Denied> {
        let real = root
            .canonicalize()
            .map_err(|error| Denied::Unreadable(root.to_owned(), error.to_string()))?;
        Ok(Self { root: root.to_owned(), real })
    }

    /// The path of an entry whose directory is in the project; the entry itself may be a link.
    pub fn locate(&self, path: &str) -> Result<PathBuf, Denied> {
        let wanted = self.root.join(path);
        let (Some(parent), Some(name)) = (wanted.parent(), wanted.file_name()) else {
            return self.real(&wanted);
        };
        if matches!(wanted.components().next_back(), Some(Component::ParentDir | Component::CurDir))
        {
            return self.real(&wanted);
        }
        if wanted == self.root {
            return Ok(self.real.clone());
        }
        Ok(self.real(parent)?.join(name))
    }

    /// The path of a program that is named from the root down: where links of the project lead is
    /// the user's choice.
    pub fn program(&self, path: &str) -> Result<PathBuf, Denied> {
        let wanted = self.root.join(path);
        let down = wanted
            .strip_prefix(&self.root)
            .is_ok_and(|down| !down.components().any(|part| part == Component::ParentDir));
        let runs = |path: &Path| {
            path.metadata().is_ok_and(|facts| facts.is_file() && is_executable(&facts))
        };
        self.locate(path)
            .or_else(|denied| if down && runs(&wanted) { Ok(wanted) } else { Err(denied) })
    }

    /// The path with every link resolved.
    pub fn real(&self, path: &Path) -> Result<PathBuf, Denied> {
        let real = path
            .canonicalize()
            .map_err(|error| Denied::Unreadable(path.to_owned(), error.to_string()))?;
        if real.starts_with(&self.real) { Ok(real) } else { Err(Denied::Outside(path.to_owned())) }
    }

    pub fn read(&self, path: &str, most: u64) -> Result<Vec<u8>, Denied> {
        let real = self.real(&self.root.join(path))?;
        let fail =
            |error: std::io::Error| Denied::Unreadable(self.root.join(path), error.to_string());
        let facts = real.metadata().map_err(fail)?;
        if !facts.is_file() {
            return Err(Denied::Unreadable(self.root.join(path), "not a file".into()));
        }
        if facts.len() > most {
            return Err(Denied::TooLarge(self.root.join(path), facts.len(), most));
        }
        let mut bytes = Vec::new();
        crate::file::open(&real).map_err(fail)?.take(most).read_to_end(&mut bytes).map_err(fail)?;
        Ok(bytes)
    }

    pub fn stat(&self, path: &str) -> Option<Kind> {
        kind(&self.locate(path).ok()?)
    }

    /// Names and kinds, sorted; `limits` bounds what is read and what is listed.
    pub fn list(
        &self,
        path: &str,
        limits: &Limits,
        waiter: &Waiter,
    ) -> Result<Vec<(String, Kind)>, Denied> {
        let real = self.real(&self.root.join(path))?;
        let fail =
            |error: std::io::Error| Denied::Unreadable(self.root.join(path), error.to_string());
        let mut names: Vec<String> = std::fs::read_dir(&real)
            .map_err(fail)?
            .take(limits.workspace_visits)
            .take_while(|_| !waiter.is_gone())
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort();
        let kinds = names.into_iter().take_while(|_| !waiter.is_gone()).filter_map(|name| {
            let kind = kind(&real.join(&name))?;
            Some((name, kind))
        });
        Ok(kinds.take(limits.workspace_entries).collect())
    }

    /// Paths relative to the root, sorted.
    pub fn glob(
        &self,
        pattern: &str,
        limits: &Limits,
        waiter: &Waiter,
    ) -> Result<Vec<String>, Denied> {
        let mut found = Glob::new(pattern)?.find(&self.real, limits.workspace_visits, waiter);
        found.sort();
        found.truncate(limits.workspace_entries);
        Ok(found)
    }
}

/// Whether any of the execute bits is set.
pub(crate) fn is_executable(facts: &Metadata) -> bool {
    facts.permissions().mode() & 0o111 != 0
}

fn kind(path: &Path) -> Option<Kind> {
    let facts = path.metadata().ok()?;
    Some(if facts.is_dir() {
        Kind::Directory
    } else if facts.is_file() {
        Kind::File
    } else {
        Kind::Other
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn project() -> (tempfile::TempDir, Files) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("project");
        std::fs::create_dir_all(root.join("src/deep")).unwrap();
        std::fs::create_dir_all(root.join(".venv/bin")).unwrap();
        std::fs::write(dir.path().join("secret"), "s").unwrap();
        for file in ["a.py", "b.txt", "src/c.py", "src/deep/d.py", ".venv/bin/e.py"] {
            std::fs::write(root.join(file), file).unwrap();
        }
        symlink("../secret", root.join("link")).unwrap();
        symlink("/", root.join("slash")).unwrap();
        symlink("a.py", root.join("inside")).unwrap();
        let files = Files::new(&root).unwrap();
        (dir, files)
    }

    #[test]
    fn nothing_outside_is_read() {
        let (dir, files) = project();
        assert_eq!(files.read("a.py", 10).unwrap(), b"a.py");
        assert_eq!(files.read("inside", 10).unwrap(), b"a.py");
        assert_eq!(
            files.read(dir.path().join("project/a.py").to_str().unwrap(), 10).unwrap(),
            b"a.py"
        );
        for path in ["../secret", "link", "slash/etc/hostname", "src/../../secret", "/etc/passwd"] {
            assert!(matches!(files.read(path, 10), Err(Denied::Outside(_))), "{path}");
        }
        assert!(matches!(files.read("a.py", 3), Err(Denied::TooLarge(_, 4, 3))));
        assert!(matches!(files.read("src", 3), Err(Denied::Unreadable(..))));
        let (_call, waiter) = Waiter::new();
        assert!(matches!(
            files.list("slash", &Limits::default(), &waiter),
            Err(Denied::Outside(_))
        ));
        assert_eq!(files.stat("../secret"), None);
        assert_eq!(files.stat("slash/etc"), None);
    }

    #[test]
    fn a_link_is_named_by_its_own_path() {
        let (dir, files) = project();
        let root = dir.path().canonicalize().unwrap().join("project");
        assert_eq!(files.locate("link").unwrap(), root.join("link"));
        assert_eq!(files.stat("link"), Some(Kind::File));
        assert!(matches!(files.locate("src/.."), Ok(path) if path == root));
        assert!(matches!(files.locate(".."), Err(Denied::Outside(_))));
    }

    #[test]
    fn a_program_behind_a_link_to_a_directory_is_named() {
        let (dir, files) = project();
        let root = dir.path().canonicalize().unwrap().join("project");
        assert_eq!(files.program("slash/bin/sh").unwrap(), dir.path().join("project/slash/bin/sh"));
        assert_eq!(files.program("link").unwrap(), root.join("link"));
        for path in ["slash/etc/passwd", "../project/slash/bin/sh", "/bin/sh"] {
            assert!(matches!(files.program(path), Err(Denied::Outside(_))), "{path}");
        }
    }

    #[test]
    fn globs_match_sorted_and_bounded() {
        let (_dir, files) = project();
        let (call, waiter) = Waiter::new();
        let all = Limits::default();
        let glob = |pattern| files.glob(pattern, &all, &waiter).unwrap();
        assert_eq!(glob("**/*.py"), ["a.py", "src/c.py", "src/deep/d.py"]);
        assert_eq!(glob("*.p?"), ["a.py"]);
        assert_eq!(glob("src/*/d.py"), ["src/deep/d.py"]);
        assert_eq!(glob(".venv/bin/*"), [".venv/bin/e.py"]);
        assert_eq!(glob("slash/*"), [""; 0]);
        assert_eq!(glob("none"), [""; 0]);
        assert_eq!(glob(""), [""; 0]);
        assert_eq!(glob("src/**"), ["src/c.py", "src/deep/d.py"]);
        assert_eq!(glob("./**//**/deep/**/*.py"), ["src/deep/d.py"]);
        assert_eq!(glob("**/deep"), ["src/deep"]);
        assert_eq!(glob("**/.venv/**/e.py"), [".venv/bin/e.py"]);
        assert_eq!(glob(".*"), [".venv"]);
        assert_eq!(glob("?.[p]y"), [""; 0]);
        assert_eq!(glob("sla**h"), ["slash"]);
        assert!(files.glob("../*", &all, &waiter).is_err());
        let few = Limits { workspace_entries: 1, ..Limits::default() };
        assert_eq!(files.glob("**/*.py", &few, &waiter).unwrap(), ["a.py"]);
        let blind = Limits { workspace_visits: 0, ..Limits::default() };
        assert_eq!(files.glob("**/*.py", &blind, &waiter).unwrap(), [""; 0]);
        drop(call);
        assert_eq!(files.glob("**/*.py", &all, &waiter).unwrap(), [""; 0]);
        assert!(files.list("", &all, &waiter).unwrap().is_empty());
    }

    #[test]
    fn patterns_of_any_shape_are_matched_in_bounded_time() {
        let (dir, files) = project();
        let name = "a".repeat(200);
        std::fs::write(dir.path().join("project").join(&name), "").unwrap();
        let deep = "d/".repeat(300);
        std::fs::create_dir_all(dir.path().join("project").join(&deep)).unwrap();
        let (_call, waiter) = Waiter::new();
        let all = Limits::default();
        let glob = |pattern: &str| files.glob(pattern, &all, &waiter);
        assert_eq!(glob(&("*a".repeat(40) + "b")).unwrap(), [""; 0]);
        assert_eq!(glob(&"*a".repeat(40)).unwrap(), [name]);
        assert_eq!(glob(&("**/d/".repeat(150) + "none")).unwrap(), [""; 0]);
        assert_eq!(glob(&"**/".repeat(100_000)), Err(Denied::LargePattern(300_000)));
    }
}
