//! Values that a debugger would read for too long: before their declaration, and objects of a
//! million elements.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::Stage;

/// `load` leaves its values where `report` has its own.
const LATE: &str = "#include <map>
#include <string>
#include <vector>
static int load(int n) {
    std::vector<int> seen(n, 1);
    std::vector<std::string> names{\"a\", \"b\"};
    std::map<std::string, int> counts{{\"k\", n}};
    return (int)(seen.size() + names.size() + counts.size());
}
static int report(int n) {
    int total = n * 2;
    std::vector<int> rows;
    std::vector<std::string> cells;
    std::map<std::string, int> found;
    for (int i = 0; i < 2; i++) {
        int twice = i * 2;
        rows.push_back(twice);
    }
    cells.push_back(\"x\");
    found[\"k\"] = total;
    return rows[1] + (int)(cells.size() + found.size());
}
int main() {
    return report(load(5)) - 4;
}
";

/// Starts a program in its own directory; the breakpoint is in it.
async fn launch(stage: &mut Stage, dir: &std::path::Path, source: &str, line: u32) {
    std::fs::write(dir.join("bounded.cpp"), source).unwrap();
    stage.start_in(dir).await;
    let launch = json!({
        "program": "bounded.cpp", "breakpoints": [format!("bounded.cpp:{line}")], "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
}

pub async fn variable_before_its_declaration_is_not_set(stage: &mut Stage) {
    const UNSET: &str = "<not yet set>";
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), LATE, 11).await;
    let all = stage.call("debug_variables", json!({})).await.good();
    for name in ["total", "rows", "cells", "found"] {
        let line = all.text.lines().find(|line| line.starts_with(&format!("  {name}: ")));
        assert!(line.unwrap_or_default().ends_with(UNSET), "{name}: {}", all.text);
    }
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!((stop.local("total"), stop.local("rows")), ("16", UNSET));
    let inside = stage.call("debug_continue", json!({"until": "bounded.cpp:16"})).await.good();
    assert_eq!((inside.local("i"), inside.local("twice")), ("0", UNSET));
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!((stop.local("i"), stop.local("twice")), ("0", "0"));
    let set = json!({"target": "total", "value": "7"});
    stage.call("debug_set", set).await.good().says("total = 7");
    let end = stage.call("debug_continue", json!({"until": "bounded.cpp:21"})).await.good();
    assert!(!end.text.contains(UNSET), "{}", end.text);
}

const MIDDLE: &str = "static int twice(int n) { return 2 * n; }
int main() {
    int one = 1; int two = twice(one);
    return two - 2;
}
";

/// In the middle of a line a variable is set from the instruction on that stores its value.
pub async fn variable_of_an_unfinished_line_is_not_set(stage: &mut Stage) {
    const UNSET: &str = "<not yet set>";
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), MIDDLE, 3).await;
    let step = json!({"granularity": "instruction"});
    let stored = stage.call("debug_step", step).await.good();
    assert_eq!((stored.local("one"), stored.local("two")), ("1", UNSET), "{}", stored.text);
    stage.call("debug_continue", json!({"until": "bounded.cpp:1"})).await.good();
    let caller = stage.call("debug_variables", json!({"frame": 1})).await.good();
    let values = (caller.line("  one: int = "), caller.line("  two: int = "));
    assert_eq!(values, ("1", UNSET), "{}", caller.text);
    let out = stage.call("debug_step", json!({"kind": "out"})).await.good();
    assert_eq!((out.local("one"), out.local("two")), ("1", UNSET), "{}", out.text);
    let after = stage.call("debug_step", json!({})).await.good();
    assert_eq!((after.local("one"), after.local("two")), ("1", "2"), "{}", after.text);
}

const LARGE: &str = "#include <list>
#include <map>
#include <set>
#include <vector>
int main() {
    std::map<int, int> tree;
    std::set<int> odd;
    for (int n = 0; n < 100000; n++) {
        tree[3 * n] = n;
        odd.insert(n * 2 + 1);
    }
    std::vector<int> line(1000000, 7);
    line[999999] = 42;
    std::list<int> chain(60000, 3);
    return (int)(tree.size() + odd.size() + chain.size()) - 260000 + line[0] - 7;
}
";

pub async fn large_containers_cost_little(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    launch(stage, dir.path(), LARGE, 13).await;
    let began = Instant::now();
    let stop = stage.call("debug_step", json!({})).await.good();
    let took = began.elapsed();
    assert!(took < Duration::from_secs(4), "{took:?}: {}", stop.text);
    for (path, value) in [("line[999999]", "42"), ("line[5]", "7")] {
        let began = Instant::now();
        let reply = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(reply.text.lines().nth(1), Some(value), "{path}: {}", reply.text);
        let took = began.elapsed();
        assert!(took < Duration::from_secs(4), "{path}: {took:?}");
    }
    // A key is no position, and is sought where it is.
    let absent = stage.of_c("<error: it has no such key>", "<error: `tree` has no key 7>");
    for (text, value) in [
        ("tree[299997]", "99999  (int)"),
        ("tree[7]", absent),
        ("odd.contains(7) && !odd.contains(8)", "true  (bool)"),
    ] {
        let began = Instant::now();
        let reply = stage.call("debug_evaluate", json!({"expressions": [text]})).await.good();
        reply.says(&format!("{text} = {value}"));
        let took = began.elapsed();
        assert!(took < Duration::from_secs(2), "{text}: {took:?}");
    }
    let last = json!({"path": "tree", "start": 99_998});
    let entry = stage.of_c("\n  [299997]: int = 99999", " = 299997: 99999");
    stage.call("debug_variables", last).await.good().says(entry);
}
