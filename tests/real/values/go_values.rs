//! Values of Go as callers read them: maps, interfaces, locks and channels, addresses.

use std::path::Path;

use serde_json::json;

use crate::caller::Answer;
use crate::real::stage::{Stage, marked};

const SHOP: &str = r#"package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type Point struct{ X, Y int }

type Missing struct{ Key string }

func (e *Missing) Error() string { return "missing " + e.Key }

type Shop struct {
	mu   sync.Mutex
	jobs chan int
	err  error
	any  any
	name string
}

func find() *Missing { return nil }

func main() {
	key := "shelf/" + strings.Repeat("0123456789", 9)
	stock := map[string]int{key: 42, "b": 7, "a": 9}
	at := Point{3, 4}
	names := map[Point]string{{1, 2}: "one", at: "two"}
	rows := map[Point][]int{{1, 2}: {5, 6}}
	owned := map[*Point]int{{8, 9}: 4}
	codes := map[int]string{10: "ten", 9: "nine"}
	var nothing error
	var err error = find()
	var other error = errors.New("broken")
	var some any = Point{5, 6}
	small := any(uint8(7))
	var lock sync.Mutex
	lock.Lock()
	jobs := make(chan int, 2)
	jobs <- 5
	var closed chan string
	var group sync.WaitGroup
	group.Add(2)
	var gate sync.RWMutex
	gate.RLock()
	var once sync.Once
	var hits atomic.Int64
	hits.Store(42)
	timer := time.NewTimer(time.Hour)
	ctx, cancel := context.WithCancel(context.Background())
	when := time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC)
	shop := &Shop{jobs: jobs, err: find(), any: Point{1, 2}, name: "kiosk"}
	shared := []int{1, 2, 3}
	alias := shared[:2]
	number := 5
	pointer := &number
	fmt.Println(stock, names, rows, owned, codes, nothing) // [stop: values]
	fmt.Println(err == nil, other, some, small)
	fmt.Println(len(jobs), closed == nil, when, shop.name, alias, *pointer, at)
	fmt.Printf("at %p %p %p\n", shared, pointer, jobs) // [stop: print]
	lock.Unlock()
	once.Do(cancel)
	gate.RUnlock()
	fmt.Println(timer.Stop(), ctx.Err(), hits.Load())
	group.Add(-2)
}
"#;

