//! A client of a host: the command line calls tools as every caller does.
//!
//! Refuses to know how a host is found and what an answer is used for.

use std::sync::Arc;

use rmcp::model::{
    ArgumentInfo, CallToolRequestParams, ClientConfig, CompleteRequestParams, CompletionContext,
    Implementation, ProgressNotificationParam,
};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceError, ServiceExt};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

use super::completion;
use super::origin::Origin;

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The host ended before it answered.
    #[error("the host ended before it answered")]
    Ended,
    /// The host refused the call, or answered with something else.
    #[error("{0}")]
    Protocol(String),
}

/// An answer of a tool.
#[derive(Clone, Debug)]
pub struct Answer {
    /// As an agent reads it.
    pub text: String,
    /// The call failed.
    pub is_error: bool,
    /// The same as data.
    pub data: Value,
}

/// Receives each line about a call that takes long.
pub type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// A connection to a host.
pub struct Client(RunningService<RoleClient, Handler>);

struct Handler {
    origin: Origin,
    report: Report,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let about = Implementation::new("dapdock-cli", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(self.origin.capabilities(), about)
    }

    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        if let Some(message) = &progress.message {
            (self.report)(message);
        }
    }
}

impl Client {
    /// # Errors
    /// The host ends, or is none.
    pub async fn connect<S>(stream: S, origin: Origin, report: Report) -> Result<Self, ClientError>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let handler = Handler { origin, report };
        let running = handler.serve(tokio::io::split(stream)).await;
        Ok(Self(running.map_err(|error| {
            tracing::debug!(%error, "no connection");
            ClientError::Ended
        })?))
    }

    /// Calls a tool. Dropping the future cancels the call.
    ///
    /// # Errors
    /// The connection ends, or the host refuses the call.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<Answer, ClientError> {
        let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let result = self.0.call_tool(call).await.map_err(|error| match error {
            ServiceError::McpError(error) => ClientError::Protocol(error.message.into_owned()),
            error => {
                tracing::debug!(%error, "no answer");
                ClientError::Ended
            }
        })?;
        let texts = result.content.iter().filter_map(|content| content.as_text());
        let texts: Vec<_> = texts.map(|content| content.text.as_str()).collect();
        Ok(Answer {
            text: texts.join("\n"),
            is_error: result.is_error == Some(true),
            data: result.structured_content.unwrap_or_default(),
        })
    }

    /// The values that an argument may take now, the likeliest first, as MCP completes an argument
    /// of this name; none if it completes no such argument.
    pub async fn values(&self, name: &str, typed: &str, session: Option<&str>) -> Vec<String> {
        let Some(reference) = completion::reference(name) else { return Vec::new() };
        let mut request = CompleteRequestParams::new(reference, ArgumentInfo::new(name, typed));
        if let Some(session) = session {
            let pair = ("session".to_owned(), session.to_owned());
            request = request.with_context(CompletionContext::with_arguments([pair].into()));
        }
        let result = self.0.peer().complete(request).await;
        result.map(|result| result.completion.values).unwrap_or_default()
    }

    /// The version of the host.
    pub fn version(&self) -> Option<String> {
        Some(self.0.peer().peer_info()?.server_info.as_ref()?.version.clone())
    }

    /// Closes the connection.
    pub async fn close(self) {
        if let Err(error) = self.0.cancel().await {
            tracing::debug!(%error, "the connection did not close");
        }
    }
}
