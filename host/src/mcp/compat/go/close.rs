//! `close`: the end of a session.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{Compatible, Nothing, Ours, TOOLSET, forward};
use crate::mcp::call::{Call, Reply};
use crate::mcp::declared::{Effect, Form, Toolset};
use crate::mcp::problem::Problem;
use crate::mcp::tool::Tool;

pub(super) struct Close;

/// Data of `close`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Closed {
    /// −1: the program did not exit by itself.
    exit_code: i64,
    summary: String,
}

impl Tool for Close {
    type Arguments = Nothing;
    type Data = Closed;
    const NAME: &'static str = "close";
    const TITLE: &'static str = "End the session";
    const DESCRIPTION: &'static str =
        "Ends the session: a launched program is killed, an attached process runs on.";
    const EFFECT: Effect = Effect::Destroys;
    const TOOLSET: Toolset = TOOLSET;
    const FORM: Form = Form::Json;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Nothing) -> Result<Reply, Problem> {
        let answer = forward::<Self>(call, &arguments).await;
        let data = answer.data().await;
        let exit = data.pointer("/data/exits/0").cloned().unwrap_or_default();
        let closed = Closed {
            exit_code: exit["code"].as_i64().unwrap_or(-1),
            summary: exit["words"].as_str().unwrap_or_default().to_owned(),
        };
        Ok(super::with_data(answer, closed).await)
    }
}

impl Compatible for Close {
    fn ours(_: &Nothing) -> Ours {
        Ours::new("debug_stop", json!({}))
    }
}
