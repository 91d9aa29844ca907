//! Exceptions of C++: what is thrown, and what nobody catches, by type and text at the line that
//! throws.

use serde_json::json;

use super::Stage;
use super::stage::marked;
use crate::caller::{Answer, root};

const SOURCE: &str = "tests/fixtures/c/thrown.cpp";

async fn run(stage: &mut Stage, how: &str) -> Answer {
    let program = json!({"program": "target/fixtures/c/thrown", "args": [how], "timeout_s": 50,
        "adapter": stage.language.adapter()});
    stage.call("debug_launch", program).await.good()
}

/// Where the marked line throws; the debuggers spell the function's parameters differently, if at
/// all.
#[track_caller]
fn stands(stop: &Answer, mark: &str) {
    let (function, place) = stop.place().split_once("  ").unwrap();
    assert_eq!(place, format!("{SOURCE}:{}", marked(&root().join(SOURCE), mark)), "{}", stop.text);
    assert_eq!(function.trim_start_matches("::").split('(').next(), Some("fail"), "{}", stop.text);
}

/// Once each, though it is thrown again on its way; nothing of the program is called for it.
pub async fn what_cpp_throws_is_told_by_type_and_text(stage: &mut Stage) {
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let mut stop = run(stage, "all").await;
    for (mark, told) in [
        ("error", "std::runtime_error: bad order zwölf"),
        ("late", "shop::Late: too late"),
        ("gone", "shop::Gone: code=7, place=\"Atlas\""),
        ("number", "int: 42"),
        ("text", "char const*: no such order"),
    ] {
        stands(&stop, mark);
        assert_eq!(stop.reason(), format!("exception {told}"), "{}", stop.text);
        stop = stage.resume().await.good();
    }
    stands(&stop, "string");
    assert!(stop.reason().starts_with("exception std::"), "{}", stop.text);
    assert!(stop.line("! std::").ends_with(": \"no such string\""), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}

/// It ends the program by a signal, whatever exceptions are asked for; asked for all, where it is
/// thrown before that.
pub async fn what_cpp_does_not_catch_is_told_by_type_and_text(stage: &mut Stage) {
    for words in ["uncaught", "all"] {
        stage.call("debug_breakpoints", json!({"exceptions": [words]})).await.good();
        let mut stop = run(stage, "uncaught").await;
        if words == "all" {
            assert_eq!(stop.reason(), "exception std::runtime_error: bad order zwölf");
            stop = stage.resume().await.good();
        }
        stands(&stop, "error");
        assert_eq!(
            stop.reason(),
            "signal SIGABRT: uncaught std::runtime_error: bad order zwölf",
            "{}",
            stop.text
        );
        stage.resume().await.good().line("□ ended by signal SIGABRT (6)");
    }
}
