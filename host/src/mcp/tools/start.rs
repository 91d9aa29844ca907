//! The answer to a call that starts a session: launch, attach, restart.

use super::super::call::{Call, Reply};
use super::super::outcome::{Arrival, Outcome, Started};
use super::super::wait;
use crate::model::SessionId;
use crate::session::Handle;
use crate::view;

/// The arrival, and after a stop a line for each breakpoint without code: it was requested, and it
/// cannot stop the program. `earlier` are the sessions of the same call that ended before.
pub(super) async fn reply(
    call: &Call,
    handle: &Handle,
    arrival: Arrival,
    earlier: &[SessionId],
) -> Reply {
    let mut text = wait::text_with_places(call, handle, &arrival).await;
    let mut breakpoints = Vec::new();
    if let Ok(status) = handle.status().await {
        breakpoints = status.breakpoints;
        if status.phase == "stopped" {
            for line in view::unverified(&breakpoints, &call.lens()) {
                text.push(line);
            }
        }
    }
    if !earlier.is_empty() {
        text.push(view::earlier(earlier));
    }
    let started = Started { arrival, breakpoints, ignored: Vec::new() };
    Reply::new(text, Outcome::Started(vec![Ok(started)]))
}
