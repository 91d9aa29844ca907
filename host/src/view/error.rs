//! Errors as a stable code, the cause, and one next call that works.

use super::call::json_text;
use super::text::{Text, block, cut_lines, cut_middle};
use super::{Call, Lens, Literal};
use crate::nearest::nearest;
use crate::session::{ConfigurationProblem, Error, Part, Remedy};

/// Characters of a call that repeats what the caller said.
pub const LONGEST_CALL: usize = 600;

/// An error as a caller reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorText {
    /// Stable, for callers that branch on it: `not-stopped`.
    pub code: &'static str,
    /// What to show, code included.
    pub text: Text,
}

impl ErrorText {
    /// `error[code] cause. Try: call` on one line.
    pub fn new(code: &'static str, cause: &str, next: &str) -> Self {
        let cause = cause.trim().trim_end_matches('.');
        let end = if cause.ends_with('?') { " " } else { ". " };
        Self { code, text: Text::line(format!("error[{code}] {cause}{end}Try: {next}")) }
    }

    /// The same of a cause that keeps its lines: indented, so that none reads as one of ours, and
    /// the call on a line of its own.
    fn with_lines(code: &'static str, cause: &str, next: &str) -> Self {
        let cause = cause.trim().trim_end_matches('.');
        if !cause.contains('\n') {
            return Self::new(code, cause, next);
        }
        let lines = block(&format!("error[{code}] "), &cause.replace('\n', "\n  "), "");
        let mut text = Text::lines(lines);
        text.push(format!("Try: {next}"));
        Self { code, text }
    }
}

/// What the front knows of the call that failed.
#[derive(Clone, Debug, Default)]
pub struct Failed<'a> {
    /// The call that helps, where only the front knows it.
    pub next: Option<Call>,
    /// The session that it was about, where the next call has to name it.
    pub session: Option<&'a str>,
}

/// An error of a session, as text.
pub fn error(error: &Error, lens: &Lens, failed: &Failed<'_>) -> ErrorText {
    let mut cause = error.to_string();
    if let Some(workspace) = lens.workspace.to_str().filter(|path| path.len() > 1) {
        cause = cause.replace(&format!("{workspace}/"), "");
    }
    let (code, next) = (code(error), next(error, lens, failed));
    match error {
        // The tail of a build or an adapter keeps its lines: they are the message.
        Error::BuildFailed { .. } | Error::AdapterDied { .. } => {
            ErrorText::with_lines(code, &cut_lines(&cause, 4_000), &next)
        }
        _ => ErrorText::new(code, &cut_middle(&cause, 1_200).0, &next),
    }
}

/// The call that gets the caller on, and what has to come true before it does.
fn next(error: &Error, lens: &Lens, failed: &Failed<'_>) -> String {
    let literal = match (&failed.next, failed.session) {
        (Some(call), _) => call.clone().bounded(LONGEST_CALL),
        (None, _) if matches!(error, Error::UnknownSession { .. }) => next_call(error, lens).json(),
        (None, Some(session)) => next_call(error, lens).of(session).json(),
        (None, None) => next_call(error, lens).json(),
    };
    match error {
        Error::Unreachable { .. } => format!("{literal} (once something listens there)"),
        Error::Traced { .. } => format!("{literal} (once that one has let go)"),
        Error::NotPermitted { owner, scope, .. } => {
            format!("{literal} ({})", permitting(*owner, *scope))
        }
        Error::NoDebugger { .. } => format!("{literal} (with the debugger's own port)"),
        Error::Busy { .. } => format!("{literal} (later; debug_stop ends it)"),
        Error::BuildFailed { hint: None, .. } => format!("{literal} (once it builds)"),
        Error::Configuration(ConfigurationProblem { remedy: Remedy::File, .. }) => {
            format!("{literal} (once the file is corrected)")
        }
        Error::AdapterSilent { limit, .. } => {
            format!("{literal} (or raise {limit} under [limits])")
        }
        Error::WasAttached { again } => again.clone(),
        _ if failed.next.is_some() => literal,
        Error::Plugin { hint: Some(hint), .. } | Error::BuildFailed { hint: Some(hint), .. } => {
            hint.trim_end_matches('.').to_owned()
        }
        Error::Limit { raise, .. } => raise.trim_end_matches('.').to_owned(),
        Error::Config(_) => "correct the file; the next call reads it anew".to_owned(),
        _ => literal,
    }
}

