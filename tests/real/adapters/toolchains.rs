//! Compilers that are missing, too old, or of another age than the debugger.

use serde_json::json;

use crate::caller::{Caller, Start};
use crate::real::invalid_input::launch;
use crate::real::stage::{Language, Stage, workspace_with};

/// A target that has to be built first needs its compiler: the error names it and where to get it,
/// not the debugger.
pub async fn missing_compiler_is_reported(stage: &mut Stage) {
    stage.caller = Caller::start(Start {
        env: vec![("PATH", "/no/where".to_owned())],
        ..stage.language.start()
    })
    .await;
    let c = vec![
        (
            json!({"program": "tests/fixtures/c/cart.c"}),
            "gcc not found (looked for gcc, cc, clang on PATH). Try: install a C compiler",
        ),
        (
            json!({"program": "tests/fixtures/c/lines.cpp"}),
            "g++ not found (looked for g++, c++, clang++ on PATH). Try: install a C++ compiler",
        ),
    ];
    let dir = tempfile::tempdir().unwrap();
    let alone = dir.path().join("alone.rs");
    std::fs::write(&alone, "fn main() {}\n").unwrap();
    let rust = "install Rust: https://rustup.rs";
    let cargo = format!("cargo not found (looked for cargo on PATH). Try: {rust}");
    let rustc = format!("rustc not found (looked for rustc on PATH). Try: {rust}");
    let go = "go not found (looked for go on PATH). Try: install Go: https://go.dev/dl";
    let launches = stage.pick(
        Vec::new(),
        vec![
            (
                json!({"command": "cargo run --bin cart", "cwd": "tests/fixtures/rust"}),
                cargo.as_str(),
            ),
            (json!({"command": "cargo test", "cwd": "tests/fixtures/rust"}), &cargo),
            (json!({"program": "tests/fixtures/rust/src/bin/cart.rs"}), &cargo),
            (json!({"program": alone}), &rustc),
        ],
        vec![
            (json!({"command": "go run ./cart", "cwd": "tests/fixtures/go"}), go),
            (json!({"program": "tests/fixtures/go/cart/main.go"}), go),
            (json!({"command": "go test ./cart", "cwd": "tests/fixtures/go"}), go),
        ],
        Vec::new(),
        c,
    );
    for (launch, error) in launches {
        stage.call("debug_launch", launch).await.fails(&format!("error[tool-missing] {error}"));
    }
}

/// The compiler is older than the project requires, or lacks a component.
pub async fn too_old_compiler_is_reported(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"new\"\nversion = \"0.1.0\"\nrust-version = \"1.999\"\n",
        ),
        ("src/main.rs", "fn main() {}\n"),
        ("go.mod", "module new\n\ngo 1.99\n"),
        ("main.go", "package main\n\nfunc main() {}\n"),
    ])
    .await;
    stage.start_in(dir.path()).await;
    let command = stage.pick("", "cargo run", "go run .", "", "");
    let refused = stage
        .call("debug_launch", json!({"command": command, "env": {"GOTOOLCHAIN": "local"}}))
        .await;
    let (what, helps) = stage.pick(
        ("", ""),
        (" is too old: new@0.1.0 requires rustc 1.999", "rustup update"),
        ("go.mod requires go >= 1.99 (running go ", "install a newer Go: https://go.dev/dl"),
        ("", ""),
        ("", ""),
    );
    assert!(refused.text.starts_with("error[tool-too-old] "), "{}", refused.text);
    refused.says(what);
    assert!(refused.text.ends_with(&format!(". Try: {helps}")), "{}", refused.text);
}

/// A Delve and a Go whose versions do not fit, in both directions.
pub async fn mismatched_go_and_delve_are_reported(stage: &mut Stage) {
    let old = stage.language == Language::OldGo;
    let other = if old { Language::Go } else { Language::OldGo };
    let answer = stage.call("debug_launch", launch(&other.program("cart"))).await;
    let parts = answer.text.split_once(" (").unwrap_or_else(|| panic!("{}", answer.text));
    let (begins, ends) = if old {
        (
            "error[tool-too-old] Failed to launch: Version of Delve is too old for Go version ",
            "maximum supported version 1.20, suppress this error with --check-go-version=false). \
            Try: install a newer one \
             (go install github.com/go-delve/delve/cmd/dlv@latest), and name it in [tools.dlv] \
             path",
        )
    } else {
        (
            "error[tool-too-old] Failed to launch: Go version go1.20.14 is too old for this \
            version of Delve",
            "minimum supported version 1.25, suppress this error with --check-go-version=false). \
            Try: build the program \
             with a newer Go (https://go.dev/dl), or name an older Delve in [tools.dlv] path",
        )
    };
    assert!(parts.0.starts_with(begins) && parts.1 == ends, "{}", answer.text);
}
