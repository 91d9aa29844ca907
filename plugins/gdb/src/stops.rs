//! Describes stops and errors as gdb, with its script, reports them. Pure.

use dapdock_native::{cpp, gtest_failures, rust};
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Reaction, Stop, StopClass, StopView};

/// A signal with its address, a core file, or the end of a recording.
pub fn view(stopped: &Stop, core: bool) -> Option<StopView> {
    if matches!(stopped.body.reason.as_str(), "signal" | "stopped")
        && let Some(assertion) = gtest_failures::assertion(&stopped.top, &stopped.output)
    {
        return Some(assertion);
    }
    let (class, title) = match stopped.body.reason.as_str() {
        "signal" => (StopClass::Signal, signal(stopped).unwrap_or_else(|| "a signal".into())),
        "attach" if core => match signal(stopped) {
            Some(title) => (StopClass::Signal, format!("core file: {title}")),
            None => (StopClass::Other, "core file".into()),
        },
        // A trap of the program's own is no signal to gdb.
        "stopped" if stopped.body.description.is_none() => (StopClass::Signal, signal(stopped)?),
        "stopped" | "no-history" => (StopClass::Other, stopped.body.description.clone()?),
        _ => return None,
    };
    Some(StopView { class, title, detail: None, skip_frames: 0, reaction: Reaction::Report })
}

/// The signal with its address, or with the uncaught exception that raised it.
fn signal(stopped: &Stop) -> Option<String> {
    let name = stopped.body.text.as_deref()?;
    if let Some(exception) = cpp::uncaught_exception(&stopped.top, &stopped.output) {
        return Some(format!("{name}: {exception}"));
    }
    match &stopped.body.description {
        Some(address) if address.starts_with("address ") => Some(format!("{name} at {address}")),
        Some(why) => Some(format!("{name}: {why}")),
        None => Some(name.to_owned()),
    }
}

/// A panic; its message is in the output, or the script has read it.
pub fn panic(stop: &Stop) -> Option<StopView> {
    if stop.body.reason != "breakpoint" || !stop.top.first()?.name.contains("rust_panic") {
        return None;
    }
    Some(rust::panic(&stop.top, &stop.output, stop.body.description.as_deref()))
}

/// A C++ exception at its throw, as runtime/cpp_exceptions.py has read it.
pub fn exception(stop: &Stop) -> Option<StopView> {
    let ty = stop
        .body
        .text
        .as_deref()
        .filter(|_| stop.body.reason == "breakpoint" && cpp::is_throw(&stop.top))?;
    Some(cpp::exception_stop(ty, stop.body.description.as_deref(), &stop.top))
}

/// gdb's error if it may not call functions (infcall.c, `call_function_by_hand_dummy`).
const NO_CALLS: &str = "may-call-functions is off";

/// How gdb's errors begin where it may not write (target.c).
const NO_WRITES: [&str; 2] =
    ["Writing to memory is not allowed", "Writing to registers is not allowed"];

/// `No symbol "nowhere" in current context.` as a fragment.
pub fn plain_error(message: &str) -> String {
    if NO_WRITES.iter().any(|start| message.starts_with(start)) {
        return "this changes the program; repeat with effects=allow".into();
    }
    if message.contains(NO_CALLS) {
        return "this calls code of the program; repeat with effects=allow".into();
    }
    message.trim_end_matches('.').to_owned()
}

/// A step out of the frame that no other has called.
pub fn outermost(message: &str) -> Option<Error> {
    let is_outermost = message.contains("not meaningful in the outermost frame");
    is_outermost.then(|| Error::invalid_request("this is the outermost frame"))
}

/// A denied permission: gdb prints the error of ptrace(2), and setup.py does so for a launch.
pub fn start_error(message: &str) -> Option<Error> {
    message.contains("ptrace: ").then(|| Error::not_permitted(plain_error(message)))
}

#[cfg(test)]
mod tests {
    use dapdock_plugin::present::Frame;

    use super::*;

    #[test]
    fn stops_are_described_by_what_the_script_adds() {
        let title = |reason: &str, text: Option<&str>, description: Option<&str>, core| {
            let body = json!({"reason": reason, "text": text, "description": description});
            view(&Stop::new(body, None, Vec::new(), String::new()), core).map(|stop| stop.title)
        };
        let signal = title("signal", Some("SIGSEGV"), Some("address 0x10"), false);
        assert_eq!(signal.as_deref(), Some("SIGSEGV at address 0x10"));
        assert_eq!(title("signal", Some("SIGABRT"), None, false).as_deref(), Some("SIGABRT"));
        assert_eq!(
            title("attach", Some("SIGABRT"), None, true).as_deref(),
            Some("core file: SIGABRT")
        );
        assert_eq!(title("attach", None, None, true).as_deref(), Some("core file"));
        let record = title("stopped", None, Some("end of the recording"), false);
        assert_eq!(record.as_deref(), Some("end of the recording"));
        let trap = title("stopped", Some("SIGTRAP"), None, false);
        assert_eq!(trap.as_deref(), Some("SIGTRAP"));
        assert_eq!(title("breakpoint", None, None, false), None);
        assert_eq!(title("pause", None, None, false), None);
    }

    #[test]
    fn denied_call_says_how_to_allow_it() {
        let message = "Cannot call functions in the program: may-call-functions is off.";
        assert_eq!(
            plain_error(message),
            "this calls code of the program; repeat with effects=allow"
        );
        assert_eq!(
            plain_error("Writing to memory is not allowed (addr 0x7fffffffe3dc, len 4)"),
            "this changes the program; repeat with effects=allow"
        );
        assert_eq!(
            plain_error("No symbol \"x\" in current context."),
            "No symbol \"x\" in current context"
        );
    }

    #[test]
    fn step_out_of_the_outermost_frame_says_so() {
        let words = |message| outermost(message).map(|error| error.message);
        assert_eq!(
            words("\"finish\" not meaningful in the outermost frame.").as_deref(),
            Some("this is the outermost frame")
        );
        assert_eq!(words("Cannot find bounds of current function"), None);
    }

    #[test]
    fn panic_is_described_by_the_output() {
        let frame = |name: &str, path: &str| Frame {
            name: name.into(),
            path: Some(path.into()),
            line: 1,
            module: None,
        };
        let top = [frame("__rustc::rust_panic", "/rustc/1/panic.rs"), frame("a::parse", "/w/a.rs")];
        let output = "x\nthread 'main' (1) panicked at src/a.rs:6:18:\nbad order 7\nnote: run with";
        let panic_at = |top: &[Frame]| {
            panic(&Stop::new(
                json!({"reason": "breakpoint"}),
                None,
                top.to_vec(),
                output.to_owned(),
            ))
        };
        let stop = panic_at(&top).map(|stop| (stop.title, stop.detail, stop.skip_frames));
        assert_eq!(
            stop,
            Some(("panicked: bad order 7".into(), Some("at src/a.rs:6:18".into()), 1))
        );
        assert!(panic_at(&top[1..]).is_none());
    }
}
