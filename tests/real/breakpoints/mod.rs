//! Breakpoints: conditions, hit counts, logs, functions, and edits while the program runs.

pub mod awaits;
pub mod function_names;
pub mod lines_without_code;
pub mod links;
pub mod log_points;
pub mod meetings;
pub mod native_logs;
pub mod one_line_functions;
pub mod passes;
pub mod rust_functions;
pub mod tail_lines;
pub mod templates;
pub mod users_code;

use serde_json::json;

use crate::real::stage::{Language, Stage, undefined_name};

pub async fn first_stop_shows_place_source_and_locals(stage: &mut Stage) {
    let stop = stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert_eq!(stop.reason(), "breakpoint #1");
    assert_eq!((stop.local("net"), stop.local("rate")), ("1000", "7"));
    let line = stage.pick(
        "→ 35      amount = net * rate // 100  # [stop: tax]",
        "→ 48      let amount = net * rate / 100; // [stop: tax]",
        "→ 39    amount := net * rate / 100 // [stop: tax]",
        "→ 25    const amount = Math.floor((net * rate) / 100); // [stop: tax]",
        "→ 25      uint64_t amount = net * rate / 100; // [stop: tax]",
    );
    let code = line.split_once("  ").unwrap().1.trim_start();
    stop.says(code);
    let callers = ["total_of", "main"].map(|name| stage.function("cart", name));
    stop.says(&format!("<- #1 {}  {}", callers[0], stage.at("cart", "add")));
    stop.says(&format!("<- #2 {}  ", callers[1]));
    stop.says("Grüße, 世界");
}

