//! Optional: DAP messages on their way, for what no profile key can say. Only
//! messages named in the manifest's `interests` arrive.

use crate::adapter::{Error, Json, Session};
use crate::answers::value;
use crate::bindings::hooks::exports::dapdock::plugin::hooks as wit;

pub use serde_json::Value;
pub use wit::{DapEvent, DapRequest, DapResponse, EventAction, EventEffect, RequestAction, ResponseAction};

/// Documented in full at `interface hooks` in `wit/plugin.wit`.
pub trait Hooks {
    /// Before a request goes to the adapter.
    fn on_request(session: &Session, command: &str, arguments: Value) -> RequestAction {
        let _ = (session, command, arguments);
        RequestAction::Unchanged
    }

    /// Before the host reads a response.
    fn on_response(session: &Session, command: &str, arguments: Value, response: DapResponse) -> ResponseAction {
        let _ = (session, command, arguments, response);
        ResponseAction::Unchanged
    }

    /// Before the host's state machine sees an event.
    fn on_event(session: &Session, event: &str, body: Value) -> EventAction {
        let _ = (session, event, body);
        EventAction::Unchanged
    }
}

impl RequestAction {
    /// Sends `arguments` instead.
    pub fn replaced(arguments: &Value) -> Self {
        Self::Replace(arguments.to_string())
    }

    /// Sends these instead, in order; the answer to the last is the answer.
    pub fn in_turn<'a>(requests: impl IntoIterator<Item = (&'a str, Value)>) -> Self {
        let request = |(command, arguments): (&str, Value)| DapRequest {
            command: command.into(),
            arguments: arguments.to_string(),
        };
        Self::Expand(requests.into_iter().map(request).collect())
    }

    /// Sends nothing; the caller is told why.
    pub fn rejected(error: Error) -> Self {
        Self::Reject(error)
    }
}

impl EventAction {
    /// The host's state machine sees this event instead.
    pub fn replaced(event: &str, body: &Value) -> Self {
        Self::Effect(EventEffect {
            events: vec![DapEvent { event: event.into(), body: body.to_string() }],
            requests: Vec::new(),
        })
    }

    /// The event is swallowed.
    pub fn swallowed() -> Self {
        Self::Effect(EventEffect { events: Vec::new(), requests: Vec::new() })
    }
}

impl<P: Hooks> wit::Guest for P {
    fn on_request(session: &Session, command: String, arguments: Json) -> RequestAction {
        P::on_request(session, &command, value(&arguments))
    }

    fn on_response(session: &Session, command: String, arguments: Json, response: DapResponse) -> ResponseAction {
        P::on_response(session, &command, value(&arguments), response)
    }

    fn on_event(session: &Session, event: String, body: Json) -> EventAction {
        P::on_event(session, &event, value(&body))
    }
}
