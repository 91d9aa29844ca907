//! Optional: how stops, frames and values are displayed. Pure; the host calls only the functions
//! named in the manifest's `interests`.

use crate::adapter::{Json, Session};
use crate::answers::value;
use crate::bindings::present::exports::dapdock::plugin::present as wit;
use crate::dap::{self, lenient};

pub use serde_json::Value;
pub use wit::{
    Frame, FrameKind, FrameView, Reaction, StopClass, StopView, Thread, ThreadView, Variable,
    VariableView,
};

/// `interface present` in `wit/plugin.wit` documents it.
pub trait Present {
    /// Order, summaries and visibility of a list of variables; `None` leaves it to the host, an
    /// empty list hides all.
    fn variables(
        session: &Session,
        scope: &str,
        variables: &[Variable],
    ) -> Option<Vec<VariableView>> {
        let _ = (session, scope, variables);
        None
    }

    /// The kind of each frame, by position; a shorter list leaves the rest to the host.
    fn frames(session: &Session, frames: &[Frame]) -> Vec<FrameView> {
        let _ = (session, frames);
        Vec::new()
    }

    /// The class and title of a stop.
    fn stop(session: &Session, stop: &Stop) -> Option<StopView> {
        let _ = (session, stop);
        None
    }

    /// Labels and order of threads, and which are hidden, by position. To remove ended threads, use
    /// [`Hooks::on_response`](crate::hooks::Hooks::on_response).
    fn threads(session: &Session, threads: &[Thread]) -> Vec<ThreadView> {
        let _ = (session, threads);
        Vec::new()
    }
}

/// A stop as the adapter reported it.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Body of the `stopped` event.
    pub body: dap::Stopped,
    /// The first frames.
    pub top: Vec<Frame>,
    /// The tail of the debuggee's output.
    pub output: String,
    raw: Value,
    raw_info: Option<Value>,
}

impl Stop {
    /// From the bodies of the `stopped` event and of the `exceptionInfo` response.
    pub fn new(raw: Value, raw_info: Option<Value>, top: Vec<Frame>, output: String) -> Self {
        Self { body: lenient::decode(&raw).unwrap_or_default(), top, output, raw, raw_info }
    }

    /// The `exceptionInfo` response, if there is one.
    pub fn info(&self) -> Option<dap::ExceptionInfoResponse> {
        lenient::decode(self.raw_info.as_ref()?).ok()
    }

    /// The body of the `stopped` event as received.
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// The `exceptionInfo` response as received.
    pub fn raw_info(&self) -> Option<&Value> {
        self.raw_info.as_ref()
    }
}

impl<P: Present> wit::Guest for P {
    fn variables(
        session: &Session,
        scope: String,
        variables: Vec<Variable>,
    ) -> Option<Vec<VariableView>> {
        P::variables(session, &scope, &variables)
    }

    fn frames(session: &Session, frames: Vec<Frame>) -> Vec<FrameView> {
        P::frames(session, &frames)
    }

    fn stop(
        session: &Session,
        body: Json,
        info: Option<Json>,
        top: Vec<Frame>,
        output: String,
    ) -> Option<StopView> {
        P::stop(session, &Stop::new(value(&body), info.as_deref().map(value), top, output))
    }

    fn threads(session: &Session, threads: Vec<Thread>) -> Vec<ThreadView> {
        P::threads(session, &threads)
    }
}
