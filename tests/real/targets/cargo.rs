//! What cargo builds and runs, Rust tests by name, and source files without a package.

use std::path::Path;

use serde_json::json;

use crate::real::stage::{Stage, marked};

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

/// Creates a crate in a workspace of its own.
fn crate_with(main: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let manifest =
        "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    std::fs::write(dir.path().join("src/main.rs"), main).unwrap();
    dir
}

fn place(dir: &Path, mark: &str) -> String {
    format!("src/main.rs:{}", marked(&dir.join("src/main.rs"), mark))
}

/// Runs the command: it stops in the function at the mark with this local, then exits with code 0.
async fn stops_and_ends(
    stage: &mut Stage,
    command: &str,
    at: (&str, &str),
    local: (&str, &str),
    says: &str,
) {
    let dir = crate_with(MAIN);
    stage.start_in(dir.path()).await;
    let (function, place) = (at.0, place(dir.path(), at.1));
    let arguments = json!({"command": command, "breakpoints": [place], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.place(), format!("{function}  {place}"), "{}", stop.text);
    assert_eq!(stop.local(local.0), local.1);
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says(says);
}

pub async fn cargo_run(stage: &mut Stage) {
    let says = "42 [\"a\", \"b c\"]";
    stops_and_ends(stage, "cargo run -- a 'b c'", ("small::double", "double"), ("n", "21"), says)
        .await;
}

pub async fn cargo_test(stage: &mut Stage) {
    let says = "1 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out";
    stops_and_ends(
        stage,
        "cargo test doubles",
        ("small::tests::doubles", "test"),
        ("four", "4"),
        says,
    )
    .await;
}

pub async fn compile_error_is_reported(stage: &mut Stage) {
    let dir = crate_with("fn main() {\n    let n: u32 = \"text\";\n}\n");
    stage.start_in(dir.path()).await;
    let answer = stage.call("debug_launch", json!({"command": "cargo run", "timeout_s": 50})).await;
    assert!(answer.is_error && answer.text.starts_with("error[build-failed] "), "{}", answer.text);
    answer.line("  error[E0308]: mismatched types");
    answer.line("   --> src/main.rs:2:18");
    assert!(!answer.text.contains("\\n"), "{}", answer.text);
    assert_eq!(
        answer.line("Try: "),
        r#"debug_launch {"command": "cargo run", "timeout_s": 50} (once it builds)"#
    );
    stage.call("debug_status", json!({})).await.good().line("no session is open");
}

/// A workspace with a library, a program and integration tests.
pub async fn rust_test_by_name(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
    };
    write("Cargo.toml", "[workspace]\nmembers = [\"cart\", \"api\"]\nresolver = \"2\"\n");
    write("cart/Cargo.toml", &package("cart"));
    write("api/Cargo.toml", &package("api"));
    let lib = "pub fn half(n: u32) -> u32 {\n    n / 2 // [stop: half]\n}\n\n#[cfg(test)]\nmod \
        tests {\n    #[test]\n    \
               fn applies_discount() {\n        assert_eq!(super::half(9), 4);\n    }\n\n    \
               #[test]\n    fn other() {\n        \
               assert_eq!(super::half(2), 1);\n    }\n}\n";
    write("cart/src/lib.rs", lib);
    write("cart/tests/whole.rs", "#[test]\nfn halves() {\n    assert_eq!(cart::half(6), 3);\n}\n");
    write(
        "api/src/main.rs",
        "fn main() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn other() {}\n}\n",
    );
    stage.start_in(dir.path()).await;
    let at = "cart/src/lib.rs:2";
    for (test, n) in
        [("cart::tests::applies_discount", "9"), ("applies_discount", "9"), ("halves", "6")]
    {
        let launch = json!({"test": test, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("n"), n, "{}", stop.text);
        let end = stage.resume().await.good();
        end.says("exited with code 0");
    }
    for (test, expected) in [
        (
            "other",
            "2 tests are named other: api::tests::other, cart::tests::other. Try: debug_launch \
            {\"timeout_s\": 50, \"test\": \"api::tests::other\"}",
        ),
        ("applies_discont", "no test is named applies_discont; there are tests::applies_discount"),
        ("src/lib.rs - half (line 1)", "is a doc test"),
    ] {
        let launch = json!({"test": test, "timeout_s": 50});
        let refused = stage.call("debug_launch", launch).await;
        assert!(refused.is_error, "{}", refused.text);
        refused.says(expected);
    }
}

/// The adapter of a test is found from the files of its project, or from the adapter that lists it.
pub async fn project_files_select_the_adapter_of_a_test(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text =
        "[package]\nname = \"alone\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    let package = dir.path().join("native/alone");
    std::fs::create_dir_all(package.join("src")).unwrap();
    std::fs::write(package.join("Cargo.toml"), text).unwrap();
    std::fs::write(
        package.join("src/lib.rs"),
        "#[test]\nfn alone() {\n    let n = 1;\n    assert_eq!(n, 1);\n}\n",
    )
    .unwrap();
    stage.start_in(dir.path()).await;
    let at = "native/alone/src/lib.rs:4";
    let launch =
        json!({"test": "alone", "cwd": "native/alone", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("n"), "1", "{}", stop.text);
    stage.call("debug_stop", json!({})).await.good();
    let refused = stage.call("debug_launch", json!({"test": "nowhere"})).await;
    // No similar test exists, so none is proposed.
    refused.fails(
        "error[target-missing] no test is named nowhere here; there are alone::alone. \
        Try: debug_targets",
    );
    // An adapter that lists the test claims it, wherever its project is.
    let stop = stage
        .call("debug_launch", json!({"test": "alone", "breakpoints": [at], "timeout_s": 50}))
        .await
        .good();
    assert_eq!(stop.local("n"), "1", "{}", stop.text);
}

/// A single file is compiled for the caller: C, C++, and Rust without a package.
pub async fn source_files_through_codelldb(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("one.c", "int main(void) {\n    int n = 41;\n    n++;\n    return n - 42;\n}\n");
    write(
        "two.cpp",
        "#include <vector>\nint main() {\n    std::vector<int> v{40, 2};\n    int n = v[0] + \
        v[1];\n    return n - 42;\n}\n",
    );
    write("three.rs", "fn main() {\n    let n: u64 = 42;\n    println!(\"{n}\");\n}\n");
    write("wrong.rs", "fn main() {\n    let n: u64 = \"a\";\n}\n");
    stage.start_in(dir.path()).await;
    for (file, line) in [("one.c", 4), ("two.cpp", 5), ("three.rs", 3)] {
        let at = format!("{file}:{line}");
        let launch =
            json!({"program": file, "adapter": "codelldb", "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("n"), "42", "{}", stop.text);
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.resume().await.good().says("exited with code 0");
    }
    let refused = stage.call("debug_launch", json!({"program": "wrong.rs", "timeout_s": 50})).await;
    assert!(
        refused.is_error && refused.text.starts_with("error[build-failed] "),
        "{}",
        refused.text
    );
    refused.says("mismatched types");
}

/// Crates with names and paths of their own, modules outside of the usual places, and a file below
/// `tests` that is no crate: everything that is listed can be launched as it is listed.
pub async fn declared_crates_run_as_listed(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "Cargo.toml",
        "[package]\nname = \"orders\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         autotests = false\n[features]\nextra = []\n[[bin]]\nname = \"serve\"\n\
         path = \"app/serve.rs\"\nrequired-features = [\"extra\"]\n[[test]]\nname = \"whole\"\n\
         path = \"tests/whole.rs\"\n[workspace]\n",
    );
    write(
        "app/serve.rs",
        "mod price;\n\nfn main() {\n    let n = price::net(8); // [stop: serve]\n    \
         println!(\"{n}\");\n}\n",
    );
    write(
        "app/price.rs",
        "pub fn net(n: u32) -> u32 {\n    n / 2\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    \
         fn halves() {\n        let n = super::net(6);\n        \
         assert_eq!(n, 3); // [stop: halves]\n    }\n}\n",
    );
    write("tests/whole.rs", "mod parts;\n\n#[test]\nfn adds() {\n    parts::check();\n}\n");
    write("tests/parts.rs", "pub fn check() {}\n\n#[test]\nfn in_part() {\n    check();\n}\n");
    stage.start_in(dir.path()).await;
    let listed = stage.call("debug_targets", json!({})).await.good();
    assert_eq!(
        listed.text,
        "codelldb\n  command cargo run --bin serve --features extra  app/serve.rs:3\n  \
         test serve::price::tests::halves  app/price.rs:8\n  \
         test whole::parts::in_part  tests/parts.rs:4\n  test whole::adds  tests/whole.rs:4\n\
         next: debug_launch command=\"cargo run --bin serve --features extra\""
    );
    let serve = "app/serve.rs:4";
    let by_command = json!({"command": "cargo run --bin serve --features extra"});
    let by_file = json!({"program": "app/serve.rs"});
    for mut launch in [by_command, by_file] {
        launch["breakpoints"] = json!([serve]);
        launch["timeout_s"] = 50.into();
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place(), format!("serve::main  {serve}"), "{}", stop.text);
    }
    for (name, at) in
        [("serve::price::tests::halves", "app/price.rs:10"), ("halves", "app/price.rs:10")]
    {
        let launch = json!({"test": name, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("n"), "3", "{}", stop.text);
    }
    let launch = json!({"test": "whole::parts::in_part", "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().says("1 passed; 0 failed");
}

const DASHED: &str = "[package]
name = \"my-orders\"
version = \"0.1.0\"
edition = \"2021\"
[[bin]]
name = \"add-up\"
path = \"src/main.rs\"
[workspace]
";
const DASHED_PROGRAM: &str = "fn main() {
    let n = my_orders::twice(4);
    println!(\"{n}\");
}

#[test]
fn doubles() {
    let n = my_orders::twice(2);
    assert_eq!(n, 4);
}
";
const DASHED_LIBRARY: &str = "pub fn twice(n: u32) -> u32 {
    2 * n
}

#[test]
fn of_nothing() {
    let n = twice(0);
    assert_eq!(n, 0);
}
";

/// A package and a program with a dash in their names, which is `_` in the names of functions, and
/// a `src/main.rs` that is not named as its package.
pub async fn names_with_a_dash_run_as_listed(stage: &mut Stage) {
    let dir = crate_with(DASHED_PROGRAM);
    std::fs::write(dir.path().join("Cargo.toml"), DASHED).unwrap();
    std::fs::write(dir.path().join("src/lib.rs"), DASHED_LIBRARY).unwrap();
    stage.start_in(dir.path()).await;
    let listed = stage.call("debug_targets", json!({})).await.good();
    assert_eq!(
        listed.text,
        "codelldb\n  command cargo run --bin add-up  src/main.rs:1\n  \
         test my_orders::of_nothing  src/lib.rs:6\n  test add_up::doubles  src/main.rs:7\n\
         next: debug_launch command=\"cargo run --bin add-up\""
    );
    for (launch, place, n) in [
        (json!({"command": "cargo run --bin add-up"}), "add_up::main  src/main.rs:3", "8"),
        (json!({"program": "src/main.rs"}), "add_up::main  src/main.rs:3", "8"),
        (json!({"test": "doubles"}), "add_up::doubles  src/main.rs:9", "4"),
        (json!({"test": "add_up::doubles"}), "add_up::doubles  src/main.rs:9", "4"),
        (json!({"test": "my_orders::of_nothing"}), "my_orders::of_nothing  src/lib.rs:8", "0"),
    ] {
        let (_, at) = place.split_once("  ").unwrap();
        let mut launch = launch;
        launch["breakpoints"] = json!([at]);
        launch["timeout_s"] = 50.into();
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!((stop.place(), stop.local("n")), (place, n), "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
    }
}

/// One test beside thousands of directories that sort after it.
pub async fn test_in_a_large_tree_is_found(stage: &mut Stage) {
    let dir = crate_with(MAIN);
    for number in 0..4_000 {
        let directory = dir.path().join(format!("data/{number}"));
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("rows.csv"), "1\n").unwrap();
    }
    stage.start_in(dir.path()).await;
    let place = place(dir.path(), "test");
    let launch = json!({"test": "doubles", "breakpoints": [place], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("four"), "4", "{}", stop.text);
}
