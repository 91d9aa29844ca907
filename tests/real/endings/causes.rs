//! `debug_exception`: the exception of a stop with its causes, frames and last output.

use serde_json::{Value, json};

use crate::caller::{Answer, root};
use crate::real::stage::{Stage, marked};

/// Depth, link, type, message and the mark of the place; no place: the debugger knows none.
type Cause<'a> = (u32, &'a str, &'a str, &'a str, Option<&'a str>);

const CPP: &str = "tests/fixtures/c/causes.cpp";

/// Launches `causes`; the one of C is in C++.
async fn launch(stage: &mut Stage, args: &[&str]) -> Answer {
    if !stage.language.is_c() {
        return stage.launch("causes", json!({"args": args})).await.good();
    }
    let program = json!({
        "program": "target/fixtures/c/causes", "timeout_s": 50, "args": args,
        "adapter": stage.language.adapter(),
    });
    stage.call("debug_launch", program).await.good()
}

/// The line of a mark in the source of `causes`.
fn line(stage: &Stage, mark: &str) -> usize {
    let source = if stage.language.is_c() { CPP.into() } else { stage.language.source("causes") };
    marked(&root().join(source), mark)
}

fn expected(stage: &Stage) -> &'static [Cause<'static>] {
    stage.pick::<&[Cause<'static>]>(
        &[
            (1, "context", "LookupError", "order zwölf", Some("load")),
            (
                2,
                "cause",
                "ValueError",
                "invalid literal for int() with base 10: 'x1'",
                Some("parse"),
            ),
        ],
        &[
            (1, "cause", "causes::Unreadable", "line: 3", None),
            (2, "cause", "core::num::error::ParseIntError", "kind: InvalidDigit", None),
        ],
        &[
            (1, "cause", "*errors.joinError", "", None),
            (
                2,
                "member",
                "*fmt.wrapError",
                "order zwölf: strconv.Atoi: parsing \"x1\": invalid syntax",
                None,
            ),
            (3, "cause", "*strconv.NumError", "", None),
            (4, "cause", "*errors.errorString", "invalid syntax", None),
            (2, "member", "*errors.errorString", "second", None),
        ],
        &[
            (1, "member", "Error", "order zwölf", Some("load")),
            (2, "cause", "TypeError", "no digits in x1", Some("parse")),
            (1, "member", "RangeError", "second", Some("run")),
        ],
        &[
            (1, "cause", "std::out_of_range", "order zwölf", None),
            (2, "cause", "std::invalid_argument", "no digits in x1", None),
        ],
    )
}

#[track_caller]
fn assert_causes(stage: &Stage, data: &Value) {
    let mut found = Vec::new();
    for cause in data["causes"].as_array().unwrap() {
        let text = |key: &str| cause[key].as_str().unwrap_or_default();
        let place = cause["location"]["line"].as_u64().map(|line| line as usize);
        let depth = cause["depth"].as_u64().unwrap_or_default() as u32;
        found.push((depth, text("link"), text("type"), text("message"), place));
    }
    let mut wanted = Vec::new();
    for (depth, link, ty, message, mark) in expected(stage) {
        wanted.push((*depth, *link, *ty, *message, mark.map(|mark| line(stage, mark))));
    }
    assert_eq!(found, wanted, "{data:#}");
    assert_eq!(data["causesTruncated"], false);
}

/// One call after the stop. The frame that fails has its argument, and its caller its line.
pub async fn exception_has_causes_frames_and_output(stage: &mut Stage) {
    let stop = launch(stage, &[]).await;
    let answer = stage.call("debug_exception", json!({})).await.good();
    let data = &answer.data["data"];
    assert_causes(stage, data);
    let ty = stage.pick(
        "RuntimeError",
        "causes::Context",
        "*fmt.wrapError",
        "AggregateError",
        "std::runtime_error",
    );
    assert_eq!(data["type"], ty, "{}", answer.text);
    let message = data["message"].as_str().unwrap();
    let text =
        if stage.pick(false, true, false, false, false) { "order zwölf" } else { "run failed" };
    assert!(message.starts_with(text), "{message}");
    // A Rust program may catch a panic.
    let chance = stage.pick(json!(false), json!(true), json!(false), json!(false), json!(false));
    assert_eq!(data["isFirstChance"], chance);
    let frames = data["frames"].as_array().unwrap();
    let own: Vec<&Value> = frames.iter().filter(|frame| frame["library"] == false).collect();
    assert_eq!(own[0]["index"], data["throwingFrame"], "{data:#}");
    for (frame, mark) in own.iter().zip(["run", "main"]) {
        assert_eq!(frame["line"], line(stage, mark), "{data:#}");
        assert!(frame["code"].as_str().unwrap().contains(&format!("[stop: {mark}]")), "{data:#}");
    }
    let arguments: Vec<&str> = own[0]["arguments"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|argument| argument["name"].as_str())
        .collect();
    assert_eq!(arguments, ["text"], "{data:#}");
    let printed = data["output"].as_array().unwrap();
    // The report of a Rust panic may be long, and Go's comes later.
    let is_last = stage.pick(true, false, true, true, true);
    assert!(printed.iter().any(|line| line["text"] == "loading") || !is_last, "{data:#}");
    assert!(answer.text.starts_with(&format!("■ stopped {}", stop.reason())), "{}", answer.text);
}

/// A missing value has no causes; its message is the panic's.
pub async fn missing_value_is_described_by_its_panic(stage: &mut Stage) {
    let stop = launch(stage, &["none"]).await;
    assert_eq!(stop.reason(), "on panic: called `Option::unwrap()` on a `None` value");
    let answer = stage.call("debug_exception", json!({})).await.good();
    let data = &answer.data["data"];
    assert_eq!(data["causes"], json!([]), "{}", answer.text);
    let own = data["frames"].as_array().unwrap().iter().find(|frame| frame["library"] == false);
    assert_eq!(own.unwrap()["line"], line(stage, "missing"), "{}", answer.text);
    assert_eq!(own.unwrap()["arguments"][0]["name"], "orders", "{}", answer.text);
}

/// The address, the pointer and the instruction that uses it.
pub async fn segmentation_fault_has_its_pointer_and_instruction(stage: &mut Stage) {
    stage.launch("crash", json!({"args": ["segv"]})).await.good();
    let answer = stage.call("debug_exception", json!({})).await.good();
    let data = &answer.data["data"];
    assert_eq!(data["type"], "SIGSEGV", "{}", answer.text);
    assert!(data["message"].as_str().unwrap().contains("0x"), "{data:#}");
    assert!(data["instruction"].as_str().unwrap().contains("mov"), "{data:#}");
    assert_eq!(data["isFirstChance"], false, "{data:#}");
    let registers = data["registers"].as_array().unwrap();
    assert!(!registers.is_empty(), "{data:#}");
    assert!(answer.text.contains("\npc 0x"), "{}", answer.text);
}

/// At any other stop.
pub async fn stop_without_an_exception_is_refused(stage: &mut Stage) {
    let breakpoint = stage.at("cart", "tax");
    stage.launch("cart", json!({"breakpoints": [breakpoint]})).await.good();
    stage.call("debug_exception", json!({})).await.fails(
        "error[no-exception] stop 1 is at a breakpoint, not for an exception, a panic or a signal. \
         Try: debug_stack (debug_breakpoints `exceptions` chooses what stops the program)",
    );
}
