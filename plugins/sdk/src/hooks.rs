//! Optional: reads DAP messages, and changes those whose content has to change. Only messages named
//! in the manifest's `interests` arrive. Their bodies have the types of [`dap`]; what an adapter
//! adds to them is in `raw`.
//!
//! ```
//! use dapdock_plugin::hooks::{Event, EventAction, Request, RequestAction};
//! use dapdock_plugin::prelude::*;
//!
//! struct Echo;
//!
//! impl Hooks for Echo {
//!     /// The adapter evaluates only what begins with `=`.
//!     fn on_request(_: &Session, request: Request) -> RequestAction {
//!         let Some(mut arguments) = request.of::<dap::Evaluate>() else {
//!             return RequestAction::Unchanged;
//!         };
//!         arguments.expression.insert(0, '=');
//!         RequestAction::replaced::<dap::Evaluate>(arguments)
//!     }
//!
//!     /// A custom event of the adapter has the exit code.
//!     fn on_event(_: &Session, event: Event) -> EventAction {
//!         let exit_code = event.raw()["code"].as_i64();
//!         EventAction::replaced([Event::new(dap::Exited { exit_code, ..Default::default() })])
//!     }
//! }
//! ```

use crate::adapter::{Error, Json, Session};
use crate::answers::value;
use crate::bindings::hooks::exports::dapdock::plugin::hooks as wit;
use crate::dap::{self, EventBody, lenient};

pub use serde_json::Value;
pub use wit::{
    DapEvent, DapRequest, DapResponse, EventAction, EventEffect, RequestAction, ResponseAction,
};

/// `interface hooks` in `wit/plugin.wit` documents it.
pub trait Hooks {
    /// Before a request is sent to the adapter.
    fn on_request(session: &Session, request: Request) -> RequestAction {
        let _ = (session, request);
        RequestAction::Unchanged
    }

    /// Before the host reads a response. The request is the one that was sent, as `on_request`
    /// has replaced it.
    fn on_response(session: &Session, request: Request, response: Response) -> ResponseAction {
        let _ = (session, request, response);
        ResponseAction::Unchanged
    }

    /// Before the host handles an event.
    fn on_event(session: &Session, event: Event) -> EventAction {
        let _ = (session, event);
        EventAction::Unchanged
    }
}

/// A request: its command and its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    command: String,
    arguments: Value,
}

impl Request {
    /// A request of the specification.
    pub fn new<R: dap::Request>(arguments: R::Arguments) -> Self {
        Self::custom(R::COMMAND, serde_json::to_value(arguments).unwrap_or_default())
    }

    /// A custom request of the adapter.
    pub fn custom(command: &str, arguments: Value) -> Self {
        let arguments =
            if arguments.is_null() { Value::Object(Default::default()) } else { arguments };
        Self { command: command.into(), arguments }
    }

    /// Is it a request of this type?
    pub fn is<R: dap::Request>(&self) -> bool {
        self.command == R::COMMAND
    }

    /// The arguments, if it is a request of this type, and each member has its type.
    pub fn of<R: dap::Request>(&self) -> Option<R::Arguments> {
        self.is::<R>().then(|| lenient::decode(&self.arguments).ok())?
    }

    /// The command.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The arguments: in `on_request` those of the host, in `on_response` those that were sent.
    pub fn raw(&self) -> &Value {
        &self.arguments
    }
}

impl From<Request> for DapRequest {
    fn from(request: Request) -> Self {
        Self { command: request.command, arguments: request.arguments.to_string() }
    }
}

/// The adapter's response to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    command: String,
    failure: Option<String>,
    body: Value,
}

impl Response {
    /// The body, if it is a successful response to a request of this type,
    /// and each member has its type.
    pub fn of<R: dap::Request>(&self) -> Option<R::Response> {
        let is = self.failure.is_none() && self.command == R::COMMAND;
        is.then(|| lenient::decode(&self.body).ok())?
    }

    /// The adapter's error message, if the request failed.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// The body as received.
    pub fn raw(&self) -> &Value {
        &self.body
    }

    fn read(command: String, response: DapResponse) -> Self {
        let failure = (!response.success).then(|| response.message.unwrap_or_default());
        Self { command, failure, body: value(&response.body) }
    }
}

/// An event of the adapter: a name and a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    name: String,
    body: Value,
}

impl Event {
    /// An event of the specification.
    pub fn new<B: EventBody>(body: B) -> Self {
        Self::custom(B::EVENT, serde_json::to_value(body).unwrap_or_default())
    }

    /// A custom event, or one without a body.
    pub fn custom(name: &str, body: Value) -> Self {
        Self { name: name.into(), body }
    }

