//! A loopback port that passes everything on to another, without delays.
//!
//! Knows TCP. Refuses to look into what passes. Put between two peers whose own sockets
//! wait for delayed acknowledgements (see [`Quick`]), it takes 44 ms
//! off each of their exchanges.

use std::future::Future;
use std::io;
use std::net::SocketAddr;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::io::{AsyncWriteExt, copy};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, ToSocketAddrs};

use super::Quick;
use super::endpoint::split;

/// Listens on a free loopback port and passes every connection on to `target`.
///
/// Returns the port and the future that does the work: it passes bytes while it is
/// polled, never ends by itself, and ends all connections when dropped.
///
/// # Errors
/// When the system has no port to give.
pub async fn relay(
    target: impl ToSocketAddrs + Clone + Send + Sync + 'static,
) -> io::Result<(u16, impl Future<Output = ()> + Send)> {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    let port = listener.local_addr()?.port();
    Ok((port, serve(listener, target)))
}

async fn serve(listener: TcpListener, target: impl ToSocketAddrs + Clone) {
    let mut connections = FuturesUnordered::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => if let Ok((stream, _)) = accepted {
                connections.push(pass(stream, target.clone()));
            },
            Some(ended) = connections.next(), if !connections.is_empty() => if let Err(error) = ended {
                tracing::debug!(%error, "a relayed connection failed");
            },
        }
    }
}

/// Passes both directions on until both have ended or one has failed.
async fn pass(near: TcpStream, target: impl ToSocketAddrs) -> io::Result<()> {
    let (near_read, near_write) = split(near)?;
    let (far_read, far_write) = split(TcpStream::connect(target).await?)?;
    tokio::try_join!(pump(near_read, far_write), pump(far_read, near_write))?;
    Ok(())
}

async fn pump(mut from: Quick, mut to: OwnedWriteHalf) -> io::Result<()> {
    copy(&mut from, &mut to).await?;
    to.shutdown().await
}
