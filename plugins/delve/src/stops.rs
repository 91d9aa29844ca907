//! Reads stops, goroutines and values as Delve tells them. Pure.

use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{Frame, StopClass, StopView, ThreadView, Variable, VariableView};

/// `{"reason": "exception", "description": "panic" | "fatal error" | "runtime error", "text": …}`
/// (server.go, `runUntilStopAndNotify`).
pub fn view(body: &dap::Stopped, top: &[Frame]) -> Option<StopView> {
    if body.reason != "exception" {
        return None;
    }
    let text = reason(body.text.as_deref().unwrap_or_default());
    let skip_frames =
        top.iter().position(|frame| !frame.name.starts_with("runtime.")).unwrap_or(0) as u32;
    // What the runtime throws itself has a text. The signal may come to a thread that is not the
    // one told.
    let by_signal =
        text.is_empty() || top.first().is_some_and(|frame| frame.name == "runtime.fatalsignal");
    let (class, title) = match body.description.as_deref()? {
        "panic" => (StopClass::Panic, text),
        // Which one the runtime says only when it goes on.
        "fatal error" if by_signal => {
            (StopClass::Signal, "a signal that ends the program".to_owned())
        }
        "fatal error" if text.contains("deadlock") => {
            (StopClass::Deadlock, format!("fatal error: {text}"))
        }
        "fatal error" => (StopClass::Panic, format!("fatal error: {text}")),
        // A breakpoint in another goroutine came first (server.go, `betterNextWhileNextingError`).
        "invalid command" => return Some(no_step(skip_frames)),
        _ if text.contains("execution of core process") => (StopClass::Other, "core file".into()),
        what => (StopClass::Signal, format!("{what}: {text}")),
    };
    Some(StopView { class, title, detail: None, skip_frames })
}

fn no_step(skip_frames: u32) -> StopView {
    let why = "the step before was interrupted by a breakpoint of another goroutine: debug_continue ends it first";
    StopView {
        class: StopClass::Other,
        title: "no step was made".into(),
        detail: Some(why.into()),
        skip_frames,
    }
}

/// What a condition says that cannot be judged (pkg/proc/breakpoints.go,
/// `evalBreakpointCondition`).
const UNJUDGED: [&str; 2] = ["error evaluating expression: ", "condition expression "];

/// Of several goroutines that stopped together (target_exec.go, `conditionErrors`).
const UNJUDGED_TWICE: &str = "multiple errors evaluating conditions";

/// Why a condition could not be judged, where Delve stopped for that: it calls it a runtime error.
pub fn unjudged(body: &dap::Stopped) -> Option<String> {
    let text =
        body.text.as_deref().filter(|_| body.description.as_deref() == Some("runtime error"))?;
    if text == UNJUDGED_TWICE {
        return Some("in several goroutines, or of several breakpoints".to_owned());
    }
    let [failed, wrong] = UNJUDGED;
    text.strip_prefix(failed)
        .map(plain_error)
        .or_else(|| text.starts_with(wrong).then(|| text.to_owned()))
}

/// A step of a process that was killed meanwhile: the kernel's ESRCH (proc/native, `ptrace`) is
/// told as a stop.
pub fn is_gone(body: &dap::Stopped) -> bool {
    let text = body.text.as_deref().unwrap_or_default();
    body.description.as_deref() == Some("runtime error") && text.ends_with("no such process")
}

/// A panic's value: a text in quotes, or `error(*fmt.wrapError) *{msg: "bad order", err: …}`.
fn reason(text: &str) -> String {
    let quoted = |text: &str| {
        text.strip_prefix('"')?.strip_suffix('"').map(|text| text.replace("\\\"", "\""))
    };
    let message = || {
        let (_, rest) = ["{msg: \"", "{s: \""].iter().find_map(|mark| text.split_once(mark))?;
        rest.split_once("\", ")
            .or_else(|| rest.split_once("\"}"))
            .map(|(message, _)| message.replace("\\\"", "\""))
    };
    quoted(text).or_else(message).unwrap_or_else(|| value(text, None))
}

/// `* [Go 18 name:worker-1] main.work (Thread 4711)`: where it is, and its labels. The
/// thread's number differs from run to run; the goroutine's is the DAP thread's.
pub fn thread(name: &str) -> ThreadView {
    let told = name.trim_start_matches("* ").split(" (Thread ").next().unwrap_or(name).trim();
    let parts = told.strip_prefix("[Go ").and_then(|rest| rest.split_once("] "));
    let label = match parts {
        None => told.to_owned(),
        Some((head, function)) => match head.split_once(' ') {
            None => function.to_owned(),
            Some((_, labels)) => format!("{function} {labels}"),
        },
    };
    ThreadView { label, hidden: false, rank: 0 }
}

