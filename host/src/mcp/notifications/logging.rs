//! MCP, "Logging": records of the host and of its sessions at or above the level that the caller
//! sets; none until it sets one.
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

use crate::log;
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

/// The level of one caller.
pub(in crate::mcp) struct Logging(watch::Sender<LevelFilter>);

impl Default for Logging {
    fn default() -> Self {
        Self(watch::Sender::new(LevelFilter::OFF))
    }
}

impl Logging {
    /// `name`: a level of MCP.
    pub fn set(&self, name: &str) {
        if let Some((_, level)) = LEVELS.iter().find(|(known, _)| *known == name) {
            log::set_level(*level);
            self.0.send_replace(*level);
        }
    }

    /// Sends records until the connection ends. A caller that does not read misses the oldest; a
    /// warning has their number.
    pub async fn push(&self, feed: &Feed, peer: &Peer<RoleServer>) {
        let mut level_set = self.0.subscribe();
        if level_set.wait_for(|level| *level != LevelFilter::OFF).await.is_err() {
            return;
        }
        let (mut own, mut sessions) = (log::follow(), feed.log());
        loop {
            let record = tokio::select! {
                record = own.recv() => record.map(of_host),
                line = sessions.recv() => line.map(of_session),
            };
            let (level, logger, text) = match record {
                Ok(record) => record,
                Err(RecvError::Closed) => return,
                Err(RecvError::Lagged(missed)) => {
                    let text = format!("{missed} log records were not sent: they were not read");
                    (Level::WARN, "dapdock".to_owned(), text)
                }
            };
            if level > *self.0.borrow() {
                continue;
            }
            if let Err(error) = send(peer, level, &logger, &text).await {
                return tracing::debug!(%error, "log records end");
            }
        }
    }
}

fn of_host(record: log::Record) -> (Level, String, String) {
    (record.level, "dapdock".to_owned(), record.text)
}

fn of_session(line: LogLine) -> (Level, String, String) {
    let level = if line.is_failure { Level::ERROR } else { Level::INFO };
    (level, line.session.to_string(), line.text)
}

async fn send(
    peer: &Peer<RoleServer>,
    level: Level,
    logger: &str,
    text: &str,
) -> Result<(), ServiceError> {
    let level = match level {
        Level::ERROR => "error",
        Level::WARN => "warning",
        Level::INFO => "info",
        _ => "debug",
    };
    let params = json!({"level": level, "logger": logger, "data": text});
    let note = CustomNotification::new("notifications/message", Some(params));
    peer.send_notification(ServerNotification::from(note)).await
}
