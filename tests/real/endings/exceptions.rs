//! Exceptions: which ones stop the program, where, and how often.

use serde_json::json;

use crate::real::stage::workspace_with;
use crate::real::{Language, Stage, attach};

/// One stop each, not one per frame it passes; the frames of the exception it was raised from are
/// no callers.
pub async fn each_exception_stops_once(stage: &mut Stage) {
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let stop = stage.launch("crash", json!({"args": ["caught"]})).await.good();
    stage.assert_stop(&stop, "crash", "parse", "parse");
    assert_eq!(stop.reason(), "exception ValueError");
    let stop = stage.resume().await.good();
    stage.assert_stop(&stop, "crash", "load", "raise");
    assert_eq!(stop.reason(), "exception RuntimeError");
    let stack = stage.call("debug_stack", json!({})).await.good();
    let frames: Vec<&str> =
        stack.text.lines().filter(|line| line.trim_start().starts_with('#')).collect();
    assert_eq!(frames.len(), 3, "{}", stack.text);
    stage.resume().await.good().line("□ exited with code 0");
}

const LIBRARY: &str = "import json


def quiet():
    try:
        json.loads('{')
    except ValueError:
        pass


def loud():
    raise KeyError('out of the library')
";
const CALLS: &str = "import lib


def main():
    lib.quiet()
    try:
        lib.loud()
    except KeyError:
        pass
    try:
        raise ValueError('own')
    except ValueError:
        pass


main()
";

/// With `all`, an exception stops that comes to the user's code; an option adds the others.
pub async fn all_begins_with_the_users_code(stage: &mut Stage) {
    let files = [("site-packages/lib.py", LIBRARY), ("app.py", CALLS)];
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let env = json!({"PYTHONPATH": dir.path().join("site-packages")});
    let launch = json!({"program": "app.py", "env": env, "timeout_s": 50});
    let mut stop = stage.call("debug_launch", launch.clone()).await.good();
    for (line, reason) in [(7, "exception KeyError"), (11, "exception ValueError")] {
        assert_eq!(stop.reason(), reason, "{}", stop.text);
        assert_eq!(stop.place(), format!("main  app.py:{line}"), "{}", stop.text);
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 0");
    let mut all = launch;
    all["options"] = json!({"just_my_code": false});
    let stop = stage.call("debug_launch", all).await.good();
    assert_eq!(stop.reason(), "exception JSONDecodeError", "{}", stop.text);
    assert_eq!(stop.place(), "main  app.py:5", "{}", stop.text);
    stop.says("(called into #0 raw_decode  ");
}

/// Each input of the fixture says whether its test expects the exception.
pub async fn expected_exceptions_do_not_stop(stage: &mut Stage) {
    for (command, words) in [
        ("pytest -q expected.py", &["dreizehn", "vierzehn", "fünfzehn"][..]),
        ("python -m unittest -q expected", &["fünfzehn", "vierzehn"]),
    ] {
        let arguments =
            json!({"command": command, "cwd": "tests/fixtures/python", "timeout_s": 50});
        let mut answer = stage.call("debug_launch", arguments).await.good();
        for word in words {
            stage.assert_stop(&answer, "expected", "parse", "parse");
            assert_eq!(answer.local("text"), format!("'{word}'"), "{}", answer.text);
            answer = stage.resume().await.good();
        }
        answer.line("□ exited with code 1");
    }
}

/// Exception filters; the program's argument; mark and exception name in Python and in JavaScript
/// for each stop; the exit code.
type Row<'a> = (&'a [&'a str], &'a str, &'a [(&'a str, &'a str, &'a str)], &'a str);

/// A type matches where it is raised, and so do its subclasses; other types do not stop, caught or
/// not.
pub async fn exceptions_stop_by_their_types(stage: &mut Stage) {
    let (find, read) =
        (("find", "KeyError", "TypeError"), ("read", "JSONDecodeError", "SyntaxError"));
    let order = ("order", "Gone", "Gone");
    let fail = ("fail", "FileNotFoundError", "RangeError");
    let python = stage.language.newest() == Language::Python;
    let rows: &[Row] = if python {
        &[
            (&["LookupError"], "fail", &[find], "1"),
            (&["ShopError", "json.decoder.JSONDecodeError"], "none", &[order, read], "0"),
            (&["__main__.Gone", "uncaught"], "fail", &[order, fail], "1"),
            (&["OSError", "KeyError"], "fail", &[find, fail], "1"),
            (&["shop.Gone"], "none", &[], "0"),
        ]
    } else {
        &[
            (&["TypeError"], "fail", &[find], "1"),
            (&["ShopError", "SyntaxError"], "none", &[order, read], "0"),
            (&["Gone", "uncaught"], "fail", &[order, fail], "1"),
            (&["RangeError", "TypeError"], "fail", &[find, fail], "1"),
            (&["KeyError"], "none", &[], "0"),
        ]
    };
    for (words, how, stops, code) in rows {
        let set = stage.call("debug_breakpoints", json!({"exceptions": words})).await.good();
        words.iter().for_each(|word| assert!(set.on_exceptions(word).0.starts_with('#')));
        let mut answer = stage.launch("raised", json!({"args": [how]})).await.good();
        for (mark, python_name, javascript_name) in *stops {
            let function = if *mark == "fail" { "main" } else { mark };
            stage.assert_stop(&answer, "raised", function, mark);
            let name = if python { *python_name } else { *javascript_name };
            assert!(
                answer.reason().starts_with(&format!("exception {name}")),
                "{words:?}: {}",
                answer.text
            );
            let status = stage.call("debug_status", json!({})).await.good();
            words.iter().for_each(|word| assert!(status.on_exceptions(word).0.starts_with('#')));
            answer = stage.resume().await.good();
        }
        answer.line(&format!("□ exited with code {code}"));
    }
}

