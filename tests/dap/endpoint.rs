//! Real loopback sockets: who connects to whom, and time limits.

use std::future::{pending, poll_fn, ready};
use std::task::Poll;
use std::time::{Duration, Instant};

use dapdock::dap::endpoint::{EndpointError, Listener, dial, free_port};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

const LONG: Duration = Duration::from_secs(20);
const LOOPBACK: &str = "127.0.0.1";

#[tokio::test]
async fn dial_waits_until_it_is_up() {
    let port = free_port().await.unwrap();
    // Polled after the dialling: again only once that was woken, by a refusal or for the next
    // attempt.
    let (refused, mut polls) = (Notify::new(), 0);
    let gone = poll_fn(|_| {
        polls += 1;
        if polls == 2 {
            refused.notify_one();
        }
        Poll::Pending
    });
    let late = async {
        refused.notified().await;
        let listener = TcpListener::bind((LOOPBACK, port)).await.unwrap();
        listener.accept().await.unwrap().0.write_all(b"up").await.unwrap();
    };
    let (streams, ()) = tokio::join!(dial(LOOPBACK, port, LONG, gone), late);
    let mut received = String::new();
    streams.unwrap().0.read_to_string(&mut received).await.unwrap();
    assert_eq!(received, "up");
}

#[tokio::test]
async fn dial_and_accept_end_when_the_process_is_gone() {
    let port = free_port().await.unwrap();
    assert!(matches!(dial(LOOPBACK, port, LONG, ready(())).await, Err(EndpointError::Gone { .. })));
    let listener = Listener::reserve().await.unwrap();
    assert!(matches!(listener.accept(LONG, ready(())).await, Err(EndpointError::Gone { .. })));
}

#[tokio::test]
async fn deadlines_hold() {
    let (port, limit) = (free_port().await.unwrap(), Duration::from_millis(20));
    let error = dial(LOOPBACK, port, limit, pending()).await.unwrap_err();
    assert!(matches!(error, EndpointError::Timeout { last: Some(_), .. }), "{error}");
    let listener = Listener::reserve().await.unwrap();
    let error = listener.accept(limit, pending()).await.unwrap_err();
    assert!(matches!(error, EndpointError::Timeout { last: None, .. }), "{error}");
}

#[tokio::test]
async fn reserved_port_is_connected_to() {
    let listener = Listener::reserve().await.unwrap();
    let address = (LOOPBACK, listener.port());
    let peer = async {
        let mut peer = TcpStream::connect(address).await.unwrap();
        peer.write_all(b"hello").await.unwrap();
        peer
    };
    let (streams, peer) = tokio::join!(listener.accept(LONG, pending()), peer);
    drop(peer);
    let mut received = String::new();
    streams.unwrap().0.read_to_string(&mut received).await.unwrap();
    assert_eq!(received, "hello");
}

/// Linux delays an acknowledgement by 40 ms, and a peer that writes in two pieces with Nagle's
/// algorithm waits for it. Twenty exchanges would take 800 ms.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn two_piece_peer_causes_no_delay() {
    const EXCHANGES: u32 = 20;
    let listener = TcpListener::bind((LOOPBACK, 0)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let peer = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut byte = [0];
        while stream.read(&mut byte).await.unwrap() > 0 {
            stream.write_all(b"head").await.unwrap();
            stream.write_all(b"body").await.unwrap();
        }
    };
    let client = async {
        let (mut read, mut write) = dial(LOOPBACK, port, LONG, pending()).await.unwrap();
        let (started, mut answer) = (Instant::now(), [0; 8]);
        for _ in 0..EXCHANGES {
            write.write_all(b"?").await.unwrap();
            read.read_exact(&mut answer).await.unwrap();
        }
        started.elapsed()
    };
    let (took, ()) = tokio::join!(client, peer);
    assert!(took < Duration::from_millis(20) * EXCHANGES, "{took:?} for {EXCHANGES} exchanges");
}
