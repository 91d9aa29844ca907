//! Steps and running to a place.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::lines_without_code::place;
use crate::real::stage::{Language, Stage};

pub async fn over_into_out_and_count(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await.good();
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    assert_eq!((stop.reason(), stop.local("net")), ("after step", "1000"));
    let stop = stage.call("debug_step", json!({"kind": "in"})).await.good();
    assert!(
        stop.place().starts_with(&format!("{}  ", stage.function("cart", "tax"))),
        "{}",
        stop.text
    );
    // Delve stops at the line of the function's declaration first.
    let stop = stage.call("debug_step", json!({"count": stage.pick(1, 1, 2, 1, 1)})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert_eq!(stop.local("rate"), "7");
    let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
    // V8 stops after the statement with the call.
    stage.assert_stop(&stop, "cart", "total_of", stage.pick("add", "add", "add", "print", "add"));
    let before = stage.resume_to(1).await;
    assert_eq!(before.local("index"), "1");
    let stop = stage.call("debug_step", json!({"count": 2})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "print");
    assert_eq!(stop.local("total"), "3438");
    // The second step changed the total, the first one the net, which some debuggers do not list
    // before it is set.
    let number = before.text.split(" · ").find_map(|part| part.strip_prefix("stop ")).unwrap();
    let changed = stop.line(&format!("changed since stop {number}: "));
    assert!(changed.contains("total 1070→3438"), "{changed}");
    assert_eq!(changed.contains("net "), stage.pick(true, false, false, true, true), "{changed}");
}

pub async fn into_one_call_of_a_line(stage: &mut Stage) {
    let (both, twice) = (stage.at("calls", "calls"), stage.at("calls", "twice"));
    stage.launch("calls", json!({"breakpoints": [both, twice]})).await.good();
    let wrong = stage.call("debug_step", json!({"into": "nowhere"})).await;
    let first = stage.pick("inner(7)", "calls::inner", "", "inner(...)", "inner");
    let known = stage.pick(
        "inner(7), outer(inner(7)). ",
        "calls::inner, calls::outer. ",
        "",
        "inner(...). ",
        "inner, outer. ",
    );
    wrong.says(&format!(
        "error[which-call] no call on this line is named `nowhere`; the calls are {known}"
    ));
    wrong.says(&format!(r#" Try: debug_step {{"into": "{first}"}}"#));
    // V8 is at the position before the outer call, which therefore cannot be named.
    let (name, argument) =
        stage.pick(("outer", "8"), ("outer", "8"), ("", ""), ("inner", "7"), ("outer", "8"));
    let stop = stage.call("debug_step", json!({"into": name})).await.good();
    assert!(
        stop.place().starts_with(&format!("{}  ", stage.function("calls", name))),
        "{}",
        stop.text
    );
    assert_eq!((stop.reason(), stop.local("n")), ("after step", argument));
    let stop = stage.resume_to(2).await;
    stage.assert_stop(&stop, "calls", "main", "twice");
    let stop = stage.call("debug_step", json!({"kind": "in", "into": "inner"})).await;
    match stage.language.newest() {
        Language::Python => {
            stop.says(
                "error[which-call] 2 calls on this line are named `inner`; the calls are \
                inner(first), \
                inner(first) (call 2). ",
            );
            let second =
                stage.call("debug_step", json!({"into": "inner(first) (call 2)"})).await.good();
            second.says("#0 inner  ");
        }
        _ => stop.good().says(&format!("#0 {}  ", stage.function("calls", "inner"))),
    }
    stage.call("debug_step", json!({"kind": "out"})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
}

const RUST_SUMS: &str = "fn add(a: u32, b: u32) -> u32 {
    a + b
}
fn fib(n: u32) -> u32 {
    if n < 2 { n } else { add(fib(n - 1), fib(n - 2)) }
}
fn main() {
    println!(\"{}\", fib(5));
}
";
const C_SUMS: &str = "#include <stdio.h>
int add(int a, int b) { return a + b; }

int fib(int n) {
    return n < 2 ? n : add(fib(n - 1), fib(n - 2));
}
int main(void) {
    printf(\"%d\\n\", fib(5));
}
";

/// On the way to the chosen call the same functions are entered deeper on the stack, and so is
/// their breakpoint.
pub async fn into_a_call_of_a_function_that_recurses(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    // gcc evaluates the arguments from right to left.
    let (name, text, first) =
        if stage.language.is_c() { ("sums.c", C_SUMS, "3") } else { ("sums.rs", RUST_SUMS, "4") };
    std::fs::write(dir.path().join(name), text).unwrap();
    stage.start_in(dir.path()).await;
    let breakpoints = [format!("{name}:5 if n == 5")];
    let launch = json!({
        "program": name, "adapter": "codelldb", "breakpoints": breakpoints, "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!((stop.reason(), stop.local("n")), ("breakpoint #1", "5"), "{}", stop.text);
    let stop = stage.call("debug_step", json!({"into": "fib"})).await.good();
    assert_eq!((stop.reason(), stop.local("n")), ("after step", first), "{}", stop.text);
    stage.call("debug_step", json!({"kind": "out"})).await.good();
    let stop = stage.call("debug_step", json!({"into": "add"})).await.good();
    let add = stage.of_c("sums::add  sums.rs:2", "add  sums.c:2");
    assert_eq!((stop.reason(), stop.place()), ("after step", add), "{}", stop.text);
    assert_eq!((stop.local("a"), stop.local("b")), ("3", "2"), "{}", stop.text);
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 1 hit");
    stage.resume().await.good().line("□ exited with code 0");
}

const LINES: &str = "int one(int n) {
    return n + 1;
}
int two(int n) {
    return n * 2;
}
int main() {
    int sum = one(one(3) +
                  two(4));
    return sum == 0 && two(sum);
}
";

/// The last call is on the line of the first again.
pub async fn into_a_call_of_several_lines(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("lines.c"), LINES).unwrap();
    stage.start_in(dir.path()).await;
    let breakpoints = ["lines.c:8", "lines.c:10"];
    let launch = json!({
        "program": "lines.c", "adapter": "codelldb", "breakpoints": breakpoints, "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    for (name, n) in [("one", "3"), ("two", "4"), ("one", "12")] {
        let stop = stage.call("debug_step", json!({"into": name})).await.good();
        assert!(!stop.text.contains("note: "), "{}", stop.text);
        assert_eq!((stop.reason(), stop.local("n")), ("after step", n), "{}", stop.text);
        stage.call("debug_step", json!({"kind": "out"})).await.good();
    }
    stage.resume_to(2).await;
    let stop = stage.call("debug_step", json!({"into": "two"})).await.good();
    assert_eq!((stop.reason(), stop.place()), ("after step", "main  lines.c:11"), "{}", stop.text);
    stop.line("note: `two` was not called before the step ended");
}

const LIBRARY: &str = "fn filled(count: u32) -> Vec<u32> {
    let mut list = Vec::new();
    list.push(count);
    list
}
fn main() {
    println!(\"{:?}\", filled(2));
}
";

/// The stop shows the calling line, and a step out leads there.
pub async fn out_of_a_library_that_was_stepped_into(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("list.rs"), LIBRARY).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "list.rs", "breakpoints": ["list.rs:3"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let stop = stage.call("debug_step", json!({"kind": "in", "into": "push"})).await.good();
    stop.says("#1 list::filled  list.rs:3  <- #2 list::main  list.rs:7  (called into #0 ");
    assert!(!stop.text.contains("note: "), "{}", stop.text);
    let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert_eq!(
        (stop.reason(), stop.place()),
        ("after step", "list::filled  list.rs:3"),
        "{}",
        stop.text
    );
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!(stop.place(), "list::filled  list.rs:4", "{}", stop.text);
}

/// The caller has set a breakpoint in a library and steps from there: the stops show the library.
pub async fn in_a_library_with_a_breakpoint(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let library = dir.path().join("site-packages");
    std::fs::create_dir(&library).unwrap();
    let text = "def rounded(price):\n    whole = price // 10\n    return whole * 10\n";
    std::fs::write(library.join("prices.py"), text).unwrap();
    let text = "import sys\n\nsys.path.insert(0, 'site-packages')\nimport prices\n\n\
        print(prices.rounded(47))\n";
    std::fs::write(dir.path().join("main.py"), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "main.py", "breakpoints": ["site-packages/prices.py:2"], "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    let place = |line: u32| format!("rounded  site-packages/prices.py:{line}");
    assert_eq!((stop.place(), stop.local("price")), (place(2).as_str(), "47"), "{}", stop.text);
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!((stop.place(), stop.local("whole")), (place(3).as_str(), "4"), "{}", stop.text);
    let stop = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert_eq!(stop.place(), "<module>  main.py:6", "{}", stop.text);
}

/// A step into a function written in C would reach no line, and the program would run on.
pub async fn step_into_a_c_function_is_refused(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = "import time\n\ndef inner(n):\n    return n\n\nprint(inner(3), len([1]), \
        time.time())\nprint(int('4'))\n";
    std::fs::write(dir.path().join("small.py"), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "small.py", "breakpoints": ["small.py:6", "small.py:7"], "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    for compiled in ["print", "len", "time.time"] {
        let expected = format!(
            "error[which-call] no call on this line is named `{compiled}`; the calls are \
            inner(3). \
             Try: debug_step {{\"into\": \"inner(3)\"}}"
        );
        stage.call("debug_step", json!({"into": compiled})).await.fails(&expected);
    }
    let stop = stage.call("debug_step", json!({"into": "inner"})).await.good();
    assert_eq!((stop.place(), stop.local("n")), ("inner  small.py:4", "3"), "{}", stop.text);
    stage.resume().await.good();
    let none = stage.call("debug_step", json!({"into": "int"})).await;
    assert!(none.is_error && none.text.starts_with("error[which-call] "), "{}", none.text);
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn step_into_a_named_call_is_unsupported(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    stage.call("debug_step", json!({"into": "tax"})).await.fails(
        "error[unsupported] this adapter cannot step into `tax` alone, only into whatever is \
        called first. \
         Try: debug_continue {\"until\": \"tax\"}",
    );
    let stop = stage.call("debug_continue", json!({"until": "tax"})).await.good();
    assert!(
        stop.place().starts_with(&format!("{}  ", stage.function("cart", "tax"))),
        "{}",
        stop.text
    );
}

pub async fn over_a_call_with_a_log_breakpoint_inside(stage: &mut Stage) {
    let breakpoints =
        json!([stage.at("cart", "add"), {"at": stage.at("cart", "tax"), "log": "rate {rate}"}]);
    let stop = stage.launch("cart", json!({"breakpoints": breakpoints})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "print");
    assert_eq!((stop.reason(), stop.local("total")), ("after step", "1070"));
    stop.says("log breakpoints +1 hit");
    stage.call("debug_output", json!({"stream": "log"})).await.good().says(": rate 7\n");
}

pub async fn until_is_reached_once(stage: &mut Stage) {
    let first = format!("{} if index == 0", stage.at("cart", "loop"));
    stage.launch("cart", json!({"breakpoints": [first]})).await.good();
    let stop = stage.call("debug_continue", json!({"until": stage.at("cart", "tax")})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert_eq!((stop.reason(), stop.local("net")), ("at the `until` location", "1000"));
    // The place is for one call only.
    stage.call("debug_breakpoints", json!({})).await.good().says("1 breakpoint\n");
    stage.call("debug_continue", json!({"until": "cart.x 34"})).await.fails(
        "error[bad-argument] debug_continue: `until` must be FILE:LINE or a function, got \
         `cart.x 34`. Try: debug_continue {\"until\": \"cart.x:34\"}",
    );
    // Whatever breakpoint is there.
    let print = stage.at("cart", "print");
    for (own, index, reason) in [
        (print.clone(), "0", "breakpoint #3 at the `until` location"),
        (format!("{print} if index == 99"), "1", "at the `until` location"),
        (format!("{print} log at {{index}}"), "2", "at the `until` location"),
    ] {
        stage.call("debug_breakpoints", json!({"set": [own]})).await.good();
        let stop = stage.call("debug_continue", json!({"until": print})).await.good();
        stage.assert_stop(&stop, "cart", "total_of", "print");
        assert_eq!((stop.reason(), stop.local("index")), (reason, index), "{}", stop.text);
    }
    let removed = json!({"remove": [print]});
    stage.call("debug_breakpoints", removed).await.good().says("1 breakpoint\n");
    // A number is a line of the same file.
    let total = stage.at("cart", "total");
    let line = total.rsplit(':').next().unwrap();
    let stop = stage.call("debug_continue", json!({"until": line})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "total");
    stage.resume().await.good().line("□ exited with code 0");
}

/// A comment stands for the next line with code, an empty line after a function for the last one of
/// it: a run to there would never end.
pub async fn until_a_line_without_code_is_refused(stage: &mut Stage) {
    let [first, none, print] = ["first", "none", "print"].map(|mark| stage.at("gaps", mark));
    let stop = stage.launch("gaps", json!({"breakpoints": [none]})).await.good();
    stage.assert_stop(&stop, "gaps", "main", "second");
    stop.line(&format!("note: {none} holds no code; #1 moved to this line"));
    stage.resume().await.good().line("□ exited with code 0");
    let stop = stage.launch("gaps", json!({"breakpoints": [first]})).await.good();
    stage.assert_stop(&stop, "gaps", "main", "first");
    let stop = stage.call("debug_continue", json!({"until": none})).await.good();
    stage.assert_stop(&stop, "gaps", "main", "second");
    stop.line(&format!("note: {none} holds no code; `until` moved to this line"));
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&stop, "gaps", "main", "print");
    let (source, line) = place(&print);
    let after = format!("{source}:{}", line + 1);
    let refused = stage.call("debug_continue", json!({"until": after})).await;
    assert!(refused.is_error, "{}", refused.text);
    refused.says(&format!(
        "{after} has no code: the debugger would stop at line {line}, which is not ahead"
    ));
}

/// Another breakpoint is on the way; then the program ends.
pub async fn until_is_not_reached(stage: &mut Stage) {
    let first = format!("{} if index == 0", stage.at("cart", "loop"));
    stage.launch("cart", json!({"breakpoints": [first, stage.at("cart", "tax")]})).await.good();
    let stop =
        stage.call("debug_continue", json!({"until": stage.at("cart", "total")})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert_eq!(stop.reason(), "breakpoint #2");
    stop.says("note: stopped before reaching ");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
}

/// The stop reports the step, and the breakpoint whose condition is false there has no hit.
pub async fn step_ending_at_a_breakpoint_is_no_hit(stage: &mut Stage) {
    let breakpoints = json!([stage.at("cart", "add"), "tax if net == 5"]);
    stage.launch("cart", json!({"breakpoints": breakpoints})).await.good();
    let stop = stage.call("debug_step", json!({"kind": "in"})).await.good();
    assert!(
        stop.place().starts_with(&format!("{}  ", stage.function("cart", "tax"))),
        "{}",
        stop.text
    );
    assert_eq!((stop.reason(), stop.local("net")), ("after step", "1000"), "{}", stop.text);
    let listed = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(listed.line(" #1 ").ends_with(" · 1 hit"), "{}", listed.text);
    assert_eq!(listed.line(" #2 "), "tax if net == 5");
}

/// An interrupted step is discarded: the program runs to the next breakpoint.
pub async fn interrupted_step_is_discarded(stage: &mut Stage) {
    let stop = stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    stage.call("debug_breakpoints", json!({"set": [stage.at("cart", "tax")]})).await.good();
    let stop = stage.call("debug_step", json!({"count": 3})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert_eq!(stop.reason(), "breakpoint #2");
    stop.line("note: a breakpoint stopped the program during step 1 of 3");
    let stop = stage.resume().await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    assert_eq!((stop.reason(), stop.local("index")), ("breakpoint #1", "1"));
    // Between the two, rustc's code calls functions of its library.
    let number = stage.pick("2 of 9", "", "3 of 9", "2 of 9", "2 of 9");
    let stop = stage.call("debug_step", json!({"kind": "in", "count": 9})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert_eq!(stop.reason(), "breakpoint #2");
    stop.line(&format!("note: a breakpoint stopped the program during step {number}"));
    let stop = stage.call("debug_step", json!({"kind": "out", "count": 9})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    assert_eq!((stop.reason(), stop.local("index")), ("breakpoint #1", "2"));
    stop.line("note: a breakpoint stopped the program during step 2 of 9");
}

/// The program ends in one of several steps.
pub async fn step_that_the_end_cuts_short_says_so(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "after")]})).await.good();
    let end = stage.call("debug_step", json!({"count": 40})).await.good();
    end.line("□ exited with code 0");
    let note = end.line("note: the program ended during step ");
    let (step, all) = note.split_once(" of ").unwrap();
    assert!(all == "40" && (1..20).contains(&step.parse::<u32>().unwrap()), "{}", end.text);
}

/// While one thread steps, another comes to a breakpoint.
pub async fn step_that_another_thread_cuts_short_says_so(stage: &mut Stage) {
    let work = stage.at("threads", "work");
    let first = stage.launch("threads", json!({"breakpoints": [work]})).await.good();
    stage.assert_stop(&first, "threads", "work", "work");
    let other = stage.call("debug_step", json!({"count": 9})).await.good();
    stage.assert_stop(&other, "threads", "work", "work");
    assert_eq!(other.reason(), "breakpoint #1", "{}", other.text);
    assert_ne!(first.local("number"), other.local("number"), "{}", other.text);
    let start = "note: a breakpoint of another thread stopped the program during step ";
    let note = other.line(start);
    let (step, all) = note.split_once(" of ").unwrap();
    assert!(all == "9" && (1..=9).contains(&step.parse::<u32>().unwrap()), "{}", other.text);
    stage.resume().await.good().line("□ exited with code 0");
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 2 hits");
}

/// Nothing of the program's own code called it: the answer comes soon, and is a stop in the code
/// that started the program.
pub async fn step_out_of_the_outermost_function_ends_soon(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "after")]})).await.good();
    if stage.language.newest() == Language::JavaScript {
        stage.call("debug_step", json!({"kind": "out"})).await.good().line("#0 <anonymous>  ");
    }
    let began = Instant::now();
    let out = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let start = stage.pick(
        "",
        "core::ops::function::FnOnce::call_once",
        "runtime.main",
        "Module._compile",
        "__libc_start_call_main",
    );
    assert!(out.place().starts_with(start), "{}", out.text);
}
