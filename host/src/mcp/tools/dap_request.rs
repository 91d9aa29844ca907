//! `dap_request`: sends any request of the Debug Adapter Protocol that leaves the session to the
//! host, and returns the body of its response.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::call::{Call, Reply};
use super::super::declared::{Effect, Toolset};
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Verb, Words};
use super::super::wait;
use super::owned_request::owner;
use crate::session::{AdapterError, Error, RawRequest};
use crate::view;

pub(in crate::mcp) struct DapRequest;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Name of the request, as in DAP: `threads`
    command: String,
    /// Its arguments
    arguments: Option<Map<String, Value>>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
}

impl Tool for DapRequest {
    type Arguments = Arguments;
    type Data = structured::Response;
    const NAME: &'static str = "dap_request";
    const TITLE: &'static str = "Send a DAP request";
    const DESCRIPTION: &'static str = "Sends a request of the Debug Adapter Protocol to the \
        session's adapter and returns the body of its response as JSON. Requests that start, move \
        or end the program, evaluate, assign or set breakpoints have tools of their own.";
    const EFFECT: Effect = Effect::Destroys;
    const TOOLSET: Toolset = Toolset::Raw;
    const VERB: Option<Verb> = Some(Verb::new("request", Words::One("command")));
    const EXAMPLE: &'static str = r#"{"command": "threads"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let command = arguments.command;
        let empty = Map::new();
        if let Some(owner) = owner(&command, arguments.arguments.as_ref().unwrap_or(&empty)) {
            let cause = format!("dap_request: `{command}` changes what dapdock keeps track of");
            let next = match arguments.session.as_deref() {
                Some(session) => owner.of(session),
                None => owner,
            };
            let next = next.bounded(view::LONGEST_CALL);
            return Err(Problem::worded("owned-request", &cause, &next));
        }
        let handle = call.session(arguments.session.as_deref())?;
        let request = RawRequest {
            command,
            arguments: arguments.arguments.map_or(Value::Null, Value::Object),
            shell: call.shell,
            limit,
        };
        match handle.raw(request).await {
            Ok(body) => Ok(Reply::new(view::raw(&body.to_string()), Outcome::Response(body))),
            Err(error @ Error::Adapter(AdapterError::Silent { .. })) => {
                let next = call.request.with("timeout_s", call.limits.longest_wait.as_secs());
                Err(Problem::worded("adapter-silent", &error.to_string(), &next.text()))
            }
            Err(error) => Err(error.into()),
        }
    }
}
