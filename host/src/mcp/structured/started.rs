//! Launches, attaches and restarts.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::breakpoints::{self, Breakpoint};
use super::facts::Facts;
use super::failure::Failure;
use super::movement::Movement;
use super::written;
use crate::mcp::outcome;
use crate::model::plan::Built;
use crate::view::ErrorText;

/// Data of `debug_launch`, `debug_attach` and `debug_restart`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Started {
    #[serde(flatten)]
    session: Session,
    /// The other sessions of a compound, in the same form.
    #[schemars(with = "Vec<Map<String, Value>>")]
    others: Vec<Session>,
    /// Sessions of a compound that did not start.
    failures: Vec<Failure>,
}

/// A session that was started.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Session {
    pid: Option<u32>,
    program_name: Option<String>,
    /// Of an attach: `process 4711` or `host:port`.
    command_line: Option<String>,
    adapter: Option<String>,
    build_info: Option<BuildInfo>,
    breakpoints: Vec<Breakpoint>,
    /// Keys of launch.json that are ignored.
    ignored_keys: Vec<String>,
    #[serde(flatten)]
    movement: Movement,
}

/// A build before the start.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct BuildInfo {
    seconds: f64,
    /// Command lines, in order.
    commands: Vec<String>,
    /// The ends of their standard errors.
    output: String,
}

impl BuildInfo {
    fn of(builds: &Built) -> Self {
        Self {
            seconds: written::seconds(builds.time),
            commands: builds.commands.iter().map(|line| written::text(line)).collect(),
            output: written::text(&builds.output),
        }
    }
}

impl Started {
    /// None if no session was started.
    pub fn of(all: &[Result<outcome::Started, ErrorText>], facts: &Facts) -> Option<Self> {
        let mut sessions = all.iter().flatten().map(|started| Session::of(started, facts));
        Some(Self {
            session: sessions.next()?,
            others: sessions.collect(),
            failures: all.iter().filter_map(|one| one.as_ref().err()).map(Failure::of).collect(),
        })
    }
}

impl Session {
    fn of(started: &outcome::Started, facts: &Facts) -> Self {
        let moment = facts.moment(started.arrival.session());
        let builds = moment.and_then(|moment| moment.builds.as_ref());
        Self {
            pid: moment.and_then(|moment| moment.pid),
            program_name: moment.and_then(|moment| moment.program_name.clone()),
            command_line: moment.map(|moment| written::text(&moment.command_line)),
            adapter: moment.map(|moment| moment.status.adapter.clone()),
            build_info: builds.map(BuildInfo::of),
            breakpoints: breakpoints::all(&started.breakpoints, &facts.lens),
            ignored_keys: started.ignored.clone(),
            movement: Movement::of(&started.arrival, &facts.lens),
        }
    }
}
