//! Clients by HTTP: each has sessions of its own, or all have the same.
//!
//! Refuses to know what is printed about the address and the token.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::local::Callers;
use super::{Surroundings, Workspace, environment};
use crate::config::Flags;
use crate::http::{self, Guard, PATH, Token};
use crate::limits::Limits;
use crate::mcp::http::{Conversations, Sessions};
use crate::mcp::{self, Roots, Server};
use crate::model::ToolChoice;
use crate::session::Additions;

/// The address when none is named.
const LOOPBACK: &str = "127.0.0.1";

/// How clients reach the host.
#[derive(Clone, Debug)]
pub struct Door {
    /// A name or address of this machine; loopback if absent.
    pub listen: Option<String>,
    /// 0: a free one.
    pub port: u16,
    /// What clients must send.
    pub token: TokenSource,
    /// Clients share their sessions.
    pub shares_sessions: bool,
}

/// Where the token is from that clients must send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenSource {
    /// Clients send none.
    None,
    /// A new one.
    Random,
    /// A file of the user, which stays the same for other servers.
    File(PathBuf),
}

/// What clients need to know.
pub struct Opened<'a> {
    /// The URL of the server.
    pub url: String,
    /// A new token, which clients send.
    pub token: Option<&'a str>,
    /// The file with the token that clients send.
    pub token_file: Option<&'a Path>,
    /// Only this machine can connect.
    pub is_loopback: bool,
}

/// Serves clients by HTTP until `SIGTERM` or `SIGINT` arrives, then ends every session. Calls
/// `ready` once they can connect.
///
/// # Errors
/// The address cannot be used, or `choice` names a tool that does not exist.
pub async fn serve_http(
    workspace: Workspace,
    flags: Flags,
    choice: &ToolChoice,
    door: Door,
    ready: impl FnOnce(&Opened<'_>),
) -> io::Result<()> {
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let Workspace { path: workspace, is_named } = workspace;
    let surroundings = Surroundings { workspace, flags, environment: environment() };
    let config = surroundings.config(&Additions::default()).unwrap_or_else(|_| surroundings.own());
    let mut limits = Limits::default();
    config.limits.iter().for_each(|(key, number)| limits.set(key, *number));
    let limits = Arc::new(limits);
    let tools = mcp::Tools::chosen(&config.tool_choice.clone().over(choice.clone()))
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let (listener, guard) = open(&door, ready).await?;
    let callers = super::callers(&limits, surroundings, config.tool_choice);
    let conversations = conversations(&callers, tools, !is_named, door.shares_sessions);
    let answering = conversations.clone();
    let handler = move |request| answering.clone().answer(request);
    let ending = CancellationToken::new();
    let serving = async {
        let why = tokio::select! {
            never = http::serve(listener, guard, limits.clone(), handler) => match never {},
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
        };
        tracing::info!(why, "ending");
        if tokio::time::timeout(limits.shutdown, conversations.close()).await.is_err() {
            tracing::warn!("sessions are still open; the guard ends them");
        }
        // Persons read the ends of their sessions.
        ending.cancel();
    };
    tokio::join!(serving, super::serve_local(callers, &ending));
    Ok(())
}

/// Listens, and tells clients where.
async fn open(door: &Door, ready: impl FnOnce(&Opened<'_>)) -> io::Result<(TcpListener, Guard)> {
    let named = door.listen.as_deref().unwrap_or(LOOPBACK);
    let listener = TcpListener::bind((named.trim_matches(['[', ']']), door.port));
    let listener = listener.await.map_err(|error| {
        io::Error::new(
            error.kind(),
            format!("cannot listen on {named} port {}: {error}", door.port),
        )
    })?;
    let address: SocketAddr = listener.local_addr()?;
    let is_loopback = address.ip().to_canonical().is_loopback();
    if door.token == TokenSource::None && !is_loopback {
        let text = format!(
            "--no-token is for loopback: everybody who can reach {named} could run programs as \
             you; leave out --no-token, or --listen {named}"
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    let (token, token_file) = match &door.token {
        TokenSource::None => (None, None),
        TokenSource::Random => (Some(Token::random()?), None),
        TokenSource::File(path) => (Some(Token::read(path)?), Some(path.as_path())),
    };
    let new = token.as_ref().filter(|_| token_file.is_none()).map(Token::text);
    ready(&Opened { url: format!("http://{address}{PATH}"), token: new, token_file, is_loopback });
    Ok((listener, Guard::new(door.listen.clone(), token)))
}

/// `takes_roots`: the relative paths of a client start at its root, if it has one.
fn conversations(
    callers: &Arc<Callers>,
    tools: mcp::Tools,
    takes_roots: bool,
    shared: bool,
) -> Arc<Conversations> {
    let server = {
        let (workspace, limits) = (callers.workspace.clone(), callers.limits.clone());
        move |sessions| {
            let server = Server::new(sessions, workspace.clone(), limits.clone());
            let server = server.with_tools(tools.clone());
            if takes_roots { server.with_roots(Roots::default()) } else { server }
        }
    };
    let common = server(callers.sessions.clone());
    let sessions = if shared {
        Sessions::Shared
    } else {
        let callers = callers.clone();
        Sessions::Apart(Box::new(move || server(callers.sessions.apart())))
    };
    Conversations::new(sessions, common, callers.limits.clone())
}
