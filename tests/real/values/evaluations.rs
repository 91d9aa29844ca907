//! Evaluations: several in one call, and those that take long, never end or would end the program.
//! The rules of each language are in `expressions`.

use serde_json::json;

use crate::caller::root;
use crate::real::stage::{Stage, marked, undefined_name};

pub async fn evaluate_value_error_and_several(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let sum = "net + rate";
    let answer =
        stage.call("debug_evaluate", json!({"expressions": [sum, "nowhere", "net"]})).await.good();
    let kind = stage.pick("int", "u64", "uint64", "number", "uint64_t");
    let summed = stage.pick("int", "u64", "uint64", "number", "unsigned long");
    let error = undefined_name(stage);
    let lines: Vec<_> = answer.text.lines().take(3).collect();
    let expected = [
        format!("{sum} = 1007  ({summed})"),
        format!("nowhere = <error: {error}>"),
        format!("net = 1000  ({kind})"),
    ];
    assert_eq!(lines, expected);
    let outer =
        stage.call("debug_evaluate", json!({"expressions": ["index"], "frame": 1})).await.good();
    outer.says("index = 0");
    let text = stage.call("debug_evaluate", json!({"expressions": ["item.name"]})).await.good();
    let name = stage.pick("'Heft'", "\"Heft\"", "\"Heft\"", "'Heft'", "\"Heft\"");
    text.says(&format!("item.name = {name}"));
}

pub async fn endless_evaluation_times_out(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let endless =
        stage.pick("[0 for _ in iter(int, 1)]", "", "", "(() => { for (;;); })()", "(int)pause()");
    let effects = stage.pick("none", "", "", "none", "allow");
    let index = stage.pick("index", "", "", "index", "rate");
    let endless =
        json!({"expressions": ["net", endless, index], "effects": effects, "timeout_s": 1});
    let answer = stage.call("debug_evaluate", endless.clone()).await.good();
    let (endless, text) = (endless["expressions"][1].clone(), answer.text.clone());
    assert!(text.starts_with("net = 1000  ("), "{text}");
    answer.says(&format!(
        "{} = <timed out after 1 s>\n{index} = <not evaluated",
        endless.as_str().unwrap()
    ));
    stage.call("debug_status", json!({})).await.good().says("stopped breakpoint");
    // The evaluation was abandoned: the session works as before.
    let step = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&step, "cart", "tax", "tax return");
    let again = stage.call("debug_evaluate", json!({"expressions": ["net"]})).await.good();
    assert!(again.text.starts_with("net = 1000  ("), "{}", again.text);
    let next = stage.resume_to(1).await;
    stage.assert_stop(&next, "cart", "tax", "tax");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
}

