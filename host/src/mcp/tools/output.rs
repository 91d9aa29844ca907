//! `debug_output`: reads what the program printed and log breakpoints wrote.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Short, Verb, Words};
use crate::model::{self, OutputQuery};
use crate::view;

pub(in crate::mcp) struct Output;

/// Most lines of an answer.
const LIMIT: u64 = 400;

/// Most tokens of an answer, unless the caller says how many lines it wants.
const TOKENS: usize = 2_000;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Line number; results name the next
    since: Option<u64>,
    /// Default: all
    stream: Option<Stream>,
    /// Last N lines; default 50 without `since`
    tail: Option<u64>,
    /// Regular expression
    grep: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::mcp) enum Stream {
    Stdout,
    Stderr,
    Log,
    Adapter,
}

impl Tool for Output {
    type Arguments = Arguments;
    type Data = structured::Output;
    const NAME: &'static str = "debug_output";
    const TITLE: &'static str = "Program output";
    const DESCRIPTION: &'static str =
        "Output of the program and of log breakpoints, in order, also after the exit.";
    const EFFECT: Effect = Effect::Reads;
    const VERB: Option<Verb> =
        Some(Verb::new("output", Words::None).shorts(&[Short::of("o", Words::None)]));
    const EXAMPLE: &'static str = r#"{"tail": 50}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        let tail = arguments.tail.or(arguments.since.is_none().then_some(50));
        let query = OutputQuery {
            since: arguments.since,
            stream: arguments.stream.map(stream),
            tail,
            grep: arguments.grep,
            limit: LIMIT,
            tokens: arguments.tail.is_none().then_some(TOKENS),
        };
        let page = handle.output(query.clone()).await?;
        let text = view::output(&page, &query, handle.id(), &call.lens());
        Ok(Reply::new(text, Outcome::Output(page)))
    }
}

fn stream(stream: Stream) -> model::Stream {
    match stream {
        Stream::Stdout => model::Stream::Stdout,
        Stream::Stderr => model::Stream::Stderr,
        Stream::Log => model::Stream::Log,
        Stream::Adapter => model::Stream::Adapter,
    }
}