/// What may have the system let a process be traced; a container's own rules cannot be read.
fn permitting(owner: Option<u32>, scope: Option<u32>) -> String {
    const SCOPE: &str = "/proc/sys/kernel/yama/ptrace_scope";
    let scope = scope.map(|scope| match scope {
        // Nobody can lower it again.
        3.. => format!("start the machine with {SCOPE}, which is {scope}, at 0"),
        _ => format!("set {SCOPE}, which is {scope}, to 0"),
    });
    let way = match (owner, scope) {
        (Some(0), _) => Some("run dapdock as root".to_owned()),
        (Some(user), None) => Some(format!("run dapdock as user {user} or as root")),
        (Some(user), Some(scope)) => {
            Some(format!("run dapdock as root, or as user {user} and {scope}"))
        }
        (None, scope) => scope,
    };
    let container =
        "start its container with --cap-add=SYS_PTRACE and a seccomp profile that allows ptrace";
    let ways: Vec<String> = way.into_iter().chain([container.to_owned()]).collect();
    format!("once the system permits it: {}", ways.join(", or "))
}

/// The stable code of an error.
fn code(error: &Error) -> &'static str {
    match error {
        Error::Several { all } => all.first().map_or("host-fault", code),
        Error::Config(_) => "config",
        Error::Configuration(_) => "launch-json",
        Error::NoSession | Error::NothingToEnd { .. } => "no-session",
        Error::WhichSession { .. } => "which-session",
        Error::UnknownSession { .. } => "unknown-session",
        Error::Ended { .. } => "ended",
        Error::NotStopped => "not-stopped",
        Error::PostMortem => "post-mortem",
        Error::NotRunning => "not-running",
        Error::NotReady { .. } => "not-ready",
        Error::Superseded => "superseded",
        Error::Busy { .. } => "busy",
        Error::Closing => "ending",
        Error::HostFault => "host-fault",
        Error::UnknownBreakpoint { .. } => "unknown-breakpoint",
        Error::NoSuchSource { .. } => "no-such-source",
        Error::NoSuchLine { .. } => "no-such-line",
        Error::BadCondition { .. } | Error::Refused { part: Some(Part::Condition(_)), .. } => {
            "bad-condition"
        }
        Error::BadHitCondition { .. } | Error::HitOutOfReach { .. } => "bad-hit-condition",
        Error::Refused { .. } => "refused",
        Error::NoSuchFrame { .. } => "no-such-frame",
        Error::NoSuchThread { .. } | Error::ThreadsUnlisted { .. } => "no-such-thread",
        Error::NoSuchScope { .. } => "no-such-scope",
        Error::NoSuchVariable { .. } | Error::NoSuchElement { .. } | Error::NotAmong { .. } => {
            "no-such-variable"
        }
        Error::NotAPath { .. } => "not-a-path",
        Error::NothingToCompare { .. } | Error::NotKept { .. } => "not-comparable",
        Error::UnknownExceptionFilter { .. } => "unknown-exception-filter",
        Error::Unsupported { .. }
        | Error::CannotLetGo { .. }
        | Error::WasAttached { .. }
        | Error::NoStdin { .. }
        | Error::NoCores { .. }
        | Error::NoStepIntoOne { .. }
        | Error::NoThreadAlone { .. } => "unsupported",
        Error::WhichCall { .. } => "which-call",
        Error::NotSet { .. } | Error::DoesNotFit { .. } | Error::StillTheSame { .. } => "not-set",
        Error::BadPattern { .. } => "bad-pattern",
        Error::NoAdapter { .. } => "no-adapter",
        Error::NoTest { .. } => "target-missing",
        Error::WhichAdapter { .. } | Error::AdapterNeeded { .. } => "which-adapter",
        Error::NoSuchProcess { .. } => "no-such-process",
        Error::Traced { .. } => "traced",
        Error::NotPermitted { .. } => "not-permitted",
        Error::BadPath { .. } | Error::IsCore { .. } => "bad-path",
        Error::DumpedByAnother { .. } => "core-mismatch",
        Error::Plugin { code, .. } => code,
        Error::BadOption { .. } => "bad-argument",
        Error::BuildFailed { .. } => "build-failed",
        Error::Spawn { .. } => "spawn-failed",
        Error::Unreachable { .. } | Error::NoDebugger { .. } => "unreachable",
        Error::AdapterDied { .. } => "adapter-died",
        Error::ConnectionLost { .. } | Error::NotParted { .. } => "connection-lost",
        Error::AdapterSilent { .. } => "adapter-silent",
        Error::AdapterRefused { .. } => "adapter-refused",
        Error::Limit { .. } => "limit",
    }
}

