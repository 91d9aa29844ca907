//! Moves and runs of Go programs: the entry, steps that something cuts short, both output streams,
//! and failed tests.

use serde_json::{Value, json};

use crate::caller::Answer;
use crate::real::stage::{Stage, marked, workspace_with};

const MODULE: (&str, &str) = ("go.mod", "module moves\n\ngo 1.20\n");

const STEPS: &str = r#"package main

import "os"
import "strings"
func inner(n int) int {
	return n + 1 // [stop: inner]
}

func main() {
	a := 1 // [stop: first]
	b := a + 1
	c := b + 1 // [stop: way]
	d := c + 1
	e := inner(d) // [stop: call]
	f := len(strings.Repeat("a", e)) // [stop: text]
	os.Exit(f - f) // [stop: last]
}
"#;

async fn start(stage: &mut Stage, text: &str, launch: Value) -> (tempfile::TempDir, Answer) {
    let (dir, _) = workspace_with(&[MODULE, ("main.go", text)]).await;
    stage.start_in(dir.path()).await;
    let mut launch = launch;
    launch["program"] = json!("main.go");
    launch["timeout_s"] = json!(50);
    let answer = stage.call("debug_launch", launch).await.good();
    (dir, answer)
}

fn at(dir: &tempfile::TempDir, mark: &str) -> String {
    format!("main.go:{}", marked(&dir.path().join("main.go"), mark))
}

/// A breakpoint where a step ends is hit; what cuts a step short is named with its number.
pub async fn go_steps_say_what_cut_them_short(stage: &mut Stage) {
    let (dir, stop) = start(stage, STEPS, json!({"breakpoints": ["main.go:10"]})).await;
    assert_eq!(stop.place(), format!("main.main  {}", at(&dir, "first")), "{}", stop.text);
    let set = json!({"set": [
        at(&dir, "way"), format!("{} if d == 9", at(&dir, "call")), at(&dir, "inner"),
    ]});
    stage.call("debug_breakpoints", set).await.good();
    let way = stage.call("debug_step", json!({"count": 9})).await.good();
    assert_eq!(way.place(), format!("main.main  {}", at(&dir, "way")), "{}", way.text);
    assert_eq!(way.reason(), "breakpoint #2");
    way.line("note: a breakpoint stopped the program during step 2 of 9");
    // The condition of the third one does not hold.
    let inner = stage.call("debug_step", json!({"count": 9})).await.good();
    assert_eq!((inner.reason(), inner.local("n")), ("breakpoint #4", "4"), "{}", inner.text);
    inner.line("note: a breakpoint stopped the program during step 3 of 9");
    let listed = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(listed.line(" #2 ").ends_with(" · 1 hit"), "{}", listed.text);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    // A run into a function of a library is left as a step into it.
    let stop = stage.call("debug_continue", json!({"until": "strings.Repeat"})).await.good();
    stop.says("(called into #0 strings.Repeat  ");
    stop.line("next: debug_variables · debug_variables frame=0 · debug_step · ");
    let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert_eq!(stop.place(), format!("main.main  {}", at(&dir, "text")), "{}", stop.text);
    let last = at(&dir, "last");
    let stop = stage.call("debug_continue", json!({"until": last})).await.good();
    assert_eq!(stop.place(), format!("main.main  {last}"), "{}", stop.text);
    let end = stage.call("debug_step", json!({"count": 3})).await.good();
    end.line("□ exited with code 0");
    end.line("note: the program ended during step 1 of 3");
}

const LAST: &str = "package main

import \"fmt\"

func main() {
	func() {
		fmt.Println(1)
	}()
	a := 2
	fmt.Println(a)
}
";

/// Nothing of the call's line follows the call: the step ends at the first instruction of the next.
pub async fn go_step_out_ends_at_a_breakpoint(stage: &mut Stage) {
    let (_dir, stop) = start(stage, LAST, json!({"breakpoints": ["main.go:7", "main.go:9"]})).await;
    assert_eq!(stop.place(), "main.main.func1  main.go:7", "{}", stop.text);
    let out = stage.call("debug_step", json!({"kind": "out"})).await.good();
    let found = (out.reason(), out.place());
    assert_eq!(found, ("breakpoint #2", "main.main  main.go:9"), "{}", out.text);
    let listed = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(listed.line(" #2 ").ends_with(" · 1 hit"), "{}", listed.text);
    stage.resume().await.good().line("□ exited with code 0");
}

const MUCH: &str = r#"package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	for n := 0; n < 30000; n++ {
		fmt.Fprintf(out, "%099d\n", n)
	}
	out.Flush()
	os.Exit(3) // [stop: last]
}
"#;

/// The program writes 3 MB to the streams of Delve faster than they are read.
pub async fn go_output_before_a_stop_is_complete(stage: &mut Stage) {
    let (dir, stop) = start(stage, MUCH, json!({"breakpoints": ["main.go:15"]})).await;
    assert_eq!(stop.place(), format!("main.main  {}", at(&dir, "last")), "{}", stop.text);
    stop.says("output +30000 lines: ");
    assert!(!stop.text.contains("note: "), "{}", stop.text);
    let first = stage.call("debug_output", json!({"since": 0})).await.good();
    assert!(first.text.starts_with(&format!("{:099}\n{:099}\n", 0, 1)), "{}", first.text);
    let last = stage.call("debug_output", json!({"tail": 1})).await.good();
    last.says(&format!("{:099}\nnext: ", 29999));
    stage.resume().await.good().line("□ exited with code 3");
}

