//! One connection: reads requests with limits, passes them to the guard and then to the handler.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::CONNECTION;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{Body, Guard, Refusal};
use crate::limits::Limits;

/// Headers of a request at most.
const HEADERS: usize = 100;
/// Bytes of the head of a request at most.
const HEAD: usize = 32 * 1024;
/// Bytes of a connection that are read or written at once at most.
const BUFFER: usize = 64 * 1024;

/// Serves a connection until the client closes it, sends something wrong or is too slow.
pub(super) async fn serve<S, H, F>(
    stream: S,
    local: SocketAddr,
    guard: &Guard,
    limits: &Limits,
    handler: &H,
) where
    S: AsyncRead + AsyncWrite + Unpin,
    H: Fn(Request<Full<Bytes>>) -> F,
    F: Future<Output = Response<Body>>,
{
    let service = service_fn(|request| async move {
        let response = match admit(request, local, guard, limits).await {
            Ok(request) => handler(request).await,
            Err(refusal) => refusal.into_response(),
        };
        Ok::<_, Infallible>(response)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.http_read);
    http.max_headers(HEADERS).max_header_size(HEAD).max_buf_size(BUFFER);
    let served = http.serve_connection(TokioIo::new(stream), service).await;
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended");
    }
}

/// A request that has passed the guard, with its body.
async fn admit(
    request: Request<Incoming>,
    local: SocketAddr,
    guard: &Guard,
    limits: &Limits,
) -> Result<Request<Full<Bytes>>, Refusal> {
    guard.check(&request, local)?;
    let (head, body) = request.into_parts();
    Ok(Request::from_parts(head, Full::new(read(body, limits).await?)))
}

/// A body that is refused is not read to its end: the connection is closed.
async fn read(body: Incoming, limits: &Limits) -> Result<Bytes, Refusal> {
    let close = |refusal: Refusal| refusal.with(CONNECTION, "close");
    let too_large = || {
        let text = format!("a message has at most {} bytes", limits.message);
        close(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, text))
    };
    if body.size_hint().lower() > limits.message as u64 {
        return Err(too_large());
    }
    let whole = Limited::new(body, limits.message).collect();
    match tokio::time::timeout(limits.http_read, whole).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(error)) => {
            let text = format!("the body cannot be read: {error}");
            Err(close(Refusal::new(StatusCode::BAD_REQUEST, text)))
        }
        Err(_) => {
            let text = format!("the body did not come in {:?}", limits.http_read);
            Err(close(Refusal::new(StatusCode::REQUEST_TIMEOUT, text)))
        }
    }
}

/// What a client reads that is one too many.
pub(super) const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\
    content-type: text/plain\r\nretry-after: 10\r\ncontent-length: 30\r\n\r\n\
    too many connections are open\n";

/// Refuses a connection without reading from it. Does not wait: what the socket does not take is
/// lost.
pub(super) fn refuse(stream: tokio::net::TcpStream) -> io::Result<()> {
    use io::Write;
    let mut stream = stream.into_std()?;
    stream.write_all(BUSY)?;
    stream.shutdown(std::net::Shutdown::Write)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};

    use super::*;

    /// What a client reads that has sent `request`, until its end. The handler answers with the
    /// length of the body.
    async fn answer(
        request: &[u8],
        limits: &Limits,
        then: impl AsyncFn(&mut DuplexStream),
    ) -> String {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        let guard = Guard::new(None, None);
        let handler = |request: Request<Full<Bytes>>| async move {
            let body = request.into_body().collect().await.unwrap().to_bytes();
            Response::new(Full::from(format!("{} bytes", body.len())).boxed())
        };
        let served = serve(server, "127.0.0.1:80".parse().unwrap(), &guard, limits, &handler);
        let talk = async {
            client.write_all(request).await.unwrap();
            then(&mut client).await;
            let mut text = String::new();
            client.read_to_string(&mut text).await.unwrap();
            text
        };
        tokio::join!(served, talk).1
    }

    async fn nothing(_: &mut DuplexStream) {}

    #[track_caller]
    fn is(text: &str, status: u16) {
        assert!(text.starts_with(&format!("HTTP/1.1 {status} ")), "{status}: {text}");
    }

    const HEAD: &str = "POST /mcp HTTP/1.1\r\nhost: localhost\r\n";

    #[tokio::test(start_paused = true)]
    async fn request_in_time_is_answered_and_the_idle_connection_closed() {
        let request = format!("{HEAD}content-length: 4\r\n\r\nbody");
        let text = answer(request.as_bytes(), &Limits::default(), nothing).await;
        is(&text, 200);
        assert!(text.ends_with("\r\n\r\n4 bytes"), "{text}");
    }

    #[tokio::test(start_paused = true)]
    async fn half_a_head_is_not_waited_for() {
        assert_eq!(answer(HEAD.as_bytes(), &Limits::default(), nothing).await, "");
        assert_eq!(answer(b"", &Limits::default(), nothing).await, "");
    }

    #[tokio::test(start_paused = true)]
    async fn half_a_body_is_not_waited_for() {
        let request = format!("{HEAD}content-length: 4\r\n\r\nbo");
        is(&answer(request.as_bytes(), &Limits::default(), nothing).await, 408);
    }

    #[tokio::test(start_paused = true)]
    async fn body_over_the_limit_is_refused_before_and_while_it_comes() {
        let limits = Limits { message: 10, ..Limits::default() };
        let declared = format!("{HEAD}content-length: 1073741824\r\n\r\n");
        is(&answer(declared.as_bytes(), &limits, nothing).await, 413);
        let chunked = format!("{HEAD}transfer-encoding: chunked\r\n\r\n6\r\nsix...\r\n");
        let more = async |client: &mut DuplexStream| {
            client.write_all(b"6\r\nsix...\r\n").await.unwrap();
        };
        is(&answer(chunked.as_bytes(), &limits, more).await, 413);
    }

    #[tokio::test(start_paused = true)]
    async fn flood_of_headers_is_refused() {
        let limits = Limits::default();
        let many: String = (0..1000).map(|i| format!("x-{i}: 1\r\n")).collect();
        is(&answer(format!("{HEAD}{many}\r\n").as_bytes(), &limits, nothing).await, 431);
        let long = format!("{HEAD}x: {}", "y".repeat(500_000));
        is(&answer(long.as_bytes(), &limits, nothing).await, 431);
    }

    #[test]
    fn text_of_a_busy_server_has_the_length_that_it_states() {
        let text = std::str::from_utf8(BUSY).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}", body.len())), "{}", body.len());
    }
}
