//! Serves one caller until it disconnects or a signal arrives, then ends every session and writes
//! the answers to open calls. Both have one limit. A session that a person has taken from a caller
//! that disconnects stays until the person gives it back.
//!
//! Refuses to know tools.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;
use tokio::time::Instant;
use tracing::Instrument;

use super::connection::Connection;
use super::{Origin, Server};
use crate::limits::Limits;
use crate::session::Sessions;

/// Two byte streams of a caller.
pub struct Transport<R, W> {
    /// From the caller.
    pub read: R,
    /// To the caller.
    pub write: W,
}

/// This process's standard streams.
pub fn stdio()
-> Transport<impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static> {
    let (read, write) = rmcp::transport::io::stdio_pipes();
    Transport { read, write }
}

/// Serves until the caller disconnects or `SIGTERM` or `SIGINT` arrives.
///
/// # Errors
/// The signal handlers cannot be installed.
pub async fn serve<R, W>(
    server: Server,
    sessions: Arc<Sessions>,
    limits: &Limits,
    on: Transport<R, W>,
) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let disconnected = Arc::new(Notify::new());
    let read = Watched { inner: on.read, end: disconnected.clone() };
    let connection = Connection::new(read, on.write, limits.message);
    let span = server.span().clone();
    let mut connection = Box::pin(talk(server, connection, None).instrument(span));
    let (why, answers_open, is_signal) = tokio::select! {
        () = &mut connection => ("the connection is closed", false, false),
        () = disconnected.notified() => ("the caller disconnected", true, false),
        _ = terminate.recv() => ("SIGTERM", false, true),
        _ = interrupt.recv() => ("SIGINT", false, true),
    };
    tracing::info!(why, "ending");
    let connection = answers_open.then_some(connection);
    let answers = async move {
        if let Some(connection) = connection {
            connection.await;
        }
    };
    let answers = answers.boxed().shared();
    if !is_signal {
        let answering = answers.clone().then(|()| std::future::pending::<()>());
        tokio::select! {
            () = sessions.leave(limits.left_claim) => {}
            () = answering => {}
            _ = terminate.recv() => tracing::info!("SIGTERM"),
            _ = interrupt.recv() => tracing::info!("SIGINT"),
        }
    }
    let end = async {
        sessions.close_all().await;
        answers.await;
    };
    // A caller that does not read gets no more answers.
    if tokio::time::timeout(limits.shutdown, end).await.is_err() {
        tracing::warn!("sessions are still open; the guard ends them");
    }
    Ok(())
}

/// Serves one caller of a socket until it disconnects; `server` is made for where it comes from.
/// Its open calls end with it, and its sessions stay.
pub async fn serve_socket<S>(
    stream: S,
    limits: &Limits,
    server: impl FnOnce(Option<Origin>) -> Server,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (read, write) = tokio::io::split(stream);
    let disconnected = Arc::new(Notify::new());
    let read = Watched { inner: read, end: disconnected.clone() };
    let mut connection = Connection::new(read, write, limits.message);
    // One that does not initialize must not occupy the host.
    let deadline = Instant::now() + limits.initialize;
    let first = tokio::time::timeout_at(deadline, connection.wait_for_first()).await;
    if first != Ok(true) {
        return;
    }
    let server = server(connection.origin());
    let span = server.span().clone();
    tokio::select! {
        () = talk(server, connection, Some(deadline)).instrument(span) => {}
        () = disconnected.notified() => {}
    }
}

/// Answers until the input ends and every open call is answered. The end of its session ends a
/// call. `initialized_by`: a caller that has not initialized by then is left.
async fn talk<R, W>(
    server: Server,
    connection: Connection<Watched<R>, W>,
    initialized_by: Option<Instant>,
) where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let opening = server.clone().serve(connection);
    let opened = match initialized_by {
        Some(deadline) => tokio::time::timeout_at(deadline, opening).await,
        None => Ok(opening.await),
    };
    let running = match opened {
        Ok(Ok(running)) => running,
        Ok(Err(error)) => return tracing::warn!(%error, "the caller did not initialize"),
        Err(_) => return tracing::warn!("the caller did not initialize in time"),
    };
    let notices = server.notify();
    let open = running.waiting();
    tokio::pin!(notices, open);
    let quit = tokio::select! {
        quit = &mut open => quit,
        // They end when they cannot be sent.
        () = notices => open.await,
    };
    tracing::debug!(?quit, "the connection is closed");
}

/// A reader that notifies at the end of input or an error. The protocol library returns only after
/// open calls.
struct Watched<R> {
    inner: R,
    end: Arc<Notify>,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(context, buffer);
        let ended = match &polled {
            Poll::Ready(Ok(())) => buffer.filled().len() == before && buffer.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if ended {
            self.end.notify_one();
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

    use super::super::tests::sessions;
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn caller_of_a_socket_that_says_nothing_is_left() {
        let (ours, _theirs) = tokio::io::duplex(64);
        let limits = Limits::default();
        Box::pin(serve_socket(ours, &limits, |_| panic!("it has said nothing"))).await;
    }

    #[tokio::test(start_paused = true)]
    async fn caller_of_a_socket_that_only_pings_is_left() {
        let (ours, theirs) = tokio::io::duplex(4096);
        let limits = Arc::new(Limits::default());
        let server = |_| Server::new(sessions(&limits), "/w".into(), limits.clone());
        let (read, mut write) = tokio::io::split(theirs);
        let mut answers = BufReader::new(read).lines();
        let begun = Instant::now();
        let pings = async {
            let mut count = 0;
            loop {
                let ping =
                    format!("{{\"jsonrpc\": \"2.0\", \"id\": {count}, \"method\": \"ping\"}}\n");
                if write.write_all(ping.as_bytes()).await.is_err() {
                    return count;
                }
                let Ok(Some(_)) = answers.next_line().await else { return count };
                count += 1;
                tokio::time::advance(Duration::from_secs(1)).await;
                assert!(begun.elapsed() < 2 * limits.initialize, "{count} pings");
            }
        };
        let (count, ()) = tokio::join!(pings, Box::pin(serve_socket(ours, &limits, server)));
        assert!(count > 3 && begun.elapsed() <= limits.initialize + Duration::from_secs(1));
    }
}
