//! The cost of a command at the terminal: with a host in the background, and with one that the
//! command starts. All hosts run in a runtime directory of their own.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::mcp::Client;
use crate::startup::{middle, resident};
use crate::table::{Budget, Table, Unit, median};
use crate::{Flags, say};

pub fn measure(flags: &Flags, table: &mut Table) -> Result<()> {
    say("commands over the local socket …");
    let terminal = Terminal::new(flags)?;
    let (mut cold, mut warm, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..flags.runs {
        cold.push(terminal.breakpoints()?);
        memory.push(resident(terminal.host()?)?);
        warm.push(terminal.breakpoints()?);
        terminal.run(&["host", "stop"])?;
    }
    let tool = median(&calls(flags)?);
    table.plain(
        "first command, starts the host",
        Unit::Milliseconds,
        median(&cold),
        Budget::AtMost(50.0),
    );
    let floor = (tool, "the same tool over standard input");
    table.with_floor(
        "command over the socket",
        Unit::Milliseconds,
        median(&warm),
        floor,
        Budget::Above(15.0),
    );
    table.plain(
        "memory of the host in the background",
        Unit::Mebibytes,
        middle(&mut memory),
        Budget::AtMost(15.0),
    );
    Ok(())
}

/// Where commands are typed.
struct Terminal<'a> {
    flags: &'a Flags,
    runtime: tempfile::TempDir,
}

impl<'a> Terminal<'a> {
    fn new(flags: &'a Flags) -> Result<Self> {
        let runtime = tempfile::tempdir().context("no directory for the socket")?;
        std::fs::set_permissions(runtime.path(), std::fs::Permissions::from_mode(0o700))?;
        Ok(Self { flags, runtime })
    }

    fn path(&self) -> &Path {
        self.runtime.path()
    }

    /// What a command prints.
    fn run(&self, words: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.flags.dapdock);
        command.args(words).env("XDG_RUNTIME_DIR", self.path()).stderr(Stdio::null());
        let output = command.output().with_context(|| format!("dapdock {}", words.join(" ")))?;
        if !output.status.success() {
            bail!("`dapdock {}` ended with {}", words.join(" "), output.status);
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// The time of `dapdock break`, from the start of its process to its end. Without a session it
    /// lists the breakpoints of the next one, for which it starts a host.
    fn breakpoints(&self) -> Result<Duration> {
        let config = self.flags.config.to_str().context("a path that is not text")?;
        let began = Instant::now();
        self.run(&["break", "--config", config])?;
        Ok(began.elapsed())
    }

    /// The pid of the host in the background.
    fn host(&self) -> Result<u32> {
        let text = self.run(&["host", "status"])?;
        let pid = text.split_once("(pid ").and_then(|(_, rest)| rest.split_once(')'));
        Ok(pid.context("a host without a pid")?.0.parse()?)
    }
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        // Only a failed run still has a host.
        let _ = self.run(&["host", "stop"]);
    }
}

/// The times of the tool of `dapdock break`, without a process for each call.
fn calls(flags: &Flags) -> Result<Vec<Duration>> {
    let mut host = Command::new(&flags.dapdock);
    let mut client = Client::start(host.arg("mcp").arg("--config").arg(&flags.config))?;
    client.initialize()?;
    let mut times = Vec::new();
    for _ in 0..flags.runs {
        let began = Instant::now();
        client.call("debug_breakpoints", &json!({}), |_| {})?;
        times.push(began.elapsed());
    }
    client.close()?;
    Ok(times)
}
