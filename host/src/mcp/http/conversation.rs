//! One conversation: its server, its debug sessions, and when it ends.
//!
//! A client is there while one of its requests is open: a stream, or a call that is not answered,
//! as a task too. It keeps everything for as long, however idle it is. Once it is away, whether a
//! connection broke or its answers were sent, nothing shows that it lives: it ends after a while,
//! sooner if it has a debug session, since a program may be running. Each of its requests begins
//! the time again. It also ends when it says so (DELETE). A session that a person has taken
//! outlives it as one of a host by stdio does: until it is given back, or the person makes no call
//! for `left_claim`. Refuses to know which request is its.
//!
//! | the client is | with an open debug session of its own | without |
//! | --- | --- | --- |
//! | there | stays | stays |
//! | away | ends after `http_lost` | ends after `http_idle` |

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Method, Request, Response, StatusCode};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::Span;

use super::super::Server;
use super::super::usage::{Usage, Use};
use super::Body;
use super::events::Events;
use crate::limits::Limits;
use crate::session::Sessions;

type Library = StreamableHttpService<Server, LocalSessionManager>;

/// The protocol library for one server, until `ending`.
fn library(server: &Server, manager: LocalSessionManager, ending: CancellationToken) -> Library {
    let server = server.clone();
    // The guard of the door has checked `Host` and `Origin`, and the size of the body.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(usize::MAX)
        .with_cancellation_token(ending);
    StreamableHttpService::new(move || Ok(server.clone()), Arc::new(manager), config)
}

/// Answers a request that belongs to no conversation. The client cancels it by closing its
/// connection.
pub(super) async fn answer_alone(server: &Server, request: Request<Full<Bytes>>) -> Response<Body> {
    library(server, LocalSessionManager::default(), CancellationToken::new()).handle(request).await
}

/// Whether the debug sessions belong to a conversation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    Apart,
    Shared,
}

pub(super) struct Conversation {
    library: Library,
    server: Server,
    sharing: Sharing,
    limits: Arc<Limits>,
    usage: watch::Sender<Usage>,
    /// Cancelled: it ends.
    ending: CancellationToken,
    /// Cancelled: the host ends.
    closing: CancellationToken,
    /// Cancelled: its sessions have ended.
    over: CancellationToken,
}

impl Conversation {
    /// `closing`: cancelled when the host ends.
    pub fn new(
        server: Server,
        sharing: Sharing,
        limits: Arc<Limits>,
        closing: CancellationToken,
    ) -> Arc<Self> {
        let ending = CancellationToken::new();
        let events = Arc::new(Events::new(limits.http_events));
        let mut manager = LocalSessionManager::default().with_event_store(events);
        // This module ends conversations.
        manager.session_config.keep_alive = None;
        // Streams are resumed from the events, which are bounded.
        manager.session_config.completed_cache_ttl = Duration::ZERO;
        let (usage, over) = (watch::Sender::default(), CancellationToken::new());
        let server = server.with_usage(&usage);
        let library = library(&server, manager, ending.clone());
        Arc::new(Self { library, server, sharing, limits, usage, ending, closing, over })
    }

