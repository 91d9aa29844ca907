//! Waits for a stop or the end of a session, with a deadline and progress. A wait that runs out is
//! no error.
//!
//! Dropping a wait changes nothing: the journal has the events, and the next wait reads them.

use std::time::Duration;

use tokio::time::Instant;

use super::call::{Call, Reply};
use super::outcome::{Arrival, Outcome};
use super::problem::Problem;
use crate::model::{Cursor, Happening, StackQuery, Stacks, Stop, StopClass};
use crate::session::{Error, Handle, Now};
use crate::view;

/// What ends one round of a wait.
enum Round {
    Happened(Result<(Happening, Cursor), Error>),
    RanOut,
    /// The running debuggee is to be sampled.
    Sample,
    /// Progress is to be reported.
    Tick,
}

/// Time before the end of a wait at which the session samples the running debuggee, so that the
/// answer says what it is doing.
const SAMPLE: Duration = Duration::from_secs(1);

/// Extra time for a stop that is being read when the wait runs out, and for stacks.
pub(super) const READING: Duration = Duration::from_secs(1);

/// The places of more threads are left to `debug_stack`.
pub(super) const THREADS: usize = 64;

/// Longest wait of a call: `timeout_s`, or the default.
///
/// # Errors
/// If `timeout_s` is negative or longer than `limits.longest_wait`.
pub(super) fn time_limit(call: &Call, timeout_s: Option<f64>) -> Result<Duration, Problem> {
    match timeout_s {
        None => Ok(call.limits.wait),
        Some(seconds) if seconds < 0.0 => {
            let cause = format!("`timeout_s` must be 0 or more, got {seconds}");
            Err(call.request.with("timeout_s", 30).refuse(&cause))
        }
        Some(seconds) => {
            let longest = call.limits.longest_wait;
            match Duration::try_from_secs_f64(seconds) {
                Ok(limit) if limit <= longest => Ok(limit),
                _ => {
                    let longest = longest.as_secs();
                    let cause = format!("`timeout_s` must be at most {longest}, got {seconds}");
                    Err(call.request.with("timeout_s", longest).refuse(&cause))
                }
            }
        }
    }
}

/// The first happening after `cursor`, unless `limit` runs out before.
pub(super) async fn arrive(
    call: &Call,
    handle: &Handle,
    cursor: Cursor,
    limit: Duration,
) -> Result<Arrival, Problem> {
    let start = Instant::now();
    let mut ticks = tokio::time::interval(call.limits.progress_every);
    ticks.tick().await;
    let mut activity = handle.progress();
    let happening = handle.wait(cursor);
    tokio::pin!(happening);
    let mut sample_at = Some(start + limit.saturating_sub(SAMPLE.min(limit / 2)));
    loop {
        // Safe to cancel: every branch waits for a value and takes nothing.
        let round = tokio::select! {
            biased;
            came = &mut happening => Round::Happened(came),
            () = until(start + limit) => Round::RanOut,
            () = until(sample_at.unwrap_or(start)), if sample_at.is_some() => Round::Sample,
            _ = ticks.tick(), if call.progress.is_some() => Round::Tick,
            Ok(()) = activity.changed(), if call.progress.is_some() => Round::Tick,
        };
        match round {
            Round::Happened(came) => {
                return came
                    .map(|(what, _)| Arrival::Happened(what))
                    .map_err(|error| problem(handle, error));
            }
            Round::RanOut => {
                let arrival = now(handle, cursor).await?;
                return Ok(located(handle, arrival).await);
            }
            Round::Sample => {
                sample_at = None;
                // The wait itself reports a session that has ended.
                drop(handle.look().await);
            }
            Round::Tick => {
                let line = activity.borrow_and_update().clone();
                notify(call, &line, start.elapsed()).await;
            }
        }
    }
}

/// Waits until the person who has the session gives it back, and shows where it is then.
pub(super) async fn while_taken(
    call: &Call,
    handle: &Handle,
    limit: Duration,
) -> Result<Reply, Problem> {
    let start = Instant::now();
    let mut ticks = tokio::time::interval(call.limits.progress_every);
    ticks.tick().await;
    let given = handle.given();
    tokio::pin!(given);
    let is_back = loop {
        tokio::select! {
            biased;
            () = &mut given => break true,
            () = until(start + limit) => break false,
            _ = ticks.tick(), if call.progress.is_some() => {
                notify(call, "taken by a person", start.elapsed()).await;
            }
        }
    };
    let arrival = standing(handle).await.map_err(|error| problem(handle, error))?;
    let mut text = text(call, &arrival);
    if !is_back {
        text.push(view::taken_meanwhile(handle.id(), &call.lens()));
    }
    Ok(Reply::new(text, Outcome::Waited { arrival, elsewhere: false }))
}

/// Where the session is: a stop that callers may have already, its end, or that it runs.
async fn standing(handle: &Handle) -> Result<Arrival, Error> {
    if let Some(stop) = handle.show_stop().await? {
        return Ok(Arrival::Happened(Happening::Stopped(stop)));
    }
    Ok(match handle.status().await?.exit {
        Some(exit) => Arrival::Happened(Happening::Ended(exit)),
        None => Arrival::RanOut(handle.underway().await?),
    })
}

