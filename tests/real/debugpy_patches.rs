//! The code that dapdock loads into a Python program: threads that enter it at once and failures
//! inside it do not affect the program. Each scenario provokes by a call what happens by chance
//! once in hundreds of runs.

use serde_json::json;

use crate::caller::root;
use crate::real::{Language, Stage};

/// Without a lock the second thread would create a counter of its own. The second thread may hit
/// the line once more before it is stopped too.
pub async fn first_hits_of_two_threads_share_a_counter(stage: &mut Stage) {
    let counted = json!({"at": stage.at("counted", "square"), "hit_condition": "% 600"});
    let between = json!({"at": stage.at("counted", "count"), "hit_condition": "== 50"});
    let stop = stage.launch("counted", json!({"breakpoints": [counted, between]})).await.good();
    assert_eq!(stop.reason(), "breakpoint #2", "{}", stop.text);
    let code = root().join("plugins/debugpy/runtime/breakpoints.py");
    run(stage, &format!("exec(open({code:?}).read(), {{}})")).await;
    for hits in [600, 1200, 1800] {
        assert_eq!(stage.resume().await.good().reason(), "breakpoint #1");
        let list = stage.call("debug_breakpoints", json!({})).await.good();
        let counted = [hits, hits + 1].map(|hits| format!("hits % 600 · {hits} hits"));
        assert!(counted.iter().any(|one| list.text.contains(one)), "{}", list.text);
    }
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn code_is_loaded_while_breakpoints_change(stage: &mut Stage) {
    let replace = "import sys, threading\n\
        functions = sys.modules['dapdock_functions']\n\
        debugger = functions.debuggee.pydevd_constants.get_global_debugger()\n\
        known = functions.paths_of\n\
        def paths_of(path):\n\
        \x20   change = threading.Thread(target=functions.rebuild, args=(debugger, {}))\n\
        \x20   change.start()\n\
        \x20   change.join(0.5)\n\
        \x20   return known(path)\n\
        functions.paths_of = paths_of";
    loads_after(stage, replace).await;
}

pub async fn code_is_loaded_despite_a_failure_in_the_patch(stage: &mut Stage) {
    loads_after(stage, "import sys; sys.modules['dapdock_functions'].paths_of = None").await;
}

/// The program makes a thread while the debugger makes one of its own.
pub async fn threads_of_the_debugger_take_no_numbers(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await.good();
    let code = "import sys, threading\n\
        from _pydevd_bundle import pydevd_daemon_thread as own\n\
        from _pydevd_bundle.pydevd_constants import get_global_debugger\n\
        mark, sys.numbers = own.mark_as_pydevd_daemon_thread, []\n\
        def add():\n\
        \x20   sys.numbers.append(int(threading.Thread().name.split('-')[1]))\n\
        def meanwhile(thread):\n\
        \x20   add()\n\
        \x20   mark(thread)\n\
        own.mark_as_pydevd_daemon_thread = meanwhile\n\
        own.PyDBDaemonThread(get_global_debugger())\n\
        own.mark_as_pydevd_daemon_thread = mark\n\
        add(), add(), add()";
    run(stage, &format!("exec({}, {{}})", json!(code))).await;
    let numbers = "[one - __import__('sys').numbers[0] for one in __import__('sys').numbers]";
    let numbers = json!({"expressions": [numbers], "effects": "allow"});
    stage.call("debug_evaluate", numbers).await.good().says(" = [0, 1, 2, 3]");
}

/// debugpy prints this line, and starts a process with this argument, where it attaches, and
/// nowhere else.
pub async fn program_output_like_the_debuggers_is_reported(stage: &mut Stage) {
    let arguments = json!({"args": ["--pid", "7"]});
    stage.launch("loaded", arguments).await.good().says("Attaching to PID: 7");
}

/// debugpy's own messages go to the log, not to the program's output.
pub async fn debuggers_own_messages_are_logged(stage: &mut Stage) {
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

pub async fn isolated_python_is_debugged_without_patches(stage: &mut Stage) {
    for option in ["-I", "-bE", "-S"] {
        let launch =
            json!({"command": format!("python3 {option} {}", Language::Python.source("stdin"))});
        let end = stage.call("debug_launch", launch.clone()).await.good();
        end.line("□ exited with code 0");
        end.says(&format!("note: with {option}, debugpy runs without dapdock's patches: "));
        let mut launch = launch;
        launch["options"] = json!({"stdin": "Cargo.toml"});
        let refused = stage.call("debug_launch", launch).await;
        refused.fails(&format!(
            "error[unsupported] `python {option}` skips sitecustomize, which redirects standard \
            input. \
             Try: launch without {option}, or have the program open the file"
        ));
    }
}

/// The stop reads a slow value by its fields. Its own text, which the caller allows, has a limit of
/// time; an expression of the caller has the caller's.
pub async fn slow_value_does_not_delay_the_stop(stage: &mut Stage) {
    let stop = stage
        .launch("patience", json!({"breakpoints": [stage.at("patience", "work")]}))
        .await
        .good();
    stop.says("locals: number=1  value=Asleep{}");
    let opened = stage.call("debug_variables", json!({"path": "value"})).await.good();
    assert_eq!(opened.line("  half: "), "property = <property>");
    let own = json!({"expressions": ["value", "number + 1"], "effects": "allow"});
    let printed = stage.call("debug_evaluate", own).await.good();
    assert_eq!(printed.line("value = "), "<error: __repr__: no answer within 1 s>  (Asleep)");
    printed.says("number + 1 = 2");
    stage.call("debug_step", json!({})).await.good().says("locals: number=2");
    let patient = json!({"expressions": ["repr(value)"], "timeout_s": 20, "effects": "allow"});
    stage.call("debug_evaluate", patient).await.good().says("repr(value) = 'asleep'");
    let other = stage.resume().await.good();
    assert_eq!(other.reason(), "breakpoint #1");
    other.says("locals: number=5  value=Slow{}");
    stage.resume().await.good().line("□ exited with code 0");
}

/// The time limit uses no signal that an event loop would notice.
pub async fn slow_value_does_not_disturb_an_event_loop(stage: &mut Stage) {
    let wanted = json!({"breakpoints": [stage.at("patience", "work")], "args": ["serve"]});
    stage.launch("patience", wanted).await.good().says("value=Asleep{}");
    let own = json!({"expressions": ["value"], "effects": "allow"});
    let printed = stage.call("debug_evaluate", own).await.good();
    printed.says("value = <error: __repr__: no answer within 1 s>");
    stage.resume().await.good().line("□ exited with code 0");
    stage.call("debug_output", json!({})).await.good().says("served");
}

/// Once a type's `repr` timed out, the next one of that type gets less time.
pub async fn second_slow_value_of_a_type_gets_less_time(stage: &mut Stage) {
    let wanted = json!({"breakpoints": [stage.at("patience", "work")], "args": ["lists"]});
    let stop = stage.launch("patience", wanted).await.good();
    stop.says("value=[Asleep{}]");
    for limit in ["1 s", "0.05 s"] {
        let own = json!({"expressions": ["value[0]"], "effects": "allow"});
        let printed = stage.call("debug_evaluate", own).await.good();
        let late = format!("<error: __repr__: no answer within {limit}>  (Asleep)");
        assert_eq!(printed.line("value[0] = "), late);
    }
}

/// A breakpoint in a coroutine makes the debugger inspect all executed code.
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
