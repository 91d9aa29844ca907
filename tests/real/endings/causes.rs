//! `debug_exception`: the exception of a stop with its causes, frames and last output.

use serde_json::{Value, json};

use crate::caller::{Answer, Caller, Start, root};
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
            (3, "cause", "*strconv.NumError", "Func: \"Atoi\", Num: \"x1\"", None),
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
    let texts: Vec<&str> = printed.iter().filter_map(|line| line["text"].as_str()).collect();
    // The runtime of C++ reports the exception before the stop, and that of Rust in three lines.
    let after = stage.pick(0, 3, 0, 0, 2);
    assert_eq!(texts.iter().rev().nth(after), Some(&"loading"), "{data:#}");
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
    let message = data["message"].as_str().unwrap();
    assert!(message.ends_with("address 0x10") || message.contains("0x10)"), "{data:#}");
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

/// Not those that the stop has read.
pub async fn exception_has_the_values_of_now(stage: &mut Stage) {
    let (program, name, value) = stage.pick(
        ("causes", "text", "'new'"),
        ("causes", "", ""),
        ("causes", "", ""),
        ("causes", "text", "'new'"),
        ("crash", "address", "4711"),
    );
    let args: &[&str] = if program == "crash" { &["segv"] } else { &[] };
    stage.launch(program, json!({"args": args})).await.good();
    let set = json!({"target": name, "value": value});
    stage.call("debug_set", set).await.good();
    let answer = stage.call("debug_exception", json!({})).await.good();
    let frames = answer.data["data"]["frames"].as_array().unwrap();
    let own = frames.iter().find(|frame| frame["library"] == false).unwrap();
    let argument = &own["arguments"][0];
    assert_eq!((&argument["name"], &argument["value"]), (&json!(name), &json!(value)), "{own:#}");
    let locals = own["locals"].as_array().unwrap();
    let local = locals.iter().find(|local| local["name"] == name).unwrap();
    assert_eq!(local["value"], value, "{own:#}");
}

/// The runtime ends the program for the first one through functions without symbols.
pub async fn cpp_exceptions_that_end_the_program_have_type_and_text(stage: &mut Stage) {
    for (how, ty, message) in [
        ("noexcept", "std::invalid_argument", "no digits in x1"),
        ("pointer", "std::runtime_error*", "by pointer"),
    ] {
        let stop = launch(stage, &[how]).await;
        assert!(stop.reason().starts_with(&format!("signal SIGABRT: uncaught {ty}")));
        let answer = stage.call("debug_exception", json!({})).await.good();
        let data = &answer.data["data"];
        assert_eq!((&data["type"], &data["message"]), (&json!(ty), &json!(message)), "{data:#}");
        assert_eq!(data["isFirstChance"], false, "{data:#}");
        stage.call("debug_stop", json!({})).await.good();
    }
}

/// A signal that is ignored has no second chance; the same signal ends the program afterwards.
pub async fn ignored_signal_is_not_the_end(stage: &mut Stage) {
    stage.launch("crash", json!({"args": ["signal"]})).await.good();
    for chance in [Value::Null, json!(false)] {
        let answer = stage.call("debug_exception", json!({})).await.good();
        let data = &answer.data["data"];
        assert_eq!((&data["type"], &data["isFirstChance"]), (&json!("SIGUSR1"), &chance));
        stage.resume().await.good();
    }
    let status = stage.call("debug_status", json!({})).await.good();
    status.says("ended by signal SIGUSR1 (10)");
}

/// Python prints them after the message.
pub async fn python_notes_follow_the_message(stage: &mut Stage) {
    launch(stage, &["notes"]).await;
    let answer = stage.call("debug_exception", json!({})).await.good();
    let message = &answer.data["data"]["causes"][1]["message"];
    let number = "invalid literal for int() with base 10: 'x1'";
    assert_eq!(message, &format!("{number}\nread from orders.txt\nline 3"), "{}", answer.text);
}

