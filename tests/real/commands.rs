//! Whole command lines: test runners, modules, cargo.

use std::path::Path;

use serde_json::json;

use super::Stage;
use super::stage::marked;
use crate::caller::{Caller, Start, adapters_config};

pub async fn pytest(stage: &mut Stage) {
    let arguments = json!({
        "command": "pytest -k pen -q test_cart.py",
        "cwd": "tests/fixtures/python",
        "breakpoints": [stage.at("test_cart", "pen")],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "test_cart", "test_tax_of_a_pen", "pen");
    assert!(stop.local("pen").contains("price=100"), "{}", stop.text);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("1 passed, 1 deselected");
}

/// unittest catches what a test raises; nobody has to ask for the stop.
pub async fn failing_unittest_stops(stage: &mut Stage) {
    let arguments = json!({
        "command": "python -m unittest -q failing_cart",
        "cwd": "tests/fixtures/python",
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "failing_cart", "test_tax_of_nothing", "raises");
    stop.says("exception AssertionError");
    stage.resume().await.good().line("□ exited with code 1");
}

/// The program's interpreter has no debugpy; the adapter's does.
pub async fn named_interpreter_runs_the_program(stage: &mut Stage) {
    let python = adapters_config().with_file_name("bare-python").join("bin/python");
    let arguments = json!({
        "command": format!("{} tests/fixtures/python/cart.py", python.display()),
        "breakpoints": [stage.at("cart", "add")],
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "cart", "total_of", "add");
    let told = stage.call("debug_evaluate", json!({"expressions": ["__import__('sys').executable"]})).await.good();
    told.says(&format!("= '{}'", python.display()));
    stage.resume().await.good();
}

pub async fn module(stage: &mut Stage) {
    let arguments = json!({
        "command": "python -m cart fail",
        "cwd": "tests/fixtures/python",
        "breakpoints": [stage.at("cart", "after")],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "cart", "main", "after");
    assert_eq!(stop.local("total"), "10136");
    stage.resume().await.good().line("□ exited with code 3");
}

const MAIN: &str = r#"fn double(n: u32) -> u32 {
    n * 2 // [stop: double]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("{} {words:?}", double(21)); // [stop: main]
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        let four = super::double(2);
        assert_eq!(four, 4); // [stop: test]
    }

    #[test]
    fn other() {}
}
"#;

/// A small crate in a workspace of its own.
fn crate_with(main: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let manifest = "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    std::fs::write(dir.path().join("src/main.rs"), main).unwrap();
    dir
}

/// A host whose workspace is that crate.
async fn in_crate(dir: &Path) -> Caller {
    Caller::start(Start { cwd: dir.canonicalize().unwrap(), ..Start::usual() }).await
}

fn place(dir: &Path, mark: &str) -> String {
    format!("src/main.rs:{}", marked(&dir.join("src/main.rs"), mark))
}

pub async fn cargo_run(stage: &mut Stage) {
    let dir = crate_with(MAIN);
    stage.caller = in_crate(dir.path()).await;
    let at = place(dir.path(), "double");
    let arguments = json!({"command": "cargo run -- a 'b c'", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.place(), format!("small::double  {at}"), "{}", stop.text);
    assert_eq!(stop.local("n"), "21");
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("42 [\"a\", \"b c\"]");
}

pub async fn cargo_test(stage: &mut Stage) {
    let dir = crate_with(MAIN);
    stage.caller = in_crate(dir.path()).await;
    let at = place(dir.path(), "test");
    let arguments = json!({"command": "cargo test doubles", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.place(), format!("small::tests::doubles  {at}"), "{}", stop.text);
    assert_eq!(stop.local("four"), "4");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("1 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out");
}

pub async fn compile_error_is_told(stage: &mut Stage) {
    let dir = crate_with("fn main() {\n    let n: u32 = \"text\";\n}\n");
    stage.caller = in_crate(dir.path()).await;
    let answer = stage.call("debug_launch", json!({"command": "cargo run", "timeout_s": 50})).await;
    assert!(answer.is_error && answer.text.starts_with("error[build-failed] "), "{}", answer.text);
    answer.line("error[E0308]: mismatched types");
    answer.line(" --> src/main.rs:2:18");
    assert!(!answer.text.contains("\\n"), "{}", answer.text);
    assert_eq!(answer.line("Try: "), r#"debug_launch {"command": "cargo run"} (once it builds)"#);
}
