//! What runs inside a Python program beside its debugger: two threads in it at once, and what fails
//! there, are not the program's. Each scenario makes by a call what else comes about by chance,
//! once in hundreds of runs.

use serde_json::json;

use super::{Language, Stage};
use crate::caller::root;

/// The second to come by has found nothing there, and makes its own beside what the first one
/// counts with.
pub async fn threads_that_come_by_first_count_together(stage: &mut Stage) {
    let counted = json!({"at": stage.at("counted", "square"), "hit_condition": "% 600"});
    let between = json!({"at": stage.at("counted", "count"), "hit_condition": "== 50"});
    let stop = stage.launch("counted", json!({"breakpoints": [counted, between]})).await.good();
    assert_eq!(stop.reason(), "breakpoint #2", "{}", stop.text);
    let code = root().join("plugins/debugpy/src/points.py");
    run(stage, &format!("exec(open({code:?}).read(), {{}})")).await;
    for hits in ["% 600 · 600 hits", "% 600 · 1200 hits", "% 600 · 1800 hits"] {
        assert_eq!(stage.resume().await.good().reason(), "breakpoint #1");
        stage.call("debug_breakpoints", json!({})).await.good().says(hits);
    }
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn code_is_loaded_while_breakpoints_change(stage: &mut Stage) {
    let change = "import sys, threading\n\
        functions = sys.modules['dapdock_functions']\n\
        debugger = functions.debuggee.pydevd_constants.get_global_debugger()\n\
        known = functions.paths_of\n\
        def paths_of(path):\n\
        \x20   change = threading.Thread(target=functions.begin, args=(debugger, {}))\n\
        \x20   change.start()\n\
        \x20   change.join(0.5)\n\
        \x20   return known(path)\n\
        functions.paths_of = paths_of";
    loads_after(stage, change).await;
}

pub async fn code_is_loaded_whatever_fails_beside_it(stage: &mut Stage) {
    loads_after(stage, "import sys; sys.modules['dapdock_functions'].paths_of = None").await;
}

/// The debugger says so where it attaches, and nowhere else.
pub async fn what_a_program_says_in_the_debuggers_words_is_its_own(stage: &mut Stage) {
    stage.launch("loaded", json!({})).await.good().says("Attaching to PID: 7");
}

/// What the debugger says of itself is neither's.
pub async fn what_the_debugger_says_of_itself_is_logged(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await.good();
    run(
        stage,
        "__import__('_pydev_bundle.pydev_log').pydev_log.critical('a word of the debugger')",
    )
    .await;
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"since": 0})).await.good();
    assert!(!output.text.contains("a word of the debugger"), "{}", output.text);
    stage
        .call("debug_status", json!({"detail": "log"}))
        .await
        .good()
        .says("a word of the debugger");
}

pub async fn python_that_loads_nothing_says_what_it_lacks(stage: &mut Stage) {
    for option in ["-I", "-bE", "-S"] {
        let launch =
            json!({"command": format!("python3 {option} {}", Language::Python.source("stdin"))});
        let end = stage.call("debug_launch", launch.clone()).await.good();
        end.line("□ exited with code 0");
        end.says(&format!("note: with {option}, debugpy is as it comes: "));
        let mut launch = launch;
        launch["options"] = json!({"stdin": "Cargo.toml"});
        let refused = stage.call("debug_launch", launch).await;
        refused.fails(&format!(
            "error[unsupported] `python {option}` loads nothing that could give it a standard input. \
             Try: launch without {option}, or have the program open the file"
        ));
    }
}

/// The stop is told, and what comes behind it is as ever; what the caller asks for has the time
/// that the caller gives.
pub async fn a_value_that_takes_long_holds_nothing_up(stage: &mut Stage) {
    let late = "<error: __repr__: no answer within 1 s>";
    let stop = stage
        .launch("patience", json!({"breakpoints": [stage.at("patience", "work")]}))
        .await
        .good();
    stop.says(&format!("locals: number=1  value={late}"));
    let opened = stage.call("debug_variables", json!({"path": "value"})).await.good();
    assert_eq!(opened.line("  half: "), "error = <error: no answer within 1 s>");
    stage
        .call("debug_evaluate", json!({"expressions": ["number + 1"]}))
        .await
        .good()
        .says("number + 1 = 2");
    stage.call("debug_step", json!({})).await.good().says("locals: number=2");
    let patient = json!({"expressions": ["repr(value)"], "timeout_s": 20});
    stage.call("debug_evaluate", patient).await.good().says("repr(value) = 'asleep'");
    let other = stage.resume().await.good();
    assert_eq!(other.reason(), "breakpoint #1");
    other.says(&format!("locals: number=5  value={late}"));
    stage.resume().await.good().line("□ exited with code 0");
}

/// An event loop hears of signals by itself.
pub async fn a_server_does_not_hear_of_it(stage: &mut Stage) {
    let wanted = json!({"breakpoints": [stage.at("patience", "work")], "args": ["serve"]});
    stage
        .launch("patience", wanted)
        .await
        .good()
        .says("value=<error: __repr__: no answer within 1 s>");
    stage.resume().await.good().line("□ exited with code 0");
    stage.call("debug_output", json!({})).await.good().says("served");
}

/// What lists hold says how long it takes.
pub async fn its_like_has_less_time_the_next_time(stage: &mut Stage) {
    let wanted = json!({"breakpoints": [stage.at("patience", "work")], "args": ["lists"]});
    stage
        .launch("patience", wanted)
        .await
        .good()
        .says("value=<error: __repr__: no answer within 1 s>");
    stage.resume().await.good().says("value=<error: __repr__: no answer within 0.05 s>");
    stage.resume().await.good().says("value=['quick']");
}

/// A breakpoint on a coroutine looks at all code that is executed.
async fn loads_after(stage: &mut Stage, code: &str) {
    stage
        .launch("loaded", json!({"breakpoints": ["late", stage.at("loaded", "load")]}))
        .await
        .good();
    run(stage, &format!("exec({}, {{}})", json!(code))).await;
    stage.call("debug_breakpoints", json!({"remove": ["2"]})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
}

async fn run(stage: &mut Stage, code: &str) {
    let code = format!("({code}, 'done')[1]");
    let done = stage
        .call("debug_evaluate", json!({"expressions": [code], "effects": "allow"}))
        .await
        .good();
    done.says("= 'done'");
}
