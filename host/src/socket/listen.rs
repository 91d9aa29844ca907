//! A listening socket: it exists as long as its listener, and accepts the same user only.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::geteuid;
use tokio::net::{UnixListener, UnixStream};
use tokio::time::Instant;

use super::{Directory, Error, Name};

/// From a connection that cannot be accepted to the next attempt.
const ACCEPT_AGAIN: Duration = Duration::from_millis(500);

/// Accepts connections of this user.
#[derive(Debug)]
pub struct Listener {
    path: PathBuf,
    /// Inode of the socket: another host may have made one with the same name later.
    inode: u64,
    listener: UnixListener,
    /// No other host takes the name while it lives.
    _name: Option<File>,
}

impl Listener {
    /// Replaces the socket of a host that is dead.
    ///
    /// # Errors
    /// A host of this name lives, or the system's, as for a path that is too long.
    pub fn bind(directory: &Directory, name: Name) -> Result<Self, Error> {
        let path = directory.socket(name);
        let taken = directory.take(name)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::system(&path, error));
            }
            _ => {}
        }
        let listener = UnixListener::bind(&path).map_err(|error| Error::system(&path, error))?;
        // The directory is closed to others.
        fs::set_permissions(&path, Permissions::from_mode(0o600))
            .map_err(|error| Error::system(&path, error))?;
        let found = fs::symlink_metadata(&path).map_err(|error| Error::system(&path, error))?;
        Ok(Self { path, inode: found.ino(), listener, _name: taken })
    }

    /// The next connection of this user. Safe to cancel. One that cannot be accepted, as when too
    /// many files are open, is tried again after a while: no event says that it can be.
    pub async fn accept(&self) -> UnixStream {
        loop {
            let stream = match self.listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "a caller cannot connect yet");
                    tokio::time::sleep_until(Instant::now() + ACCEPT_AGAIN).await;
                    continue;
                }
            };
            match stream.peer_cred() {
                Ok(peer) if peer.uid() == geteuid().as_raw() => return stream,
                Ok(peer) => tracing::warn!(user = peer.uid(), "refused another user"),
                Err(error) => tracing::warn!(%error, "refused an unknown user"),
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let is_own = |found: fs::Metadata| found.ino() == self.inode;
        if fs::symlink_metadata(&self.path).is_ok_and(is_own) {
            // One that is missing was removed by the user.
            drop(fs::remove_file(&self.path));
        }
    }
}
