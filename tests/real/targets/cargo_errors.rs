//! Cargo commands that cannot be debugged as they are: the call that the error proposes works.

use serde_json::{Value, json};

use crate::real::stage::{Stage, workspace_with};

const LIB: &str = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        let four = \
    4;\n        \
                   assert_eq!(four, 4);\n    }\n}\n";
const INTEG: &str = "#[test]\nfn silver() {}\n\n#[test]\n#[\u{69}gnore]\nfn slow_one() {\n    let \
    n = 3;\n    assert_eq!(n, 3);\n}\n";
const MAIN: &str = "fn main() {\n    println!(\"it runs\");\n}\n";

/// A workspace of two packages whose libraries have the same tests.
async fn two_packages(stage: &mut Stage) -> tempfile::TempDir {
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
    };
    let own = "[features]\nfast = []\n[[bin]]\nname = \"needs\"\nrequired-features = [\"fast\"]\n\
               [[test]]\nname = \"own\"\nharness = false\n";
    let (dir, caller) = workspace_with(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"app\", \"util\"]\nresolver = \"2\"\n"),
        ("app/Cargo.toml", &format!("{}{own}", package("app"))),
        ("util/Cargo.toml", &package("util")),
        ("app/src/lib.rs", LIB),
        ("util/src/lib.rs", LIB),
        ("app/src/bin/other.rs", MAIN),
        ("app/src/bin/needs.rs", MAIN),
        ("app/tests/integ.rs", INTEG),
        ("app/tests/own.rs", MAIN),
    ])
    .await;
    stage.caller = caller;
    dir
}

/// Asserts the refusal and its proposed call, makes that call and returns its answer.
async fn proposed_call_works(
    stage: &mut Stage,
    requested: Value,
    refusal: &str,
    call: &Value,
) -> crate::caller::Answer {
    let refused = stage.call("debug_launch", requested).await;
    assert!(refused.is_error && refused.text.starts_with(refusal), "{}", refused.text);
    let (_, tried) = refused.text.rsplit_once("Try: debug_launch ").unwrap();
    assert_eq!(&serde_json::from_str::<Value>(tried).unwrap(), call, "{}", refused.text);
    stage.call("debug_launch", call.clone()).await.good()
}

fn command(line: &str) -> Value {
    json!({"command": line, "timeout_s": 50})
}

/// The test binaries of a command run in turn until one stops or fails; each answer names the next.
pub async fn test_binaries_run_in_turn(stage: &mut Stage) {
    let dir = two_packages(stage).await;
    let end = stage.call("debug_launch", command("cargo test doubles")).await.good();
    end.line("□ exited with code 0");
    end.says("test result: ok. 1 passed; 0 failed");
    end.says("\nnote: test binary 2 of 2: -p util --lib\n");
    end.says("\nbefore it, exited with code 0: codelldb-1");
    // The breakpoint is in the second.
    let mut launch = command("cargo test --lib -- doubles");
    launch["breakpoints"] = json!(["util/src/lib.rs:5"]);
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with("  util/src/lib.rs:5"), "{}", stop.text);
    stop.says("\nbefore it, exited with code 0: codelldb-3");
    stage.resume().await.good().line("□ exited with code 0");
    // A stop in the first: the answer at its exit names the call for the second.
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let mut launch = command("cargo test doubles");
    launch["breakpoints"] = json!(["app/src/lib.rs:5"]);
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with("  app/src/lib.rs:5"), "{}", stop.text);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    let (_, next) = end.text.rsplit_once("\nnext: debug_launch ").unwrap();
    let next: Value = serde_json::from_str(next.trim_end_matches(" starts what follows")).unwrap();
    assert_eq!(next["options"], json!({"skip_binaries": 1}));
    let end = stage.call("debug_launch", next).await.good();
    end.says("\nnote: test binary 2 of 2: -p util --lib\n");
    end.says("\nnext: debug_restart ");
    // The failure of the first ends the turn.
    std::fs::write(dir.path().join("app/src/lib.rs"), LIB.replace("(four, 4)", "(four, 5)"))
        .unwrap();
    let mut launch = command("cargo test doubles");
    launch["options"] = json!({"skip_binaries": 0});
    stage.call("debug_breakpoints", json!({"clear": true, "exceptions": ["none"]})).await.good();
    let end = stage.call("debug_launch", launch).await.good();
    end.line("□ exited with code 101");
    end.says("\nnote: test binary 1 of 2: -p app --lib\n");
    let missing = stage.call("debug_launch", command("cargo test --lib dubles")).await;
    missing.says("no test is named dubles; there are app::tests::doubles, util::tests::doubles. ");
}

