//! Values: evaluated, watched, opened by path, paged, shortened.

pub mod assignments;
pub mod bounded;
pub mod containers;
pub mod contents;
pub mod debug_information;
pub mod effects;
pub mod everyday_python;
pub mod expressions;
pub mod go_hostile;
pub mod go_values;
pub mod hostile;
pub mod levels;
pub mod native_hostile;
pub mod owners;
pub mod pointers;
pub mod texts;
pub mod variants;

use std::time::{Duration, Instant};

use serde_json::json;

use crate::caller::root;
use crate::real::stage::{Language, Stage, marked, undefined_name};

pub async fn evaluate_value_error_and_several(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let sum = "net + rate";
    let answer =
        stage.call("debug_evaluate", json!({"expressions": [sum, "nowhere", "net"]})).await.good();
    let kind = stage.pick("int", "u64", "uint64", "number", "uint64_t");
    let summed = stage.pick("int", "u64", "uint64", "number", "unsigned long");
    let error = undefined_name(stage);
    let lines: Vec<_> = answer.text.lines().take(3).collect();
    let expected = [
        format!("{sum} = 1007  ({summed})"),
        format!("nowhere = <error: {error}>"),
        format!("net = 1000  ({kind})"),
    ];
    assert_eq!(lines, expected);
    let outer =
        stage.call("debug_evaluate", json!({"expressions": ["index"], "frame": 1})).await.good();
    outer.says("index = 0");
    let text = stage.call("debug_evaluate", json!({"expressions": ["item.name"]})).await.good();
    let name = stage.pick("'Heft'", "\"Heft\"", "\"Heft\"", "'Heft'", "\"Heft\"");
    text.says(&format!("item.name = {name}"));
}

pub async fn watches_and_changes_at_each_stop(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    let watched = stage
        .call("debug_evaluate", json!({"expressions": ["total", "index + 1"], "watch": true}))
        .await
        .good();
    watched.says("total = 0");
    let stop = stage.resume_to(1).await;
    assert_eq!(stop.line("watch: "), "total = 1070 · index + 1 = 2");
    let again = stage.call("debug_evaluate", json!({})).await.good();
    assert_eq!(
        again.text.lines().next(),
        Some(stage.pick(
            "total = 1070  (int)",
            "total = 1070  (u64)",
            "total = 1070  (uint64)",
            "total = 1070  (number)",
            "total = 1070  (uint64_t)"
        ))
    );
    let changes = stop.line("changed since stop 1: ");
    for change in ["index 0→1", "net 1000→1990", "total 0→1070"] {
        assert!(changes.contains(change), "{change}: {changes}");
    }
    stage.call("debug_evaluate", json!({"watch": false})).await.good();
    let stop = stage.resume_to(1).await;
    assert!(!stop.text.contains("watch: "), "{}", stop.text);
}

pub async fn diff_shows_only_changes(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    stage.call("debug_variables", json!({"diff": true})).await.fails(
        "error[not-comparable] there is no stop before this one to compare with. Try: \
            debug_variables",
    );
    stage.resume_to(1).await;
    let header = format!("changed since stop 1 · frame #0 {}", stage.function("cart", "total_of"));
    let reply = stage.call("debug_variables", json!({"diff": true})).await.good();
    assert_eq!(reply.text.lines().next(), Some(header.as_str()));
    for change in ["index = 0 → 1", "net = 1000 → 1990", "total = 0 → 1070"] {
        assert!(
            reply.text.lines().any(|line| line.trim_start() == change),
            "{change}: {}",
            reply.text
        );
    }
    assert!(!reply.text.contains("\n  cart = "), "it is as it was: {}", reply.text);
    let one = stage.call("debug_variables", json!({"diff": true, "path": "total"})).await.good();
    assert_eq!(one.text, format!("{header}\n  total = 0 → 1070"));
    stage.call("debug_set", json!({"target": "total", "value": "2000"})).await.good();
    let one = stage.call("debug_variables", json!({"diff": true, "path": "total"})).await.good();
    assert_eq!(one.text, format!("{header}\n  total = 0 → 2000"));
    stage.call("debug_variables", json!({"diff": true, "path": "cart.owner"})).await.fails(
        "error[not-comparable] the stop before recorded only the locals and the first \
         values inside them: cannot compare `cart.owner`. Try: debug_variables {\"path\": \
         \"cart\", \"diff\": \
         true}",
    );
    stage.call("debug_variables", json!({"diff": true, "frame": 1})).await.fails(
        "error[bad-argument] debug_variables: `diff` compares the locals of the frame of the stop, \
         or the variable at `path`; it takes no `frame`. Try: debug_variables {\"diff\": true}",
    );
    stage.call("debug_continue", json!({"until": stage.at("cart", "tax")})).await.good();
    let other = stage.call("debug_variables", json!({"diff": true})).await;
    other.fails(&format!(
        "error[not-comparable] stop 2 was in another call, of `{}`: cannot compare their \
         locals. Try: debug_variables",
        stage.function("cart", "total_of")
    ));
}

