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
}

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
        for stream in streams(arguments.stream.unwrap_or_default()) {
            let first = cleared.first(&session, stream);
            let (text, next) = read(call, stream, first).await?;
            if arguments.clear == Some(true) {
                cleared.set(&session, stream, next);
            }
            match stream {
                Stream::Stderr => output.stderr = text,
                _ => output.stdout = text,
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

/// The text of a stream from a line on, page by page, and the next line.
async fn read(call: &Call, stream: Stream, first: u64) -> Result<(String, u64), Refusal> {
    let word = if stream == Stream::Stderr { "stderr" } else { "stdout" };
    let (mut text, mut since) = (String::new(), first);
    loop {
        let ours = Ours::new("debug_output", json!({"stream": word, "since": since}));
        let Outcome::Output(page) = good(run(call, ours).await)?.outcome else { break };
        page.lines.iter().for_each(|line| append(&mut text, line));
        if page.lines.is_empty() || page.next <= since {
            since = since.max(page.next);
            break;
        }
        since = page.next;
    }
    Ok((text, since))
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