    /// The body, if it is an event of this type, and each member has its type.
    pub fn of<B: EventBody>(&self) -> Option<B> {
        (self.name == B::EVENT).then(|| lenient::decode(&self.body).ok())?
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The body as received.
    pub fn raw(&self) -> &Value {
        &self.body
    }
}

impl From<Event> for DapEvent {
    fn from(event: Event) -> Self {
        Self { event: event.name, body: event.body.to_string() }
    }
}

/// The request is sent unchanged.
impl Default for RequestAction {
    fn default() -> Self {
        Self::Unchanged
    }
}

/// The response is read unchanged.
impl Default for ResponseAction {
    fn default() -> Self {
        Self::Unchanged
    }
}

/// The event is handled unchanged.
impl Default for EventAction {
    fn default() -> Self {
        Self::Unchanged
    }
}

impl RequestAction {
    /// Sends these arguments instead.
    pub fn replaced<R: dap::Request>(arguments: R::Arguments) -> Self {
        Self::Replace(DapRequest::from(Request::new::<R>(arguments)).arguments)
    }

    /// Sends these requests instead, in order, without waiting for the responses between them: an
    /// adapter may carry them out in another order. The last response is the response.
    pub fn in_turn(requests: impl IntoIterator<Item = Request>) -> Self {
        Self::Expand(requests.into_iter().map(DapRequest::from).collect())
    }

    /// Sends nothing; this is the response.
    pub fn answered<R: dap::Request>(body: R::Response) -> Self {
        Self::Respond(text::<R>(body))
    }

    /// Sends nothing; the caller receives the error.
    pub fn rejected(error: Error) -> Self {
        Self::Reject(error)
    }
}

impl ResponseAction {
    /// The host reads this body instead.
    pub fn replaced<R: dap::Request>(body: R::Response) -> Self {
        Self::Replace(text::<R>(body))
    }

    /// The host reads that the request failed.
    pub fn failed(error: Error) -> Self {
        Self::Fail(error)
    }
}

impl EventAction {
    /// The host handles these events instead.
    pub fn replaced(events: impl IntoIterator<Item = Event>) -> Self {
        Self::Effect(EventEffect {
            events: events.into_iter().map(DapEvent::from).collect(),
            requests: Vec::new(),
        })
    }

    /// The host ignores the event.
    pub fn swallowed() -> Self {
        Self::replaced([])
    }

    /// The host ignores the event and sends this request; nobody receives its response.
    pub fn requesting(request: Request) -> Self {
        Self::Effect(EventEffect { events: Vec::new(), requests: vec![request.into()] })
    }
}

fn text<R: dap::Request>(body: R::Response) -> Json {
    serde_json::to_value(body).unwrap_or_default().to_string()
}

impl<P: Hooks> wit::Guest for P {
    fn on_request(session: &Session, command: String, arguments: Json) -> RequestAction {
        P::on_request(session, Request { command, arguments: value(&arguments) })
    }

    fn on_response(
        session: &Session,
        command: String,
        arguments: Json,
        response: DapResponse,
    ) -> ResponseAction {
        let request = Request { command: command.clone(), arguments: value(&arguments) };
        P::on_response(session, request, Response::read(command, response))
    }

    fn on_event(session: &Session, event: String, body: Json) -> EventAction {
        P::on_event(session, Event { name: event, body: value(&body) })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn answer(success: bool, message: Option<&str>, body: &Value) -> Response {
        let response =
            DapResponse { success, message: message.map(str::to_owned), body: body.to_string() };
        Response::read("evaluate".into(), response)
    }

    #[test]
    fn bodies_are_typed_by_their_message() {
        let request =
            Request::custom("evaluate", json!({"expression": "a", "frameId": null, "custom": 1}));
        let arguments = request.of::<dap::Evaluate>().unwrap();
        assert_eq!(
            arguments,
            dap::EvaluateArguments { expression: "a".into(), ..Default::default() }
        );
        assert!(request.of::<dap::Scopes>().is_none());
        assert_eq!(request.raw()["custom"], 1);
        let event = Event::custom("stopped", json!({"reason": "step", "threadId": 0}));
        assert_eq!(event.of::<dap::Stopped>().map(|body| body.thread_id), Some(Some(0)));
        assert!(event.of::<dap::Output>().is_none());
        assert!(Event::custom("stopped", json!({"reason": 7})).of::<dap::Stopped>().is_none());
    }

    #[test]
    fn failed_response_has_no_body() {
        let response = answer(true, None, &json!({"result": "7"}));
        assert_eq!(response.of::<dap::Evaluate>().map(|body| body.result).as_deref(), Some("7"));
        assert!(response.of::<dap::SetVariable>().is_none());
        assert_eq!(response.failure(), None);
        let failed = answer(false, Some("no"), &Value::Null);
        assert_eq!((failed.of::<dap::Evaluate>(), failed.failure()), (None, Some("no")));
        assert_eq!(answer(false, None, &Value::Null).failure(), Some(""));
    }

    #[test]
    fn sent_arguments_are_an_object() {
        let sent = DapRequest::from(Request::new::<dap::ConfigurationDone>(dap::NoArguments));
        assert_eq!((sent.command.as_str(), sent.arguments.as_str()), ("configurationDone", "{}"));
        assert!(Request::new::<dap::Threads>(dap::NoArguments).of::<dap::Threads>().is_some());
        match ResponseAction::replaced::<dap::Next>(dap::Ack) {
            ResponseAction::Replace(body) => assert_eq!(body, "{}"),
            other => panic!("{other:?}"),
        }
    }
}
