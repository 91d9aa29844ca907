//! One process of tests: started, read to its end, and ended when a test takes too long. Knows
//! libtest's lines, and ends no other process than the one that it started.

use std::io::{self, Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How a process of tests ended.
#[derive(Debug)]
pub struct Ending {
    /// `None`: a test ran into the limit.
    pub status: Option<ExitStatus>,
    /// What it printed, on either stream.
    pub output: String,
    pub took: Duration,
}

/// Whether output is also printed as it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Echo {
    Off,
    On,
}

/// Runs to the end; `limit` is the longest that one test may take.
pub fn run(mut command: Command, limit: Duration, echo: Echo) -> io::Result<Ending> {
    let began = Instant::now();
    let (reader, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // The command owns write ends of the pipe: while they are open, the reader sees no end.
    drop(command);
    let (sender, chunks) = mpsc::channel();
    // Not joined: a process that a test left running may keep the pipe open.
    thread::spawn(move || forward(reader, &sender));
    let (output, ended) = collect(&chunks, limit, echo);
    if !ended {
        child.kill()?;
    }
    let status = child.wait()?;
    let output = String::from_utf8_lossy(&output).into_owned();
    Ok(Ending { status: ended.then_some(status), output, took: began.elapsed() })
}

fn forward(mut reader: impl Read, sender: &Sender<Vec<u8>>) {
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = reader.read(&mut buffer) {
        if sender.send(buffer[..length].to_vec()).is_err() {
            return;
        }
    }
}

/// Collects the output; `false`: the limit ran out before its end. Each test that begins restarts
/// the limit.
fn collect(chunks: &Receiver<Vec<u8>>, limit: Duration, echo: Echo) -> (Vec<u8>, bool) {
    let mut output = Vec::new();
    let mut deadline = Instant::now() + limit;
    loop {
        match chunks.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(chunk) => {
                if echo == Echo::On {
                    // A closed stdout is no reason to end the tests.
                    let _ = io::stdout().write_all(&chunk);
                }
                if chunk.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"test ")) {
                    deadline = Instant::now() + limit;
                }
                output.extend(chunk);
            }
            Err(RecvTimeoutError::Disconnected) => return (output, true),
            Err(RecvTimeoutError::Timeout) => return (output, false),
        }
    }
}

impl Ending {
    pub fn passed(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// How it ended, as text.
    pub fn reason(&self) -> String {
        match self.status {
            Some(status) => status.to_string(),
            None => format!("ended after {} s: a test took too long", self.took.as_secs()),
        }
    }

    /// The tests that failed: libtest's list of failures, else the test that was running.
    pub fn failed(&self) -> Vec<String> {
        let listed: Vec<_> = self
            .output
            .rsplit_once("\nfailures:\n")
            .map_or("", |(_, rest)| rest)
            .lines()
            .map_while(|line| line.strip_prefix("    "))
            .map(str::to_owned)
            .collect();
        if !listed.is_empty() {
            return listed;
        }
        let running = self.output.lines().rev().find_map(|line| {
            let (name, _) = line.strip_prefix("test ")?.split_once(" ...")?;
            Some(name.to_owned())
        });
        running.into_iter().collect()
    }

    /// The end of what it printed.
    pub fn last_words(&self) -> Vec<&str> {
        let printed = self.output.split("\nfailures:\n\n").nth(1).unwrap_or(&self.output);
        let text = printed.split("\nfailures:\n").next().unwrap_or_default();
        let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(12)..].to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(output: &str) -> Ending {
        Ending { status: None, output: output.to_owned(), took: Duration::ZERO }
    }

    #[test]
    fn failed_tests_are_those_of_the_list() {
        let failed = ending(
            "running 2 tests\ntest a::one ... FAILED\ntest a::two ... ok\n\nfailures:\n\n\
             ---- a::one stdout ----\npanicked: it was 3\n\n\nfailures:\n    a::one\n\n\
             test result: FAILED. 1 passed; 1 failed\n",
        );
        assert_eq!(failed.failed(), ["a::one"]);
        assert_eq!(failed.last_words(), ["---- a::one stdout ----", "panicked: it was 3"]);
    }

    #[test]
    fn without_a_list_the_test_that_was_running_failed() {
        let failed = ending("test a::one ... ok\ntest a::two ... \nstack overflow\n");
        assert_eq!(failed.failed(), ["a::two"]);
        assert_eq!(failed.last_words().last(), Some(&"stack overflow"));
        assert!(ending("no such file\n").failed().is_empty());
    }
}
