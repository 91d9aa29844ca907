//! `dapdock guard`: outlives the host for as long as it takes to kill what the host owned. Knows
//! scopes and the pipe they come through; knows nothing of why they exist.
//!
//! The host holds the only write end. One JSON message a line; end of file means that the host is
//! gone, in whatever way, and everything still owned dies.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::thread::JoinHandle;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::scope::Scope;
use super::sweep::{self, Ladder};

/// The guard's one word on stdout, once it can no longer be killed along with the host's group.
pub(super) const READY: &[u8] = b"ready\n";

/// No courtesy for the orphans of a killed host; a process in mid-`exec` is given time to show its
/// mark.
const LADDER: Ladder = Ladder {
    term: Duration::ZERO,
    kill: Duration::from_secs(10),
    settle: Duration::from_millis(100),
};

/// Host to guard.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Message {
    /// This is what the family of that mark owns now.
    Own(Scope),
    /// Kill what it owns, then forget it.
    End(Scope),
    /// Nothing of it is left.
    Forget(String),
}

/// The body of the hidden subcommand. Call it first thing in `main`, before threads and logging
/// exist.
pub fn main() -> ExitCode {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return ExitCode::FAILURE;
    };
    // Fails for a group leader, which is apart already.
    let _ = rustix::process::setsid();
    let ignored = runtime.block_on(async { ignore() });
    let mut stdout = std::io::stdout();
    if ignored.is_err() || stdout.write_all(READY).and_then(|()| stdout.flush()).is_err() {
        return ExitCode::FAILURE;
    }
    obey(std::io::stdin().lock().lines().map_while(Result::ok), end);
    ExitCode::SUCCESS
}

/// Does as the host says until it is gone, then ends what is left. A family that will not die takes
/// as long as the ladder is, and holds up neither the messages behind it nor the other families.
fn obey(lines: impl Iterator<Item = String>, end: impl Fn(Scope) + Clone + Send + 'static) {
    let (mut owned, mut endings) = (BTreeMap::new(), Vec::new());
    for line in lines {
        endings.retain(|ending: &JoinHandle<()>| !ending.is_finished());
        endings.extend(follow(&mut owned, &line).and_then(|scope| apart(scope, end.clone())));
    }
    owned.values().for_each(sweep::strike);
    endings.extend(owned.into_values().filter_map(|scope| apart(scope, end.clone())));
    endings.into_iter().for_each(|ending| drop(ending.join()));
}

/// On a thread of its own, or here and now if there can be none.
fn apart(scope: Scope, end: impl Fn(Scope) + Clone + Send + 'static) -> Option<JoinHandle<()>> {
    let (here, now) = (scope.clone(), end.clone());
    let ending = std::thread::Builder::new().spawn(move || end(scope));
    if ending.is_err() {
        now(here);
    }
    ending.ok()
}

/// Takes the signals that would end us and does nothing with them; the handlers stay for good.
fn ignore() -> std::io::Result<Vec<Signal>> {
    let kinds = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ];
    kinds.into_iter().map(signal).collect()
}

/// What is to be ended now.
fn follow(owned: &mut BTreeMap<String, Scope>, line: &str) -> Option<Scope> {
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
    fn a_family_that_will_not_die_holds_up_nobody() {
        let scope = |name: &str| Scope::new(format!("a mark of no process: {name}"));
        let line = |message| serde_json::to_string(&message).unwrap();
        let lines = [
            line(Message::Own(scope("other"))),
            line(Message::End(scope("stuck"))),
            line(Message::End(scope("next"))),
        ];
        let (gone, others) = mpsc::channel();
        let (ended, held_up) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(others)));
        let all = ended.clone();
        obey(lines.into_iter(), move |scope| {
            let name = scope.mark.rsplit(' ').next().unwrap_or_default().to_owned();
            let is_stuck = name == "stuck";
            if is_stuck {
                let others = held_up.lock().unwrap();
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
