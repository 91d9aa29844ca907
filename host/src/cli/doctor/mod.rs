//! `dapdock doctor`: does every adapter work on this machine, and what mends it where it does not?

mod report;
mod trial;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::Value;

use super::{Common, print, tell};
use crate::host;
use crate::limits::Limits;
use crate::process::Owner;
use crate::session::{Sessions, Setup};
use report::{Report, State};

/// Debugs a tiny program with each adapter, to a breakpoint, and says what works.
///
/// The exit code is 0 if every adapter that is there works, and 1 if one does not. An adapter that
/// is not installed is no failure; the command that installs it is told.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Only these; all when none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// As JSON, for programs.
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
            tell(format_args!("error: {problem}"));
            return ExitCode::FAILURE;
        }
    };
    if json {
        print(Value::Array(reports.iter().map(Report::json).collect()))
    } else {
        reports.iter().for_each(|report| print(report.text()))
    }
    let good = |report: &Report| matches!(report.state, State::Works | State::Missing);
    if reports.iter().all(good) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One after the other, so that what one leaves cannot be taken for another's.
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
    // What is lacking is told, not fetched.
    let setup = Setup { auto_install: false, ..setup };
    let catalog = setup.catalog.clone();
    catalog.unknown_tools().await.iter().for_each(|tool| tell(format_args!("note: {tool}")));
    let sessions = Sessions::new(Box::new(move || Ok(setup.clone())), owner);
    let mut reports = Vec::new();
    for name in names {
        tell(format_args!("{name} …"));
        reports.push(match catalog.get(&name).await {
            Ok(plugin) => trial::run(&sessions, &plugin).await,
            Err(error) => Report::broken(name, error.to_string()),
        });
    }
    sessions.close_all().await;
    Ok(reports)
}
