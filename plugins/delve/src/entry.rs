//! Stops at the program's own first function. Delve's `stopOnEntry` stops before the runtime has
//! any goroutine, where there is no stack. So function breakpoints on `main.main` and on the first
//! `init` of its package are added to the caller's until the program is resumed from a stop at one
//! of them. Breakpoints of the caller may stop before, where variables of packages are initialised.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state::{Entry, EntryBreakpoints, State};

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

/// Stores which numbers Delve gives to the breakpoints. Answers are in the order of the request.
pub fn on_set(
    session: &Session,
    sent: &dap::SetFunctionBreakpointsArguments,
    answer: &dap::Breakpoints,
) {
    let mut state: State = session.load();
    let Entry::Set(set) = &mut state.entry else { return };
    let numbered = sent.breakpoints.iter().zip(&answer.breakpoints);
    let own = numbered.filter(|(breakpoint, _)| set.names.contains(&breakpoint.name));
    set.ids = own.filter_map(|(_, answer)| answer.id).collect();
    session.store(&state);
}

/// The stop as one at the entry, if it is one: then the program has been entered.
pub fn stopped(session: &Session, stopped: &dap::Stopped) -> Option<dap::Stopped> {
    let state: State = session.load();
    let Entry::Set(set) = state.entry else { return None };
    if !stopped.hit_breakpoint_ids.iter().any(|id| set.ids.contains(id)) {
        return None;
    }
    session.store(&State { entry: Entry::Reached(set.callers), ..state });
    Some(dap::Stopped { reason: "entry".into(), ..stopped.clone() })
}

/// Adds the breakpoints to the caller's function breakpoints, or sets them alone before the program
/// runs. The request that resumes the program from one of them removes them: another one would stop
/// it again.
pub fn on_request(session: &Session, request: Request) -> RequestAction {
    let state: State = session.load();
    match (state.entry.clone(), request.of::<dap::SetFunctionBreakpoints>()) {
        (Entry::Requested(names) | Entry::Set(EntryBreakpoints { names, .. }), Some(sent)) => {
            let breakpoints = with_entry(&names, sent.breakpoints.clone());
            let set = EntryBreakpoints { names, callers: sent.breakpoints, ids: Vec::new() };
            session.store(&State { entry: Entry::Set(set), ..state });
            let arguments = dap::SetFunctionBreakpointsArguments { breakpoints };
            RequestAction::replaced::<dap::SetFunctionBreakpoints>(arguments)
        }
        (Entry::Requested(names), None) if request.is::<dap::ConfigurationDone>() => {
            let alone = with_entry(&names, Vec::new());
            let set = EntryBreakpoints { names, ..EntryBreakpoints::default() };
            session.store(&State { entry: Entry::Set(set), ..state });
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
