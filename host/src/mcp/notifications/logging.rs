//! MCP, "Logging": records of the caller, of its sessions and of the host itself, at or above the
//! level that the caller sets; none until it sets one.
//!
//! Knows levels. Refuses to know what is logged.

use rmcp::model::{CustomNotification, ServerNotification};
use rmcp::service::ServiceError;
use rmcp::{Peer, RoleServer};
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tracing::Level;
use tracing::level_filters::LevelFilter;

use crate::log::{Follower, Record};
use crate::session::{Feed, LogLine};

/// The levels of MCP, as RFC 5424 names them, and the least serious records that each lets through.
const LEVELS: [(&str, LevelFilter); 8] = [
    ("debug", LevelFilter::DEBUG),
    ("info", LevelFilter::INFO),
    ("notice", LevelFilter::WARN),
    ("warning", LevelFilter::WARN),
    ("error", LevelFilter::ERROR),
    ("critical", LevelFilter::OFF),
    ("alert", LevelFilter::OFF),
    ("emergency", LevelFilter::OFF),
];

/// The records of one caller, and its level.
pub(in crate::mcp) struct Logging {
    own: Follower,
    level: watch::Sender<LevelFilter>,
}

impl Logging {
    /// `own`: follows the host's log for the caller.
    pub fn new(own: Follower) -> Self {
        Self { own, level: watch::Sender::new(LevelFilter::OFF) }
    }

    /// `name`: a level of MCP.
    pub fn set(&self, name: &str) {
        if let Some((_, level)) = LEVELS.iter().find(|(known, _)| *known == name) {
            self.own.set_level(*level);
            self.level.send_replace(*level);
        }
    }

    /// Sends records until the connection ends. A caller that does not read misses the oldest; a
    /// warning has their number.
    pub async fn push(&self, feed: &Feed, peer: &Peer<RoleServer>) {
        let mut level_set = self.level.subscribe();
        if level_set.wait_for(|level| *level != LevelFilter::OFF).await.is_err() {
            return;
        }
        let mut sessions = feed.log();
        loop {
            let (record, logger) = tokio::select! {
                record = self.own.next() => (record, OWN.to_owned()),
                line = sessions.recv() => match line {
                    Ok(line) => of_session(line),
                    Err(RecvError::Lagged(missed)) => (Record::missed(missed), OWN.to_owned()),
                    Err(RecvError::Closed) => return,
                },
            };
            if record.level > *self.level.borrow() {
                continue;
            }
            if let Err(error) = send(peer, &record, &logger).await {
                return tracing::debug!(%error, "log records end");
            }
        }
    }
}

/// The logger of the host's own records.
const OWN: &str = "dapdock";

/// A line of a session's log, and its logger.
fn of_session(line: LogLine) -> (Record, String) {
    let level = if line.is_failure { Level::ERROR } else { Level::INFO };
    (Record { level, text: line.text }, line.session.to_string())
}

async fn send(peer: &Peer<RoleServer>, record: &Record, logger: &str) -> Result<(), ServiceError> {
    let level = match record.level {
        Level::ERROR => "error",
        Level::WARN => "warning",
        Level::INFO => "info",
        _ => "debug",
    };
    let params = json!({"level": level, "logger": logger, "data": record.text});
    let note = CustomNotification::new("notifications/message", Some(params));
    peer.send_notification(ServerNotification::from(note)).await
}
