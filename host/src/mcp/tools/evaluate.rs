//! `debug_evaluate`: evaluates expressions and holds watches.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Short, Verb, Words};
use super::super::wait;
use super::thread::thread;
use crate::model::{self, EvaluateQuery, Evaluated, OutputQuery};
use crate::session::{Error, Handle, Watch};
use crate::view::{self, Text};

pub(in crate::mcp) struct Evaluate;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// In the program's language
    expressions: Option<Vec<String>>,
    /// Default: your innermost
    frame: Option<u32>,
    /// Default: stopped one
    thread: Option<String>,
    /// true: show at every stop; false: stop showing (all without expressions)
    watch: Option<bool>,
    /// allow: statements and calls of the program's code too; default none
    effects: Option<Effects>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
    /// Levels of the results to read.
    #[schemars(skip)]
    depth: Option<u32>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(in crate::mcp) enum Effects {
    None,
    Allow,
}

const SHOWS: &[(&str, &str)] = &[("watch", "true")];
const HIDES: &[(&str, &str)] = &[("watch", "false")];

impl Tool for Evaluate {
    type Arguments = Arguments;
    type Data = structured::Evaluations;
    const NAME: &'static str = "debug_evaluate";
    const TITLE: &'static str = "Evaluate expressions";
    const DESCRIPTION: &'static str = "Evaluates expressions in a frame of the stopped program.";
    const EFFECT: Effect = Effect::Moves;
    const VERB: Option<Verb> = Some(Verb::new("eval", Words::JoinedItem("expressions")).shorts(&[
        Short::of("p", Words::JoinedItem("expressions")),
        Short::of("print", Words::JoinedItem("expressions")),
        Short::with("display", "Show at every stop", SHOWS, Words::JoinedItem("expressions")),
        Short::with("undisplay", "Stop showing", HIDES, Words::JoinedItem("expressions")),
    ]));
    const UNLISTED: &'static [&'static str] = &["depth"];
    const EXAMPLE: &'static str = r#"{"expressions": ["1 + 1"]}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let mut arguments = arguments;
        let expressions = arguments.expressions.clone().unwrap_or_default();
        if expressions.is_empty() && arguments.watch != Some(false) {
            let watches = handle.watch(Watch::Add(Vec::new())).await?;
            if watches.is_empty() {
                let next = call.request.with("expressions", vec!["1 + 1"]);
                return Err(next.refuse("debug_evaluate needs `expressions`"));
            }
            arguments.expressions = Some(watches);
        }
        match arguments.watch {
            Some(false) => Ok(watched(handle.watch(Watch::Remove(expressions)).await?)),
            Some(true) => {
                let earlier = handle.watch(Watch::Add(Vec::new())).await?;
                let watches = handle.watch(Watch::Add(expressions.clone())).await?;
                match evaluate(call, &handle, arguments, limit).await {
                    Ok(results) => Ok(evaluated(results, Some(watches))),
                    // The next stop evaluates them.
                    Err(Problem::Session(
                        Error::NotStopped | Error::NotReady { .. } | Error::Busy { .. },
                    )) => Ok(watched(watches)),
                    // A call that fails changes nothing.
                    Err(other) => {
                        let mut added = expressions;
                        added.retain(|expression| !earlier.contains(expression));
                        if !added.is_empty() {
                            handle.watch(Watch::Remove(added)).await?;
                        }
                        Err(other)
                    }
                }
            }
            None => {
                let begin = output_begin(&handle, arguments.effects).await?;
                let results = evaluate(call, &handle, arguments, limit).await?;
                let mut text = view::evaluations(&results);
                if let Some(printed) = printed_since(&handle, begin).await? {
                    text.append(printed);
                }
                Ok(Reply::new(text, Outcome::Evaluated { results, watches: None }))
            }
        }
    }
}

/// The number of the next line of output, if the expressions may run code that prints.
async fn output_begin(handle: &Handle, effects: Option<Effects>) -> Result<Option<u64>, Problem> {
    let Some(Effects::Allow) = effects else { return Ok(None) };
    let end = OutputQuery { tail: Some(1), limit: 1, ..OutputQuery::default() };
    Ok(Some(handle.output(end).await?.next))
}

async fn printed_since(handle: &Handle, begin: Option<u64>) -> Result<Option<Text>, Problem> {
    let Some(begin) = begin else { return Ok(None) };
    let news = OutputQuery { since: Some(begin), limit: 10, ..OutputQuery::default() };
    Ok(view::printed(&handle.output(news).await?))
}

async fn evaluate(
    call: &Call,
    handle: &Handle,
    arguments: Arguments,
    limit: Duration,
) -> Result<Vec<Evaluated>, Problem> {
    let effects = match arguments.effects {
        Some(Effects::Allow) => model::Effects::Allow,
        Some(Effects::None) | None => model::Effects::None,
    };
    let query = EvaluateQuery {
        expressions: arguments.expressions.unwrap_or_default(),
        frame: arguments.frame,
        thread: thread(handle, arguments.thread.as_deref()).await?,
        stop: None,
        effects,
        patience: limit,
        depth: arguments.depth.unwrap_or(1).clamp(1, 6),
    };
    // The session itself ends at `limit`, with the results so far.
    let patience = limit + call.sessions.limits()?.request;
    match tokio::time::timeout(patience, handle.evaluate(query)).await {
        Ok(results) => Ok(results?),
        Err(_) => {
            let cause =
                format!("the expressions were not evaluated within {} s", limit.as_secs_f64());
            Err(Problem::worded("evaluate-timeout", &cause, "debug_status"))
        }
    }
}

fn evaluated(results: Vec<Evaluated>, watches: Option<Vec<String>>) -> Reply {
    Reply::new(view::evaluations(&results), Outcome::Evaluated { results, watches })
}

fn watched(watches: Vec<String>) -> Reply {
    let text = match &watches[..] {
        [] => Text::line("no watches"),
        _ => Text::line(format!("shown at every stop: {}", watches.join(" · "))),
    };
    Reply::new(text, Outcome::Evaluated { results: Vec::new(), watches: Some(watches) })
}
