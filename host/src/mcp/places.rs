//! Places in several arguments, as DAP and other debug servers take them: `file` and `line`,
//! `source` and `lines`. The tools here take a place as one text.
//!
//! Knows which argument of a tool holds places. Refuses to know whether a place exists.

use serde_json::{Map, Value};

use super::declared::Declared;
use super::names::snake;

const FILES: [&str; 9] = [
    "file",
    "path",
    "source",
    "script",
    "filename",
    "file_name",
    "file_path",
    "source_file",
    "source_path",
];
const LINES: [&str; 6] = ["line", "lines", "line_number", "line_numbers", "lineno", "line_no"];
/// What an action on breakpoints is about, apart from a file and lines.
const OBJECTS: [&str; 9] = [
    "id",
    "ids",
    "breakpoint_id",
    "breakpoint_ids",
    "location",
    "place",
    "function",
    "function_name",
    "breakpoint",
];
const TARGETS: [&str; 3] = ["program", "command", "test"];

/// The arguments with the place that they name in the argument for places, which is named too; none
/// if `name` is no part of a place.
pub(super) fn joined(
    tool: &'static Declared,
    known: &Map<String, Value>,
    name: &str,
    given: &Map<String, Value>,
) -> Option<(&'static str, Map<String, Value>)> {
    let is_part = |names: &[&str]| names.contains(&snake(name).as_str());
    let is_of_place = is_part(&FILES) || is_part(&LINES) || name == "action";
    if !is_of_place && breakpoint_key(name).is_none() {
        return None;
    }
    let parts = Parts::of(known, given);
    let file = parts.file.and_then(|name| path(given.get(name)?));
    let mut next = given.clone();
    for name in [parts.file, parts.lines].into_iter().flatten() {
        next.shift_remove(name);
    }
    let list = match tool.name {
        "debug_breakpoints" => of_action(&mut next)?,
        "debug_launch" | "debug_attach" => "breakpoints",
        "debug_continue" => "until",
        _ => return None,
    };
    let is_launch = tool.name == "debug_launch";
    let own = given.get("program").filter(|_| is_launch).and_then(path);
    if is_launch && !TARGETS.iter().any(|name| given.contains_key(*name)) {
        next.shift_insert(0, "program".to_owned(), file.clone()?.into());
    }
    let Some(lines) = parts.lines.and_then(|name| given.get(name)) else {
        let next = match file {
            Some(file) => list_of_file(&file, given, next),
            None => listed(list, known, given, next),
        };
        return next.map(|next| (list, next));
    };
    let file = file.or(own);
    // A line without a file is in the file of the stop.
    if file.is_none() && !matches!(list, "set" | "until") {
        return None;
    }
    let mut places = Vec::new();
    for line in numbers(lines)? {
        let place = file.as_ref().map_or_else(|| line.to_string(), |file| format!("{file}:{line}"));
        places.push(Value::from(place));
    }
    if list == "until" {
        next.insert(list.to_owned(), places.into_iter().next()?);
        return Some((list, next));
    }
    match next.entry(list).or_insert_with(|| Value::Array(Vec::new())) {
        Value::Array(items) => items.extend(places),
        other => *other = Value::Array(places),
    }
    Some((list, next))
}

/// The key of a breakpoint that this name means.
pub(super) fn breakpoint_key(name: &str) -> Option<&'static str> {
    Some(match snake(name).as_str() {
        "condition" => "condition",
        "hit_condition" | "hit_count" | "ignore_count" => "hit_condition",
        "log" | "log_message" => "log",
        "every" => "every",
        "max_hits" => "max_hits",
        _ => return None,
    })
}

/// The names of arguments that the tool does not have.
struct Parts<'a> {
    file: Option<&'a str>,
    lines: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(known: &Map<String, Value>, given: &'a Map<String, Value>) -> Self {
        let find = |names: &[&str]| {
            let mut given = given.iter().filter(|(_, value)| !value.is_null());
            let found = given.find(|(name, _)| {
                !known.contains_key(*name) && names.contains(&snake(name).as_str())
            });
            found.map(|(name, _)| name.as_str())
        };
        Self { file: find(&FILES), lines: find(&LINES) }
    }
}

/// A path, or that of a source (DAP).
fn path(value: &Value) -> Option<String> {
    value.as_str().or_else(|| value.get("path")?.as_str()).map(str::to_owned)
}

/// One line or several.
fn numbers(value: &Value) -> Option<Vec<u64>> {
    let number = |value: &Value| value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
    match value {
        Value::Array(items) if !items.is_empty() => items.iter().map(number).collect(),
        single => Some(vec![number(single)?]),
    }
}

/// The list that an action is about; the action itself is no argument. None for another action.
fn of_action(next: &mut Map<String, Value>) -> Option<&'static str> {
    let action = next.shift_remove("action");
    Some(match action.as_ref().and_then(Value::as_str).map(snake).as_deref() {
        Some("remove" | "delete" | "clear" | "unset") => "remove",
        Some("enable") => "enable",
        Some("disable") => "disable",
        None | Some("set" | "add" | "create" | "toggle") => "set",
        Some(_) => return None,
    })
}

/// The arguments with the number or place of an action in its list.
fn listed(
    list: &str,
    known: &Map<String, Value>,
    given: &Map<String, Value>,
    mut next: Map<String, Value>,
) -> Option<Map<String, Value>> {
    given.get("action")?;
    let is_object =
        |name: &&String| !known.contains_key(*name) && OBJECTS.contains(&snake(name).as_str());
    let name = given.keys().find(is_object)?;
    let object = next.shift_remove(name)?;
    next.insert(list.to_owned(), object);
    Some(next)
}

