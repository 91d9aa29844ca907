//! `dapdock watch`: the events of a session as they come. Lines where standard output is a pipe, a
//! redrawn screen on a terminal. `dapdock mirror`: a port for an editor, and the lines about it.
//!
//! Refuses to know what an event means.

use std::io::{self, Write};
use std::process::ExitCode;

use futures_util::FutureExt;
use tokio::signal::unix::{SignalKind, signal};

use super::super::{AgentSession, Common, Mirror, Watch};
use super::exit::{Code, Failure};
use super::hosts::Needs;
use super::screen::Screen;
use super::{INTERRUPTED, Style, calls, hosts, print_error, reader};
use crate::mcp::{Answer, Client, Joining, WatchEvent};
use crate::view::left_out;

/// Events between two drawings of a screen at most.
const BURST: usize = 500;

/// The exit code of a watch that SIGTERM ends (128 and its number).
const TERMINATED: u8 = 143;

/// Runs `dapdock watch`.
pub async fn watch(flags: Watch) -> ExitCode {
    let view =
        || if Screen::is_here() { View::Screen(Screen::open()) } else { View::Lines(io::stdout()) };
    run(flags.common, flags.session, Joining::Watch, view).await
}

/// Runs `dapdock mirror`. A signal closes the connection to the host, which ends the mirror.
pub async fn mirror(flags: Mirror) -> ExitCode {
    let view = || View::Lines(io::stdout());
    run(flags.common, flags.session, Joining::Mirror(flags.port), view).await
}

/// `view` opens where the events go, once there is a session.
async fn run(
    common: Common,
    session: AgentSession,
    joining: Joining,
    view: impl FnOnce() -> View,
) -> ExitCode {
    match follow(common, session, joining, view).await {
        Ok(code) => code,
        Err(failure) => {
            print_error(Style::Text, &failure);
            failure.exit().into()
        }
    }
}

async fn follow(
    common: Common,
    session: AgentSession,
    joining: Joining,
    view: impl FnOnce() -> View,
) -> Result<ExitCode, Failure> {
    let origin = hosts::origin(common)?;
    let reader = reader(Style::Text);
    let (client, session) =
        hosts::client(&origin, session.name(), Needs::AgentSession, reader).await?;
    let mut view = view();
    let end = events(&client, joining, session.as_deref(), &mut view).await;
    // Restores the terminal before the last line.
    drop(view);
    client.close().await;
    match end? {
        End::Answered(answer) if answer.is_error => {
            let failure = Failure::of(&answer);
            print_error(Style::Text, &failure);
            Ok(failure.exit().into())
        }
        End::Answered(answer) => {
            // A closed standard output is no error.
            drop(writeln!(io::stdout(), "{}", calls::rewritten(&answer.text)));
            Ok(Code::Done.into())
        }
        End::Unread => Ok(Code::Done.into()),
        End::Signal(code) => Ok(code.into()),
    }
}

/// Why a watch or a mirror ends.
enum End {
    /// The session has ended, or there is none.
    Answered(Answer),
    /// Standard output is closed.
    Unread,
    Signal(u8),
}

/// Where events go.
enum View {
    Lines(io::Stdout),
    Screen(Screen),
}

impl View {
    fn add(&mut self, mut event: WatchEvent) -> io::Result<()> {
        event.text = calls::rewritten(&event.text);
        let left_out = (event.left_out > 0).then(|| left_out(event.left_out));
        match self {
            Self::Lines(out) => {
                if let Some(line) = left_out {
                    writeln!(out, "{line}")?;
                }
                writeln!(out, "{}", event.text)
            }
            Self::Screen(screen) => {
                screen.add(left_out.as_deref(), &event.kind, &event.text);
                Ok(())
            }
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        match self {
            Self::Lines(_) => Ok(()),
            Self::Screen(screen) => screen.draw(),
        }
    }
}

async fn events(
    client: &Client,
    joining: Joining,
    session: Option<&str>,
    view: &mut View,
) -> Result<End, Failure> {
    let handler = |kind| signal(kind).map_err(|error| Failure::host(error.to_string()));
    let mut terminate = handler(SignalKind::terminate())?;
    let mut interrupt = handler(SignalKind::interrupt())?;
    let mut resized = handler(SignalKind::window_change())?;
    let answer = client.join(joining, session);
    tokio::pin!(answer);
    let answer = loop {
        let event = tokio::select! {
            answer = &mut answer => break answer,
            event = client.event() => Some(event),
            _ = resized.recv() => None,
            _ = interrupt.recv() => return Ok(End::Signal(INTERRUPTED)),
            _ = terminate.recv() => return Ok(End::Signal(TERMINATED)),
        };
        if add_all(client, view, event).is_err() {
            return Ok(End::Unread);
        }
    };
    let answer = answer.map_err(|error| Failure::host(error.to_string()))?;
    let count = answer.data.pointer("/data/events").and_then(serde_json::Value::as_u64);
    while let Some(event) = client.last_event(count.unwrap_or_default()).await {
        if view.add(event).is_err() {
            return Ok(End::Unread);
        }
    }
    Ok(End::Answered(answer))
}

/// Adds an event with those that have come as well, then draws once.
fn add_all(client: &Client, view: &mut View, event: Option<WatchEvent>) -> io::Result<()> {
    let mut next = event;
    for _ in 0..BURST {
        let Some(event) = next else { break };
        view.add(event)?;
        next = client.event().now_or_never();
    }
    if let Some(event) = next {
        view.add(event)?;
    }
    view.draw()
}
