//! Log breakpoints of Go programs: Delve writes their messages without a stop.

use serde_json::{Value, json};

use crate::caller::Answer;
use crate::real::stage::{Stage, marked, workspace_with};

const MODULE: (&str, &str) = ("go.mod", "module logs\n\ngo 1.20\n");

const LOOP: &str = r#"package main

import "os"

func count(rounds int) int {
	total := 0
	for i := 0; i < rounds; i++ {
		total += i // [stop: hit]
	}
	return total // [stop: counted]
}

func main() {
	if count(10_000) == 49_995_000 {
		os.Exit(3)
	}
}
"#;

/// The same with a tenth of the rounds.
fn short_loop() -> String {
    LOOP.replace("10_000", "1_000").replace("49_995_000", "499_500")
}

async fn workspace(stage: &mut Stage, text: &str) -> tempfile::TempDir {
    let (dir, _) = workspace_with(&[MODULE, ("main.go", text)]).await;
    stage.start_in(dir.path()).await;
    dir
}

fn at(dir: &tempfile::TempDir, mark: &str) -> String {
    format!("main.go:{}", marked(&dir.path().join("main.go"), mark))
}

async fn launch(stage: &mut Stage, breakpoints: Value) -> Answer {
    let launch = json!({"program": "main.go", "breakpoints": breakpoints, "timeout_s": 300});
    stage.call("debug_launch", launch).await.good()
}

/// The texts of the last hits, with the name of the thread.
async fn texts(stage: &mut Stage, tail: u32) -> Vec<String> {
    let output = stage.call("debug_output", json!({"stream": "log", "tail": tail})).await.good();
    let lines = output.text.lines().filter_map(|line| line.strip_prefix("log| "));
    lines.map(str::to_owned).collect()
}

/// Hits before a stop come before the stop, and those before the end before the end.
pub async fn every_hit_of_a_go_log_breakpoint_is_counted(stage: &mut Stage) {
    let dir = workspace(stage, LOOP).await;
    let (hit, counted) = (at(&dir, "hit"), at(&dir, "counted"));
    let log = json!({"at": hit, "log": "i={i}"});
    let stop = launch(stage, json!([log, counted])).await;
    assert_eq!(stop.place(), format!("main.count  {counted}"), "{}", stop.text);
    stop.says("log breakpoints +10000 hits");
    let expect: Vec<String> =
        (9990..10_000).map(|i| format!("#1.{} goroutine 1: i={i}", i + 1)).collect();
    assert_eq!(texts(stage, 10).await, expect);
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 10000 hits");
    stage.resume().await.good().line("□ exited with code 3");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    std::fs::write(dir.path().join("main.go"), short_loop()).unwrap();
    let end = launch(stage, json!([{"at": hit, "log": "i={i}"}])).await;
    end.line("□ exited with code 3");
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 1000 hits");
}

/// A pause that arrives while the program is stopped at the line makes Delve report that hit again.
pub async fn pauses_count_no_go_hit_twice(stage: &mut Stage) {
    let text = LOOP.replace("10_000", "3_000").replace("49_995_000", "4_498_500");
    let dir = workspace(stage, &text).await;
    let log = json!({"at": at(&dir, "hit"), "log": "i={i}"});
    launch(stage, json!([log, "main.count"])).await;
    for _ in 0..8 {
        let run = json!({"timeout_s": 0.05});
        stage.call("debug_continue", run).await.good().line("▶ running");
        let stop = stage.call("debug_pause", json!({})).await.good();
        assert_eq!(stop.reason(), "by pause", "{}", stop.text);
    }
    stage.call("debug_continue", json!({"timeout_s": 0})).await.good();
    stage.call("debug_wait", json!({"timeout_s": 100})).await.good().line("□ exited with code 3");
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 3000 hits");
}

/// An expression that fails is reported once, and each hit is counted.
pub async fn failing_expression_of_a_go_log_breakpoint_is_written_once(stage: &mut Stage) {
    let dir = workspace(stage, &short_loop()).await;
    let log = json!({"at": at(&dir, "hit"), "log": "of {nowhere}"});
    launch(stage, json!([log])).await.line("□ exited with code 3");
    let expect = [
        "#1.1 goroutine 1: of <error: undefined: nowhere>",
        "#1 the same error again; more are only counted",
    ];
    assert_eq!(texts(stage, 10).await, expect);
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 1000 hits");
}

/// The host counts hits and thins messages; the adapter evaluates the condition.
pub async fn conditions_and_counts_of_a_go_log_breakpoint_hold(stage: &mut Stage) {
    let dir = workspace(stage, &short_loop()).await;
    let hit = at(&dir, "hit");
    let log = json!({
        "at": hit, "condition": "i%10 == 3", "hit_condition": ">= 91", "every": 5, "log": "i={i}",
    });
    launch(stage, json!([log])).await.line("□ exited with code 3");
    assert_eq!(texts(stage, 10).await, ["#1.95 goroutine 1: i=943", "#1.100 goroutine 1: i=993"]);
}

