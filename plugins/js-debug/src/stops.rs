//! Reads stops, scopes, threads and the end as js-debug tells them. Pure.

use dapdock_plugin::prelude::*;
use dapdock_plugin::present::{StopClass, StopView, ThreadView};

/// The error's own words are the id of the exception; "Paused on exception" is all that the stop says.
pub fn view(body: &Value, info: &Value) -> Option<StopView> {
    if body["reason"] != "exception" {
        return None;
    }
    let (title, detail) = thrown(info["exceptionId"].as_str()?);
    let class = match body["description"].as_str() {
        Some("Paused on promise rejection") => StopClass::ExceptionUncaught,
        _ if info["breakMode"] == "all" || info["breakMode"] == "always" => StopClass::ExceptionCaught,
        _ => StopClass::ExceptionUncaught,
    };
    Some(StopView { class, title, detail, skip_frames: 0 })
}

/// What was thrown, in a line, and what helps. Of source that does not parse Node has the place first: `/a/app.ts:1`, the
/// line and a mark below it.
fn thrown(text: &str) -> (String, Option<String>) {
    let first = text.lines().next().unwrap_or_default();
    let placed =
        first.rsplit_once(':').filter(|(_, line)| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()));
    let error = placed.and_then(|_| text.lines().skip(1).find(|line| line.starts_with("SyntaxError: ")));
    let path = error.and(placed).map(|(path, _)| path.rsplit('/').next().unwrap_or(path));
    let typed = |path: &str| [".ts", ".mts", ".cts", ".tsx"].iter().any(|end| path.ends_with(end));
    let strange = first.contains("ERR_UNKNOWN_FILE_EXTENSION") && first.contains(".ts\"");
    let what = path.filter(|path| typed(path)).or(strange.then_some("FILE.ts"));
    let helps = |file| format!("this Node.js runs no TypeScript: `npx tsx {file}`, or compile it with source maps");
    (error.unwrap_or(first).to_owned(), what.map(helps))
}

/// Closures are told as arguments of the function they surround. The variables of a module, told as expensive to read,
/// which they are not, are the locals of its own code.
pub fn scopes(mut body: Value) -> Option<Value> {
    let scopes = body["scopes"].as_array_mut()?;
    let is = |scope: &Value, kinds: &[&str]| {
        scope["name"].as_str().is_some_and(|name| kinds.iter().any(|kind| name.starts_with(kind)))
    };
    let in_function = scopes.iter().any(|scope| is(scope, &["Local"]));
    for scope in scopes {
        let of_module = is(scope, &["Module"]);
        if of_module {
            scope["expensive"] = false.into();
        }
        if of_module && !in_function {
            scope["presentationHint"] = "locals".into();
        } else if !is(scope, &["Local", "Block", "Catch", "With"]) {
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

/// What js-debug has a condition write that fails (`__breakOnConditionalError`, breakpoints/conditions/expression.ts).
const FAILED: &str = "Breakpoint condition error: ";

/// What came on stderr that is not the program's.
#[derive(Debug, Default, PartialEq)]
pub struct Stderr {
    /// The program's own part.
    pub own: String,
    /// How it ended.
    pub code: Option<i64>,
    /// Why conditions failed.
    pub failed: Vec<String>,
}

/// Takes apart what came on stderr; none: all of it is the program's.
pub fn stderr(output: &str) -> Option<Stderr> {
    let (text, code) = match output.split_once(EXITED) {
        Some((own, rest)) => (own, rest.split('\u{1e}').next().and_then(|code| code.parse().ok())),
        None => (output, None),
    };
    let mut told = Stderr { code, ..Stderr::default() };
    for line in text.split_inclusive('\n') {
        match line.strip_prefix(FAILED) {
            Some(why) => told.failed.push(why.trim_end().to_owned()),
            None if CHATTER.iter().any(|words| line.starts_with(words)) => {}
            None => told.own.push_str(line),
        }
    }
    (told.code.is_some() || told.own.len() < output.len()).then_some(told)
}

/// Functions that are called without an object have the global one: `global.main` is `main`.
pub fn function(name: &str) -> Option<String> {
    name.strip_prefix("global.").map(str::to_owned)
}

/// What has a value only once it is called.
const GETTER: &str = "(getter)";

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
        // The function itself stands there, with its source.
        if row["presentationHint"]["lazy"] == true {
            row["value"] = GETTER.into();
            row["type"] = Value::Null;
        }
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
        let told = |text: &str| stderr(text).map(|told| (told.own, told.code));
        assert_eq!(told("warning\n"), None);
        assert_eq!(told("Debugger attached.\n"), Some((String::new(), None)));
        let end = "oops\nWaiting for the debugger to disconnect...\n\u{1e}dapdock: exited with 139\u{1e}\n";
        assert_eq!(told(end), Some(("oops\n".into(), Some(139))));
        assert_eq!(told("no end\u{1e}dapdock: exited with 0\u{1e}\n"), Some(("no end".into(), Some(0))));
    }

    #[test]
    fn source_that_does_not_parse_is_told_by_its_error() {
        let text = |file: &str| {
            format!("/a/{file}:1\nconst n: number;\n      ^\n\nSyntaxError: Missing initializer\n    at x")
        };
        let title = "SyntaxError: Missing initializer".to_owned();
        let helps = "this Node.js runs no TypeScript: `npx tsx app.ts`, or compile it with source maps";
        assert_eq!(thrown(&text("app.ts")), (title.clone(), Some(helps.into())));
        assert_eq!(thrown(&text("app.js")), (title, None));
        assert_eq!(thrown("Error: at 7:1\n  at y"), ("Error: at 7:1".into(), None));
    }

    #[test]
    fn conditions_that_fail_are_told_apart() {
        let told = stderr("a\nBreakpoint condition error: x is not defined\nb");
        assert_eq!(told.map(|told| (told.own, told.failed)), Some(("a\nb".into(), vec!["x is not defined".into()])));
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

    #[test]
    fn a_modules_variables_are_the_locals_of_its_own_code() {
        let module = json!({"name": "Module", "expensive": true});
        let global = json!({"name": "Global", "expensive": true});
        let told = |inner: &str| {
            let inner = json!({"name": inner, "presentationHint": "locals", "expensive": false});
            let read = scopes(json!({"scopes": [inner, module, global]})).unwrap();
            let fact =
                |n: usize| (read["scopes"][n]["presentationHint"].clone(), read["scopes"][n]["expensive"].clone());
            [fact(1), fact(2)]
        };
        let global = (Value::Null, json!(true));
        assert_eq!(told("Block"), [(json!("locals"), json!(false)), global.clone()]);
        assert_eq!(told("Local: f"), [(Value::Null, json!(false)), global]);
    }

    #[test]
    fn a_getter_is_no_function() {
        let told = json!({"variables": [
            {"name": "total", "value": "ƒ total() { return 7; }", "type": "function", "variablesReference": 3,
             "presentationHint": {"attributes": ["readOnly"], "lazy": true}},
            {"name": "f", "value": "ƒ f()", "type": "function", "presentationHint": {}},
        ]});
        let read = variables(told).unwrap();
        let row = |n: usize| (read["variables"][n]["value"].clone(), read["variables"][n]["type"].clone());
        assert_eq!(row(0), (json!("(getter)"), Value::Null));
        assert_eq!(row(1), (json!("ƒ f()"), json!("function")));
    }
}
