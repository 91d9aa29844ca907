//! Functions on one line, whose arguments are not where they will be when they are entered.

use serde_json::json;

use super::Stage;
use super::stage::marked;
use crate::caller::{Answer, root};

const SOURCE: &str = "tests/fixtures/c/one_line.cpp";

fn at(mark: &str) -> String {
    format!("{SOURCE}:{}", marked(&root().join(SOURCE), mark))
}

async fn launch(stage: &mut Stage, breakpoints: serde_json::Value) -> Answer {
    let program = json!({"program": "target/fixtures/c/one_line", "adapter": stage.language.adapter(),
        "breakpoints": breakpoints, "timeout_s": 50});
    stage.call("debug_launch", program).await.good()
}

#[track_caller]
fn stands(stop: &Answer, reason: &str, mark: &str, locals: &[(&str, &str)]) {
    assert_eq!(stop.reason(), reason, "{}", stop.text);
    assert!(stop.place().ends_with(&at(mark)), "{}", stop.text);
    for (name, value) in locals {
        assert_eq!(stop.local(name), *value, "{}", stop.text);
    }
}

pub async fn a_breakpoint_knows_the_arguments(stage: &mut Stage) {
    let stop =
        launch(stage, json!(["twice", at("sum"), format!("{} if n == 50", at("box"))])).await;
    stands(&stop, "breakpoint #1", "twice", &[("x", "21")]);
    let stop = stage.resume().await.good();
    stands(&stop, "breakpoint #1", "twice", &[("x", "4")]);
    let stop = stage.resume().await.good();
    stands(&stop, "breakpoint #2", "sum", &[("a", "42"), ("b", "8")]);
    let stop = stage.resume().await.good();
    stands(&stop, "breakpoint #3", "box", &[("n", "50")]);
}

pub async fn a_condition_knows_the_arguments(stage: &mut Stage) {
    let stop = launch(stage, json!(["twice if x == 4", "sum if a == 42 && b == 8"])).await;
    stands(&stop, "breakpoint #1", "twice", &[("x", "4")]);
    let stop = stage.resume().await.good();
    stands(&stop, "breakpoint #2", "sum", &[("a", "42"), ("b", "8")]);
}

pub async fn a_step_in_knows_the_arguments(stage: &mut Stage) {
    launch(stage, json!([at("first"), at("put"), "twice"])).await;
    let stop = stage.call("debug_step", json!({"kind": "in"})).await.good();
    stands(&stop, "breakpoint #3", "twice", &[("x", "21")]);
    stage.call("debug_breakpoints", json!({"remove": [3], "set": [at("second")]})).await.good();
    let stop = stage.resume().await.good();
    stands(&stop, "breakpoint #4", "second", &[("a", "42")]);
    let stop = stage.call("debug_step", json!({"kind": "in"})).await.good();
    stands(&stop, "after step", "twice", &[("x", "4")]);
    let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert!(stop.place().starts_with("main"), "{}", stop.text);
    let stop = stage.resume().await.good();
    stands(&stop, "breakpoint #2", "put", &[("a", "42"), ("b", "8")]);
    let stop = stage.call("debug_step", json!({"kind": "in"})).await.good();
    stands(&stop, "after step", "sum", &[("a", "42"), ("b", "8")]);
    let stop = stage.resume().await.good();
    stop.line("□ exited with code 0");
}
