//! Callers on the local socket: each has the directory, the configuration and the environment of
//! the shell that it was typed in. All see the sessions of the host, or those of one of its clients
//! by HTTP.
//!
//! Refuses to know what is called.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::DuplexStream;
use tokio::net::UnixStream;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{Surroundings, build};
use crate::config::{Config, Flags};
use crate::limits::Limits;
use crate::mcp::{self, Origin};
use crate::model::ToolChoice;
use crate::process::Owner;
use crate::session::{Additions, Error, Sessions, Setup};
use crate::socket::{Directory, Listener, Name};

/// Configurations with their loaded plugins that are stored.
const SETUPS: usize = 8;

/// How long the last callers of a host may read its answers once its sessions have ended.
const LAST_ANSWERS: Duration = Duration::from_secs(1);

/// Bytes on their way to or from a caller in this process.
const IN_PROCESS: usize = 64 * 1024;

/// What every caller of one host is served from.
pub(super) struct Callers {
    pub sessions: Arc<Sessions>,
    pub owner: Owner,
    pub limits: Arc<Limits>,
    pub workspace: PathBuf,
    pub setups: Arc<Setups>,
}

impl Callers {
    /// Serves the callers of a socket until `ending`, and then those that wait for an answer.
    pub async fn serve(self: Arc<Self>, listener: Listener, ending: &CancellationToken) {
        let mut open = JoinSet::new();
        loop {
            let room = open.len() < self.limits.connections;
            tokio::select! {
                stream = listener.accept(), if room => self.accept(&mut open, stream),
                Some(_) = open.join_next() => {}
                () = ending.cancelled() => break,
            }
        }
        drop(listener);
        let answers = async { while open.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_ANSWERS, answers).await.is_err() {
            tracing::debug!("callers are still connected");
        }
    }

    /// Serves the callers of a socket until nobody has used the host for its limit, or a signal
    /// arrives.
    pub async fn serve_until_idle(self: Arc<Self>, listener: Listener) -> io::Result<()> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut changes = self.sessions.feed().changes();
        let mut open = JoinSet::new();
        let mut used = Instant::now();
        let why = loop {
            if !open.is_empty() || self.sessions.any_open() {
                used = Instant::now();
            }
            let room = open.len() < self.limits.connections;
            tokio::select! {
                stream = listener.accept(), if room => self.accept(&mut open, stream),
                Some(_) = open.join_next() => {}
                _ = changes.changed() => {}
                () = tokio::time::sleep_until(used + self.limits.host_idle) => {
                    if open.is_empty() && !self.sessions.any_open() {
                        break "nobody used it";
                    }
                }
                _ = terminate.recv() => break "SIGTERM",
                _ = interrupt.recv() => break "SIGINT",
            }
        };
        tracing::info!(why, "ending");
        // A command that connects from now on starts another host.
        drop(listener);
        if tokio::time::timeout(self.limits.shutdown, self.sessions.close_all()).await.is_err() {
            tracing::warn!("sessions are still open; the guard ends them");
        }
        Ok(())
    }

    /// Serves a connection.
    fn accept(self: &Arc<Self>, open: &mut JoinSet<()>, stream: UnixStream) {
        let callers = self.clone();
        open.spawn(async move {
            let limits = callers.limits.clone();
            let server = |origin| callers.server(origin);
            Box::pin(mcp::serve_socket(stream, &limits, server)).await;
        });
    }

    /// Serves a caller in this process.
    #[expect(clippy::disallowed_methods, reason = "it ends with its connection")]
    pub fn serve_here(self: Arc<Self>) -> DuplexStream {
        let (ours, theirs) = tokio::io::duplex(IN_PROCESS);
        tokio::spawn(async move {
            let limits = self.limits.clone();
            Box::pin(mcp::serve_socket(ours, &limits, |origin| self.server(origin))).await;
        });
        theirs
    }

    /// The server of one caller, with all our tools.
    fn server(&self, origin: Option<Origin>) -> mcp::Server {
        let config =
            origin.as_ref().map(|origin| surroundings(origin).config(&Additions::default()));
        let choice = ToolChoice {
            toolsets: Some(vec!["default".to_owned(), "raw".to_owned()]),
            structured: Some(true),
            allow_shell: config.and_then(Result::ok).and_then(|it| it.tool_choice.allow_shell),
            ..ToolChoice::default()
        };
        let tools = mcp::Tools::chosen(&choice).unwrap_or_default();
        let is_command_line = origin.is_some();
        let (sessions, workspace, home) = match origin {
            Some(origin) => {
                let home = origin.environment.get("HOME").map(PathBuf::from);
                (self.sessions_of(&origin), origin.workspace, home)
            }
            None => (self.sessions.clone(), self.workspace.clone(), None),
        };
        let server = mcp::Server::new(sessions, workspace, self.limits.clone());
        let server = server.with_tools(tools).with_home(home);
        if is_command_line { server.with_marked_calls() } else { server }
    }

    fn sessions_of(&self, origin: &Origin) -> Arc<Sessions> {
        let pairs = origin.environment.iter();
        let variables = pairs.map(|(name, value)| (name.into(), value.into())).collect();
        let owner = self.owner.in_environment(Arc::new(variables));
        let surroundings = surroundings(origin);
        let sessions = match origin.client {
            Some(client) => self.sessions.of_client(client),
            None => self.sessions.clone(),
        };
        let (setups, of_caller) = (self.setups.clone(), owner.clone());
        let load = move |additions: &Additions| setups.of(&of_caller, &surroundings, additions);
        sessions.configured_by(Box::new(load), owner)
    }
}

fn surroundings(origin: &Origin) -> Surroundings {
    Surroundings {
        workspace: origin.workspace.clone(),
        flags: Flags { file: origin.config.clone(), trust: origin.trust },
        environment: origin.environment.clone(),
    }
}

/// The configurations of recent callers. The plugins of the same one are loaded once.
#[derive(Default)]
pub(super) struct Setups(Mutex<VecDeque<Known>>);

struct Known {
    surroundings: Surroundings,
    config: Config,
    setup: Setup,
}

impl Setups {
    /// Reads the configuration, which may have changed since the last caller.
    fn of(
        &self,
        owner: &Owner,
        surroundings: &Surroundings,
        additions: &Additions,
    ) -> Result<Setup, Error> {
        Ok(self.built(owner, surroundings, surroundings.config(additions)?))
    }

    pub fn built(&self, owner: &Owner, surroundings: &Surroundings, config: Config) -> Setup {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &Known| known.config == config && known.surroundings == *surroundings;
        if let Some(known) = known.iter().find(|known| same(known)) {
            return known.setup.clone();
        }
        let setup = build(owner, surroundings, config.clone(), None);
        let surroundings = surroundings.clone();
        known.push_front(Known { surroundings, config, setup: setup.clone() });
        known.truncate(SETUPS);
        setup
    }
}

/// Listens in the usual directory.
pub(super) fn listen(name: Name) -> Result<Listener, crate::socket::Error> {
    Listener::bind(&Directory::usual()?, name)
}
