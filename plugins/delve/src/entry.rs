//! Stops at the program's own `main`. Delve's `stopOnEntry` stops before the runtime has any
//! goroutine, where there is no stack. So a function breakpoint on `main.main` is added to the
//! caller's until the first stop.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state;

const MAIN: &str = "main.main";

/// A key of the session's state: `requested`, then `set` once the breakpoint is set.
const ENTRY: &str = "entry";

/// The initial state of a session that stops on entry.
pub fn requested() -> String {
    state::initial(ENTRY, "requested")
}

/// The session has stopped somewhere: the breakpoint is no longer needed.
pub fn stopped(session: &Session) {
    state::set(session, ENTRY, "");
}

/// Adds the breakpoint to the caller's function breakpoints, or sets it alone before the program
/// runs.
pub fn on_request(session: &Session, request: Request) -> RequestAction {
    let entry = state::get(session, ENTRY);
    let is_unset = entry == "requested";
    if (is_unset || entry == "set")
        && let Some(arguments) = request.of::<dap::SetFunctionBreakpoints>()
    {
        state::set(session, ENTRY, "set");
        return RequestAction::replaced::<dap::SetFunctionBreakpoints>(with_main(arguments));
    }
    if is_unset && request.is::<dap::ConfigurationDone>() {
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
