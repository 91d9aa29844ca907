//! The latest messages of a connection in short lines, for people who look for a fault in an
//! adapter or its plugin.
//!
//! Knows kinds of messages and their text. Refuses to know what a message means. Whole messages go
//! to the host's log at the level `trace`, target [`TARGET`].

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use tokio::time::Instant;

use crate::dap::Garbage;

/// Messages at most; beyond it the oldest are forgotten.
const MOST: usize = 400;

/// Lines are cut here, in bytes.
const LONGEST: usize = 400;

/// The target of whole messages in the host's log.
const TARGET: &str = "dapdock::messages";

/// Clones share the lines.
#[derive(Clone, Debug)]
pub struct Trace(Arc<Mutex<Lines>>);

#[derive(Debug)]
struct Lines {
    lines: VecDeque<String>,
    forgotten: u64,
    since: Instant,
    /// The beginning of the first bytes that were no message.
    first_garbage: Option<String>,
}

impl Trace {
    pub(crate) fn new() -> Self {
        let (lines, since) = (VecDeque::new(), Instant::now());
        Self(Arc::new(Mutex::new(Lines { lines, forgotten: 0, since, first_garbage: None })))
    }

    /// Further lines have the time since then.
    pub(crate) fn count_from(&self, since: Instant) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).since = since;
    }

    /// A message that is sent: its kind and name, and its arguments or body.
    pub(super) fn sent(&self, name: &str, body: &Value) {
        self.message("→", name, body);
    }

    /// A message as it was received.
    pub(super) fn received(&self, message: &Value) {
        let name = |key: &str| message[key].as_str().unwrap_or("without a name").to_owned();
        match message["type"].as_str() {
            Some("event") => self.message("← event", &name("event"), &message["body"]),
            Some("request") => self.message("← request", &name("command"), &message["arguments"]),
            Some("response") if message["success"] == true => {
                self.message("←", &name("command"), &message["body"]);
            }
            Some("response") => {
                let words = format!("{} failed: {}", name("command"), name("message"));
                self.message("←", &words, &message["body"]);
            }
            _ => self.message("←", "no DAP message", message),
        }
    }

    /// What a hook of the plugin does to a message, with the message before or after it.
    pub fn hooked(&self, words: &str, body: &Value) {
        self.message("plugin", words, body);
    }

    fn message(&self, direction: &str, name: &str, body: &Value) {
        tracing::trace!(target: TARGET, direction, name, %body);
        let mut line = Short(format!("{direction} {name}").into_bytes());
        if !body.is_null() {
            line.0.push(b' ');
            // Ends with an error where the line is full.
            let _ = serde_json::to_writer(&mut line, body);
        }
        // The last character may be incomplete.
        self.line(String::from_utf8_lossy(&line.0).trim_end_matches(char::REPLACEMENT_CHARACTER));
    }

    /// Bytes that are no message.
    pub(super) fn garbage(&self, garbage: &Garbage) {
        let Garbage { bytes, excerpt, .. } = garbage;
        self.line(&format!("← {bytes} bytes that are no DAP message: {excerpt:?}"));
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.first_garbage.get_or_insert_with(|| excerpt.clone());
    }

    /// The beginning of the first bytes that were no message.
    pub fn first_garbage(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).first_garbage.clone()
    }

    /// Adds a line about what happens to a message.
    pub fn line(&self, line: &str) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let line = &line[..line.floor_char_boundary(LONGEST)];
        let at = all.since.elapsed().as_secs_f64();
        all.lines.push_back(format!("{at:>8.3} s  {line}"));
        if all.lines.len() > MOST {
            all.lines.pop_front();
            all.forgotten += 1;
        }
    }

    /// The number of the first of the latest lines, and the lines.
    pub fn lines(&self) -> (u64, Vec<String>) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (all.forgotten, all.lines.iter().cloned().collect())
    }
}

/// A line that takes no more than [`LONGEST`] bytes.
struct Short(Vec<u8>);

impl Write for Short {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(LONGEST.saturating_sub(self.0.len()));
        self.0.extend_from_slice(&bytes[..taken]);
        if taken < bytes.len() { Err(io::ErrorKind::WriteZero.into()) } else { Ok(taken) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The lines without their times.
    fn lines(trace: &Trace) -> Vec<String> {
        trace.lines().1.iter().map(|line| line[12..].to_owned()).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn messages_are_lines() {
        let trace = Trace::new();
        trace.sent("threads", &Value::Null);
        for message in [
            json!({"type": "response", "success": true, "command": "threads", "body": {"n": 1}}),
            json!({"type": "response", "success": false, "command": "next", "message": "runs"}),
            json!({"type": "event", "event": "stopped", "body": {"reason": "step"}}),
            json!({"type": "request", "command": "runInTerminal", "arguments": {"args": []}}),
            json!({"kind": 7}),
        ] {
            trace.received(&message);
        }
        let expected = [
            "→ threads",
            "← threads {\"n\":1}",
            "← next failed: runs",
            "← event stopped {\"reason\":\"step\"}",
            "← request runInTerminal {\"args\":[]}",
            "← no DAP message {\"kind\":7}",
        ];
        assert_eq!(lines(&trace), expected);
        assert!(trace.lines().1[0].starts_with("   0.000 s  → "));
    }

    #[tokio::test(start_paused = true)]
    async fn long_messages_are_cut_and_old_ones_forgotten() {
        let trace = Trace::new();
        for number in 0..=MOST {
            trace.sent("evaluate", &json!({"number": number, "text": "ö".repeat(1_000)}));
        }
        let (first, latest) = trace.lines();
        assert_eq!((first, latest.len()), (1, MOST));
        assert!(latest.iter().all(|line| line.len() < LONGEST + 20));
        assert!(latest[0].contains("{\"number\":1,\"text\":\"öö") && latest[0].ends_with('ö'));
    }
}
