//! Exit codes, and errors as data.

use std::process::ExitCode;

use serde_json::{Value, json};

use super::calls;
use crate::mcp::Answer;

/// The exit codes of the commands that call a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Done.
    Done = 0,
    /// Any other error.
    Error = 1,
    /// Wrong arguments.
    Usage = 2,
    /// No such program, file, process or session.
    NotFound = 3,
    /// The time limit was reached.
    TimeLimit = 4,
    /// The session is in another state: none is open, it runs, it is stopped, it has ended.
    State = 5,
    /// Something has to be installed.
    Missing = 6,
}

/// The exit codes and their meanings.
pub fn codes() -> Value {
    json!({
        "0": "done", "1": "error", "2": "wrong usage",
        "3": "not found: program, file, process, session", "4": "time limit",
        "5": "wrong state: no session open, running, stopped, ended", "6": "something to install",
    })
}

/// For the help.
pub const HELP: &str = "\
Exit codes: 0 done, 1 error, 2 wrong usage, 3 not found (program, file, process, session), \
4 time limit, 5 wrong state (no session open, running, stopped, ended), 6 something to install";

/// Codes of errors whose exit code is not 1.
const OF_ERRORS: &[(&str, Code)] = &[
    ("adapter-silent", Code::TimeLimit),
    ("bad-argument", Code::Usage),
    ("bad-condition", Code::Usage),
    ("bad-hit-condition", Code::Usage),
    ("bad-path", Code::NotFound),
    ("bad-pattern", Code::Usage),
    ("editor-joined", Code::State),
    ("ended", Code::State),
    ("ending", Code::State),
    ("evaluate-timeout", Code::TimeLimit),
    ("mirrored", Code::State),
    ("no-adapter", Code::NotFound),
    ("no-exception", Code::State),
    ("no-program", Code::State),
    ("no-session", Code::State),
    ("no-such-process", Code::NotFound),
    ("no-such-source", Code::NotFound),
    ("not-a-path", Code::Usage),
    ("not-ready", Code::State),
    ("not-running", Code::State),
    ("not-stopped", Code::State),
    ("post-mortem", Code::State),
    ("session-taken", Code::State),
    ("superseded", Code::State),
    ("target-ambiguous", Code::Usage),
    ("target-missing", Code::NotFound),
    ("tool-missing", Code::Missing),
    ("tool-too-old", Code::Missing),
    ("unknown-breakpoint", Code::NotFound),
    ("unknown-exception-filter", Code::Usage),
    ("unknown-session", Code::NotFound),
    ("unreachable", Code::NotFound),
    ("which-adapter", Code::Usage),
    ("which-session", Code::State),
];

/// Errors after which the same call may succeed.
const RETRYABLE: &[&str] = &[
    "adapter-died",
    "adapter-silent",
    "busy",
    "connection-lost",
    "not-ready",
    "session-taken",
    "superseded",
];

impl Code {
    /// That of an answer. A wait that ran out is the time limit; an expression without a value and
    /// a session that failed are errors.
    pub fn of(answer: &Answer, waits: bool) -> Self {
        if answer.is_error {
            let code = answer.data.pointer("/error/code").and_then(Value::as_str);
            return Self::of_error(code.unwrap_or_default());
        }
        let has = |key: &str| answer.data.pointer(key).is_some_and(|value| !value.is_null());
        let event = answer.data.pointer("/data/event").and_then(Value::as_str);
        match event {
            Some("running") if waits => Self::TimeLimit,
            _ if has("/data/exit/cause") || has("/data/results/0/error") => Self::Error,
            _ => Self::Done,
        }
    }

    fn of_error(code: &str) -> Self {
        let found = OF_ERRORS.iter().find(|(known, _)| *known == code);
        found.map_or(Self::Error, |(_, exit)| *exit)
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        Self::from(code as u8)
    }
}

/// An error to print.
pub struct Failure {
    code: String,
    message: String,
    fix: String,
    /// As an agent reads it.
    pub text: String,
}

impl Failure {
    /// That of an answer.
    pub fn of(answer: &Answer) -> Self {
        let of = |key: &str| {
            let found = answer.data.pointer(key).and_then(Value::as_str);
            found.unwrap_or_default().to_owned()
        };
        Self {
            code: of("/error/code"),
            message: calls::rewritten(&of("/error/message")),
            fix: calls::rewritten(&of("/error/next")),
            text: calls::rewritten(&answer.text),
        }
    }

    /// A command line that cannot be read.
    pub fn usage(cause: String) -> Self {
        Self::new("bad-argument", cause, "dapdock help")
    }

    /// No host answers.
    pub fn host(cause: String) -> Self {
        Self::new("no-host", cause, "dapdock host log")
    }

    /// That of a launch which gives the program our standard input: a proposed launch without one
    /// would do so again.
    pub fn without_stdin(mut self) -> Self {
        if self.fix.starts_with("dapdock launch ") && !self.fix.contains("stdin=") {
            let fix = format!("{} < /dev/null", self.fix);
            if let Some(cause) = self.text.strip_suffix(&self.fix) {
                self.text = format!("{cause}{fix}");
            }
            self.fix = fix;
        }
        self
    }

    /// The exit code.
    pub fn exit(&self) -> Code {
        Code::of_error(&self.code)
    }

    /// An error that no host has written.
    pub fn new(code: &str, message: String, fix: &str) -> Self {
        let text = format!("error[{code}] {message}. Try: {fix}");
        Self { code: code.to_owned(), message, fix: fix.to_owned(), text }
    }

    pub fn json(&self) -> Value {
        let retryable = RETRYABLE.contains(&self.code.as_str());
        json!({
            "ok": false,
            "error": {
                "code": self.code, "message": self.message, "retryable": retryable,
                "fix": self.fix,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(is_error: bool, data: Value) -> Answer {
        Answer { text: String::new(), is_error, data }
    }

    #[test]
    fn answers_have_exit_codes() {
        for (is_error, data, code) in [
            (false, json!({"data": {"event": "stopped"}}), Code::Done),
            (false, json!({"data": {"event": "running"}}), Code::TimeLimit),
            (false, json!({"data": {"exit": {"cause": "the adapter ended"}}}), Code::Error),
            (false, json!({"data": {"exit": {"code": 1, "cause": null}}}), Code::Done),
            (false, json!({"data": {"results": [{"error": "no x"}]}}), Code::Error),
            (false, Value::Null, Code::Done),
            (true, json!({"error": {"code": "unknown-session"}}), Code::NotFound),
            (true, json!({"error": {"code": "no-session"}}), Code::State),
            (true, json!({"error": {"code": "session-taken"}}), Code::State),
            (true, json!({"error": {"code": "mirrored"}}), Code::State),
            (true, json!({"error": {"code": "editor-joined"}}), Code::State),
            (true, json!({"error": {"code": "tool-missing"}}), Code::Missing),
            (true, json!({"error": {"code": "bad-argument"}}), Code::Usage),
            (true, json!({"error": {"code": "limit"}}), Code::Error),
            (true, Value::Null, Code::Error),
        ] {
            assert_eq!(Code::of(&answer(is_error, data.clone()), true), code, "{data}");
        }
        let running = answer(false, json!({"data": {"event": "running"}}));
        assert_eq!(Code::of(&running, false), Code::Done);
    }
}
