//! Requests of DAP that start, move or end the debuggee, or change breakpoints and values: the host
//! sends them and keeps the state that they change. Knows the call that does the same.
//!
//! Refuses to send anything.

use serde_json::{Map, Value};

use crate::view::Call;

/// The call that does what the request would do, as far as its arguments say; else one that shows
/// what it needs. `None`: the caller may send the request.
pub(super) fn owner(command: &str, arguments: &Map<String, Value>) -> Option<Call> {
    let call = match command {
        "attach" => attach(arguments),
        "launch" => launch(arguments),
        "configurationDone" | "initialize" => Call::new("debug_status"),
        "continue" => Call::new("debug_continue"),
        "reverseContinue" => Call::new("debug_continue").with("reverse", true),
        "next" => Call::new("debug_step"),
        "stepIn" => Call::new("debug_step").with("kind", "in"),
        "stepOut" => Call::new("debug_step").with("kind", "out"),
        "stepBack" => Call::new("debug_step").with("kind", "back"),
        "pause" => Call::new("debug_pause"),
        "restart" => Call::new("debug_restart"),
        "disconnect" | "terminate" => Call::new("debug_stop"),
        "evaluate" => evaluate(arguments),
        "setExpression" => set(arguments, "expression"),
        "setVariable" => set(arguments, "name"),
        "setBreakpoints" => lines(arguments),
        "setFunctionBreakpoints" => functions(arguments),
        "setExceptionBreakpoints" => exceptions(arguments),
        _ => return None,
    };
    Some(call)
}

fn attach(arguments: &Map<String, Value>) -> Call {
    let mut pids = ["processId", "pid"].into_iter().filter_map(|name| arguments.get(name));
    match pids.find_map(Value::as_i64) {
        Some(pid) => Call::new("debug_attach").with("pid", pid),
        None => Call::new("debug_status"),
    }
}

fn launch(arguments: &Map<String, Value>) -> Call {
    match text(arguments, "program") {
        Some(program) => Call::new("debug_launch").with("program", program),
        None => Call::new("debug_targets"),
    }
}

/// In the context `repl` an adapter takes commands of the debugger.
fn evaluate(arguments: &Map<String, Value>) -> Call {
    match (text(arguments, "expression"), text(arguments, "context")) {
        (Some(command), Some("repl")) => Call::new("debug_command").with("command", command),
        (Some(expression), _) => {
            Call::new("debug_evaluate").with("expressions", vec![expression.to_owned()])
        }
        (None, _) => Call::new("debug_variables"),
    }
}

fn set(arguments: &Map<String, Value>, target: &str) -> Call {
    match (text(arguments, target), text(arguments, "value")) {
        (Some(target), Some(value)) => {
            Call::new("debug_set").with("target", target).with("value", value)
        }
        _ => Call::new("debug_variables"),
    }
}

fn lines(arguments: &Map<String, Value>) -> Call {
    let path = arguments.get("source").and_then(|source| source["path"].as_str());
    let mut places = Vec::new();
    for breakpoint in list(arguments, "breakpoints") {
        if let (Some(path), Some(line)) = (path, breakpoint["line"].as_u64()) {
            places.push(conditional(format!("{path}:{line}"), breakpoint));
        }
    }
    places_to_set(places)
}

fn functions(arguments: &Map<String, Value>) -> Call {
    let mut places = Vec::new();
    for breakpoint in list(arguments, "breakpoints") {
        if let Some(name) = breakpoint["name"].as_str() {
            places.push(conditional(name.to_owned(), breakpoint));
        }
    }
    places_to_set(places)
}

fn conditional(place: String, breakpoint: &Value) -> String {
    match breakpoint["condition"].as_str() {
        Some(condition) => format!("{place} if {condition}"),
        None => place,
    }
}

/// Without places the tool lists the breakpoints.
fn places_to_set(places: Vec<String>) -> Call {
    let call = Call::new("debug_breakpoints");
    if places.is_empty() { call } else { call.with("set", places) }
}

fn exceptions(arguments: &Map<String, Value>) -> Call {
    let call = Call::new("debug_breakpoints");
    let Some(Value::Array(filters)) = arguments.get("filters") else { return call };
    let names: Vec<_> = filters.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    call.with("exceptions", if names.is_empty() { vec!["none".to_owned()] } else { names })
}

fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    arguments.get(name).and_then(Value::as_str)
}

fn list<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    arguments.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
