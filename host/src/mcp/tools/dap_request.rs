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
use super::super::wait;
use crate::session::{AdapterError, Error, RawRequest};
use crate::view;

/// Requests that start, move or end the debuggee, or replace breakpoints: the host sends them and
/// keeps the state that they change. With the call that does the same.
const OWNED: [(&str, &str); 20] = [
    ("attach", "debug_attach"),
    ("configurationDone", "debug_launch"),
    ("continue", "debug_continue"),
    ("disconnect", "debug_stop"),
    ("evaluate", "debug_evaluate (commands of the debugger: debug_command)"),
    ("initialize", "debug_launch"),
    ("launch", "debug_launch"),
    ("next", "debug_step"),
    ("pause", "debug_pause"),
    ("restart", "debug_restart"),
    ("reverseContinue", "debug_continue {\"reverse\": true}"),
    ("setBreakpoints", "debug_breakpoints"),
    ("setExceptionBreakpoints", "debug_breakpoints"),
    ("setExpression", "debug_set"),
    ("setFunctionBreakpoints", "debug_breakpoints"),
    ("setVariable", "debug_set"),
    ("stepBack", "debug_step {\"kind\": \"back\"}"),
    ("stepIn", "debug_step {\"kind\": \"in\"}"),
    ("stepOut", "debug_step {\"kind\": \"out\"}"),
    ("terminate", "debug_stop"),
];

pub(in crate::mcp) struct DapRequest;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: the only one
    session: Option<String>,
    /// Name of the request, as in DAP: `modules`
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
    const EXAMPLE: &'static str = r#"{"command": "threads"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let limit = wait::time_limit(call, arguments.timeout_s)?;
        let command = arguments.command;
        if let Some((_, tool)) = OWNED.iter().find(|(name, _)| *name == command) {
            let cause = format!("dap_request: `{command}` changes what dapdock keeps track of");
            return Err(Problem::worded("owned-request", &cause, tool));
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
