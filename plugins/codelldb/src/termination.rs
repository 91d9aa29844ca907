//! Corrects how a session ends: the exit of a program that a signal ended, and the loss of a debug
//! server, which LLDB reports wrongly or not at all.

use dapdock_plugin::hooks::{Event, EventAction, Request, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::{function_breakpoints, runtime};

/// Notes a lost server: LLDB notices it only when a continue or step is not answered
/// (ProcessGDBRemote::DoResume).
pub fn note_lost_server(session: &Session, message: &str) {
    let mut state = crate::state(session);
    let silent = ["Resume timed out", "the async thread is dead"]
        .iter()
        .any(|words| message.contains(words));
    if silent && state["remote"] == true {
        state["server_silent"] = true.into();
        session.set_state(&state.to_string());
    }
}

/// A program cannot be detached if its server is lost, or while its exit is not yet reported.
pub fn check_disconnect(state: &Value, request: &Request) -> ResponseAction {
    let ends = request
        .of::<dap::Disconnect>()
        .is_some_and(|arguments| arguments.terminate_debuggee == Some(true));
    let signs: &[&str] =
        if ends { &["lost", "server_silent"] } else { &["lost", "server_silent", "exit_delayed"] };
    if state["remote"] == true && signs.iter().any(|sign| state[sign] == true) {
        let error = Error::invalid_request("the connection to the server is lost");
        return ResponseAction::failed(error);
    }
    ResponseAction::Unchanged
}

/// An exit status that may be a signal is delayed until exit_status.py has reported whether it is
/// one.
pub fn on_event(state: &mut Value, event: &Event) -> Option<EventAction> {
    let number =
        event.raw()["exitCode"].as_i64().filter(|number| *number < 0 || (1..=64).contains(number));
    let (lost, ended) = (event.raw()["lost"] == true, event.raw().get("ended").is_some());
    match (event.name(), number) {
        // LLDB reports an exit if it loses the server, perhaps before connection.py reports the
        // loss.
        ("exited" | "terminated", _) if state["lost"] == true => Some(EventAction::swallowed()),
        ("exited", Some(_)) => {
            state["exit_delayed"] = true.into();
            let request = Request::new::<dap::Evaluate>(runtime::evaluate(
                "/cmd script import exit_status; exit_status.report()",
                "repl",
            ));
            Some(EventAction::requesting(request))
        }
        ("terminated", _) if state["exit_delayed"] == true => Some(EventAction::swallowed()),
        // LLDB also closes the connection on a detach; and the exit after a loss may be LLDB's own.
        (function_breakpoints::PYTHON_MESSAGE, _)
            if (lost && state["disconnected"] == true) || (ended && state["lost"] == true) =>
        {
            Some(EventAction::swallowed())
        }
        (function_breakpoints::PYTHON_MESSAGE, _) if lost => {
            state["lost"] = true.into();
            Some(EventAction::replaced([Event::new(dap::Terminated {
                lost,
                ..Default::default()
            })]))
        }
        (function_breakpoints::PYTHON_MESSAGE, _) => {
            let code = event.raw().get("ended")?.as_i64();
            let end = code.map(|code| Event::custom("exited", json!({"exitCode": code})));
            state["exit_delayed"] = false.into();
            let terminated = dap::Terminated {
                lost: end.is_none() && state["remote"] == true,
                ..Default::default()
            };
            Some(EventAction::replaced(end.into_iter().chain([Event::new(terminated)])))
        }
        _ => None,
    }
}
