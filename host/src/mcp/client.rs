//! A client of a host: the command line calls tools as every caller does.
//!
//! Refuses to know how a host is found and what an answer is used for.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    ArgumentInfo, CallToolRequestParams, CallToolResult, ClientConfig, ClientRequest,
    CompleteRequestParams, CompletionContext, CustomNotification, CustomRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, Implementation,
    ProgressNotificationParam, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, RunningService};
use rmcp::{ClientHandler, ErrorData, RoleClient, ServiceError, ServiceExt};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use super::completion;
use super::joining::{EVENT, GIVE, MIRROR, TAKE, WATCH};
use super::origin::{self, Origin};
use super::watched::{WatchEvent, Watched};

/// From a connection to the end of the handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The host ended before it answered.
    #[error("the host ended before it answered")]
    Ended,
    /// The host is there, and does not answer.
    #[error("the host does not answer")]
    Silent,
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

/// Puts a question to a person: yes or no.
pub type Choose = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// Whoever waits for the answers of a client.
#[derive(Clone)]
pub struct Reader {
    /// Receives each line about a call that takes long.
    pub report: Arc<dyn Fn(&str) + Send + Sync>,
    /// Answers a question with yes or no; `None`: nobody can be asked. It may block.
    pub choose: Option<Choose>,
}

impl Reader {
    /// A program, which reads nothing but the answers.
    pub fn none() -> Self {
        Self { report: Arc::new(|_: &str| {}), choose: None }
    }
}

/// A connection to a host.
pub struct Client {
    running: RunningService<RoleClient, Handler>,
    watched: Arc<Watched>,
}

struct Handler {
    origin: Origin,
    reader: Reader,
    watched: Arc<Watched>,
}

/// A request about one session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joining {
    /// Take it from agents.
    Take,
    /// Give it back.
    Give,
    /// Watch it until its end: its events are read with [`Client::event`].
    Watch,
    /// Mirror it for an editor at this port until its end, or until the connection ends; 0 takes a
    /// free port. Its events are read with [`Client::event`].
    Mirror(u16),
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let about = Implementation::new("dapdock-cli", env!("CARGO_PKG_VERSION"));
        let mut capabilities = self.origin.capabilities();
        capabilities.elicitation =
            self.reader.choose.as_ref().map(|_| ElicitationCapability::default());
        ClientConfig::new(capabilities, about)
    }

    /// A question without fields, which is accepted or declined.
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let choose = self.reader.choose.clone();
        let choice = move || choose.is_some_and(|choose| choose(&message));
        Ok(ElicitResult::new(match tokio::task::spawn_blocking(choice).await {
            Ok(true) => ElicitationAction::Accept,
            Ok(false) => ElicitationAction::Decline,
            Err(_) => ElicitationAction::Cancel,
        }))
    }

    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        if let Some(message) = &progress.message {
            (self.reader.report)(message);
        }
    }

    async fn on_custom_notification(
        &self,
        note: CustomNotification,
        _: NotificationContext<RoleClient>,
    ) {
        if note.method == EVENT {
            self.watched.add(note.params.unwrap_or_default());
        }
    }
}

impl Client {
    /// # Errors
    /// The host ends, is none, or does not answer in time.
    pub async fn connect<S>(stream: S, origin: Origin, reader: Reader) -> Result<Self, ClientError>
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let watched = Arc::<Watched>::default();
        let handler = Handler { origin, reader, watched: watched.clone() };
        let running = tokio::time::timeout(HANDSHAKE, handler.serve(tokio::io::split(stream)));
        let running = running.await.map_err(|_| ClientError::Silent)?.map_err(|error| {
            tracing::debug!(%error, "no connection");
            ClientError::Ended
        })?;
        Ok(Self { running, watched })
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
        Ok(answer(self.running.call_tool(call).await.map_err(unanswered)?))
    }

    /// Takes, gives back, watches or mirrors a session.
    ///
    /// # Errors
    /// The connection ends, or the host knows no such request.
    pub async fn join(
        &self,
        joining: Joining,
        session: Option<&str>,
    ) -> Result<Answer, ClientError> {
        let (method, port) = match joining {
            Joining::Take => (TAKE, 0),
            Joining::Give => (GIVE, 0),
            Joining::Watch => (WATCH, 0),
            Joining::Mirror(port) => (MIRROR, port),
        };
        let params = json!({"session": session, "port": port});
        let request = CustomRequest::new(method, Some(params));
        let sent = self.running.send_request(ClientRequest::CustomRequest(request)).await;
        match sent.map_err(unanswered)? {
            ServerResult::CallToolResult(result) => Ok(answer(result)),
            other => Err(ClientError::Protocol(format!("the host answers {other:?}"))),
        }
    }

    /// The next event of the session that is watched. Safe to cancel.
    pub async fn event(&self) -> WatchEvent {
        self.watched.next().await
    }

    /// The next event of a watch that has ended after `count` events; `None`: all were read.
    pub async fn last_event(&self, count: u64) -> Option<WatchEvent> {
        self.watched.next_of(count).await
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
        let result = self.running.peer().complete(request).await;
        result.map(|result| result.completion.values).unwrap_or_default()
    }

    /// The version of the host.
    pub fn version(&self) -> Option<String> {
        Some(self.running.peer().peer_info()?.server_info.as_ref()?.version.clone())
    }

    /// The clients of the host with sessions of their own, which [`Origin::client`] names.
    pub fn clients(&self) -> Vec<u64> {
        let info = self.running.peer().peer_info();
        info.map(|info| origin::clients(&info.capabilities)).unwrap_or_default()
    }

    /// Closes the connection.
    pub async fn close(self) {
        if let Err(error) = self.running.cancel().await {
            tracing::debug!(%error, "the connection did not close");
        }
    }
}

fn answer(result: CallToolResult) -> Answer {
    let texts = result.content.iter().filter_map(|content| content.as_text());
    let texts: Vec<_> = texts.map(|content| content.text.as_str()).collect();
    Answer {
        text: texts.join("\n"),
        is_error: result.is_error == Some(true),
        data: result.structured_content.unwrap_or_default(),
    }
}

fn unanswered(error: ServiceError) -> ClientError {
    match error {
        ServiceError::McpError(error) => ClientError::Protocol(error.message.into_owned()),
        error => {
            tracing::debug!(%error, "no answer");
            ClientError::Ended
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn host_that_does_not_answer_is_not_waited_for() {
        let (ours, _theirs) = tokio::io::duplex(1 << 20);
        let connected = Client::connect(ours, Origin::default(), Reader::none()).await;
        assert!(matches!(connected, Err(ClientError::Silent)));
    }
}
