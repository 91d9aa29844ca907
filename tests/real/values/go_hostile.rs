//! Large, deep and cyclic values of Go: a stop and each read of them take little time.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::{Stage, marked, workspace_with};

const PROGRAM: &str = r#"package main

import (
	"strings"
	"sync"
)

type Node struct {
	Next *Node
	Val  int
}

type Ring struct {
	Self  *Ring
	Peers []*Ring
	Any   any
	Named map[string]*Ring
}

type Point struct{ X, Y int }

type Tree struct {
	Down []Tree
	Name string
}

type Wide struct {
FIELDS
}

func main() {
	small := "small"
	numbers := make(map[int]string, 1_000_000)
	points := make(map[Point]Point, 1_000_000)
	for n := 0; n < 1_000_000; n++ {
		numbers[n] = "v"
		points[Point{n, n}] = Point{n, 1}
	}
	list := make([]Point, 10_000_000)
	list[9_999_999].Y = 7
	text := strings.Repeat("x", 1<<30-8) + "the end!"
	ring := &Ring{}
	ring.Self, ring.Peers, ring.Any = ring, []*Ring{ring, ring}, ring
	ring.Named = map[string]*Ring{"ring": ring}
	var deep *Node
	for n := 0; n < 100_000; n++ {
		deep = &Node{deep, n}
	}
	var nested any
	tree := Tree{Name: "leaf"}
	for n := 0; n < 100_000; n++ {
		nested, tree = []any{nested}, Tree{[]Tree{tree}, "tree"}
	}
	self := map[string]any{}
	self["self"] = self
	wide := Wide{F0: 1, F1999: 1999}
	full := make(chan int, 100_000)
	for n := 0; n < 100_000; n++ {
		full <- n
	}
	wides := make(chan Wide, 1000)
	for n := 0; n < 1000; n++ {
		wides <- wide
	}
	pointer, entries := &list, &numbers
	var group sync.WaitGroup
	block := make(chan int)
	for n := 0; n < 100_000; n++ {
		group.Add(1)
		go func() {
			group.Done()
			<-block
		}()
	}
	group.Wait()
	small += "!"                                             // [stop: before]
	println(len(numbers), len(points), len(list), len(text)) // [stop: values]
	println(ring, deep, len(block), small, nested, len(tree.Down), len(self), wide.F0)
	println(len(full), len(wides), pointer, entries)
}
"#;

/// What a stop or a read may take; a hang takes as long as the tool's own limits. Delve walks all
/// entries of a map up to the one that it reads.
const SOON: Duration = Duration::from_secs(5);

/// How each value begins and ends in the list: large ones are cut, the others are complete.
const LISTED: [(&str, &str); 17] = [
    ("small: string = \"small!\"", ""),
    ("numbers: map[int]string = [", "..."),
    ("points: map[main.Point]main.Point = [{X: ", "..."),
    ("list: []main.Point = len: 10000000, cap: 10000000, [{X: 0, Y: 0},", "..."),
    ("text: string = \"xxxxxxxx", "...+1073741312 more\""),
    ("ring: *main.Ring = {Self: *main.Ring {Self: *(*main.Ring)(", "..."),
    ("deep: *main.Node = {Next: *main.Node {Next: *(*main.Node)(", ", Val: 99998}, Val: 99999}"),
    ("nested: interface {}", ")]]"),
    ("tree: main.Tree = {Down: []main.Tree len: 1, cap: 1, [", "], Name: \"tree\"}"),
    ("self: map[string]interface {} = [\"self\": map[string]interface {} [", ")]]"),
    ("wide: main.Wide = {F0: 1, F1: 0, ", "..."),
    ("full: chan int = chan(100000 of 100000)", ""),
    ("wides: chan main.Wide = chan(1000 of 1000)", ""),
    ("entries: *map[int]string = [", "..."),
    ("pointer: *[]main.Point = len: 10000000, cap: 10000000, [{X: 0, Y: 0},", "..."),
    ("group: sync.WaitGroup = waits for 0", ""),
    ("block: chan int = chan(0 of 0)", ""),
];

