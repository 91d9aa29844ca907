//! Reads stops and errors as gdb, and session.py inside it, tell them. Pure.

use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, StopClass, StopView};
use dapdock_plugin::rust;

/// A signal with its address, a core file's, or the end of a record.
pub fn view(body: &Value, core: bool) -> Option<StopView> {
    let stop = |class, title: String| Some(StopView { class, title, detail: None, skip_frames: 0 });
    let (text, more) = (body["text"].as_str(), body["description"].as_str());
    let signal = || {
        let address = more.map(|more| format!(" at {more}")).unwrap_or_default();
        text.map(|name| format!("{name}{address}"))
    };
    match body["reason"].as_str()? {
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
pub fn panic(body: &Value, top: &[Frame], output: &str) -> Option<StopView> {
    if body["reason"] != "breakpoint" || !top.first()?.name.contains("rust_panic") {
        return None;
    }
    Some(rust::panic(top, output))
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

/// Why gdb could not attach, with what to do.
pub fn attach_error(message: &str) -> Option<String> {
    let refused = message.contains("Operation not permitted") || message.contains("ptrace");
    refused.then(|| {
        let plain = plain_error(message);
        format!("{plain}; attach as its own user, and where the kernel forbids it: sysctl kernel.yama.ptrace_scope=0")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_are_named_by_what_session_py_adds() {
        let told = |body: Value, core| view(&body, core).map(|stop| stop.title);
        let signal = json!({"reason": "signal", "text": "SIGSEGV", "description": "address 0x10"});
        assert_eq!(told(signal, false).as_deref(), Some("SIGSEGV at address 0x10"));
        assert_eq!(told(json!({"reason": "signal", "text": "SIGABRT"}), false).as_deref(), Some("SIGABRT"));
        let core = json!({"reason": "attach", "text": "SIGABRT"});
        assert_eq!(told(core, true).as_deref(), Some("core file: SIGABRT"));
        assert_eq!(told(json!({"reason": "attach"}), true).as_deref(), Some("core file"));
        let record = json!({"reason": "stopped", "description": "end of the recording"});
        assert_eq!(told(record, false).as_deref(), Some("end of the recording"));
        assert_eq!(told(json!({"reason": "breakpoint"}), false), None);
    }

    #[test]
    fn a_call_that_is_not_made_says_what_allows_it() {
        let refused = "Cannot call functions in the program: may-call-functions is off.";
        assert_eq!(plain_error(refused), "it would run code of the program; effects=allow lets it");
        assert_eq!(plain_error("No symbol \"x\" in current context."), "No symbol \"x\" in current context");
    }

    #[test]
    fn a_panic_is_named_by_what_the_program_printed() {
        let frame =
            |name: &str, path: &str| Frame { name: name.into(), path: Some(path.into()), line: 1, module: None };
        let top = [frame("__rustc::rust_panic", "/rustc/1/panic.rs"), frame("a::parse", "/w/a.rs")];
        let output = "x\nthread 'main' (1) panicked at src/a.rs:6:18:\nbad order 7\nnote: run with";
        let stop = panic(&json!({"reason": "breakpoint"}), &top, output);
        let stop = stop.map(|stop| (stop.title, stop.detail, stop.skip_frames));
        assert_eq!(stop, Some(("panicked: bad order 7".into(), Some("at src/a.rs:6:18".into()), 1)));
        assert!(panic(&json!({"reason": "breakpoint"}), &top[1..], output).is_none());
    }
}
