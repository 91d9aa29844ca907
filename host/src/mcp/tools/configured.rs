//! `options.config` of `debug_launch`: what the project's launch.json names, one session or
//! several.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Map, Value};

use super::super::call::{Call, Reply};
use super::super::problem::Problem;
use super::super::repair;
use super::super::wait;
use super::start;
use crate::model::{BreakpointSpec, Cursor, LaunchRequest};
use crate::session::{Configured, Handle, Stronger};
use crate::view::Text;

/// What the call says itself: it is stronger than the file.
pub(super) struct More {
    pub stronger: Stronger,
    pub breakpoints: Vec<BreakpointSpec>,
    pub options: Map<String, Value>,
}

impl More {
    fn add_to(&self, request: &mut LaunchRequest) {
        let mut all: Map<String, Value> =
            serde_json::from_str(&request.options).unwrap_or_default();
        all.extend(self.options.clone());
        request.options = Value::Object(all).to_string();
    }
}

/// Starts all that the name stands for, and waits for each; one that fails does not hinder the
/// others.
pub(super) async fn run(
    call: &Call,
    name: &str,
    more: More,
    patience: Duration,
) -> Result<Reply, Problem> {
    let all =
        call.sessions.configured(&call.workspace, name, &more.stronger, &more.breakpoints).await?;
    let mut started = Vec::with_capacity(all.len());
    for configured in all {
        started.push(launch(call, configured, &more).await);
    }
    let shown = join_all(started.into_iter().map(|one| async move {
        match one {
            Ok(started) => show(call, started, patience).await,
            Err(problem) => Err(problem),
        }
    }));
    let replies: Vec<Reply> = shown
        .await
        .into_iter()
        .map(|shown| shown.unwrap_or_else(|problem| repair::reply(problem, call)))
        .collect();
    let is_error = replies.iter().all(|reply| reply.is_error);
    let text = replies.into_iter().map(|reply| reply.text).reduce(|mut text, next| {
        text.push("");
        text.append(next);
        text
    });
    Ok(Reply { text: text.unwrap_or_else(|| Text::line("")), is_error })
}

struct Started {
    handle: Handle,
    ignored: Vec<String>,
    /// It stops by a breakpoint if at all.
    runs_on: bool,
}

async fn launch(call: &Call, configured: Configured, more: &More) -> Result<Started, Problem> {
    let Configured { mut request, ignored } = configured;
    more.add_to(&mut request);
    request.again = call.request.text();
    let runs_on = request.attaches() && request.breakpoints.is_empty();
    Ok(Started { handle: call.sessions.launch(request).await?, ignored, runs_on })
}

async fn show(call: &Call, started: Started, patience: Duration) -> Result<Reply, Problem> {
    let Started { handle, ignored, runs_on } = started;
    let arrival = if runs_on {
        wait::attached(call, &handle, patience).await?
    } else {
        wait::arrive(call, &handle, Cursor::default(), patience).await?
    };
    let mut reply = start::reply(call, &handle, arrival).await;
    if !ignored.is_empty() {
        reply.text.push(format!("note: not heeded of launch.json: {}", ignored.join(", ")));
    }
    Ok(reply)
}
