//! Every way a session ends: the reported exit, the last rung of the ladder that was needed, and
//! that no process is left. The end of an agent whose session a person has is in
//! `session::leaving`.

mod detaches;
mod exits;
mod ladder;
mod phases;
mod restarts;

use std::sync::Arc;
use std::time::Duration;

use dapdock::model::{Exit, ExitStatus, Rung};
use serde_json::{Value, json};

use crate::session::{Run, SOON, Stage, processes, soon};

/// Polls until the condition holds.
async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let mut tick = tokio::time::interval(Duration::from_millis(5));
    let poll = async {
        while !condition() {
            tick.tick().await;
        }
    };
    assert!(tokio::time::timeout(SOON, poll).await.is_ok(), "{what}");
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Preparing,
    Starting,
    Running,
    Stopped,
}

const PHASES: [At; 4] = [At::Preparing, At::Starting, At::Running, At::Stopped];

/// A fake with a debuggee process that only the host can end.
fn stage(at: At, mut script: Value) -> Stage {
    script["program"] = json!([{"line": 1}, {"line": 2, "hangs": true}]);
    if at == At::Starting {
        script["faults"] = json!([{"on": "initialize", "silent": null}]);
    }
    let stage = Stage::new(script).with("debuggee", json!("echo up; exec sleep 1000"));
    match at {
        At::Preparing => stage.with("ready", json!("never")),
        At::Stopped => stage.at(&[1]),
        _ => stage,
    }
}

async fn arrive(at: At, stage: Stage) -> Run {
    let mut run = stage.launch().await;
    let root = run.stage.root();
    match at {
        At::Preparing => until("the debuggee", || processes(&root) == ["sleep"]).await,
        At::Starting => until("initialize", || run.stage.commands() == ["initialize"]).await,
        At::Running => run.until("running").await,
        At::Stopped => drop(run.stop().await),
    }
    let phase = soon(run.handle.status()).await.unwrap().phase;
    assert_eq!(phase, format!("{at:?}").to_lowercase());
    run
}

fn status_and_rung(exit: &Arc<Exit>) -> (ExitStatus, Rung) {
    (exit.status, exit.rung)
}

/// Kills the process that a failed test would leave behind: it carries no mark to find it by.
struct Orphan(std::path::PathBuf);

impl Drop for Orphan {
    fn drop(&mut self) {
        let pid = std::fs::read_to_string(self.0.join("pid"))
            .ok()
            .and_then(|pid| pid.trim().parse().ok());
        let is_ours = |pid: &i32| {
            std::fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|cwd| cwd == self.0)
        };
        if let Some(pid) = pid.filter(is_ours).and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
}

fn kill(name: &str, stage: &Stage) {
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let is_ours =
            std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == stage.root());
        let comm = std::fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        if is_ours && comm.trim() == name {
            let pid = entry.file_name().to_str().unwrap().parse().unwrap();
            rustix::process::kill_process(
                rustix::process::Pid::from_raw(pid).unwrap(),
                rustix::process::Signal::KILL,
            )
            .unwrap();
        }
    }
}
