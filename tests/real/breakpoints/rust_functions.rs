//! Functions of Rust by the names that developers use for them.

use serde_json::{Value, json};

use crate::caller::root;
use crate::real::Stage;

/// Runs to the end and returns each stop as `#1 mark NAME=value`.
async fn stops(stage: &mut Stage, breakpoints: Value, local: &str) -> Vec<String> {
    let first = stage.call("debug_breakpoints", json!({"set": breakpoints})).await.good();
    let first = first
        .line("+#")
        .split_once(' ')
        .unwrap()
        .0
        .trim_start_matches("+#")
        .parse::<u32>()
        .unwrap();
    let mut answer = stage.launch("functions", json!({})).await.good();
    let source = std::fs::read_to_string(root().join(stage.language.source("functions"))).unwrap();
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    while answer.text.starts_with('■') {
        // Breakpoint numbers count over all sessions of a host.
        let numbers = answer.reason().trim_start_matches("breakpoint ").split(' ');
        let numbers: Vec<String> = numbers
            .map(|one| {
                format!("#{}", one.trim_start_matches('#').parse::<u32>().unwrap() - first + 1)
            })
            .collect();
        let line: usize = answer.place().rsplit_once(':').unwrap().1.parse().unwrap();
        let mark = lines[line - 1].split_once("[stop: ").and_then(|(_, rest)| rest.split_once(']'));
        let mark = mark.unwrap_or_else(|| panic!("no mark in\n{}", answer.text)).0;
        let value = if local.is_empty() {
            String::new()
        } else {
            format!(" {local}={}", answer.local(local))
        };
        found.push(format!("{} {mark}{value}", numbers.join(" ")));
        answer = stage.resume().await.good();
    }
    answer.line("□ exited with code 0");
    assert!(!answer.text.contains("never"), "{}", answer.text);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    found
}

/// The user's own functions, though the library has a `run` and a `push` too.
pub async fn function_name_matches_user_code_only(stage: &mut Stage) {
    assert_eq!(
        stops(stage, json!(["run"]), "left").await,
        ["#1 outer left=1", "#1 inner left=2", "#1 outer left=3"]
    );
    assert_eq!(stops(stage, json!(["inner::run"]), "left").await, ["#1 inner left=2"]);
    assert_eq!(
        stops(stage, json!(["crate::run"]), "left").await,
        ["#1 outer left=1", "#1 outer left=3"]
    );
    assert_eq!(stops(stage, json!(["push"]), "").await, ["#1 push", "#1 push"]);
    let library = stage.launch("functions", json!({"breakpoints": ["Vec::push"]})).await.good();
    library.says("(called into #0 alloc::vec::Vec<T,A>::push  /rustc/");
}

/// All instances are one breakpoint.
pub async fn generic_functions_are_found(stage: &mut Stage) {
    assert_eq!(
        stops(stage, json!(["parse"]), "text").await,
        [r#"#1 parse text="6""#, r#"#1 parse text="7.5""#]
    );
    for name in ["Stack::push", "functions::Stack<T>::push", "crate::Stack::push"] {
        assert_eq!(stops(stage, json!([name]), "").await, ["#1 push", "#1 push"], "{name}");
    }
}

pub async fn methods_of_traits_are_found(stage: &mut Stage) {
    for (name, marks) in [
        ("Book::price", &["#1 book"][..]),
        ("<Pen as Priced>::price", &["#1 pen"]),
        ("Priced::price", &["#1 book", "#1 pen"]),
        ("Priced::twice", &["#1 twice"]),
        ("price", &["#1 book", "#1 pen"]),
    ] {
        assert_eq!(stops(stage, json!([name]), "").await, marks, "{name}");
    }
}

/// At the start of the body, with its parameters, once for each call: not where the future is
/// created, and not at each poll.
pub async fn async_function_is_entered_once(stage: &mut Stage) {
    assert_eq!(
        stops(stage, json!(["fetch"]), "left").await,
        ["#1 fetch left=2", "#1 fetch left=1"]
    );
    assert_eq!(stops(stage, json!(["fetch if left == 1"]), "left").await, ["#1 fetch left=1"]);
}

pub async fn names_of_one_function_stop_together(stage: &mut Stage) {
    let all = json!(["run", "crate::run", "functions::run"]);
    let together = "#1 #2 #3 outer left=";
    let expected = [format!("{together}1"), "#1 inner left=2".to_owned(), format!("{together}3")];
    assert_eq!(stops(stage, all, "left").await, expected);
    let expected = ["#1 #2 fetch left=2", "#1 #2 fetch left=1"];
    assert_eq!(stops(stage, json!(["fetch", "crate::fetch"]), "left").await, expected);
}

/// Set and removed while stopped.
pub async fn function_breakpoints_change_at_a_stop(stage: &mut Stage) {
    let stop = stage.launch("functions", json!({"breakpoints": ["twice"]})).await.good();
    stage.assert_stop(&stop, "functions", "Priced::twice", "twice");
    stage
        .call("debug_breakpoints", json!({"set": ["Pen::price", "fetch"]}))
        .await
        .good()
        .says("3 breakpoints");
    let stop = stage.resume().await.good();
    assert!(stop.place().ends_with(&stage.at("functions", "pen")), "{}", stop.text);
    let stop = stage.resume().await.good();
    assert_eq!(stop.local("left"), "2", "{}", stop.text);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
}
