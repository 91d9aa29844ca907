//! Corrects how a session ends: the exit of a program that a signal ended, and the loss of a debug
//! server, which LLDB reports wrongly or not at all.

use dapdock_plugin::hooks::{Event, EventAction, Request, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::state::State;
use crate::{function_breakpoints, runtime};

/// Notes a lost server: LLDB notices it only when a continue or step is not answered
/// (ProcessGDBRemote::DoResume).
pub fn note_lost_server(session: &Session, message: &str) {
    let mut state: State = session.load();
    let silent = ["Resume timed out", "the async thread is dead"]
        .iter()
        .any(|words| message.contains(words));
    if silent && state.remote {
        state.server_silent = true;
        session.store(&state);
    }
}

/// A program cannot be detached if its server is lost, or while its exit is not yet reported.
pub fn check_disconnect(state: &State, request: &Request) -> ResponseAction {
    let ends = request
        .of::<dap::Disconnect>()
        .is_some_and(|arguments| arguments.terminate_debuggee == Some(true));
    let is_lost = state.lost || state.server_silent || (state.exit_delayed && !ends);
    if state.remote && is_lost {
        let error = Error::invalid_request("the connection to the server is lost");
        return ResponseAction::failed(error);
    }
    ResponseAction::Unchanged
}

/// An exit status that may be a signal is delayed until exit_status.py has reported whether it is
/// one; with output of output.py or log points, any exit, so that it follows these.
pub fn on_event(state: &mut State, event: &Event) -> Option<EventAction> {
    let code = event.raw()["exitCode"].as_i64();
    let is_certain = code.is_none_or(|code| code == 0 || code > 64);
    let is_followed = state.has_output || state.log_points.used;
    let number = code.filter(|_| !is_certain || is_followed);
    let (lost, ended) = (event.raw()["lost"] == true, event.raw().get("ended").is_some());
    match (event.name(), number) {
        // LLDB reports an exit if it loses the server, perhaps before connection.py reports the
        // loss.
        ("exited" | "terminated", _) if state.lost => Some(EventAction::swallowed()),
        ("exited", Some(_)) => {
            state.exit_delayed = true;
            let certain = number.filter(|_| is_certain).map(|code| code.to_string());
            let script = format!(
                "/cmd script import exit_status; exit_status.report({})",
                certain.unwrap_or_default()
            );
            let request = Request::new::<dap::Evaluate>(runtime::evaluate(script, "repl"));
            Some(EventAction::requesting(request))
        }
        ("terminated", _) if state.exit_delayed => Some(EventAction::swallowed()),
        // LLDB also closes the connection on a detach; and the exit after a loss may be LLDB's own.
        (function_breakpoints::PYTHON_MESSAGE, _)
            if (lost && state.disconnected) || (ended && state.lost) =>
        {
            Some(EventAction::swallowed())
        }
        (function_breakpoints::PYTHON_MESSAGE, _) if lost => {
            state.lost = true;
            Some(EventAction::replaced([Event::new(dap::Terminated {
                lost,
                ..Default::default()
            })]))
        }
        (function_breakpoints::PYTHON_MESSAGE, _) => {
            let code = event.raw().get("ended")?.as_i64();
            let end = code.map(|code| Event::custom("exited", json!({"exitCode": code})));
            state.exit_delayed = false;
            let terminated =
                dap::Terminated { lost: end.is_none() && state.remote, ..Default::default() };
            Some(EventAction::replaced(end.into_iter().chain([Event::new(terminated)])))
        }
        _ => None,
    }
}