/// The arguments with the file in each breakpoint of the list: DAP names it once for all.
fn list_of_file(
    file: &str,
    given: &Map<String, Value>,
    mut next: Map<String, Value>,
) -> Option<Map<String, Value>> {
    let name = ["breakpoints", "set"].into_iter().find(|name| given.contains_key(*name))?;
    for item in next.get_mut(name)?.as_array_mut()? {
        match item {
            Value::Object(fields) if fields.contains_key("line") => {
                fields.entry("file").or_insert_with(|| file.into());
            }
            Value::Number(line) => *item = format!("{file}:{line}").into(),
            _ => return None,
        }
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::mcp::arguments;
    use crate::mcp::registry::declared;

    #[track_caller]
    fn intended(tool: &str, given: &Value, expect: Value) {
        let tool = declared().find(|declared| declared.name == tool).unwrap();
        let next = arguments::intended(tool, given.as_object().cloned().unwrap());
        assert_eq!(Value::Object(next), expect, "{given}");
    }

    #[test]
    fn file_and_line_are_one_place() {
        for (tool, given, expect) in [
            ("debug_breakpoints", json!({"file": "a.py", "line": 5}), json!({"set": ["a.py:5"]})),
            (
                "debug_breakpoints",
                json!({"fileName": "a.py", "lineNumber": "5", "sessionId": "s"}),
                json!({"session": "s", "set": ["a.py:5"]}),
            ),
            (
                "debug_breakpoints",
                json!({"path": "a.py", "lines": [5, 7], "condition": "x > 1"}),
                json!({"set": [
                    {"at": "a.py:5", "condition": "x > 1"},
                    {"at": "a.py:7", "condition": "x > 1"},
                ]}),
            ),
            (
                "debug_breakpoints",
                json!({"logMessage": "x={x}", "file": "a.py", "line": 5}),
                json!({"set": [{"at": "a.py:5", "log": "x={x}"}]}),
            ),
            (
                "debug_breakpoints",
                json!({"source": {"path": "a.py"}, "breakpoints": [{"line": 5}, 7]}),
                json!({"set": [{"line": 5, "file": "a.py"}, "a.py:7"]}),
            ),
            ("debug_breakpoints", json!({"line": 5}), json!({"set": ["5"]})),
            ("debug_continue", json!({"line": 31}), json!({"until": "31"})),
            ("debug_continue", json!({"file": "a.py", "line": 31}), json!({"until": "a.py:31"})),
            (
                "debug_launch",
                json!({"path": "a.py", "line": 5}),
                json!({"program": "a.py", "breakpoints": ["a.py:5"]}),
            ),
            (
                "debug_launch",
                json!({"program": "a.py", "line": 5, "breakpoints": ["f"]}),
                json!({"program": "a.py", "breakpoints": ["f", "a.py:5"]}),
            ),
            (
                "debug_launch",
                json!({"program": "main", "file": "a.c", "line": 5}),
                json!({"program": "main", "breakpoints": ["a.c:5"]}),
            ),
            ("debug_launch", json!({"command": "make", "line": 5}), json!({"command": "make"})),
        ] {
            intended(tool, &given, expect);
        }
    }

    #[test]
    fn action_chooses_the_list() {
        for (given, expect) in [
            (json!({"action": "set", "file": "a.py", "line": 5}), json!({"set": ["a.py:5"]})),
            (json!({"action": "remove", "file": "a", "line": 5}), json!({"remove": ["a:5"]})),
            (json!({"action": "delete", "id": 3}), json!({"remove": ["3"]})),
            (json!({"action": "disable", "breakpointId": 3}), json!({"disable": ["3"]})),
            (json!({"action": "add", "location": "a.py:5"}), json!({"set": ["a.py:5"]})),
            (json!({"action": "list"}), json!({})),
        ] {
            intended("debug_breakpoints", &given, expect);
        }
    }

    #[test]
    fn names_of_other_servers_are_intended() {
        for (tool, given, expect) in [
            ("debug_step", json!({"action": "stepIn"}), json!({"kind": "in"})),
            ("debug_step", json!({"kind": "stepInto"}), json!({"kind": "in"})),
            ("debug_step", json!({"stepType": "return"}), json!({"kind": "out"})),
            (
                "debug_step",
                json!({"steps": 3, "kind": "next"}),
                json!({"count": 3, "kind": "over"}),
            ),
            (
                "debug_continue",
                json!({"threadId": 1, "timeoutMs": 2500}),
                json!({"thread": "1", "timeout_s": 2.5}),
            ),
            ("debug_continue", json!({"to": "a.py:31"}), json!({"until": "a.py:31"})),
            (
                "debug_launch",
                json!({"scriptPath": "a.py", "stopOnEntry": true, "workingDirectory": "b"}),
                json!({"program": "a.py", "stop_on_entry": true, "cwd": "b"}),
            ),
            ("debug_launch", json!({"configuration": "a"}), json!({"options": {"config": "a"}})),
            (
                "debug_launch",
                json!({"program": "a", "stdin": "f"}),
                json!({"program": "a", "options": {"stdin": "f"}}),
            ),
            ("debug_attach", json!({"processId": 7}), json!({"pid": 7})),
            (
                "debug_evaluate",
                json!({"expression": "x", "frameId": 1}),
                json!({"expressions": ["x"], "frame": 1}),
            ),
            ("debug_targets", json!({"program": "a.py"}), json!({"filter": "a.py"})),
            ("debug_breakpoints", json!({"filters": ["all"]}), json!({"exceptions": ["all"]})),
            (
                "debug_breakpoints",
                json!({"function": "main", "condition": "x"}),
                json!({"set": [{"at": "main", "condition": "x"}]}),
            ),
        ] {
            intended(tool, &given, expect);
        }
    }
}
