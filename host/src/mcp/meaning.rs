//! Tools by what other debug servers, editors and debuggers call them: `stepInto`, `backtrace`,
//! `set_breakpoint`. For a call of a tool that does not exist.
//!
//! Knows names of tools only: `arguments` knows what an argument means.

use serde_json::{Map, Value};

use super::arguments;
use super::declared::Declared;
use super::request::Request;

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
    (r#"debug_step {"kind": "in"}"#, &["stepin", "stepinto"]),
    (r#"debug_step {"kind": "out"}"#, &["stepout", "finish", "stepreturn"]),
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

/// The call for a tool of this name with these arguments; none if the name says nothing, or of a
/// tool that is not among `tools`.
pub(super) fn call(
    name: &str,
    given: Map<String, Value>,
    mut tools: impl Iterator<Item = &'static Declared>,
) -> Option<String> {
    let call = of_name(name)?;
    let (tool, own) = call.split_once(' ').unwrap_or((call, "{}"));
    let tool = tools.find(|declared| declared.name == tool)?;
    if given.is_empty() {
        return Some(call.to_owned());
    }
    let own: Map<String, Value> = serde_json::from_str(own).unwrap_or_default();
    let mut arguments = arguments::intended(tool, given);
    arguments.extend(own);
    Some(Request::new(tool, arguments).text())
}

/// The call for a tool of this name, without arguments of the caller.
fn of_name(name: &str) -> Option<&'static str> {
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
    use serde_json::json;

    use super::*;
    use crate::mcp::registry::declared;

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
    fn arguments_have_the_names_of_the_tool() {
        for (name, given, expected) in [
            ("eval_variable", json!({}), "debug_evaluate"),
            (
                "eval_variable",
                json!({"expression": "total"}),
                r#"debug_evaluate {"expressions": ["total"]}"#,
            ),
            (
                "get_variables",
                json!({"variable": "cart.items", "frame": "1"}),
                r#"debug_variables {"path": "cart.items", "frame": 1}"#,
            ),
            (
                "step_in",
                json!({"session": "py-1"}),
                r#"debug_step {"session": "py-1", "kind": "in"}"#,
            ),
            (
                "set_breakpoint",
                json!({"breakpoint": "a.py:3"}),
                r#"debug_breakpoints {"set": ["a.py:3"]}"#,
            ),
        ] {
            let given = given.as_object().cloned().unwrap();
            assert_eq!(call(name, given, declared()).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(call("eval", Map::new(), std::iter::empty()), None);
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
