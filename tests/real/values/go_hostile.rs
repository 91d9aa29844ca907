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

func main() {
	numbers := make(map[int]string, 1_000_000)
	points := make(map[Point]Point, 1_000_000)
	for n := 0; n < 1_000_000; n++ {
		numbers[n] = "v"
		points[Point{n, n}] = Point{n, 1}
	}
	list := make([]Point, 10_000_000)
	text := strings.Repeat("x", 1<<30)
	ring := &Ring{}
	ring.Self, ring.Peers, ring.Any = ring, []*Ring{ring, ring}, ring
	ring.Named = map[string]*Ring{"ring": ring}
	var deep *Node
	for n := 0; n < 100_000; n++ {
		deep = &Node{deep, n}
	}
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
	println(len(numbers), len(points), len(list), len(text)) // [stop: values]
	println(ring, deep, len(block))
}
"#;

/// What a read may take; a hang takes as long as the tool's own limits.
const SOON: Duration = Duration::from_secs(5);

pub async fn hostile_values_of_go_are_read_soon(stage: &mut Stage) {
    let files = [("main.go", PROGRAM), ("go.mod", "module hostile\n\ngo 1.20\n")];
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    let at = format!("main.go:{}", marked(&dir.path().join("main.go"), "values"));
    let launch = json!({"program": "main.go", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for (tool, arguments, part) in [
        ("debug_variables", json!({}), "numbers: map[int]string"),
        ("debug_variables", json!({"path": "numbers", "depth": 3}), "1000000 inside"),
        ("debug_variables", json!({"path": "points", "depth": 3}), "1000000 inside"),
        ("debug_variables", json!({"path": "list", "depth": 3}), "10000000 inside"),
        ("debug_variables", json!({"path": "list[9999999]"}), "X: int = 0"),
        ("debug_variables", json!({"path": "text"}), "characters"),
        ("debug_variables", json!({"path": "ring", "depth": 5}), "Self: *main.Ring"),
        ("debug_variables", json!({"path": "deep", "depth": 5}), "Val: int = 99995"),
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
