//! `dapdock` alone: what it is, which adapters are here, which sessions are open, and what to type
//! next. Starts no process; `dapdock doctor` tries the adapters.

use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;

use super::adapters::{Row, rows};
use super::{Common, print, say, verbs};
use crate::host;
use crate::limits::Limits;
use crate::process::Owner;

/// The commands to begin with, and what they do.
const COMMANDS: &[(&str, &str)] = &[
    ("dapdock launch -b FILE:LINE PROGRAM …", "debug a program, a test, or a command line"),
    ("dapdock attach PID", "debug a process that runs"),
    ("dapdock sessions", "sessions, also those of agents"),
    ("dapdock help", "all commands; `dapdock help launch` for one"),
    ("dapdock mcp", "serve an agent: the command of an MCP server"),
];

/// Prints the screen.
pub async fn run() -> ExitCode {
    match screen().await {
        Ok(text) => print(text.trim_end()),
        Err(problem) => {
            say(format_args!("error: {problem}"));
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

async fn screen() -> Result<String, String> {
    let common = Common::default();
    let (workspace, flags) = common.clone().places().map_err(|error| error.to_string())?;
    let owner = Owner::new(Arc::new(Limits::default()));
    let setup = host::setup(&owner, &workspace, flags, None).map_err(|error| error.to_string())?;
    let mut text = format!(
        "dapdock {}: a real debugger for AI agents and people\n\nadapters\n",
        env!("CARGO_PKG_VERSION")
    );
    text += &adapters(&rows(&setup).await);
    text += "sessions\n";
    match verbs::listed(common).await {
        Ok(hosts) if hosts.is_empty() => text += "  none\n",
        Ok(hosts) => hosts.lines().for_each(|line| text += &format!("  {line}\n")),
        Err(failure) => text += &format!("  {}\n", failure.text),
    }
    text += "commands\n";
    let width = COMMANDS.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    for (command, about) in COMMANDS {
        let _ = writeln!(text, "  {command:<width$}  {about}");
    }
    Ok(text)
}

/// Those that are here in one line, and a line for each other one.
fn adapters(rows: &[Row]) -> String {
    let (mut found, mut others) = (Vec::new(), String::new());
    for row in rows {
        if row.is_found() {
            found.push(row.name());
        } else {
            let _ = writeln!(others, "  {}", row.text());
        }
    }
    if found.is_empty() {
        return others;
    }
    format!("  found: {} (`dapdock doctor` tries each)\n{others}", found.join(" · "))
}
