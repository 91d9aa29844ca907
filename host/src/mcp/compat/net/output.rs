//! `process_read_output`: what the program printed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Refusal, good};
use super::name;
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours, run};
use crate::mcp::outcome::Outcome;
use crate::model::{OutputLine, SessionId, Stream};

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Streams {
    Stdout,
    Stderr,
    #[default]
    Both,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Default both
    stream: Option<Streams>,
    /// Later calls do not return it again; default false
    clear: Option<bool>,
}

#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Output {
    stdout: String,
    stderr: String,
    stdout_bytes: usize,
    stderr_bytes: usize,
    /// Number of later lines of both streams that are left out; `next` reads them.
    lines_left: u64,
    /// Number of older lines that are no longer stored.
    lines_lost: u64,
    /// null: nothing is left out.
    next: Option<String>,
}

/// Bytes of a stream in one answer, up to the end of a line.
const MOST: usize = 64 << 10;

/// The first line after those that a call has cleared, of each session and stream.
#[derive(Default)]
struct Cleared(Mutex<HashMap<(SessionId, Stream), u64>>);

impl Cleared {
    fn first(&self, session: &SessionId, stream: Stream) -> u64 {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&(session.clone(), stream)).copied().unwrap_or(0)
    }

    fn set(&self, session: &SessionId, stream: Stream, first: u64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert((session.clone(), stream), first);
    }
}

name! {
    ReadOutput(Arguments) -> Output,
    "process_read_output", "Output of the program", Reads,
    r#"{"stream": "both"}"#,
    "What the program printed since its start or since a call with `clear`."
}

impl ReadOutput {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Output, Refusal> {
        let session = call.session(None)?.id().clone();
        let cleared = call.memory.of::<Cleared>();
        let mut output = Output::default();
        let streams = streams(arguments.stream.unwrap_or_default());
        for stream in streams.iter().copied() {
            let part = read(call, stream, cleared.first(&session, stream)).await?;
            // The text of both is already in that of the first.
            if part.merged && stream != streams[0] {
                continue;
            }
            if arguments.clear == Some(true) {
                cleared.set(&session, stream, part.next);
            }
            if part.left > 0 && output.next.is_none() {
                output.next = Some(rest(call, stream, &part));
            }
            output.lines_left += part.left;
            output.lines_lost = output.lines_lost.max(part.lost);
            match stream {
                Stream::Stderr => output.stderr = part.text,
                _ => output.stdout = part.text,
            }
        }
        output.stdout_bytes = output.stdout.len();
        output.stderr_bytes = output.stderr.len();
        Ok(output)
    }
}

fn streams(streams: Streams) -> Vec<Stream> {
    match streams {
        Streams::Stdout => vec![Stream::Stdout],
        Streams::Stderr => vec![Stream::Stderr],
        Streams::Both => vec![Stream::Stdout, Stream::Stderr],
    }
}

/// A part of a stream.
#[derive(Default)]
struct StreamPart {
    text: String,
    /// The first line after it.
    next: u64,
    /// Number of lines after it.
    left: u64,
    /// Number of lines before it that are no longer stored.
    lost: u64,
    /// It has the lines of both streams.
    merged: bool,
}

fn word(stream: Stream) -> &'static str {
    if stream == Stream::Stderr { "stderr" } else { "stdout" }
}

/// The text of a stream from a line on, page by page.
async fn read(call: &Call, stream: Stream, first: u64) -> Result<StreamPart, Refusal> {
    let mut part = StreamPart { next: first, ..StreamPart::default() };
    loop {
        let ours = json!({"stream": word(stream), "since": part.next});
        let page = good(run(call, Ours::new("debug_output", ours)).await)?;
        let Outcome::Output(page) = page.outcome else { return Ok(part) };
        part.lost += page.lost;
        part.merged = page.merged;
        for (at, line) in page.lines.iter().enumerate() {
            if part.text.len() + line.text.len() > MOST {
                part.next = line.number;
                part.left = page.skipped + (page.lines.len() - at) as u64;
                return Ok(part);
            }
            append(&mut part.text, line);
        }
        part.next = part.next.max(page.next);
        if page.skipped == 0 {
            return Ok(part);
        }
    }
}

/// The call that reads what is left of a stream. Without `clear` the same call would read the same.
fn rest(call: &Call, stream: Stream, part: &StreamPart) -> String {
    if call.request.arguments.get("clear") == Some(&true.into()) {
        return call.request.with("stream", word(stream)).text();
    }
    Ours::new("debug_output", json!({"stream": word(stream), "since": part.next})).text()
}

fn append(text: &mut String, line: &OutputLine) {
    text.push_str(&line.text);
    if line.complete {
        text.push('\n');
    }
}

impl Compatible for ReadOutput {
    fn ours(arguments: &Arguments) -> Ours {
        let stream = arguments.stream.filter(|stream| *stream != Streams::Both);
        Ours::new("debug_output", json!({"stream": stream}))
    }
}
