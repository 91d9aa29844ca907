//! Stops at the program's own first function. Delve's `stopOnEntry` stops before the runtime has
//! any goroutine, where there is no stack. So function breakpoints on `main.main` and on the first
//! `init` of its package are added to the caller's until the program is resumed from a stop.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state::{Entry, State};

pub const MAIN: &str = "main.main";
/// `init` may be declared several times, and its functions are numbered.
pub const INIT: &str = "main.init.0";

/// The stop on entry of a launch. `go test` writes the package `main` of a test binary, with an
/// `init` of its own: there is nothing of the caller's in it.
pub fn requested(request: &DebugRequest, is_test: bool) -> Entry {
    let names: &[&str] = match (request.stop_on_entry, is_test) {
        (false, _) => return Entry::None,
        (true, true) => &[MAIN],
        (true, false) => &[MAIN, INIT],
    };
    Entry::Requested(names.iter().map(|name| (*name).to_owned()).collect())
}

/// A stop at a function breakpoint: the program has been entered.
pub fn stopped(session: &Session, stopped: &dap::Stopped) {
    let state: State = session.load();
    if stopped.reason == "function breakpoint"
        && let Entry::Set { callers, .. } = state.entry
    {
        session.store(&State { entry: Entry::Reached(callers), ..state });
    }
}

/// Adds the breakpoints to the caller's function breakpoints, or sets them alone before the program
/// runs. The request that resumes the program from one of them removes them: another one would stop
/// it again.
pub fn on_request(session: &Session, request: Request) -> RequestAction {
    let state: State = session.load();
    match (state.entry.clone(), request.of::<dap::SetFunctionBreakpoints>()) {
        (Entry::Requested(names) | Entry::Set { names, .. }, Some(sent)) => {
            let breakpoints = with_entry(&names, sent.breakpoints.clone());
            let entry = Entry::Set { names, callers: sent.breakpoints };
            session.store(&State { entry, ..state });
            let arguments = dap::SetFunctionBreakpointsArguments { breakpoints };
            RequestAction::replaced::<dap::SetFunctionBreakpoints>(arguments)
        }
        (Entry::Requested(names), None) if request.is::<dap::ConfigurationDone>() => {
            let alone = with_entry(&names, Vec::new());
            let entry = Entry::Set { names, callers: Vec::new() };
            session.store(&State { entry, ..state });
            before(request, alone)
        }
        (Entry::Reached(_), Some(_)) => {
            session.store(&State { entry: Entry::None, ..state });
            RequestAction::Unchanged
        }
        (Entry::Reached(callers), None) if resumes(&request) => {
            session.store(&State { entry: Entry::None, ..state });
            before(request, callers)
        }
        _ => RequestAction::Unchanged,
    }
}

fn resumes(request: &Request) -> bool {
    request.is::<dap::Continue>()
        || request.is::<dap::Next>()
        || request.is::<dap::StepIn>()
        || request.is::<dap::StepOut>()
}

/// Sets these function breakpoints before the request is sent.
fn before(request: Request, breakpoints: Vec<dap::FunctionBreakpoint>) -> RequestAction {
    let arguments = dap::SetFunctionBreakpointsArguments { breakpoints };
    RequestAction::in_turn([Request::new::<dap::SetFunctionBreakpoints>(arguments), request])
}

/// Delve refuses two breakpoints with the same name.
fn with_entry(
    names: &[String],
    mut breakpoints: Vec<dap::FunctionBreakpoint>,
) -> Vec<dap::FunctionBreakpoint> {
    for name in names {
        if breakpoints.iter().all(|breakpoint| breakpoint.name != *name) {
            breakpoints.push(dap::FunctionBreakpoint { name: name.clone(), ..Default::default() });
        }
    }
    breakpoints
}
