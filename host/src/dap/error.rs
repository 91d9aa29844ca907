//! Failures of a request, and reasons for the end of a wire.
//!
//! Knows the shape of DAP's error bodies. Refuses to know remedies.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::model::answer::Refusal;

/// Failure of a request.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The adapter lacks the capability; the request was not sent.
    #[error("`{command}` is not supported by this adapter")]
    Unsupported {
        /// The DAP command.
        command: String,
    },
    /// No answer within the deadline. A late answer is dropped.
    #[error("`{command}` got no answer within {after:?}")]
    Timeout {
        /// The DAP command.
        command: String,
        /// The deadline, from the request.
        after: Duration,
    },
    /// The adapter answered `success: false`.
    #[error("`{command}` was refused: {message}")]
    Refused {
        /// The DAP command.
        command: String,
        /// The adapter's message.
        message: String,
        /// `body.error.showUser`.
        show_user: bool,
        /// `body.error.id`.
        id: Option<i64>,
        /// The plugin's reading of the message, if it has one.
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
    /// `success: true` with a body of the wrong shape.
    #[error("`{command}` was answered with a body that cannot be read ({cause}): {excerpt}")]
    BadAnswer {
        /// The DAP command.
        command: String,
        /// The parser's error.
        cause: String,
        /// The first 200 characters of the body.
        excerpt: String,
    },
    /// The arguments cannot be written as JSON: a fault of the host.
    #[error("`{command}` has arguments that cannot be written as JSON: {cause}")]
    BadArguments {
        /// The DAP command.
        command: String,
        /// The serializer's error.
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

/// Reason for the end of a wire.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CloseReason {
    /// The adapter closed the connection: the normal end.
    #[error("the adapter closed the connection")]
    Eof,
    /// Reading failed.
    #[error("reading failed: {0}")]
    Read(Arc<std::io::Error>),
    /// Writing failed. Only requests see this: reading goes on.
    #[error("writing failed: {0}")]
    Write(Arc<std::io::Error>),
    /// The [`Inbox`](super::Inbox) was dropped.
    #[error("the connection was dropped")]
    Dropped,
}

/// Reads a response with `success: false`: `body.error.format` with its variables, else `message`.
/// Most adapters leave one of the two out.
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

/// Replaces `{name}` by `variables.name`; names without a value stay.
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
