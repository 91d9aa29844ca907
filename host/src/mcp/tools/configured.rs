//! `options.config` of `debug_launch`: starts the session of a configuration in the project's
//! launch.json, or the sessions of a compound.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Map, Value};

use super::super::call::{Call, Reply};
use super::super::outcome::Outcome;
use super::super::problem::Problem;
use super::super::repair;
use super::super::wait;
use super::start;
use crate::model::{BreakpointSpec, Cursor, LaunchRequest};
use crate::session::{Configured, Handle, Overrides};
use crate::view::{Text, unmarked};

/// The other arguments of the call. They override the file.
pub(super) struct More {
    pub overrides: Overrides,
    pub breakpoints: Vec<BreakpointSpec>,
    pub options: Map<String, Value>,
    pub output_bytes: Option<usize>,
}

impl More {
    fn add_to(&self, request: &mut LaunchRequest) {
        let mut all: Map<String, Value> =
            serde_json::from_str(&request.options).unwrap_or_default();
        all.extend(self.options.clone());
        request.options = Value::Object(all).to_string();
        request.output_bytes = self.output_bytes;
    }
}

/// Starts every session of the configuration or compound, and waits for each. A failure of one does
/// not stop the others.
pub(super) async fn run(
    call: &Call,
    name: &str,
    more: More,
    patience: Duration,
) -> Result<Reply, Problem> {
    let all =
        call.sessions.configured(&call.workspace, name, &more.overrides, &more.breakpoints).await?;
    let mut started = Vec::with_capacity(all.len());
    for configured in all {
        started.push(launch(call, configured, &more).await);
    }
    let waits = started.into_iter().map(|started| answer(call, started, patience));
    let replies = join_all(waits).await;
    let is_error = replies.iter().all(|reply| reply.is_error);
    let (mut texts, mut outcomes) = (Vec::new(), Vec::new());
    for reply in replies {
        texts.push(reply.text);
        match reply.outcome {
            Outcome::Started(started) => outcomes.extend(started),
            Outcome::Failed(error) => outcomes.push(Err(error)),
            _ => {}
        }
    }
    let text = texts.into_iter().reduce(|mut text, next| {
        text.push("");
        text.append(next);
        text
    });
    let text = text.unwrap_or_else(|| Text::line(""));
    Ok(Reply { text, is_error, outcome: Outcome::Started(outcomes) })
}

async fn answer(call: &Call, started: Result<Started, Problem>, patience: Duration) -> Reply {
    let reply = match started {
        Ok(started) => arrival(call, started, patience).await,
        Err(problem) => Err(problem),
    };
    reply.unwrap_or_else(|problem| repair::reply(problem, call))
}

struct Started {
    handle: Handle,
    /// Keys of launch.json that are ignored.
    ignored: Vec<String>,
    /// It runs on without a stop.
    runs_on: bool,
}

async fn launch(call: &Call, configured: Configured, more: &More) -> Result<Started, Problem> {
    let Configured { mut request, ignored } = configured;
    more.add_to(&mut request);
    request.again = unmarked(&call.request.without(&["output_bytes"]).text());
    let runs_on = request.attaches() && request.breakpoints.is_empty();
    Ok(Started { handle: call.sessions.launch(request).await?, ignored, runs_on })
}

async fn arrival(call: &Call, started: Started, patience: Duration) -> Result<Reply, Problem> {
    let Started { handle, ignored, runs_on } = started;
    let arrival = if runs_on {
        wait::attached(call, &handle, patience).await?
    } else {
        wait::arrive(call, &handle, Cursor::default(), patience).await?
    };
    let mut reply = start::reply(call, &handle, arrival, &[]).await;
    if !ignored.is_empty() {
        reply.text.push(format!("note: launch.json keys ignored: {}", ignored.join(", ")));
        if let Outcome::Started(started) = &mut reply.outcome {
            started.iter_mut().flatten().for_each(|one| one.ignored.clone_from(&ignored));
        }
    }
    Ok(reply)
}
