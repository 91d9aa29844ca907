//! Places, conditions and exception filters that are refused, and breakpoints of another language.

use serde_json::json;

use super::{Mistake, mistake, session_survives};
use crate::caller::root;
use crate::real::{Language, Stage, run_scenario};

/// Breakpoints set for one language neither reach nor disturb the debugger of another.
#[tokio::test]
async fn breakpoints_of_another_language_are_not_sent() {
    if !Language::Python.is_here() {
        return;
    }
    run_scenario(Language::C, async |stage: &mut Stage| {
        let python = Language::Python.at("cart", "add");
        let edit =
            json!({"set": [format!("{python} if index is None"), "total_of if owner is None"]});
        stage.call("debug_breakpoints", edit).await.good();
        let stop =
            stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
        assert_eq!(stop.reason(), "breakpoint #3");
        stop.says("\n#2 total_of if owner is None · UNVERIFIED: its condition was refused: ");
        stop.says(". Without it: debug_breakpoints {\"set\": [\"total_of\"]}");
        assert!(!stop.text.contains("\n#1 "), "{}", stop.text);
        let list = stage.call("debug_breakpoints", json!({})).await.good();
        list.says(&format!("#1 {python} if index is None · not sent: gdb debugs other files"));
        let set =
            stage.call("debug_breakpoints", json!({"set": ["total_of", python]})).await.good();
        set.says("· UNVERIFIED: gdb does not debug .py files");
        stage.call("debug_stop", json!({})).await.good();
    })
    .await;
}

/// Invalid breakpoints whose error is the same under every adapter.
fn bad_places(stage: &Stage) -> Vec<Mistake> {
    let source = stage.language.source("cart");
    let lines = std::fs::read_to_string(root().join(&source)).unwrap().lines().count();
    let (stem, ending) = source.rsplit_once('.').unwrap();
    let (folder, name) = stem.rsplit_once('/').unwrap();
    let upper = format!("{folder}/{}{}.{ending}", name[..1].to_uppercase(), &name[1..]);
    let set = |text: String| json!({"set": [text]});
    vec![
        mistake(
            "debug_breakpoints",
            set(format!("{stem}e.{ending}:1")),
            format!(
                "error[no-such-source] there is no file {stem}e.{ending}. Try: debug_breakpoints \
                {{\"set\": [\"{source}:1\"]}}"
            ),
        ),
        mistake(
            "debug_breakpoints",
            set(format!("{upper}:1")),
            format!(
                "error[no-such-source] there is no file {upper}. Try: debug_breakpoints \
                {{\"set\": [\"{source}:1\"]}}"
            ),
        ),
        mistake(
            "debug_breakpoints",
            set(format!("{source}:999")),
            format!(
                "error[no-such-line] {source} has {lines} lines, there is no line 999. Try: \
                debug_breakpoints {{\"set\": [\"{source}:{lines}\"]}}"
            ),
        ),
        mistake(
            "debug_breakpoints",
            json!({"set": [{"at": stage.at("cart", "loop"), "hit_condition": "often"}]}),
            format!(
                "error[bad-hit-condition] hit condition `often` is none of `3`, `== 3`, `>= 3`, `> \
                3`, `% 3`. Try: debug_breakpoints {{\"set\": [{{\"at\": \"{}\"}}]}}",
                stage.at("cart", "loop")
            ),
        ),
        mistake(
            "debug_breakpoints",
            json!({"remove": ["77"]}),
            "error[unknown-breakpoint] there is no breakpoint #77; there are #1. Try: \
            debug_breakpoints",
        ),
    ]
}

/// Conditions that do not parse, one and two at once, and unknown exception filters: all are
/// reported, none is set, and the session goes on.
pub async fn invalid_breakpoints_are_refused(stage: &mut Stage) {
    let why = stage.pick(
        "invalid syntax",
        "a value is missing at the end",
        "expected operand, found ')'",
        "Unexpected token ')'",
        stage.of_c("A syntax error in expression", "a value is missing at the end"),
    );
    // Python's parser names the cause.
    let other =
        if stage.language.newest() == Language::Python { "'(' was never closed" } else { why };
    // The filters differ by version, too.
    let words = match stage.language {
        Language::Python | Language::OldPython => {
            "uncaught, all, raised, userUnhandled, none, and types by their names (KeyError, \
            json.JSONDecodeError)"
        }
        Language::Rust | Language::LldbC => {
            "panic, uncaught, all, cpp_throw, cpp_catch, rust_panic, none, and types by their \
            names (std::out_of_range, shop::Late)"
        }
        Language::Go => "panic, uncaught, all, unrecovered-panic, runtime-fatal-throw, none",
        Language::OldGo => "panic, uncaught, all, none",
        Language::JavaScript | Language::OldJavaScript => {
            "uncaught, all, none, and types by their names (TypeError, AggregateError)"
        }
        Language::C => {
            "uncaught, all, assert, exception, unhandled, throw, rethrow, catch, none, and types \
            by their names (std::out_of_range, shop::Late)"
        }
        Language::OldC => {
            "uncaught, all, assert, exception, throw, rethrow, catch, none, and types by their \
            names (std::out_of_range, shop::Late)"
        }
    };
    let near = "all";
    let first = stage.function("cart", "total_of");
    let at = stage.at("cart", "loop");
    let bad = format!("condition `total <` does not parse: {why}");
    let mut mistakes = bad_places(stage);
    mistakes.extend([
        mistake(
            "debug_breakpoints",
            json!({"set": [format!("{at} if total <")]}),
            format!("error[bad-condition] {bad}. Try: debug_breakpoints {{\"set\": [\"{at}\"]}}"),
        ),
        mistake(
            "debug_breakpoints",
            json!({"set": [format!("{first} if total <"), format!("{at} if (")]}),
            format!(
                "error[bad-condition] {bad}; condition `(` does not parse: {other}. \
                 Try: debug_breakpoints {{\"set\": [\"{first}\", \"{at}\"]}}"
            ),
        ),
        mistake(
            "debug_breakpoints",
            json!({"exceptions": ["al"]}),
            format!(
                "error[unknown-exception-filter] `al` is no exception filter here; there are \
                {words}. \
                 Try: debug_breakpoints {{\"exceptions\": [\"{near}\"]}}"
            ),
        ),
    ]);
    session_survives(stage, mistakes).await;
}

/// A bad condition fails the launch as it fails a later call that sets it.
#[tokio::test]
async fn launch_with_a_bad_condition_go() {
    run_scenario(Language::Go, async |stage: &mut Stage| {
        let breakpoint = format!("{} if total <", stage.at("cart", "loop"));
        let answer = stage.launch("cart", json!({"breakpoints": [breakpoint]})).await;
        answer.fails(&format!(
            "error[bad-condition] condition `total <` does not parse: expected operand, found ')'. \
            Try: debug_launch \
             {{\"breakpoints\": [\"{}\"], \"program\": \"target/fixtures/go/cart\", \"timeout_s\": \
             50}}",
            stage.at("cart", "loop")
        ));
    })
    .await;
}
