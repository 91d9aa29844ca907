//! Lines at the end of a Rust function, whose first code only runs when a panic unwinds.

use serde_json::json;

use crate::real::stage::{Stage, compile};

const SOURCE: &str = "fn count(words: &str) -> usize {
    let parts: Vec<&str> = words.split(' ').collect();
    let n = parts.len();
    n
}
fn main() {
    println!(\"{} {}\", count(\"a b c\"), count(\"a\"));
}
";

/// The tail expression and the closing brace are hit once for each call that returns.
pub async fn tail_line_of_rust_is_hit_when_it_returns(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("tail.rs"), SOURCE).unwrap();
    compile(dir.path(), "rustc", &["-g", "tail.rs", "-o", "tail"]);
    stage.start_in(dir.path()).await;
    for line in [4, 5] {
        let adapter = stage.language.adapter();
        let launch = json!({
            "program": "tail", "breakpoints": [format!("tail.rs:{line}")], "adapter": adapter,
            "timeout_s": 50,
        });
        let mut stop = stage.call("debug_launch", launch).await.good();
        for words in ["\"a b c\"", "\"a\""] {
            let (function, place) = stop.place().split_once("  ").unwrap();
            assert_eq!(function, "tail::count", "{}", stop.text);
            // Code of line 4 is at line 5.
            assert_eq!(place, "tail.rs:5", "{}", stop.text);
            assert_eq!(stop.local("words"), words, "{}", stop.text);
            stop = stage.resume().await.good();
        }
        stop.line("□ exited with code 0");
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}
