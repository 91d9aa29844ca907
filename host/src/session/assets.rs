//! The directory that holds a plan's files while its session lives.
//!
//! A host that is killed leaves its directories behind; the next one removes them. Whose they are the numbers of
//! processes cannot say, since containers that share a temporary directory do not share those: the living hold a lock.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::process::geteuid;
use tempfile::TempDir;

use crate::model::plan::Asset;

/// How the names of such directories begin.
const PREFIX: &str = "dapdock-";
/// In each: locked for as long as it is in use.
const LOCK: &str = ".lock";

/// Deleted when it is dropped.
pub(super) struct Assets {
    dir: TempDir,
    _lock: File,
}

impl Assets {
    /// Writes the files into a directory of their own below `base`; none: there are none.
    pub(super) fn write(base: &Path, assets: &[Asset]) -> io::Result<Option<Self>> {
        if assets.is_empty() {
            return Ok(None);
        }
        remove_orphans(base);
        let dir = tempfile::Builder::new().prefix(PREFIX).tempdir_in(base)?;
        let lock = locked(dir.path())?;
        for asset in assets {
            std::fs::write(dir.path().join(&asset.name), &asset.content)?;
        }
        Ok(Some(Self { dir, _lock: lock }))
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }
}

/// The lock has its name only once it is held: nobody finds it free before.
fn locked(dir: &Path) -> io::Result<File> {
    let unnamed = dir.join(".lock-new");
    let lock = File::create(&unnamed)?;
    lock.lock()?;
    std::fs::rename(unnamed, dir.join(LOCK))?;
    Ok(lock)
}

/// Removes what hosts that were killed have left. One that has no lock (yet) stays.
fn remove_orphans(base: &Path) {
    for entry in std::fs::read_dir(base).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX))
            && entry.metadata().is_ok_and(|facts| facts.is_dir() && facts.uid() == geteuid().as_raw());
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
        let assets = [Asset { name: "a.py".into(), content: b"1".to_vec() }];
        let write = || Assets::write(base.path(), &assets).unwrap().unwrap();
        let (live, killed) = (write(), write());
        let other = base.path().join("dapdock-other");
        std::fs::create_dir(&other).unwrap();
        let Assets { dir, _lock: lock } = killed;
        let left = dir.keep();
        let next = write();
        assert!(left.join("a.py").exists(), "it was removed while its lock was held");
        drop(lock);
        let last = write();
        assert!(!left.exists());
        assert!([live.path(), next.path(), last.path()].iter().all(|path| path.join("a.py").exists()));
        assert!(other.exists());
        let gone = live.path().to_owned();
        drop(live);
        assert!(!gone.exists());
        assert!(Assets::write(base.path(), &[]).unwrap().is_none());
    }
}