/// Each has a number and hits. Disabled or removed by its number it stops nothing, and a restart
/// takes it over.
pub async fn exceptions_are_breakpoints(stage: &mut Stage) {
    let (own, every) = ("Gone", stage.pick("Exception", "", "", "Error", ""));
    let set = stage.call("debug_breakpoints", json!({"exceptions": [own, every]})).await.good();
    let number = |word| set.on_exceptions(word).0.to_owned();
    let (of_own, of_every) = (number(own), number(every));
    let stop = stage.launch("raised", json!({"args": ["none"]})).await.good();
    stage.assert_stop(&stop, "raised", "find", "find");
    assert_eq!(stop.raised_at(), of_every, "{}", stop.text);
    let stop = stage.resume().await.good();
    stage.assert_stop(&stop, "raised", "order", "order");
    assert_eq!(stop.raised_at(), format!("{of_own} {of_every}"), "{}", stop.text);
    let list = stage.call("debug_breakpoints", json!({"disable": [of_every]})).await.good();
    assert_eq!(list.on_exceptions(own), (of_own.as_str(), "1 hit"));
    assert_eq!(list.on_exceptions(every), (of_every.as_str(), "disabled · 2 hits"));
    stage.resume().await.good().line("□ exited with code 0");
    let stop = stage.call("debug_restart", json!({})).await.good();
    stage.assert_stop(&stop, "raised", "order", "order");
    assert_eq!(stop.raised_at(), of_own, "{}", stop.text);
    let edit = json!({"remove": [own], "enable": [of_every]});
    let list = stage.call("debug_breakpoints", edit).await.good();
    assert_eq!(list.on_exceptions(every), (of_every.as_str(), "matched by name, unchecked"));
    assert!(!list.text.contains(own), "{}", list.text);
    let stop = stage.resume().await.good();
    stage.assert_stop(&stop, "raised", "read", "read");
    let list = stage.call("debug_breakpoints", json!({"remove": [of_every]})).await.good();
    list.line("stops on exceptions: none");
    let list = stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    list.line("stops on exceptions: none");
    stage.resume().await.good().line("□ exited with code 0");
}

/// The filter of panics has a number, too.
pub async fn panics_are_disabled_by_number(stage: &mut Stage) {
    let set = stage.call("debug_breakpoints", json!({"exceptions": ["panic"]})).await.good();
    let number = set.on_exceptions("panic").0;
    let stop = stage.launch("crash", json!({"args": ["raise"]})).await.good();
    stage.assert_stop(&stop, "crash", "parse", "parse");
    assert_eq!(stop.raised_at(), number, "{}", stop.text);
    let list = stage.call("debug_breakpoints", json!({"disable": [number]})).await.good();
    assert_eq!(list.on_exceptions("panic"), (number, "disabled · 1 hit"));
    stage.call("debug_restart", json!({})).await.good().line("□ exited with code ");
}

/// Debuggers without exception types list their filters.
pub async fn exception_types_are_refused(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    stage.call("debug_breakpoints", json!({"exceptions": ["RangeError"]})).await.fails(
        "error[unknown-exception-filter] `RangeError` is no exception filter here; there are \
        panic, uncaught, all, unrecovered-panic, runtime-fatal-throw, none. \
         Try: debug_breakpoints {\"exceptions\": [\"all\"]}",
    );
}

/// After an attach as well: the program's own types cannot be imported by the debugger.
pub async fn exception_types_stop_after_an_attach(stage: &mut Stage) {
    let mut child = attach::spawn(&stage.language.command("endless")).await;
    stage.call("debug_breakpoints", json!({"exceptions": ["Gone"]})).await.good();
    stage.call("debug_attach", json!({"pid": child.id()})).await.good();
    let stop = stage.call("debug_wait", json!({"since": 0})).await.good();
    assert_eq!(stop.reason(), "exception Gone", "{}", stop.text);
    stage.assert_stop(&stop, "endless", "order", "order");
    stage.call("debug_stop", json!({})).await.good().line("□ detached; the process keeps running");
    child.kill().await.unwrap();
}