/// Objects without a message are described by their fields, and no getter is called.
pub async fn javascript_values_are_errors_too(stage: &mut Stage) {
    let data = fail(stage, "object").await;
    let fields = "{code: 7, user: Object, tags: Array(1), gone: Object}";
    assert_eq!(data["message"], fields, "{data:#}");
    stage.call("debug_stop", json!({})).await.good();
    let data = fail(stage, "large").await;
    assert_eq!(data["causes"][0]["type"], "Uint8Array", "{data:#}");
    stage.call("debug_stop", json!({})).await.good();
    let data = fail(stage, "function").await;
    assert_eq!((&data["message"], &data["causes"]), (&json!("one"), &json!([])), "{data:#}");
    stage.call("debug_stop", json!({})).await.good();
    let data = fail(stage, "members").await;
    let found: Vec<_> = data["causes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cause| ["link", "type", "message"].map(|key| cause[key].as_str().unwrap()))
        .collect();
    let expected = [
        ["cause", "bigint", "7"],
        ["member", "undefined", "undefined"],
        ["member", "string", "text"],
        ["member", "Object", "{code: 8}"],
    ];
    assert_eq!(found, expected, "{data:#}");
}

/// Unless all exceptions are requested: V8 reports a rejection before its handler is added.
pub async fn javascript_rejection_that_is_handled_later_is_none(stage: &mut Stage) {
    let end = stage.launch("errors", json!({"args": ["rejection"]})).await.good();
    end.line("□ exited with code 0");
    end.says("handled");
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let data = fail(stage, "rejection").await;
    assert_eq!((&data["message"], &data["isFirstChance"]), (&json!("refused"), &Value::Null));
    stage.resume().await.good().line("□ exited with code 0");
}

/// A command selects a thread; the exception is that of the stop.
pub async fn exception_is_of_the_thread_that_stopped(stage: &mut Stage) {
    let flags = vec!["--toolsets", "default,raw"];
    stage.caller = Caller::start(Start { flags, ..stage.language.start() }).await;
    stage.launch("crash", json!({"args": ["thread"]})).await.good();
    let select = stage.of_c("thread 1", "thread select 1");
    stage.call("debug_command", json!({"command": select})).await.good();
    let answer = stage.call("debug_exception", json!({})).await.good();
    let data = &answer.data["data"];
    assert_eq!((&data["type"], &data["isFirstChance"]), (&json!("SIGSEGV"), &json!(false)));
    assert!(data["message"].as_str().unwrap().contains("0x10"), "{data:#}");
}

/// The stop of a throw reads no causes: they take long.
pub async fn causes_are_read_only_if_wanted(stage: &mut Stage) {
    let flags = vec!["--toolsets", "default,raw"];
    stage.caller = Caller::start(Start { flags, ..stage.language.start() }).await;
    let program = json!({
        "program": "target/fixtures/c/causes", "adapter": stage.language.adapter(),
        "options": {"stop_on_entry": true}, "timeout_s": 50,
    });
    stage.call("debug_launch", program).await.good();
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    stage.resume().await.good();
    let thread = stage.call("debug_exception", json!({})).await.data["data"]["threadId"].clone();
    for (arguments, ty) in [
        (json!({"threadId": thread}), Value::Null),
        (json!({"threadId": thread, "causes": 1}), json!("std::invalid_argument")),
    ] {
        let request = json!({"command": "exceptionInfo", "arguments": arguments});
        let answer = stage.call("dap_request", request).await.good();
        let body: Value = serde_json::from_str(&answer.text).unwrap();
        assert_eq!(body["breakMode"], "always", "{body:#}");
        assert_eq!(body["details"]["typeName"], ty, "{body:#}");
    }
}

/// Launches a JavaScript program by errors that are hard to describe.
async fn fail(stage: &mut Stage, how: &str) -> Value {
    stage.launch("errors", json!({"args": [how]})).await.good();
    stage.call("debug_exception", json!({"causes": 50})).await.good().data["data"].clone()
}

pub async fn javascript_errors_without_an_end_are_bounded(stage: &mut Stage) {
    let data = fail(stage, "endless").await;
    assert_eq!((&data["type"], &data["message"]), (&json!("Error"), &json!("endless")));
    assert_eq!(data["causes"].as_array().unwrap().len(), 50);
    assert_eq!(data["causesTruncated"], true);
}

pub async fn javascript_text_is_whole(stage: &mut Stage) {
    let data = fail(stage, "surrogate").await;
    assert_eq!(data["message"], "half \u{fffd}");
    assert_eq!(data["causes"][0]["message"], "whole \u{1f600}");
    // The path of a script is no URL.
    for name in ["50%.js", "50%25.js"] {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().canonicalize().unwrap().join(name);
        std::fs::write(&file, "throw new Error('a', { cause: new Error('b') });\n").unwrap();
        let launch = json!({"program": file, "timeout_s": 50});
        stage.call("debug_stop", json!({"all": true})).await.good();
        stage.call("debug_launch", launch).await.good();
        let answer = stage.call("debug_exception", json!({})).await.good();
        let cause = &answer.data["data"]["causes"][0];
        assert_eq!((&cause["message"], &cause["location"]["line"]), (&json!("b"), &json!(1)));
        assert_eq!(cause["location"]["file"], json!(file), "{}", answer.text);
    }
}

/// js-debug cannot copy the error of a context without timers, and reads a variable of the program
/// from then on.
pub async fn javascript_error_is_that_of_the_stop(stage: &mut Stage) {
    let entry = json!({"args": ["context"], "options": {"stop_on_entry": true}});
    stage.launch("errors", entry).await.good();
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    stage.resume().await.good().says("of the context");
    // Where the context was entered.
    stage.resume().await.good();
    for (mark, message, causes) in [("inner", "inner", &[][..]), ("outer", "outer", &["cause"])] {
        let stop = stage.resume().await.good();
        stage.assert_stop(&stop, "errors", "replace", mark);
        let answer = stage.call("debug_exception", json!({})).await.good();
        let data = &answer.data["data"];
        assert!(data["words"].as_str().unwrap().contains(message), "{data:#}");
        let found = data["causes"].as_array().unwrap();
        let found: Vec<_> = found.iter().map(|cause| cause["message"].as_str().unwrap()).collect();
        assert_eq!(found, causes, "{data:#}");
    }
}

/// What the conditions leave in the program.
pub async fn javascript_program_holds_no_error(stage: &mut Stage) {
    fail(stage, "surrogate").await;
    let holds = "Object.keys(globalThis).filter(n => /hoisted/.test(n)).length + ' ' \
                 + Object.prototype.toString.call(globalThis[Symbol.for('dapdock.error')])";
    let evaluate = json!({"expressions": [holds], "effects": "allow"});
    stage.call("debug_evaluate", evaluate).await.good().says("0 [object WeakRef]");
}

/// Delve counts the members of a long list and lists none.
pub async fn members_of_a_long_list_are_read(stage: &mut Stage) {
    launch(stage, &["many"]).await;
    let answer = stage.call("debug_exception", json!({"causes": 40})).await.good();
    let data = &answer.data["data"];
    let causes = data["causes"].as_array().unwrap();
    assert_eq!((causes.len(), &data["causesTruncated"]), (40, &json!(true)), "{data:#}");
    assert_eq!(
        (&causes[39]["link"], &causes[39]["message"]),
        (&json!("member"), &json!("order 39"))
    );
    answer.says("\n  more causes: debug_exception causes=50\n");
}

/// An error that is a text, and the chain of contexts in an error of the crate `anyhow`.
pub async fn rust_errors_are_read_to_their_ends(stage: &mut Stage) {
    let contexts = [
        ("anyhow::Error", "load x1"),
        ("anyhow::Error", "read the number"),
        ("core::num::error::ParseIntError", "kind: InvalidDigit"),
    ];
    for (mode, expected) in
        [("anyhow", &contexts[..]), ("text", &[("alloc::string::String", "no digits")])]
    {
        launch(stage, &[mode]).await;
        let answer = stage.call("debug_exception", json!({})).await.good();
        let data = &answer.data["data"];
        let causes = data["causes"].as_array().into_iter().flatten();
        let found: Vec<_> = causes
            .map(|cause| {
                let text = |key: &str| cause[key].as_str().unwrap_or_default();
                (text("type"), text("message"))
            })
            .collect();
        assert_eq!(found, expected[1..], "{data:#}");
        assert_eq!(data["type"], expected[0].0, "{data:#}");
        assert!(answer.text.contains(expected[0].1), "{}", answer.text);
        stage.call("debug_stop", json!({})).await.good();
    }
}
