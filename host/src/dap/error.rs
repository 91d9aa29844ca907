//! How a request can fail, and why a wire ends: facts, not sentences.
//!
//! Knows the shape of DAP's error bodies. Refuses to know what to advise.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::model::answer::Refusal;

/// Why a request brought no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The adapter does not advertise it, so it was never sent.
    #[error("`{command}` is not supported by this adapter")]
    Unsupported {
        /// The DAP command.
        command: String,
    },
    /// Sent (or queued), no answer in time. A late answer is dropped.
    #[error("`{command}` got no answer within {after:?}")]
    Timeout {
        /// The DAP command.
        command: String,
        /// The whole time given.
        after: Duration,
    },
    /// The adapter answered `success: false`.
    #[error("`{command}` was refused: {message}")]
    Refused {
        /// The DAP command.
        command: String,
        /// The adapter's words.
        message: String,
        /// Whether the adapter asks to show it (`body.error.showUser`).
        show_user: bool,
        /// `body.error.id`.
        id: Option<i64>,
        /// What it means, where somebody who knows the adapter has read it.
        read: Option<Box<Refusal>>,
    },
    /// The wire ended before the answer.
    #[error("`{command}` was cut off: {reason}")]
    Closed {
        /// The DAP command.
        command: String,
        /// Why the wire ended.
        reason: CloseReason,
    },
    /// `success: true`, with a body that cannot be read.
    #[error("`{command}` was answered with a body that cannot be read ({cause}): {excerpt}")]
    BadAnswer {
        /// The DAP command.
        command: String,
        /// The parser's words.
        cause: String,
        /// The first 200 characters of the body.
        excerpt: String,
    },
    /// The arguments cannot be written as JSON; a fault of ours.
    #[error("`{command}` has arguments that are no JSON: {cause}")]
    BadArguments {
        /// The DAP command.
        command: String,
        /// The serializer's words.
        cause: String,
    },
}

impl Error {
    /// The DAP command that failed.
    pub fn command(&self) -> &str {
        match self {
            Self::Unsupported { command }
            | Self::Timeout { command, .. }
            | Self::Refused { command, .. }
            | Self::Closed { command, .. }
            | Self::BadAnswer { command, .. }
            | Self::BadArguments { command, .. } => command,
        }
    }
}

/// Why a wire ended.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CloseReason {
    /// The adapter closed its side: the normal end.
    #[error("the adapter closed the connection")]
    Eof,
    /// Reading failed.
    #[error("reading failed: {0}")]
    Read(Arc<std::io::Error>),
    /// Writing failed. Seen by requests only: reading goes on to the end.
    #[error("writing failed: {0}")]
    Write(Arc<std::io::Error>),
    /// Our side let go of the [`Inbox`](super::Inbox).
    #[error("the connection was dropped")]
    Dropped,
}

/// Reads a response with `success: false`: `body.error.format` with its variables,
/// else `message`: most adapters leave one of the two out.
pub(super) fn refusal(command: String, response: &Value) -> Error {
    let error = &response["body"]["error"];
    let format = error["format"].as_str().map(|format| substitute(format, &error["variables"]));
    let text = format.filter(|text| !text.trim().is_empty());
    let text = text.or_else(|| response["message"].as_str().map(str::to_owned));
    let text = text.unwrap_or_default();
    let message =
        if text.trim().is_empty() { "no reason given".to_owned() } else { text.trim().to_owned() };
    let show_user = error["showUser"].as_bool().unwrap_or(false);
    Error::Refused { command, message, show_user, id: error["id"].as_i64(), read: None }
}

/// Replaces `{name}` by `variables.name`; what has no value stays as it is.
fn substitute(format: &str, variables: &Value) -> String {
    let mut text = format.to_owned();
    for (name, value) in variables.as_object().unwrap_or(&Map::new()) {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text = text.replace(&format!("{{{name}}}"), &value);
    }
    text
}

/// The first 200 characters of a value.
pub(super) fn excerpt(value: &Value) -> String {
    value.to_string().chars().take(200).collect()
}