/// Delve disables it in the running program: a million passes would take minutes.
pub async fn finished_go_log_breakpoint_costs_nothing(stage: &mut Stage) {
    let long = LOOP.replace("10_000", "1_000_000").replace("49_995_000", "499_999_500_000");
    let dir = workspace(stage, &long).await;
    let log = json!({"at": at(&dir, "hit"), "max_hits": 2, "log": "i={i}"});
    launch(stage, json!([log])).await.line("□ exited with code 3");
    assert_eq!(texts(stage, 10).await, ["#1.1 goroutine 1: i=0", "#1.2 goroutine 1: i=1"]);
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    list.says(" · at most 2, reached: off · 2 hits");
}

const PARALLEL: &str = r#"package main

import "sync"

func work(id int, rounds int) int {
	sum := 0
	for i := 0; i < rounds; i++ {
		sum += i // [stop: hit]
	}
	return sum
}

func main() {
	var group sync.WaitGroup
	for id := 0; id < 8; id++ {
		group.Add(1)
		go func(id int) {
			defer group.Done()
			work(id, 40)
		}(id)
	}
	group.Wait()
}
"#;

/// Goroutines that hit at the same time: no hit is lost, and each has its own order.
pub async fn hits_of_all_goroutines_are_counted(stage: &mut Stage) {
    let dir = workspace(stage, PARALLEL).await;
    let log = json!({"at": at(&dir, "hit"), "log": "{id} {i}"});
    launch(stage, json!([log])).await.line("□ exited with code 0");
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 320 hits");
    let texts = texts(stage, 320).await;
    for id in 0..8 {
        let own = |line: &&String| line.contains(&format!(": {id} "));
        let rounds: Vec<&str> =
            texts.iter().filter(own).map(|line| line.rsplit_once(' ').unwrap().1).collect();
        let all: Vec<String> = (0..40).map(|round| round.to_string()).collect();
        assert_eq!(rounds, all, "{id}");
    }
}

const STEPS: &str = r#"package main

func main() {
	a := 1 // [stop: first]
	b := a + 1 // [stop: second]
	c := b + 1 // [stop: third]
	println(a, b, c) // [stop: last]
}
"#;

/// The end of a step at a log breakpoint is one hit, if the condition holds.
pub async fn step_to_a_go_log_breakpoint_is_one_hit(stage: &mut Stage) {
    let dir = workspace(stage, STEPS).await;
    let breakpoints = json!([
        at(&dir, "first"),
        {"at": at(&dir, "second"), "log": "a={a}"},
        {"at": at(&dir, "third"), "condition": "a == 2", "log": "never"},
        {"at": at(&dir, "last"), "condition": "a == 1", "log": "c={c}"},
    ]);
    launch(stage, breakpoints).await;
    for mark in ["second", "third", "last"] {
        let step = stage.call("debug_step", json!({})).await.good();
        let found = (step.reason(), step.place());
        assert_eq!(found, ("after step", &*format!("main.main  {}", at(&dir, mark))));
    }
    stage.resume().await.good().line("□ exited with code 0");
    assert_eq!(texts(stage, 10).await, ["#2.1 goroutine 1: a=1", "#4.1 goroutine 1: c=3"]);
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    for number in [" #2 ", " #4 "] {
        assert!(list.line(number).ends_with(" · 1 hit"), "{}", list.text);
    }
    assert!(!list.line(" #3 ").contains("hit"), "{}", list.text);
}

const VALUES: &str = r#"package main

type item struct {
	Name string
	Tags []string
}

type failure struct{ Code int }

func (f *failure) Error() string { return "failed" }

func main() {
	n, u, ok := 5, uint8(7), true
	text := "two\nlines \"{%d}\""
	list := []int{5, 6}
	table := map[string]int{"}": 2, "a": 1}
	one := item{"Heft", []string{"x"}}
	pointer := &one
	var none *item
	var err error = &failure{3}
	var any interface{} = u
	println(n, u, ok, text, len(list), len(table), pointer, none, err, any) // [stop: all]
}
"#;

/// Values are as elsewhere, and literal text is as written.
pub async fn texts_of_go_log_breakpoints_have_plain_values(stage: &mut Stage) {
    let dir = workspace(stage, VALUES).await;
    let all = at(&dir, "all");
    let names = ["n", "u", "ok", "text", "list", "table", "one", "pointer", "none", "err", "any"];
    let braced: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
    let log = json!({"at": all, "log": braced.join("; ")});
    launch(stage, json!([log])).await.line("□ exited with code 0");
    let texts = texts(stage, 1).await;
    let expect = [
        "5",
        "7",
        "true",
        r#""two\nlines \"{%d}\"""#,
        "len: 2, cap: 2, [5,6]",
        r#"["a": 1, "}": 2]"#,
        r#"{Name: "Heft", Tags: []string len: 1, cap: 1, ["x"]}"#,
        r#"{Name: "Heft", Tags: []string len: 1, cap: 1, ["x"]}"#,
        "nil",
        "*main.failure {Code: 3}",
        "uint8(7)",
    ];
    assert_eq!(texts, [format!("#1.1 goroutine 1: {}", expect.join("; "))]);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let text = "{{n}} 100% %d {table[\"}\"]} {table[`a`]} {list[9]} {none.Name} }";
    launch(stage, json!([{"at": all, "log": text}])).await.line("□ exited with code 0");
    let expect = "{n} 100% %d 2 1 <error: index out of bounds> <error: none is nil> }";
    assert_eq!(self::texts(stage, 1).await, [format!("#2.1 goroutine 1: {expect}")]);
}
