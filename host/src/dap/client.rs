//! Sending: a request is queued at once, its answer is a future.
//!
//! Knows commands, capabilities and deadlines. Refuses to know the streams: the
//! [`Inbox`](super::Inbox) owns them, and bytes move only while it is polled.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::FutureExt;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::task::unconstrained;
use tokio::time::{Instant, timeout_at};

use super::error::excerpt;
use super::{Capabilities, Error, Request, Trace, lenient};
use crate::dap::shared::{Answer, Connection, bad_arguments};

/// Sends requests. Clones share one wire.
#[derive(Debug, Clone)]
pub struct Client {
    wire: Arc<Connection>,
    limit: Duration,
}

/// A pending answer. The request is queued already: dropping this discards the answer and does not
/// take the request back.
pub struct Call<T> {
    seq: Option<i64>,
    answer: Pin<Box<dyn Future<Output = Result<T, Error>> + Send>>,
}

impl Client {
    pub(super) fn new(wire: Arc<Connection>, limit: Duration) -> Self {
        Self { wire, limit }
    }

    /// Sends a request, with the deadline of [`Limits::request`](super::Limits).
    pub fn request<R: Request>(&self, arguments: R::Arguments) -> Call<R::Response> {
        self.request_with_limit::<R>(arguments, self.limit)
    }

    /// Sends a request that must be answered within `limit` from now.
    /// `Duration::MAX` waits as long as the wire lives.
    ///
    /// Fails with [`Error::Unsupported`] before the wire when the adapter does not advertise it.
    pub fn request_with_limit<R: Request>(
        &self,
        arguments: R::Arguments,
        limit: Duration,
    ) -> Call<R::Response> {
        if !R::is_supported(&self.capabilities()) {
            return Call::failed(Error::Unsupported { command: R::COMMAND.to_owned() });
        }
        match serde_json::to_value(arguments) {
            Ok(arguments) => self.send(R::COMMAND, arguments, limit, read),
            Err(error) => Call::failed(bad_arguments(R::COMMAND, &error)),
        }
    }

    /// Sends any request without a check of capabilities; the answer is the body as received.
    pub fn request_raw(&self, command: &str, arguments: Value) -> Call<Value> {
        self.request_raw_with_limit(command, arguments, self.limit)
    }

    /// [`Client::request_raw`] with a deadline of its own.
    pub fn request_raw_with_limit(
        &self,
        command: &str,
        arguments: Value,
        limit: Duration,
    ) -> Call<Value> {
        self.send(command, arguments, limit, |_, body| Ok(body))
    }

    /// Sends `cancel` for every pending request of a command, if the adapter supports it. Their
    /// answers may still arrive.
    pub fn cancel(&self, command: &str) {
        if !self.capabilities().cancel() {
            return;
        }
        for request_id in self.wire.in_flight(command) {
            // The future of the cancelled request receives the outcome.
            drop(self.wire.request("cancel", serde_json::json!({"requestId": request_id})));
        }
    }

    /// Whether a request of this command is pending.
    pub fn awaits(&self, command: &str) -> bool {
        !self.wire.in_flight(command).is_empty()
    }

    /// Answers a [`ReverseRequest`](super::ReverseRequest) with a body or the reason of a failure.
    pub fn respond(&self, request_seq: i64, command: &str, result: Result<Value, String>) {
        self.wire.respond(request_seq, command, result);
    }

    /// Sends an event, as an adapter does.
    pub(crate) fn emit(&self, event: &str, body: Value) {
        self.wire.emit(event, body);
    }

    /// The latest messages of the connection.
    pub fn trace(&self) -> &Trace {
        self.wire.trace()
    }

    /// The capabilities that were merged so far.
    pub fn capabilities(&self) -> Arc<Capabilities> {
        self.wire.capabilities()
    }

    /// Merges the answer to `initialize` or the `capabilities` of an event.
    pub fn merge_capabilities(&self, news: Value) {
        self.wire.merge_capabilities(news);
    }

    fn send<T: Send + 'static>(
        &self,
        command: &str,
        arguments: Value,
        limit: Duration,
        read: fn(&str, Value) -> Result<T, Error>,
    ) -> Call<T> {
        let (seq, receiver) = match self.wire.request(command, arguments) {
            Ok(sent) => sent,
            Err(error) => return Call::failed(error),
        };
        let ticket = Ticket { wire: self.wire.clone(), seq, command: command.to_owned() };
        let deadline = Instant::now().checked_add(limit);
        Call {
            seq: Some(seq),
            answer: Box::pin(async move {
                let body = ticket.wait(receiver, deadline, limit).await?;
                read(&ticket.command, body)
            }),
        }
    }
}

fn read<T: DeserializeOwned>(command: &str, body: Value) -> Result<T, Error> {
    lenient::decode(&body).map_err(|error| Error::BadAnswer {
        command: command.to_owned(),
        cause: error.to_string(),
        excerpt: excerpt(&body),
    })
}

/// A pending request; dropping it discards the answer.
struct Ticket {
    wire: Arc<Connection>,
    seq: i64,
    command: String,
}

impl Ticket {
    async fn wait(
        &self,
        answer: Answer,
        deadline: Option<Instant>,
        after: Duration,
    ) -> Result<Value, Error> {
        let answered = match deadline {
            Some(deadline) => timeout_at(deadline, answer).await,
            None => Ok(answer.await),
        };
        let command = || self.command.clone();
        match answered {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => {
                Err(Error::Closed { command: command(), reason: super::CloseReason::Dropped })
            }
            Err(_) => Err(Error::Timeout { command: command(), after }),
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.wire.forget(self.seq);
    }
}

impl<T> Call<T> {
    fn failed(error: Error) -> Self
    where
        T: Send + 'static,
    {
        Self { seq: None, answer: Box::pin(std::future::ready(Err(error))) }
    }

    /// Number of the request, for `cancel`; `None` if it was never sent.
    pub fn seq(&self) -> Option<i64> {
        self.seq
    }

    /// The answer, which has arrived. `unconstrained`: a task that has used its budget would see
    /// it as pending (`tokio::task::coop`).
    pub(super) fn now(self) -> Result<T, Error> {
        let dropped =
            || Error::Closed { command: "request".to_owned(), reason: super::CloseReason::Dropped };
        unconstrained(self).now_or_never().unwrap_or_else(|| Err(dropped()))
    }
}

impl<T> Future for Call<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.answer.as_mut().poll(cx)
    }
}

impl<T> fmt::Debug for Call<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("seq", &self.seq).finish_non_exhaustive()
    }
}
