//! C++ exceptions: thrown and uncaught ones are reported with type and text at the throwing line.

use serde_json::json;

use crate::caller::{Answer, root};
use crate::real::stage::{Stage, compile, marked};

const SOURCE: &str = "tests/fixtures/c/thrown.cpp";

async fn run(stage: &mut Stage, how: &str) -> Answer {
    let program = json!({"program": "target/fixtures/c/thrown", "args": [how], "timeout_s": 50,
        "adapter": stage.language.adapter()});
    stage.call("debug_launch", program).await.good()
}

/// Asserts a stop at the marked line; the debuggers print the function's parameters differently, or
/// not at all.
#[track_caller]
fn assert_stop(stop: &Answer, mark: &str) {
    let (function, place) = stop.place().split_once("  ").unwrap();
    assert_eq!(place, format!("{SOURCE}:{}", marked(&root().join(SOURCE), mark)), "{}", stop.text);
    assert_eq!(function.trim_start_matches("::").split('(').next(), Some("fail"), "{}", stop.text);
}

/// Once each, though rethrown later; no code of the program is called to read it.
pub async fn thrown_cpp_exception_shows_type_and_text(stage: &mut Stage) {
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let mut stop = run(stage, "all").await;
    for (mark, exception) in [
        ("error", "std::runtime_error: bad order zwölf"),
        ("late", "shop::Late: too late"),
        ("gone", "shop::Gone: code=7, place=\"Atlas\""),
        ("number", "int: 42"),
        ("text", "char const*: no such order"),
    ] {
        assert_stop(&stop, mark);
        assert_eq!(stop.reason(), format!("exception {exception}"), "{}", stop.text);
        stop = stage.resume().await.good();
    }
    assert_stop(&stop, "string");
    assert!(stop.reason().starts_with("exception std::"), "{}", stop.text);
    assert!(stop.line("! std::").ends_with(": \"no such string\""), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}

const LIBRARY: &str = "#include <cstdio>
#include <stdexcept>
#include <string>
static int number(const std::string &text) {
    try {
        return std::stoi(text);  // [stop: caught]
    } catch (const std::exception &) {
        return -1;
    }
}
static char letter(const std::string &text, unsigned at) {
    return text.at(at);  // [stop: passed on]
}
int main() {
    std::printf(\"%d\\n\", number(\"zwölf\"));
    try {
        letter(\"gold\", 4);
    } catch (const std::out_of_range &) {
    }
}
";

/// Those that the standard library throws: the stop is in the function that called it.
pub async fn exceptions_of_the_library_stop_in_the_users_frame(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("library.cpp");
    std::fs::write(&file, LIBRARY).unwrap();
    compile(dir.path(), "g++", &["-g", "library.cpp", "-o", "library"]);
    stage.start_in(dir.path()).await;
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let launch = json!({"program": "library", "timeout_s": 50});
    let mut stop = stage.call("debug_launch", launch).await.good();
    for (mark, text, exception) in [
        ("caught", "\"zwölf\"", "std::invalid_argument: stoi"),
        ("passed on", "\"gold\"", "std::out_of_range: basic_string::at: __n (which is 4)"),
    ] {
        assert!(stop.reason().starts_with(&format!("exception {exception}")), "{}", stop.text);
        let at = format!("  library.cpp:{}", marked(&file, mark));
        assert!(stop.place().ends_with(&at), "{}", stop.text);
        assert_eq!(stop.local("text"), text, "{}", stop.text);
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 0");
}

/// The program ends by a signal whatever the filters; with `all` it stops at the throw before.
pub async fn uncaught_cpp_exception_shows_type_and_text(stage: &mut Stage) {
    for words in ["uncaught", "all"] {
        stage.call("debug_breakpoints", json!({"exceptions": [words]})).await.good();
        let mut stop = run(stage, "uncaught").await;
        if words == "all" {
            assert_eq!(stop.reason(), "exception std::runtime_error: bad order zwölf");
            stop = stage.resume().await.good();
        }
        assert_stop(&stop, "error");
        assert_eq!(
            stop.reason(),
            "signal SIGABRT: uncaught std::runtime_error: bad order zwölf",
            "{}",
            stop.text
        );
        stage.resume().await.good().line("□ ended by signal SIGABRT (6)");
    }
}

/// Each type has a number and hits, a base class as well as the class itself.
pub async fn exceptions_of_cpp_are_breakpoints(stage: &mut Stage) {
    let (own, base) = ("Gone", "std::exception");
    let set = stage.call("debug_breakpoints", json!({"exceptions": [own, base]})).await.good();
    let (of_own, of_base) = (set.on_exceptions(own).0, set.on_exceptions(base).0);
    let mut stop = run(stage, "all").await;
    for (mark, hit) in
        [("error", of_base), ("late", of_base), ("gone", &format!("{of_own} {of_base}"))]
    {
        assert_stop(&stop, mark);
        assert_eq!(stop.raised_at(), hit, "{}", stop.text);
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 0");
    let list = stage.call("debug_breakpoints", json!({"disable": [of_base]})).await.good();
    assert_eq!(list.on_exceptions(base), (of_base, "disabled · 3 hits"));
    let stop = stage.call("debug_restart", json!({})).await.good();
    assert_stop(&stop, "gone");
    assert_eq!(stop.raised_at(), of_own, "{}", stop.text);
    let list = stage.call("debug_breakpoints", json!({"remove": [of_own]})).await.good();
    assert!(!list.text.contains(own), "{}", list.text);
    let list = stage.call("debug_breakpoints", json!({"enable": [of_base]})).await.good();
    assert_eq!(list.on_exceptions(base).0, of_base);
    stage.resume().await.good().line("□ exited with code 0");
}

/// A type stands for those derived from it, too, and for itself in any namespace. Beside `uncaught`
/// both hold.
pub async fn exceptions_are_selected_by_type(stage: &mut Stage) {
    for (words, marks) in [
        (json!(["shop::Late", "uncaught"]), &["late"][..]),
        (json!(["std::exception"]), &["error", "late", "gone"]),
        (json!(["Gone"]), &["gone"]),
        (json!(["std::bad_alloc"]), &[]),
    ] {
        stage.call("debug_breakpoints", json!({"exceptions": words})).await.good();
        let mut stop = run(stage, "all").await;
        for mark in marks {
            assert_stop(&stop, mark);
            let exception = match *mark {
                "error" => "std::runtime_error: bad order zwölf",
                "late" => "shop::Late: too late",
                _ => "shop::Gone: code=7, place=\"Atlas\"",
            };
            assert_eq!(stop.reason(), format!("exception {exception}"), "{}", stop.text);
            stop = stage.resume().await.good();
        }
        stop.line("□ exited with code 0");
    }
    let wrong = stage.call("debug_breakpoints", json!({"exceptions": ["std::out of range"]})).await;
    wrong.says("error[unknown-exception-filter] `std::out of range` is no exception filter here");
}
