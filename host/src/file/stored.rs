//! Files that many sessions have in common, in a directory of the cache. The name of the directory
//! is a hash of the files, so that it is the same in the next session. An interpreter writes its
//! compiled code next to the files, and finds it there in that session.
//!
//! A directory in use is locked. Directories without a use for 30 days are removed, and the least
//! recently used ones if there are too many. The modification time of the lock is the time of the
//! last use. Refuses to know what the files contain.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::private;

/// Directories without a use for this long are removed.
const AGE: Duration = Duration::from_secs(30 * 24 * 3600);
/// The most directories.
const MOST: usize = 24;
/// Start of the names of unfinished directories.
const UNFINISHED: &str = ".writing-";
/// Hexadecimal digits of a name.
const DIGITS: usize = 32;
/// A file in each directory, locked during its use.
const LOCK: &str = ".lock";

/// A directory that is not removed while this lives.
#[derive(Debug)]
pub struct Stored {
    path: PathBuf,
    _lock: File,
}

impl Stored {
    /// The directory of these files, by name and content. Writes it where it is missing.
    ///
    /// # Errors
    /// The system's, or a base directory that others may open.
    pub fn below(base: &Path, files: &[(&str, &[u8])]) -> io::Result<Self> {
        private::own_directory(base)?;
        let path = base.join(name(files));
        if path.exists() {
            match Self::open(&path, files) {
                Ok(stored) => return Ok(stored),
                // The files of a machine that lost its power may be empty.
                Err(error) => {
                    tracing::warn!(directory = %path.display(), %error, "written again");
                    remove(base, &path)?;
                }
            }
        }
        write(base, &path, files)?;
        prune(base, &path, SystemTime::now());
        Self::open(&path, files)
    }

    /// Fails if another host removes the directory meanwhile.
    fn open(path: &Path, files: &[(&str, &[u8])]) -> io::Result<Self> {
        let lock = File::options().write(true).open(path.join(LOCK))?;
        lock.lock_shared()?;
        for (name, content) in files {
            if super::read(&path.join(name), content.len() as u64)? != *content {
                let problem = format!("{} was changed", path.join(name).display());
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
        }
        // After a failure the directory merely counts as older than it is.
        let _ = lock.set_modified(SystemTime::now());
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn name(files: &[(&str, &[u8])]) -> String {
    let mut hasher = Sha256::new();
    for (name, content) in files {
        for part in [name.as_bytes(), content] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    let digest = format!("{:x}", hasher.finalize());
    digest[..DIGITS].to_owned()
}

/// Makes the directory by a rename, so that other hosts see all of it or nothing.
fn write(base: &Path, path: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    let dir = private::temporary(base, UNFINISHED)?;
    for (name, content) in files {
        private::write(&dir.path().join(name), content)?;
    }
    private::file(&dir.path().join(LOCK))?;
    let made = std::fs::rename(dir.path(), path);
    if path.exists() {
        // This host or another one made it; without it the rest is removed with `dir`.
        if made.is_ok() {
            let _ = dir.keep();
        }
        return Ok(());
    }
    made
}

/// Removes directories that were not used for long, and the least recently used ones of many.
/// Never removes `keep` or a directory in use.
fn prune(base: &Path, keep: &Path, now: SystemTime) {
    let mut others = Vec::new();
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let path = entry.path();
        let facts = path.join(LOCK).symlink_metadata().or_else(|_| entry.metadata());
        if let Ok(used) = facts.and_then(|facts| facts.modified())
            && path != keep
        {
            others.push((used, path));
        }
    }
    others.sort();
    let mut surplus = (others.len() + 1).saturating_sub(MOST);
    for (used, path) in others {
        let is_old = now.duration_since(used).unwrap_or_default() > AGE;
        if !is_old && surplus == 0 {
            continue;
        }
        // One without a lock is unfinished. The lock is held until the files are removed.
        let lock = File::options().write(true).open(path.join(LOCK)).ok();
        let is_in_use = lock
            .as_ref()
            .is_some_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
        if !is_in_use {
            drop(std::fs::remove_dir_all(&path));
            surplus = surplus.saturating_sub(1);
        }
    }
}

/// Removes a directory; hosts that look for it meanwhile find none. One that uses it goes on with
/// the files that it has opened.
fn remove(base: &Path, path: &Path) -> io::Result<()> {
    let removed = private::temporary(base, UNFINISHED)?;
    std::fs::rename(path, removed.path())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    fn stored(base: &Path, content: &str) -> io::Result<Stored> {
        Stored::below(base, &[("a.x", content.as_bytes()), ("b.x", b"2")])
    }

    fn count(base: &Path) -> usize {
        std::fs::read_dir(base).unwrap().count()
    }

    #[test]
    fn equal_files_have_the_same_path() {
        let temporary = tempfile::tempdir().unwrap();
        let base = &temporary.path().join("files");
        let (one, equal, other) =
            (stored(base, "1").unwrap(), stored(base, "1").unwrap(), stored(base, "3").unwrap());
        assert_eq!(one.path(), equal.path());
        assert_ne!(one.path(), other.path());
        assert_eq!(std::fs::read(other.path().join("a.x")).unwrap(), b"3");
        std::fs::write(one.path().join("a.compiled"), "code").unwrap();
        let path = one.path().to_owned();
        drop((one, equal));
        assert!(stored(base, "1").unwrap().path().join("a.compiled").exists());
        assert_eq!(count(base), 2, "an unfinished directory was left");
        for damage in [path.join("a.x"), path.join("b.x")] {
            std::fs::write(&damage, "4").unwrap();
            let again = stored(base, "1").unwrap();
            assert_eq!(again.path(), path);
            assert_eq!(std::fs::read(path.join("a.x")).unwrap(), b"1");
            assert!(!path.join("a.compiled").exists());
        }
        std::fs::remove_file(path.join(LOCK)).unwrap();
        drop(stored(base, "1").unwrap());
        assert_eq!(count(base), 2, "a damaged directory was left");
    }

    #[test]
    fn directory_of_others_is_refused() {
        let base = tempfile::tempdir().unwrap();
        std::fs::set_permissions(base.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let error = stored(base.path(), "1").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(count(base.path()), 0);
    }

    #[test]
    fn unused_directories_are_removed_and_used_ones_stay() {
        let temporary = tempfile::tempdir().unwrap();
        let base = &temporary.path().join("files");
        let now = SystemTime::now();
        let used = |days: u32, content: &str| {
            let stored = stored(base, content).unwrap();
            let lock = File::options().write(true).open(stored.path().join(LOCK)).unwrap();
            lock.set_modified(now - days * DAY).unwrap();
            stored
        };
        let (in_use, old, recent) = (used(40, "in use"), used(31, "old"), used(29, "recent"));
        let paths = [&in_use, &old, &recent].map(|one| one.path().to_owned());
        drop((old, recent));
        let keep = used(0, "keep");
        prune(base, keep.path(), now);
        assert_eq!(paths.map(|path| path.exists()), [true, false, true]);
        for at in 0..MOST + 5 {
            drop(used(10, &at.to_string()));
        }
        prune(base, keep.path(), now);
        assert!(keep.path().exists() && in_use.path().exists());
        assert_eq!(count(base), MOST);
    }
}
