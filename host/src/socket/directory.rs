//! The directory of the sockets: in the user's runtime directory, closed to other users.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::Name;
use crate::file::private;

/// Why the sockets cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Other users could replace the sockets.
    #[error(
        "{}: {fault}; remove it or set XDG_RUNTIME_DIR to a directory of yours",
        path.display()
    )]
    Unsafe {
        /// The directory or the socket.
        path: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// A host that lives has the name.
    #[error("{}: another host listens there", path.display())]
    Taken {
        /// The socket.
        path: PathBuf,
    },
    /// The system's.
    #[error("{}: {error}", path.display())]
    System {
        /// The directory or the socket.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
}

impl Error {
    pub(super) fn system(path: &Path, error: io::Error) -> Self {
        Self::System { path: path.to_owned(), error }
    }
}

/// A checked directory.
#[derive(Clone, Debug)]
pub struct Directory(PathBuf);

/// While it lives, no other process starts a host.
pub struct Starting(#[expect(dead_code, reason = "the lock ends with the file")] File);

impl Directory {
    /// `$XDG_RUNTIME_DIR/dapdock`, else `dapdock-UID` in the directory of temporary files. Creates
    /// it where it is missing.
    ///
    /// # Errors
    /// It is not a directory of this user, or others may use it.
    pub fn usual() -> Result<Self, Error> {
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
        let path = match runtime.filter(|path| path.is_absolute()) {
            Some(runtime) => runtime.join("dapdock"),
            None => std::env::temp_dir().join(format!("dapdock-{}", geteuid().as_raw())),
        };
        Self::at(path)
    }

    /// # Errors
    /// It is not a directory of this user, or others may use it.
    pub fn at(path: PathBuf) -> Result<Self, Error> {
        private::directory(&path).map_err(|error| Error::system(&path, error))?;
        // Not of the target of a link, which another user could change.
        let found = fs::symlink_metadata(&path).map_err(|error| Error::system(&path, error))?;
        let mode = found.permissions().mode() & 0o777;
        let fault = if !found.is_dir() {
            Some("not a directory".to_owned())
        } else if found.uid() != geteuid().as_raw() {
            Some(format!("belongs to user {}", found.uid()))
        } else if mode & 0o077 != 0 {
            Some(format!("other users may use it (mode {mode:o})"))
        } else {
            None
        };
        match fault {
            Some(fault) => Err(Error::Unsafe { path, fault }),
            None => Ok(Self(path)),
        }
    }

    /// Waits until no other process starts a host.
    ///
    /// # Errors
    /// The system's.
    pub fn lock(&self) -> Result<Starting, Error> {
        let path = self.0.join("start.lock");
        let lock = private::append(&path).map_err(|error| Error::system(&path, error))?;
        flock(&lock, FlockOperation::LockExclusive)
            .map_err(|error| Error::system(&path, error.into()))?;
        Ok(Starting(lock))
    }

    /// Takes a name until the file is dropped. That of an agent's host is its own.
    pub(super) fn take(&self, name: Name) -> Result<Option<File>, Error> {
        if name != Name::Background {
            return Ok(None);
        }
        let path = self.0.join(name.file()).with_extension("lock");
        let lock = private::append(&path).map_err(|error| Error::system(&path, error))?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(lock)),
            Err(Errno::WOULDBLOCK) => Err(Error::Taken { path: self.socket(name) }),
            Err(error) => Err(Error::system(&path, error.into())),
        }
    }

    /// The path of a socket.
    pub fn socket(&self, name: Name) -> PathBuf {
        self.0.join(name.file())
    }

    /// The names of all sockets, those of dead hosts included.
    pub(super) fn names(&self) -> Result<Vec<Name>, Error> {
        let entries = fs::read_dir(&self.0).map_err(|error| Error::system(&self.0, error))?;
        let mut names = Vec::new();
        for entry in entries.flatten() {
            names.extend(entry.file_name().to_str().and_then(Name::of));
        }
        names.sort_by_key(|name| name.file());
        Ok(names)
    }
}
