//! `debug_set`: assigns to a variable.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::problem::Problem;
use super::super::tool::Tool;
use crate::model::AssignQuery;
use crate::view;

pub(in crate::mcp) struct Set;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: the only one
    session: Option<String>,
    /// Variable or path
    target: String,
    /// In the program's language
    value: String,
    /// Default: innermost of your code
    frame: Option<u32>,
}

impl Tool for Set {
    type Arguments = Arguments;
    const NAME: &'static str = "debug_set";
    const TITLE: &'static str = "Set a variable";
    const DESCRIPTION: &'static str =
        "Assigns to a variable, field or element of the stopped program.";
    const EFFECT: Effect = Effect::Moves;
    const EXAMPLE: &'static str = r#"{"target": "NAME", "value": "0"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        let Arguments { target, value, frame, .. } = arguments;
        let target = target.trim().to_owned();
        if target.is_empty() || value.trim().is_empty() {
            let cause = "debug_set: `target` and `value` must not be empty".to_owned();
            return Err(Problem::argument(cause, Self::NAME, Self::EXAMPLE));
        }
        let assigned = handle.assign(AssignQuery { target, value, frame }).await?;
        Ok(Reply::text(view::assigned(&assigned)))
    }
}
