//! Real processes: how they are spawned, how they end, and that none is left.

mod family;
mod guard;
mod run;
mod spawn;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::process::{Command, Family, GuardProgram, Lines, Owner, Process, Stdio};

/// Upper bound for anything that should happen soon, on a busy machine.
const SOON: Duration = Duration::from_secs(20);

fn owner() -> Owner {
    owner_with(Limits::default())
}

/// The guard is the shipped binary.
fn owner_with(limits: Limits) -> Owner {
    let program =
        GuardProgram { program: env!("CARGO_BIN_EXE_dapdock").into(), args: vec!["guard".into()] };
    Owner::with_guard(Arc::new(limits), program)
}

fn sh(script: &str) -> Command {
    Command::new("/bin/sh").args(["-c", script]).label("test")
}

/// Spawns a script that prints pids, one a line as `pid N`, and returns the first `count` of them.
async fn spawn_printing_pids(
    family: &Family,
    command: &Command,
    count: usize,
) -> (Process, Vec<u32>) {
    let process = family.spawn(command, Stdio::CAPTURED).unwrap();
    let mut lines = process.stdout().lines();
    let mut pids = Vec::new();
    while pids.len() < count {
        let line =
            next_line(&mut lines).await.expect("closed its output before it printed every pid");
        pids.extend(line.strip_prefix("pid ").map(|pid| pid.parse::<u32>().unwrap()));
    }
    (process, pids)
}

async fn next_line(lines: &mut Lines) -> Option<String> {
    tokio::time::timeout(SOON, lines.next()).await.expect("no line came")
}

fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// Polls until the condition holds; fails after `limit`.
#[track_caller]
fn wait_until(
    limit: Duration,
    what: &str,
    mut condition: impl FnMut() -> bool,
) -> impl Future<Output = ()> {
    let caller = std::panic::Location::caller();
    async move {
        let mut tick = tokio::time::interval(Duration::from_millis(5));
        let poll = async {
            while !condition() {
                tick.tick().await;
            }
        };
        let outcome = tokio::time::timeout(limit, poll).await;
        assert!(outcome.is_ok(), "not within {limit:?}: {what} ({caller})");
    }
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn file(dir: &tempfile::TempDir, name: &str, text: &str, mode: u32) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    path
}
