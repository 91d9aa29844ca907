//! Serves one caller until it goes or a signal comes; then ends every session and writes the
//! answers to open calls, both within one limit.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;

use super::Server;
use super::connection::Connection;
use crate::limits::Limits;
use crate::session::Sessions;

/// Where a caller is: two byte streams.
pub struct Transport<R, W> {
    /// What it sends.
    pub read: R,
    /// What it receives.
    pub write: W,
}

/// This process's standard streams.
pub fn stdio()
-> Transport<impl AsyncRead + Send + Unpin + 'static, impl AsyncWrite + Send + Unpin + 'static> {
    let (read, write) = rmcp::transport::io::stdio_pipes();
    Transport { read, write }
}

/// Serves until the caller has gone or `SIGTERM` or `SIGINT` comes.
///
/// # Errors
/// The signals cannot be listened to.
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
    let gone = Arc::new(Notify::new());
    let read = Watched { inner: on.read, gone: gone.clone() };
    let connection = Connection::new(read, on.write, limits.message);
    let mut connection = Box::pin(talk(server, connection));
    let (why, answers_open) = tokio::select! {
        () = &mut connection => ("the connection is closed", false),
        () = gone.notified() => ("the caller is gone", true),
        _ = terminate.recv() => ("SIGTERM", false),
        _ = interrupt.recv() => ("SIGINT", false),
    };
    tracing::info!(why, "ending");
    let connection = answers_open.then_some(connection);
    let end = async {
        sessions.close_all().await;
        if let Some(connection) = connection {
            connection.await;
        }
    };
    // A caller may have stopped reading: what is left to write is not written then.
    if tokio::time::timeout(limits.shutdown, end).await.is_err() {
        tracing::warn!("not ended in time; the guard ends what is left");
    }
    Ok(())
}

/// Answers until the end of input and until open calls are answered: the end of their sessions
/// ends them.
async fn talk<R, W>(server: Server, connection: Connection<Watched<R>, W>)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let running = match server.serve(connection).await {
        Ok(running) => running,
        Err(error) => return tracing::warn!(%error, "the caller did not initialize"),
    };
    let quit = running.waiting().await;
    tracing::debug!(?quit, "the connection is closed");
}

/// A reader that says when its end was reached, or failed: the protocol library waits for open
/// calls first.
struct Watched<R> {
    inner: R,
    gone: Arc<Notify>,
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
            self.gone.notify_one();
        }
        polled
    }
}
