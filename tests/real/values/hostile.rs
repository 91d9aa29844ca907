//! Values of native programs that would take long to read in full: a stop displays a part of each,
//! and everything else.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::real::stage::{Stage, compile};

const CPP: &str = "#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
struct deep { deep *next; int n; };
int main() {
    std::list<int> list;
    std::map<int, int> tree;
    std::unordered_map<int, int> map;
    for (int i = 0; i < 1000000; i++) { list.push_back(i); tree[i] = i; map[i] = i; }
    std::vector<int> many(10000000, 3);
    std::string text(1000000000, 'x');
    deep *top = nullptr;
    for (int i = 0; i < 100000; i++) top = new deep{top, i};
    deep cycle{nullptr, 7};
    cycle.next = &cycle;
    int small = 5;
    return small - 5;
}
";
const RUST: &str = "use std::collections::{HashMap, HashSet};
struct Deep { next: Option<Box<Deep>>, n: u32 }
struct Cycle { next: *const Cycle, n: u32 }
fn main() {
    let map: HashMap<u64, u64> = (0..1_000_000).map(|n| (n, n * 2)).collect();
    let set: HashSet<u64> = (0..1_000_000).collect();
    let many: Vec<u64> = (0..10_000_000).collect();
    let text = \"x\".repeat(1_000_000_000);
    let mut top = Deep { next: None, n: 0 };
    for n in 1..100_000 { top = Deep { next: Some(Box::new(top)), n }; }
    let mut cycle = Cycle { next: std::ptr::null(), n: 7 };
    cycle.next = &cycle;
    let small = 5;
    println!(\"{} {} {} {}\", map.len(), set.len(), many.len(), text.len());
    println!(\"{} {} {:?} {small}\", top.n, cycle.n, cycle.next);
    std::process::exit(top.next.is_none() as i32);
}
";

pub async fn stop_with_hostile_values_costs_little(stage: &mut Stage) {
    let (file, compiler, source, line, starts) = stage.pick(
        ("", "", "", 0, &[][..]),
        (
            "hostile.rs",
            "rustc",
            RUST,
            14,
            &[
                ("map", "HashMap(1000000){"),
                ("set", "HashSet(1000000)["),
                ("many", "Vec(10000000)[0, 1, 2, 3, 4, …]"),
                ("text", "\"xxx"),
                ("top", "{next:Some({next:Some({"),
                ("cycle", "{next:<cycle>, n:7}"),
                ("small", "5"),
            ],
        ),
        ("", "", "", 0, &[]),
        ("", "", "", 0, &[]),
        (
            "hostile.cpp",
            "g++",
            CPP,
            19,
            &[
                ("list", "list(1000000)[0, 1, 2, 3, 4, …]"),
                ("tree", "map(1000000){0: 0, 1: 1, "),
                ("map", "unordered_map(1000000){"),
                ("many", "vector(10000000)[3, 3, 3, 3, 3, …]"),
                ("text", "\"xxx"),
                ("top", "{next:0x…, n:99999}"),
                ("cycle", "{next:0x…, n:7}"),
                ("small", "5"),
            ],
        ),
    );
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(file), source).unwrap();
    compile(dir.path(), compiler, &["-g", file, "-o", "hostile"]);
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "hostile", "adapter": stage.language.adapter(),
        "breakpoints": [format!("{file}:{}", line - 1), format!("{file}:{line}")],
        "timeout_s": 100,
    });
    stage.call("debug_launch", launch).await.good();
    let began = Instant::now();
    let stop = stage.resume().await.good();
    let took = began.elapsed();
    for (name, start) in starts {
        let value = stop
            .line("locals: ")
            .split("  ")
            .find_map(|one| one.strip_prefix(name)?.strip_prefix('='));
        assert!(value.is_some_and(|value| value.starts_with(start)), "{name}: {}", stop.text);
    }
    assert!(took < Duration::from_secs(2), "{took:?}");
}
