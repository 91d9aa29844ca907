//! Reads Delve's stops, goroutines and errors. Pure.

use dapdock_golang::panics;
use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, Reaction, StopClass, StopView, ThreadView};

use crate::values;

/// `{"reason": "exception", "description": "panic" | "fatal error" | "runtime error", "text": …}`
/// (server.go, `runUntilStopAndNotify`).
///
/// `raised`: the value of a panic that may be recovered, which has no text.
pub fn view(body: &dap::Stopped, raised: Option<&str>, top: &[Frame]) -> Option<StopView> {
    if body.reason != "exception" {
        return None;
    }
    let text = body.text.as_deref().map(reason).or_else(|| raised.map(str::to_owned));
    let text = text.unwrap_or_default();
    let skip_frames = runtime_frames(top);
    // A fatal error of the runtime itself has a text. The signal may arrive on a thread other than
    // the reported one.
    let by_signal =
        text.is_empty() || top.first().is_some_and(|frame| frame.name == "runtime.fatalsignal");
    let (class, title) = match body.description.as_deref()? {
        "panic" => (StopClass::Panic, text),
        // The runtime prints which signal it was only after the stop.
        "fatal error" if by_signal => {
            (StopClass::Signal, "a signal that ends the program".to_owned())
        }
        "fatal error" if text.contains("deadlock") => {
            (StopClass::Deadlock, format!("fatal error: {text}"))
        }
        "fatal error" => (StopClass::Panic, format!("fatal error: {text}")),
        // A breakpoint of another goroutine interrupted the last step (server.go,
        // `betterNextWhileNextingError`).
        "invalid command" => return Some(no_step(skip_frames)),
        _ if text.contains("execution of core process") => (StopClass::Other, "core file".into()),
        what => (StopClass::Signal, format!("{what}: {text}")),
    };
    Some(StopView { class, title, detail: None, skip_frames, reaction: Reaction::Report })
}

/// Delve leaves the break mode empty; it stops only for panics and errors that end the program. The
/// description is in quotes, or the fields of an error.
pub fn exception(mut body: dap::ExceptionInfoResponse) -> dap::ExceptionInfoResponse {
    body.description = body.description.as_deref().map(reason);
    if matches!(body.exception_id.as_str(), "panic" | "fatal error") {
        body.break_mode = Some("unhandled".into());
    }
    body
}

/// The number of frames in front of the code that panics: those of the runtime, and of a deferred
/// function on top of them.
fn runtime_frames(top: &[Frame]) -> u32 {
    let panics = top.iter().position(|frame| frame.name == "runtime.gopanic").unwrap_or(0);
    let raises = top[panics..].iter().position(|frame| !frame.name.starts_with("runtime."));
    raises.map_or(0, |raises| (panics + raises) as u32)
}

fn no_step(skip_frames: u32) -> StopView {
    let why = "a breakpoint of another goroutine interrupted the previous step: \
               debug_continue ends that step first";
    StopView {
        class: StopClass::Other,
        title: "no step was made".into(),
        detail: Some(why.into()),
        skip_frames,
        reaction: Reaction::Report,
    }
}

/// The errors of a condition (pkg/proc/breakpoints.go, `evalBreakpointCondition`): its evaluation
/// failed, or its value is not a boolean.
const EVALUATION_FAILED: &str = "error evaluating expression: ";
const NOT_BOOLEAN: &str = "condition expression ";

/// The error for several goroutines that stopped together (target_exec.go, `conditionErrors`).
const SEVERAL_ERRORS: &str = "multiple errors evaluating conditions";

/// The error of a condition, if Delve stopped for that; Delve calls it a runtime error.
pub fn condition_error(body: &dap::Stopped) -> Option<String> {
    if body.description.as_deref() != Some("runtime error") {
        return None;
    }
    let text = body.text.as_deref()?;
    if text == SEVERAL_ERRORS {
        return Some("in several goroutines, or of several breakpoints".to_owned());
    }
    if let Some(error) = text.strip_prefix(EVALUATION_FAILED) {
        return Some(plain_error(error));
    }
    text.starts_with(NOT_BOOLEAN).then(|| text.to_owned())
}

/// Whether the stop is the failed step of a process that no longer exists: Delve reports the
/// kernel's ESRCH as a stop (proc/native, `ptrace`).
pub fn is_process_gone(body: &dap::Stopped) -> bool {
    let text = body.text.as_deref().unwrap_or_default();
    body.description.as_deref() == Some("runtime error") && text.ends_with("no such process")
}