/// The entry is the first statement of the first function of the program.
pub async fn go_entry_is_the_first_statement(stage: &mut Stage) {
    let main = "package main\n\nfunc main() {\n\tn := 5\n\tprintln(n)\n}\n";
    let init = "package main\n\nfunc init() {\n\tprintln(1)\n}\n\nfunc main() {\n\tprintln(2)\n}\n";
    let line = "package main\n\nfunc main() { println(3) }\n";
    let leaf =
        "package main\n\nvar n = 5\n\nfunc init() {\n\tn++\n}\n\nfunc main() {\n\tprintln(n)\n}\n";
    for (text, place) in [
        (main, "main.main  main.go:4"),
        (init, "main.init.0  main.go:4"),
        (line, "main.main  main.go:3"),
        (leaf, "main.init.0  main.go:6"),
    ] {
        let (_dir, stop) = start(stage, text, json!({"options": {"stop_on_entry": true}})).await;
        assert_eq!((stop.reason(), stop.place()), ("at entry", place), "{}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    let log = json!([{"at": "main.go:4", "log": "first"}]);
    let (_dir, stop) =
        start(stage, main, json!({"options": {"stop_on_entry": true}, "breakpoints": log})).await;
    assert_eq!((stop.reason(), stop.place()), ("at entry", "main.main  main.go:4"));
    stage.call("debug_breakpoints", json!({})).await.good().says("log \"first\" · 1 hit");
    stage.resume().await.good().line("□ exited with code 0");
}

const INITIALISED: &str = r#"package main

var table = build()

func build() map[string]int {
	made := map[string]int{}
	made["a"] = 1 // [stop: build]
	return made
}

func main() {
	n := len(table)
	println(n)
}
"#;

/// Variables are initialised before `main`: breakpoints there leave the stop on entry.
pub async fn go_entry_follows_breakpoints_of_initialisers(stage: &mut Stage) {
    for breakpoint in ["main.build", "main.go:7"] {
        let launch = json!({"options": {"stop_on_entry": true}, "breakpoints": [breakpoint]});
        let (_dir, first) = start(stage, INITIALISED, launch).await;
        assert_eq!(first.reason(), "breakpoint #1", "{}", first.text);
        assert!(first.place().starts_with("main.build  main.go:"), "{}", first.text);
        let entry = stage.resume().await.good();
        let found = (entry.reason(), entry.place());
        assert_eq!(found, ("at entry", "main.main  main.go:12"), "{}", entry.text);
        let step = stage.call("debug_step", json!({})).await.good();
        let found = (step.reason(), step.place());
        assert_eq!(found, ("after step", "main.main  main.go:13"), "{}", step.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    // The end of a step in an initialiser is no entry.
    let launch = json!({"options": {"stop_on_entry": true}, "breakpoints": ["main.build"]});
    let (_dir, _) = start(stage, INITIALISED, launch).await;
    let step = stage.call("debug_step", json!({})).await.good();
    assert_eq!((step.reason(), step.place()), ("after step", "main.build  main.go:6"));
    stage.resume().await.good().line("■ stopped at entry · ");
}

const STREAMS: &str = r#"package main

import (
	"fmt"
	"os"
)

func main() {
	for i := 0; i < 1000; i++ {
		fmt.Fprintln(os.Stdout, "out", i)
		fmt.Fprintln(os.Stderr, "err", i)
	}
	fmt.Fprint(os.Stderr, "last") // [stop: last]
}
"#;

/// What is written to both streams comes in the order of the writes, at a stop and at the end.
pub async fn go_streams_keep_their_order(stage: &mut Stage) {
    let (_dir, stop) = start(stage, STREAMS, json!({"breakpoints": ["main.go:13"]})).await;
    assert_eq!(stop.place(), "main.main  main.go:13", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
    for ten in 1..100 {
        let lines = json!({"since": 0, "grep": format!("^(out|err) {ten}[0-9]$")});
        let found = stage.call("debug_output", lines).await.good();
        let lines: Vec<&str> = found.text.lines().filter(|line| line.contains(' ')).collect();
        let mut expect = Vec::new();
        for number in ten * 10..ten * 10 + 10 {
            expect.extend([format!("out {number}"), format!("err {number}")]);
        }
        let first = lines.iter().position(|line| line.starts_with("out ")).unwrap_or_default();
        assert_eq!(lines[first..first + 20], expect, "{}", found.text);
    }
    stage.call("debug_output", json!({"tail": 2})).await.good().says("err 999\nlast");
    let errors = json!({"stream": "stderr", "tail": 2});
    stage
        .call("debug_output", errors)
        .await
        .good()
        .says("(stdout and stderr of this program are one stream: both follow)\n");
}

const TEST: &str = r#"package cart

import "testing"

func TestSum(t *testing.T) {
	t.Log("begin")
	if got := 1 + 1; got != 3 {
		t.Errorf("got %d", got) // [stop: failure]
	}
}
"#;

/// The end of a failed test leads to the line of its message, and the call stops there.
pub async fn go_failed_test_leads_to_its_line(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[MODULE, ("cart/cart_test.go", TEST)]).await;
    stage.start_in(dir.path()).await;
    let line = marked(&dir.path().join("cart/cart_test.go"), "failure");
    let at = format!("cart/cart_test.go:{line}");
    for (target, next) in [
        (json!({"test": "TestSum"}), r#""test": "TestSum""#),
        (json!({"command": "go test ./cart -v"}), r#""command": "go test ./cart -v""#),
    ] {
        let mut launch = target.clone();
        launch["timeout_s"] = json!(50);
        let end = stage.call("debug_launch", launch.clone()).await.good();
        end.line("□ exited with code 1");
        end.says(&format!(
            "a test failed; its last message is at {at}: debug_launch {{{next}, \"breakpoints\": \
             [\"{at}\"]}}"
        ));
        launch["breakpoints"] = json!([at]);
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with(&at), "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}
