//! Functions on a single line: their arguments are not yet in place at the first instruction.

use serde_json::json;

use crate::caller::{Answer, root};
use crate::real::stage::{Stage, marked};

const SOURCE: &str = "tests/fixtures/c/one_line.cpp";

fn at(mark: &str) -> String {
    format!("{SOURCE}:{}", marked(&root().join(SOURCE), mark))
}

async fn launch(stage: &mut Stage, breakpoints: serde_json::Value) -> Answer {
    let program = json!({"program": "target/fixtures/c/one_line",
        "adapter": stage.language.adapter(),
        "breakpoints": breakpoints, "timeout_s": 50});
    stage.call("debug_launch", program).await.good()
}

#[track_caller]
fn assert_stop(stop: &Answer, reason: &str, mark: &str, locals: &[(&str, &str)]) {
    assert_eq!(stop.reason(), reason, "{}", stop.text);
    assert!(stop.place().ends_with(&at(mark)), "{}", stop.text);
    for (name, value) in locals {
        assert_eq!(stop.local(name), *value, "{}", stop.text);
    }
}

pub async fn breakpoint_in_one_line_function_shows_arguments(stage: &mut Stage) {
    let stop =
        launch(stage, json!(["twice", at("sum"), format!("{} if n == 50", at("box"))])).await;
    assert_stop(&stop, "breakpoint #1", "twice", &[("x", "21")]);
    let stop = stage.resume().await.good();
    assert_stop(&stop, "breakpoint #1", "twice", &[("x", "4")]);
    let stop = stage.resume().await.good();
    assert_stop(&stop, "breakpoint #2", "sum", &[("a", "42"), ("b", "8")]);
    let stop = stage.resume().await.good();
    assert_stop(&stop, "breakpoint #3", "box", &[("n", "50")]);
}

pub async fn condition_in_one_line_function_reads_arguments(stage: &mut Stage) {
    let stop = launch(stage, json!(["twice if x == 4", "sum if a == 42 && b == 8"])).await;
    assert_stop(&stop, "breakpoint #1", "twice", &[("x", "4")]);
    let stop = stage.resume().await.good();
    assert_stop(&stop, "breakpoint #2", "sum", &[("a", "42"), ("b", "8")]);
}

pub async fn step_into_a_one_line_function_shows_arguments(stage: &mut Stage) {
    launch(stage, json!([at("first"), at("put"), "twice"])).await;
    let stop = stage.call("debug_step", json!({"kind": "in"})).await.good();
    assert_stop(&stop, "breakpoint #3", "twice", &[("x", "21")]);
    stage.call("debug_breakpoints", json!({"remove": [3], "set": [at("second")]})).await.good();
    let stop = stage.resume().await.good();
    assert_stop(&stop, "breakpoint #4", "second", &[("a", "42")]);
    let stop = stage.call("debug_step", json!({"kind": "in"})).await.good();
    assert_stop(&stop, "after step", "twice", &[("x", "4")]);
    let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert!(stop.place().starts_with("main"), "{}", stop.text);
    let stop = stage.resume().await.good();
    assert_stop(&stop, "breakpoint #2", "put", &[("a", "42"), ("b", "8")]);
    let stop = stage.call("debug_step", json!({"kind": "in"})).await.good();
    assert_stop(&stop, "after step", "sum", &[("a", "42"), ("b", "8")]);
    let stop = stage.resume().await.good();
    stop.line("□ exited with code 0");
}
