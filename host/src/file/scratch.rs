//! A directory of ours in the temporary directory, for as long as it is used.
//!
//! A host that is killed leaves its directories behind; the next one removes them. Whose they are
//! the numbers of processes cannot say, since containers that share a temporary directory do not
//! share those: the living hold a lock.
//!
//! What is written there may be the user's source or input: [`private`] creates all of it.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::geteuid;
use tempfile::TempDir;

use super::private;

/// How the names of such directories begin.
const PREFIX: &str = "dapdock-";
/// In each: locked for as long as it is in use.
const LOCK: &str = ".lock";

/// Deleted when it is dropped.
#[derive(Debug)]
pub struct Scratch {
    dir: TempDir,
    _lock: File,
}

impl Scratch {
    /// A new one below `base`. What killed hosts have left there goes.
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// The lock has its name only once it is held: nobody finds it free before.
fn locked(dir: &Path) -> io::Result<File> {
    let unnamed = dir.join(".lock-new");
    let lock = private::file(&unnamed)?;
    lock.lock()?;
    std::fs::rename(unnamed, dir.join(LOCK))?;
    Ok(lock)
}

/// One that has no lock (yet) stays.
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
    fn what_is_in_use_stays_and_what_was_left_goes() {
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