/// The call that gets the caller on.
fn next_call(error: &Error, lens: &Lens) -> Call {
    let stack = || Call::new("debug_stack");
    let breakpoints = |set: String| Call::new("debug_breakpoints").with("set", vec![set]);
    match error {
        // Reads the file anew.
        Error::Config(_) => Call::new("debug_status").with("detail", "adapters"),
        Error::Configuration(_) => Call::new("debug_targets"),
        Error::Several { all } => {
            all.first().map_or_else(|| Call::new("debug_status"), |first| next_call(first, lens))
        }
        Error::NoSession | Error::WasAttached { .. } => Call::new("debug_targets"),
        Error::WhichSession { .. } | Error::UnknownSession { .. } => Call::new("debug_status"),
        Error::NothingToEnd { .. } => Call::new("debug_status"),
        // Nobody asked for its end.
        Error::Ended { session, cause: Some(_), restarts: true } => {
            Call::new("debug_restart").with("session", session.as_str())
        }
        Error::Ended { session, .. } => {
            Call::new("debug_output").with("session", session.as_str()).with("tail", 50)
        }
        Error::NotStopped => Call::new("debug_pause"),
        Error::PostMortem => Call::new("debug_stack"),
        Error::NotRunning => Call::new("debug_continue"),
        Error::NotReady { .. } => Call::new("debug_wait"),
        Error::Busy { .. } => Call::new("debug_status"),
        Error::Superseded => Call::new("debug_wait").with("timeout_s", 10),
        Error::Closing => Call::new("debug_status"),
        Error::HostFault => Call::new("debug_status"),
        Error::NoSuchSource { near, .. } if !near.is_empty() => {
            breakpoints(format!("{}:1", lens.path(&near[0])))
        }
        Error::NoSuchLine { path, lines, .. } => {
            breakpoints(format!("{}:{lines}", lens.path(path)))
        }
        Error::UnknownBreakpoint { .. }
        | Error::NoSuchSource { .. }
        | Error::BadCondition { .. }
        | Error::BadHitCondition { .. }
        | Error::HitOutOfReach { .. }
        | Error::Refused { .. } => Call::new("debug_breakpoints"),
        Error::NoSuchFrame { .. } => stack(),
        Error::NoSuchThread { .. } => stack().with("all_threads", true),
        Error::ThreadsUnlisted { .. } => Call::new("debug_pause"),
        Error::NoSuchScope { known, .. } => scope(known),
        Error::NoSuchVariable { parent, near, .. } => variable(parent, near),
        Error::NothingToCompare { .. } => Call::new("debug_variables"),
        Error::NotKept { root, .. } => {
            Call::new("debug_variables").with("path", root.as_str()).with("diff", true)
        }
        Error::NotAPath { text } => {
            Call::new("debug_evaluate").with("expressions", vec![text.clone()])
        }
        Error::NoSuchElement { parent, count, .. } => Call::new("debug_variables")
            .with("path", parent.as_str())
            .with("start", count.saturating_sub(10)),
        Error::NotAmong { parent, looked_at, .. } => {
            Call::new("debug_variables").with("path", parent.as_str()).with("start", looked_at * 2)
        }
        Error::UnknownExceptionFilter { name, known, .. } => exceptions(name, known),
        Error::NoStepIntoOne { name } => Call::new("debug_continue").with("until", name.as_str()),
        Error::NoThreadAlone { .. } => Call::new("debug_continue"),
        Error::WhichCall { known, .. } => into(known),
        Error::NoStdin { .. } | Error::NoCores { .. } => {
            Call::new("debug_status").with("detail", "adapters")
        }
        Error::Unsupported { .. } => Call::new("debug_status").with("detail", "capabilities"),
        Error::CannotLetGo { .. } => Call::new("debug_stop").with("mode", "terminate"),
        Error::NotSet { target, .. }
        | Error::DoesNotFit { target, .. }
        | Error::StillTheSame { target, .. } => {
            Call::new("debug_evaluate").with("expressions", vec![target.clone()])
        }
        Error::BadPattern { .. } => Call::new("debug_output").with("tail", 50),
        Error::NoAdapter { tests, .. } => match tests.first() {
            Some(command) => Call::new("debug_launch").with("command", command.as_str()),
            None => Call::new("debug_status").with("detail", "adapters"),
        },
        Error::NoTest { near, alike, commands, .. } => {
            match (near.first().filter(|_| *alike), commands.first()) {
                (Some(test), _) => Call::new("debug_launch").with("test", test.as_str()),
                (None, Some(command)) => {
                    Call::new("debug_launch").with("command", command.as_str())
                }
                (None, None) => Call::new("debug_targets"),
            }
        }
        Error::NoSuchProcess { .. } | Error::Traced { .. } | Error::NotPermitted { .. } => {
            Call::new("debug_status")
        }
        Error::AdapterNeeded { target, adapters } => Call::new("debug_attach")
            .with("address", target.as_str())
            .with("adapter", adapters.first().cloned().unwrap_or_default()),
        Error::Unreachable { address, .. } | Error::NoDebugger { address, .. } => {
            Call::new("debug_attach").with("address", address.as_str())
        }
        Error::WhichAdapter { .. } => Call::new("debug_status").with("detail", "adapters"),
        Error::BadPath { .. } => Call::new("debug_targets"),
        Error::IsCore { path } => {
            let options = format!("{{\"core\": {}}}", json_text(&lens.path(path)));
            Call::new("debug_launch")
                .with("program", "PROGRAM")
                .with("options", Literal::Json(options))
        }
        Error::DumpedByAnother { program, dumper, .. } if program == dumper => {
            Call::new("debug_launch").with("program", lens.path(program).as_str())
        }
        Error::DumpedByAnother { core, dumper, .. } => Call::new("debug_launch")
            .with("program", lens.path(dumper).as_str())
            .with("core", lens.path(core).as_str()),
        Error::Plugin { code: "target-missing" | "target-ambiguous", .. } => {
            Call::new("debug_targets")
        }
        Error::Plugin { .. } | Error::BadOption { .. } | Error::Limit { .. } => {
            Call::new("debug_status").with("detail", "adapters")
        }
        Error::BuildFailed { .. } => Call::new("debug_restart"),
        Error::Spawn { .. }
        | Error::AdapterDied { .. }
        | Error::ConnectionLost { .. }
        | Error::NotParted { .. } => Call::new("debug_status").with("detail", "log"),
        Error::AdapterSilent { .. } | Error::AdapterRefused { .. } => {
            Call::new("debug_status").with("detail", "log")
        }
    }
}

