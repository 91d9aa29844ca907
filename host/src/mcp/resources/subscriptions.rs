//! The resources that one caller has subscribed to (MCP, "Resources", "Subscriptions").
//!
//! Refuses to know how a change is found.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::ErrorData;

use super::super::toolset::Tools;
use super::address::Address;
use super::mark::{Mark, mark};
use super::read::{missing, parse};
use crate::session::Sessions;

/// Subscriptions of one caller at most.
const MOST: usize = 200;

/// By address as the caller wrote it, which its notifications carry.
#[derive(Default)]
pub(in crate::mcp) struct Subscriptions {
    all: Mutex<BTreeMap<String, Subscription>>,
}

struct Subscription {
    address: Address,
    /// As of the latest notification, or of the subscription.
    mark: Mark,
}

impl Subscriptions {
    /// # Errors
    /// There is no such resource, its tool is off, or the caller has too many subscriptions.
    pub async fn add(
        &self,
        sessions: &Sessions,
        tools: &Tools,
        uri: String,
    ) -> Result<(), ErrorData> {
        let address = parse(tools, &uri)?;
        if let Address::Session(session, _) | Address::Source { session, .. } = &address {
            let found = sessions.get(Some(session));
            found.map_err(|error| missing(&uri, &error.to_string()))?;
        }
        if let Address::Document { adapter, document } = &address {
            let found = sessions.document(adapter, document).await;
            let found = found.map_err(|error| missing(&uri, &error.to_string()))?;
            found.map_err(|error| missing(&uri, &error.to_string()))?;
        }
        let mark = mark(&address, sessions, &sessions.all()).await;
        let mut all = self.all();
        if all.len() >= MOST && !all.contains_key(&uri) {
            let cause = format!("{uri}: there are {MOST} subscriptions; resources/unsubscribe one");
            return Err(ErrorData::invalid_params(cause, None));
        }
        all.insert(uri, Subscription { address, mark });
        Ok(())
    }

    /// Nothing happens if there is no such subscription.
    pub fn remove(&self, uri: &str) {
        self.all().remove(uri);
    }

    pub(super) fn list(&self) -> Vec<(String, Address)> {
        self.all().iter().map(|(uri, one)| (uri.clone(), one.address.clone())).collect()
    }

    /// Replaces the mark of a subscription; whether it differs.
    pub(super) fn renew(&self, uri: &str, mark: Mark) -> bool {
        let mut all = self.all();
        let Some(one) = all.get_mut(uri) else { return false };
        std::mem::replace(&mut one.mark, mark) != one.mark
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Subscription>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
