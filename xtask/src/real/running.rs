//! A program that runs by itself, without a debugger: its output up to a line, and its end with
//! everything it started.

use std::io::{self, BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::tool::{self, Fix};

/// Longer than any of these programs runs.
const PATIENCE: Duration = Duration::from_secs(180);

const KILL: Fix = Fix { missing: "it is part of every system", failed: "see its message above" };

/// The process and its output so far.
pub struct Running {
    child: Child,
    lines: Receiver<String>,
    pub output: String,
}

impl Running {
    /// Starts it in a process group of its own.
    pub fn start(mut command: Command) -> Result<Self> {
        let (reader, writer) = io::pipe().context("cannot make a pipe")?;
        let copy = writer.try_clone().context("cannot make a pipe")?;
        command.stdin(Stdio::null()).stdout(copy).stderr(writer).process_group(0);
        let child = command
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
                if send.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, lines, output: String::new() })
    }

    /// Reads until a line has the text; without one, until the program has closed its output.
    pub fn read_until(&mut self, text: Option<&str>) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        let left = || deadline.saturating_duration_since(Instant::now());
        while let Ok(line) = self.lines.recv_timeout(left()) {
            self.output += &line;
            self.output.push('\n');
            if text.is_some_and(|text| line.contains(text)) {
                return Ok(());
            }
        }
        match text {
            Some(text) => bail!("it did not print `{text}`:\n{}", self.output),
            None if Instant::now() >= deadline => bail!("it did not end:\n{}", self.output),
            None => Ok(()),
        }
    }
}

impl Drop for Running {
    /// Ends the whole group: a server may have started others.
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = tool::run(Command::new("kill").args(["-KILL", "--", &group]), &KILL);
        }
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Running {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Running::start(command).unwrap()
    }

    #[test]
    fn a_program_that_does_not_end_is_read_up_to_a_line() {
        let mut running = shell("echo one; echo two >&2; exec cat /dev/zero >/dev/null");
        running.read_until(Some("two")).unwrap();
        assert_eq!(running.output, "one\ntwo\n");
    }

    #[test]
    fn a_line_that_does_not_come_is_an_error() {
        let error = shell("echo one").read_until(Some("two")).unwrap_err();
        assert_eq!(error.to_string(), "it did not print `two`:\none\n");
        shell("echo one").read_until(None).unwrap();
    }
}