/// A step into a call whose name means it alone, or into whatever is called first.
fn into(known: &[String]) -> Call {
    let step = Call::new("debug_step").with("kind", "in");
    match known.iter().find(|one| known.iter().filter(|other| other == one).count() == 1) {
        Some(label) => step.with("into", label.as_str()),
        None => step,
    }
}

fn scope(known: &[String]) -> Call {
    match known.first() {
        Some(name) => Call::new("debug_variables").with("scope", name.as_str()),
        None => Call::new("debug_variables"),
    }
}

/// The path with its wrong part replaced by the likeliest name.
fn variable(parent: &str, near: &[String]) -> Call {
    let path = near.first().map_or_else(|| parent.to_owned(), |name| below(parent, name));
    let call = Call::new("debug_variables");
    if path.is_empty() { call } else { call.with("path", path) }
}

/// The path of what is listed as `name` inside of `parent`: `cart.items`, `ages['Ada']`, `list[3]`,
/// `map["a.b"]`.
pub fn below(parent: &str, name: &str) -> String {
    let plain =
        name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | ':' | '#' | '<' | '>'));
    let quoted = name.len() > 1 && name.starts_with(['"', '\'']);
    match (parent, name) {
        ("", name) => name.to_owned(),
        (parent, name) if name.starts_with('[') => format!("{parent}{name}"),
        (parent, name) if quoted => format!("{parent}[{name}]"),
        (parent, name) if plain => format!("{parent}.{name}"),
        (parent, name) => format!("{parent}[{}]", json_text(name)),
    }
}