/// Runs from the first breakpoint to the second one: building the values takes longer.
async fn stop_at_the_values(stage: &mut Stage) -> tempfile::TempDir {
    let fields: Vec<String> = (0..2_000).map(|number| format!("\tF{number} int")).collect();
    let program = PROGRAM.replace("FIELDS", &fields.join("\n"));
    let files = [("main.go", program.as_str()), ("go.mod", "module hostile\n\ngo 1.20\n")];
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    let file = dir.path().join("main.go");
    let at = ["before", "values"].map(|mark| format!("main.go:{}", marked(&file, mark)));
    let launch = json!({"program": "main.go", "breakpoints": at, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let began = Instant::now();
    let stop = stage.resume_to(2).await;
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!(stop.local("small"), "\"small!\"", "{}", stop.text);
    dir
}

/// Each value is in the list, cut or complete, and none hides another.
async fn values_are_listed_at_once(stage: &mut Stage) {
    let began = Instant::now();
    let all = stage.call("debug_variables", json!({})).await.good();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    for (start, end) in LISTED {
        let rest = all.line(&format!("  {start}"));
        assert!(rest.ends_with(end), "{start}{rest}");
        assert!(!end.is_empty() || rest.is_empty(), "{start}{rest}");
    }
}

pub async fn hostile_values_of_go_are_read_soon(stage: &mut Stage) {
    let _dir = stop_at_the_values(stage).await;
    values_are_listed_at_once(stage).await;
    for (tool, arguments, part) in [
        ("debug_variables", json!({"path": "numbers", "depth": 3}), "1000000 inside"),
        ("debug_variables", json!({"path": "points", "depth": 3}), "1000000 inside"),
        ("debug_variables", json!({"path": "list", "depth": 3}), "10000000 inside"),
        ("debug_variables", json!({"path": "list[9999999]"}), "Y: int = 7"),
        (
            "debug_variables",
            json!({"path": "pointer", "start": 9_999_998}),
            "[9999999]: main.Point",
        ),
        ("debug_variables", json!({"path": "pointer[9999999].Y"}), "\n7"),
        ("debug_variables", json!({"path": "entries", "count": 5}), "1000000 inside"),
        ("debug_variables", json!({"path": "text"}), "text: string · 1073741824 bytes"),
        ("debug_variables", json!({"path": "text", "start": 1_073_741_814}), "\nxxthe end!"),
        (
            "debug_variables",
            json!({"path": "text", "start": 2_000_000_000}),
            "only 1073741824 bytes",
        ),
        ("debug_evaluate", json!({"expressions": ["text[1073741816:]"]}), " = \"the end!\""),
        ("debug_variables", json!({"path": "ring", "depth": 5}), "Self: *main.Ring"),
        ("debug_variables", json!({"path": "deep", "depth": 5}), "Val: int = 99995"),
        ("debug_variables", json!({"path": "nested", "depth": 5}), "[0]: interface {}"),
        ("debug_variables", json!({"path": "tree", "depth": 5}), "Name: string = \"tree\""),
        ("debug_variables", json!({"path": "self", "depth": 5}), "\"self\": interface {}"),
        ("debug_variables", json!({"path": "wide", "start": 1_999}), "  F1999: int = 1999"),
        ("debug_variables", json!({"path": "wide.F1999"}), "\n1999"),
        ("debug_variables", json!({"path": "full.buf"}), "100000 inside"),
        ("debug_variables", json!({"path": "full.buf", "start": 99_998}), "[99999]: int = 99999"),
        ("debug_variables", json!({"path": "full.buf[99999]"}), "\n99999"),
        ("debug_variables", json!({"path": "wides.buf"}), "1000 inside"),
        ("debug_evaluate", json!({"expressions": ["numbers", "points"]}), "numbers = "),
        ("debug_stack", json!({"all_threads": true}), "waits: chan receive"),
        ("debug_step", json!({}), "■ stopped after step"),
    ] {
        let began = Instant::now();
        stage.call(tool, arguments.clone()).await.good().says(part);
        let took = began.elapsed();
        assert!(took < SOON, "{tool} {arguments} took {took:?}");
    }
}
