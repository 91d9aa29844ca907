//! The processes of a plan: start, and the line that says that a process is ready.
//!
//! Refuses to know what a process does.

use std::ffi::OsString;
use std::time::Duration;

use regex::Regex;

use crate::file;
use crate::model::answer::RefusalKind;
use crate::model::plan::{LaunchPlan, ReadyLine, ReadyOutput, Role, Spawn, Transport};
use crate::model::{CommandLine, Names, UnknownName};
use crate::pattern;
use crate::plugin::Refused;
use crate::process::{self, Exit, Family, NEUTRAL_FOLDER, Process, Stdin, Stdio, Stdout};
use crate::session::Error;
use crate::session::adapter;
use crate::session::adapter::quirks::Quirks;
use crate::session::launch;
use crate::session::launch::order::{Order, Resources};

/// Lines of an adapter's standard error in the log of a session that failed.
const LAST_LINES: usize = 20;

/// Starts a process of the plan and waits for its ready line.
pub(crate) async fn start_and_wait(
    order: &Order,
    plan: &LaunchPlan,
    spawn: &Spawn,
    names: &mut Names,
    running: &mut Resources,
) -> Result<(), Error> {
    let mut process = start(order, plan, spawn, names, &running.family)?;
    if let Some(ready) = &spawn.ready {
        wait_ready(&mut process, ready, names, order).await?;
    }
    running.processes.push((spawn.role, process));
    Ok(())
}

fn start(
    order: &Order,
    plan: &LaunchPlan,
    spawn: &Spawn,
    names: &Names,
    family: &Family,
) -> Result<Process, Error> {
    let label = match spawn.role {
        Role::Adapter => "adapter",
        Role::Both => "debuggee with adapter",
    };
    let line = names.command(&spawn.command).map_err(contradiction)?;
    let wire = plan.transport == Transport::Stdio && spawn.role == Role::Adapter;
    let stdin =
        order.request.stdin.clone().filter(|_| spawn.takes_stdin).map_or(Stdin::Null, Stdin::File);
    let merged = Quirks::of(plan).merges_streams();
    let stdout = if merged { Stdout::Merged } else { Stdout::Captured };
    let stdio = if wire { Stdio::WIRE } else { Stdio { stdin, stdout } };
    order.workspace.log.command(format!("start {label}: {}", words(&line)));
    let mut command = command(line, label, order);
    // An adapter that imports or configures itself from its working directory must not find the
    // project's files there. A version manager needs them: they select the version.
    if spawn.role == Role::Adapter
        && spawn.command.cwd.is_none()
        && !file::is_version_manager(&command.program)
    {
        command = command.cwd(NEUTRAL_FOLDER);
    }
    family
        .spawn(&command, stdio)
        .map_err(|error| Error::Launch(launch::Error::Spawn { cause: error.to_string() }))
}

/// Waits for the ready line of a process; its named groups become values of the plan.
async fn wait_ready(
    process: &mut Process,
    ready: &ReadyLine,
    names: &mut Names,
    order: &Order,
) -> Result<(), Error> {
    let grace = order.limits.close_grace;
    let pattern = pattern::compile(&ready.pattern)
        .map_err(|error| Error::Launch(launch::Error::Spawn { cause: error.to_string() }))?;
    let (mut stdout, mut stderr) = (process.stdout().lines(), process.stderr().lines());
    let (out, err) = (ready.output != ReadyOutput::Stderr, ready.output != ReadyOutput::Stdout);
    let search = async {
        loop {
            let line = tokio::select! {
                Some(line) = stdout.next(), if out => line,
                Some(line) = stderr.next(), if err => line,
                else => return None,
            };
            if let Some(found) = captures(&pattern, &line) {
                return Some(found);
            }
        }
    };
    match tokio::time::timeout(ready.timeout, search).await {
        Ok(Some(found)) => {
            names.values.extend(found);
            Ok(())
        }
        Ok(None) => {
            // A process closes its output before its exit.
            let _ = tokio::time::timeout(grace, process.exited().wait()).await;
            Err(died_at_start(process, order).await)
        }
        Err(_) => Err(Error::Adapter(adapter::Error::Silent {
            command: format!("start (no line like `{}`)", ready.pattern),
            after: ready.timeout,
            limit: "the plugin's ready line",
        })),
    }
}

/// The named groups of the pattern in a line.
fn captures(pattern: &Regex, line: &str) -> Option<Vec<(String, String)>> {
    let found = pattern.captures(line)?;
    let mut values = Vec::new();
    for name in pattern.capture_names().flatten() {
        if let Some(value) = found.name(name) {
            values.push((name.to_owned(), value.as_str().to_owned()));
        }
    }
    Some(values)
}

/// A command as a shell reads it.
pub(crate) fn words(line: &CommandLine) -> String {
    let program = line.program.display().to_string();
    shell_words::join(std::iter::once(&program).chain(&line.args))
}

/// The command of a plan, in the workspace unless it says otherwise.
pub(crate) fn command(line: CommandLine, label: &str, order: &Order) -> process::Command {
    process::Command {
        program: line.program,
        args: line.args.into_iter().map(OsString::from).collect(),
        env: line.env,
        cwd: Some(line.cwd.unwrap_or_else(|| order.workspace.root.clone())),
        label: label.to_owned(),
    }
}

/// The error for a process that ended before its connection. The log has the last lines of its
/// standard error: the cause may come before the last one.
pub(crate) async fn died_at_start(process: &Process, order: &Order) -> Error {
    let log = &order.workspace.log;
    read_rest(process, order.limits.close_grace).await;
    for line in last_lines(&process.stderr().text()) {
        log.line(format!("standard error: {line}"));
    }
    died("start", process)
}

/// Reads the rest of the output of an ended process, up to `limit`: a child of it may keep the
/// stream open.
async fn read_rest(process: &Process, limit: Duration) {
    let mut lines = process.stderr().lines();
    let read = async { while lines.next().await.is_some() {} };
    drop(tokio::time::timeout(limit, read).await);
}

/// The last lines of an output that are not blank.
pub(crate) fn last_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.drain(..lines.len().saturating_sub(LAST_LINES));
    lines
}

/// The error for a process that ended, with its last line of output.
pub(crate) fn died(during: &str, process: &Process) -> Error {
    let how = match process.exited().now() {
        Some(Exit::Code(code)) => format!("exit code {code}"),
        Some(Exit::Signal(signal)) => format!("signal {signal}"),
        None => "it closed the connection".to_owned(),
    };
    let outputs = [process.stderr().text(), process.stdout().text()];
    let mut lines = outputs.iter().flat_map(|text| text.lines().rev());
    let tail = match lines.find(|line| !line.trim().is_empty()) {
        Some(line) => format!("{how}, last words: {}", line.trim()),
        None => how,
    };
    adapter::Error::Died { during: during.to_owned(), tail }.into()
}

/// The error for a plan that uses a name which nothing defines.
pub(crate) fn contradiction(error: UnknownName) -> Error {
    Error::Plugin(Refused::Request {
        kind: RefusalKind::Internal,
        message: format!("the plan cannot be carried out: {error}"),
        hint: None,
    })
}
