//! `debug_stack`: reads call stacks.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Short, Verb, Words};
use super::thread::thread;
use crate::model::StackQuery;
use crate::view::{self, Library};

pub(in crate::mcp) struct Stack;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Default: stopped one
    thread: Option<String>,
    /// Of every thread
    all_threads: Option<bool>,
    /// First frame, or thread; default 0
    start: Option<u32>,
    /// Most frames; default 20
    count: Option<u32>,
    /// Show library frames
    library: Option<bool>,
}

impl Tool for Stack {
    type Arguments = Arguments;
    type Data = structured::Stacks;
    const NAME: &'static str = "debug_stack";
    const TITLE: &'static str = "Threads and frames";
    const DESCRIPTION: &'static str = "Call stack of one thread or all; identical stacks are \
        grouped, library frames folded. `frame` takes these numbers.";
    const EFFECT: Effect = Effect::Reads;
    const VERB: Option<Verb> = Some(Verb::new("stack", Words::None).shorts(&[
        Short::of("bt", Words::None),
        Short::of("backtrace", Words::None),
        Short::of("where", Words::None),
        Short::with("threads", "Stacks of all threads", &[("all_threads", "true")], Words::None),
    ]));
    const EXAMPLE: &'static str = r#"{"all_threads": true}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        let query = StackQuery {
            thread: thread(&handle, arguments.thread.as_deref()).await?,
            all_threads: arguments.all_threads.unwrap_or(false),
            start: arguments.start.unwrap_or(0),
            count: arguments.count.unwrap_or(20).clamp(1, 500),
        };
        let library =
            if arguments.library == Some(true) { Library::Listed } else { Library::Folded };
        let stacks = handle.stack(query).await?;
        let text = view::stack(&stacks, handle.id(), library, &call.lens());
        Ok(Reply::new(text, Outcome::Stacks(stacks)))
    }
}