/// Of a map Delve counts its `len()` as an element and lists it, of bytes the `string()` that they
/// are, and says of an entry the type of its key as well, `string: int` (service/dap/server.go,
/// `getNamedVariableCount`, `childrenToDAPVariables`).
pub fn without_metadata(mut body: dap::VariablesResponse) -> dap::VariablesResponse {
    body.variables.retain(|one| one.name != "len()");
    for one in &mut body.variables {
        let Some(ty) = one.type_.take() else { continue };
        counted(&ty, &mut one.named_variables);
        let of_value = ty.split_once(": ").map(|(_, of_value)| of_value.to_owned());
        one.type_ = Some(of_value.unwrap_or(ty));
    }
    body
}

/// What is counted beside the elements is none of the program's.
pub fn counted(ty: &str, named: &mut Option<i64>) {
    if ty.starts_with("map[") || ty.ends_with("]uint8") || ty.ends_with("]int32") {
        *named = Some(0);
    }
}

/// Values without their type, the hexadecimal twin of a number, and addresses.
pub fn variables(variables: &[Variable]) -> Vec<VariableView> {
    let view = |(variable, index): (&Variable, u32)| {
        let plain = value(&variable.value, variable.ty.as_deref());
        let summary = (plain != variable.value).then_some(plain);
        VariableView { index, summary, prefetch: 0, elements: None, secret: false }
    };
    // A result without a name is nothing before the function returns.
    let shown = variables.iter().zip(0..).filter(|(variable, _)| !variable.name.starts_with("~r"));
    let mut shown: Vec<(&Variable, u32)> = shown.collect();
    // Entries of a map come in an order that differs from run to run.
    if shown.iter().all(|(variable, _)| variable.name.starts_with('"')) {
        shown.sort_by_key(|(variable, _)| variable.name.as_str());
    }
    shown.into_iter().map(view).collect()
}

fn value(text: &str, ty: Option<&str>) -> String {
    if let Some(("nil", rest)) = text.split_once(" <")
        && rest.ends_with('>')
    {
        return "nil".into();
    }
    let text = ty.and_then(|ty| text.strip_prefix(ty)?.strip_prefix(' ')).unwrap_or(text);
    if let Some((number, hex)) = text.split_once(" = 0x")
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        return number.into();
    }
    without_addresses(text).replace(", ]", "]")
}

/// `(*main.Item)(0xc000012345)`, something behind a pointer that was not read, as
/// `(*main.Item)(…)`.
fn without_addresses(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(")(0x") {
        let end = after.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(after.len());
        plain.push_str(before);
        plain.push_str(")(…");
        rest = &after[end..];
    }
    plain.push_str(rest);
    plain
}

/// `Unable to evaluate expression: could not find symbol value for nope` without what is no news.
pub fn plain_error(message: &str) -> String {
    let message = message.trim_start_matches("Unable to evaluate expression: ");
    // The column is of the text that was sent.
    let message = message
        .split_once(": ")
        .filter(|(place, _)| is_place(place))
        .map_or(message, |(_, words)| words);
    let unknown = message.strip_prefix("could not find symbol value for ");
    unknown.map_or_else(|| message.to_owned(), |name| format!("undefined: {name}"))
}

/// `1:8`, line and column.
fn is_place(text: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once(':').is_some_and(|(line, column)| number(line) && number(column))
}