/// An adapter may delay an evaluation that arrives while another one is pending.
pub async fn watches_cost_little(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await.good();
    let plain = median_step(stage).await;
    let watched: Vec<String> = (0..8).map(|n| format!("total + {n}")).collect();
    stage.call("debug_evaluate", json!({"expressions": watched, "watch": true})).await.good();
    let watching = median_step(stage).await;
    // A delayed evaluation costs at least 40 ms.
    let bound = plain * 3 + Duration::from_millis(100);
    assert!(watching < bound, "a step took {plain:?}, with eight watches {watching:?}");
}

/// The median of five steps in the loop.
async fn median_step(stage: &mut Stage) -> Duration {
    let mut times = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        stage.call("debug_step", json!({})).await.good();
        times.push(began.elapsed());
    }
    times.sort();
    times[2]
}

pub async fn nested_by_path(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "total")]})).await.good();
    let item = stage.call("debug_variables", json!({"path": "cart.items[1]"})).await.good();
    let text = stage.pick(
        "  name: str = 'Füller'",
        "  name: alloc::string::String = \"Füller\"",
        "  name: string = \"Füller\"",
        "  name: string = 'Füller'",
        "  name: const char * = \"Füller\"",
    );
    assert!(item.text.lines().any(|line| line == text), "{}", item.text);
    let kind = stage.pick("int", "u64", "uint64", "number", "uint64_t");
    item.says(&format!("\n  price: {kind} = 1990"));
    let single = stage.call("debug_variables", json!({"path": "cart.items[3].price"})).await.good();
    assert_eq!(single.text.lines().nth(1), Some("4900"));
    let tree = stage.call("debug_variables", json!({"path": "cart", "depth": 3})).await.good();
    for name in ["Heft", "Füller", "饺子", "Atlas"] {
        tree.says(&stage.pick(
            format!("name: str = '{name}'"),
            format!("name: alloc::string::String = \"{name}\""),
            format!("name: string = \"{name}\""),
            format!("name: string = '{name}'"),
            format!("name: const char * = \"{name}\""),
        ));
    }
    let wrong = stage.call("debug_variables", json!({"path": "cart.items[1].prise"})).await;
    assert!(
        wrong.is_error
            && wrong.text.starts_with("error[no-such-variable] cart.items[1] has no `prise`"),
        "{}",
        wrong.text
    );
    wrong.says(r#"Try: debug_variables {"path": "cart.items[1].price"}"#);
}

