//! Reads stops and errors as gdb, and session.py inside it, tell them. Pure.

use dapdock_plugin::cpp;
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Stop, StopClass, StopView};
use dapdock_plugin::rust;

/// A signal with its address, a core file's, or the end of a record.
pub fn view(stopped: &Stop, core: bool) -> Option<StopView> {
    let body = &stopped.body;
    let stop = |class, title: String| Some(StopView { class, title, detail: None, skip_frames: 0 });
    let (text, more) = (body.text.as_deref(), body.description.as_deref());
    let signal = || {
        let address = more.map(|more| format!(" at {more}")).unwrap_or_default();
        let uncaught =
            || cpp::uncaught(&stopped.top, &stopped.output).map(|what| format!(": {what}"));
        text.map(|name| format!("{name}{}", uncaught().unwrap_or(address)))
    };
    match body.reason.as_str() {
        "signal" => stop(StopClass::Signal, signal().unwrap_or_else(|| "a signal".into())),
        "attach" if core => match signal() {
            Some(told) => stop(StopClass::Signal, format!("core file: {told}")),
            None => stop(StopClass::Other, "core file".into()),
        },
        "stopped" | "no-history" => stop(StopClass::Other, more?.to_owned()),
        _ => None,
    }
}

/// Where a panic stopped: the panic's own words are in the output.
pub fn panic(stop: &Stop) -> Option<StopView> {
    if stop.body.reason != "breakpoint" || !stop.top.first()?.name.contains("rust_panic") {
        return None;
    }
    Some(rust::panic(&stop.top, &stop.output))
}

/// A C++ exception where it is thrown: session/thrown.py has read it.
pub fn thrown(stop: &Stop) -> Option<StopView> {
    let ty = stop
        .body
        .text
        .as_deref()
        .filter(|_| stop.body.reason == "breakpoint" && cpp::throws(&stop.top))?;
    Some(cpp::thrown(ty, stop.body.description.as_deref(), &stop.top))
}

/// What gdb says of a call where it may make none (infcall.c, `call_function_by_hand_dummy`).
const NO_CALLS: &str = "may-call-functions is off";

/// `No symbol "nowhere" in current context.` as a fragment.
pub fn plain_error(message: &str) -> String {
    if message.contains(NO_CALLS) {
        return "it would run code of the program; effects=allow lets it".into();
    }
    message.trim_end_matches('.').to_owned()
}

/// What the system does not permit: gdb has the words of ptrace(2), and begin.py says them of a
/// launch.
pub fn refused(message: &str) -> Option<Error> {
    message.contains("ptrace: ").then(|| Error::not_permitted(plain_error(message)))
}

#[cfg(test)]
mod tests {
    use dapdock_plugin::present::Frame;

    use super::*;

    #[test]
    fn stops_are_named_by_what_session_py_adds() {
        let told = |reason: &str, text: Option<&str>, description: Option<&str>, core| {
            let body = json!({"reason": reason, "text": text, "description": description});
            view(&Stop::new(body, None, Vec::new(), String::new()), core).map(|stop| stop.title)
        };
        let signal = told("signal", Some("SIGSEGV"), Some("address 0x10"), false);
        assert_eq!(signal.as_deref(), Some("SIGSEGV at address 0x10"));
        assert_eq!(told("signal", Some("SIGABRT"), None, false).as_deref(), Some("SIGABRT"));
        assert_eq!(
            told("attach", Some("SIGABRT"), None, true).as_deref(),
            Some("core file: SIGABRT")
        );
        assert_eq!(told("attach", None, None, true).as_deref(), Some("core file"));
        let record = told("stopped", None, Some("end of the recording"), false);
        assert_eq!(record.as_deref(), Some("end of the recording"));
        assert_eq!(told("breakpoint", None, None, false), None);
    }

    #[test]
    fn a_call_that_is_not_made_says_what_allows_it() {
        let refused = "Cannot call functions in the program: may-call-functions is off.";
        assert_eq!(plain_error(refused), "it would run code of the program; effects=allow lets it");
        assert_eq!(
            plain_error("No symbol \"x\" in current context."),
            "No symbol \"x\" in current context"
        );
    }

    #[test]
    fn a_panic_is_named_by_what_the_program_printed() {
        let frame = |name: &str, path: &str| Frame {
            name: name.into(),
            path: Some(path.into()),
            line: 1,
            module: None,
        };
        let top = [frame("__rustc::rust_panic", "/rustc/1/panic.rs"), frame("a::parse", "/w/a.rs")];
        let output = "x\nthread 'main' (1) panicked at src/a.rs:6:18:\nbad order 7\nnote: run with";
        let named = |top: &[Frame]| {
            panic(&Stop::new(
                json!({"reason": "breakpoint"}),
                None,
                top.to_vec(),
                output.to_owned(),
            ))
        };
        let stop = named(&top).map(|stop| (stop.title, stop.detail, stop.skip_frames));
        assert_eq!(
            stop,
            Some(("panicked: bad order 7".into(), Some("at src/a.rs:6:18".into()), 1))
        );
        assert!(named(&top[1..]).is_none());
    }
}
