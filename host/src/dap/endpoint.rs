//! Connections to an adapter: to its port, or accepted on ours.
//!
//! Knows TCP. Refuses to know processes: a future of the caller ends when the adapter is gone.
//! Standard input and output of a process go to [`connect`](super::connect) directly.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::{Quick, peer};

/// Time between two attempts to connect.
const RETRY: Duration = Duration::from_millis(5);

/// The halves of a connection, without Nagle's delay and without delayed acknowledgements.
pub type Streams = (Quick, OwnedWriteHalf);

/// Why no connection came about.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// `gone` ended first.
    #[error("the process ended before it listened on {address}")]
    Gone {
        /// `host:port`.
        address: String,
    },
    /// The limit has passed.
    #[error("{address} was not up within {after:?}{}", last.as_ref().map(|error| format!(": \
        {error}")).unwrap_or_default())]
    Timeout {
        /// `host:port`.
        address: String,
        /// The limit.
        after: Duration,
        /// Error of the last attempt; `None` for a listener.
        last: Option<io::Error>,
    },
    /// The system refused, and waiting does not help.
    #[error("{address}: {cause}")]
    Io {
        /// `host:port`.
        address: String,
        /// The system's error.
        cause: io::Error,
    },
}

impl EndpointError {
    /// The reason without the address.
    pub fn reason(&self) -> String {
        match self {
            Self::Gone { .. } => "its process has ended".to_owned(),
            Self::Timeout { after, .. } => format!("no answer within {} s", after.as_secs_f32()),
            Self::Io { cause, .. } => cause.to_string(),
        }
    }
}

/// Connects; tries again until it succeeds, `gone` ends, or `limit` has passed.
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

/// Connects with a single attempt, to a server that listens already.
///
/// # Errors
/// [`EndpointError::Io`] with the system's error, or [`EndpointError::Timeout`].
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

/// A connection to an ephemeral port without a listener can connect to itself (TCP simultaneous
/// open).
fn is_own_echo(stream: &TcpStream) -> bool {
    matches!((stream.local_addr(), stream.peer_addr()), (Ok(local), Ok(peer)) if local == peer)
}

/// Turns Nagle's delay off and splits the stream.
fn split(stream: TcpStream) -> io::Result<Streams> {
    stream.set_nodelay(true)?;
    let (read, write) = stream.into_split();
    Ok((Quick::new(read), write))
}

/// A loopback port that an adapter connects to.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    port: u16,
}

impl Listener {
    /// Listens on a free port, which the adapter receives at its start.
    ///
    /// # Errors
    /// If the system has no free port.
    pub async fn reserve() -> io::Result<Self> {
        Self::open(0).await
    }

    /// Listens on this port of 127.0.0.1; 0 takes a free one.
    ///
    /// # Errors
    /// The port is in use, or may not be used.
    pub async fn open(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// The next connection, whose owner is not known yet. Cancel safe.
    ///
    /// # Errors
    /// The system accepts none, as when too many files are open.
    pub async fn client(&self) -> io::Result<Accepted> {
        let (stream, peer) = self.listener.accept().await?;
        Ok(Accepted { stream, peer, own: (Ipv4Addr::LOCALHOST, self.port).into() })
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The first connection from a process of this user, unless `gone` ends or `limit` passes
    /// first.
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

    /// Refuses connections of other users: the adapter receives arguments and environment of the
    /// debuggee. Where the system has no table of sockets (no `/proc`) the user is unknown and the
    /// connection is accepted; otherwise these adapters would work nowhere on such a system.
    async fn accept_own(&self) -> io::Result<TcpStream> {
        loop {
            let Accepted { stream, peer, own } = self.client().await?;
            match peer::user(peer, own).await {
                Ok(Some(user)) if user == rustix::process::geteuid().as_raw() => return Ok(stream),
                Ok(_) => {
                    tracing::warn!(%peer, "refused a connection of another user or a dead process")
                }
                Err(error) => {
                    tracing::warn!(%error, %peer, "accepted a connection of an unknown user");
                    return Ok(stream);
                }
            }
        }
    }
}

/// A connection of a client that may be another user's.
#[derive(Debug)]
pub struct Accepted {
    stream: TcpStream,
    peer: SocketAddr,
    own: SocketAddr,
}

impl Accepted {
    /// Its streams, if a process of this user has the other end open. Else it is closed: that of
    /// another user, of an unknown one, and of a process that has closed it, whose user is unknown.
    pub async fn of_this_user(self) -> Option<Streams> {
        match peer::user(self.peer, self.own).await {
            Ok(Some(user)) if user == rustix::process::geteuid().as_raw() => {
                split(self.stream).ok()
            }
            other => {
                tracing::warn!(?other, peer = %self.peer, "refused a connection");
                None
            }
        }
    }
}

/// A loopback port that is free now, for adapters that listen on a given port. It is not reserved:
/// prefer [`Listener`] where the adapter can connect.
///
/// # Errors
/// If the system has no free port.
pub async fn free_port() -> io::Result<u16> {
    Listener::reserve().await.map(|listener| listener.port)
}
