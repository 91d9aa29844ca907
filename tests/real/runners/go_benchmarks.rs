//! What `go test` runs besides tests: benchmarks, examples and fuzz tests; and modules of several
//! packages.

use serde_json::json;

use crate::caller::Answer;
use crate::real::stage::{Language, Stage, marked, workspace_with};

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
    let (dir, caller) = workspace_with(&[("go.mod", MODULE), (FILE, HALF)]).await;
    drop(caller);
    stage.start_in(dir.path()).await;
    dir
}

/// The line with the mark, as `file:line`.
fn at(dir: &tempfile::TempDir, mark: &str) -> String {
    format!("{FILE}:{}", marked(&dir.path().join(FILE), mark))
}

/// Launches with breakpoints at all marks and asserts that it stops only at this one.
async fn stops_only_at(
    stage: &mut Stage,
    dir: &tempfile::TempDir,
    launch: serde_json::Value,
    mark: &str,
) -> Answer {
    let all: Vec<String> =
        ["test", "benchmark", "example", "fuzz"].map(|mark| at(dir, mark)).to_vec();
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
    for command in
        ["go test ./half -run '^$' -bench 'Half$'", "go test ./... -run ^$ -bench=^BenchmarkHalf$"]
    {
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
        stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.fails(
            &format!(
                "error[target-missing] no benchmark in {packages} matches `{bench}`; there are \
            BenchmarkHalf, \
             BenchmarkHalfOfMuch. Try: debug_launch {{\"timeout_s\": 50, \
             \"command\": \"go test {packages} -run ^$ -bench ^BenchmarkHalf$\"}}"
            ),
        );
    }
}

/// Generated inputs run in a child process.
pub async fn fuzzing_of_go_by_command(stage: &mut Stage) {
    let dir = module(stage).await;
    let command = "go test ./half -run ^$ -fuzz Half -fuzztime 20x -parallel 1";
    let end = stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good();
    end.line("□ exited with code 0");
    end.line("note: generated input runs in child processes");
    let launch = json!({"command": command, "options": {"follow_children": true}});
    if stage.language == Language::OldGo {
        let refused = "error[unsupported] to follow child processes needs Delve 1.26 or newer. \
            Try: debug_status {\"detail\": \"adapters\"}";
        stage.call("debug_launch", launch).await.fails(refused);
    } else {
        let stop = stops_only_at(stage, &dir, launch, "fuzz").await;
        assert_eq!(stop.local("less"), "2");
        stage.call("debug_stop", json!({})).await.good();
    }
    let refused = stage
        .call("debug_launch", json!({"command": "go test ./half -fuzz Hlf", "timeout_s": 50}))
        .await;
    refused.fails(
        "error[target-missing] no fuzz test in ./half matches `Hlf`; there are FuzzHalf. \
         Try: debug_launch {\"timeout_s\": 50, \"command\": \"go test ./half -run ^$ -fuzz \
         ^FuzzHalf$\"}",
    );
}

/// The only package with tests is debugged; several are tested in turn until the first stop.
pub async fn all_packages_of_a_module(stage: &mut Stage) {
    let test = "package half\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestHere(t \
        *testing.T) {\n\t\
                here, _ := os.Getwd()\n\tprintln(here) // [stop: here]\n}\n";
    let files = [("go.mod", MODULE), ("shop.go", "package shop\n"), ("a/half/half_test.go", test)];
    let (dir, caller) = workspace_with(&files).await;
    drop(caller);
    stage.start_in(dir.path()).await;
    let at = |package: &str| {
        let file = format!("{package}/half_test.go");
        format!("{file}:{}", marked(&dir.path().join(&file), "here"))
    };
    let launch = |command: &str, at: String| {
        json!({
            "command": command, "breakpoints": [at], "timeout_s": 50,
        })
    };
    let all = launch("go test ./...", at("a/half"));
    let stop = stage.call("debug_launch", all.clone()).await.good();
    assert!(stop.local("here").ends_with("/a/half\""), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
    std::fs::create_dir(dir.path().join("b")).unwrap();
    std::fs::write(
        dir.path().join("b/half_test.go"),
        test.replace("package half", "package half_test"),
    )
    .unwrap();
    let stop = stage.call("debug_launch", all).await.good();
    stop.says("\nnote: package 1 of 2: ./a/half\n");
    let end = stage.resume().await.good();
    end.says("\nnext: debug_launch {");
    end.says("\"options\": {\"skip_packages\": 1}} starts what follows");
    let stop = stage.call("debug_launch", launch("go test ./...", at("b"))).await.good();
    assert!(stop.local("here").ends_with("/b\""), "{}", stop.text);
    stop.says("\nbefore it, exited with code 0: delve-");
    stage.call("debug_stop", json!({})).await.good();
}

/// Benchmarks, fuzz tests with seed inputs, and examples with an expected output are listed and run
/// by name.
pub async fn benchmarks_and_examples_by_name(stage: &mut Stage) {
    let dir = module(stage).await;
    let reply = stage.call("debug_targets", json!({"kind": "test"})).await.good();
    let names = [
        "TestHalf",
        "BenchmarkHalf",
        "BenchmarkHalfOfMuch",
        "Example_half",
        "FuzzHalf",
        "FuzzHalf/seed#0",
    ];
    let listed: Vec<&str> = reply
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("  test ")?.split("  ").next())
        .collect();
    assert_eq!(listed, names.map(|name| format!("{FILE}::{name}")), "{}", reply.text);
    for (test, mark, name, value) in [
        ("TestHalf", "test", "two", "2"),
        ("BenchmarkHalf", "benchmark", "sum", "0"),
        ("half_test.go::Example_half", "example", "many", "21"),
        ("FuzzHalf", "fuzz", "less", "2"),
    ] {
        let stop = stops_only_at(stage, &dir, json!({"test": test}), mark).await;
        assert_eq!(stop.local(name), value, "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
    }
    let refused =
        stage.call("debug_launch", json!({"test": "Example_silent", "timeout_s": 50})).await;
    assert!(
        refused.text.starts_with("error[target-missing] no test is named Example_silent"),
        "{}",
        refused.text
    );
}
