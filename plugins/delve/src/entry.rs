//! Stops at the program's own `main`. Delve's `stopOnEntry` stops before the runtime has any
//! goroutine, where there is no stack. So a function breakpoint on `main.main` is added to the
//! caller's until the first stop.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state::{Entry, State};

const MAIN: &str = "main.main";

/// The session has stopped somewhere: the breakpoint is no longer needed.
pub fn stopped(session: &Session) {
    set(session, Entry::None);
}

fn set(session: &Session, entry: Entry) {
    let state: State = session.load();
    if state.entry != entry {
        session.store(&State { entry, ..state });
    }
}

/// Adds the breakpoint to the caller's function breakpoints, or sets it alone before the program
/// runs.
pub fn on_request(session: &Session, request: Request) -> RequestAction {
    let State { entry, .. } = session.load();
    if entry != Entry::None
        && let Some(arguments) = request.of::<dap::SetFunctionBreakpoints>()
    {
        set(session, Entry::Set);
        return RequestAction::replaced::<dap::SetFunctionBreakpoints>(with_main(arguments));
    }
    if entry == Entry::Requested && request.is::<dap::ConfigurationDone>() {
        let alone = with_main(dap::SetFunctionBreakpointsArguments::default());
        return RequestAction::in_turn([
            Request::new::<dap::SetFunctionBreakpoints>(alone),
            request,
        ]);
    }
    RequestAction::Unchanged
}

fn with_main(
    mut arguments: dap::SetFunctionBreakpointsArguments,
) -> dap::SetFunctionBreakpointsArguments {
    // Delve refuses two breakpoints with the same name.
    if arguments.breakpoints.iter().all(|breakpoint| breakpoint.name != MAIN) {
        arguments
            .breakpoints
            .push(dap::FunctionBreakpoint { name: MAIN.into(), ..Default::default() });
    }
    arguments
}