async fn launch(stage: &mut Stage, dir: &Path) -> Answer {
    std::fs::write(dir.join("go.mod"), "module shop\n\ngo 1.20\n").unwrap();
    std::fs::write(dir.join("main.go"), SHOP).unwrap();
    stage.start_in(dir).await;
    let at = format!("main.go:{}", marked(&dir.join("main.go"), "values"));
    let launch = json!({"program": "main.go", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good()
}

/// The value of each path, as `debug_variables` writes it.
async fn read(stage: &mut Stage, path: &str) -> Vec<String> {
    let reply = stage.call("debug_variables", json!({"path": path})).await.good();
    reply.text.lines().skip(1).map(str::to_owned).collect()
}

/// An entry has its key and its value, whatever fields they have; the key as displayed, and an
/// expression for it, lead to the value.
pub async fn go_maps_show_keys_and_values(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path()).await;
    let names = ["  {X: 1, Y: 2}: string = \"one\"", "  {X: 3, Y: 4}: string = \"two\""];
    assert_eq!(read(stage, "names").await, names);
    assert_eq!(read(stage, "owned").await, ["  *{X: 8, Y: 9}: int = 4"]);
    assert_eq!(
        read(stage, "codes").await,
        ["  [9]: string = \"nine\"", "  [10]: string = \"ten\""]
    );
    assert_eq!(read(stage, "rows").await, ["  {X: 1, Y: 2}: []int = len: 2, cap: 2, [5,6]"]);
    let deep = stage.call("debug_variables", json!({"path": "rows", "depth": 2})).await.good();
    deep.says("\n  {X: 1, Y: 2}: []int · 2 inside\n    [0]: int = 5\n    [1]: int = 6");
    let long = stage.call("debug_variables", json!({"path": "stock"})).await.good();
    long.says("\n  \"a\": int = 9\n  \"b\": int = 7\n  \"shelf/");
    for (path, value) in [
        ("names[{X: 1, Y: 2}]", "\"one\""),
        ("names[at]", "\"two\""),
        ("rows[{X: 1, Y: 2}][1]", "6"),
        ("owned[*{X: 8, Y: 9}]", "4"),
        ("stock[key]", "42"),
        ("stock[\"b\"]", "7"),
        ("codes[10]", "\"ten\""),
    ] {
        assert_eq!(read(stage, path).await, [value], "{path}");
    }
    let missing = stage.call("debug_variables", json!({"path": "names[{X: 9, Y: 9}]"})).await;
    missing.says("error[");
    let new = stage.call("debug_set", json!({"target": "stock[\"c\"]", "value": "1"})).await;
    new.says("error[no-such-variable] stock has no `c`, and the debugger adds no keys; there are ");
}

const KEYS: &str = r#"package main

import (
	"fmt"
	"strings"
)

type Place struct {
	Row  int
	Name string
}

func main() {
	long := strings.Repeat("0123456789", 9)
	longer := strings.Repeat("0123456789", 90)
	texts := map[string]Place{long: {1, "a"}, longer: {2, "b"}, `"]`: {3, "c"}}
	places := map[Place]*Place{{4, "]"}: {4, "d"}}
	owners := map[*Place]Place{{5, "e"}: {5, "e"}}
	lists := map[[2]int]Place{{1, 2}: {6, "f"}}
	mixed := map[any]Place{7: {7, "g"}, "h": {8, "h"}, Place{9, "i"}: {9, "i"}}
	many := map[Place]int{}
	for n := 0; n < 300; n++ {
		many[Place{n, "many"}] = n
	}
	fmt.Println(texts, places, owners, lists, mixed, many, long, longer) // [stop: keys]
}
"#;

/// Each key that a listing displays, and each variable with a key, leads to the entry: as `path`,
/// as an expression, and as a watch.
pub async fn every_key_of_a_go_map_is_a_path(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("go.mod"), "module keys\n\ngo 1.20\n").unwrap();
    std::fs::write(dir.path().join("main.go"), KEYS).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("main.go:{}", marked(&dir.path().join("main.go"), "keys"));
    let launch = json!({"program": "main.go", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for map in ["texts", "places", "owners", "lists", "mixed"] {
        for entry in read(stage, map).await {
            let (named, value) = entry.trim_start().rsplit_once(" = ").unwrap();
            let (key, _) = named.rsplit_once(": ").unwrap();
            let path = if map == "mixed" && key == "[7]" {
                format!("{map}{key}")
            } else {
                format!("{map}[{key}]")
            };
            for member in [".Row", ".Name"] {
                let path = format!("{path}{member}");
                let found = read(stage, &path).await.join("");
                assert!(value.contains(&found), "{path}: {found} in {value}");
                let ask = json!({"expressions": [path]});
                let reply = stage.call("debug_evaluate", ask).await.good();
                reply.says(&format!(" = {found}  ("));
            }
        }
    }
    for (path, value) in [
        ("texts[longer].Row", "2"),
        ("texts[long].Name", "\"a\""),
        ("many[{Row: 299, Name: \"many\"}]", "299"),
        ("many[{Row: 0, Name: \"many\"}]", "0"),
    ] {
        assert_eq!(read(stage, path).await, [value], "{path}");
        let reply = stage.call("debug_evaluate", json!({"expressions": [path]})).await.good();
        reply.says(&format!("{path} = {value}  ("));
    }
    // What is no path keeps the debugger's own error.
    let reply = stage.call("debug_evaluate", json!({"expressions": ["texts[long].Row + 1"]})).await;
    let hint = "add an empty string to the key of a map: `m[key + \"\"]`";
    reply.says(&format!("string too long for comparison; {hint}"));
    let whole = json!({"expressions": ["texts[long + \"\"].Row + 1"]});
    stage.call("debug_evaluate", whole).await.good().says("texts[long + \"\"].Row + 1 = 2  (int)");
    let watch = json!({"expressions": ["texts[long].Row"], "watch": true});
    stage.call("debug_evaluate", watch).await.good();
    let stop = stage.call("debug_step", json!({})).await.good();
    stop.says("watch: texts[long].Row = 1");
}

/// A nil pointer in an interface differs from a nil interface.
pub async fn go_interfaces_show_their_dynamic_type(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path()).await;
    let read = json!({"expressions": ["nothing", "err", "other", "some", "small", "shop.err"]});
    let reply = stage.call("debug_evaluate", read).await.good();
    // Older versions of Delve name only the declared type, here behind the value.
    let lines = reply.text.lines().take(6).map(|line| line.split("  (").next().unwrap());
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "nothing = nil",
            "err = (*main.Missing)(nil)",
            "other = *errors.errorString {s: \"broken\"}",
            "some = main.Point {X: 5, Y: 6}",
            "small = uint8(7)",
            "shop.err = (*main.Missing)(nil)",
        ]
    );
}