/// A panic's value: a quoted string, or `error(*fmt.wrapError) *{msg: "bad order", err: …}`.
pub fn reason(text: &str) -> String {
    if let Some(quoted) = text.strip_prefix('"') {
        // Delve cuts a long text, and then no quote ends it.
        let cut =
            || quoted.strip_suffix("...").map(|text| text.trim_end_matches('\\').to_owned() + "…");
        let cut = || cut().unwrap_or_else(|| quoted.to_owned()).replace("\\\"", "\"");
        return panics::unquoted(text).unwrap_or_else(cut);
    }
    panics::message(text).unwrap_or_else(|| values::plain(text, None))
}

/// The function and the labels in `* [Go 18 name:worker-1] main.work (Thread 4711)`. The number of
/// the thread differs from run to run; that of the goroutine is the DAP thread id.
pub fn thread(name: &str) -> ThreadView {
    let name = name.trim_start_matches("* ").split(" (Thread ").next().unwrap_or(name).trim();
    let label = match name.strip_prefix("[Go ").and_then(|rest| rest.split_once("] ")) {
        None => name.to_owned(),
        Some((goroutine, function)) => match goroutine.split_once(' ') {
            None => function.to_owned(),
            Some((_, labels)) => format!("{function} {labels}"),
        },
    };
    ThreadView { label, hidden: false, rank: 0 }
}

/// The essential part of an error such as `Unable to evaluate expression: could not find symbol
/// value for nope`.
pub fn plain_error(message: &str) -> String {
    let mut message = message.trim_start_matches("Unable to evaluate expression: ");
    // The column counts in the text that the plugin sent, not in the caller's.
    if let Some((position, rest)) = message.split_once(": ")
        && is_position(position)
    {
        message = rest;
    }
    // Delve reads 64 characters of a variable that is the key in an expression, and compares only
    // strings that it has read whole, as it does the result of `+` (pkg/proc/eval.go, `mapAccess`).
    if message == "string too long for comparison" {
        return format!("{message}; add an empty string to the key of a map: `m[key + \"\"]`");
    }
    match message.strip_prefix("could not find symbol value for ") {
        Some(name) => format!("undefined: {name}"),
        None => message.to_owned(),
    }
}

/// Whether this is a line and a column, `1:8`.
fn is_position(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once(':').is_some_and(|(line, column)| is_number(line) && is_number(column))
}

