//! A directory of the host in the temporary directory, deleted after use.
//!
//! A killed host leaves its directories behind, and the next one removes them. A lock marks a
//! directory in use: process ids cannot, because containers may share a temporary directory and not
//! their processes.
//!
//! The content may be the user's source or input: [`private`] creates all of it.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::geteuid;
use tempfile::TempDir;

use super::private;

/// Start of the names of such directories.
const PREFIX: &str = "dapdock-";
/// A file in each, locked during its use.
const LOCK: &str = ".lock";

/// Deleted when it is dropped.
#[derive(Debug)]
pub struct Scratch {
    dir: TempDir,
    _lock: File,
}

impl Scratch {
    /// Creates one in `base`, and removes those that killed hosts have left there.
    ///
    /// # Errors
    /// The system's.
    pub fn below(base: &Path) -> io::Result<Self> {
        remove_orphans(base);
        let dir = private::temporary(base, PREFIX)?;
        let lock = locked(dir.path())?;
        Ok(Self { dir, _lock: lock })
    }

    /// Writes a file there.
    ///
    /// # Errors
    /// The system's.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> io::Result<()> {
        private::write(&self.path().join(name), content)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// Renames the lock file after locking it: other hosts never see it unlocked.
fn locked(dir: &Path) -> io::Result<File> {
    let unnamed = dir.join(".lock-new");
    let lock = private::file(&unnamed)?;
    lock.lock()?;
    std::fs::rename(unnamed, dir.join(LOCK))?;
    Ok(lock)
}

/// Removes the directories of this user with a free lock; one without a lock file may be new.
fn remove_orphans(base: &Path) {
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX))
            && entry
                .metadata()
                .is_ok_and(|facts| facts.is_dir() && facts.uid() == geteuid().as_raw());
        let lock = if ours { File::open(entry.path().join(LOCK)).ok() } else { None };
        if lock.is_some_and(|lock| lock.try_lock().is_ok()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_in_use_stay_and_abandoned_ones_go() {
        let base = tempfile::tempdir().unwrap();
        let make = || {
            let made = Scratch::below(base.path()).unwrap();
            std::fs::write(made.path().join("a"), "1").unwrap();
            made
        };
        let (live, killed) = (make(), make());
        let other = base.path().join("dapdock-other");
        std::fs::create_dir(&other).unwrap();
        let Scratch { dir, _lock: lock } = killed;
        let left = dir.keep();
        let next = make();
        assert!(left.join("a").exists(), "it was removed while its lock was held");
        drop(lock);
        let last = make();
        assert!(!left.exists());
        assert!([live.path(), next.path(), last.path()].iter().all(|path| path.join("a").exists()));
        assert!(other.exists());
        let gone = live.path().to_owned();
        drop(live);
        assert!(!gone.exists());
    }
}
