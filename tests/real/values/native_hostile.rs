//! Large, deep and cyclic values of machine code: a stop and each read of them take little time.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::{Stage, marked};

const PROGRAM: &str = "#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Ring { Ring *self; std::vector<Ring *> peers; std::shared_ptr<Ring> owned; };
struct Deep { std::unique_ptr<Deep> next; int level; };
struct Tree { std::vector<Tree> inside; };
static char chars[1u << 30];
static int numbers[10000000];
int main() {
    std::vector<int> many(10000000, 7);
    std::list<int> chain(1000000, 7);
    std::map<int, int> sorted;
    for (int n = 0; n < 1000000; n++) sorted[n] = n;
    std::string text(1u << 30, 'x');
    std::memset(chars, 'y', sizeof chars - 1);
    auto ring = std::make_shared<Ring>();
    ring->self = ring.get(); ring->peers = {ring.get(), ring.get()}; ring->owned = ring;
    std::unique_ptr<Deep> deep;
    for (int n = 0; n < 100000; n++) {
        auto next = std::make_unique<Deep>();
        next->next = std::move(deep); next->level = n; deep = std::move(next);
    }
    Tree tree; Tree *at = &tree;
    for (int n = 0; n < 100000; n++) { at->inside.resize(1); at = &at->inside[0]; }
    int small = 42;  // [stop: before]
    small += (int)many.size() + chars[1] + numbers[1];  // [stop: values]
    std::_Exit(small == 0);
}
";

/// What a read may take; a hang takes as long as the tool's own limits.
const SOON: Duration = Duration::from_secs(2);

pub async fn hostile_values_of_machine_code_are_read_soon(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("hostile.cpp"), PROGRAM).unwrap();
    stage.start_in(dir.path()).await;
    let file = dir.path().join("hostile.cpp");
    let at = ["before", "values"].map(|mark| format!("hostile.cpp:{}", marked(&file, mark)));
    let launch = json!({
        "program": "hostile.cpp", "adapter": stage.language.adapter(), "breakpoints": at,
        "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    let began = Instant::now();
    let stop = stage.resume_to(2).await;
    assert!(began.elapsed() < SOON, "the stop took {:?}", began.elapsed());
    assert_eq!(stop.local("small"), "42", "{}", stop.text);
    for (tool, arguments, part) in [
        ("debug_variables", json!({}), "vector(10000000){7, 7, 7"),
        ("debug_variables", json!({"path": "many", "start": 9_999_999}), "[9999999]: int = 7"),
        ("debug_variables", json!({"path": "sorted", "start": 2_000}), "[2000]: int = 2000"),
        ("debug_variables", json!({"path": "deep", "depth": 4}), "level: int = 99998"),
        ("debug_variables", json!({"path": "ring", "depth": 4}), "self: Ring *"),
        ("debug_variables", json!({"path": "tree", "depth": 4}), "inside: std::vector<Tree"),
        ("debug_evaluate", json!({"expressions": ["chars"]}), "chars = \"yyyyyyyy"),
        ("debug_evaluate", json!({"expressions": ["numbers"]}), "numbers = {0, 0, 0"),
        ("debug_evaluate", json!({"expressions": ["text", "chain"]}), "text = "),
        ("debug_step", json!({}), "■ stopped after step"),
    ] {
        let began = Instant::now();
        stage.call(tool, arguments.clone()).await.good().says(part);
        let took = began.elapsed();
        assert!(took < SOON, "{tool} {arguments} took {took:?}");
    }
}
