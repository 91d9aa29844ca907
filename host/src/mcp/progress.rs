//! Progress notifications of one call (MCP, "Progress"). Refuses to know what a call does.

use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::{Peer, RoleServer};

use crate::view::Text;

/// Receiver of a call's progress.
#[derive(Clone)]
pub(super) struct Progress {
    pub peer: Peer<RoleServer>,
    pub token: ProgressToken,
}

impl Progress {
    /// Sends a line. A caller that has disconnected is no error.
    pub async fn send(&self, elapsed: Duration, message: Text) {
        let note = ProgressNotificationParam::new(self.token.clone(), elapsed.as_secs_f64())
            .with_message(message);
        if let Err(error) = self.peer.notify_progress(note).await {
            tracing::debug!(%error, "progress was not delivered");
        }
    }
}
