//! `debug_pause`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Problem, Reply};
use super::super::registry::{Effect, Tool};
use super::super::wait;
use super::thread::thread;
use crate::session::Error;
use crate::view;

pub(in crate::mcp) struct Pause;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    session: Option<String>,
    thread: Option<String>,
}

impl Tool for Pause {
    type Arguments = Arguments;
    const NAME: &'static str = "debug_pause";
    const TITLE: &'static str = "Pause";
    const DESCRIPTION: &'static str = "Stops the running program wherever it is: the way to see where it hangs. \
        Works while another call waits.";
    const EFFECT: Effect = Effect::Sets;
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        // Names of threads can be read only of a program that stands already.
        let thread = thread(&handle, arguments.thread.as_deref()).await?;
        match handle.pause(thread).await {
            Ok(cursor) => wait::show(call, &handle, cursor, call.limits.pause).await,
            Err(Error::NotRunning) => match handle.current().await? {
                Some(stop) => {
                    let text = view::stop(&stop, &call.lens(), view::STOP_TOKENS);
                    Ok(Reply::text(format!("{text}\nnote: it was stopped already")))
                }
                None => Err(Error::NotRunning.into()),
            },
            Err(error) => Err(error.into()),
        }
    }
}
