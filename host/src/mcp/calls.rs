//! Calls by the names that other debug servers, editors and debuggers have for them: `stepInto`,
//! `backtrace`, `set_breakpoint`.
//!
//! Refuses to know arguments, apart from those that a name stands for.

use serde_json::{Map, Value};

/// A call by the names for it, without `debug` and without the way words are joined.
const CALLS: [(&str, &[&str]); 22] = [
    (
        "debug_launch",
        &[
            "launch",
            "run",
            "start",
            "startdebugging",
            "startsession",
            "createsession",
            "create",
            "createdebugsession",
            "startprogram",
            "session",
            "debug",
            "execute",
            "test",
        ],
    ),
    ("debug_attach", &["attach", "attachtoprocess", "attachprocess", "connect"]),
    (
        "debug_stop",
        &[
            "kill",
            "terminate",
            "disconnect",
            "quit",
            "exit",
            "end",
            "close",
            "detach",
            "stopdebugging",
            "stopsession",
            "endsession",
            "closesession",
            "closedebugsession",
            "terminatesession",
            "terminateprogram",
        ],
    ),
    (
        "debug_continue",
        &["resume", "continueexecution", "continueprogram", "runto", "runtoline", "cont"],
    ),
    (r#"debug_continue {"reverse": true}"#, &["reversecontinue"]),
    (r#"debug_step {"kind": "over"}"#, &["next", "stepover", "stepnext", "stepline"]),
    (r#"debug_step {"kind": "in"}"#, &["stepin", "stepinto", "into"]),
    (r#"debug_step {"kind": "out"}"#, &["stepout", "finish", "stepreturn", "return"]),
    (r#"debug_step {"kind": "back"}"#, &["stepback", "reversestep"]),
    (
        r#"debug_step {"granularity": "instruction"}"#,
        &["stepi", "stepinstruction", "nexti", "nextinstruction"],
    ),
    (
        "debug_stack",
        &[
            "backtrace",
            "bt",
            "where",
            "frames",
            "frame",
            "callstack",
            "getcallstack",
            "getstack",
            "stacktrace",
            "getstacktrace",
            "getbacktrace",
            "showstack",
        ],
    ),
    (r#"debug_stack {"all_threads": true}"#, &["threads", "thread", "listthreads", "getthreads"]),
    (
        "debug_variables",
        &[
            "locals",
            "local",
            "scopes",
            "getscopes",
            "variable",
            "getvariables",
            "listvariables",
            "getlocalvariables",
            "getlocals",
            "showvariables",
            "inspect",
            "inspectvariable",
            "getvariable",
            "arguments",
            "getarguments",
            "dump",
        ],
    ),
    (
        "debug_evaluate",
        &[
            "eval",
            "evaluateexpression",
            "evalexpression",
            "evalvariable",
            "print",
            "expression",
            "expr",
            "watch",
            "repl",
            "addwatch",
        ],
    ),
    (
        "debug_breakpoints",
        &[
            "break",
            "breakpoint",
            "setbreakpoint",
            "setbreakpoints",
            "addbreakpoint",
            "removebreakpoint",
            "deletebreakpoint",
            "clearbreakpoints",
            "listbreakpoints",
            "getbreakpoints",
            "togglebreakpoint",
            "clearbreakpoint",
            "logpoint",
            "addlogpoint",
            "setfunctionbreakpoint",
            "setexceptionbreakpoints",
            "exceptions",
        ],
    ),
    (
        "debug_output",
        &[
            "console",
            "log",
            "logs",
            "readoutput",
            "getoutput",
            "programoutput",
            "getconsole",
            "stdout",
            "stderr",
            "terminal",
        ],
    ),
    (
        "debug_status",
        &[
            "info",
            "state",
            "getstate",
            "sessions",
            "listsessions",
            "getsessions",
            "sessioninfo",
            "getstatus",
            "capabilities",
            "adapters",
            "listadapters",
            "help",
        ],
    ),
    (
        "debug_targets",
        &["programs", "listtargets", "tests", "listtests", "configurations", "listconfigurations"],
    ),
    ("debug_set", &["setvariable", "assign", "setvalue", "setexpression", "modifyvariable"]),
    ("debug_pause", &["interrupt", "breakall", "halt", "suspend", "pauseexecution"]),
    ("debug_wait", &["waitforstop", "waitforbreakpoint", "waitforpause", "waitforevent"]),
    ("debug_restart", &["rerun", "relaunch", "restartsession"]),
];

/// The word among these that a name means: `stepInto` is `in`.
pub(super) fn word<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let (_, own) = of_name(name)?.split_once(' ')?;
    let own: Map<String, Value> = serde_json::from_str(own).ok()?;
    let mut words = own.values().filter_map(Value::as_str);
    words.find_map(|word| known.iter().find(|known| **known == word).copied())
}

/// The call for a tool of this name, without arguments of the caller.
pub(super) fn of_name(name: &str) -> Option<&'static str> {
    let letters = letters(name);
    let is_known = |names: &&[&str]| names.iter().any(|known| *known == letters);
    CALLS.into_iter().find(|(_, names)| is_known(names)).map(|(call, _)| call)
}

/// The name in small letters, without `debug` or `debugger` before it.
fn letters(name: &str) -> String {
    let name = name.to_lowercase();
    let words: Vec<&str> = name.split(['_', '-', '.', ' ', '/']).collect();
    let own = match words.as_slice() {
        ["debug" | "debugger" | "dap" | "dbg", rest @ ..] if !rest.is_empty() => rest,
        all => all,
    };
    own.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_servers_have_a_call() {
        for (name, expected) in [
            ("debug_kill", Some("debug_stop")),
            ("disconnect", Some("debug_stop")),
            ("step_in", Some(r#"debug_step {"kind": "in"}"#)),
            ("stepIn", Some(r#"debug_step {"kind": "in"}"#)),
            ("next", Some(r#"debug_step {"kind": "over"}"#)),
            ("get_stack_trace", Some("debug_stack")),
            ("debugger-list-threads", Some(r#"debug_stack {"all_threads": true}"#)),
            ("evaluate_expression", Some("debug_evaluate")),
            ("get_local_variables", Some("debug_variables")),
            ("create_debug_session", Some("debug_launch")),
            ("debug", Some("debug_launch")),
            ("debug_set_breakpoint", Some("debug_breakpoints")),
            ("debug_lanch", None),
            ("weather", None),
        ] {
            assert_eq!(of_name(name), expected, "{name}");
        }
    }

    #[test]
    fn a_name_means_a_word_of_its_call() {
        let kinds = ["in", "over", "out", "back"];
        for (name, expected) in [
            ("stepInto", Some("in")),
            ("step_over", Some("over")),
            ("finish", Some("out")),
            ("continue", None),
            ("stepi", None),
        ] {
            assert_eq!(word(name, &kinds), expected, "{name}");
        }
    }

    #[test]
    fn each_name_has_one_call() {
        let mut names: Vec<&str> =
            CALLS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for name in names {
            assert!(of_name(name).is_some(), "{name}");
        }
    }
}