/// Statements, a wait, and code that catches every error: each times out, again and again.
pub async fn endless_statements_are_abandoned(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (name, text) = stage.pick(
        (
            "spin.py",
            "import threading\n\n\ndef stubborn():\n    while True:\n        try:\n            \
            while True:\n                \
            pass\n        except Exception:\n            pass\n\n\nx = 1\nprint(x)\n",
        ),
        ("", ""),
        ("", ""),
        (
            "spin.js",
            "function stubborn() { for (;;) { try { for (;;); } catch { } } }\nlet x = \
            1;\nif (!x) stubborn();\nconsole.log(x);\n",
        ),
        ("", ""),
    );
    let endless = stage.pick(
        ["stubborn()", "while True: pass", "threading.Event().wait()"],
        [""; 3],
        [""; 3],
        ["stubborn()", "for (;;);", "(() => { let n = 0; while (true) n++ })()"],
        [""; 3],
    );
    let (print, line) = (text.lines().last().unwrap(), text.lines().count());
    std::fs::write(dir.path().join(name), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch =
        json!({"program": name, "breakpoints": [format!("{name}:{line}")], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().says(print);
    for endless in endless {
        let call = json!({"expressions": [endless], "effects": "allow", "timeout_s": 0.3});
        stage
            .call("debug_evaluate", call)
            .await
            .good()
            .says(&format!("{endless} = <timed out after 0.3 s>"));
        let after = stage.call("debug_evaluate", json!({"expressions": ["x + 1"]})).await.good();
        assert!(after.text.starts_with("x + 1 = 2  ("), "{}", after.text);
    }
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("\n  1");
}

/// Delve, and gdb before 17, cannot abandon a call: the error names it, and ending the session ends
/// both.
pub async fn endless_call_blocks_the_debugger(stage: &mut Stage) {
    let (program, mark) =
        stage.pick(("", ""), ("", ""), ("sleeper", "loop"), ("", ""), ("cart", "tax"));
    stage.launch(program, json!({"breakpoints": [stage.at(program, mark)]})).await.good();
    let endless = stage.pick("", "", "forever()", "", "(int)pause()");
    let call = json!({"expressions": [endless], "effects": "allow", "timeout_s": 1});
    let answer = stage.call("debug_evaluate", call).await.good();
    answer.says(&format!("{endless} = <timed out after 1 s>"));
    let next = stage.call("debug_stack", json!({})).await;
    for refused in [next, stage.resume().await] {
        let busy = format!("error[busy] the debugger is still evaluating `{endless}`, for ");
        assert!(refused.text.starts_with(&busy), "{}", refused.text);
        refused.says(" s now, and answers nothing else");
    }
    stage.call("debug_stop", json!({})).await.good();
}

/// A C++ function that does not return is abandoned, and the debugger stays usable.
pub async fn endless_call_of_cpp_is_abandoned(stage: &mut Stage) {
    const SOURCE: &str = "tests/fixtures/c/assigned.cpp";
    let at = format!("{SOURCE}:{}", marked(&root().join(SOURCE), "assigned"));
    let launch = json!({
        "adapter": "codelldb", "program": "target/fixtures/c/assigned", "breakpoints": [at],
    });
    stage.call("debug_launch", launch).await.good();
    let call = |timeout_s| {
        json!({
            "expressions": ["forever()", "x"], "effects": "allow", "timeout_s": timeout_s,
        })
    };
    let left = stage.call("debug_evaluate", call(40)).await.good();
    left.says("forever() = <error: it did not return after 5 s and was aborted>\nx = 4  (int)");
    let late = stage.call("debug_evaluate", call(1)).await.good();
    late.says("forever() = <timed out after 1 s>\nx = <not evaluated");
    let busy = "error[busy] the debugger is still evaluating `forever()`, for ";
    let next = stage.call("debug_stack", json!({})).await;
    assert!(next.text.starts_with(busy), "{}", next.text);
    // A move waits until the call is abandoned.
    stage.resume().await.good().line("□ exited with code 0");
}

/// Neither an evaluation nor a condition may end the program or the debugger's thread.
pub async fn exit_in_an_expression_is_its_error(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = "import sys\n\n\ndef leave():\n    sys.exit(3)\n\n\nx = 1\nprint(x)\nprint(2)\n";
    std::fs::write(dir.path().join("leaves.py"), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "leaves.py", "breakpoints": ["leaves.py:9", "leaves.py:10 if leave()"],
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good().says("print(x)");
    let request = json!({"expressions": ["leave()", "x"], "effects": "allow"});
    let request = stage.call("debug_evaluate", request).await.good();
    assert_eq!(request.text, "leave() = <error: SystemExit: 3>\nx = 1  (int)");
    let statement = json!({"expressions": ["y = leave()", "x"], "effects": "allow"});
    let request = stage.call("debug_evaluate", statement).await.good();
    assert_eq!(request.text, "y = leave() = <error: SystemExit: 3>\nx = 1  (int)");
    let stop = stage.resume_to(2).await;
    stop.says("print(2)");
    stop.says("SystemExit: 3");
    stage.resume().await.good().line("□ exited with code 0");
}

/// The result comes from a thread that runs only when the program is resumed.
pub async fn evaluation_may_wait_for_another_thread(stage: &mut Stage) {
    stage.launch("future", json!({"breakpoints": [stage.at("future", "ask")]})).await.good();
    let waits = "asked.set() or answer.result()";
    let call = json!({"expressions": [waits], "effects": "allow", "timeout_s": 1});
    let answer = stage.call("debug_evaluate", call).await.good();
    answer.says(&format!("{waits} = <timed out after 1 s>"));
    stage.resume().await.good().says("answer 42");
}

/// The adapter queues the move behind the evaluation, since nothing interrupts C code.
pub async fn move_is_queued_behind_a_long_evaluation(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("spin.py"), "import itertools\n\nx = 1\nprint(x)\n").unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "spin.py", "breakpoints": ["spin.py:4"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let spins = "sum(itertools.repeat(0))";
    let call = json!({"expressions": [spins], "effects": "allow", "timeout_s": 1});
    stage.call("debug_evaluate", call).await.good().says("<timed out after 1 s>");
    let runs = stage.call("debug_continue", json!({"timeout_s": 0.2})).await.good();
    runs.line("▶ running");
    let reply = format!(
        "the debugger is still evaluating `{spins}`; the program resumes when that is done, \
        and debug_stop ends it"
    );
    assert_eq!(runs.line("note: "), reply);
    let end = stage.call("debug_stop", json!({})).await.good();
    end.line("□ ended; no process is left");
}
