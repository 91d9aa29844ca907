//! Notifications about resources: `resources/updated` for subscriptions, `resources/list_changed`
//! when a session comes or goes.
//!
//! Changes within [`DEBOUNCE`] are one notification. A caller that does not read delays only its
//! own notifications: what changed meanwhile is one notification too.

use std::collections::BTreeSet;
use std::time::Duration;

use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{SubscriptionSendError, SubscriptionSink};
use rmcp::{Peer, RoleServer};
use tokio::time::Instant;

use super::super::wait::until;
use super::mark::mark;
use super::subscriptions::Subscriptions;
use crate::session::{Handle, Sessions};

/// From a change to its notification.
const DEBOUNCE: Duration = Duration::from_millis(100);

/// The receiver of notifications.
pub(in crate::mcp) enum Receiver {
    Peer(Peer<RoleServer>),
    /// A request `subscriptions/listen`.
    Sink(SubscriptionSink),
}

impl Receiver {
    /// Whether it takes notifications about the list.
    fn takes_list(&self) -> bool {
        match self {
            Self::Peer(_) => true,
            Self::Sink(sink) => accepts_list(sink.accepted()),
        }
    }

    async fn list_changed(&self) -> Result<(), SubscriptionSendError> {
        match self {
            Self::Peer(peer) => Ok(peer.notify_resource_list_changed().await?),
            Self::Sink(sink) => sink.notify_resource_list_changed().await,
        }
    }

    async fn updated(&self, uri: String) -> Result<(), SubscriptionSendError> {
        match self {
            Self::Peer(peer) => {
                let changed = ResourceUpdatedNotificationParam::new(uri);
                Ok(peer.notify_resource_updated(changed).await?)
            }
            Self::Sink(sink) => sink.notify_resource_updated(uri).await,
        }
    }
}

fn accepts_list(filter: &SubscriptionFilter) -> bool {
    filter.resources_list_changed == Some(true)
}

/// Sends notifications until the connection ends.
pub(in crate::mcp) async fn follow(
    sessions: &Sessions,
    subscriptions: &Subscriptions,
    receiver: &Receiver,
) {
    let mut changes = sessions.feed().changes();
    let mut list = names(&sessions.all());
    // Fails only when the sessions are gone, and the connection with them.
    while changes.changed().await.is_ok() {
        until(Instant::now() + DEBOUNCE).await;
        changes.mark_unchanged();
        if let Err(error) = notify(&mut list, sessions, subscriptions, receiver).await {
            return tracing::debug!(%error, "updates of resources end");
        }
    }
}

fn names(all: &[Handle]) -> BTreeSet<String> {
    all.iter().map(|handle| handle.id().to_string()).collect()
}

/// `list`: the names of the sessions at the last notification.
async fn notify(
    list: &mut BTreeSet<String>,
    sessions: &Sessions,
    subscriptions: &Subscriptions,
    receiver: &Receiver,
) -> Result<(), SubscriptionSendError> {
    let all = sessions.all();
    let before = std::mem::replace(list, names(&all));
    if *list != before && receiver.takes_list() {
        receiver.list_changed().await?;
    }
    for (uri, address) in subscriptions.list() {
        let mark = mark(&address, sessions, &all).await;
        if subscriptions.renew(&uri, mark) {
            receiver.updated(uri).await?;
        }
    }
    Ok(())
}
