//! Programs that a debug server has started, which are attached to by its address.
//!
//! The servers are told apart here and nowhere else: how each is started, what stands before its
//! port in what it says, and what becomes of it. All listen on this machine, wherever there is
//! room.

use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout};

use super::Stage;
use super::stage::Language;
use crate::caller::{Answer, PATIENCE, child, root, runs};

/// How a language's programs are served.
struct Row {
    /// In front of the program.
    server: Vec<String>,
    /// What it says before its port.
    port: &'static str,
    /// What it says before the program's pid, if the program stands until it is attached to, and
    /// once let go runs without it.
    once: Option<&'static str>,
    /// Does it stand until it is attached to, and end with the session?
    stands: bool,
    /// Can the adapter end the program?
    ends: bool,
    /// Is the program another process than the server?
    apart: bool,
    /// Is the file with the symbols to be named?
    symbols: bool,
}

/// As `python -m debugpy --listen` does, and says where: that takes a port which somebody has to
/// know.
const LISTENS: &str = "import debugpy, runpy, sys
print('listening on', debugpy.listen(('127.0.0.1', 0))[1], flush=True)
runpy.run_path(sys.argv[1], run_name='__main__')";

fn row(stage: &Stage) -> Row {
    let tool = || stage.language.tool_path().unwrap();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let gdbserver =
        root().join("target/adapters/gdbserver/usr/bin/gdbserver").display().to_string();
    let dlv = ["exec", "--headless", "--accept-multiclient", "--continue", "--listen=127.0.0.1:0"];
    let row = |server, port| Row {
        server,
        port,
        once: None,
        stands: false,
        ends: true,
        apart: false,
        symbols: false,
    };
    match stage.language.newest() {
        Language::Python => row(words(&[&tool(), "-c", LISTENS]), "listening on "),
        Language::Go => Row {
            apart: true,
            ..row(words(&[&[tool().as_str()], &dlv[..]].concat()), "127.0.0.1:")
        },
        Language::JavaScript => {
            Row { ends: false, ..row(words(&["node", "--inspect=0"]), "ws://127.0.0.1:") }
        }
        _ => Row {
            once: Some("pid = "),
            symbols: stage.language.adapter() == "codelldb",
            ..row(words(&[&gdbserver, "127.0.0.1:0"]), "on port ")
        },
    }
}

/// A sleeper behind an address.
pub struct Server {
    process: Child,
    /// Of the server and of the program: it ends with the last of them.
    said: BufReader<ChildStdout>,
    /// Arguments of `debug_attach`.
    target: Value,
    /// The same once it was let go.
    pub again: Value,
    /// Can the adapter end the program?
    pub ends: bool,
    /// The program; of one that does not run before it is attached to, only then.
    pub pid: u32,
    file: PathBuf,
    /// Where it listens on this machine.
    pub port: u32,
}

impl Server {
    pub async fn start(stage: &Stage) -> Self {
        Self::of(stage, row(stage)).await
    }

    /// Of a server that ends with the first who leaves it: its program stands until it is attached
    /// to.
    pub async fn for_one(stage: &Stage) -> Self {
        let mut row = row(stage);
        row.server.retain(|word| !matches!(word.as_str(), "--accept-multiclient" | "--continue"));
        row.stands = true;
        Self::of(stage, row).await
    }

    async fn of(stage: &Stage, row: Row) -> Self {
        let program = stage.language.command("sleeper").pop().unwrap();
        #[expect(clippy::disallowed_methods, reason = "the program must not be the host's")]
        let mut command = tokio::process::Command::new("sh");
        command
            .args(["-c", "exec \"$@\" 2>&1", "sh"])
            .args(&row.server)
            .arg(&program)
            .current_dir(root());
        let mut process =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut said = BufReader::new(process.stdout.take().unwrap());
        let adapter = stage.language.adapter();
        let pid = match row.once {
            Some(mark) => Some(number(&mut said, mark).await),
            None => None,
        };
        let port = number(&mut said, row.port).await;
        let mut target = json!({"address": format!("127.0.0.1:{port}"), "adapter": adapter});
        if row.symbols {
            target["options"] = json!({"program": program});
        }
        let again = match pid {
            Some(pid) => json!({"pid": pid, "adapter": adapter}),
            None if row.stands => Value::Null,
            None => target.clone(),
        };
        if pid.is_none() && !row.stands {
            line(&mut said, "ready").await;
        }
        let server = process.id().unwrap();
        let file = PathBuf::from(program);
        let apart = row.apart && !row.stands;
        let pid = pid.or_else(|| apart.then(|| child(server, &file).unwrap())).unwrap_or(server);
        Self { process, said, target, again, ends: row.ends, pid, file, port }
    }

    /// Attaches for the first time, to a program that has begun by then or has now.
    pub async fn attach(&mut self, stage: &mut Stage) -> Answer {
        let attached = stage.call("debug_attach", self.target.clone()).await.good();
        if self.target != self.again {
            line(&mut self.said, "ready").await;
        }
        if self.again.is_null() {
            self.pid = child(self.pid, &self.file).unwrap();
        }
        attached
    }

    /// Waits until nothing is left of it.
    pub async fn goes(mut self) {
        let mut rest = Vec::new();
        tokio::time::timeout(PATIENCE, self.said.read_to_end(&mut rest))
            .await
            .expect("it is left")
            .unwrap();
    }

    /// Ends the server alone, by a signal that it cannot catch.
    pub async fn dies(&mut self) {
        self.process.kill().await.unwrap();
    }

    /// Asserts that it runs, and ends it.
    pub async fn stays(mut self) {
        runs(self.pid).await;
        self.process.kill().await.unwrap();
    }
}

/// The next line that has a mark.
async fn line(said: &mut BufReader<ChildStdout>, mark: &str) -> String {
    let mut line = String::new();
    while !line.contains(mark) {
        line.clear();
        assert_ne!(said.read_line(&mut line).await.unwrap(), 0, "it has not said {mark:?}");
    }
    line
}

/// The number behind a mark in the next line that has it.
async fn number(said: &mut BufReader<ChildStdout>, mark: &str) -> u32 {
    let line = line(said, mark).await;
    let behind = line.split_once(mark).unwrap().1;
    behind.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}
