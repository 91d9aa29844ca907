//! A mirror of a session: a DAP server on loopback, by which an editor joins a person's or an
//! agent's session. It reads every stop, and moves the program once it has the claim.
//!
//! Knows DAP as its server speaks it. Refuses to know the adapter: it calls the session's handle as
//! tools do. It never ends the debuggee.
//!
//! Files, in reading order: [`editor`] (one connection, its requests and the session's events),
//! [`events`] (where some are missed), [`calls`] (what its agent reads about), [`flow`] (requests
//! under way), [`request`] (a request as a call of the session), [`breakpoints`] (those that the
//! editor has set), [`message`] (bodies of events and responses).
//!
//! ```text
//!            DAP                        commands, reads
//!   editor ───────▶ requests ─────────────────────────▶ session::Handle
//!     ▲                 │ claim at the first move               │
//!     └── responses, ◀──┴───────────── events, stops ◀──────────┘
//! ```
//!
//! Who has the session: an editor that reads leaves it to its agent. Its first move, pause or line
//! in the debug console takes the session, as `dapdock take` does, and its end gives it back. What
//! the editor sets with `setBreakpoints` counts as no move: it is added to what the agent has set.
//!
//! Only processes of the same user can connect, one editor at a time. Bytes that are no DAP message
//! end their connection: the request of a web page begins with such.

mod breakpoints;
mod calls;
mod editor;
mod events;
mod flow;
mod message;
mod request;

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use crate::dap::endpoint::{Accepted, Listener};
use crate::limits::Limits;
use crate::session::{Error, Handle, Mirrored};
use crate::view::Lens;
use editor::Editor;

/// Connections at once: an editor, and those that may become one.
const CONNECTIONS: usize = 8;

/// News that wait to be printed; of more, the later ones are left out.
const NEWS: usize = 64;

/// An open mirror.
pub struct Mirror {
    listener: Listener,
    common: Arc<Common>,
    _place: Mirrored,
}

/// What all connections of a mirror share.
struct Common {
    handle: Handle,
    lens: Lens,
    limits: Arc<Limits>,
    /// An editor has joined.
    is_joined: AtomicBool,
    news: mpsc::Sender<News>,
}

/// What happens at a mirror, for the person who opened it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// An editor with this name has joined.
    Joined(String),
    /// It has left.
    Left(String),
    /// No editor can connect at the moment, for this reason.
    Closed(String),
}

/// Why a mirror ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Its session has ended.
    Session,
    /// The person who opened it closes it.
    Closed,
}

/// The right to be the editor of a mirror; dropping it makes room for another one.
struct Seat(Arc<Common>);

impl Common {
    /// # Errors
    /// There is an editor already.
    fn join(self: &Arc<Self>) -> Result<Seat, Error> {
        if self.is_joined.swap(true, Ordering::AcqRel) {
            return Err(Error::EditorJoined { session: self.handle.id().to_string() });
        }
        Ok(Seat(self.clone()))
    }

    fn report(&self, news: News) {
        // Nobody reads, or too slowly: the mirror does not wait.
        drop(self.news.try_send(news));
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.is_joined.store(false, Ordering::Release);
    }
}

impl Mirror {
    /// Listens on a port of 127.0.0.1; 0 takes a free one. The news end with the mirror.
    ///
    /// # Errors
    /// The port cannot be used, the session has a mirror already, or it has ended.
    pub async fn open(
        handle: Handle,
        port: u16,
        lens: Lens,
        limits: Arc<Limits>,
    ) -> Result<(Self, mpsc::Receiver<News>), Error> {
        handle.need_open()?;
        let failed = |error: io::Error| Error::MirrorPort { port, cause: error.to_string() };
        let listener = Listener::open(port).await.map_err(failed)?;
        let place = handle.mirrored(listener.port())?;
        let (sender, news) = mpsc::channel(NEWS);
        let (handle, is_joined) = (handle.by_editor(), AtomicBool::new(false));
        let common = Arc::new(Common { handle, lens, limits, is_joined, news: sender });
        Ok((Self { listener, common, _place: place }, news))
    }

    /// Where editors connect.
    pub fn port(&self) -> u16 {
        self.listener.port()
    }

    /// The next connection; not before this moment.
    async fn client(&self, at: Option<Instant>) -> io::Result<Accepted> {
        if let Some(at) = at {
            tokio::time::sleep_until(at).await;
        }
        self.listener.client().await
    }

    /// Serves editors until the session ends or `closed` is ready, then ends their connections.
    pub async fn serve(self, closed: impl Future<Output = ()>) {
        let (ending, end) = watch::channel(None);
        let mut open = FuturesUnordered::new();
        let mut over = pin!(self.common.handle.over());
        let mut closed = pin!(closed);
        let mut retry_at = None;
        let why = loop {
            let room = open.len() < CONNECTIONS;
            tokio::select! {
                client = self.client(retry_at), if room => match client {
                    Ok(client) => {
                        retry_at = None;
                        let editor = Editor::new(self.common.clone(), end.clone());
                        open.push(Box::pin(async move {
                            if let Some(streams) = client.of_this_user().await {
                                editor.serve(streams).await;
                            }
                        }));
                    }
                    Err(error) => {
                        tracing::warn!(%error, "no editor can connect");
                        if retry_at.is_none() {
                            self.common.report(News::Closed(error.to_string()));
                        }
                        retry_at = Some(Instant::now() + RETRY);
                    }
                },
                Some(()) = open.next() => {}
                () = &mut over => break End::Session,
                () = &mut closed => break End::Closed,
            }
        };
        ending.send_replace(Some(why));
        // An editor may still read the end of the session, unless the mirror is closed.
        let mut is_closed = why == End::Closed;
        loop {
            tokio::select! {
                left = open.next() => {
                    if left.is_none() {
                        return;
                    }
                }
                () = &mut closed, if !is_closed => {
                    is_closed = true;
                    ending.send_replace(Some(End::Closed));
                }
            }
        }
    }
}

/// From a connection that the system does not accept, as when too many files are open, to the next
/// attempt.
const RETRY: Duration = Duration::from_millis(500);

/// From the end of a session to the end of its editor's connection, and for its last messages.
const LINGER: Duration = Duration::from_secs(2);
