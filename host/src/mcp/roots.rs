//! The roots of a client (MCP 2025-11-25, "Roots"): the directories that it works in. Its relative
//! paths start at the first.
//!
//! Later versions of MCP deprecate them and have no requests of a server.

#![expect(deprecated, reason = "MCP deprecates roots after 2025-11-25, whose clients have them")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use rmcp::model::Root;
use rmcp::{Peer, RoleServer};
use tokio::sync::watch;

/// The roots of one client. The default asks for them.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    known: Arc<watch::Sender<Known>>,
    /// The configuration is that of the first root.
    configures: bool,
}

#[derive(Clone, Debug, Default)]
enum Known {
    /// The client has not listed them.
    #[default]
    Nothing,
    /// The first root that is a directory of this machine.
    First(Option<PathBuf>),
}

impl Roots {
    /// Of the only client of a host.
    pub fn configuring() -> Self {
        Self { configures: true, ..Self::default() }
    }

    /// Whether the configuration is that of the first root.
    pub(super) fn configures(&self) -> bool {
        self.configures
    }

    /// Asks a client that has roots.
    pub(super) async fn read(&self, peer: &Peer<RoleServer>) {
        if !has_roots(peer) {
            return;
        }
        // Calls that the client makes after a change wait for the new list.
        self.known.send_replace(Known::Nothing);
        let listed = peer.list_roots().await;
        let first = match listed {
            Ok(listed) => listed.roots.iter().find_map(directory),
            Err(error) => {
                tracing::debug!(%error, "the client does not list its roots");
                None
            }
        };
        self.known.send_replace(Known::First(first));
    }

    /// The first root. Waits for a client that has roots until it lists them, and once for `limit`.
    pub(super) async fn first(&self, peer: &Peer<RoleServer>, limit: Duration) -> Option<PathBuf> {
        if !has_roots(peer) {
            return None;
        }
        let mut known = self.known.subscribe();
        let listed = known.wait_for(|known| matches!(known, Known::First(_)));
        if tokio::time::timeout(limit, listed).await.is_err() {
            tracing::warn!("the client has not listed its roots");
            self.known.send_replace(Known::First(None));
        }
        match &*self.known.borrow() {
            Known::First(first) => first.clone(),
            Known::Nothing => None,
        }
    }
}

fn has_roots(peer: &Peer<RoleServer>) -> bool {
    peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some())
}

/// A root as a directory of this machine.
fn directory(root: &Root) -> Option<PathBuf> {
    let path = root.uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let path = PathBuf::from(percent_decode_str(path).decode_utf8().ok()?.as_ref());
    (path.is_absolute() && path.is_dir()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_directories_of_this_machine() {
        let folder = tempfile::Builder::new().prefix("a b ").tempdir().unwrap();
        let uri = format!("file://{}", folder.path().display()).replace(' ', "%20");
        assert_eq!(directory(&Root::new(uri.clone())).as_deref(), Some(folder.path()));
        assert_eq!(directory(&Root::new(format!("{uri}/missing"))), None);
        assert_eq!(directory(&Root::new("https://example.org/")), None);
        assert_eq!(directory(&Root::new("file://other-machine/srv")), None);
    }
}
