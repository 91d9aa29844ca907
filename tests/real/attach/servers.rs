//! Programs started by a debug server, attached to by address.
//!
//! Only this file knows how the servers differ: how each is started, what it prints before its
//! port, and how it ends. All listen on a free port of this machine.

use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout};

use crate::caller::{Answer, PATIENCE, assert_runs, child, root};
use crate::real::stage::{Language, Stage};

/// How a language's server is started.
struct Row {
    /// The command before the program.
    server: Vec<String>,
    /// The text it prints before its port.
    port: &'static str,
    /// The text it prints before the program's pid, if the program waits for the attach and runs
    /// without the server after a detach.
    pid_mark: Option<&'static str>,
    /// Whether the program waits for the attach and ends with the session.
    waits: bool,
    /// Whether the adapter can end the program.
    ends: bool,
    /// Whether the program is another process than the server.
    separate: bool,
    /// Whether the attach has to name the file with the symbols.
    symbols: bool,
}

/// Like `python -m debugpy --listen`, but on a free port, which it prints.
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
        pid_mark: None,
        waits: false,
        ends: true,
        separate: false,
        symbols: false,
    };
    match stage.language.newest() {
        Language::Python => row(words(&[&tool(), "-c", LISTENS]), "listening on "),
        Language::Go => Row {
            separate: true,
            ..row(words(&[&[tool().as_str()], &dlv[..]].concat()), "127.0.0.1:")
        },
        Language::JavaScript => {
            Row { ends: false, ..row(words(&["node", "--inspect=0"]), "ws://127.0.0.1:") }
        }
        _ => Row {
            pid_mark: Some("pid = "),
            symbols: stage.language.adapter() == "codelldb",
            ..row(words(&[&gdbserver, "127.0.0.1:0"]), "on port ")
        },
    }
}

/// A sleeper behind a debug server.
pub struct Server {
    process: Child,
    /// Output of the server and the program: it ends with the last of them.
    output: BufReader<ChildStdout>,
    /// The arguments of `debug_attach`.
    target: Value,
    /// The arguments for an attach after a detach.
    pub again: Value,
    /// Whether the adapter can end the program.
    pub ends: bool,
    /// The program's pid; for one that waits for its attach only known after it.
    pub pid: u32,
    file: PathBuf,
    /// The port it listens on.
    pub port: u32,
}

impl Server {
    pub async fn start(stage: &Stage) -> Self {
        Self::of(stage, row(stage)).await
    }

    /// A server for a single client: its program waits for the attach and ends with the session.
    pub async fn for_one(stage: &Stage) -> Self {
        let mut row = row(stage);
        row.server.retain(|word| !matches!(word.as_str(), "--accept-multiclient" | "--continue"));
        row.waits = true;
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
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let adapter = stage.language.adapter();
        let pid = match row.pid_mark {
            Some(mark) => Some(number(&mut output, mark).await),
            None => None,
        };
        let port = number(&mut output, row.port).await;
        let mut target = json!({"address": format!("127.0.0.1:{port}"), "adapter": adapter});
        if row.symbols {
            target["options"] = json!({"program": program});
        }
        let again = match pid {
            Some(pid) => json!({"pid": pid, "adapter": adapter}),
            None if row.waits => Value::Null,
            None => target.clone(),
        };
        if pid.is_none() && !row.waits {
            line(&mut output, "ready").await;
        }
        let server = process.id().unwrap();
        let file = PathBuf::from(program);
        let separate = row.separate && !row.waits;
        let pid = pid.or_else(|| separate.then(|| child(server, &file).unwrap())).unwrap_or(server);
        Self { process, output, target, again, ends: row.ends, pid, file, port }
    }

    /// The first attach; afterwards the program runs.
    pub async fn attach(&mut self, stage: &mut Stage) -> Answer {
        let attached = stage.call("debug_attach", self.target.clone()).await.good();
        if self.target != self.again {
            line(&mut self.output, "ready").await;
        }
        if self.again.is_null() {
            self.pid = child(self.pid, &self.file).unwrap();
        }
        attached
    }

    /// Waits until server and program have ended.
    pub async fn wait_for_end(mut self) {
        let mut rest = Vec::new();
        tokio::time::timeout(PATIENCE, self.output.read_to_end(&mut rest))
            .await
            .expect("it is left")
            .unwrap();
    }

    /// Kills the server alone.
    pub async fn kill_server(&mut self) {
        self.process.kill().await.unwrap();
    }

    /// Asserts that the program still runs, then kills the server.
    pub async fn assert_runs_then_kill(mut self) {
        assert_runs(self.pid).await;
        self.process.kill().await.unwrap();
    }
}

/// The next line that contains a mark.
async fn line(output: &mut BufReader<ChildStdout>, mark: &str) -> String {
    let mut line = String::new();
    while !line.contains(mark) {
        line.clear();
        assert_ne!(output.read_line(&mut line).await.unwrap(), 0, "it has not said {mark:?}");
    }
    line
}

/// The number after a mark in the next line that contains it.
async fn number(output: &mut BufReader<ChildStdout>, mark: &str) -> u32 {
    let line = line(output, mark).await;
    let behind = line.split_once(mark).unwrap().1;
    behind.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}
