//! MCP by streamable HTTP: which client a request belongs to.
//!
//! A conversation is what one client says between `initialize` and its end, with debug sessions of
//! its own unless all share them. Requests of MCP from 2026-07-28 on belong to no conversation:
//! they have the sessions of the host, and count as those of one client, whose sessions end when it
//! is away. The protocol library reads and answers the requests; refuses
//! to know connections, addresses and tokens.
//!
//! Files: `tracked` (an answer until it is sent), `events` (what a client may have missed),
//! `conversation` (one), and here all.

mod conversation;
mod events;
mod tracked;

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, GetMeta};
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use self::conversation::{Conversation, Sharing, answer_alone, away};
use super::Server;
use super::message::{Refusal, decode};
use super::server::INITIALIZE;
use super::usage::{Usage, Use};
use crate::limits::Limits;

type Body = BoxBody<Bytes, Infallible>;

/// MCP 2025-03-26, "Streamable HTTP": the header that names a conversation.
const ID: &str = "mcp-session-id";

/// Makes the server of a client.
pub type NewServer = Box<dyn Fn() -> Server + Send + Sync>;

/// Whose sessions a client sees.
pub enum Sessions {
    /// Its own, which end with it.
    Apart(NewServer),
    /// Those of the host.
    Shared,
}

/// All clients of one host.
pub struct Conversations {
    sessions: Sessions,
    /// Of requests that belong to no conversation.
    common: Server,
    /// Those requests, and their tasks.
    common_usage: watch::Sender<Usage>,
    limits: Arc<Limits>,
    state: Mutex<State>,
    /// Cancelled: the host ends.
    closing: CancellationToken,
}

#[derive(Default)]
struct State {
    open: HashMap<String, Arc<Conversation>>,
    /// One task for each, and for those that end.
    tasks: JoinSet<()>,
    /// Ends the sessions of requests that belong to no conversation.
    common_end: Option<AbortHandle>,
    closing: bool,
}