pub async fn paged_and_filtered(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let kind = stage.pick("int", "i32", "int", "number", "int");
    for (start, count, rows, more) in [
        (0, 2, 0..2, Some("9998 more: debug_variables path=numbers start=2")),
        (99, 2, 99..101, Some("9899 more: debug_variables path=numbers start=101")),
        (5_000, 3, 5_000..5_003, Some("4997 more: debug_variables path=numbers start=5003")),
        (9_998, 250, 9_998..10_000, None),
    ] {
        let request = json!({"path": "numbers", "start": start, "count": count});
        let page = stage.call("debug_variables", request).await.good();
        let mut lines = page.text.lines();
        assert!(
            lines.next().is_some_and(|header| header.contains(" · 10000 inside · ")),
            "{}",
            page.text
        );
        let expected: Vec<_> =
            rows.map(|n| format!("  [{n}]: {kind} = {n}")).chain(more.map(String::from)).collect();
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
    let long = stage
        .call("debug_variables", json!({"path": "numbers", "start": 150, "count": 300}))
        .await
        .good();
    let rows: Vec<_> =
        long.text.lines().filter(|line| line.starts_with("  [")).map(str::to_owned).collect();
    assert_eq!(rows, (150..450).map(|n| format!("  [{n}]: {kind} = {n}")).collect::<Vec<_>>());
    let element = stage.call("debug_variables", json!({"path": "numbers[7777]"})).await.good();
    assert_eq!(element.text.lines().nth(1), Some("7777"));
    let beyond = stage.call("debug_variables", json!({"path": "numbers[10000]"})).await;
    beyond.fails(
        "error[no-such-variable] numbers has no element 10000: it has 10000. Try: \
        debug_variables {\"path\": \"numbers\", \"start\": 9990}",
    );
    let found = stage
        .call("debug_variables", json!({"path": "numbers", "filter": "77", "count": 2}))
        .await
        .good();
    let rows: Vec<_> = found.text.lines().skip(1).take(2).collect();
    assert_eq!(rows, [77, 177].map(|n| format!("  [{n}]: {kind} = {n}")));
    let found = stage.call("debug_variables", json!({"filter": "user"})).await.good();
    found.says("  users: ");
    assert!(!found.text.contains("  numbers: "), "{}", found.text);
}

pub async fn path_calls_nothing_and_selects_one_key(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let called = stage.call("debug_variables", json!({"path": "numbers.append(99)"})).await;
    called.fails(
        "error[not-a-path] `numbers.append(99)` is not a path to a variable. Try: \
        debug_evaluate {\"expressions\": [\"numbers.append(99)\"]}",
    );
    let length =
        stage.call("debug_evaluate", json!({"expressions": ["len(numbers)"]})).await.good();
    length.says("len(numbers) = 10000");
    for (path, value) in [
        ("odd[1]", "'int'"),
        ("odd[\"1\"]", "'text'"),
        ("odd['007']", "'bond'"),
        ("odd['7']", "'seven'"),
    ] {
        let found = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(found.text.lines().nth(1), Some(value), "{path}");
    }
}

pub async fn keys_of_a_mapping(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let row: fn(&str, u32) -> String = stage.pick(
        |key, value| format!("  '{key}': int = {value}"),
        |key, value| format!("  [\"{key}\"]: u32 = {value}"),
        |key, value| format!("  \"{key}\": int = {value}"),
        |key, value| format!("  {key}: number = {value}"),
        |_, _| String::new(),
    );
    if stage.language.newest() == Language::Go {
        // A Go map has no order, so it is not paged.
        let filtered = json!({"path": "prices", "filter": "item-181"});
        let found = stage.call("debug_variables", filtered).await.good();
        assert_eq!(found.text.lines().skip(1).collect::<Vec<_>>(), [row("item-181", 1810)]);
        let one =
            stage.call("debug_variables", json!({"path": "prices[\"item-999\"]"})).await.good();
        assert_eq!(one.text.lines().nth(1), Some("9990"));
        return;
    }
    let filtered = json!({"path": "prices", "filter": "item-18", "count": 3});
    let found = stage.call("debug_variables", filtered).await.good();
    let rows: Vec<_> = found.text.lines().skip(1).take(3).collect();
    assert_eq!(rows, [row("item-180", 1800), row("item-181", 1810), row("item-182", 1820)]);
    let last = stage.pick(
        ("item-999", 999, "9990"),
        ("item-199", 199, "1990"),
        Default::default(),
        ("item-999", 999, "9990"),
        Default::default(),
    );
    let page =
        stage.call("debug_variables", json!({"path": "prices", "start": last.1})).await.good();
    assert_eq!(page.text.lines().nth(1), Some(row(last.0, last.1 * 10).as_str()), "{}", page.text);
    let one = stage
        .call("debug_variables", json!({"path": format!("prices[\"{}\"]", last.0)}))
        .await
        .good();
    assert_eq!(one.text.lines().nth(1), Some(last.2));
}

/// Numbers in brackets are keys, even where the adapter numbers the entries.
pub async fn numeric_keys_of_a_mapping(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    for key in [5, 12] {
        let reply =
            stage.call("debug_variables", json!({"path": format!("codes[{key}]")})).await.good();
        assert_eq!(
            reply.text.lines().nth(1),
            Some((key * 10).to_string().as_str()),
            "{}",
            reply.text
        );
    }
    for key in [0, 2, 50] {
        let reply = stage.call("debug_variables", json!({"path": format!("codes[{key}]")})).await;
        reply.says(&format!("error[no-such-variable] codes has no `{key}`"));
    }
}

pub async fn long_text_is_paged(stage: &mut Stage) {
    let stop =
        stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    assert!(stop.text.len() < 2500, "{}", stop.text);
    assert!(stop.line("locals: ").contains("(in full: debug_variables path="), "{}", stop.text);
    let first = stage.call("debug_variables", json!({"path": "text"})).await.good();
    let lines: Vec<_> = first.text.lines().collect();
    assert!(lines[0].contains(" · 102400 characters · "), "{}", lines[0]);
    let digits = "0123456789".repeat(400);
    let more = "98400 characters more: debug_variables path=text start=4000";
    assert_eq!(lines[1..3], [digits.as_str(), more]);
    let last =
        stage.call("debug_variables", json!({"path": "text", "start": 102_390})).await.good();
    assert_eq!(last.text.lines().nth(1), Some("0123456789"));
}

/// Delve before 1.27 reads at most 4096 bytes of a string, and says how many it leaves out: others
/// are read by the numbers of their bytes.
pub async fn long_text_is_cut_by_the_adapter(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let last =
        stage.call("debug_variables", json!({"path": "text", "start": 102_390})).await.good();
    let lines: Vec<_> = last.text.lines().collect();
    assert!(lines[0].contains(" · 102400 bytes · "), "{}", lines[0]);
    assert_eq!(lines[1], "0123456789");
}

/// Positions and lengths are those of the bytes, not of their text: as numbers.
pub async fn bytes_are_paged(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let first = stage.call("debug_variables", json!({"path": "raw", "count": 2})).await.good();
    let lines: Vec<_> = first.text.lines().collect();
    assert!(lines[0].starts_with("raw: bytes · 10000 inside · "), "{}", lines[0]);
    assert_eq!(
        lines[1..],
        ["  [0]: int = 0", "  [1]: int = 255", "9998 more: debug_variables path=raw start=2"]
    );
    let last = stage.call("debug_variables", json!({"path": "raw", "start": 9_998})).await.good();
    let lines: Vec<_> = last.text.lines().skip(1).collect();
    assert_eq!(lines, ["  [9998]: int = 0", "  [9999]: int = 255"]);
}

/// A module's variables are listed without its functions and classes; a note says so.
pub async fn omitted_variables_of_a_scope_are_mentioned(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let reply = "left out: 4 imports and definitions; debug_evaluate reads them";
    stage.call("debug_variables", json!({"scope": "Globals"})).await.good().says(reply);
    let inside = stage.call("debug_variables", json!({"path": "ring"})).await.good();
    assert!(!inside.text.contains("left out"), "{}", inside.text);
}

pub async fn cyclic_value_is_cut(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let ring = stage.call("debug_variables", json!({"path": "ring", "depth": 6})).await.good();
    assert!(ring.text.lines().count() < 20, "{}", ring.text);
    let name =
        stage.call("debug_variables", json!({"path": "ring.next.next.next.name"})).await.good();
    assert_eq!(
        name.text.lines().nth(1),
        Some(stage.pick("'ring'", "\"ring\"", "\"ring\"", "'ring'", "\"ring\""))
    );
}

pub async fn variables_of_another_frame(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let outer = stage.call("debug_variables", json!({"frame": 1})).await.good();
    outer.says(&format!("frame #1 {}", stage.function("cart", "total_of")));
    let kind = stage.pick("int", "u64", "int", "number", "int");
    outer.says(&format!("  index: {kind} = 0"));
    assert!(!outer.text.contains("\n  rate: "), "{}", outer.text);
    stage
        .call("debug_variables", json!({"frame": 99}))
        .await
        .says("error[no-such-frame] there is no frame 99");
}

pub async fn stacks_of_all_threads(stage: &mut Stage) {
    stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    for name in ["worker-1", "worker-2"] {
        stacks.says(name);
    }
    let works = stage.function("threads", "work");
    stacks.says(&format!("{works}  {}", stage.at("threads", "work")));
    stacks.says("stopped here");
    // A worker of JavaScript runs on, and LLDB does not unwind `pthread_barrier_wait`.
    if stage.language.newest() != Language::JavaScript && stage.language != Language::LldbC {
        values_of_each_thread_are_set(stage, &stacks.text).await;
    }
}

/// Two threads in one function: `thread` names one, and the other's value stays.
async fn values_of_each_thread_are_set(stage: &mut Stage, stacks: &str) {
    let ids = ["worker-1 (", "worker-2 ("].map(|name| {
        let (_, rest) = stacks.split_once(name).unwrap();
        rest.split(')').next().unwrap().to_owned()
    });
    for (set, values) in
        [(None, ["1", "2"]), (Some((0, "7")), ["7", "2"]), (Some((1, "8")), ["7", "8"])]
    {
        if let Some((thread, value)) = set {
            let set = json!({"thread": ids[thread], "target": "number", "value": value});
            stage.call("debug_set", set).await.good().says(&format!("number = {value}  (was "));
        }
        for (id, value) in ids.iter().zip(values) {
            let read = json!({"thread": id, "path": "number"});
            let read = stage.call("debug_variables", read).await.good();
            assert_eq!(read.text.lines().nth(1), Some(value), "{}", read.text);
        }
    }
    // In Python the number is a key that main reads, too; rustc's code does not read the variable.
    if matches!(stage.language.newest(), Language::Go | Language::C) {
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.resume().await.good().says("squares 49 64");
    }
}

/// Delve 1.20 reports no labels of goroutines: each is named by its function.
pub async fn threads_without_labels_are_named_by_function(stage: &mut Stage) {
    stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    let works = stage.at("threads", "work");
    let stopped = stacks.line("thread main.work (");
    assert!(
        stopped.contains(") · stopped here · ")
            && stacks.text.contains(&format!("#0 main.work  {works}")),
        "{}",
        stacks.text
    );
    assert!(!stacks.text.contains("worker-"), "{}", stacks.text);
}

pub async fn endless_evaluation_times_out(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    let endless =
        stage.pick("[0 for _ in iter(int, 1)]", "", "", "(() => { for (;;); })()", "(int)pause()");
    let effects = stage.pick("none", "", "", "none", "allow");
    let index = stage.pick("index", "", "", "index", "rate");
    let endless =
        json!({"expressions": ["net", endless, index], "effects": effects, "timeout_s": 1});
    let answer = stage.call("debug_evaluate", endless.clone()).await.good();
    let (endless, text) = (endless["expressions"][1].clone(), answer.text.clone());
    assert!(text.starts_with("net = 1000  ("), "{text}");
    answer.says(&format!(
        "{} = <timed out after 1 s>\n{index} = <not evaluated",
        endless.as_str().unwrap()
    ));
    stage.call("debug_status", json!({})).await.good().says("stopped breakpoint");
    // The evaluation was abandoned: the session works as before.
    let step = stage.call("debug_step", json!({})).await.good();
    stage.assert_stop(&step, "cart", "tax", "tax return");
    let again = stage.call("debug_evaluate", json!({"expressions": ["net"]})).await.good();
    assert!(again.text.starts_with("net = 1000  ("), "{}", again.text);
    let next = stage.resume_to(1).await;
    stage.assert_stop(&next, "cart", "tax", "tax");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
}

/// Statements, a wait, and code that catches every error: each times out, again and again.
pub async fn endless_statements_are_abandoned(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (name, text) = stage.pick(
        (
            "spin.py",
            "import threading\n\n\ndef stubborn():\n    while True:\n        try:\n            \
            while True:\n                \
            pass\n        except Exception:\n            pass\n\n\nx = 1\nprint(x)\n",
        ),
        ("", ""),
        ("", ""),
        (
            "spin.js",
            "function stubborn() { for (;;) { try { for (;;); } catch { } } }\nlet x = \
            1;\nif (!x) stubborn();\nconsole.log(x);\n",
        ),
        ("", ""),
    );
    let endless = stage.pick(
        ["stubborn()", "while True: pass", "threading.Event().wait()"],
        [""; 3],
        [""; 3],
        ["stubborn()", "for (;;);", "(() => { let n = 0; while (true) n++ })()"],
        [""; 3],
    );
    let (print, line) = (text.lines().last().unwrap(), text.lines().count());
    std::fs::write(dir.path().join(name), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch =
        json!({"program": name, "breakpoints": [format!("{name}:{line}")], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().says(print);
    for endless in endless {
        let call = json!({"expressions": [endless], "effects": "allow", "timeout_s": 0.3});
        stage
            .call("debug_evaluate", call)
            .await
            .good()
            .says(&format!("{endless} = <timed out after 0.3 s>"));
        let after = stage.call("debug_evaluate", json!({"expressions": ["x + 1"]})).await.good();
        assert!(after.text.starts_with("x + 1 = 2  ("), "{}", after.text);
    }
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("\n  1");
}

/// Delve, and gdb before 17, cannot abandon a call: the error names it, and ending the session ends
/// both.
pub async fn endless_call_blocks_the_debugger(stage: &mut Stage) {
    let (program, mark) =
        stage.pick(("", ""), ("", ""), ("sleeper", "loop"), ("", ""), ("cart", "tax"));
    stage.launch(program, json!({"breakpoints": [stage.at(program, mark)]})).await.good();
    let endless = stage.pick("", "", "forever()", "", "(int)pause()");
    let call = json!({"expressions": [endless], "effects": "allow", "timeout_s": 1});
    let answer = stage.call("debug_evaluate", call).await.good();
    answer.says(&format!("{endless} = <timed out after 1 s>"));
    let next = stage.call("debug_stack", json!({})).await;
    for refused in [next, stage.resume().await] {
        let busy = format!("error[busy] the debugger is still evaluating `{endless}`, for ");
        assert!(refused.text.starts_with(&busy), "{}", refused.text);
        refused.says(" s now, and answers nothing else");
    }
    stage.call("debug_stop", json!({})).await.good();
}

/// A C++ function that does not return is abandoned, and the debugger stays usable.
pub async fn endless_call_of_cpp_is_abandoned(stage: &mut Stage) {
    const SOURCE: &str = "tests/fixtures/c/assigned.cpp";
    let at = format!("{SOURCE}:{}", marked(&root().join(SOURCE), "assigned"));
    let launch = json!({
        "adapter": "codelldb", "program": "target/fixtures/c/assigned", "breakpoints": [at],
    });
    stage.call("debug_launch", launch).await.good();
    let call = |timeout_s| {
        json!({
            "expressions": ["forever()", "x"], "effects": "allow", "timeout_s": timeout_s,
        })
    };
    let left = stage.call("debug_evaluate", call(40)).await.good();
    left.says("forever() = <error: it did not return after 5 s and was aborted>\nx = 4  (int)");
    let late = stage.call("debug_evaluate", call(1)).await.good();
    late.says("forever() = <timed out after 1 s>\nx = <not evaluated");
    let busy = "error[busy] the debugger is still evaluating `forever()`, for ";
    let next = stage.call("debug_stack", json!({})).await;
    assert!(next.text.starts_with(busy), "{}", next.text);
    // A move waits until the call is abandoned.
    stage.resume().await.good().line("□ exited with code 0");
}

/// Neither an evaluation nor a condition may end the program or the debugger's thread.
pub async fn exit_in_an_expression_is_its_error(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = "import sys\n\n\ndef leave():\n    sys.exit(3)\n\n\nx = 1\nprint(x)\nprint(2)\n";
    std::fs::write(dir.path().join("leaves.py"), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "leaves.py", "breakpoints": ["leaves.py:9", "leaves.py:10 if leave()"],
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good().says("print(x)");
    let request = json!({"expressions": ["leave()", "x"], "effects": "allow"});
    let request = stage.call("debug_evaluate", request).await.good();
    assert_eq!(request.text, "leave() = <error: SystemExit: 3>\nx = 1  (int)");
    let statement = json!({"expressions": ["y = leave()", "x"], "effects": "allow"});
    let request = stage.call("debug_evaluate", statement).await.good();
    assert_eq!(request.text, "y = leave() = <error: SystemExit: 3>\nx = 1  (int)");
    let stop = stage.resume_to(2).await;
    stop.says("print(2)");
    stop.says("SystemExit: 3");
    stage.resume().await.good().line("□ exited with code 0");
}

/// Inside another variable only the first elements are shown, with a count of the rest.
pub async fn nested_long_container_is_paged(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text =
        "nested = {'long': list(range(500)), 'keys': {n: n for n in range(30)}}\nprint(nested)\n";
    std::fs::write(dir.path().join("nested.py"), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "nested.py", "breakpoints": ["nested.py:2"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let reply = stage.call("debug_variables", json!({"path": "nested", "depth": 2})).await.good();
    reply.says("    [19]: int = 19\n    … 480 more\n");
    reply.says("    [19]: int = 19\n    … 10 more");
}

/// The result comes from a thread that runs only when the program is resumed.
pub async fn evaluation_may_wait_for_another_thread(stage: &mut Stage) {
    stage.launch("future", json!({"breakpoints": [stage.at("future", "ask")]})).await.good();
    let waits = "asked.set() or answer.result()";
    let call = json!({"expressions": [waits], "effects": "allow", "timeout_s": 1});
    let answer = stage.call("debug_evaluate", call).await.good();
    answer.says(&format!("{waits} = <timed out after 1 s>"));
    stage.resume().await.good().says("answer 42");
}

/// The adapter queues the move behind the evaluation, since nothing interrupts C code.
pub async fn move_is_queued_behind_a_long_evaluation(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("spin.py"), "import itertools\n\nx = 1\nprint(x)\n").unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "spin.py", "breakpoints": ["spin.py:4"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let spins = "sum(itertools.repeat(0))";
    let call = json!({"expressions": [spins], "effects": "allow", "timeout_s": 1});
    stage.call("debug_evaluate", call).await.good().says("<timed out after 1 s>");
    let runs = stage.call("debug_continue", json!({"timeout_s": 0.2})).await.good();
    runs.line("▶ running");
    let reply = format!(
        "the debugger is still evaluating `{spins}`; the program resumes when that is done, \
        and debug_stop ends it"
    );
    assert_eq!(runs.line("note: "), reply);
    let end = stage.call("debug_stop", json!({})).await.good();
    end.line("□ ended; no process is left");
}

/// A local and a nested field: the program continues with both.
pub async fn assigned_variable_is_used(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    let local = stage.call("debug_set", json!({"target": "total", "value": 5})).await.good();
    assert_eq!(local.text, "total = 5  (was 0)");
    let field = stage
        .call("debug_set", json!({"target": "cart.items[1].price", "value": "0"}))
        .await
        .good();
    assert_eq!(field.text, "cart.items[1].price = 0  (was 1990)");
    let wrong =
        stage.call("debug_set", json!({"target": "cart.items[1].prise", "value": "1"})).await;
    assert!(
        wrong.text.starts_with("error[no-such-variable] cart.items[1] has no `prise`"),
        "{}",
        wrong.text
    );
    let nonsense =
        stage.call("debug_set", json!({"target": "total", "value": "nowhere + 1"})).await;
    assert!(nonsense.is_error, "{}", nonsense.text);
    let unchanged = stage.call("debug_evaluate", json!({"expressions": ["total"]})).await.good();
    unchanged.says("total = 5");
    let listed = stage.call("debug_variables", json!({})).await.good();
    assert!(listed.line("  total: ").ends_with(" = 5"), "{}", listed.text);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().says("total 7773");
}

/// Values listed earlier at the same stop are read again at any depth: some debuggers cache them.
pub async fn assignment_by_an_expression_is_visible(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "add")]})).await.good();
    stage.call("debug_variables", json!({"path": "item", "depth": 1})).await.good();
    let arrow = if stage.language.is_c() { "->" } else { "." };
    for (assigned, path, value) in
        [("net = 77", "net", "77"), ("item.quantity = 9", "item.quantity", "9")]
    {
        let expression = assigned.replace("item.", &format!("item{arrow}"));
        // gdb refuses to assign to a `const` field.
        let expression = if stage.language.is_c() {
            expression.replace("item->quantity", "*(unsigned long *)&item->quantity")
        } else {
            expression
        };
        stage
            .call("debug_evaluate", json!({"expressions": [expression], "effects": "allow"}))
            .await
            .good();
        let read = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(read.text.lines().last(), Some(value), "{}", read.text);
    }
    let listed = stage.call("debug_variables", json!({})).await.good();
    assert!(listed.line("  net: ").ends_with(" = 77"), "{}", listed.text);
    let item = stage.call("debug_variables", json!({"path": "item"})).await.good();
    assert!(item.line("  quantity: ").ends_with(" = 9"), "{}", item.text);
}

/// The block's variable hides the argument of the same name: it is read, set and shown.
pub async fn innermost_variable_of_a_name_is_selected(stage: &mut Stage) {
    let c = "#include <stdio.h>\n\nstatic int inner(int x) {\n    int out = 0;\n    {\n        int \
        x = 121;\n        \
             out += x; // [stop: inner]\n    }\n    return out + x;\n}\n\nint main(void) {\n    \
             printf(\"%d\\n\", inner(22));\n}\n";
    let javascript = "function inner(x) {\n  let out = 0;\n  {\n    let x = 121;\n    out += x; // \
        [stop: inner]\n  }\n  \
                      return out + x;\n}\n\nconsole.log(inner(22));\n";
    let (name, text) =
        stage.pick(("", ""), ("", ""), ("", ""), ("shadow.js", javascript), ("shadow.c", c));
    let (dir, _) = crate::real::stage::workspace_with(&[(name, text)]).await;
    stage.start_in(dir.path()).await;
    let at = format!("{name}:{}", marked(&dir.path().join(name), "inner"));
    let launch = json!({"program": name, "breakpoints": [at], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let read = stage.call("debug_variables", json!({"path": "x"})).await.good();
    assert_eq!(read.text.lines().last(), Some("121"), "{}", read.text);
    let set = stage.call("debug_set", json!({"target": "x", "value": "9"})).await.good();
    assert_eq!(set.text, "x = 9  (was 121)");
    let listed = stage.call("debug_variables", json!({})).await.good();
    let values = listed.text.lines().filter(|line| line.starts_with("  x") && line.contains(" = "));
    let mut values: Vec<&str> = values.filter_map(|line| line.rsplit(" = ").next()).collect();
    values.sort_unstable();
    // LLDB lists only the visible one.
    let expect = if stage.language == Language::LldbC { &["9"][..] } else { &["22", "9"] };
    assert_eq!(values, expect, "{}", listed.text);
    stage.resume().await.good().says("\n  31\n");
}

pub async fn new_key_of_a_mapping_is_set(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let set =
        stage.call("debug_set", json!({"target": "users[0]['note']", "value": "7"})).await.good();
    assert_eq!(set.text, "users[0]['note'] = 7  (new)");
    stage
        .call("debug_evaluate", json!({"expressions": ["users[0]['note'] + 1"]}))
        .await
        .good()
        .says(" = 8");
    // A missing attribute is more likely a typo.
    let slip = stage.call("debug_set", json!({"target": "ring.nam", "value": "7"})).await;
    slip.fails(
        "error[no-such-variable] ring has no `nam`; there are name, next. Try: \
        debug_variables {\"path\": \"ring.name\"}",
    );
}

pub async fn failed_reads_and_assignments_name_the_cause(stage: &mut Stage) {
    stage
        .launch("attributes", json!({"breakpoints": [stage.at("attributes", "account")]}))
        .await
        .good();
    let opened = stage.call("debug_variables", json!({"path": "account"})).await.good();
    assert_eq!(opened.line("  balance: "), "property = <property>");
    let read = json!({"expressions": ["account.balance", "account.credit"]});
    let read = stage.call("debug_evaluate", read).await.good();
    assert_eq!(
        read.text,
        "account.balance = 6  (int)\naccount.credit = <error: ValueError: no such luck>"
    );
    for (target, value, why) in [
        ("account.saved", "nosuch", "NameError: name 'nosuch' is not defined"),
        ("account.saved", "1 / 0", "ZeroDivisionError: division by zero"),
        ("account.saved", "1) or (2", "`1) or (2` is not one expression: unmatched ')'"),
        (
            "account.balance",
            "5",
            "AttributeError: property 'balance' of 'Account' object has no setter",
        ),
    ] {
        let refused = stage.call("debug_set", json!({"target": target, "value": value})).await;
        refused.fails(&format!(
            "error[not-set] {why}. Try: debug_evaluate {{\"expressions\": [\"{target}\"]}}"
        ));
    }
    stage.resume().await.good().says("  6");
}

pub async fn opened_enum_names_its_variant(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "total")]})).await.good();
    let opened = stage.call("debug_variables", json!({"path": "cart.coupons[2]"})).await.good();
    opened.says("cart.coupons[2]: cart::Coupon = Named · frame #0");
    let opened =
        stage.call("debug_variables", json!({"path": "cart.coupons", "depth": 2})).await.good();
    opened.says("[2]: cart::Coupon = Named");
}

/// A stack longer than the answer says so, with and without a frame count of the adapter.
pub async fn deep_stack_is_paged(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "bottom")]})).await.good();
    let part = stage.call("debug_stack", json!({"count": 2})).await.good();
    part.says("start=2");
    let rest = stage.call("debug_stack", json!({"start": 2, "count": 500})).await.good();
    rest.says("main");
    assert!(!rest.text.contains("start="), "{}", rest.text);
}
