//! The ends of sessions.

use schemars::JsonSchema;
use serde::Serialize;

use super::breakpoints::{self, Breakpoint};
use super::failure::Failure;
use super::listing::News;
use super::written;
use crate::model::{self, ExitStatus};
use crate::view::{self, ErrorText, Lens};

/// The end of a session.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exit {
    session: String,
    kind: Kind,
    /// The same in words.
    words: String,
    /// null: it did not exit with a code.
    code: Option<i64>,
    /// Number of the signal that ended it.
    signal: Option<i32>,
    /// Why the session failed.
    cause: Option<String>,
    /// The meaning of its last lines.
    means: Option<String>,
    output: News,
    /// Number of messages of log breakpoints since the last stop.
    log_hits: usize,
    breakpoints: Vec<Breakpoint>,
    /// Since the last resume.
    seconds: f64,
    /// The part of it that builds took.
    build_seconds: Option<f64>,
    notes: Vec<String>,
}

/// requested: ended by the call; notAttached: given up before attaching.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Code,
    Signal,
    Unknown,
    Requested,
    Detached,
    NotAttached,
}

impl Exit {
    pub fn of(exit: &model::Exit, lens: &Lens) -> Self {
        let (kind, code, signal) = match exit.status {
            ExitStatus::Code(code) => (Kind::Code, Some(code), None),
            ExitStatus::Signal(signal) => (Kind::Signal, None, Some(signal)),
            ExitStatus::Unknown => (Kind::Unknown, None, None),
            ExitStatus::Requested => (Kind::Requested, None, None),
            ExitStatus::Detached => (Kind::Detached, None, None),
            ExitStatus::NotAttached => (Kind::NotAttached, None, None),
        };
        Self {
            session: exit.session.to_string(),
            kind,
            words: view::ended(exit),
            code,
            signal,
            cause: written::optional(exit.cause.as_ref()),
            means: written::optional(exit.means.as_ref()),
            output: News::of(&exit.output),
            log_hits: exit.log_hits,
            breakpoints: breakpoints::all(&exit.breakpoints, lens),
            seconds: written::seconds(exit.elapsed),
            build_seconds: exit.built.map(written::seconds),
            notes: exit.notes.iter().map(|note| view::note(note, lens)).collect(),
        }
    }
}

/// Data of `debug_stop`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Ended {
    exits: Vec<Exit>,
    /// Sessions that could not be ended.
    failures: Vec<Failure>,
}

impl Ended {
    pub fn of(all: &[Result<std::sync::Arc<model::Exit>, ErrorText>], lens: &Lens) -> Self {
        Self {
            exits: all.iter().flatten().map(|exit| Exit::of(exit, lens)).collect(),
            failures: all.iter().filter_map(|end| end.as_ref().err()).map(Failure::of).collect(),
        }
    }
}
