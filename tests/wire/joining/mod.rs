//! Several callers of one session: a person at a terminal takes it from an agent, gives it back,
//! and watches it. An editor that joins is in `wire::mirror`.

mod claims;
mod deeds;
mod watches;

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout};

use crate::caller::{Answer, Caller, PATIENCE, Start};
use crate::wire::command_line::Shell;

/// An agent whose host the shell reaches, with a program that stops at its first line.
pub(super) struct Joined {
    pub shell: Shell,
    pub agent: Caller,
}

impl Joined {
    pub async fn start(program: Value, flags: &[&'static str]) -> Self {
        Self::with(program, json!({}), flags).await
    }

    /// `script`: the rest of it.
    pub async fn with(program: Value, script: Value, flags: &[&'static str]) -> Self {
        let options = json!({ "script": script });
        Self::on(Shell::new(), program, options, flags).await
    }

    /// `options`: of the launch, with the rest of the script.
    pub async fn on(
        shell: Shell,
        program: Value,
        mut options: Value,
        flags: &[&'static str],
    ) -> Self {
        let env = vec![("XDG_RUNTIME_DIR", shell.runtime().display().to_string())];
        let (cwd, config) = (shell.dir.path().to_owned(), shell.config.clone());
        let structured = flags.contains(&"--structured");
        let flags = flags.iter().copied().filter(|flag| *flag != "--structured").collect();
        let start = Start { cwd, config, env, flags, structured, ..Start::usual() };
        let mut agent = Caller::start(start).await;
        let place = format!("shop.fake:{}", program[0]["line"]);
        options["script"]["program"] = program;
        options["script"]["source"] = shell.source().to_str().into();
        let launch = json!({
            "program": "shop.fake", "breakpoints": [place], "timeout_s": 50, "options": options,
        });
        let stop = agent.call("debug_launch", launch).await;
        assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
        Self { shell, agent }
    }

    /// Runs a command that succeeds; returns what it printed.
    pub async fn run(&self, words: &[&str]) -> String {
        let ran = self.shell.run(words).await;
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}: {ran:?}");
        ran.out
    }

    /// Starts a watch; returns once it has printed where the session is.
    async fn watch(&self, words: &[&str]) -> Watch {
        Watch::start(&self.shell, &[&["watch"], words].concat())
    }
}

/// A `dapdock watch` or `dapdock mirror` under way.
pub(super) struct Watch {
    pub child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    /// Starts a command that prints lines as they come.
    pub fn start(shell: &Shell, words: &[&str]) -> Self {
        let mut command = shell.command(shell.dir.path(), words);
        let mut child = command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    pub async fn line(&mut self) -> Option<String> {
        tokio::time::timeout(PATIENCE, self.lines.next_line()).await.expect("a line").unwrap()
    }

    /// The lines up to the one that begins so.
    pub async fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.line().await {
            lines.push(line);
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
        panic!("no line begins with `{start}`: {lines:#?}");
    }

    /// The other lines, and the exit code.
    pub async fn rest(mut self) -> (Vec<String>, i32) {
        let mut lines = Vec::new();
        while let Some(line) = self.line().await {
            lines.push(line);
        }
        let exit = tokio::time::timeout(PATIENCE, self.child.wait()).await.expect("it ends");
        (lines, exit.unwrap().code().unwrap())
    }
}

/// Four lines, all of which a step stops at.
pub(super) fn four() -> Value {
    json!([{"line": 3}, {"line": 5}, {"line": 7}, {"line": 9}])
}

pub(super) const REFUSED: &str = "error[session-taken] a person has taken this session, fake-1; \
    calls that only read still work. Try: debug_wait (it returns when the person gives the session \
    back)";

/// The lines without times, which differ.
pub(super) fn lines(answer: &Answer, count: usize) -> Vec<String> {
    without_times(&answer.text, count)
}

fn without_times(text: &str, count: usize) -> Vec<String> {
    let without = |line: &str| match line.rsplit_once(" · ") {
        Some((rest, time)) if time.ends_with(" s") || time.ends_with(" ms") => rest.to_owned(),
        _ => line.to_owned(),
    };
    text.lines().take(count).map(without).collect()
}

/// A pseudo-terminal around a command.
pub(super) const TERMINAL: &str = "import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