/// The note under a stop that a move returns instead of leaving it.
pub(super) const UNMOVED: &str =
    "note: no call had returned this stop yet, so the program was not resumed";

/// Whether a move has left the program at its stop. `before` is the stop just before the move;
/// none: the program ran, so the stop at which the move was accepted came later, and no call has
/// it.
pub(super) async fn is_still_at(handle: &Handle, before: Option<&Stop>) -> Result<bool, Error> {
    let now = handle.current().await?;
    Ok(now.is_some_and(|now| before.is_none_or(|before| before.epoch == now.epoch)))
}

/// As [`is_still_at`], by the result of the move.
pub(super) fn is_unmoved(before: Option<&Stop>, arrival: &Arrival) -> bool {
    let Arrival::Happened(Happening::Stopped(now)) = arrival else { return false };
    before.is_none_or(|before| before.epoch == now.epoch)
}

/// Waits until the session has attached, or for its end if it cannot attach.
pub(super) async fn attached(
    call: &Call,
    handle: &Handle,
    limit: Duration,
) -> Result<Arrival, Problem> {
    match tokio::time::timeout(limit, handle.attached()).await {
        Ok(false) => arrive(call, handle, Cursor::default(), limit).await,
        Ok(true) | Err(_) => now(handle, Cursor::default()).await,
    }
}

/// A happening that the journal has already, else the state of the running debuggee.
async fn now(handle: &Handle, cursor: Cursor) -> Result<Arrival, Problem> {
    let now = async {
        Ok(match tokio::time::timeout(READING, handle.now(cursor)).await {
            Ok(now) => match now? {
                Now::Happened(happening) => Arrival::Happened(happening),
                Now::Running(running) => Arrival::RanOut(running),
            },
            Err(_) => Arrival::RanOut(handle.underway().await?),
        })
    };
    now.await.map_err(|error| problem(handle, error))
}

/// Adds the stacks of a running debuggee, where the adapter reads them while it runs.
async fn located(handle: &Handle, arrival: Arrival) -> Arrival {
    let Arrival::RanOut(mut running) = arrival else { return arrival };
    if running.doing.is_none() {
        running.stacks = stacks(handle).await.map(Box::new);
    }
    Arrival::RanOut(running)
}

/// The stacks of all threads, if they are read soon.
pub(super) async fn stacks(handle: &Handle) -> Option<Stacks> {
    let query = StackQuery { all_threads: true, count: 20, ..StackQuery::default() };
    tokio::time::timeout(READING, handle.stack(query)).await.ok()?.ok()
}

fn problem(handle: &Handle, error: Error) -> Problem {
    Problem::OfSession(handle.id().clone(), error)
}

/// Work before there is a session to wait for, as the first use of a plugin: reports that it goes
/// on.
pub(super) async fn reporting<T>(call: &Call, work: impl Future<Output = T>) -> T {
    let start = Instant::now();
    let mut ticks = tokio::time::interval(call.limits.progress_every);
    ticks.tick().await;
    tokio::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => return done,
            _ = ticks.tick(), if call.progress.is_some() => {
                notify(call, "preparing", start.elapsed()).await;
            }
        }
    }
}

pub(super) async fn until(deadline: Instant) {
    drop(tokio::time::timeout_at(deadline, std::future::pending::<()>()).await);
}

async fn notify(call: &Call, line: &str, elapsed: Duration) {
    if let Some(progress) = &call.progress {
        let doing = if line.is_empty() { "running" } else { line };
        let message = view::Text::line(format!("{doing} · {:.0} s", elapsed.as_secs_f64()));
        progress.send(elapsed, message).await;
    }
}

/// Writes the stop, the end, or the state of the running debuggee.
pub(super) fn reply(call: &Call, arrival: Arrival) -> Reply {
    Reply::new(text(call, &arrival), Outcome::Arrived(arrival))
}

/// The text of an arrival; at a deadlock with the places of all threads.
pub(super) async fn text_with_places(
    call: &Call,
    handle: &Handle,
    arrival: &Arrival,
) -> view::Text {
    if let Arrival::Happened(Happening::Stopped(stop)) = arrival
        && is_deadlock(stop)
        && let Some(stacks) = stacks(handle).await
    {
        return view::paused(stop, &stacks, &call.lens());
    }
    text(call, arrival)
}

/// Whether a fatal error has stopped a thread that waits for others.
fn is_deadlock(stop: &Stop) -> bool {
    stop.class == StopClass::Panic && stop.waits.is_some() && (2..=THREADS).contains(&stop.threads)
}

/// The text of an arrival.
pub(super) fn text(call: &Call, arrival: &Arrival) -> view::Text {
    let lens = call.lens();
    match arrival {
        Arrival::Happened(Happening::Stopped(stop)) => view::stop(stop, &lens, view::STOP_TOKENS),
        Arrival::Happened(Happening::Ended(exit)) => view::exit(exit, &lens),
        Arrival::RanOut(running) => view::running(running, &lens),
    }
}
