//! `dapdock guard`: the process that ends all families when the host dies.
//!
//! Knows scopes and the pipe that brings them. Refuses to know sessions. The host has the only
//! write end of the pipe and sends one JSON message per line. End of file means that the host is
//! dead: the guard then kills everything that it still owns.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::thread::JoinHandle;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::scope::Scope;
use super::sweep::{self, Ladder};

/// The guard's only output, once it has left the host's process group and session.
pub(super) const READY: &[u8] = b"ready\n";

/// The guard sends SIGKILL at once. `settle` is the time for a process between `fork` and `exec` to
/// show its mark.
const LADDER: Ladder = Ladder {
    term: Duration::ZERO,
    kill: Duration::from_secs(10),
    settle: Duration::from_millis(100),
};

/// Message from host to guard.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Message {
    /// The current scope of a family.
    Own(Scope),
    /// Kill the processes of this scope and forget it.
    End(Scope),
    /// The family of this mark has no process left.
    Forget(String),
}

/// Runs the hidden subcommand. Call it first in `main`, before there are threads and logging.
pub fn main() -> ExitCode {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return ExitCode::FAILURE;
    };
    // Fails for the leader of a group, which needs no other one.
    let _ = rustix::process::setsid();
    let ignored = runtime.block_on(async { ignore() });
    let mut stdout = std::io::stdout();
    if ignored.is_err() || stdout.write_all(READY).and_then(|()| stdout.flush()).is_err() {
        return ExitCode::FAILURE;
    }
    obey(std::io::stdin().lock().lines().map_while(Result::ok), end);
    ExitCode::SUCCESS
}

/// Follows the host's messages until the pipe ends, then ends all families. A family that does not
/// end delays neither later messages nor other families.
fn obey(lines: impl Iterator<Item = String>, end: impl Fn(Scope) + Clone + Send + 'static) {
    let mut owned = BTreeMap::new();
    let mut endings: Vec<JoinHandle<()>> = Vec::new();
    for line in lines {
        endings.retain(|ending| !ending.is_finished());
        if let Some(scope) = apply(&mut owned, &line) {
            endings.extend(end_apart(scope, end.clone()));
        }
    }
    for scope in owned.values() {
        sweep::kill_now(scope);
    }
    for scope in owned.into_values() {
        endings.extend(end_apart(scope, end.clone()));
    }
    for ending in endings {
        drop(ending.join());
    }
}

/// Ends a scope on its own thread; on this one if the system starts no thread.
fn end_apart(scope: Scope, end: impl Fn(Scope) + Clone + Send + 'static) -> Option<JoinHandle<()>> {
    let (here, now) = (scope.clone(), end.clone());
    let ending = std::thread::Builder::new().spawn(move || end(scope));
    if ending.is_err() {
        now(here);
    }
    ending.ok()
}

/// Ignores the signals that would end the guard.
fn ignore() -> std::io::Result<Vec<Signal>> {
    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ];
    kinds.into_iter().map(signal).collect()
}

/// Applies a message; returns the scope that it ends.
fn apply(owned: &mut BTreeMap<String, Scope>, line: &str) -> Option<Scope> {
    match serde_json::from_str(line).ok()? {
        Message::Own(scope) => {
            owned.insert(scope.mark.clone(), scope);
            None
        }
        Message::End(scope) => {
            owned.remove(&scope.mark);
            Some(scope)
        }
        Message::Forget(mark) => {
            owned.remove(&mark);
            None
        }
    }
}

fn end(scope: Scope) {
    sweep::end(|| Some(scope.clone()), LADDER);
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, mpsc};

    use super::*;

    #[test]
    fn a_family_that_does_not_end_delays_no_other() {
        let scope = |name: &str| Scope::new(format!("a mark of no process: {name}"));
        let line = |message| serde_json::to_string(&message).unwrap();
        let lines = [
            line(Message::Own(scope("other"))),
            line(Message::End(scope("stuck"))),
            line(Message::End(scope("next"))),
        ];
        let (gone, others) = mpsc::channel();
        let (ended, delayed) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(others)));
        let all = ended.clone();
        obey(lines.into_iter(), move |scope| {
            let name = scope.mark.rsplit(' ').next().unwrap_or_default().to_owned();
            let is_stuck = name == "stuck";
            if is_stuck {
                let others = delayed.lock().unwrap();
                (0..2).for_each(|_| {
                    others.recv_timeout(Duration::from_secs(20)).expect("the others wait for it")
                });
            }
            all.lock().unwrap().push(name);
            if !is_stuck {
                gone.send(()).unwrap();
            }
        });
        let ended = ended.lock().unwrap();
        assert_eq!((ended.len(), ended.last().map(String::as_str)), (3, Some("stuck")));
    }
}
