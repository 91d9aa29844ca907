//! Reading half of a TCP connection that acknowledges at once.
//!
//! Knows one socket option. Refuses to know the bytes.
//!
//! A peer without TCP_NODELAY that writes header and body separately waits before the second write
//! for our acknowledgement, which Linux delays by 40 ms: the latency floor of two big adapters.
//! TCP_QUICKACK turns the delay off until the kernel turns it on again, so it is set before and
//! after every read. Systems other than Linux have no such option.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;

/// Reads from a TCP connection, acknowledging without delay.
#[derive(Debug)]
pub struct Quick {
    half: OwnedReadHalf,
}

impl Quick {
    /// Wraps the reading half.
    pub fn new(half: OwnedReadHalf) -> Self {
        Self { half }
    }
}

impl AsyncRead for Quick {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        acknowledge_at_once(self.half.as_ref());
        let polled = Pin::new(&mut self.half).poll_read(cx, buf);
        if polled.is_ready() {
            acknowledge_at_once(self.half.as_ref());
        }
        polled
    }
}

#[cfg(target_os = "linux")]
fn acknowledge_at_once(socket: &TcpStream) {
    // Without the option reading is slower and still correct.
    let _ = rustix::net::sockopt::set_tcp_quickack(socket, true);
}

#[cfg(not(target_os = "linux"))]
fn acknowledge_at_once(_: &TcpStream) {}
