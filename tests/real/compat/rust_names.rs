//! `compat:rust`: texts with the documented parts.

use serde_json::json;

use super::{place, start};
use crate::real::Stage;

pub async fn rust_names_answer_as_documented(stage: &mut Stage) {
    start(stage, "compat:rust").await;
    let root = crate::caller::root();
    let arguments =
        json!({"program": stage.language.program("cart"), "cwd": root.display().to_string()});
    let entry = stage.call("debug_launch", arguments).await.good();
    assert_eq!(entry.reason(), "at entry", "{}", entry.text);
    // A second breakpoint keeps the first.
    for mark in ["loop", "tax"] {
        let (file, line) = place(stage, "cart", mark);
        let set = stage.call("debug_set_breakpoint", json!({"file": file, "line": line})).await;
        set.good().says(&stage.at("cart", "loop"));
    }
    let stop = stage.call("debug_continue", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "loop");

    let variables = stage.call("debug_get_variables", json!({})).await.good();
    assert!(variables.text.starts_with("Local:\n"), "{}", variables.text);
    variables.says("\n  index: 0 (u64)\n");
    assert!(!variables.text.contains("Registers"), "{}", variables.text);
    for line in variables.text.lines() {
        let is_value = line.starts_with("  ") && line.contains(": ") && line.ends_with(')');
        assert!(is_value || (!line.starts_with(' ') && line.ends_with(':')), "{line}");
    }
    let registers = stage.call("debug_get_variables", json!({"registers": true})).await.good();
    registers.says("\nRegisters:\n  General Purpose Registers:\n    rax: 0x");
    let without = stage.call("debug_get_variables", json!({"registers": false})).await.good();
    assert_eq!(without.text, variables.text);

    let stop = stage.call("debug_continue", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    let step = stage.call("debug_step_over", json!({})).await.good();
    assert_eq!(step.reason(), "after step");
    stage.call("debug_get_variables", json!({})).await.good().says("\n  net: 1000 (u64)");
    stage.call("debug_terminate", json!({})).await.good().line("□ ended");
    no_tables_of_the_compiler(stage).await;
}

/// Where values are behind `dyn`, the debugger has static variables that the source has not.
async fn no_tables_of_the_compiler(stage: &mut Stage) {
    let program = stage.language.program("causes");
    stage.call("debug_launch", json!({"program": program})).await.good();
    let (file, line) = place(stage, "causes", "run");
    stage.call("debug_set_breakpoint", json!({"file": file, "line": line})).await.good();
    stage.call("debug_continue", json!({})).await.good();
    let variables = stage.call("debug_get_variables", json!({})).await.good();
    assert_eq!(variables.text.trim_end(), "Local:\n  text: \"x1\" (&str)");
    stage.call("debug_terminate", json!({})).await.good();
}
