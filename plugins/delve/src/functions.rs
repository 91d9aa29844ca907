//! Function breakpoints: the caller's, and those that the plugin adds for the entry and for panics.
//! DAP sets all of them with one request.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state::{Entry, EntryBreakpoints, State};

/// The caller's request with the breakpoints of the plugin. The caller's come first: the host reads
/// the answers by position.
pub fn on_request(session: &Session, sent: dap::SetFunctionBreakpointsArguments) -> RequestAction {
    let mut state: State = session.load();
    state.functions = sent.breakpoints;
    state.entry = match state.entry {
        Entry::Requested(names) => Entry::Set(EntryBreakpoints { names, ids: Vec::new() }),
        // The caller's request has removed them.
        Entry::Reached => Entry::None,
        entry => entry,
    };
    RequestAction::replaced::<dap::SetFunctionBreakpoints>(all(session, state))
}

/// Sets all breakpoints before the request is sent.
pub fn before(session: &Session, request: Request, state: State) -> RequestAction {
    let all = Request::new::<dap::SetFunctionBreakpoints>(all(session, state));
    RequestAction::in_turn([all, request])
}

/// The breakpoints of this state, which is stored.
fn all(session: &Session, mut state: State) -> dap::SetFunctionBreakpointsArguments {
    state.raised.sent = state.raised.wanted;
    session.store(&state);
    let mut breakpoints = state.functions.clone();
    let entry: &[String] = match &state.entry {
        Entry::Set(set) => &set.names,
        _ => &[],
    };
    let mut own = state.raised.wanted.breakpoints();
    for name in entry {
        own.push(dap::FunctionBreakpoint { name: name.clone(), ..Default::default() });
    }
    for breakpoint in own {
        // Delve refuses two breakpoints with the same name.
        if breakpoints.iter().all(|other| other.name != breakpoint.name) {
            breakpoints.push(breakpoint);
        }
    }
    dap::SetFunctionBreakpointsArguments { breakpoints }
}

/// Stores which numbers Delve gives to the breakpoints of the plugin.
pub fn on_set(
    session: &Session,
    sent: &dap::SetFunctionBreakpointsArguments,
    answer: &dap::Breakpoints,
) {
    let mut state: State = session.load();
    let mut numbers = Vec::new();
    for (breakpoint, answer) in sent.breakpoints.iter().zip(&answer.breakpoints) {
        numbers.extend(answer.id.map(|id| (breakpoint.name.as_str(), id)));
    }
    if let Entry::Set(set) = &mut state.entry {
        let own = numbers.iter().filter(|(name, _)| set.names.iter().any(|own| own == name));
        set.ids = own.map(|(_, id)| *id).collect();
    }
    state.raised.set(&numbers);
    session.store(&state);
}
