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

const COPIES: &str = "fn size<T: AsRef<str>>(item: T, n: usize) -> usize {
    let all = vec![item.as_ref().to_string(); n];
    let sum = all.iter().map(String::len).sum::<usize>();
    sum
}
fn names() -> Vec<String> {
    let list = [
        String::from(\"a\"),
        String::from(\"b\"),
    ];
    list.to_vec()
}
fn forever(s: String) -> ! {
    let t = s.clone();
    println!(\"{t}\");
    std::process::exit(0)
}
fn main() {
    println!(\"{} {}\", size(\"abc\", 2), size(String::from(\"de\"), 3));
    println!(\"{:?}\", names());
    forever(\"end\".into());
}
";

/// gdb: each copy of a generic function, a line that has no code on the way of a normal return, and
/// one behind which the function has none.
pub async fn tail_lines_of_rust_in_gdb(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("copies.rs"), COPIES).unwrap();
    compile(dir.path(), "rustc", &["-g", "copies.rs", "-o", "copies"]);
    stage.start_in(dir.path()).await;
    let adapter = stage.language.adapter();
    let program = |line: u32| {
        json!({
            "program": "copies", "breakpoints": [format!("copies.rs:{line}")], "adapter": adapter,
            "timeout_s": 50,
        })
    };
    let mut stop = stage.call("debug_launch", program(4)).await.good();
    for copy in ["copies::size<&str>", "copies::size<alloc::string::String>"] {
        assert_eq!(stop.place(), format!("{copy}  copies.rs:5"), "{}", stop.text);
        stop = stage.resume().await.good();
    }
    stop.line("□ exited with code 0");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let stop = stage.call("debug_launch", program(10)).await.good();
    assert_eq!(stop.place(), "copies::names  copies.rs:11", "{}", stop.text);
    stage.call("debug_stop", json!({})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let end = stage.call("debug_launch", program(17)).await.good();
    end.line("□ exited with code 0");
    end.says("copies.rs:17 runs only when a panic unwinds");
}