/// Why a program was neither started nor attached to, where what to do is not in Delve's words: the
/// system does not permit it, in the kernel's (native/proc_linux.go), or Delve does not know the
/// program's Go, and says which it knows (pkg/goversion/compat.go).
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
    // What 1.20 does not start; 1.27 does, and says it of each breakpoint.
    if message.contains("could not open debug info") {
        return Some(
            Error::unsupported(message).hint("build it without `-s` and `-w` among its -ldflags"),
        );
    }
    if message.contains("no debugger found") {
        let none = Error::target_missing(
            "what listens there is `dlv dap`, which has no program, and ends now",
        );
        return Some(
            none.hint("dlv debug --headless --listen=127.0.0.1:PORT PACKAGE, and attach to that"),
        );
    }
    let newer = "build the program with a newer Go (https://go.dev/dl), or name an older Delve in [tools.dlv] path";
    message.contains("for this version of Delve").then(|| Error::tool_too_old(message).hint(newer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(reason: &str, description: &str, text: &str) -> dap::Stopped {
        let [description, text] = [description, text].map(|words| Some(words.to_owned()));
        dap::Stopped { reason: reason.into(), description, text, ..Default::default() }
    }

    #[test]
    fn metadata_of_delve_is_none_of_the_programs() {
        let one = |name: &str, ty: &str, named: i64| dap::Variable {
            name: name.into(),
            type_: Some(ty.into()),
            named_variables: Some(named),
            ..Default::default()
        };
        let variables = vec![
            one("len()", "int", 0),
            one("\"a\"", "string: main.Item", 0),
            one("tags", "map[string]int", 1),
            one("raw", "[]uint8", 1),
        ];
        assert_eq!(
            without_metadata(dap::VariablesResponse { variables }).variables,
            [
                one("\"a\"", "main.Item", 0),
                one("tags", "map[string]int", 0),
                one("raw", "[]uint8", 0)
            ]
        );
    }

    #[test]
    fn a_goroutine_is_where_it_is_with_its_labels() {
        assert_eq!(thread("* [Go 1] main.main (Thread 4711)").label, "main.main");
        assert_eq!(thread("[Go 18 name:worker-1] main.work").label, "main.work name:worker-1");
        assert_eq!(thread("Dummy").label, "Dummy");
    }

    #[test]
    fn values_are_the_same_in_every_run() {
        let plain = |text: &str, ty: &str| value(text, Some(ty));
        assert_eq!(plain("7 = 0x7", "uint64"), "7");
        assert_eq!(plain("nil <*string>", "*string"), "nil");
        assert_eq!(plain(r#"*main.Item {name: "Heft"}"#, "*main.Item"), r#"{name: "Heft"}"#);
        assert_eq!(plain(r#"map[string]int ["a": 1, ]"#, "map[string]int"), r#"["a": 1]"#);
        assert_eq!(
            plain("{next: *(*main.Node)(0xc00001), n: 1}", "main.Node"),
            "{next: *(*main.Node)(…), n: 1}"
        );
        assert_eq!(plain(r#""a = 0xb""#, "string"), r#""a = 0xb""#);
    }

    #[test]
    fn panics_are_named_by_what_they_say() {
        let frame = |name: &str| Frame { name: name.into(), path: None, line: 1, module: None };
        let top = [frame("runtime.fatalpanic"), frame("runtime.gopanic"), frame("main.parse")];
        let told = |description: &str, text: &str| {
            view(&stopped("exception", description, text), &top)
                .map(|stop| (stop.title, stop.skip_frames))
        };
        assert_eq!(
            told("panic", r#""runtime error: index out""#),
            Some(("runtime error: index out".into(), 2))
        );
        let wrapped = r#"error(*fmt.wrapError) *{msg: "bad order 7: x \"y\"", err: error(*strconv.NumError) *{}}"#;
        assert_eq!(told("panic", wrapped), Some((r#"bad order 7: x "y""#.into(), 2)));
        let deadlock = "\"all goroutines are asleep - deadlock!\"";
        assert_eq!(
            told("fatal error", deadlock).unwrap_or_default().0,
            "fatal error: all goroutines are asleep - deadlock!"
        );
        // Of a signal, wherever the thread that is told of stands.
        assert_eq!(told("fatal error", "").unwrap_or_default().0, "a signal that ends the program");
        assert!(view(&stopped("breakpoint", "", ""), &top).is_none());
    }

    #[test]
    fn a_condition_that_fails_is_told_from_what_the_program_does() {
        let told = |text: &str| unjudged(&stopped("exception", "runtime error", text));
        assert_eq!(
            told("error evaluating expression: n.Next is nil").as_deref(),
            Some("n.Next is nil")
        );
        assert_eq!(
            told("error evaluating expression: could not find symbol value for x").as_deref(),
            Some("undefined: x")
        );
        assert_eq!(
            told("condition expression not boolean").as_deref(),
            Some("condition expression not boolean")
        );
        let twice = "in several goroutines, or of several breakpoints";
        assert_eq!(told("multiple errors evaluating conditions").as_deref(), Some(twice));
        assert_eq!(told("runtime error: index out of range"), None);
    }

    #[test]
    fn errors_are_told_without_places_that_nobody_wrote() {
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
    fn a_delve_out_of_its_window_says_what_to_install() {
        let old =
            "Version of Delve is too old for Go version 1.26.8 (maximum supported version 1.20)";
        let told = start_error(old).unwrap();
        assert!(matches!(told.kind, ErrorKind::ToolTooOld));
        assert!(told.hint.is_some_and(|hint| hint.contains(crate::manifest::INSTALL)));
        assert!(start_error("could not launch process: no such file").is_none());
        let idle = start_error("Failed to attach: no debugger found").unwrap();
        assert!(matches!(idle.kind, ErrorKind::TargetMissing));
        let refused = start_error("could not attach to pid 7: operation not permitted").unwrap();
        assert!(matches!(refused.kind, ErrorKind::NotPermitted));
    }
}
