//! Waits: for a stop or an end, with a deadline and, where asked for, progress. One that runs out
//! is a success.
//!
//! Dropping a wait drops the question and nothing else: the event log keeps what came meanwhile.

use std::time::Duration;

use tokio::time::Instant;

use super::call::{Call, Reply};
use super::problem::Problem;
use crate::model::{Cursor, Happening, Running};
use crate::session::{Error, Handle, Now};
use crate::view;

/// What ended a wait.
pub(super) enum Arrival {
    Happened(Happening),
    /// Nothing has happened, and the debuggee runs, when this is said.
    RanOut(Running),
}

enum Turn {
    Happened(Result<(Happening, Cursor), Error>),
    RanOut,
    Look,
    Tick,
}

/// How long before the end of a wait the debuggee is looked at, to tell what it does with its time
/// then.
const LOOKED_AT: Duration = Duration::from_secs(1);

/// How much longer a wait takes for a stop that has come and is being read.
const READ: Duration = Duration::from_secs(1);

/// How long a call waits: what the caller says, else the usual time.
pub(super) fn patience(call: &Call, asked: Option<f64>) -> Result<Duration, Problem> {
    match asked {
        None => Ok(call.limits.wait),
        Some(seconds) if seconds < 0.0 => {
            let cause = format!("`timeout_s` is {seconds}, and no time is less than none");
            Err(call.request.with("timeout_s", 30).refuse(&cause))
        }
        Some(seconds) => {
            let longest = call.limits.longest_wait;
            Ok(Duration::try_from_secs_f64(seconds).unwrap_or(longest).min(longest))
        }
    }
}

/// The first happening from `cursor` on, unless `patience` runs out before.
pub(super) async fn arrive(
    call: &Call,
    handle: &Handle,
    cursor: Cursor,
    patience: Duration,
) -> Result<Arrival, Problem> {
    let start = Instant::now();
    let mut ticks = tokio::time::interval(call.limits.progress_every);
    ticks.tick().await;
    let mut told = handle.progress();
    let happening = handle.wait(cursor);
    tokio::pin!(happening);
    let mut look = Some(start + patience.saturating_sub(LOOKED_AT.min(patience / 2)));
    loop {
        // Every arm only says what came; all are safe to drop and ask again.
        let turn = tokio::select! {
            biased;
            came = &mut happening => Turn::Happened(came),
            () = until(start + patience) => Turn::RanOut,
            () = until(look.unwrap_or(start)), if look.is_some() => Turn::Look,
            _ = ticks.tick(), if call.progress.is_some() => Turn::Tick,
            Ok(()) = told.changed(), if call.progress.is_some() => Turn::Tick,
        };
        match turn {
            Turn::Happened(came) => {
                return came
                    .map(|(what, _)| Arrival::Happened(what))
                    .map_err(|error| of(handle, error));
            }
            Turn::RanOut => return now(handle, cursor).await,
            Turn::Look => {
                look = None;
                // One that ended is told by the wait.
                drop(handle.look().await);
            }
            Turn::Tick => {
                let line = told.borrow_and_update().clone();
                tell(call, &line, start.elapsed()).await;
            }
        }
    }
}

/// Waits until the session has attached, or has failed to: then that is told.
pub(super) async fn attached(
    call: &Call,
    handle: &Handle,
    patience: Duration,
) -> Result<Arrival, Problem> {
    match tokio::time::timeout(patience, handle.attached()).await {
        Ok(false) => arrive(call, handle, Cursor::default(), patience).await,
        Ok(true) | Err(_) => now(handle, Cursor::default()).await,
    }
}

/// What has come already, however short the wait; else how the debuggee fares.
async fn now(handle: &Handle, cursor: Cursor) -> Result<Arrival, Problem> {
    let now = async {
        Ok(match tokio::time::timeout(READ, handle.now(cursor)).await {
            Ok(now) => match now? {
                Now::Happened(happening) => Arrival::Happened(happening),
                Now::Running(running) => Arrival::RanOut(running),
            },
            Err(_) => Arrival::RanOut(handle.underway().await?),
        })
    };
    now.await.map_err(|error| of(handle, error))
}

fn of(handle: &Handle, error: Error) -> Problem {
    Problem::Of(handle.id().clone(), error)
}

async fn until(deadline: Instant) {
    drop(tokio::time::timeout_at(deadline, std::future::pending::<()>()).await);
}

async fn tell(call: &Call, line: &str, elapsed: Duration) {
    if let Some(progress) = &call.progress {
        let doing = if line.is_empty() { "running" } else { line };
        let message = view::Text::line(format!("{doing} · {:.0} s", elapsed.as_secs_f64()));
        progress.send(elapsed, message).await;
    }
}

/// Waits and shows what came: the stop, the end, or how the debuggee fares.
pub(super) async fn show(
    call: &Call,
    handle: &Handle,
    cursor: Cursor,
    patience: Duration,
) -> Result<Reply, Problem> {
    let arrival = arrive(call, handle, cursor, patience).await?;
    Ok(shown(call, arrival))
}

/// An arrival as text.
pub(super) fn shown(call: &Call, arrival: Arrival) -> Reply {
    let lens = call.lens();
    Reply::text(match arrival {
        Arrival::Happened(Happening::Stopped(stop)) => view::stop(&stop, &lens, view::STOP_TOKENS),
        Arrival::Happened(Happening::Ended(exit)) => view::exit(&exit, &lens),
        Arrival::RanOut(running) => view::running(&running, &lens),
    })
}