fn exceptions(name: &str, known: &[String]) -> Call {
    Call::new("debug_breakpoints").with("exceptions", vec![exception_word(name, known)])
}

/// The word for exceptions that was meant; where none is near, one that catches whatever was.
pub fn exception_word(name: &str, known: &[String]) -> String {
    let wide =
        || ["all", "uncaught"].into_iter().find(|wide| known.iter().any(|word| word == wide));
    let near = nearest(name, known.iter().map(String::as_str)).or_else(wide);
    near.or(known.first().map(String::as_str)).unwrap_or("none").to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
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
        check(Error::NoSession, "error[no-session] no session is open. Try: debug_targets");
        check(
            Error::WhichSession { open: names(["a-1"]), ended: names(["b-2"]) },
            "error[which-session] 2 sessions could be meant; open: a-1; ended: b-2. Try: debug_status",
        );
        check(
            Error::UnknownSession { name: "x".into(), open: vec![], ended: vec![] },
            "error[unknown-session] there is no session `x`. Try: debug_status",
        );
        check(
            Error::Ended { session: "a-1".into(), cause: None, restarts: true },
            r#"error[ended] session a-1 has ended. Try: debug_output {"session": "a-1", "tail": 50}"#,
        );
        check(
            Error::Ended {
                session: "a-1".into(),
                cause: Some("the adapter ended during the run: signal 9".into()),
                restarts: false,
            },
            r#"error[ended] session a-1 has ended: the adapter ended during the run: signal 9. Try: debug_output {"session": "a-1", "tail": 50}"#,
        );
        check(
            Error::Ended {
                session: "a-1".into(),
                cause: Some("the adapter ended".into()),
                restarts: true,
            },
            r#"error[ended] session a-1 has ended: the adapter ended. Try: debug_restart {"session": "a-1"}"#,
        );
    }

    #[test]
    fn phases_lead_to_the_call_that_changes_them() {
        check(Error::NotStopped, "error[not-stopped] the debuggee is running. Try: debug_pause");
        check(
            Error::NotRunning,
            "error[not-running] the debuggee is stopped already. Try: debug_continue",
        );
        check(
            Error::NotReady { doing: "building".into() },
            "error[not-ready] the session is still building. Try: debug_wait",
        );
        check(
            Error::Superseded,
            r#"error[superseded] the debuggee moved on before the answer was complete. Try: debug_wait {"timeout_s": 10}"#,
        );
    }

    #[test]
    fn places_are_corrected() {
        check(
            Error::NoSuchSource { path: "/w/ap.py".into(), near: vec!["/w/cart/app.py".into()] },
            r#"error[no-such-source] there is no file ap.py. Try: debug_breakpoints {"set": ["cart/app.py:1"]}"#,
        );
        check(
            Error::Unreachable { address: "box:1".into(), cause: "connection refused".into() },
            "error[unreachable] nothing answers at box:1: connection refused. \
             Try: debug_attach {\"address\": \"box:1\"} (once something listens there)",
        );
        let busy = Error::Busy { expression: "f()".into(), since: Duration::from_millis(2_600) };
        let again = Call::new("debug_stack");
        assert_eq!(
            error(&busy, &lens(), &Failed { next: Some(again), session: None }).text,
            "error[busy] the debugger is still evaluating `f()`, for 3 s now, and answers nothing else. \
             Try: debug_stack (later; debug_stop ends it)"
        );
        check(
            Error::NoSuchLine { path: "/w/app.py".into(), line: 90, lines: 88 },
            r#"error[no-such-line] app.py has 88 lines, there is no line 90. Try: debug_breakpoints {"set": ["app.py:88"]}"#,
        );
        check(
            Error::UnknownBreakpoint { id: 9, known: vec![1, 2] },
            "error[unknown-breakpoint] there is no breakpoint #9; there are #1, #2. Try: debug_breakpoints",
        );
    }

    #[test]
    fn names_are_corrected() {
        check(
            Error::NoSuchVariable {
                parent: "cart.items[0]".into(),
                segment: "prise".into(),
                near: names(["price", "kind"]),
            },
            "error[no-such-variable] cart.items[0] has no `prise`; there are price, kind. \
             Try: debug_variables {\"path\": \"cart.items[0].price\"}",
        );
        check(
            Error::NotAPath { text: "items.pop()".into() },
            "error[not-a-path] `items.pop()` is not a path to a variable. \
             Try: debug_evaluate {\"expressions\": [\"items.pop()\"]}",
        );
        check(
            Error::NoSuchElement { parent: "cart.items".into(), number: 300, count: 20 },
            "error[no-such-variable] cart.items has no element 300: it has 20. \
             Try: debug_variables {\"path\": \"cart.items\", \"start\": 10}",
        );
        check(
            Error::UnknownExceptionFilter {
                name: "al".into(),
                known: names(["all", "uncaught"]),
                types: None,
            },
            "error[unknown-exception-filter] `al` is no exception filter here; there are all, uncaught. \
             Try: debug_breakpoints {\"exceptions\": [\"all\"]}",
        );
        check(
            Error::UnknownExceptionFilter {
                name: "al".into(),
                known: names(["all"]),
                types: Some("KeyError".into()),
            },
            "error[unknown-exception-filter] `al` is no exception filter here; there are all, and types by their names \
             (KeyError). Try: debug_breakpoints {\"exceptions\": [\"all\"]}",
        );
        check(
            Error::UnknownExceptionFilter {
                name: "std::runtime_error".into(),
                known: names(["rust_panic", "uncaught", "none"]),
                types: None,
            },
            "error[unknown-exception-filter] `std::runtime_error` is no exception filter here; there are rust_panic, \
             uncaught, none. Try: debug_breakpoints {\"exceptions\": [\"uncaught\"]}",
        );
        check(
            Error::NoSuchThread { asked: "9".into(), known: names(["1 main"]) },
            r#"error[no-such-thread] there is no thread 9; there are 1 main. Try: debug_stack {"all_threads": true}"#,
        );
        check(
            Error::NoSuchFrame { index: 9, count: 3 },
            "error[no-such-frame] there is no frame 9; the stack has 3. Try: debug_stack",
        );
    }

    #[test]
    fn calls_of_a_line_are_told() {
        check(
            Error::NoStepIntoOne { name: "tax".into() },
            "error[unsupported] this adapter cannot step into `tax` alone, only into whatever is called first. \
             Try: debug_continue {\"until\": \"tax\"}",
        );
        check(
            Error::NoThreadAlone { thread: 3 },
            "error[unsupported] this adapter lets thread 3 go on only with all others. Try: debug_continue",
        );
        check(
            Error::WhichCall {
                name: "tax".into(),
                fitting: 2,
                known: names(["tax", "tax", "net"]),
            },
            "error[which-call] 2 calls here are of `tax`; there are tax, tax, net. \
             Try: debug_step {\"kind\": \"in\", \"into\": \"net\"}",
        );
        check(
            Error::WhichCall { name: "tax".into(), fitting: 0, known: vec![] },
            "error[which-call] the debugger sees no call here that it could step into by name. \
             Try: debug_step {\"kind\": \"in\"}",
        );
    }

    #[test]
    fn other_peoples_words_are_kept() {
        check(
            Error::Plugin {
                code: "tool-missing",
                message: "no interpreter.".into(),
                hint: Some("install one.".into()),
                broken: false,
            },
            "error[tool-missing] no interpreter. Try: install one",
        );
        check(
            Error::AdapterSilent {
                command: "launch".into(),
                after: Duration::from_secs(20),
                limit: "start_s",
            },
            "error[adapter-silent] the adapter did not answer launch within 20 s. \
             Try: debug_status {\"detail\": \"log\"} (or raise start_s under [limits])",
        );
    }

    #[test]
    fn the_session_that_was_meant_is_named() {
        let failed = Failed { next: None, session: Some("py-2") };
        let told = |it: Error| {
            error(&it, &lens(), &failed).text.split("Try: ").last().unwrap_or_default().to_owned()
        };
        assert_eq!(told(Error::NotStopped), r#"debug_pause {"session": "py-2"}"#);
        let built = Error::BuildFailed { message: "a.c:1: error\nstop".into(), hint: None };
        assert_eq!(told(built), r#"debug_restart {"session": "py-2"} (once it builds)"#);
        assert_eq!(told(Error::NoSession), "debug_targets");
        let ended = Error::Ended { session: "a-1".into(), cause: None, restarts: true };
        assert_eq!(told(ended), r#"debug_output {"session": "a-1", "tail": 50}"#);
    }

    #[test]
    fn a_path_leads_to_what_is_listed() {
        for (parent, name, path) in [
            ("", "cart", "cart"),
            ("cart", "items", "cart.items"),
            ("list", "[3]", "list[3]"),
            ("d", "'t23'", "d['t23']"),
            ("d", "\"a.b\"", "d[\"a.b\"]"),
            ("d", "a.b", "d[\"a.b\"]"),
            ("m", "[\"zone\"]", "m[\"zone\"]"),
            ("größe", "straße_2", "größe.straße_2"),
        ] {
            assert_eq!(below(parent, name), path);
        }
    }

    #[test]
    fn a_core_goes_with_its_program() {
        check(
            Error::IsCore { path: lens().workspace.join("core.1") },
            "error[bad-path] core.1 is a core file, which is opened with the program that dumped it. \
             Try: debug_launch {\"program\": \"PROGRAM\", \"options\": {\"core\": \"core.1\"}}",
        );
    }

    #[test]
    fn builders_lines_are_kept() {
        check(
            Error::BuildFailed { message: "a.c:1: error\nstop".into(), hint: None },
            "error[build-failed] a.c:1: error\n  stop\nTry: debug_restart (once it builds)",
        );
    }

    #[test]
    fn what_is_not_permitted_says_what_permits_it() {
        let told = |owner, scope| {
            let it = Error::NotPermitted { message: "ptrace: no".into(), owner, scope };
            error(&it, &lens(), &Failed::default()).text
        };
        let container = "start its container with --cap-add=SYS_PTRACE and a seccomp profile that allows ptrace)";
        let head =
            "error[not-permitted] ptrace: no. Try: debug_status (once the system permits it: ";
        assert_eq!(told(None, None), format!("{head}{container}"));
        let ways = "run dapdock as root, or as user 7 and set /proc/sys/kernel/yama/ptrace_scope, which is 1, to 0, or ";
        assert_eq!(told(Some(7), Some(1)), format!("{head}{ways}{container}"));
        let ways =
            "start the machine with /proc/sys/kernel/yama/ptrace_scope, which is 3, at 0, or ";
        assert_eq!(told(None, Some(3)), format!("{head}{ways}{container}"));
    }
}
