//! `dapdock guard`: outlives the host for as long as it takes to kill what the host owned. Knows scopes and the pipe
//! they come through; knows nothing of why they exist.
//!
//! The host holds the only write end. One JSON message a line; end of file means that the host is gone, in whatever
//! way, and everything still owned dies.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::scope::Scope;
use super::sweep::{self, Ladder};

/// The guard's one word on stdout, once it can no longer be killed along with the host's group.
pub(super) const READY: &[u8] = b"ready\n";

/// No courtesy for the orphans of a killed host; a process in mid-`exec` is given time to show its mark.
const LADDER: Ladder =
    Ladder { term: Duration::ZERO, kill: Duration::from_secs(10), settle: Duration::from_millis(100) };

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

/// The body of the hidden subcommand. Call it first thing in `main`, before threads and logging exist.
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
    let mut owned = BTreeMap::new();
    let lines = std::io::stdin().lock().lines();
    lines.map_while(Result::ok).for_each(|line| follow(&mut owned, &line));
    owned.values().for_each(sweep::strike);
    owned.into_values().for_each(end);
    ExitCode::SUCCESS
}

/// Takes the signals that would end us and does nothing with them; the handlers stay for good.
fn ignore() -> std::io::Result<Vec<Signal>> {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup(), SignalKind::quit()];
    kinds.into_iter().map(signal).collect()
}

fn follow(owned: &mut BTreeMap<String, Scope>, line: &str) {
    match serde_json::from_str(line) {
        Ok(Message::Own(scope)) => {
            owned.insert(scope.mark.clone(), scope);
        }
        Ok(Message::End(scope)) => {
            owned.remove(&scope.mark);
            end(scope);
        }
        Ok(Message::Forget(mark)) => {
            owned.remove(&mark);
        }
        Err(_) => {}
    }
}

fn end(scope: Scope) {
    sweep::end(|| Some(scope.clone()), LADDER);
}