pub async fn condition_stops_where_it_holds(stage: &mut Stage) {
    let place = stage.at("cart", "loop");
    let stop = stage
        .launch("cart", json!({"breakpoints": [format!("{place} if index == 2")]}))
        .await
        .good();
    stage.assert_stop(&stop, "cart", "total_of", "loop");
    assert_eq!((stop.local("index"), stop.local("total")), ("2", "3438"));
    assert!(stop.local("item").contains("饺子"), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}

/// Of two breakpoints at one place, the one whose condition is false is not named in the stop.
pub async fn false_condition_counts_no_hit(stage: &mut Stage) {
    let name = stage.spelled("tax");
    let stop = stage.launch("cart", json!({"breakpoints": [name]})).await.good();
    let at = stop.place().split("  ").nth(1).unwrap().to_owned();
    stage.call("debug_breakpoints", json!({"set": [format!("{at} if 1 == 2")]})).await.good();
    for stop in [stage.call("debug_restart", json!({})).await.good(), stage.resume().await.good()] {
        assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
        assert_eq!(stop.place().split("  ").nth(1), Some(at.as_str()), "{}", stop.text);
    }
}

/// A log breakpoint and a stopping breakpoint at one place count their own hits.
pub async fn condition_stops_at_the_place_of_a_log_breakpoint(stage: &mut Stage) {
    let name = stage.spelled("tax");
    let stop = stage.launch("cart", json!({"breakpoints": [name]})).await.good();
    let at = stop.place().split("  ").nth(1).unwrap().to_owned();
    stage.call("debug_stop", json!({})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let log = json!({"at": name, "log": "taxed"});
    let stop = stage
        .launch("cart", json!({"breakpoints": [log, format!("{at} if net == 1990")]}))
        .await
        .good();
    assert_eq!(
        (stop.place().split("  ").nth(1), stop.local("net")),
        (Some(at.as_str()), "1990"),
        "{}",
        stop.text
    );
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(
        list.text.contains("\"taxed\" · 2 hits") && list.text.contains("net == 1990 · 1 hit\n"),
        "{}",
        list.text
    );
    stage.resume().await.good().line("□ exited with code 0");
}

/// Runs to the end and returns the loop indices at which the breakpoint stopped.
async fn stops_at(stage: &mut Stage, breakpoint: serde_json::Value) -> Vec<String> {
    let mut answer = stage.launch("cart", json!({"breakpoints": [breakpoint]})).await.good();
    let mut indices = Vec::new();
    while answer.text.starts_with('■') {
        stage.assert_stop(&answer, "cart", "total_of", "loop");
        indices.push(answer.local("index").to_owned());
        answer = stage.resume().await.good();
    }
    answer.line("□ exited with code 0");
    stage.call("debug_breakpoints", json!({"clear": true})).await;
    indices
}

pub async fn hit_counts(stage: &mut Stage) {
    let at = stage.at("cart", "loop");
    assert_eq!(stops_at(stage, json!({"at": at, "hit_condition": "3"})).await, ["2"]);
    assert_eq!(stops_at(stage, json!({"at": at, "hit_condition": ">= 3"})).await, ["2", "3"]);
    assert_eq!(stops_at(stage, json!({"at": at, "hit_condition": "% 2"})).await, ["1", "3"]);
}

pub async fn unreached_hit_count_is_reported(stage: &mut Stage) {
    let at = stage.at("cart", "loop");
    let end = stage
        .launch("cart", json!({"breakpoints": [{"at": at, "hit_condition": "9"}]}))
        .await
        .good();
    end.line("□ exited with code 0");
    end.says(&format!("\nhit count not reached:\n  #1 {at} · hits 9 · 4 hits\n"));
}

/// Only passes where the condition is true are counted.
pub async fn condition_and_hit_count_together(stage: &mut Stage) {
    let at = stage.at("cart", "loop");
    let breakpoint = json!({"at": at, "condition": "index > 0", "hit_condition": "2"});
    assert_eq!(stops_at(stage, breakpoint).await, ["2"]);
}

/// Delve, CodeLLDB and js-debug read the program's output apart from their messages: only the order
/// within each is defined.
pub async fn log_breakpoints_write_in_order(stage: &mut Stage) {
    let log = "net {net} of {nowhere} {{index}} ä";
    let breakpoints =
        json!([{"at": stage.at("cart", "add"), "log": log}, stage.at("cart", "total")]);
    let stop = stage.launch("cart", json!({"breakpoints": breakpoints})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "total");
    stop.says("log breakpoints +4 hits");
    let output = stage.printed("Atlas").await;
    let lines: Vec<_> = output.text.lines().collect();
    let printed = ["0 Heft 1070", "1 Füller 3438", "2 饺子 4893", "3 Atlas 10136"];
    let nets = ["1000", "1990", "1360", "4900"];
    let error = undefined_name(stage);
    assert_eq!(lines.len(), 10, "{}", output.text);
    let (logged, printed_lines): (Vec<&str>, Vec<&str>) =
        lines[..9].iter().partition(|line| line.starts_with("log| "));
    assert_eq!(
        (printed_lines[0], &printed_lines[1..]),
        ("Grüße, 世界", &printed[..]),
        "{}",
        output.text
    );
    for (index, (logged, net)) in logged.iter().zip(nets).enumerate() {
        assert!(logged.starts_with(&format!("log| #1.{} ", index + 1)), "{logged}");
        // An error is written in full once.
        let error = if index == 0 { format!("<error: {error}>") } else { "<error>".to_owned() };
        assert!(logged.ends_with(&format!(": net {net} of {error} {{index}} ä")), "{logged}");
    }
    // gdb's script reports a hit before the output that it reads later; debugpy's launcher passes
    // both on as they were written.
    if matches!(stage.language.newest(), Language::C | Language::Python) {
        let alternating: Vec<&str> = logged
            .iter()
            .zip(&printed_lines[1..])
            .flat_map(|(logged, printed_lines)| [*logged, *printed_lines])
            .collect();
        assert_eq!(lines[1..9], alternating, "{}", output.text);
    }
}

/// Delve would write the hit twice at which the host halts the program to remove the other
/// breakpoint, which has written all that it may: it ends that one itself.
pub async fn log_breakpoints_are_thinned(stage: &mut Stage) {
    let every = json!({"at": stage.at("cart", "loop"), "log": "second {index}", "every": 2});
    let first = json!({"at": stage.at("cart", "add"), "log": "first {index}", "max_hits": 2});
    let end = stage.launch("cart", json!({"breakpoints": [every, first]})).await.good();
    end.line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "log"})).await.good();
    let logged: Vec<_> = output
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("log| ")?.rsplit_once(": "))
        .collect();
    let texts: Vec<_> = logged.iter().map(|(_, text)| *text).collect();
    assert_eq!(texts, ["first 0", "second 1", "first 1", "second 3"], "{}", output.text);
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    // Others pass the breakpoint until the host has removed it.
    if stage.language.newest() == Language::Go {
        list.says("at most 2, reached: off · 2 hits");
    }
}

