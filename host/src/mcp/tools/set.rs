//! `debug_set`: assigns to a variable.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use super::thread::thread;
use crate::model::AssignQuery;
use crate::view;

pub(in crate::mcp) struct Set;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Variable or path
    target: String,
    /// In the program's language
    value: String,
    /// Default: stopped one
    thread: Option<String>,
    /// Default: your innermost
    frame: Option<u32>,
}

impl Tool for Set {
    type Arguments = Arguments;
    type Data = structured::Assignment;
    const NAME: &'static str = "debug_set";
    const TITLE: &'static str = "Set a variable";
    const DESCRIPTION: &'static str =
        "Assigns to a variable, field or element of the stopped program.";
    const EFFECT: Effect = Effect::Moves;
    const VERB: Option<Verb> = Some(Verb::new("set", Words::Assignment("target", "value")));
    const EXAMPLE: &'static str = r#"{"target": "NAME", "value": "0"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let Arguments { session, target, value, thread: named, frame } = arguments;
        let target = target.trim().to_owned();
        if target.is_empty() || value.trim().is_empty() {
            return Err(empty(call, &target, &value));
        }
        let handle = call.session(session.as_deref())?;
        let thread = thread(&handle, named.as_deref()).await?;
        let assigned = handle.assign(AssignQuery { target, value, thread, frame }).await?;
        Ok(Reply::new(view::assigned(&assigned), Outcome::Assigned(assigned)))
    }
}

/// Refuses an empty target or value.
fn empty(call: &Call, target: &str, value: &str) -> Problem {
    let mut next = call.request.clone();
    let mut names = Vec::new();
    for (name, given, placeholder) in [("target", target, "NAME"), ("value", value, "0")] {
        if given.trim().is_empty() {
            next = next.with(name, placeholder);
            names.push(format!("`{name}`"));
        }
    }
    next.refuse(&format!("debug_set: {} must not be empty", names.join(" and ")))
}
