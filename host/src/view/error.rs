//! Errors as a stable code, the cause, and one next call that works.
//!
//! Over 600 lines: two thirds are tests, each a table of errors with their whole texts.

use std::path::Path;

use super::call::{json_text, named, named_first, perhaps_call, written};
use super::text::{Text, block, cut_lines, cut_middle};
use super::{Call, Lens, Literal};
use crate::model::{Detail, Next, ProposedTarget, Remedies, Remedy, Variables};
use crate::session::{AdapterError, Error, LaunchError};

/// Characters of a call that repeats the arguments of the caller.
pub const LONGEST_CALL: usize = 600;

/// An error as a caller reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorText {
    /// Stable, for callers that branch on it: `not-stopped`.
    pub code: &'static str,
    /// The cause.
    pub cause: String,
    /// The call that works, or what a person can do; with the note.
    pub next: String,
    /// When the call works, or another one.
    pub note: Option<String>,
    /// The text with the code.
    pub text: Text,
}

impl ErrorText {
    /// `error[code] cause. Try: call` on one line. A cause about arguments begins with the name of
    /// their tool.
    pub fn new(code: &'static str, cause: &str, next: &str) -> Self {
        let (cause, next) = (named_first(cause.trim().trim_end_matches('.')), perhaps_call(next));
        let end = if cause.ends_with('?') { " " } else { ". " };
        let text = Text::line(format!("error[{code}] {cause}{end}Try: {next}"));
        Self { code, cause: cause.into(), next: next.into(), note: None, text }
    }

    /// The call that works without the note.
    pub fn call(&self) -> &str {
        let note = self.note.as_ref().map(|note| format!(" ({note})"));
        let call = note.and_then(|note| self.next.strip_suffix(&note));
        call.unwrap_or(&self.next)
    }

    /// The same for a cause of several lines: indented, so that none reads as a line of dapdock,
    /// and with the call on its own line.
    fn with_lines(code: &'static str, cause: &str, next: &str) -> Self {
        let cause = cause.trim().trim_end_matches('.');
        if !cause.contains('\n') {
            return Self::new(code, cause, next);
        }
        let lines = block(&format!("error[{code}] "), &cause.replace('\n', "\n  "), "");
        let mut text = Text::lines(lines);
        text.push(format!("Try: {next}"));
        Self { code, cause: cause.to_owned(), next: next.to_owned(), note: None, text }
    }
}

/// Facts about the failed call that only the MCP layer knows.
#[derive(Clone, Debug, Default)]
pub struct Failed<'a> {
    /// The call that helps.
    pub next: Option<Call>,
    /// The session of the failed call, if the next call has to name it.
    pub session: Option<&'a str>,
    /// The thread of the failed call.
    pub thread: Option<&'a str>,
    /// The frame of the failed call.
    pub frame: Option<i64>,
}

/// An error of a session, as text.
pub fn error(error: &Error, lens: &Lens, failed: &Failed<'_>) -> ErrorText {
    let mut cause = error.to_string();
    if let Some(workspace) = lens.workspace.to_str().filter(|path| path.len() > 1) {
        cause = cause.replace(&format!("{workspace}/"), "");
    }
    let (code, call) = (error.code(), next(error, lens, failed));
    let note = error.remedies().note.map(|note| named(&note).into_owned());
    let next = match &note {
        Some(note) => format!("{call} ({note})"),
        None => call,
    };
    let text = match error {
        // The message is the last lines of a build or an adapter.
        Error::Launch(LaunchError::BuildFailed { .. })
        | Error::Adapter(AdapterError::Died { .. }) => {
            ErrorText::with_lines(code, &cut_lines(&cause, 4_000), &next)
        }
        _ => ErrorText::new(code, &cut_middle(&cause, 1_200).0, &next),
    };
    ErrorText { note, ..text }
}