/// A failed launch or attach with a remedy that Delve's message lacks: the system does not permit
/// it (native/proc_linux.go), or Delve does not support the program's Go version
/// (pkg/goversion/compat.go).
pub fn start_error(message: &str) -> Option<Error> {
    let message = message.trim_end_matches('.');
    if message.contains("operation not permitted") {
        return Some(Error::not_permitted(message));
    }
    if message.contains("Version of Delve is too old") {
        let hint = format!(
            "install a newer one ({}), and name it in [tools.dlv] path",
            crate::manifest::INSTALL
        );
        return Some(Error::tool_too_old(message).hint(hint));
    }
    // 1.20 does not start such a program; 1.27 does, and reports this for each breakpoint.
    if message.contains("could not open debug info") {
        return Some(
            Error::unsupported(message).hint("build it without `-s` and `-w` among its -ldflags"),
        );
    }
    if message.contains("no debugger found") {
        let refused = Error::target_missing(
            "a `dlv dap` listens at this address; it has no program and has now ended",
        );
        return Some(refused.hint(
            "start `dlv debug --headless --listen=127.0.0.1:PORT PACKAGE` and attach to that",
        ));
    }
    if message.contains("for this version of Delve") {
        return Some(Error::tool_too_old(message).hint(
            "build the program with a newer Go (https://go.dev/dl), \
             or name an older Delve in [tools.dlv] path",
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(reason: &str, description: &str, text: &str) -> dap::Stopped {
        let [description, text] = [description, text].map(|words| Some(words.to_owned()));
        dap::Stopped { reason: reason.into(), description, text, ..Default::default() }
    }

    #[test]
    fn a_goroutine_is_named_by_its_function_and_labels() {
        assert_eq!(thread("* [Go 1] main.main (Thread 4711)").label, "main.main");
        assert_eq!(thread("[Go 18 name:worker-1] main.work").label, "main.work name:worker-1");
        assert_eq!(thread("Dummy").label, "Dummy");
    }

    #[test]
    fn panics_are_named_by_their_message() {
        let frame = |name: &str| Frame { name: name.into(), path: None, line: 1, module: None };
        let top = [frame("runtime.fatalpanic"), frame("runtime.gopanic"), frame("main.parse")];
        let title = |description: &str, text: &str| {
            view(&stopped("exception", description, text), None, &top)
                .map(|stop| (stop.title, stop.skip_frames))
        };
        assert_eq!(
            title("panic", r#""runtime error: index out""#),
            Some(("runtime error: index out".into(), 2))
        );
        let cut = title("panic", r#""bad order \"7\" and more\..."#);
        assert_eq!(cut, Some((r#"bad order "7" and more…"#.into(), 2)));
        let wrapped = concat!(
            r#"error(*fmt.wrapError) *{msg: "bad order 7: x \"y\"", "#,
            "err: error(*strconv.NumError) *{}}",
        );
        assert_eq!(title("panic", wrapped), Some((r#"bad order 7: x "y""#.into(), 2)));
        // The message of what it contains is not its own.
        let outer = concat!(
            "error(*main.E) *{Code: 3, Err: error(*errors.errorString) ",
            r#"*{s: "EOF"}}"#,
        );
        let fields = r#"*main.E {Code: 3, Err: *errors.errorString {s: "EOF"}}"#;
        assert_eq!(title("panic", outer), Some((fields.into(), 2)));
        let path = title("panic", r#""C:\\x\n""#).unwrap_or_default().0;
        assert_eq!(path, r"C:\x\n");
        let deadlock = "\"all goroutines are asleep - deadlock!\"";
        assert_eq!(
            title("fatal error", deadlock).unwrap_or_default().0,
            "fatal error: all goroutines are asleep - deadlock!"
        );
        // A signal may arrive on a thread other than the reported one.
        let signal = title("fatal error", "").unwrap_or_default().0;
        assert_eq!(signal, "a signal that ends the program");
        assert!(view(&stopped("breakpoint", "", ""), None, &top).is_none());
    }

    #[test]
    fn panic_is_not_caught_and_has_plain_text() {
        let of = |id: &str| {
            let body = exception(dap::ExceptionInfoResponse {
                exception_id: id.into(),
                description: Some("\"boom\"".into()),
                break_mode: Some(String::new()),
                details: None,
            });
            (body.break_mode.unwrap_or_default(), body.description.unwrap_or_default())
        };
        assert_eq!(of("panic"), ("unhandled".to_owned(), "boom".to_owned()));
        assert_eq!(of("runtime error"), (String::new(), "boom".to_owned()));
    }

    #[test]
    fn condition_error_differs_from_a_runtime_error() {
        let error = |text: &str| condition_error(&stopped("exception", "runtime error", text));
        assert_eq!(
            error("error evaluating expression: n.Next is nil").as_deref(),
            Some("n.Next is nil")
        );
        assert_eq!(
            error("error evaluating expression: could not find symbol value for x").as_deref(),
            Some("undefined: x")
        );
        assert_eq!(
            error("condition expression not boolean").as_deref(),
            Some("condition expression not boolean")
        );
        let several = "in several goroutines, or of several breakpoints";
        assert_eq!(error("multiple errors evaluating conditions").as_deref(), Some(several));
        assert_eq!(error("runtime error: index out of range"), None);
    }

    #[test]
    fn errors_have_no_positions_in_the_sent_text() {
        assert_eq!(
            plain_error("Unable to evaluate expression: could not find symbol value for x"),
            "undefined: x"
        );
        assert_eq!(
            plain_error("1:8: expected operand, found 'EOF'"),
            "expected operand, found 'EOF'"
        );
        assert_eq!(plain_error("a: b"), "a: b");
    }

    #[test]
    fn unsupported_go_version_has_a_remedy() {
        let old =
            "Version of Delve is too old for Go version 1.26.8 (maximum supported version 1.20)";
        let error = start_error(old).unwrap();
        assert!(matches!(error.kind, ErrorKind::ToolTooOld));
        assert!(error.hint.is_some_and(|hint| hint.contains(crate::manifest::INSTALL)));
        assert!(start_error("could not launch process: no such file").is_none());
        let idle = start_error("Failed to attach: no debugger found").unwrap();
        assert!(matches!(idle.kind, ErrorKind::TargetMissing));
        let refused = start_error("could not attach to pid 7: operation not permitted").unwrap();
        assert!(matches!(refused.kind, ErrorKind::NotPermitted));
    }
}
