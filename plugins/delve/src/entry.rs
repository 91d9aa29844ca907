//! Stops at the program's own first function. Delve's `stopOnEntry` stops before the runtime has
//! any goroutine, where there is no stack. So function breakpoints on `main.main` and on the first
//! `init` of its package are added to the caller's until the program is resumed from a stop at one
//! of them. Breakpoints of the caller may stop before, where variables of packages are initialised.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state::{Entry, EntryBreakpoints, State};
use crate::{functions, panics};

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

/// The stop as one at the entry, if it is one: then the program has been entered.
pub fn stopped(session: &Session, stopped: &dap::Stopped) -> Option<dap::Stopped> {
    let state: State = session.load();
    let Entry::Set(set) = &state.entry else { return None };
    if !stopped.hit_breakpoint_ids.iter().any(|id| set.ids.contains(id)) {
        return None;
    }
    session.store(&State { entry: Entry::Reached, ..state });
    Some(dap::Stopped { reason: "entry".into(), ..stopped.clone() })
}

/// Sets the breakpoints before the program runs, and that on panics. The request that resumes the
/// program from one of them removes them: another one would stop it again.
pub fn on_request(session: &Session, request: Request) -> RequestAction {
    let mut state: State = session.load();
    state.entry = match state.entry {
        Entry::Requested(names) if request.is::<dap::ConfigurationDone>() => {
            Entry::Set(EntryBreakpoints { names, ids: Vec::new() })
        }
        Entry::Reached if resumes(&request) => Entry::None,
        _ => return panics::on_request(session, request),
    };
    functions::before(session, request, state)
}

fn resumes(request: &Request) -> bool {
    request.is::<dap::Continue>()
        || request.is::<dap::Next>()
        || request.is::<dap::StepIn>()
        || request.is::<dap::StepOut>()
}
