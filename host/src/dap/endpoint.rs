//! Where the two byte streams come from: an adapter's port, or ours.
//!
//! Knows TCP. Refuses to know who listens at the other end: that it is gone is told by
//! a future of the caller's. Streams that need no making (stdin and stdout of a process)
//! go to [`connect`](super::connect) as they are.

use std::future::Future;
use std::io;
use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{Quick, peer};

/// A refused connection is tried again this much later.
const RETRY: Duration = Duration::from_millis(5);

/// The halves of a connection, without Nagle's delay and without delayed acknowledgements.
pub type Streams = (Quick, OwnedWriteHalf);

/// Why no connection came about.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// The caller's `gone` came first.
    #[error("{address} was not up before its process was gone")]
    Gone {
        /// `host:port`.
        address: String,
    },
    /// Time ran out.
    #[error("{address} was not up within {after:?}{}", last.as_ref().map(|error| format!(": \
        {error}")).unwrap_or_default())]
    Timeout {
        /// `host:port`.
        address: String,
        /// The whole time given.
        after: Duration,
        /// What the last try said; none while listening.
        last: Option<io::Error>,
    },
    /// The system refused something that no waiting mends.
    #[error("{address}: {cause}")]
    Io {
        /// `host:port`.
        address: String,
        /// The system's words.
        cause: io::Error,
    },
}

impl EndpointError {
    /// Why, without the address.
    pub fn reason(&self) -> String {
        match self {
            Self::Gone { .. } => "its process is gone".to_owned(),
            Self::Timeout { after, .. } => format!("no answer within {} s", after.as_secs_f32()),
            Self::Io { cause, .. } => cause.to_string(),
        }
    }
}

/// Connects, trying again until it is up, `gone` is ready, or `limit` has passed.
///
/// # Errors
/// [`EndpointError::Gone`] or [`EndpointError::Timeout`].
pub async fn dial(
    host: &str,
    port: u16,
    limit: Duration,
    gone: impl Future<Output = ()>,
) -> Result<Streams, EndpointError> {
    let address = format!("{host}:{port}");
    let mut last = None;
    let outcome = tokio::select! {
        biased;
        stream = timeout(limit, dial_until_up(host, port, &mut last)) => Some(stream),
        () = gone => None,
    };
    match outcome {
        None => Err(EndpointError::Gone { address }),
        Some(Err(_)) => Err(EndpointError::Timeout { address, after: limit, last }),
        Some(Ok(stream)) => split(stream).map_err(|cause| EndpointError::Io { address, cause }),
    }
}

/// Connects to what is up already: nothing is tried again.
///
/// # Errors
/// [`EndpointError::Io`] with the system's words, or [`EndpointError::Timeout`].
pub async fn reach(host: &str, port: u16, limit: Duration) -> Result<Streams, EndpointError> {
    let address = format!("{host}:{port}");
    match timeout(limit, TcpStream::connect((host, port))).await {
        Err(_) => Err(EndpointError::Timeout { address, after: limit, last: None }),
        Ok(Ok(stream)) if is_own_echo(&stream) => {
            Err(EndpointError::Io { address, cause: io::ErrorKind::ConnectionRefused.into() })
        }
        Ok(stream) => stream.and_then(split).map_err(|cause| EndpointError::Io { address, cause }),
    }
}

async fn dial_until_up(host: &str, port: u16, last: &mut Option<io::Error>) -> TcpStream {
    let mut ticks = interval(RETRY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match TcpStream::connect((host, port)).await {
            Ok(stream) if !is_own_echo(&stream) => return stream,
            Ok(_) => {}
            Err(error) => *last = Some(error),
        }
    }
}

/// A port nobody listens on, in the range of outgoing ports, can connect to itself.
fn is_own_echo(stream: &TcpStream) -> bool {
    matches!((stream.local_addr(), stream.peer_addr()), (Ok(local), Ok(peer)) if local == peer)
}

/// Turns the delays off and splits.
fn split(stream: TcpStream) -> io::Result<Streams> {
    stream.set_nodelay(true)?;
    let (read, write) = stream.into_split();
    Ok((Quick::new(read), write))
}

/// A loopback port of ours that an adapter connects to.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    port: u16,
}

impl Listener {
    /// Listens on a free port, before the adapter is spawned with it.
    ///
    /// # Errors
    /// When the system has no port to give.
    pub async fn reserve() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The first connection of a process of our own user, unless `gone` is ready or `limit` has
    /// passed before.
    ///
    /// # Errors
    /// Any [`EndpointError`].
    pub async fn accept(
        self,
        limit: Duration,
        gone: impl Future<Output = ()>,
    ) -> Result<Streams, EndpointError> {
        let address = format!("127.0.0.1:{}", self.port);
        let outcome = tokio::select! {
            biased;
            accepted = timeout(limit, self.accept_own()) => Some(accepted),
            () = gone => None,
        };
        match outcome {
            None => Err(EndpointError::Gone { address }),
            Some(Err(_)) => Err(EndpointError::Timeout { address, after: limit, last: None }),
            Some(Ok(accepted)) => {
                accepted.and_then(split).map_err(|cause| EndpointError::Io { address, cause })
            }
        }
    }

    /// Refuses connections of other users: the adapter receives arguments and environment.
    async fn accept_own(&self) -> io::Result<TcpStream> {
        loop {
            let (stream, peer) = self.listener.accept().await?;
            match peer::user(peer, (Ipv4Addr::LOCALHOST, self.port).into()) {
                Ok(Some(user)) if user == rustix::process::geteuid().as_raw() => return Ok(stream),
                Ok(_) => {
                    tracing::warn!(%peer, "refused a connection of another user or of a dead peer")
                }
                // The system has no table of sockets.
                Err(error) => {
                    tracing::warn!(%error, %peer, "accepted a connection of an unknown user");
                    return Ok(stream);
                }
            }
        }
    }
}

/// A loopback port that was free a moment ago, for adapters that want to be told
/// where to listen. Nothing holds it: prefer [`Listener`] where the adapter can connect.
///
/// # Errors
/// When the system has no port to give.
pub async fn free_port() -> io::Result<u16> {
    Listener::reserve().await.map(|listener| listener.port)
}
