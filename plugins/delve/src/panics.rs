//! The stop where a panic is raised, recovered or not, for `exceptions=["all"]`. Delve's filters
//! stop only for what ends the program, so the plugin adds a function breakpoint.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::BreakOn;

use crate::state::State;
use crate::{functions, stops};

/// The first statement of the function that raises all panics, those of the runtime too
/// (runtime/panic.go).
pub const RAISE: &str = "runtime.gopanic:1";
/// The value of the panic there, without its interface.
const VALUE: &str = "e.(data)";
/// An interface in memory. The value of the panic is in registers: Delve reads no interface there
/// before another one has made it read the program's types (pkg/proc/bininfo.go, `getModuleData`).
const IN_MEMORY: &str = "runtime.memoryError";
/// The context of its evaluation in place of `exceptionInfo`. Delve ignores unknown contexts.
const CONTEXT: &str = "panic";

/// The breakpoint on [`RAISE`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(crate = "dapdock_plugin::serde", default)]
pub struct Raised {
    pub wanted: bool,
    /// The last request for function breakpoints had it.
    pub sent: bool,
    /// Delve's number of it.
    id: Option<i64>,
    /// The program has stopped at it.
    here: bool,
}

impl Raised {
    /// Reads its number among those of all function breakpoints.
    pub fn set(&mut self, numbers: &[(&str, i64)]) {
        let own = numbers.iter().find(|(name, _)| *name == RAISE);
        self.id = own.map(|(_, id)| *id).filter(|_| self.wanted);
    }
}

/// Stores whether the caller wants all panics; which filters the request has is the host's.
pub fn want(session: &Session, want: &[BreakOn]) {
    let mut state: State = session.load();
    state.raised.wanted = want.contains(&BreakOn::All);
    session.store(&state);
}

/// Sets or removes the breakpoint if it is not as the caller wants: with the caller's filters, or,
/// with a Delve that has no filters, before the program runs.
pub fn on_request(session: &Session, request: Request) -> RequestAction {
    let state: State = session.load();
    if state.raised.wanted == state.raised.sent {
        return RequestAction::Unchanged;
    }
    functions::before(session, request, state)
}

/// The stop as one for an exception, if a panic is raised there.
pub fn stopped(session: &Session, stopped: &dap::Stopped) -> Option<dap::Stopped> {
    let state: State = session.load();
    let id = state.raised.id?;
    let here = stopped.hit_breakpoint_ids.contains(&id);
    if here != state.raised.here {
        let raised = Raised { here, ..state.raised.clone() };
        session.store(&State { raised, ..state });
    }
    here.then(|| dap::Stopped {
        reason: "exception".into(),
        description: Some("panic".into()),
        hit_breakpoint_ids: Vec::new(),
        ..stopped.clone()
    })
}

/// The value of the panic in place of `exceptionInfo`, which Delve has only for what ends the
/// program.
pub fn on_info(session: &Session) -> RequestAction {
    let state: State = session.load();
    if !state.raised.here {
        return RequestAction::Unchanged;
    }
    RequestAction::in_turn([IN_MEMORY, VALUE].map(|expression| {
        Request::new::<dap::Evaluate>(dap::EvaluateArguments {
            expression: expression.into(),
            context: Some(CONTEXT.into()),
            ..Default::default()
        })
    }))
}

/// The answer to [`on_info`], if it is one.
pub fn info(
    sent: &dap::EvaluateArguments,
    value: &dap::EvaluateResponse,
) -> Option<dap::ExceptionInfoResponse> {
    (sent.context.as_deref() == Some(CONTEXT)).then(|| dap::ExceptionInfoResponse {
        exception_id: "panic".into(),
        description: Some(stops::reason(&value.result)),
        break_mode: Some("always".into()),
        details: None,
    })
}