impl Conversations {
    /// `common`: the server with the sessions of the host.
    pub fn new(sessions: Sessions, common: Server, limits: Arc<Limits>) -> Arc<Self> {
        let (common_usage, state) = (watch::Sender::default(), Mutex::default());
        let common = common.with_usage(&common_usage);
        let closing = CancellationToken::new();
        Arc::new(Self { sessions, common, common_usage, limits, state, closing })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a request. Dropping the future cancels nothing that has begun.
    pub async fn answer(self: Arc<Self>, request: Request<Full<Bytes>>) -> Response<Body> {
        let (head, body) = request.into_parts();
        let id = head.headers.get(ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
        let bytes = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
        let known = id.as_ref().and_then(|id| self.state().open.get(id).cloned());
        let span = known.as_ref().map_or_else(|| self.common.span(), |client| client.span());
        let message =
            if head.method == Method::POST { span.in_scope(|| decode(&bytes)) } else { Ok(None) };
        let request = Request::from_parts(head, Full::new(bytes));
        let message = match message {
            Ok(message) => message,
            Err(refusal) => return refused(&refusal),
        };
        match (known, message.as_ref().map_or(Opening::None, Opening::of)) {
            (Some(conversation), _) => conversation.answer(request).await,
            (None, Opening::Initialize) if id.is_none() => self.begin(request).await,
            (None, Opening::WrongParams(refusal)) if id.is_none() => refused(&refusal),
            (None, _) if id.is_none() && request.method() == Method::GET => text(
                StatusCode::BAD_REQUEST,
                "the header Mcp-Session-Id is missing: MCP by streamable HTTP begins with POST of \
                 `initialize`; the older transport of HTTP with SSE (2024-11-05) is not offered",
            ),
            // A client that has ended is no use of the common sessions.
            (None, opening) if id.is_some() && !matches!(opening, Opening::Alone) => {
                text(StatusCode::NOT_FOUND, "there is no client with this Mcp-Session-Id")
            }
            (None, _) => {
                let usage = self.use_common();
                usage.until_sent(answer_alone(&self.common, request).await)
            }
        }
    }

    /// Begins a request that belongs to no conversation.
    fn use_common(&self) -> Use {
        let mut state = self.state();
        if state.common_end.is_none() && !state.closing && !self.is_shared() {
            let (server, usage) = (self.common.clone(), self.common_usage.clone());
            let Limits { http_lost, left_claim, .. } = *self.limits;
            let end = async move {
                loop {
                    away(&usage, server.sessions(), http_lost, None, left_claim).await;
                    tracing::info!("nobody uses the sessions of the host; they end");
                    server.sessions().end_all().await;
                    server.sessions().come_back();
                }
            };
            state.common_end = Some(state.tasks.spawn(end));
        }
        Use::begin(&self.common_usage)
    }

    fn is_shared(&self) -> bool {
        matches!(self.sessions, Sessions::Shared)
    }

    /// Answers `initialize`.
    async fn begin(self: Arc<Self>, request: Request<Full<Bytes>>) -> Response<Body> {
        let (server, sharing) = match &self.sessions {
            Sessions::Apart(new) => (new(), Sharing::Apart),
            Sessions::Shared => (self.common.for_another(), Sharing::Shared),
        };
        let closing = self.closing.clone();
        let conversation = Conversation::new(server, sharing, self.limits.clone(), closing);
        // Until it is admitted, it ends with this call.
        let unless_admitted = conversation.end_on_drop();
        let response = conversation.answer(request).await;
        let id = response.headers().get(ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
        let Some(id) = id else { return response };
        let refusal = match self.admit(id, &conversation) {
            Admission::Open => {
                unless_admitted.disarm();
                return response;
            }
            Admission::Full => {
                format!("{} clients debug already; one has to end", self.limits.http_clients)
            }
            Admission::Closing => "dapdock is ending; it takes no more clients".to_owned(),
        };
        text(StatusCode::SERVICE_UNAVAILABLE, &refusal)
    }

    /// Adds a conversation. One that is unused makes room.
    fn admit(self: &Arc<Self>, id: String, conversation: &Arc<Conversation>) -> Admission {
        let mut state = self.state();
        if state.closing {
            return Admission::Closing;
        }
        while state.tasks.try_join_next().is_some() {}
        if state.open.len() >= self.limits.http_clients {
            let unused = state.open.iter().filter_map(|(id, one)| Some((one.unused_since()?, id)));
            let Some((_, oldest)) = unused.min() else { return Admission::Full };
            let oldest = oldest.clone();
            if let Some(ended) = state.open.remove(&oldest) {
                ended.end();
            }
        }
        state.open.insert(id.clone(), conversation.clone());
        let (all, conversation) = (Arc::downgrade(self), conversation.clone());
        let span = conversation.span().clone();
        let life = async move {
            conversation.until_end().await;
            if let Some(all) = all.upgrade() {
                all.state().open.remove(&id);
            }
            conversation.close().await;
        };
        state.tasks.spawn(life.instrument(span));
        Admission::Open
    }

    /// Ends all conversations with their sessions, and the sessions of the host.
    pub async fn close(&self) {
        let mut tasks = {
            let mut state = self.state();
            state.closing = true;
            if let Some(end) = state.common_end.take() {
                end.abort();
            }
            state.open.drain().for_each(|(_, conversation)| conversation.end());
            self.closing.cancel();
            std::mem::take(&mut state.tasks)
        };
        let own = async { while tasks.join_next().await.is_some() {} };
        tokio::join!(own, self.common.sessions().close_all());
    }
}

/// Whether there is room for a conversation.
enum Admission {
    Open,
    Full,
    Closing,
}

/// Whether a message begins a conversation.
enum Opening {
    Initialize,
    WrongParams(Refusal),
    /// It belongs to none, whatever its id.
    Alone,
    None,
}

impl Opening {
    fn of(message: &ClientJsonRpcMessage) -> Self {
        let ClientJsonRpcMessage::Request(request) = message else { return Self::None };
        match &request.request {
            ClientRequest::InitializeRequest(_) => Self::Initialize,
            // MCP from 2026-07-28 on.
            other if other.get_meta().protocol_version().is_some() => Self::Alone,
            ClientRequest::CustomRequest(custom) if custom.method == "initialize" => {
                let cause = format!("initialize: its params are {INITIALIZE}");
                Self::WrongParams(Refusal::params(request.id.clone(), &cause))
            }
            _ => Self::None,
        }
    }
}

/// The answer to a body that is no valid message.
fn refused(refusal: &Refusal) -> Response<Body> {
    response(StatusCode::BAD_REQUEST, "application/json", refusal.to_line())
}

fn text(status: StatusCode, line: &str) -> Response<Body> {
    response(status, "text/plain; charset=utf-8", format!("{line}\n"))
}

fn response(status: StatusCode, kind: &'static str, text: String) -> Response<Body> {
    let mut response = Response::new(Full::from(text).boxed());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::sessions;
    use super::*;

    /// Where the guard of the door is not tested.
    const HOST: &str = "127.0.0.1:1";

    fn initialize() -> Request<Full<Bytes>> {
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        });
        let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let request = Request::post("/mcp").header("host", HOST);
        let request = request.header("accept", "application/json, text/event-stream");
        let request = request.header(CONTENT_TYPE, "application/json");
        request.body(Full::from(first.to_string())).unwrap()
    }

    async fn answer(all: &Arc<Conversations>) -> (StatusCode, String) {
        let response = all.clone().answer(initialize()).await;
        let (status, body) = (response.status(), response.into_body().collect().await.unwrap());
        (status, String::from_utf8(body.to_bytes().to_vec()).unwrap())
    }

    #[tokio::test]
    async fn refusal_of_a_client_says_why() {
        let limits = Arc::new(Limits { http_clients: 0, ..Limits::default() });
        let common = Server::new(sessions(&limits), "/w".into(), limits.clone());
        let all = Conversations::new(Sessions::Shared, common, limits);
        let unavailable = |text: &str| (StatusCode::SERVICE_UNAVAILABLE, text.to_owned());
        let full = unavailable("0 clients debug already; one has to end\n");
        assert_eq!(answer(&all).await, full);
        all.close().await;
        let closing = unavailable("dapdock is ending; it takes no more clients\n");
        assert_eq!(answer(&all).await, closing);
    }
}
