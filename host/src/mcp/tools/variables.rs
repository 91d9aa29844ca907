//! `debug_variables`: reads variables.

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
use crate::model::VariablesQuery;
use crate::view;

pub(in crate::mcp) struct Variables;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// As `user.orders[3].total`; default: locals
    path: Option<String>,
    /// Default: stopped one
    thread: Option<String>,
    /// Default: your innermost
    frame: Option<u32>,
    /// Default: locals; the result names others
    scope: Option<String>,
    /// Levels to open; default 1
    depth: Option<u32>,
    /// First child, or character of a text; default 0
    start: Option<u64>,
    /// Default 50; of a text: 4000
    count: Option<u64>,
    /// Only names that contain this; of elements: values
    filter: Option<String>,
    /// Only what changed since the previous stop
    diff: Option<bool>,
    /// Find out which variables of the frame are arguments.
    #[schemars(skip)]
    arguments: Option<bool>,
}

impl Tool for Variables {
    type Arguments = Arguments;
    type Data = structured::Variables;
    const NAME: &'static str = "debug_variables";
    const TITLE: &'static str = "Variables";
    const DESCRIPTION: &'static str = "Variables of a frame, or inside one variable by path; a \
        single value is shown in full. Expressions: debug_evaluate.";
    const EFFECT: Effect = Effect::Reads;
    const UNLISTED: &'static [&'static str] = &["arguments"];
    const VERB: Option<Verb> = Some(Verb::new("vars", Words::One("path")).shorts(&[
        Short::of("v", Words::One("path")),
        Short::with("frame", "Variables of a frame", &[], Words::One("frame")),
        Short::with("up", "Variables of the caller", &[("frame", "1")], Words::One("path")),
    ]));
    const EXAMPLE: &'static str = r#"{"path": "NAME", "depth": 2}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        let path = arguments
            .path
            .as_deref()
            .map(str::trim)
            .filter(|path| !path.is_empty())
            .map(str::to_owned);
        if arguments.diff == Some(true) {
            only_path_with_diff(call, &arguments)?;
            let compared = handle.compare(path).await?;
            let text = view::changed(&compared, handle.id(), &call.lens());
            return Ok(Reply::new(text, Outcome::Compared(compared)));
        }
        if arguments.count == Some(0) {
            return Err(call
                .request
                .without(&["count"])
                .refuse("debug_variables: `count` must be 1 or more, got 0"));
        }
        let query = VariablesQuery {
            path,
            thread: thread(&handle, arguments.thread.as_deref()).await?,
            frame: arguments.frame,
            scope: arguments.scope,
            depth: arguments.depth.unwrap_or(1).clamp(1, 6),
            start: arguments.start.unwrap_or(0),
            count: arguments.count,
            filter: arguments.filter,
            arguments: arguments.arguments == Some(true),
        };
        let page = handle.variables(query.clone()).await?;
        let text = view::variables(&page, &query, handle.id(), &call.lens());
        Ok(Reply::new(text, Outcome::Variables(page)))
    }
}

/// Refuses arguments that a comparison does not take: it is of the locals of the frame of the stop.
fn only_path_with_diff(call: &Call, arguments: &Arguments) -> Result<(), Problem> {
    let given = [
        ("frame", arguments.frame.is_some()),
        ("thread", arguments.thread.is_some()),
        ("scope", arguments.scope.is_some()),
        ("depth", arguments.depth.is_some()),
        ("start", arguments.start.is_some()),
        ("count", arguments.count.is_some()),
        ("filter", arguments.filter.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => {
            let cause = format!(
                "debug_variables: `diff` compares the locals of the frame of the stop, or the \
                 variable at `path`; it takes no `{name}`"
            );
            Err(call.request.without(&given.map(|(name, _)| name)).refuse(&cause))
        }
    }
}