pub async fn cargo_errors_propose_a_command(stage: &mut Stage) {
    let _dir = two_packages(stage).await;
    for (requested, refusal, call) in [
        (
            "cargo run --bin othr",
            "error[target-missing] no bin target named `othr`",
            "cargo run --bin other",
        ),
        (
            "cargo run --bin needs",
            "error[target-missing] target `needs` in package `app` requires the features: `fast`",
            "cargo run --bin needs --features fast",
        ),
        (
            "cargo build --bin other",
            "error[unsupported] `cargo build` runs nothing",
            "cargo run --bin other",
        ),
    ] {
        let end = proposed_call_works(stage, command(requested), refusal, &command(call)).await;
        end.says("it runs");
    }
    let refusal = "error[unsupported] `cargo nextest` runs each test in a process";
    let end = proposed_call_works(
        stage,
        command("cargo nextest run silver"),
        refusal,
        &command("cargo test silver"),
    )
    .await;
    end.says("test result: ok. 1 passed; 0 failed");
    stage
        .call("debug_launch", json!({"program": "app/tests/integ.rs", "timeout_s": 50}))
        .await
        .good()
        .says("1 passed");
}

pub async fn ignored_test_runs_by_name(stage: &mut Stage) {
    let _dir = two_packages(stage).await;
    let launch =
        json!({"test": "slow_one", "breakpoints": ["app/tests/integ.rs:8"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("n"), "3", "{}", stop.text);
    stage.call("debug_stop", json!({})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let end = stage.call("debug_launch", command("cargo test --test integ slow_one")).await.good();
    end.says(
        "; `-- --ignored` runs them: debug_launch {\"command\": \"cargo test --test integ \
        slow_one -- --ignored\"}",
    );
    let end = stage
        .call("debug_launch", command("cargo test --test integ slow_one -- --ignored"))
        .await
        .good();
    end.says("1 passed");
}

/// A test program with its own main function may take any argument; libtest runs the tests that
/// match any of several names.
pub async fn test_filters_of_cargo_are_unchanged(stage: &mut Stage) {
    let _dir = two_packages(stage).await;
    for requested in ["cargo test --test own gold", "cargo test gold"] {
        let end = stage.call("debug_launch", command(requested)).await.good();
        end.says("it runs");
        end.says("`--test own` lists no tests; it may have one that matches `gold`");
    }
    let end =
        stage.call("debug_launch", command("cargo test --test integ golf -- silver")).await.good();
    end.says("test result: ok. 1 passed; 0 failed");
    let refused = stage.call("debug_launch", command("cargo test --test integ golf -- tin")).await;
    assert!(
        refused.text.starts_with("error[target-missing] no test is named golf or tin; there are "),
        "{}",
        refused.text
    );
}

/// A test that returns an error stops nowhere; the answer has the call that stops in it.
pub async fn test_that_returns_an_error_is_named(stage: &mut Stage) {
    let lib = "#[cfg(test)]\nmod tests {\n    #[test]\n    \
               fn reads() -> Result<(), String> {\n        \
               let number: i32 = \"x\".parse().map_err(|_| \"bad\")?;\n        \
               assert_eq!(number, 1);\n        Ok(())\n    }\n}\n";
    let manifest = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let (_dir, caller) = workspace_with(&[("Cargo.toml", manifest), ("src/lib.rs", lib)]).await;
    stage.caller = caller;
    let end = stage.call("debug_launch", command("cargo test")).await.good();
    end.line("□ exited with code 101");
    let next = r#"debug_launch {"test": "tests::reads", "breakpoints": ["tests::reads"]}"#;
    end.line(&format!(
        "! tests::reads returned an error, which is no panic; to stop in it: {next}"
    ));
    let call = json!({"test": "tests::reads", "breakpoints": ["tests::reads"], "timeout_s": 50});
    let stop = stage.call("debug_launch", call).await.good();
    assert!(stop.place().ends_with("  src/lib.rs:5"), "{}", stop.text);
}
