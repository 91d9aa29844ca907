//! Panics of Go programs: with `all` each stops where it is raised, recovered or not.

use serde_json::json;

use crate::real::stage::{Stage, marked, workspace_with};

const PROGRAM: &str = r#"package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

type failure struct{ Code int }

func (f *failure) Error() string { return "failed" }

type outer struct {
	Code int
	Err  error
}

func (o *outer) Error() string { return "outer" }

func try(n int) {
	defer func() { recover() }()
	var none *failure
	switch n {
	case 0:
		panic("boom \"x\"") // [stop: text]
	case 1:
		panic(errors.New("bad order")) // [stop: error]
	case 2:
		panic(&failure{7}) // [stop: value]
	case 3:
		fmt.Println(none.Code) // [stop: nil]
	case 4:
		fmt.Println([]int{1, 2, 3}[n+1]) // [stop: index]
	case 5:
		panic(&outer{3, errors.New("inner")}) // [stop: outer]
	}
}

func main() {
	json.Marshal(func() {})
	for n := 0; n < 7; n++ {
		try(n)
	}
	panic("end") // [stop: end]
}
"#;

const MODULE: (&str, &str) = ("go.mod", "module panics\n\ngo 1.20\n");

async fn all(stage: &mut Stage, options: serde_json::Value) -> (tempfile::TempDir, String) {
    let (dir, _) = workspace_with(&[MODULE, ("main.go", PROGRAM)]).await;
    stage.start_in(dir.path()).await;
    stage.call("debug_breakpoints", json!({"exceptions": ["all"]})).await.good();
    let launch = json!({"program": "main.go", "options": options, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    (dir, stop.reason().to_owned())
}

/// The value is in the title. What ends the program stops it once more, before its end. A library
/// recovers from the first one itself.
pub async fn all_stops_where_each_go_panic_is_raised(stage: &mut Stage) {
    let (dir, mut reason) = all(stage, json!({})).await;
    for (mark, text) in [
        ("text", "boom \"x\""),
        ("error", "bad order"),
        ("value", "*main.failure {Code: 7}"),
        ("nil", "invalid memory address or nil pointer dereference"),
        ("index", "runtime error: index out of range [5] with length 3"),
        ("outer", "*main.outer {Code: 3, Err: *errors.errorString {s: \"inner\"}}"),
        ("end", "end"),
    ] {
        assert_eq!(reason, format!("on panic: {text}"));
        let stack = stage.call("debug_stack", json!({})).await.good();
        let line = marked(&dir.path().join("main.go"), mark);
        stack.says(&format!("  main.go:{line}"));
        reason = stage.resume().await.good().reason().to_owned();
    }
    assert_eq!(reason, "on panic: end");
    stage.resume().await.good().line("□ exited with code 2");
}

/// At a stop the caller may stop for fewer of them.
pub async fn uncaught_leaves_recovered_go_panics(stage: &mut Stage) {
    let options = json!({"stop_on_entry": true, "just_my_code": false});
    let (_dir, reason) = all(stage, options).await;
    assert_eq!(reason, "at entry");
    let raised = stage.resume().await.good();
    assert!(raised.reason().starts_with("on panic: encoding/json.jsonError {"), "{}", raised.text);
    let raised = stage.resume().await.good();
    assert_eq!(raised.reason(), "on panic: boom \"x\"", "{}", raised.text);
    let chance = stage.call("debug_exception", json!({})).await.good();
    chance.says("first chance: may be caught");
    stage.call("debug_breakpoints", json!({"exceptions": ["uncaught"]})).await.good();
    let end = stage.resume().await.good();
    assert_eq!(end.reason(), "on panic: end", "{}", end.text);
    stage.resume().await.good().line("□ exited with code 2");
}

const SERVER: &str = r#"package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
)

type order struct{ price int }

func price(id int) int {
	return map[int]*order{7: {3}}[id].price // [stop: read]
}

func known(id int) (n int) {
	defer func() { recover() }()
	return price(id)
}

func handle(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/abort" {
		panic(http.ErrAbortHandler)
	}
	fmt.Fprintln(w, known(8), price(len(r.URL.Path)))
}

func main() {
	server := httptest.NewServer(http.HandlerFunc(handle))
	for _, path := range []string{"/123456", "/abort", "/12345678"} {
		_, err := http.Get(server.URL + path)
		fmt.Println(path, err == nil)
	}
}
"#;

/// By default: the server recovers from it and writes it to its log.
pub async fn reported_go_panic_stops_where_it_is_raised(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[MODULE, ("main.go", SERVER)]).await;
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "main.go", "timeout_s": 100});
    let stop = stage.call("debug_launch", launch).await.good();
    let text = "on panic: invalid memory address or nil pointer dereference";
    assert_eq!(stop.reason(), text, "{}", stop.text);
    let line = marked(&dir.path().join("main.go"), "read");
    stop.says(&format!("main.price  main.go:{line}"));
    stop.says("! http.(*conn).serve recovers from it and reports it\n");
    assert_eq!(stop.local("id"), "9", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}
