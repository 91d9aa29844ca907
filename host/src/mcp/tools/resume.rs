//! `debug_continue`: resumes the program.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::problem::Problem;
use super::super::text::breakpoint;
use super::super::tool::Tool;
use super::super::wait::{self, Arrival};
use super::thread::thread;
use crate::model::Resume;

pub(in crate::mcp) struct Continue;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: the only one
    session: Option<String>,
    /// Run to this place once: app.x:88 or a function
    until: Option<String>,
    /// false: return at once, debug_wait later
    wait: Option<bool>,
    /// Number or name; default: all
    thread: Option<String>,
    /// Backwards, if the adapter can
    reverse: Option<bool>,
    /// Seconds; default 30
    timeout_s: Option<f64>,
}

impl Tool for Continue {
    type Arguments = Arguments;
    const NAME: &'static str = "debug_continue";
    const TITLE: &'static str = "Continue";
    const DESCRIPTION: &'static str =
        "Resumes and waits for the next stop, the exit or the time limit.";
    const EFFECT: Effect = Effect::Moves;
    const EXAMPLE: &'static str = r#"{"until": "FILE:LINE"}"#;

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        let how = match (&arguments.until, arguments.reverse) {
            (None, Some(true)) => Resume::Reverse,
            (Some(_), Some(true)) => {
                let cause =
                    "debug_continue: `until` runs forwards only; set a breakpoint to run back to";
                return Err(call.request.without(&["until"]).refuse(cause));
            }
            (None, _) => Resume::Continue,
            (Some(text), _) => {
                let none = || {
                    call.request
                        .without(&["until"])
                        .refuse(&format!("debug_continue: `until` is no place: `{text}`"))
                };
                let cwd = call.sessions.cwd(arguments.session.as_deref());
                Resume::Until(breakpoint::place(text, call, cwd.as_deref()).ok_or_else(none)?)
            }
        };
        let thread = thread(&handle, arguments.thread.as_deref()).await?;
        let patience = wait::patience(call, arguments.timeout_s)?;
        let cursor = handle.resume(how, thread).await?;
        match arguments.wait {
            // The first stop is the next wait's, however soon it comes.
            Some(false) => Ok(wait::reply(call, Arrival::RanOut(handle.underway().await?))),
            _ => wait::show(call, &handle, cursor, patience).await,
        }
    }
}
