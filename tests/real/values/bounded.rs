//! Values that a debugger would read for too long: objects of a million elements.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::Stage;

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

const LARGE: &str = "#include <list>
#include <map>
#include <set>
#include <vector>
int main() {
    std::map<int, int> tree;
    std::set<int> odd;
    for (int n = 0; n < 100000; n++) {
        tree[n] = n * 2;
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
}