/// Threads that hit at the same time: no hit is lost, and no thread waits for another.
pub async fn hits_of_all_threads_are_counted(stage: &mut Stage) {
    let half = json!({
        "at": stage.at("counted", "square"), "condition": "x % 2 == 0", "hit_condition": ">= 1000",
    });
    let log =
        json!({"at": stage.at("counted", "count"), "condition": "x % 5 == 0", "log": "round {x}"});
    let breakpoints = json!([half, log, stage.at("counted", "joined")]);
    let stop = stage.launch("counted", json!({"breakpoints": breakpoints})).await.good();
    stage.assert_stop(&stop, "counted", "work", "square");
    assert_eq!(stop.reason(), "breakpoint #1");
    let stop = stage.resume().await.good();
    stage.assert_stop(&stop, "counted", "main", "joined");
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    list.says("hits >= 1000 · 1000 hits");
    list.says("400 hits");
    let output = stage.call("debug_output", json!({"stream": "log", "tail": 1000})).await.good();
    for worker in ["worker-1", "worker-2"] {
        let own = |line: &&str| line.starts_with("log| ") && line.contains(worker);
        let rounds: Vec<&str> =
            output.text.lines().filter(own).map(|line| line.rsplit_once(' ').unwrap().1).collect();
        let all: Vec<String> = (0..1000).step_by(5).map(|x| x.to_string()).collect();
        assert_eq!(rounds, all, "{}", output.text);
    }
}

/// Threads that hit at the same time stop one after the other: no hit is lost or reported twice.
/// Unpatched debugpy reports ten of them.
pub async fn every_hit_of_every_thread_stops(stage: &mut Stage) {
    let breakpoints = json!([stage.at("meeting", "met"), stage.at("meeting", "joined")]);
    let mut answer = stage.launch("meeting", json!({"breakpoints": breakpoints})).await.good();
    let mut hits = Vec::new();
    while answer.reason() == "breakpoint #1" {
        let thread = ["worker-1", "worker-2"]
            .into_iter()
            .find(|name| answer.line("■ ").contains(name))
            .unwrap();
        hits.push(format!("{thread} {}", answer.local("x")));
        answer = stage.resume().await.good();
    }
    stage.assert_stop(&answer, "meeting", "main", "joined");
    hits.sort();
    let all = |thread| (0..10).map(move |x| format!("{thread} {x}"));
    assert_eq!(hits, all("worker-1").chain(all("worker-2")).collect::<Vec<_>>());
    stage.call("debug_breakpoints", json!({})).await.good().says(" 20 hits");
}

pub async fn function_breakpoint_stops_in_the_function(stage: &mut Stage) {
    let stop =
        stage.launch("cart", json!({"breakpoints": [stage.spelled("total_of")]})).await.good();
    assert_eq!(stop.reason(), "breakpoint #1");
    assert!(
        stop.place().starts_with(&format!("{}  ", stage.function("cart", "total_of"))),
        "{}",
        stop.text
    );
    stop.says(stage.pick(
        "def total_of(cart):",
        "fn total_of(cart: &Cart) -> u64 {",
        "func totalOf(cart *Cart) uint64 {",
        "let total = 0;",
        "static uint64_t total_of(const struct cart *cart) {",
    ));
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(
        !list.text.contains("UNVERIFIED") && !list.text.contains("not loaded"),
        "{}",
        list.text
    );
    list.says(&format!("#1 {}", stage.spelled("total_of")));
    list.says("1 hit");
}