/// Filters change while stopped; the error for an unknown filter lists the known ones.
pub async fn exception_types_change_at_a_stop(stage: &mut Stage) {
    let own = stage.pick("Gone", "", "", "Gone", "");
    // Before an adapter is chosen, anything that could be a type name is accepted.
    let reply =
        stage.call("debug_breakpoints", json!({"exceptions": ["uncaught", own]})).await.good();
    assert_eq!(reply.on_exceptions("uncaught").1, "pending");
    assert_eq!(reply.on_exceptions(own).1, "pending · matched by name, unchecked");
    let unknown = stage.call("debug_breakpoints", json!({"exceptions": ["Key Error!"]})).await;
    unknown.fails(
        "error[unknown-exception-filter] `Key Error!` is no exception filter here; there are \
        panic, uncaught, all, none, \
         and types by their names (std::out_of_range, shop::Late). Try: debug_breakpoints \
         {\"exceptions\": [\"all\"]}",
    );
    let stop = stage
        .launch("raised", json!({"args": ["none"], "breakpoints": [stage.at("raised", "find")]}))
        .await;
    stage.assert_stop(&stop.good(), "raised", "find", "find");
    let list =
        stage.call("debug_breakpoints", json!({"exceptions": [own], "clear": true})).await.good();
    assert_eq!(list.on_exceptions(own).1, "matched by name, unchecked");
    let both = format!("debug_breakpoints {{\"exceptions\": [\"{own}\", \"uncaught\"]}}");
    list.line(&format!("off now: uncaught; both: {both}"));
    let stop = stage.resume().await.good();
    stage.assert_stop(&stop, "raised", "order", "order");
    let unknown = stage.call("debug_breakpoints", json!({"exceptions": ["al"]})).await;
    unknown.fails(&format!(
        "error[unknown-exception-filter] `al` is no exception filter here; there are {}. \
         Try: debug_breakpoints {{\"exceptions\": [\"all\"]}}",
        stage.pick(
            "uncaught, all, raised, userUnhandled, none, and types by their names (KeyError, \
            json.JSONDecodeError)",
            "",
            "",
            "uncaught, all, none, and types by their names (TypeError, AggregateError)",
            ""
        )
    ));
    stage.resume().await.good().line("□ exited with code 0");
}

/// The user's frame far below a library's frames is found, with its variables.
pub async fn users_frame_is_found_below_library_frames(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let library = dir.path().join("node_modules/deep");
    std::fs::create_dir_all(&library).unwrap();
    let deep = "exports.fall = function fall(n) {\n  if (n === 0) throw new Error('deep');\n  \
        return fall(n - 1);\n};\n";
    std::fs::write(library.join("index.js"), deep).unwrap();
    let app = "const { fall } = require('deep');\nfunction run() {\n  const marker = 1234;\n  \
        fall(40);\n  return marker;\n}\nrun();\n";
    std::fs::write(dir.path().join("app.js"), app).unwrap();
    stage.start_in(dir.path()).await;
    let stop =
        stage.call("debug_launch", json!({"program": "app.js", "timeout_s": 50})).await.good();
    assert_eq!(stop.local("marker"), "1234", "{}", stop.text);
    stop.says("→ 4    fall(40);");
    let reply = stage.call("debug_evaluate", json!({"expressions": ["marker + 1"]})).await.good();
    assert_eq!(reply.line("marker + 1 = "), "1235  (number)", "{}", reply.text);
}

/// Up to Python 3.11 the recursion leaves no stack for pydevd's own function.
pub async fn endless_recursion_stops(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = "import threading\n\n\ndef deep(n):\n    return deep(n + 1)\n\n\nagain = \
        threading.Thread(target=deep, args=(0,))\n\
                again.start()\nagain.join()\ndeep(0)\n";
    std::fs::write(dir.path().join("deep.py"), text).unwrap();
    stage.start_in(dir.path()).await;
    let mut stop =
        stage.call("debug_launch", json!({"program": "deep.py", "timeout_s": 50})).await.good();
    for thread in [" · Thread-", " · MainThread"] {
        stop.line("■ stopped exception RecursionError");
        stop.says(thread);
        stop.line("! maximum recursion depth exceeded");
        assert!(stop.place().starts_with("deep  deep.py:"), "{}", stop.text);
        assert!(stop.local("n").parse::<u32>().unwrap() > 900, "{}", stop.text);
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 1");
    let printed = stage.call("debug_output", json!({"tail": 30})).await.good();
    printed.says("stderr| RecursionError: maximum recursion depth exceeded");
    assert!(!printed.text.contains("pydevd_cython"), "{}", printed.text);
}
