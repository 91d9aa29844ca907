//! `debug_pause`: stops the running program.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::{Call, Reply};
use super::super::declared::Effect;
use super::super::outcome::{Arrival, Outcome};
use super::super::problem::Problem;
use super::super::structured;
use super::super::tool::Tool;
use super::super::verb::{Short, Verb, Words};
use super::super::wait;
use super::thread::thread;
use crate::model::{Cursor, Happening, Running, StackQuery};
use crate::session::{Error, Handle};
use crate::view;

pub(in crate::mcp) struct Pause;

#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Arguments {
    /// Default: only one
    session: Option<String>,
    /// Default: the last stopped
    thread: Option<String>,
}

impl Tool for Pause {
    type Arguments = Arguments;
    type Data = structured::Movement;
    const NAME: &'static str = "debug_pause";
    const TITLE: &'static str = "Pause";
    const DESCRIPTION: &'static str = "Stops the program wherever it is, and shows where \
        its threads and tasks wait. Works while another call waits.";
    const EFFECT: Effect = Effect::Sets;
    const VERB: Option<Verb> =
        Some(Verb::new("pause", Words::None).shorts(&[Short::of("interrupt", Words::None)]));
    const EXAMPLE: &'static str = "{}";

    async fn run(call: &Call, arguments: Arguments) -> Result<Reply, Problem> {
        let handle = call.session(arguments.session.as_deref())?;
        // By name only where the adapter lists the threads of a running program; any number is
        // taken.
        let thread = thread(&handle, arguments.thread.as_deref()).await?;
        let result = match handle.pause(thread).await {
            Ok(cursor) => wait::arrive(call, &handle, cursor, call.limits.pause_peek)
                .await
                .map(|arrival| (arrival, cursor)),
            Err(error) => Err(error.into()),
        };
        match result {
            Ok((Arrival::RanOut(_), cursor)) => unpaused(call, &handle, cursor).await,
            Ok((arrival, _)) => Ok(paused(call, &handle, arrival).await),
            Err(problem) if is_stopped(&problem) => match handle.show_stop().await? {
                Some(stop) => {
                    let mut text = view::stop(&stop, &call.lens(), view::STOP_TOKENS);
                    text.push("note: the program was already stopped");
                    let arrival = Arrival::Happened(Happening::Stopped(stop));
                    Ok(Reply::new(text, Outcome::Arrived(arrival)))
                }
                None => Err(problem),
            },
            Err(problem) => Err(problem),
        }
    }
}

fn is_stopped(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::Session(Error::NotRunning) | Problem::OfSession(_, Error::NotRunning)
    )
}

/// The stop, with the places of the other threads: where a program of several hangs.
async fn paused(call: &Call, handle: &Handle, arrival: Arrival) -> Reply {
    let stop = match &arrival {
        Arrival::Happened(Happening::Stopped(stop))
            if (2..=wait::THREADS).contains(&stop.threads) =>
        {
            stop.clone()
        }
        _ => return wait::reply(call, arrival),
    };
    match wait::stacks(handle).await {
        Some(stacks) => {
            let text = view::paused(&stop, &stacks, &call.lens());
            Reply::new(text, Outcome::Paused(arrival, stacks))
        }
        None => wait::reply(call, arrival),
    }
}

/// The answer for a program that does not stop soon: the stacks, where the adapter reads them while
/// the program runs, else a longer wait.
async fn unpaused(call: &Call, handle: &Handle, cursor: Cursor) -> Result<Reply, Problem> {
    let query = StackQuery { all_threads: true, count: 20, ..StackQuery::default() };
    let stacks = handle.stack(query).await;
    let patience = match stacks {
        // It may have stopped meanwhile.
        Ok(_) => Duration::ZERO,
        Err(_) => call.limits.pause.saturating_sub(call.limits.pause_peek),
    };
    match (wait::arrive(call, handle, cursor, patience).await?, stacks) {
        (Arrival::RanOut(running), Ok(stacks)) => {
            let running = Running { stacks: None, ..running };
            let text = view::unpaused(&running, &stacks, &call.lens());
            Ok(Reply::new(text, Outcome::Unpaused(running, stacks)))
        }
        (arrival, _) => Ok(wait::reply(call, arrival)),
    }
}
