//! Stops at the program's own `main`. Delve's `stopOnEntry` stops before the runtime
//! has any goroutine, where there is no stack to show; so a breakpoint by name is set
//! beside the caller's until the first stop.

use dapdock_plugin::hooks::RequestAction;
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
pub fn on_request(session: &Session, command: &str, arguments: Value) -> RequestAction {
    match (memory::word(session, ENTRY).as_str(), command) {
        ("wanted" | "set", "setFunctionBreakpoints") => {
            memory::keep(session, ENTRY, "set");
            RequestAction::replaced(&with_main(arguments))
        }
        ("wanted", "configurationDone") => {
            RequestAction::in_turn([("setFunctionBreakpoints", with_main(json!({}))), (command, arguments)])
        }
        _ => RequestAction::Unchanged,
    }
}

fn with_main(mut arguments: Value) -> Value {
    let mut breakpoints = arguments["breakpoints"].as_array().cloned().unwrap_or_default();
    // Delve refuses two of one name.
    if breakpoints.iter().all(|breakpoint| breakpoint["name"] != MAIN) {
        breakpoints.push(json!({"name": MAIN}));
    }
    arguments["breakpoints"] = breakpoints.into();
    arguments
}