/// By an expression, with or without the type, and by the path in listings.
pub async fn members_of_go_interfaces_are_set(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path()).await;
    for (target, value) in [
        ("some.X", "50"),
        ("some.data.Y", "60"),
        ("some.(main.Point).X", "51"),
        ("shop.any.Y", "20"),
        ("small.data", "8"),
    ] {
        let set = json!({"target": target, "value": value});
        let reply = stage.call("debug_set", set).await.good();
        reply.says(&format!("{target} = {value}  (was "));
    }
    let read = json!({"expressions": ["some", "shop.any", "small"]});
    let reply = stage.call("debug_evaluate", read).await.good();
    reply.says("some = main.Point {X: 51, Y: 60}");
    reply.says("shop.any = main.Point {X: 1, Y: 20}");
    reply.says("small = uint8(8)");
    let constant = stage.call("debug_set", json!({"target": "small", "value": "9"})).await;
    constant.says("error[not-set] an interface takes no constant; set `data` below it");
}

/// Locks, channels, times, timers, contexts and atomic values are a word each.
pub async fn go_internals_are_a_word(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path()).await;
    assert!(!stop.text.contains("sema"), "{}", stop.text);
    let read = json!({"expressions": ["lock", "jobs", "closed", "when", "shop"]});
    let reply = stage.call("debug_evaluate", read).await.good();
    assert_eq!(reply.line("lock = "), "locked  (sync.Mutex)");
    assert!(reply.line("jobs = ").ends_with(" → chan(1 of 2)  (chan int)"), "{}", reply.text);
    assert_eq!(reply.line("closed = "), "nil  (chan string)");
    assert_eq!(reply.line("when = "), "2024-02-29T12:30:00Z  (time.Time)");
    for (name, value) in [
        ("group", "waits for 2  (sync.WaitGroup)"),
        ("gate", "locked by 1 reader  (sync.RWMutex)"),
        ("once", "not done  (sync.Once)"),
        ("hits", "42  (sync/atomic.Int64)"),
    ] {
        let reply = stage.call("debug_evaluate", json!({"expressions": [name]})).await.good();
        assert_eq!(reply.line(&format!("{name} = ")), value, "{}", reply.text);
    }
    assert_eq!(stop.local("timer"), "time.Timer", "{}", stop.text);
    assert_eq!(stop.local("ctx"), "context.cancelCtx", "{}", stop.text);
    let shop = reply.line("shop = ");
    assert!(
        shop.contains("jobs: chan(1 of 2), err: (*main.Missing)(nil), any: main.Point {"),
        "{shop}"
    );
    let all = stage.call("debug_variables", json!({"depth": 3})).await.good();
    all.line("  lock: sync.Mutex = locked");
    all.line("  when: time.Time = 2024-02-29T12:30:00Z");
    assert!(!all.text.contains("  _: ") && !all.text.contains("wall: "), "{}", all.text);
    let inside = stage.call("debug_variables", json!({"path": "jobs"})).await.good();
    inside.says("\n  qcount: uint = 1\n  dataqsiz: uint = 2\n");
    assert!(!inside.text.contains("sendq"), "{}", inside.text);
}

