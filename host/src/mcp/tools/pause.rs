//! `debug_pause`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Problem, Reply};
use super::super::registry::{Effect, Tool};
use super::super::wait::{self, Arrival};
use super::thread::thread;
use crate::model::StackQuery;
use crate::session::{Error, Handle};
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
            Ok(cursor) => match wait::arrive(call, &handle, cursor, call.limits.pause).await? {
                Arrival::RanOut => unpaused(call, &handle).await,
                arrival => wait::shown(call, &handle, arrival).await,
            },
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

/// It does not stop: where it is can be read all the same, with some adapters.
async fn unpaused(call: &Call, handle: &Handle) -> Result<Reply, Problem> {
    let query = StackQuery { all_threads: true, count: 20, ..StackQuery::default() };
    match handle.stack(query).await {
        Ok(stacks) => Ok(Reply::text(view::unpaused(&handle.running().await?, &stacks, &call.lens()))),
        Err(_) => wait::shown(call, handle, Arrival::RanOut).await,
    }
}
