//! Sessions, capabilities, adapters and a log.

use schemars::JsonSchema;
use serde::Serialize;

use super::breakpoints::{self, Breakpoint};
use super::ended::Exit;
use super::frame::Location;
use super::written;
use crate::model::SessionStatus;
use crate::session::LogLines;
use crate::view::{self, Lens};

/// Data of `debug_status`. Each detail fills its part.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Status {
    sessions: Option<Vec<Session>>,
    capabilities: Option<Vec<String>>,
    adapters: Option<Vec<Adapter>>,
    log: Option<Log>,
    /// Markdown.
    document: Option<String>,
    /// About the configuration.
    notes: Vec<String>,
}

/// A session.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Session {
    session: String,
    adapter: String,
    target: String,
    /// preparing, starting, idle, running, stopped, ending, ended.
    phase: String,
    // By a person.
    taken: bool,
    /// Where it is stopped.
    location: Option<Location>,
    breakpoints: Vec<Breakpoint>,
    /// Exceptions that stop the program.
    exceptions: Vec<String>,
    watches: Vec<String>,
    /// Since the launch.
    seconds: f64,
    exit: Option<Exit>,
}

/// An adapter.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Adapter {
    name: String,
    title: String,
    languages: Vec<String>,
    state: String,
    documents: Vec<String>,
}

/// A page of a log.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Log {
    /// Number of the first line.
    first: u64,
    lines: Vec<String>,
    /// `since` for the next page.
    next: u64,
}

impl Session {
    fn of(status: &SessionStatus, lens: &Lens) -> Self {
        let in_force = status.exceptions.iter().filter(|(_, on)| *on);
        Self {
            session: status.id.to_string(),
            adapter: status.adapter.clone(),
            target: written::text(&status.target),
            phase: status.phase.to_owned(),
            taken: status.is_taken,
            location: status.at.as_ref().map(|(_, _, frame)| Location::of(frame, lens)),
            breakpoints: breakpoints::all(&status.breakpoints, lens),
            exceptions: in_force.map(|(name, _)| name.clone()).collect(),
            watches: status.watches.clone(),
            seconds: written::seconds(status.age),
            exit: status.exit.as_ref().map(|exit| Exit::of(exit, lens)),
        }
    }
}

impl Status {
    pub fn sessions(all: &[SessionStatus], lens: &Lens) -> Self {
        let sessions = all.iter().map(|status| Session::of(status, lens)).collect();
        Self { sessions: Some(sessions), ..Self::default() }
    }

    pub fn capabilities(status: &SessionStatus, lens: &Lens) -> Self {
        Self {
            capabilities: Some(status.capabilities.clone()),
            ..Self::sessions(std::slice::from_ref(status), lens)
        }
    }

    pub fn adapters(adapters: &[view::Adapter], notes: &[String]) -> Self {
        let mut all = Vec::new();
        for adapter in adapters {
            all.push(Adapter {
                name: adapter.name.clone(),
                title: adapter.title.clone(),
                languages: adapter.languages.clone(),
                state: adapter.state.clone(),
                documents: adapter.documents.clone(),
            });
        }
        Self { adapters: Some(all), notes: notes.to_vec(), ..Self::default() }
    }

    pub fn document(text: &str) -> Self {
        Self { document: Some(text.to_owned()), ..Self::default() }
    }

    pub fn log(log: &LogLines, since: Option<u64>) -> Self {
        let (first, lines) = view::log_page(log, since);
        let log = Log {
            first,
            lines: lines.iter().map(|line| written::text(line)).collect(),
            next: first + lines.len() as u64,
        };
        Self { log: Some(log), ..Self::default() }
    }
}