/// The repaired call if there is one, else the first remedy that is no change of the failed call.
fn next(error: &Error, lens: &Lens, failed: &Failed<'_>) -> String {
    let Remedies { list, .. } = error.remedies();
    let other = list.into_iter().find(|remedy| !matches!(remedy, Remedy::Same(_)));
    match (&failed.next, other) {
        (Some(call), _) => call.clone().bounded(LONGEST_CALL),
        (None, Some(Remedy::Call(Next::Repeat(call)))) => written(&call),
        (None, Some(Remedy::Person(words))) => words,
        (None, Some(Remedy::Call(next))) => {
            let is_of_frame =
                matches!(next, Next::Variables(_) | Next::Evaluate(_) | Next::Assign(_));
            let reads_stack = matches!(next, Next::Stack { all_threads: false });
            let thread = failed.thread.filter(|_| is_of_frame || reads_stack);
            let frame = failed.frame.filter(|_| is_of_frame);
            let call = with(next_call(next, lens), "thread", thread);
            let call = with(call, "frame", frame);
            match failed.session {
                Some(session) if !matches!(error, Error::UnknownSession { .. }) => {
                    call.of(session).json()
                }
                _ => call.json(),
            }
        }
        (None, _) => Call::new("debug_status").json(),
    }
}

/// The tool and arguments of a call.
fn next_call(next: Next, lens: &Lens) -> Call {
    match next {
        Next::Status(Detail::Sessions) | Next::Repeat(_) => Call::new("debug_status"),
        Next::Status(Detail::Adapters) => Call::new("debug_status").with("detail", "adapters"),
        Next::Status(Detail::Capabilities) => {
            Call::new("debug_status").with("detail", "capabilities")
        }
        Next::Status(Detail::Log) => Call::new("debug_status").with("detail", "log"),
        Next::Targets => Call::new("debug_targets"),
        Next::Launch { target, core } => launch_call(target, core.as_deref(), lens),
        Next::Attach { address, adapter } => {
            with(Call::new("debug_attach").with("address", address), "adapter", adapter)
        }
        Next::Restart { session } => with(Call::new("debug_restart"), "session", session),
        Next::Terminate => Call::new("debug_stop").with("mode", "terminate"),
        Next::Pause => Call::new("debug_pause"),
        Next::Continue { until } => with(Call::new("debug_continue"), "until", until),
        Next::StepIn { into } => with(Call::new("debug_step").with("kind", "in"), "into", into),
        Next::Wait { timeout } => with(Call::new("debug_wait"), "timeout_s", timeout),
        Next::Output { session, tail } => {
            with(Call::new("debug_output"), "session", session).with("tail", tail)
        }
        Next::Stack { all_threads: true } => Call::new("debug_stack").with("all_threads", true),
        Next::Stack { all_threads: false } => Call::new("debug_stack"),
        Next::Breakpoints => Call::new("debug_breakpoints"),
        Next::Command(command) => Call::new("debug_command").with("command", command),
        Next::Breakpoint { path, line } => {
            Call::new("debug_breakpoints").with("set", vec![format!("{}:{line}", lens.path(&path))])
        }
        Next::Exceptions(filter) => Call::new("debug_breakpoints").with("exceptions", vec![filter]),
        Next::Variables(Variables { scope, path, start, diff }) => {
            let call = with(Call::new("debug_variables"), "scope", scope);
            let call = with(with(call, "path", path), "start", start);
            if diff { call.with("diff", true) } else { call }
        }
        Next::Evaluate(expression) => {
            Call::new("debug_evaluate").with("expressions", vec![expression])
        }
        Next::Assign(assignment) => Call::new("debug_evaluate")
            .with("expressions", vec![assignment])
            .with("effects", "allow"),
        Next::Unwatch(expressions) => {
            Call::new("debug_evaluate").with("expressions", expressions).with("watch", false)
        }
    }
}

fn launch_call(target: ProposedTarget, core: Option<&Path>, lens: &Lens) -> Call {
    let call = Call::new("debug_launch");
    let call = match target {
        ProposedTarget::Program { path, args } if args.is_empty() => {
            call.with("program", lens.path(&path))
        }
        ProposedTarget::Program { path, args } => {
            call.with("program", lens.path(&path)).with("args", args)
        }
        ProposedTarget::Command(command) => call.with("command", command),
        ProposedTarget::Test(test) => call.with("test", test),
    };
    let options = core.map(|core| format!("{{\"core\": {}}}", json_text(&lens.path(core))));
    with(call, "options", options.map(Literal::Json))
}

