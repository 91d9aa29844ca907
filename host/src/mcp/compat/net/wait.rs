//! `breakpoint_wait`: waits for a hit, of one breakpoint if it is named.
//!
//! A hit is returned once. One that a call has filtered out is left to the next call.

use std::sync::Arc;
use std::sync::{Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::answer::{Refusal, good, report};
use super::facts::{known, seconds};
use super::{exceptions, name};
use crate::mcp::call::Call;
use crate::mcp::compat::{Compatible, Ours, forward, run};
use crate::mcp::outcome::{Arrival, Outcome};
use crate::model::{BreakpointId, Epoch, Happening, SessionId, Stop};

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Milliseconds; default 30000
    timeout_ms: Option<u32>,
    /// Only hits of this one, as breakpoint_set returns it; default: any
    breakpoint_id: Option<String>,
}

/// A hit, or why there is none.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Waited {
    hit: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakpoint_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location>,
    /// Number of the hits of the breakpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    hit_count: Option<u32>,
    /// timeout, paused, exception, other_breakpoint or process_exited.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Location {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    function: String,
    /// null: unknown.
    module: Option<String>,
}

/// The stop whose hit was returned last.
#[derive(Default)]
struct Returned(Mutex<Option<(SessionId, Epoch)>>);

impl Returned {
    fn has(&self, stop: &Stop) -> bool {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last == Some((stop.session.clone(), stop.epoch))
    }

    fn set(&self, stop: &Stop) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((stop.session.clone(), stop.epoch));
    }
}

name! {
    Wait(Arguments) -> Waited,
    "breakpoint_wait", "Wait for a hit", Reads,
    r#"{"timeout_ms": 30000}"#,
    "Waits until a breakpoint is hit. A hit that came before the call is returned too, once."
}

impl Wait {
    async fn answer(call: &Call, arguments: Arguments) -> Result<Waited, Refusal> {
        let handle = call.session(None)?;
        if let Some(id) = &arguments.breakpoint_id {
            check(call, id).await?;
        }
        if let Some(stop) = handle.show_stop().await? {
            return of_stop(call, &stop, arguments.breakpoint_id.as_deref()).await;
        }
        let reply = good(forward::<Self>(call, &arguments).await)?;
        match &reply.outcome {
            Outcome::Waited { arrival: Arrival::Happened(Happening::Stopped(stop)), .. } => {
                of_stop(call, stop, arguments.breakpoint_id.as_deref()).await
            }
            Outcome::Waited { arrival: Arrival::Happened(Happening::Ended(_)), .. } => {
                Ok(none("process_exited", "the program has ended"))
            }
            _ => Ok(none("timeout", "no breakpoint was hit in this time; the program runs")),
        }
    }
}

/// Refuses an id of no breakpoint.
async fn check(call: &Call, id: &str) -> Result<(), Refusal> {
    let list = Ours::new("debug_breakpoints", json!({}));
    let all = report(good(run(call, list).await)?)?.all;
    let mut known: Vec<String> = all.iter().map(|one| one.id.0.to_string()).collect();
    known.extend(exceptions::all(call).into_iter().map(|one| one.id));
    if known.iter().any(|known| known == id.trim().trim_start_matches('#')) {
        return Ok(());
    }
    let message = match known.join(", ") {
        known if known.is_empty() => format!("there is no breakpoint `{id}`; none is set"),
        known => format!("there is no breakpoint `{id}`; there are {known}"),
    };
    Err(Refusal::with_next("unknown-breakpoint", &message, "breakpoint_list"))
}

fn none(reason: &'static str, message: &str) -> Waited {
    Waited { reason: Some(reason), message: Some(message.to_owned()), ..Waited::default() }
}

async fn of_stop(call: &Call, stop: &Arc<Stop>, wanted: Option<&str>) -> Result<Waited, Refusal> {
    let returned = call.memory.of::<Returned>();
    let hits = hits(call, stop).await?;
    if hits.is_empty() && exceptions::is_exception(stop) {
        let (ty, message) = stop.exception();
        let words: Vec<String> = Some(ty).into_iter().chain(message).collect();
        return Ok(none("exception", &words.join(": ")));
    }
    if hits.is_empty() || returned.has(stop) {
        return Ok(none("paused", "the program is paused; debug_continue resumes it"));
    }
    let wanted = wanted.map(|id| id.trim().trim_start_matches('#'));
    let found = hits.into_iter().find(|(id, _)| wanted.is_none_or(|wanted| wanted == id));
    let Some((id, count)) = found else {
        let message = "the program is paused at another breakpoint; without breakpoint_id the \
            next call returns its hit";
        return Ok(none("other_breakpoint", message));
    };
    returned.set(stop);
    let place = stop.frames.get(stop.focus).map(|frame| Location {
        file: frame.path.as_ref().map(|path| path.display().to_string()),
        line: known(frame.line),
        column: known(frame.column),
        function: frame.name.clone(),
        module: None,
    });
    Ok(Waited {
        hit: true,
        breakpoint_id: Some(id),
        thread_id: Some(stop.thread.id.0),
        location: place,
        hit_count: Some(count),
        ..Waited::default()
    })
}

/// The breakpoints that a stop has hit, with the numbers of their hits.
async fn hits(call: &Call, stop: &Stop) -> Result<Vec<(String, u32)>, Refusal> {
    let status = call.session(Some(&stop.session.0))?.status().await?;
    let mut hits = Vec::new();
    for BreakpointId(id) in &stop.hit {
        let one = status.breakpoints.iter().find(|one| one.id.0 == *id);
        // The family counts its own on exceptions.
        if one.is_some_and(|one| one.spec.place.exception().is_some()) {
            continue;
        }
        hits.push((id.to_string(), one.map_or(1, |one| one.hits)));
    }
    hits.extend(exceptions::hit(call, stop));
    Ok(hits)
}

impl Compatible for Wait {
    fn ours(Arguments { timeout_ms, breakpoint_id }: &Arguments) -> Ours {
        let number = breakpoint_id.as_deref().map(|id| id.trim().trim_start_matches('#'));
        let number = number.and_then(|id| id.parse::<u32>().ok()).map(|id| vec![id]);
        Ours::new("debug_wait", json!({"breakpoints": number, "timeout_s": seconds(*timeout_ms)}))
    }
}
