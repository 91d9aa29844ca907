//! Stops at the program's own `main`. Delve's `stopOnEntry` stops before the runtime
//! has any goroutine, where there is no stack to show; so a breakpoint by name is set
//! beside the caller's until the first stop.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::memory;

const MAIN: &str = "main.main";

/// In the session's memory: `wanted` before it is set, `set` then.
const ENTRY: &str = "entry";

/// The first state of a session that is to stop there.
pub fn wanted() -> String {
    memory::first(ENTRY, "wanted")
}

/// The session has stopped, wherever it did.
pub fn stopped(session: &Session) {
    memory::keep(session, ENTRY, "");
}

/// Adds the breakpoint to those that are set anyway, or sets it alone before the program runs.
pub fn on_request(session: &Session, request: Request) -> RequestAction {
    let word = memory::word(session, ENTRY);
    let unset = word == "wanted";
    if let (true, Some(asked)) =
        (unset || word == "set", request.of::<dap::SetFunctionBreakpoints>())
    {
        memory::keep(session, ENTRY, "set");
        return RequestAction::replaced::<dap::SetFunctionBreakpoints>(with_main(asked));
    }
    if unset && request.is::<dap::ConfigurationDone>() {
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
    // Delve refuses two of one name.
    if arguments.breakpoints.iter().all(|breakpoint| breakpoint.name != MAIN) {
        arguments
            .breakpoints
            .push(dap::FunctionBreakpoint { name: MAIN.into(), ..Default::default() });
    }
    arguments
}
