//! The connection to one caller: one message a line, both ways.
//!
//! Answers invalid messages itself, and messages before `initialize`: at these the protocol library
//! would end the connection. Knows no tool.

use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, GetMeta, ProtocolVersion, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::Mutex;

use super::lines::{Line, Lines};
use super::message::{Refusal, decode};
use super::origin::Origin;
use super::server::INITIALIZE;

/// Most bytes of unsent refusals; for a caller that sends junk and does not read, more are dropped.
const UNSENT: usize = 1 << 20;

/// A transport of the protocol library.
pub(super) struct Connection<R, W> {
    lines: Lines<R>,
    limit: usize,
    output: Arc<Mutex<Output<W>>>,
    refusals: String,
    /// Refusals are left in `refusals` or `output`.
    has_unsent: bool,
    phase: Phase,
    /// The message that [`Connection::first`] has read.
    first: Option<ClientJsonRpcMessage>,
}

/// MCP, "Lifecycle": a session opens with `initialize`; from 2026-07-28 on also with a request
/// that names its version in `_meta`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Opening,
    Open,
}

enum Event {
    Line(io::Result<Option<Line>>),
    Sent(io::Result<()>),
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Connection<R, W> {
    /// `limit`: bytes of a message of the caller.
    pub fn new(read: R, write: W, limit: usize) -> Self {
        Self {
            lines: Lines::new(read, limit),
            limit,
            output: Arc::new(Mutex::new(Output { write, unsent: BytesMut::new() })),
            refusals: String::new(),
            has_unsent: false,
            phase: Phase::Opening,
            first: None,
        }
    }

    /// Reads the first message, which stays the first to be received. Returns false if the input
    /// ends before it.
    pub async fn wait_for_first(&mut self) -> bool {
        self.first = self.next_message().await;
        self.first.is_some()
    }

    /// The origin that the first message states.
    pub fn origin(&self) -> Option<Origin> {
        let Some(ClientJsonRpcMessage::Request(first)) = &self.first else { return None };
        let ClientRequest::InitializeRequest(initialize) = &first.request else { return None };
        Origin::of(&initialize.params.capabilities)
    }

    /// The message of a line, if the server has to handle it.
    fn message(&mut self, line: &Line) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
        if line.is_cut {
            return Err(Refusal::too_long(&line.bytes, self.limit));
        }
        let Some(message) = decode(&line.bytes)? else { return Ok(None) };
        if self.phase == Phase::Open {
            return Ok(Some(message));
        }
        let ClientJsonRpcMessage::Request(request) = &message else {
            tracing::debug!("ignored a notification or response before `initialize`");
            return Ok(None);
        };
        match admission(&request.request) {
            Admission::Opens => self.phase = Phase::Open,
            Admission::Passes => {}
            Admission::TooEarly => {
                let cause = "no session is open; the first request is `initialize`";
                return Err(Refusal::invalid(Some(request.id.clone()), cause));
            }
            Admission::WrongParams => {
                let cause = format!("initialize: its params are {INITIALIZE}");
                return Err(Refusal::params(request.id.clone(), &cause));
            }
        }
        Ok(Some(message))
    }

    /// Safe to cancel, as both branches are.
    async fn next_message(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // Input is read while a refusal cannot be written, so that its end is noticed.
            let turn = tokio::select! {
                biased;
                sent = send_refusals(&self.output, &mut self.refusals), if self.has_unsent => {
                    Event::Sent(sent)
                }
                line = self.lines.next() => Event::Line(line),
            };
            match turn {
                Event::Line(Ok(Some(line))) => match self.message(&line) {
                    Ok(Some(message)) => return Some(message),
                    Ok(None) => {}
                    Err(refusal) => self.refuse(&refusal),
                },
                Event::Line(Ok(None)) => return None,
                Event::Line(Err(error)) => {
                    tracing::warn!(%error, "the caller cannot be read");
                    return None;
                }
                Event::Sent(sent) => {
                    self.has_unsent = false;
                    if let Err(error) = sent {
                        tracing::debug!(%error, "refusals were not sent");
                    }
                }
            }
        }
    }

    fn refuse(&mut self, refusal: &Refusal) {
        tracing::debug!(?refusal, "refused a message");
        if self.refusals.len() < UNSENT {
            self.refusals.push_str(&refusal.to_line());
            self.has_unsent = true;
        }
    }
}

impl<R, W> Transport<RoleServer> for Connection<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let mut line = serde_json::to_string(&message)?;
            line.push('\n');
            output.lock().await.send(&line).await
        }
    }

    /// Safe to cancel, as its reads are.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        match self.first.take() {
            Some(first) => Some(first),
            None => self.next_message().await,
        }
    }

    /// Nothing to do: the streams close when they are dropped, and waiting for a caller that does
    /// not read would never end.
    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The write half. The next write begins with the bytes that a cancelled one left.
struct Output<W> {
    write: W,
    unsent: BytesMut,
}

impl<W: AsyncWrite + Unpin> Output<W> {
    async fn send(&mut self, lines: &str) -> io::Result<()> {
        self.unsent.extend_from_slice(lines.as_bytes());
        self.write_unsent().await
    }

    async fn write_unsent(&mut self) -> io::Result<()> {
        self.write.write_all_buf(&mut self.unsent).await?;
        self.write.flush().await
    }
}

async fn send_refusals<W: AsyncWrite + Unpin>(
    output: &Mutex<Output<W>>,
    refusals: &mut String,
) -> io::Result<()> {
    let mut output = output.lock().await;
    // Written before more is appended, so that a caller that does not read cannot make it grow.
    output.write_unsent().await?;
    let lines = std::mem::take(refusals);
    output.send(&lines).await
}

/// Treatment of a request before `initialize`.
enum Admission {
    /// It opens the session.
    Opens,
    /// The protocol library answers it and waits for the next request.
    Passes,
    TooEarly,
    /// `initialize` with wrong parameters.
    WrongParams,
}

fn admission(request: &ClientRequest) -> Admission {
    match request {
        ClientRequest::InitializeRequest(_) => return Admission::Opens,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => {
            return Admission::Passes;
        }
        ClientRequest::CustomRequest(custom) if custom.method == "initialize" => {
            return Admission::WrongParams;
        }
        _ => {}
    }
    let meta = request.get_meta();
    let Some(version) = meta.protocol_version() else { return Admission::TooEarly };
    let is_complete = meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
    if is_complete && ProtocolVersion::KNOWN_VERSIONS.contains(&version) {
        Admission::Opens
    } else {
        Admission::Passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A transport that waits for its refusals to be read would never see the end of the input.
    #[tokio::test]
    async fn caller_that_sends_junk_and_reads_nothing_ends_the_input() {
        let junk = "junk\n".repeat(100_000);
        let (write, _unread) = tokio::io::duplex(1024);
        let mut connection = Connection::new(io::Cursor::new(junk), write, 1024);
        assert!(connection.receive().await.is_none());
        let unsent = connection.output.lock().await.unsent.len();
        assert!(connection.refusals.len() + unsent < 2 * UNSENT + 1024, "{unsent}");
    }
}