/// The addresses are those that the program prints.
pub async fn go_addresses_are_read_on_request(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let stop = launch(stage, dir.path()).await;
    assert!(!stop.text.contains("0x"), "{}", stop.text);
    let read = json!({"expressions": ["shared", "alias", "pointer", "jobs", "stock", "nothing"]});
    let reply = stage.call("debug_evaluate", read).await.good();
    let address = |name: &str| {
        let line = reply.line(&format!("{name} = ")).to_owned();
        line.split(" → ").next().filter(|word| word.starts_with("0x")).unwrap_or(&line).to_owned()
    };
    assert_eq!(address("shared"), address("alias"));
    assert!(!address("stock").contains(' '), "{}", reply.text);
    let opened = stage.call("debug_variables", json!({"path": "shared"})).await.good();
    let head = format!("shared: []int = {} · 3 inside · ", address("shared"));
    assert!(opened.text.starts_with(&head), "{}", opened.text);
    let all = [address("shared"), address("pointer"), address("jobs")];
    stage.resume().await.good().line("□ exited with code 0");
    stage
        .call("debug_output", json!({"since": 0}))
        .await
        .good()
        .says(&format!("at {}\n", all.join(" ")));
}

const NUMBERS: &str = r#"package main

import (
	"fmt"
	"math/big"
	"time"
)

type Mode uint16

const (
	Read Mode = 1 << iota
	Write
)

type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

func main() {
	took := 90*time.Minute + 1500*time.Millisecond
	var boxed any = -5 * time.Microsecond
	big1, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	third := big.NewRat(1, 3)
	when := time.Date(2024, 2, 29, 12, 30, 0, 250_000_000, time.UTC)
	mode := Read | Write
	pair := Pair[string, []int]{"k", []int{1, 2}}
	pairs := []Pair[string, int]{{"a", 1}}
	table := map[Pair[int, int]]int{{2, 1}: 1, {1, 2}: 2}
	fmt.Println(took, boxed, big1, third, when, mode, pair, pairs, table) // [stop: numbers]
}
"#;

/// Durations, large numbers and times as the program prints them; no type twice.
pub async fn numbers_of_the_go_library_have_their_text(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("go.mod"), "module numbers\n\ngo 1.20\n").unwrap();
    std::fs::write(dir.path().join("main.go"), NUMBERS).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("main.go:{}", marked(&dir.path().join("main.go"), "numbers"));
    let launch = json!({"program": "main.go", "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    for (name, value) in [
        ("took", "1h30m1.5s"),
        ("boxed", "time.Duration(-5µs)"),
        ("*big1", "-123456789012345678901234567890"),
        ("*third", "1/3"),
        ("when", "2024-02-29T12:30:00.25Z"),
        ("mode", "Read|Write (3)"),
        ("pair", "{Key: \"k\", Value: []int len: 2, cap: 2, [1,2]}"),
        ("pairs", "len: 1, cap: 1, [{Key: \"a\", Value: 1}]"),
        ("table", "[{Key: 1, Value: 2}: 2, {Key: 2, Value: 1}: 1]"),
    ] {
        let reply = stage.call("debug_evaluate", json!({"expressions": [name]})).await.good();
        // The address of a slice and of a map comes first.
        let line = reply.line(&format!("{name} = "));
        let text = line.rsplit_once(" → ").map_or(line, |(_, text)| text);
        assert!(text.starts_with(value), "{}", reply.text);
    }
}
