//! Programs that run to their end: builds and probes.
//!
//! Each has its own family, so that a deadline or a dropped future ends all its processes. Refuses
//! to know what the output means.

use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::FusedFuture;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout};

use super::tail::{Lines, Tail};
use super::{Command, Exit, Owner, SpawnError, Stdin, Stdio, Stdout};

/// Bounds and input of one [`Owner::run`].
#[derive(Clone, Debug)]
pub struct Run {
    /// Content of its standard input; `None` is the null device.
    pub stdin: Option<Vec<u8>>,
    /// From start to exit.
    pub timeout: Duration,
    /// Returned bytes of standard output; the rest is read and dropped.
    pub stdout_cap: usize,
}

/// The stream of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// By itself.
    Exited(Exit),
    /// It was killed after [`Run::timeout`].
    TimedOut,
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Output {
    /// How it ended.
    pub finish: Finish,
    /// Its standard output, at most [`Run::stdout_cap`] bytes from the start.
    pub stdout: Vec<u8>,
    /// Bytes of standard output beyond that.
    pub stdout_dropped: u64,
    /// The end of its standard error, at most [`crate::limits::Limits::tail_bytes`].
    pub stderr_tail: String,
    /// Bytes of standard error before that.
    pub stderr_dropped: u64,
}

impl Output {
    /// Exit code 0.
    pub fn is_success(&self) -> bool {
        self.finish == Finish::Exited(Exit::Code(0))
    }
}

impl Owner {
    /// Runs a program to its end, then kills its remaining processes. `on_line` receives every line
    /// at once, for progress. Dropping the future kills the run.
    pub async fn run(
        &self,
        command: &Command,
        run: Run,
        on_line: impl FnMut(Stream, &str) + Send,
    ) -> Result<Output, SpawnError> {
        let family = self.family().await?;
        let stdin = if run.stdin.is_some() { Stdin::Piped } else { Stdin::Null };
        let mut process = family.spawn(command, Stdio { stdin, stdout: Stdout::Piped })?;
        let feed = feed(process.take_stdin(), run.stdin.unwrap_or_default());
        let mut collector = Collector::new(run.stdout_cap, self.limits().line_bytes, on_line);
        let finish = {
            let collect = collector.collect(process.take_stdout(), process.stderr().lines());
            let exited = tokio::time::timeout(run.timeout, process.exited().wait());
            let end = async {
                let finish = exited.await.map_or(Finish::TimedOut, Finish::Exited);
                // Remaining processes would keep the pipes open.
                family.kill().await;
                finish
            };
            both(end, async { tokio::join!(feed, collect) }, self.limits().kill_grace).await
        };
        Ok(collector.into_output(finish, process.stderr()))
    }
}

/// Reads until the end. If a process escaped with the pipes, reading stops after `patience`.
async fn both(
    end: impl Future<Output = Finish>,
    reading: impl Future,
    patience: Duration,
) -> Finish {
    let reading = reading.fuse();
    tokio::pin!(end, reading);
    let finish = loop {
        tokio::select! {
            finish = &mut end => break finish,
            _ = &mut reading => {}
        }
    };
    if !reading.is_terminated() {
        let _ = tokio::time::timeout(patience, reading).await;
    }
    finish
}

/// A program may close its input without reading it.
async fn feed(stdin: Option<ChildStdin>, bytes: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(&bytes).await;
    }
}

struct Collector<F> {
    stdout: Vec<u8>,
    cap: usize,
    dropped: u64,
    line: Vec<u8>,
    line_cap: usize,
    on_line: F,
}

enum Event {
    Bytes(Option<Vec<u8>>),
    Line(Option<String>),
}

impl<F: FnMut(Stream, &str)> Collector<F> {
    fn new(cap: usize, line_cap: usize, on_line: F) -> Self {
        Self { stdout: Vec::new(), cap, dropped: 0, line: Vec::new(), line_cap, on_line }
    }

    async fn collect(&mut self, mut stdout: Option<ChildStdout>, stderr: Lines) {
        let mut stderr = Some(stderr);
        while stdout.is_some() || stderr.is_some() {
            let event = tokio::select! {
                bytes = read(stdout.as_mut()), if stdout.is_some() => Event::Bytes(bytes),
                line = next(stderr.as_mut()), if stderr.is_some() => Event::Line(line),
            };
            match event {
                Event::Bytes(Some(bytes)) => self.take(&bytes),
                Event::Bytes(None) => stdout = None,
                Event::Line(Some(line)) => (self.on_line)(Stream::Stderr, &line),
                Event::Line(None) => stderr = None,
            }
        }
        self.flush();
    }

    fn take(&mut self, bytes: &[u8]) {
        let count = bytes.len().min(self.cap - self.stdout.len());
        self.stdout.extend(&bytes[..count]);
        self.dropped += (bytes.len() - count) as u64;
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = self.line_cap.saturating_sub(self.line.len());
            self.line.extend(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                self.flush();
            }
        }
    }

    fn flush(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            (self.on_line)(
                Stream::Stdout,
                String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']),
            );
        }
    }

    fn into_output(self, finish: Finish, stderr: &Tail) -> Output {
        Output {
            finish,
            stdout: self.stdout,
            stdout_dropped: self.dropped,
            stderr_tail: stderr.text(),
            stderr_dropped: stderr.forgotten(),
        }
    }
}

async fn read(stdout: Option<&mut ChildStdout>) -> Option<Vec<u8>> {
    let mut chunk = Vec::with_capacity(8 * 1024);
    let count = stdout?.read_buf(&mut chunk).await.ok()?;
    (count > 0).then_some(chunk)
}

async fn next(lines: Option<&mut Lines>) -> Option<String> {
    lines?.next().await
}
