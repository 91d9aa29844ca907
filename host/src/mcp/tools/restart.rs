//! `debug_restart`: starts a session again.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use super::super::wait;
use super::start;
use crate::model::Cursor;

pub(in crate::mcp) struct Restart;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
}

impl Tool for Restart {
    type Arguments = Arguments;
    type Data = structured::Started;
    const NAME: &'static str = "debug_restart";
    const TITLE: &'static str = "Start again";
    const DESCRIPTION: &'static str = "Builds and starts a launched session again, with its \
        breakpoints and watches.";
    const EFFECT: Effect = Effect::Destroys;
    const VERB: Option<Verb> = Some(Verb::new("restart", Words::None));
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        // One that cannot be named is refused below.
        drop(call.session(arguments.session.as_deref()));
        let handle = call.sessions.restart(arguments.session.as_deref());
        let handle = Box::pin(wait::reporting(call, handle)).await?;
        let arrival = wait::arrive(call, &handle, Cursor::default(), limit).await?;
        Ok(start::reply(call, &handle, arrival, &[]).await)
    }
}
