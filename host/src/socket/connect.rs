//! Connections to hosts that listen.

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};

use rustix::io::Errno;
use rustix::process::{Pid, geteuid, test_kill_process};
use tokio::net::UnixStream;

use super::{Directory, Error, Name};

/// A connection to a host.
#[derive(Debug)]
pub struct Connected {
    /// The host's socket.
    pub name: Name,
    /// The host's process.
    pub pid: Option<i32>,
    /// Both directions.
    pub stream: UnixStream,
}

/// Connects to a host; `None` if none listens there.
///
/// # Errors
/// The socket is another user's, or the system's.
pub async fn connect(directory: &Directory, name: Name) -> Result<Option<Connected>, Error> {
    let path = directory.socket(name);
    let found = match fs::symlink_metadata(&path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::system(&path, error)),
    };
    let uid = geteuid().as_raw();
    if !found.file_type().is_socket() || found.uid() != uid {
        let fault = "not a socket of yours".to_owned();
        return Err(Error::Unsafe { path, fault });
    }
    let stream = match UnixStream::connect(&path).await {
        Ok(stream) => stream,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(Error::system(&path, error)),
    };
    let peer = stream.peer_cred().map_err(|error| Error::system(&path, error))?;
    if peer.uid() != uid {
        let fault = format!("user {} listens there", peer.uid());
        return Err(Error::Unsafe { path, fault });
    }
    Ok(Some(Connected { name, pid: peer.pid(), stream }))
}

/// The socket is gone, or its host is dead.
fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

/// Connections to all hosts of this user, in order of their names. Removes the sockets of agents'
/// hosts that are dead.
///
/// # Errors
/// The directory cannot be read. A single host that cannot be reached is left out.
pub async fn hosts(directory: &Directory) -> Result<Vec<Connected>, Error> {
    let mut hosts = Vec::new();
    for name in directory.names()? {
        match connect(directory, name).await {
            Ok(Some(host)) => hosts.push(host),
            Ok(None) => remove_dead(directory, name),
            Err(error) => tracing::warn!(%error, "a host is left out"),
        }
    }
    Ok(hosts)
}

/// No other process has the name of an agent's host: its pid is in it.
fn remove_dead(directory: &Directory, name: Name) {
    let Name::Agent(pid) = name else { return };
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    if pid.is_some_and(|pid| test_kill_process(pid) == Err(Errno::SRCH)) {
        drop(fs::remove_file(directory.socket(name)));
    }
}
