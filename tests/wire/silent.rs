//! Hosts that are there and do not answer: a command names them, and no session of another host is
//! chosen instead.

use std::path::PathBuf;

use rustix::process::Signal;
use tokio::net::{UnixListener, UnixStream};

use super::command_line::{Ran, Shell};
use super::http::{launch, served};
use super::joining::{Joined, four};

/// The socket of a host, of which the first connections reach the host and the others are never
/// answered.
struct Gate {
    listener: UnixListener,
    host: PathBuf,
}

impl Gate {
    fn before(shell: &Shell, host: u32) -> Self {
        let directory = shell.runtime().join("dapdock");
        let socket = directory.join(format!("mcp-{host}.sock"));
        let host = directory.join("hidden");
        std::fs::rename(&socket, &host).unwrap();
        Self { listener: UnixListener::bind(socket).unwrap(), host }
    }

    /// Runs a command while the first `count` connections pass.
    async fn run(&self, shell: &Shell, words: &[&str], count: usize) -> Ran {
        let pass = async {
            let mut passing = tokio::task::JoinSet::new();
            let mut silent = Vec::new();
            loop {
                let (mut one, _) = self.listener.accept().await.unwrap();
                if passing.len() == count {
                    silent.push(one);
                    continue;
                }
                let mut other = UnixStream::connect(&self.host).await.unwrap();
                passing.spawn(async move {
                    drop(tokio::io::copy_bidirectional(&mut one, &mut other).await);
                    // The number of those that passed.
                    std::future::pending::<()>().await;
                });
            }
        };
        tokio::select! {
            ran = shell.run(words) => ran,
            () = pass => unreachable!(),
        }
    }
}

#[track_caller]
fn check(ran: &Ran, error: &str) {
    let start = format!("error[no-host] {error}");
    assert!(ran.code == 1 && ran.err.starts_with(&start), "{ran:?}");
}

/// Its process is stopped.
#[tokio::test]
async fn command_names_the_host_that_does_not_answer() {
    let joined = Joined::start(four(), &[]).await;
    let pid = joined.agent.pid();
    joined.agent.signal(Signal::STOP);
    let error = format!("an agent's host (pid {pid}) does not answer. Try: dapdock host log");
    for words in [&["bt"][..], &["bt", "-S", "fake-1"], &["take"], &["watch"], &["watch", "fake-1"]]
    {
        check(&joined.shell.run(words).await, &error);
    }
    let address = format!("{pid}.2/fake-1");
    check(&joined.shell.run(&["bt", "-S", &address]).await, &error);
    // The session of another host is not taken for it.
    let own = joined.shell.launch(&[7, 9]).await;
    assert_eq!(own.code, 0, "{own:?}");
    let error = format!(
        "an agent's host (pid {pid}) does not answer; --session PID/NAME names a session of \
         another host. Try: dapdock status --session "
    );
    for words in [&["bt"][..], &["take", "fake-1"]] {
        let refused = joined.shell.run(words).await;
        check(&refused, &error);
        let name = refused.err.rsplit_once(' ').unwrap().1.to_owned();
        let named = joined.shell.run(&["bt", "-S", &name]).await;
        assert!(named.code == 0 && named.out.contains("shop.fake:7"), "{named:?}");
    }
}

/// It has listed its sessions before.
#[tokio::test]
async fn host_that_stops_to_answer_is_named() {
    let joined = Joined::start(four(), &[]).await;
    let gate = Gate::before(&joined.shell, joined.agent.pid());
    let ran = gate.run(&joined.shell, &["bt", "-S", "fake-1"], 1).await;
    // The gate is its process.
    check(&ran, &format!("an agent's host (pid {}) does not answer.", std::process::id()));
}

/// Each connection has a time of its own.
#[tokio::test]
async fn one_missing_answer_of_a_host_costs_no_other() {
    let shell = Shell::new();
    let served = served(&shell, &[]).await;
    for _ in 0..2 {
        let client = served.client().await;
        client.call("debug_launch", launch(shell.dir.path(), &[3, 4])).await;
    }
    let gate = Gate::before(&shell, served.pid());
    let sessions = gate.run(&shell, &["sessions"], 2).await;
    let title = format!("of an agent's host (pid {})", std::process::id());
    assert_eq!(sessions.out.matches(&title).count(), 1, "{sessions:?}");
    assert_eq!(sessions.out.matches("fake-1 · stopped").count(), 1, "{sessions:?}");
    let left_out = format!("{title} does not answer; it is left out");
    assert!(sessions.err.starts_with("dapdock: client "), "{sessions:?}");
    assert!(sessions.err.ends_with(&left_out), "{sessions:?}");
    let gone = gate.run(&shell, &["bt"], 2).await;
    assert!(gone.err.contains(&format!("{title} does not answer; --session ")), "{gone:?}");
}
