//! `dapdock doctor`: tries every adapter on this machine, and reports the remedy for a failure.
//! Knows no adapter.

mod report;
mod trial;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::Value;

use super::{Common, print, say};
use crate::host;
use crate::limits::Limits;
use crate::process::Owner;
use crate::session::{Sessions, Setup};
use report::{Report, State};

/// Debug a tiny program with each adapter, to a breakpoint.
///
/// The exit code is 0 if every installed adapter works, and 1 if one does not. Two kinds of adapter
/// do not count: one that is not installed (its report has the command that installs it), and one
/// whose plugin declares no program to debug.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Names of adapters [default: all].
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    common: Common,
}

/// Runs the command.
pub async fn run(doctor: Doctor) -> ExitCode {
    let json = doctor.json;
    let reports = match examine(doctor).await {
        Ok(reports) => reports,
        Err(problem) => {
            say(format_args!("error: {problem}"));
            return ExitCode::FAILURE;
        }
    };
    if json {
        print(Value::Array(reports.iter().map(Report::json).collect()));
    } else {
        for report in &reports {
            print(report.text());
        }
    }
    let good =
        |report: &Report| matches!(report.state, State::Works | State::Missing | State::Untried);
    if reports.iter().all(good) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tries one adapter at a time, so that each remaining process belongs to a known one.
async fn examine(doctor: Doctor) -> Result<Vec<Report>, String> {
    let (workspace, flags) =
        doctor.common.places().map_err(|error| format!("cannot find the workspace: {error}"))?;
    let limits = Arc::new(Limits::default());
    let owner = Owner::new(limits.clone());
    let setup = host::setup(&owner, &workspace, flags, None).map_err(|error| error.to_string())?;
    let mut names = doctor.names;
    if names.is_empty() {
        names = setup.catalog.names().map(str::to_owned).collect();
    }
    // A missing adapter is reported, not installed.
    let setup = Setup { auto_install: false, ..setup };
    let catalog = setup.catalog.clone();
    for tool in catalog.unknown_tools().await {
        say(format_args!("note: {tool}"));
    }
    let sessions = Sessions::new(Box::new(move |_| Ok(setup.clone())), owner);
    let mut reports = Vec::new();
    for name in names {
        say(format_args!("{name} …"));
        reports.push(match catalog.get(&name).await {
            Ok(plugin) => trial::run(&sessions, &plugin).await,
            Err(error) => Report::broken(name, error.to_string()),
        });
    }
    sessions.close_all().await;
    Ok(reports)
}
