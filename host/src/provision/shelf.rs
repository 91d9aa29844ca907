//! The directory of installs: its lock, its scratch directories, and the renames that add or remove
//! an install atomically. Knows no source.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::TempDir;

use super::Error;
use super::progress::Progress;
use crate::file::private;

/// Start of the names of directories that are being made or removed.
const SCRATCH: &str = ".new-";

/// Waits for another install to end. The lock ends when the file is dropped.
pub(super) async fn lock(base: &Path, progress: &Progress) -> Result<File, Error> {
    let fail = |error| Error::file("lock", base, error);
    private::directory(base).map_err(fail)?;
    let file = private::file(&base.join(".lock")).map_err(fail)?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => progress.say("waiting for another install to end …"),
        Err(TryLockError::Error(error)) => return Err(fail(error)),
    }
    let waited = tokio::task::spawn_blocking(move || file.lock().map(|()| file)).await;
    waited.map_err(|lost| fail(io::Error::other(lost)))?.map_err(fail)
}

/// A directory for an install in progress, on the same file system; deleted on drop.
pub(super) fn scratch(base: &Path) -> Result<TempDir, Error> {
    private::temporary(base, SCRATCH)
        .map_err(|error| Error::file("make a directory in", base, error))
}

/// Removes the scratch directories of killed installs. The caller has the lock, so none of them is
/// in use.
pub(super) fn sweep(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(SCRATCH) {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Moves a finished install into place, and removes an incomplete one there.
pub(super) fn put(made: &Path, place: &Path) -> Result<(), Error> {
    let shelf = place.parent().unwrap_or(place);
    let put = || {
        private::directory(shelf)?;
        if place.exists() {
            fs::remove_dir_all(place)?;
        }
        fs::rename(made, place)
    };
    put().map_err(|error| Error::file("write", place, error))
}

/// Removes a plugin's installs and returns their names.
pub(super) fn remove(base: &Path, shelf: &Path) -> Result<Vec<String>, Error> {
    let fail = |error| Error::file("remove", shelf, error);
    let entries = fs::read_dir(shelf).map_err(fail)?.flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let scratch = scratch(base)?;
    fs::rename(shelf, scratch.path().join("removed")).map_err(fail)?;
    scratch.close().map_err(fail)?;
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// The user runs these programs, so others may not write them.
    #[tokio::test]
    async fn installs_are_open_to_nobody_else() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join("data/adapters");
        let place = base.join("plugin/1.0");
        let _lock = lock(&base, &Progress::default()).await.unwrap();
        let scratch = scratch(&base).unwrap();
        private::directory(&scratch.path().join("made")).unwrap();
        put(&scratch.path().join("made"), &place).unwrap();
        for path in [&base, scratch.path(), place.parent().unwrap(), &place, &base.join(".lock")] {
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
        }
    }
}
