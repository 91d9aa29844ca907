//! A listening socket: it exists as long as its listener, and accepts the same user only.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use rustix::process::geteuid;
use tokio::net::{UnixListener, UnixStream};

use super::{Directory, Error, Name};

/// Accepts connections of this user.
#[derive(Debug)]
pub struct Listener {
    path: PathBuf,
    listener: UnixListener,
}

impl Listener {
    /// Replaces the socket of a host that is dead. The caller holds the directory's lock, or the
    /// name is its own.
    ///
    /// # Errors
    /// The system's, as for a path that is too long.
    pub fn bind(directory: &Directory, name: Name) -> Result<Self, Error> {
        let path = directory.socket(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::system(&path, error));
            }
            _ => {}
        }
        let listener = UnixListener::bind(&path).map_err(|error| Error::system(&path, error))?;
        // Until then the mode of the directory keeps others away.
        fs::set_permissions(&path, Permissions::from_mode(0o600))
            .map_err(|error| Error::system(&path, error))?;
        Ok(Self { path, listener })
    }

    /// The next connection of this user. Safe to cancel.
    ///
    /// # Errors
    /// The system's, as when too many files are open.
    pub async fn accept(&self) -> io::Result<UnixStream> {
        loop {
            let (stream, _) = self.listener.accept().await?;
            match stream.peer_cred() {
                Ok(peer) if peer.uid() == geteuid().as_raw() => return Ok(stream),
                Ok(peer) => tracing::warn!(user = peer.uid(), "refused another user"),
                Err(error) => tracing::warn!(%error, "refused an unknown user"),
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // One that is missing was removed by the user.
        drop(fs::remove_file(&self.path));
    }
}
