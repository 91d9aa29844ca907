//! The parameters of `debugger/sessionStateChanged`.

use serde_json::json;

use super::{Params, fields, place};
use crate::model::Stop;
use crate::session::{Event, State};

pub(super) fn params(event: &Event, from: State, to: State, stop: Option<&Stop>) -> Params {
    fields(json!({
        "sessionId": event.session.0,
        "oldState": word(from),
        "newState": word(to),
        "pauseReason": stop.map(|stop| place::class(stop.class)),
        "location": stop.and_then(place::of_stop),
        "activeThreadId": stop.map(|stop| stop.thread.id.0),
        "timestamp": place::timestamp(event.at),
    }))
}

/// The words of earlier debug servers.
fn word(state: State) -> &'static str {
    match state {
        State::Starting => "starting",
        State::Idle => "idle",
        State::Running => "running",
        State::Stopped => "paused",
        State::Ended => "disconnected",
    }
}