/// Neither the line of the `def` nor that of a decorator. A function that is already loaded is
/// reported as bound at once, another as soon as it is loaded.
pub async fn function_breakpoints_stop_where_the_body_begins(stage: &mut Stage) {
    let breakpoints = json!(["decorated", "spread", "short", stage.at("bodies", "load")]);
    let mut answer = stage.launch("bodies", json!({"breakpoints": breakpoints})).await.good();
    for (number, function) in [(1, "decorated"), (2, "spread"), (3, "short")] {
        assert_eq!(answer.reason(), format!("breakpoint #{number}"), "{}", answer.text);
        stage.assert_stop(&answer, "bodies", function, function);
        answer = stage.resume().await.good();
    }
    stage.assert_stop(&answer, "bodies", "<module>", "load");
    let set = json!({
        "set": ["bodies.spread", "Other.spread", "late", stage.at("bodies", "loaded")],
        "remove": ["2"],
    });
    let list = stage.call("debug_breakpoints", set).await.good();
    let fate = |text: &str, number: &str| {
        let line = text.lines().find(|line| line.contains(number)).unwrap_or_default();
        line.contains("not loaded yet")
    };
    assert_eq!(
        ["#5 ", "#6 ", "#7 "].map(|number| fate(&list.text, number)),
        [false, true, true],
        "{}",
        list.text
    );
    stage.resume_to(8).await;
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert_eq!(
        ["#5 ", "#6 ", "#7 "].map(|number| fate(&list.text, number)),
        [false, true, false],
        "{}",
        list.text
    );
    stage.resume().await.good().line("□ exited with code 0");
}

/// A qualified name matches only that function.
pub async fn qualified_names_mean_one_function(stage: &mut Stage) {
    let all = ["function", "basket", "cart", "basket", "inner"];
    for (name, marks) in [
        ("total", &all[..]),
        ("Cart.total", &["cart"]),
        ("Basket.total", &["basket", "basket"]),
        ("outer.total", &["inner"]),
        ("methods.total", &["function"]),
        ("methods.Cart.total", &["cart"]),
    ] {
        let mut answer = stage.launch("methods", json!({"breakpoints": [name]})).await.good();
        for mark in marks {
            stage.assert_stop(&answer, "methods", "total", mark);
            answer = stage.resume().await.good();
        }
        answer.line("□ exited with code 0");
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}

/// Each call stops once, with the number of its own breakpoint, also where another breakpoint
/// shares the line.
pub async fn coroutines_generators_and_methods_of_one_name_are_functions(stage: &mut Stage) {
    let breakpoints = json!(["First.run", "Second.run", "Third.run", "fetch", "pages"]);
    let mut answer = stage.launch("tasks", json!({"breakpoints": breakpoints})).await.good();
    let stops = [(1, "run", "first"), (2, "run", "second"), (3, "run", "third")];
    for (number, function, mark) in stops {
        assert_eq!(answer.reason(), format!("breakpoint #{number}"), "{}", answer.text);
        stage.assert_stop(&answer, "tasks", function, mark);
        answer = stage.resume().await.good();
    }
    assert_eq!(answer.reason(), "breakpoint #5", "{}", answer.text);
    stage.call("debug_breakpoints", json!({"set": [stage.at("tasks", "fetch")]})).await.good();
    let stop = stage.resume().await.good();
    assert_eq!((stop.reason(), stop.local("left")), ("breakpoint #4 #6", "1"), "{}", stop.text);
    stage.assert_stop(&stop, "tasks", "fetch", "fetch");
    stage.call("debug_breakpoints", json!({"remove": ["6"]})).await.good();
    let stop = stage.resume().await.good();
    assert_eq!((stop.reason(), stop.local("left")), ("breakpoint #4", "2"), "{}", stop.text);
    stage.assert_stop(&stop, "tasks", "fetch", "fetch");
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    assert!(!end.text.contains("never"), "{}", end.text);
}

pub async fn second_call_keeps_the_first_breakpoint(stage: &mut Stage) {
    let stop =
        stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "loop");
    for (mark, count) in [("tax", "2 breakpoints"), ("total", "3 breakpoints")] {
        stage
            .call("debug_breakpoints", json!({"set": [stage.at("cart", mark)]}))
            .await
            .good()
            .says(count);
    }
    let stop = stage.resume_to(2).await;
    stage.assert_stop(&stop, "cart", "tax", "tax");
    let stop = stage.resume_to(1).await;
    stage.assert_stop(&stop, "cart", "total_of", "loop");
    stage
        .call("debug_breakpoints", json!({"remove": ["1", "2"]}))
        .await
        .good()
        .says("1 breakpoint\n");
    let stop = stage.resume_to(3).await;
    stage.assert_stop(&stop, "cart", "total_of", "total");
}

