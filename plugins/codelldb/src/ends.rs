//! How a program ends, and that the server it is behind has gone: what LLDB does not tell, or not
//! truly.

use dapdock_plugin::hooks::{Event, EventAction, Request, ResponseAction};
use dapdock_plugin::prelude::*;

use crate::{functions, scripts};

/// LLDB learns by a move that nobody answers that a server has gone (ProcessGDBRemote::DoResume).
pub fn note_unheard(session: &Session, message: &str) {
    let mut state = crate::state(session);
    let unheard = ["Resume timed out", "the async thread is dead"]
        .iter()
        .any(|words| message.contains(words));
    if unheard && state["joined"] == true {
        state["unheard"] = true.into();
        session.set_state(&state.to_string());
    }
}

/// What has lost its server, or ends by itself in a way that is not told yet, is not left.
pub fn parted(state: &Value, request: &Request) -> ResponseAction {
    let ends =
        request.of::<dap::Disconnect>().is_some_and(|asked| asked.terminate_debuggee == Some(true));
    let signs: &[&str] = if ends { &["lost", "unheard"] } else { &["lost", "unheard", "ending"] };
    match state["joined"] == true && signs.iter().any(|sign| state[sign] == true) {
        true => {
            ResponseAction::failed(Error::invalid_request("the connection to the server is lost"))
        }
        false => ResponseAction::Unchanged,
    }
}

/// An end by what may be a signal is held back until ends.py has told whether it was one.
pub fn on_event(state: &mut Value, event: &Event) -> Option<EventAction> {
    let number =
        event.raw()["exitCode"].as_i64().filter(|number| *number < 0 || (1..=64).contains(number));
    let (lost, told) = (event.raw()["lost"] == true, event.raw().get("ended").is_some());
    match (event.name(), number) {
        // What LLDB makes of an end without its server; it may say so before link.py is heard.
        ("exited" | "terminated", _) if state["lost"] == true => Some(EventAction::swallowed()),
        ("exited", Some(_)) => {
            state["ending"] = true.into();
            let ask = Request::new::<dap::Evaluate>(scripts::ask(
                "/cmd script import ends; ends.tell()",
                "repl",
            ));
            Some(EventAction::asking(ask))
        }
        ("terminated", _) if state["ending"] == true => Some(EventAction::swallowed()),
        // It closes the connection, too, to what leaves it; and the end it tells may be LLDB's own
        // making.
        (functions::HITS, _)
            if (lost && state["left"] == true) || (told && state["lost"] == true) =>
        {
            Some(EventAction::swallowed())
        }
        (functions::HITS, _) if lost => {
            state["lost"] = true.into();
            Some(EventAction::replaced([Event::new(dap::Terminated {
                lost,
                ..Default::default()
            })]))
        }
        (functions::HITS, _) => {
            let code = event.raw().get("ended")?.as_i64();
            let end = code.map(|code| Event::custom("exited", json!({"exitCode": code})));
            state["ending"] = false.into();
            let over = dap::Terminated {
                lost: end.is_none() && state["joined"] == true,
                ..Default::default()
            };
            Some(EventAction::replaced(end.into_iter().chain([Event::new(over)])))
        }
        _ => None,
    }
}