/// The call with this argument, if it has a value.
fn with(call: Call, name: &'static str, value: Option<impl Into<Literal>>) -> Call {
    match value {
        Some(value) => call.with(name, value),
        None => call,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::answer::RefusalKind;
    use crate::session::{BreakpointError, Refused, TargetError, ValueError};
    use crate::view::sample::lens;

    #[track_caller]
    fn check(it: Error, expect: &str) {
        let text = error(&it, &lens(), &Failed::default());
        assert_eq!(text.text, expect);
        assert!(text.text.starts_with(&format!("error[{}] ", text.code)));
    }

    fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
        names.map(str::to_owned).into()
    }

    #[test]
    fn sessions_are_named() {
        check(
            Error::NoSession { failed: None },
            "error[no-session] no session is open. Try: debug_targets",
        );
        check(
            Error::WhichSession { open: names(["a-1"]), ended: names(["b-2"]) },
            "error[which-session] 2 sessions fit; open: a-1; ended: b-2. Try: debug_status",
        );
        check(
            Error::UnknownSession { name: "x".into(), open: vec![], ended: vec![] },
            "error[unknown-session] there is no session `x`. Try: debug_status",
        );
        check(
            Error::Ended { session: "a-1".into(), cause: None, restarts: true },
            "error[ended] session a-1 has ended. Try: debug_output {\"session\": \"a-1\", \
            \"tail\": 50}",
        );
        check(
            Error::Ended {
                session: "a-1".into(),
                cause: Some("the adapter ended during the run: signal 9".into()),
                restarts: false,
            },
            "error[ended] session a-1 has ended: the adapter ended during the run: signal 9. Try: \
            debug_output {\"session\": \"a-1\", \"tail\": 50}",
        );
        check(
            Error::Ended {
                session: "a-1".into(),
                cause: Some("the adapter ended".into()),
                restarts: true,
            },
            "error[ended] session a-1 has ended: the adapter ended. Try: debug_restart \
            {\"session\": \"a-1\"}",
        );
    }

    #[test]
    fn phases_lead_to_the_call_that_changes_them() {
        check(Error::NotStopped, "error[not-stopped] the program is running. Try: debug_pause");
        check(
            Error::NotRunning,
            "error[not-running] the program is already stopped. Try: debug_continue",
        );
        check(Error::PostMortem, "error[post-mortem] a core file does not run. Try: debug_stack");
        check(
            Error::NoProgram,
            "error[no-program] no program runs; a command of the debugger starts one. Try: \
            debug_status",
        );
        check(
            Error::Unused { after: Duration::from_secs(300) },
            "error[unused] no command came for 300 s. Try: debug_status",
        );
        check(
            Error::Adapter(AdapterError::NoRecords { session: "a-1".into() }),
            "error[unsupported] session a-1 was not opened for commands. Try: debug_status",
        );
        check(
            Error::NotReady { doing: "building".into() },
            "error[not-ready] the session is still building. Try: debug_wait",
        );
        check(
            Error::Superseded,
            "error[superseded] the program ran on before the answer was complete. Try: debug_wait \
            {\"timeout_s\": 10}",
        );
    }

    #[test]
    fn places_are_corrected() {
        check(
            Error::Breakpoints(BreakpointError::NoSuchSource {
                path: "/w/ap.py".into(),
                near: vec!["/w/cart/app.py".into()],
            }),
            "error[no-such-source] there is no file ap.py. Try: debug_breakpoints {\"set\": \
            [\"cart/app.py:1\"]}",
        );
        check(
            Error::Launch(LaunchError::Unreachable {
                address: "box:1".into(),
                cause: "connection refused".into(),
            }),
            "error[unreachable] nothing answers at box:1: connection refused. \
             Try: debug_attach {\"address\": \"box:1\"} (once something listens there)",
        );
        let busy = Error::Busy { expression: "f()".into(), since: Duration::from_millis(2_600) };
        let again = Call::new("debug_stack");
        assert_eq!(
            error(&busy, &lens(), &Failed { next: Some(again), ..Failed::default() }).text,
            "error[busy] the debugger is still evaluating `f()`, for 3 s now, and answers nothing \
            else. \
             Try: debug_stack (later; debug_stop ends it)"
        );
        check(
            Error::Breakpoints(BreakpointError::NoSuchLine {
                path: "/w/app.py".into(),
                line: 90,
                lines: 88,
            }),
            "error[no-such-line] app.py has 88 lines, there is no line 90. Try: debug_breakpoints \
            {\"set\": [\"app.py:88\"]}",
        );
        check(
            Error::Breakpoints(BreakpointError::SetByCommand {
                id: 3,
                delete: Some("delete 2".into()),
            }),
            "error[set-by-command] #3 was set by a command of the debugger. Try: debug_command \
            {\"command\": \"delete 2\"}",
        );
        check(
            Error::Breakpoints(BreakpointError::UnknownBreakpoint { id: 9, known: vec![1, 2] }),
            "error[unknown-breakpoint] there is no breakpoint #9; there are #1, #2. Try: \
            debug_breakpoints",
        );
    }

    #[test]
    fn names_are_corrected() {
        check(
            Error::Values(ValueError::NoSuchVariable {
                parent: "cart.items[0]".into(),
                segment: "prise".into(),
                near: names(["price", "kind"]),
            }),
            "error[no-such-variable] cart.items[0] has no `prise`; there are price, kind. \
             Try: debug_variables {\"path\": \"cart.items[0].price\"}",
        );
        check(
            Error::Values(ValueError::NewMember {
                parent: "box".into(),
                segment: "fresh".into(),
                near: names(["a"]).into(),
                assignment: "box.fresh = 1".into(),
            }),
            "error[no-such-variable] box has no `fresh`; there are a; the next call tries to add \
             it. Try: debug_evaluate \
             {\"expressions\": [\"box.fresh = 1\"], \"effects\": \"allow\"}",
        );
        check(
            Error::Values(ValueError::NotAdded {
                parent: "m".into(),
                segment: "new".into(),
                why: "the debugger adds no keys".into(),
                near: names(["\"old\""]).into(),
            }),
            "error[no-such-variable] m has no `new`, and the debugger adds no keys; there are \
             \"old\". Try: debug_variables {\"path\": \"m[\\\"old\\\"]\"}",
        );
        check(
            Error::Values(ValueError::NotAPath { text: "items.pop()".into() }),
            "error[not-a-path] `items.pop()` is not a path to a variable. \
             Try: debug_evaluate {\"expressions\": [\"items.pop()\"]}",
        );
        check(
            Error::Values(ValueError::NoSuchElement {
                parent: "cart.items".into(),
                number: 300,
                count: 20,
            }),
            "error[no-such-variable] cart.items has no element 300: it has 20. \
             Try: debug_variables {\"path\": \"cart.items\", \"start\": 10}",
        );
        check(
            Error::Breakpoints(BreakpointError::UnknownExceptionFilter {
                name: "al".into(),
                known: names(["all", "uncaught"]),
                types: None,
            }),
            "error[unknown-exception-filter] `al` is no exception filter here; there are all, \
            uncaught. \
             Try: debug_breakpoints {\"exceptions\": [\"all\"]}",
        );
        check(
            Error::Breakpoints(BreakpointError::UnknownExceptionFilter {
                name: "al".into(),
                known: names(["all"]),
                types: Some("KeyError".into()),
            }),
            "error[unknown-exception-filter] `al` is no exception filter here; there are all, and \
            types by their names \
             (KeyError). Try: debug_breakpoints {\"exceptions\": [\"all\"]}",
        );
        check(
            Error::Breakpoints(BreakpointError::UnknownExceptionFilter {
                name: "std::runtime_error".into(),
                known: names(["rust_panic", "uncaught", "none"]),
                types: None,
            }),
            "error[unknown-exception-filter] `std::runtime_error` is no exception filter here; \
            there are rust_panic, \
             uncaught, none. Try: debug_breakpoints {\"exceptions\": [\"uncaught\"]}",
        );
        check(
            Error::Values(ValueError::NoSuchThread { name: "9".into(), known: names(["1 main"]) }),
            "error[no-such-thread] there is no thread 9; there are 1 main. Try: debug_stack \
            {\"all_threads\": true}",
        );
        check(
            Error::Values(ValueError::NoSuchFrame { index: 9, count: Some(3) }),
            "error[no-such-frame] there is no frame 9; the stack has 3. Try: debug_stack",
        );
        check(
            Error::Values(ValueError::NoSuchFrame { index: 5_000, count: None }),
            "error[no-such-frame] there is no frame 5000. Try: debug_stack",
        );
    }

    #[test]
    fn calls_on_a_line_are_listed() {
        check(
            Error::Adapter(AdapterError::NoStepIntoOne { name: "tax".into() }),
            "error[unsupported] this adapter cannot step into `tax` alone, only into whatever is \
            called first. \
             Try: debug_continue {\"until\": \"tax\"}",
        );
        check(
            Error::Adapter(AdapterError::NoThreadAlone { thread: 3 }),
            "error[unsupported] this adapter resumes thread 3 only with all others. Try: \
            debug_continue",
        );
        check(
            Error::Adapter(AdapterError::WhichCall {
                name: "tax".into(),
                fitting: 2,
                known: names(["tax", "tax", "net"]),
            }),
            "error[which-call] 2 calls on this line are named `tax`; the calls are tax, tax, net. \
             Try: debug_step {\"kind\": \"in\", \"into\": \"net\"}",
        );
        check(
            Error::Adapter(AdapterError::WhichCall {
                name: "tax".into(),
                fitting: 0,
                known: vec![],
            }),
            "error[which-call] the debugger sees no call here that it could step into by name. \
             Try: debug_step {\"kind\": \"in\"}",
        );
    }

    #[test]
    fn words_of_plugins_and_adapters_are_repeated() {
        check(
            Error::Plugin(Refused::Request {
                kind: RefusalKind::ToolMissing,
                message: "no interpreter.".into(),
                hint: Some("install one.".into()),
            }),
            "error[tool-missing] no interpreter. Try: install one",
        );
        check(
            Error::Limit {
                what: "the number of open sessions".into(),
                value: "16".into(),
                raise: "limits.sessions".into(),
            },
            "error[limit] the number of open sessions is limited to 16. Try: raise limits.sessions \
             in dapdock.toml and start dapdock again",
        );
        check(
            Error::Adapter(AdapterError::Silent {
                command: "launch".into(),
                after: Duration::from_secs(20),
                limit: "limits.launch_s",
            }),
            "error[adapter-silent] the adapter did not answer launch within 20 s. \
             Try: debug_status {\"detail\": \"log\"} (or raise limits.launch_s in \
             dapdock.toml and start dapdock again)",
        );
    }

    #[test]
    fn too_many_watches_lead_to_the_removal_of_the_oldest() {
        let too_many = || Error::TooManyWatches {
            most: 2,
            known: names(["total", "len(items)"]),
            oldest: names(["total"]),
        };
        check(
            too_many(),
            "error[limit] a session has at most 2 watches; there are total · len(items). Try: \
            debug_evaluate {\"expressions\": [\"total\"], \"watch\": false}",
        );
        let failed = Failed { session: Some("py-2"), frame: Some(2), ..Failed::default() };
        let text = error(&too_many(), &lens(), &failed).text;
        // A watch belongs to no frame.
        assert!(
            text.ends_with(r#"{"expressions": ["total"], "watch": false, "session": "py-2"}"#),
            "{text:?}"
        );
    }

    #[test]
    fn taken_session_leads_to_a_wait() {
        let taken = || Error::Taken { session: "py-1".into() };
        check(
            taken(),
            "error[session-taken] a person has taken this session, py-1; calls that only read \
             still work. Try: debug_wait (it returns when the person gives the session back)",
        );
        let failed = Failed { session: Some("py-1"), ..Failed::default() };
        let text = error(&taken(), &lens(), &failed).text;
        assert!(text.contains(r#"Try: debug_wait {"session": "py-1"} (it returns"#), "{text:?}");
    }

    #[test]
    fn mirrors_name_what_a_person_does() {
        let session = || "py-1".to_owned();
        check(
            Error::Mirrored { session: session(), port: 4711 },
            "error[mirrored] py-1 has a mirror already, at 127.0.0.1:4711. Try: connect to that \
            port, or end that `dapdock mirror`",
        );
        check(
            Error::MirrorPort { port: 4711, cause: "Address already in use".into() },
            "error[mirror-port] no mirror can listen on 127.0.0.1:4711: Address already in use. \
            Try: without --port a free one is taken",
        );
        check(
            Error::EditorJoined { session: session() },
            "error[editor-joined] an editor has joined py-1 already; it has to disconnect first. \
            Try: disconnect the other editor",
        );
    }

    #[test]
    fn next_call_names_the_session_of_the_failed_call() {
        let failed = Failed { session: Some("py-2"), ..Failed::default() };
        let next = |it: Error| {
            error(&it, &lens(), &failed).text.split("Try: ").last().unwrap_or_default().to_owned()
        };
        assert_eq!(next(Error::NotStopped), r#"debug_pause {"session": "py-2"}"#);
        let built = Error::Launch(LaunchError::BuildFailed {
            message: "a.c:1: error\nstop".into(),
            hint: None,
        });
        assert_eq!(next(built), r#"debug_restart {"session": "py-2"} (once it builds)"#);
        assert_eq!(next(Error::NoSession { failed: None }), "debug_targets");
        let ended = Error::Ended { session: "a-1".into(), cause: None, restarts: true };
        assert_eq!(next(ended), r#"debug_output {"session": "a-1", "tail": 50}"#);
    }

    #[test]
    fn read_that_is_proposed_is_of_the_frame_of_the_failed_call() {
        let failed = Failed { thread: Some("7"), frame: Some(2), ..Failed::default() };
        let next = |it: Error| {
            error(&it, &lens(), &failed).text.split("Try: ").last().unwrap_or_default().to_owned()
        };
        let refused =
            ValueError::NotSet { target: "a".into(), message: "read-only".into(), text: None };
        assert_eq!(
            next(Error::Values(refused)),
            r#"debug_evaluate {"expressions": ["a"], "thread": "7", "frame": 2}"#
        );
        let added = ValueError::NewMember {
            parent: "box".into(),
            segment: "fresh".into(),
            near: names(["a"]).into(),
            assignment: "box.fresh = 1".into(),
        };
        assert_eq!(
            next(Error::Values(added)),
            "debug_evaluate {\"expressions\": [\"box.fresh = 1\"], \"effects\": \"allow\", \
             \"thread\": \"7\", \"frame\": 2}"
        );
        let shorter = ValueError::NoSuchFrame { index: 2, count: Some(1) };
        assert_eq!(next(Error::Values(shorter)), r#"debug_stack {"thread": "7"}"#);
    }

    #[test]
    fn core_file_as_program_leads_to_its_option() {
        check(
            Error::Target(TargetError::IsCore { path: lens().workspace.join("core.1") }),
            "error[bad-path] core.1 is a core file, which is opened with the program that dumped \
            it. \
             Try: debug_launch {\"program\": \"PROGRAM\", \"options\": {\"core\": \"core.1\"}}",
        );
    }

    #[test]
    fn lines_of_a_build_stay_lines() {
        check(
            Error::Launch(LaunchError::BuildFailed {
                message: "a.c:1: error\nstop".into(),
                hint: None,
            }),
            "error[build-failed] a.c:1: error\n  stop\nTry: debug_restart (once it builds)",
        );
    }
}