    /// DELETE is answered once the sessions have ended that no person has taken.
    pub async fn answer(&self, request: Request<Full<Bytes>>) -> Response<Body> {
        let usage = Use::begin(&self.usage);
        let is_end = request.method() == Method::DELETE;
        let mut response = self.library.handle(request).await;
        if is_end && response.status().is_success() {
            self.end();
            tokio::select! {
                () = self.over.cancelled() => {}
                () = self.server.sessions().only_taken() => {}
            }
            // Some clients take 202 for a failure.
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        usage.until_sent(response)
    }

    /// Begins its end.
    pub fn end(&self) {
        self.ending.cancel();
    }

    /// Log records of the client are made in it.
    pub fn span(&self) -> &Span {
        self.server.span()
    }

    pub fn end_on_drop(&self) -> DropGuard {
        self.ending.clone().drop_guard()
    }

    /// The last request, if none is open and no debug session of its own either.
    pub fn unused_since(&self) -> Option<Instant> {
        let usage = *self.usage.borrow();
        let has_session = self.own_sessions().is_some_and(Sessions::any_open);
        (usage.open == 0 && !has_session).then_some(usage.since)
    }

    fn own_sessions(&self) -> Option<&Sessions> {
        (self.sharing == Sharing::Apart).then(|| &**self.server.sessions())
    }

    /// Sends its notifications until it ends or is abandoned.
    pub async fn until_end(&self) {
        let notify = async {
            self.server.notify().await;
            pending::<()>().await;
        };
        tokio::select! {
            () = notify => {}
            () = self.ending.cancelled() => tracing::info!("a client ended"),
            () = self.abandoned() => tracing::info!("a client has gone"),
        }
        self.end();
    }

    /// Ends its debug sessions, once no person has one of them.
    pub async fn close(&self) {
        if let Some(sessions) = self.own_sessions() {
            tokio::select! {
                () = sessions.leave(self.limits.left_claim) => {}
                () = self.closing.cancelled() => {}
            }
            let close = sessions.close_all();
            if tokio::time::timeout(self.limits.shutdown, close).await.is_err() {
                tracing::warn!("sessions of a client are still open; the guard ends them");
            }
        }
        self.over.cancel();
    }

    /// Waits until the client has been away for its limit, and no person has a session of it.
    async fn abandoned(&self) {
        let Limits { http_idle, http_lost, left_claim, .. } = *self.limits;
        match self.own_sessions() {
            Some(sessions) => {
                away(&self.usage, sessions, http_lost, Some(http_idle), left_claim).await
            }
            None => idle(&self.usage, http_idle).await,
        }
    }
}

/// Waits until a client has been away for a time, whatever sessions there are.
async fn idle(usage: &watch::Sender<Usage>, limit: Duration) {
    let mut usages = usage.subscribe();
    loop {
        let usage = *usages.borrow_and_update();
        tokio::select! {
            biased;
            _ = usages.changed() => {}
            () = passed(usage, Some(limit)) => return,
        }
    }
}

/// Waits until a client has been away for a time, `lost` with an open session, `idle` without one
/// (`None`: for ever), and has left its sessions: see [`Sessions::leave`].
pub(super) async fn away(
    usage: &watch::Sender<Usage>,
    sessions: &Sessions,
    lost: Duration,
    idle: Option<Duration>,
    claim: Duration,
) {
    let mut usages = usage.subscribe();
    let mut changes = sessions.feed().changes();
    loop {
        let usage = *usages.borrow_and_update();
        let limit = if sessions.any_open() { Some(lost) } else { idle };
        tokio::select! {
            biased;
            _ = usages.changed() => continue,
            () = passed(usage, limit) => {}
            // Last: a program that prints without end always changes.
            _ = changes.changed() => continue,
        }
        // A request comes before what it does: nothing is ended of a client that is back.
        tokio::select! {
            biased;
            _ = usages.changed() => sessions.come_back(),
            () = sessions.leave(claim) => return,
        }
    }
}

/// Waits until a client has been away for `limit`; for ever without one.
async fn passed(usage: Usage, limit: Option<Duration>) {
    match limit {
        Some(limit) if usage.open == 0 => tokio::time::sleep_until(usage.since + limit).await,
        _ => pending().await,
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt, Empty};

    use super::super::super::tests::sessions;
    use super::*;

    fn conversation(sharing: Sharing) -> Arc<Conversation> {
        let limits = Arc::new(Limits::default());
        let server = Server::new(sessions(&limits), "/w".into(), limits.clone());
        Conversation::new(server, sharing, limits, CancellationToken::new())
    }

    #[tokio::test(start_paused = true)]
    async fn client_without_a_session_is_left_when_it_is_idle() {
        let (conversation, limits) = (conversation(Sharing::Apart), Limits::default());
        let begun = Instant::now();
        let request = Use::begin(&conversation.usage);
        let busy = tokio::time::timeout(Duration::from_secs(86_400), conversation.until_end());
        assert!(busy.await.is_err(), "a request was open");
        let sent = request.until_sent(Response::new(Empty::new().boxed()));
        sent.into_body().collect().await.unwrap();
        conversation.until_end().await;
        assert_eq!(begun.elapsed(), Duration::from_secs(86_400) + limits.http_idle);
    }
}