pub async fn breakpoint_set_while_running_stops(stage: &mut Stage) {
    stage.start_sleeper().await;
    let list =
        stage.call("debug_breakpoints", json!({"set": [stage.at("sleeper", "nap")]})).await.good();
    list.says("#2 ");
    let stop = stage.call("debug_wait", json!({})).await.good();
    stage.assert_stop(&stop, "sleeper", "nap", "nap");
    assert_eq!(stop.reason(), "breakpoint #2");
}

pub async fn condition_is_checked_while_running(stage: &mut Stage) {
    stage.start_sleeper().await;
    let wrong = format!("{} if tick <", stage.at("sleeper", "nap"));
    let refused = stage.call("debug_breakpoints", json!({"set": [wrong]})).await;
    assert!(refused.is_error, "{}", refused.text);
    refused.says("condition `tick <` does not parse");
    stage.call("debug_wait", json!({"timeout_s": 0.1})).await.good().line("▶ running");
    let right = format!("{} if tick > 5", stage.at("sleeper", "nap"));
    stage.call("debug_breakpoints", json!({"set": [right]})).await.good();
    let stop = stage.call("debug_wait", json!({})).await.good();
    stage.assert_stop(&stop, "sleeper", "nap", "nap");
}

/// The filters may be meant for another language, so the launch does not fail.
pub async fn earlier_unknown_exception_filters_are_ignored(stage: &mut Stage) {
    stage.call("debug_breakpoints", json!({"exceptions": ["strange"]})).await.good();
    let stop = stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    let note = stop.line("note: unknown exception filters: ");
    assert!(note.starts_with("strange; this debugger has "), "{}", stop.text);
    stage.call("debug_stop", json!({})).await.good();
    let stop = stage.launch("crash", json!({})).await;
    assert!(!stop.is_error, "{}", stop.text);
}

/// Breakpoints set without a session apply to every launch, with the edits that the last session
/// made.
pub async fn earlier_breakpoints_have_the_last_sessions_edits(stage: &mut Stage) {
    let (first, second) = (stage.at("cart", "loop"), stage.at("cart", "add"));
    stage.call("debug_breakpoints", json!({"set": [first, second]})).await.good();
    stage.call("debug_breakpoints", json!({"disable": ["1"]})).await.good();
    let stop = stage.launch("cart", json!({})).await.good();
    assert_eq!(stop.reason(), "breakpoint #2");
    stage.call("debug_breakpoints", json!({"remove": ["2"], "enable": ["1"]})).await.good();
    stage.call("debug_stop", json!({})).await.good();
    let stop = stage.launch("cart", json!({})).await.good();
    assert_eq!(stop.reason(), "breakpoint #1");
    stage.call("debug_breakpoints", json!({})).await.good().line("1 breakpoint");
}

pub async fn disabled_breakpoint_is_passed(stage: &mut Stage) {
    let (first, second) = (stage.at("cart", "loop"), stage.at("cart", "add"));
    let stop = stage.launch("cart", json!({"breakpoints": [first, second]})).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "loop");
    stage.call("debug_breakpoints", json!({"disable": [second]})).await.good();
    assert_eq!(stage.resume_to(1).await.local("index"), "1");
    stage.call("debug_breakpoints", json!({"enable": ["2"]})).await.good();
    let stop = stage.resume_to(2).await;
    stage.assert_stop(&stop, "cart", "total_of", "add");
    assert_eq!(stop.local("index"), "1");
}

/// rustc adds a C `main` without source and locals.
pub async fn main_is_the_programs_main(stage: &mut Stage) {
    let stop = stage.launch("cart", json!({"breakpoints": ["main"]})).await.good();
    assert_eq!(stop.reason(), "breakpoint #1");
    assert!(
        stop.place().starts_with("cart::main  tests/fixtures/rust/src/bin/cart.rs:"),
        "{}",
        stop.text
    );
}

