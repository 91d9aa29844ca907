//! All connections of one server.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{Request, Response};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::{Body, Guard, connection};
use crate::limits::Limits;

/// From a connection that cannot be accepted to the next attempt.
const ACCEPT_AGAIN: Duration = Duration::from_millis(500);

/// Serves connections, without an end. Dropping the future closes them. A connection that cannot be
/// accepted, as when too many files are open, is tried again after a while: no event says that it
/// can be.
pub async fn serve<H, F>(
    listener: TcpListener,
    guard: Guard,
    limits: Arc<Limits>,
    handler: H,
) -> Infallible
where
    H: Fn(Request<Full<Bytes>>) -> F + Send + Sync + 'static,
    F: Future<Output = Response<Body>> + Send + 'static,
{
    let shared = Arc::new((guard, handler));
    let mut open = JoinSet::new();
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = open.join_next() => continue,
        };
        let stream = match stream {
            Ok((stream, _)) => stream,
            // The client has gone meanwhile.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            Err(error) => {
                tracing::warn!(%error, "a client cannot connect yet");
                tokio::time::sleep_until(Instant::now() + ACCEPT_AGAIN).await;
                continue;
            }
        };
        if open.len() >= limits.http_connections {
            let refused = connection::refuse(stream);
            tracing::debug!(?refused, "too many connections");
            continue;
        }
        let (shared, limits) = (shared.clone(), limits.clone());
        open.spawn(async move {
            let (guard, handler) = &*shared;
            let prepared = prepare(&stream, &limits).and_then(|()| stream.local_addr());
            match prepared {
                Ok(local) => {
                    Box::pin(connection::serve(stream, local, guard, &limits, handler)).await;
                }
                Err(error) => tracing::debug!(%error, "a connection ended"),
            }
        });
    }
}

/// Answers leave at once. A client that does not take them is left after a while: without it, one
/// that stops to read would keep its connection for ever.
fn prepare(stream: &TcpStream, limits: &Limits) -> io::Result<()> {
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    rustix::net::sockopt::set_tcp_user_timeout(
        stream,
        u32::try_from(limits.http_untaken.as_millis()).unwrap_or(u32::MAX),
    )?;
    #[cfg(not(target_os = "linux"))]
    let _ = limits;
    Ok(())
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt, StreamBody};
    use hyper::body::Frame;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::sync::Notify;

    use super::*;

    struct Notifies(Arc<Notify>);

    impl Drop for Notifies {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }

    /// An answer without an end, which notifies when it is dropped.
    fn endless(dropped: Notifies) -> Response<Body> {
        let part = Bytes::from(vec![b'x'; 64 * 1024]);
        let parts = futures_util::stream::repeat_with(move || {
            let _ = &dropped;
            Ok(Frame::data(part.clone()))
        });
        Response::new(BodyExt::boxed(StreamBody::new(parts)))
    }

    /// One connection is allowed. A client that does not read what it has requested loses it.
    #[tokio::test]
    async fn client_that_takes_nothing_loses_its_connection() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let http_untaken = Duration::from_millis(200);
        let limits = Limits { http_connections: 1, http_untaken, ..Limits::default() };
        let dropped = Arc::new(Notify::new());
        let notify = dropped.clone();
        let handler = move |_| std::future::ready(endless(Notifies(notify.clone())));
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, Guard::new(None, None), Arc::new(limits), handler));
        let mut unread = TcpStream::connect(address).await.unwrap();
        let request = format!("GET /mcp HTTP/1.1\r\nhost: {address}\r\n\r\n");
        unread.write_all(request.as_bytes()).await.unwrap();
        let mut busy = String::new();
        let mut second = TcpStream::connect(address).await.unwrap();
        second.read_to_string(&mut busy).await.unwrap();
        assert!(busy.starts_with("HTTP/1.1 503 "), "{busy}");
        let left = tokio::time::timeout(Duration::from_secs(30), dropped.notified()).await;
        assert!(left.is_ok(), "it still has its connection");
    }
}
