//! `debug_exception`: reads the exception that the program stopped for.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use crate::model::ExceptionQuery;
use crate::view;

pub(in crate::mcp) struct Exception;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Your frames; default 5
    frames: Option<u32>,
    /// Of these, with locals; default 1
    locals_for: Option<u32>,
    /// Most causes; default 5
    causes: Option<u32>,
}

impl Tool for Exception {
    type Arguments = Arguments;
    type Data = structured::Exception;
    const NAME: &'static str = "debug_exception";
    const TITLE: &'static str = "Exception and causes";
    const DESCRIPTION: &'static str = "Exception, panic or signal of the stop: message, \
        causes with places, your frames with arguments and locals, last output.";
    const EFFECT: Effect = Effect::Reads;
    const VERB: Option<Verb> = Some(Verb::new("exception", Words::None));
    const EXAMPLE: &'static str = r#"{"locals_for": 3}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        let usual = ExceptionQuery::default();
        let query = ExceptionQuery {
            frames: arguments.frames.unwrap_or(usual.frames).clamp(1, 100),
            locals_for: arguments.locals_for.unwrap_or(usual.locals_for).min(10),
            causes: arguments.causes.unwrap_or(usual.causes).min(ExceptionQuery::MOST_CAUSES),
        };
        let exception = handle.exception(query).await?;
        let text = view::exception(&exception, &query, &call.lens());
        Ok(Reply::new(text, Outcome::Exception(Box::new(exception))))
    }
}