/// Code is loaded while the program runs: a breakpoint in it is pending, and the ending reports it
/// where the code was never loaded.
pub async fn breakpoint_in_later_loaded_code_stops(stage: &mut Stage) {
    let (before, lazy) = (stage.at("later", "before"), stage.at("lazy", "double"));
    for argument in ["load", "no"] {
        let wanted = json!({"args": [argument], "breakpoints": [before, lazy]});
        let stop = stage.launch("later", wanted).await.good();
        assert!(stop.place().ends_with(&before), "{}", stop.text);
        let list = stage.call("debug_breakpoints", json!({})).await.good();
        list.says(&format!("{lazy} · not loaded yet"));
        assert!(!list.text.contains("UNVERIFIED"), "{}", list.text);
        let next = stage.resume().await.good();
        if argument == "no" {
            next.line("□ exited with code 0");
            next.says(&format!(
                "{lazy} · UNVERIFIED: its file was never loaded, and the debugger found no source \
                map that names it; child processes that do not inherit NODE_OPTIONS are not \
                followed"
            ));
            continue;
        }
        assert!(next.place().ends_with(&lazy), "{}", next.text);
        assert_eq!(next.local("double"), "42");
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.resume().await.good().line("□ exited with code 0");
    }
}

/// gdb checks the condition when a breakpoint on a line is set, CodeLLDB when it is hit. On a
/// function, gdb's stops, too.
pub async fn condition_with_unknown_name_is_reported(stage: &mut Stage) {
    let place = format!("{} if nowhere == 4", stage.at("cart", "tax"));
    let answer = stage.launch("cart", json!({"breakpoints": [place]})).await;
    if stage.language == Language::LldbC {
        return answer.says(
            "note: the debugger says: the condition `nowhere == 4` failed: there is \
            no `nowhere` here",
        );
    }
    // gdb checks it before the program starts.
    let refused = "error[bad-condition] condition `nowhere == 4` was refused: No symbol \
        \"nowhere\" in current context. \
                   Try: debug_launch {";
    assert!(answer.is_error && answer.text.starts_with(refused), "{}", answer.text);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let on_function = json!({"at": "tax", "condition": "nowhere == 4"});
    let stop = stage.launch("cart", json!({"breakpoints": [on_function]})).await.good();
    assert!(stop.place().starts_with("tax  "), "{}", stop.text);
    stop.says(
        "note: the debugger says: the condition `nowhere == 4` failed: No symbol \"nowhere\" in \
         current context",
    );
}

/// The line has code, so no other line is proposed.
pub async fn condition_refused_while_running_is_reported(stage: &mut Stage) {
    stage.start_sleeper().await;
    let place = stage.at("sleeper", "nap");
    for (condition, why) in [
        ("tick <", "A syntax error in expression, near the end of `tick <'"),
        ("nowhere > 1", "No symbol \"nowhere\" in current context"),
    ] {
        let wrong = json!({"set": [format!("{place} if {condition}")]});
        let refused = stage.call("debug_breakpoints", wrong).await;
        assert!(refused.is_error, "{}", refused.text);
        refused.says(&format!(" if {condition} · UNVERIFIED: its condition was refused: {why}\n"));
        let call = format!("Try: debug_breakpoints {{\"set\": [\"{place}\"]}}");
        refused.line(&format!("error[bp-unverified] {place} was not armed. {call}"));
    }
}

/// The condition would change the program at each pass.
pub async fn condition_that_assigns_is_refused(stage: &mut Stage) {
    let place = stage.at("cart", "loop");
    let (assigns, counts) = stage.pick(
        ("", ""),
        ("index = 3", ""),
        ("", ""),
        ("index = 3", "index++ > 1"),
        ("index = 3", "index++ > 1"),
    );
    for condition in [assigns, counts].into_iter().filter(|condition| !condition.is_empty()) {
        let launch = json!({"breakpoints": [format!("{place} if {condition}")]});
        let refused = stage.launch("cart", launch).await;
        refused.says(&format!(
            "error[bad-condition] condition `{condition}` does not parse: it assigns, which \
            debug_set does"
        ));
    }
    let compares = format!("{place} if index == 2 && \"a=b\"[1] == '='");
    let plain = if stage.language.newest() == Language::C {
        compares
    } else {
        format!("{place} if index == 2")
    };
    let stop = stage.launch("cart", json!({"breakpoints": [plain]})).await.good();
    assert_eq!(stop.local("index"), "2", "{}", stop.text);
}
