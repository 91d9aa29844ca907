//! What `go test` runs beside tests: benchmarks, examples, fuzz tests; and packages of which some have any.

use serde_json::json;

use super::Stage;
use super::named::with;
use super::stage::marked;
use crate::caller::Answer;

const HALF: &str = r#"package half

import (
	"fmt"
	"testing"
)

func half(n int) int { return n / 2 }

func TestHalf(t *testing.T) {
	two := half(4)
	if two != 2 { // [stop: test]
		t.Fatal(two)
	}
}

func BenchmarkHalf(b *testing.B) {
	sum := 0
	for i := 0; i < b.N; i++ {
		sum += half(i) // [stop: benchmark]
	}
}

func BenchmarkHalfOfMuch(b *testing.B) {
	for i := 0; i < b.N; i++ {
		half(i << 20)
	}
}

func Example_half() {
	many := half(42)
	fmt.Println(many) // [stop: example]
	// Output: 21
}

func Example_silent() {
	fmt.Println(half(42))
}

func FuzzHalf(f *testing.F) {
	f.Add(4)
	f.Fuzz(func(t *testing.T, n int) {
		less := half(n)
		if less > n && n > 0 { // [stop: fuzz]
			t.Fatal(less)
		}
	})
}
"#;

const MODULE: &str = "module shop\n\ngo 1.20\n";
const FILE: &str = "half/half_test.go";

async fn module(stage: &mut Stage) -> tempfile::TempDir {
    let (dir, caller) = with(&[("go.mod", MODULE), (FILE, HALF)]).await;
    drop(caller);
    stage.start_in(dir.path()).await;
    dir
}

/// The line that carries the mark, as a place.
fn at(dir: &tempfile::TempDir, mark: &str) -> String {
    format!("{FILE}:{}", marked(&dir.path().join(FILE), mark))
}

/// It stops in the line of the mark and in no other that has one.
async fn stops_only_at(stage: &mut Stage, dir: &tempfile::TempDir, launch: serde_json::Value, mark: &str) -> Answer {
    let all: Vec<String> = ["test", "benchmark", "example", "fuzz"].map(|mark| at(dir, mark)).to_vec();
    let mut launch = launch;
    launch["breakpoints"] = json!(all);
    launch["timeout_s"] = json!(50);
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with(&format!("  {}", at(dir, mark))), "{}", stop.text);
    let clear = json!({"clear": true});
    stage.call("debug_breakpoints", clear).await.good();
    stop
}

pub async fn benchmarks_of_go_by_command(stage: &mut Stage) {
    let dir = module(stage).await;
    for command in ["go test ./half -run '^$' -bench 'Half$'", "go test ./... -run ^$ -bench=^BenchmarkHalf$"] {
        let command = json!({"command": format!("{command} -benchtime 1x")});
        let stop = stops_only_at(stage, &dir, command, "benchmark").await;
        assert_eq!(stop.local("sum"), "0");
        stage.resume().await.good().line("□ exited with code 0");
        let output = stage.call("debug_output", json!({})).await.good();
        output.says("BenchmarkHalf");
        assert!(!output.text.contains("BenchmarkHalfOfMuch"), "{}", output.text);
    }
    for (packages, bench) in [("./half", "Halves"), ("./...", "Halves"), ("./half", "Ha(lv|il)")] {
        let command = format!("go test {packages} -run ^$ -bench '{bench}'");
        stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.fails(&format!(
            "error[target-missing] no benchmark in {packages} matches `{bench}`; there are BenchmarkHalf, \
             BenchmarkHalfOfMuch. Try: debug_launch {{\"timeout_s\": 50, \
             \"command\": \"go test {packages} -run ^$ -bench ^BenchmarkHalf$\"}}"
        ));
    }
}

/// What is made up is tried in a child.
pub async fn fuzzing_of_go_by_command(stage: &mut Stage) {
    let dir = module(stage).await;
    let command = "go test ./half -run ^$ -fuzz Half -fuzztime 20x -parallel 1";
    let end = stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good();
    end.line("□ exited with code 0");
    end.line("note: what is made up is tried in child processes");
    let launch = json!({"command": command, "options": {"follow_children": true}});
    let stop = stops_only_at(stage, &dir, launch, "fuzz").await;
    assert_eq!(stop.local("less"), "2");
    stage.call("debug_stop", json!({})).await.good();
    let refused = stage.call("debug_launch", json!({"command": "go test ./half -fuzz Hlf", "timeout_s": 50})).await;
    refused.fails(
        "error[target-missing] no fuzz test in ./half matches `Hlf`; there are FuzzHalf. \
         Try: debug_launch {\"timeout_s\": 50, \"command\": \"go test ./half -run ^$ -fuzz ^FuzzHalf$\"}",
    );
}
