//! Reads stops, scopes, threads and the end as js-debug tells them. Pure.

use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{StopClass, StopView, ThreadView};

/// The error's own words are the id of the exception; "Paused on exception" is all that the stop says.
pub fn view(body: &Value, info: &Value) -> Option<StopView> {
    if body["reason"] != "exception" {
        return None;
    }
    let title = info["exceptionId"].as_str()?.lines().next()?.to_owned();
    let class = match body["description"].as_str() {
        Some("Paused on promise rejection") => StopClass::ExceptionUncaught,
        _ if info["breakMode"] == "all" || info["breakMode"] == "always" => StopClass::ExceptionCaught,
        _ => StopClass::ExceptionUncaught,
    };
    Some(StopView { class, title, detail: None, skip_frames: 0 })
}

/// Closures are told as arguments of the function they surround.
pub fn scopes(mut body: Value) -> Option<Value> {
    for scope in body["scopes"].as_array_mut()? {
        let name = scope["name"].as_str().unwrap_or_default();
        if !["Local", "Block", "Catch", "With"].iter().any(|own| name.starts_with(own)) {
            scope["presentationHint"] = Value::Null;
        }
    }
    Some(body)
}

/// What run.sh writes last; a line of its own, wherever the program's output ended.
const EXITED: &str = "\u{1e}dapdock: exited with ";

/// What Node writes to the program's stderr because it is debugged.
const CHATTER: [&str; 4] = [
    "Debugger attached.",
    "Waiting for the debugger to disconnect...",
    "Debugger listening on ",
    "For help, see: https://nodejs.org/en/docs/inspector",
];

/// The program's own part of what came on stderr, and how it ended; none: all of it is the program's.
pub fn stderr(output: &str) -> Option<(String, Option<i64>)> {
    let (own, code) = match output.split_once(EXITED) {
        Some((own, rest)) => (own, rest.split('\u{1e}').next().and_then(|code| code.parse().ok())),
        None => (output, None),
    };
    let noise = |line: &&str| CHATTER.iter().any(|words| line.starts_with(words));
    if code.is_none() && !own.lines().any(|line| noise(&line)) {
        return None;
    }
    Some((own.split_inclusive('\n').filter(|line| !noise(line)).collect(), code))
}

/// Functions that are called without an object have the global one: `global.main` is `main`.
pub fn function(name: &str) -> Option<String> {
    name.strip_prefix("global.").map(str::to_owned)
}

/// Variables as the program has them: elements are `[0]`, without the length that stands beside them; no prototypes, and
/// no `this` that is not an object of the program's.
pub fn variables(mut body: Value) -> Option<Value> {
    let rows = body["variables"].as_array_mut()?;
    let element = |row: &Value| row["name"].as_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    let sequence = rows.iter().any(element);
    rows.retain(|row| match row["name"].as_str() {
        Some("[[Prototype]]") => false,
        Some("length") => !sequence,
        Some("this") => !matches!(row["value"].as_str(), Some("global" | "globalThis" | "undefined")),
        _ => true,
    });
    for row in rows {
        counted(row);
        if element(row) {
            row["name"] = format!("[{}]", row["name"].as_str().unwrap_or_default()).into();
        }
    }
    Some(body)
}

/// Of a sequence the elements count, not its length and what it inherits.
pub fn counted(row: &mut Value) {
    if row["indexedVariables"].as_i64().unwrap_or(0) > 0 {
        row["namedVariables"] = 0.into();
    }
}

/// `cart.js [4711]` is the program `cart.js`; the number tells only namesakes apart.
pub fn threads(names: &[&str]) -> Vec<ThreadView> {
    let short: Vec<&str> = names.iter().map(|name| without_pid(name)).collect();
    let label = |(name, own): (&&str, &&str)| {
        let alone = short.iter().filter(|other| *other == own).count() == 1;
        ThreadView { label: if alone { *own } else { *name }.into(), hidden: false, rank: 0 }
    };
    names.iter().zip(&short).map(label).collect()
}

fn without_pid(name: &str) -> &str {
    let cut = name.rsplit_once(" [").filter(|(_, rest)| {
        rest.strip_suffix(']').is_some_and(|pid| !pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit()))
    });
    cut.map_or(name, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_and_the_chatter_are_cut_out_of_stderr() {
        let told = |text: &str| stderr(text);
        assert_eq!(told("warning\n"), None);
        assert_eq!(told("Debugger attached.\n"), Some((String::new(), None)));
        let end = "oops\nWaiting for the debugger to disconnect...\n\u{1e}dapdock: exited with 139\u{1e}\n";
        assert_eq!(told(end), Some(("oops\n".into(), Some(139))));
        assert_eq!(told("no end\u{1e}dapdock: exited with 0\u{1e}\n"), Some(("no end".into(), Some(0))));
    }

    #[test]
    fn threads_are_named_by_their_program() {
        let labels = |names: &[&str]| threads(names).into_iter().map(|view| view.label).collect::<Vec<_>>();
        assert_eq!(labels(&["cart.js [12]", "[worker 1]"]), ["cart.js", "[worker 1]"]);
        assert_eq!(labels(&["a.js [1]", "a.js [2]"]), ["a.js [1]", "a.js [2]"]);
    }

    #[test]
    fn elements_are_numbered_and_stand_alone() {
        let told = json!({"variables": [
            {"name": "0", "value": "5"}, {"name": "length", "value": "1"}, {"name": "[[Prototype]]", "value": "Array(0)"},
        ]});
        assert_eq!(variables(told), Some(json!({"variables": [{"name": "[0]", "value": "5"}]})));
        let told = json!({"variables": [
            {"name": "this", "value": "global"}, {"name": "length", "value": "3"},
            {"name": "all", "value": "(9) […]", "indexedVariables": 9, "namedVariables": 1},
        ]});
        let read = variables(told).unwrap();
        assert_eq!(read["variables"][0]["name"], "length");
        assert_eq!(read["variables"][1]["namedVariables"], 0);
    }

    #[test]
    fn closures_are_no_locals() {
        let told = json!({"scopes": [
            {"name": "Block: f", "presentationHint": "locals"},
            {"name": "Closure (g)", "presentationHint": "arguments"},
        ]});
        let read = scopes(told).unwrap();
        assert_eq!(
            (&read["scopes"][0]["presentationHint"], &read["scopes"][1]["presentationHint"]),
            (&json!("locals"), &Value::Null)
        );
    }
}
