//! What a cargo command asks for where it cannot be run as it stands: the call that is told in its
//! place works.

use serde_json::{Value, json};

use super::Stage;
use super::named::with;

const LIB: &str = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn doubles() {\n        let four = 4;\n        \
                   assert_eq!(four, 4);\n    }\n}\n";
const INTEG: &str = "#[test]\nfn silver() {}\n\n#[test]\n#[\u{69}gnore]\nfn slow_one() {\n    let n = 3;\n    assert_eq!(n, 3);\n}\n";
const MAIN: &str = "fn main() {\n    println!(\"it runs\");\n}\n";

/// A workspace of two packages with libraries alike.
async fn of_two(stage: &mut Stage) -> tempfile::TempDir {
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n")
    };
    let own = "[features]\nfast = []\n[[bin]]\nname = \"needs\"\nrequired-features = [\"fast\"]\n\
               [[test]]\nname = \"own\"\nharness = false\n";
    let (dir, caller) = with(&[
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

/// The call that a refusal tells, made.
async fn told(
    stage: &mut Stage,
    asked: Value,
    refusal: &str,
    call: &Value,
) -> crate::caller::Answer {
    let refused = stage.call("debug_launch", asked).await;
    assert!(refused.is_error && refused.text.starts_with(refusal), "{}", refused.text);
    let (_, tried) = refused.text.rsplit_once("Try: debug_launch ").unwrap();
    assert_eq!(&serde_json::from_str::<Value>(tried).unwrap(), call, "{}", refused.text);
    stage.call("debug_launch", call.clone()).await.good()
}

fn command(line: &str) -> Value {
    json!({"command": line, "timeout_s": 50})
}

pub async fn cargo_packages_are_named_where_others_are_alike(stage: &mut Stage) {
    let _dir = of_two(stage).await;
    let several = "error[target-ambiguous] cargo built 2 tests: `-p app --lib`, `-p util --lib`";
    for (asked, call) in [
        ("cargo test doubles", "cargo test -p app --lib doubles"),
        ("cargo test --lib doubles", "cargo test -p app --lib doubles"),
        ("cargo test --workspace --lib -- doubles", "cargo test -p app --lib -- doubles"),
    ] {
        let end = told(stage, command(asked), several, &command(call)).await;
        end.says("test result: ok. 1 passed; 0 failed");
    }
    let missing = stage.call("debug_launch", command("cargo test --lib dubles")).await;
    missing.says("no test is named dubles; there are app::tests::doubles, util::tests::doubles. ");
}

pub async fn cargo_says_what_it_lacks(stage: &mut Stage) {
    let _dir = of_two(stage).await;
    for (asked, refusal, call) in [
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
        let end = told(stage, command(asked), refusal, &command(call)).await;
        end.says("it runs");
    }
    let refusal = "error[unsupported] `cargo nextest` runs every test in a process";
    let end =
        told(stage, command("cargo nextest run silver"), refusal, &command("cargo test silver"))
            .await;
    end.says("test result: ok. 1 passed; 0 failed");
    stage
        .call("debug_launch", json!({"program": "app/tests/integ.rs", "timeout_s": 50}))
        .await
        .good()
        .says("1 passed");
}

pub async fn ignored_tests_run_where_they_are_named(stage: &mut Stage) {
    let _dir = of_two(stage).await;
    let launch =
        json!({"test": "slow_one", "breakpoints": ["app/tests/integ.rs:8"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("n"), "3", "{}", stop.text);
    stage.call("debug_stop", json!({})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let end = stage.call("debug_launch", command("cargo test --test integ slow_one")).await.good();
    end.says("; `-- --ignored` runs it: debug_launch {\"command\": \"cargo test --test integ slow_one -- --ignored\"}");
    let end = stage
        .call("debug_launch", command("cargo test --test integ slow_one -- --ignored"))
        .await
        .good();
    end.says("1 passed");
}

/// One with a main function of its own may take any word, and libtest runs what any of several
/// words fits.
pub async fn words_that_choose_tests_are_read_as_they_are(stage: &mut Stage) {
    let _dir = of_two(stage).await;
    for asked in ["cargo test --test own gold", "cargo test gold"] {
        let end = stage.call("debug_launch", command(asked)).await.good();
        end.says("it runs");
        end.says(
            "`--test own` lists no tests: whether it has one that `gold` fits, it alone knows",
        );
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
