//! Directories and files that only this user may open. The mode is given to the call that creates
//! them: neither the umask nor the moment before a later `chmod` opens them to others. Refuses to
//! know what they contain.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, mkfifoat};
use tempfile::TempDir;

const DIRECTORY: u32 = 0o700;
const FILE: u32 = 0o600;

/// Creates a directory and those above it that are missing.
///
/// # Errors
/// The system's.
pub fn directory(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(DIRECTORY).create(path)
}

/// Creates a directory as [`directory`] does, and checks one that was there before.
///
/// # Errors
/// The system's; another user owns it or has access.
pub fn own_directory(path: &Path) -> io::Result<()> {
    directory(path)?;
    if is_private(&path.symlink_metadata()?) {
        return Ok(());
    }
    let problem = format!("{} is not a directory of ours alone (mode 0700)", path.display());
    Err(io::Error::new(io::ErrorKind::PermissionDenied, problem))
}

/// Creates a directory with a name of its own in `base`; it is deleted when it is dropped.
///
/// # Errors
/// The system's.
pub fn temporary(base: &Path, prefix: &str) -> io::Result<TempDir> {
    let mode = Permissions::from_mode(DIRECTORY);
    tempfile::Builder::new().prefix(prefix).permissions(mode).tempdir_in(base)
}

/// Creates a file, or empties the one that is there, and opens it for writing.
///
/// # Errors
/// The system's.
pub fn file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(FILE).open(path)
}

/// Opens a file for appending; creates it where it is missing.
///
/// # Errors
/// The system's.
pub fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(FILE).open(path)
}

/// Creates a named pipe and opens both its ends, without waiting for others that open it. Reads and
/// writes do not wait either.
///
/// # Errors
/// The system's.
pub fn pipe(path: &Path) -> io::Result<File> {
    mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR)?;
    let flags = OFlags::NONBLOCK.bits().cast_signed();
    OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)
}

/// Whether this user owns it and nobody else has access; a link is not.
pub fn is_private(facts: &fs::Metadata) -> bool {
    facts.uid() == rustix::process::geteuid().as_raw()
        && facts.mode() & 0o077 == 0
        && !facts.is_symlink()
}

/// Writes a whole file.
///
/// # Errors
/// The system's.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    file(path)?.write_all(content.as_ref())
}

/// Writes a program that its owner may run, in place of the file that is there.
///
/// # Errors
/// The system's.
pub fn program(path: &Path, content: &str) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(DIRECTORY).open(path)?;
    file.write_all(content.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn nothing_created_is_open_to_others() {
        let base = temporary(&std::env::temp_dir(), "private-").unwrap();
        let at = |name: &str| base.path().join(name);
        directory(&at("a/b")).unwrap();
        file(&at("file")).unwrap();
        append(&at("log")).unwrap();
        pipe(&at("pipe")).unwrap();
        write(&at("text"), "1").unwrap();
        write(&at("run"), "old").unwrap();
        program(&at("run"), "#!/bin/sh\n").unwrap();
        assert_eq!(mode(base.path()), 0o700);
        assert_eq!(["a", "a/b", "run"].map(|name| mode(&at(name))), [0o700; 3]);
        assert_eq!(["file", "log", "pipe", "text"].map(|name| mode(&at(name))), [0o600; 4]);
        assert_eq!(fs::read_to_string(at("run")).unwrap(), "#!/bin/sh\n");
    }
}
