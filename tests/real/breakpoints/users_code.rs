//! Whose code a frame is follows from its file: names of libraries are in those of the user's
//! functions, too.

use serde_json::json;

use crate::real::stage::{Stage, compile};

const RUST: &str = r#"trait Total { fn total(&self) -> u32; }
impl Total for Vec<u32> {
    fn total(&self) -> u32 {
        let sum: u32 = self.iter().sum();
        sum + self[0]
    }
}
impl<T: Total> Total for Option<T> {
    fn total(&self) -> u32 {
        let inner = self.as_ref().map_or(0, |one| one.total());
        inner + 1
    }
}
fn main() {
    println!("{}", Some(vec![4u32]).total());
    let none: Vec<u32> = Vec::new();
    println!("{}", none.total());
}
"#;

/// A breakpoint, a step and a panic in `impl Trait for` a type of the library.
pub async fn implementation_for_a_library_type_is_the_users(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("total.rs"), RUST).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "total.rs", "breakpoints": ["total.rs:5", "total.rs:15"], "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good();
    let inside = stage.call("debug_step", json!({"kind": "in"})).await.good();
    assert_eq!(inside.place().rsplit("  ").next(), Some("total.rs:10"), "{}", inside.text);
    let stop = stage.call("debug_continue", json!({"until": "total.rs:5"})).await.good();
    assert_eq!(stop.place().rsplit("  ").next(), Some("total.rs:5"), "{}", stop.text);
    assert_eq!((stop.local("self"), stop.local("sum")), ("Vec(1)[4]", "4"));
    let step = stage.call("debug_step", json!({})).await.good();
    assert_eq!(step.place().rsplit("  ").next(), Some("total.rs:6"), "{}", step.text);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let panic = stage.resume().await.good();
    assert_eq!(panic.place().rsplit("  ").next(), Some("total.rs:5"), "{}", panic.text);
    assert_eq!(panic.local("self"), "[]");
}

/// The same with gdb.
pub async fn implementation_of_rust_in_gdb_is_the_users(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("total.rs"), RUST).unwrap();
    compile(dir.path(), "rustc", &["-g", "total.rs", "-o", "total"]);
    stage.start_in(dir.path()).await;
    let breakpoints = ["total.rs:5", "total.rs:15"];
    let launch = json!({"program": "total", "breakpoints": breakpoints, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let stop = stage.call("debug_continue", json!({"until": "total.rs:5"})).await.good();
    assert_eq!(stop.place().rsplit("  ").next(), Some("total.rs:5"), "{}", stop.text);
    assert_eq!((stop.local("self"), stop.local("sum")), ("Vec(size=1) = {4}", "4"));
    let step = stage.call("debug_step", json!({})).await.good();
    assert_eq!(step.place().rsplit("  ").next(), Some("total.rs:6"), "{}", step.text);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let panic = stage.resume().await.good();
    assert_eq!(panic.place().rsplit("  ").next(), Some("total.rs:5"), "{}", panic.text);
}

const CPP: &str = r##"#include <string>
template <typename T> std::string label(T value) {
    std::string text = std::to_string(value);
    return text + "!";
}
int main() {
    std::string text = label(7);
    return (int)text.size() - 2;
}
"##;

pub async fn template_that_returns_a_library_type_is_the_users(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("label.cpp"), CPP).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "label.cpp", "breakpoints": ["label.cpp:4"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place().rsplit("  ").next(), Some("label.cpp:4"), "{}", stop.text);
    assert_eq!((stop.local("value"), stop.local("text")), ("7", "\"7\""));
    let step = stage.call("debug_step", json!({})).await.good();
    assert_eq!(step.place().rsplit("  ").next(), Some("label.cpp:5"), "{}", step.text);
}
