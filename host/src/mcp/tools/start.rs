//! The answer to a call that starts a session: launch, attach, restart.

use super::super::call::{Call, Reply};
use super::super::wait::{self, Arrival};
use crate::session::Handle;
use crate::view;

/// The arrival, and after a stop a line for each breakpoint without code: it was requested, and it
/// cannot stop the program.
pub(super) async fn reply(call: &Call, handle: &Handle, arrival: Arrival) -> Reply {
    let mut reply = wait::reply(call, arrival);
    if let Ok(status) = handle.status().await
        && status.phase == "stopped"
    {
        for line in view::unverified(&status.breakpoints, &call.lens()) {
            reply.text.push(line);
        }
    }
    reply
}
