//! Machine code is known by what its compiler wrote into it, wherever it lies and whatever lies
//! beside it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::Stage;
use super::attach::spawn;
use super::stage::Language;
use crate::caller::{Answer, root};

const SOURCE: &str = r#"fn tax(net: u64) -> u64 {
    let small: u8 = 200;
    let name = String::from("Füller");
    net + u64::from(small) + name.len() as u64 // [stop: tax]
}

fn main() {
    println!("{}", tax(7));
}
"#;

async fn evaluated(stage: &mut Stage, table: &[(&str, &str)]) {
    let texts: Vec<&str> = table.iter().map(|(text, _)| *text).collect();
    let told = stage.caller.call("debug_evaluate", json!({"expressions": texts})).await.good();
    let expected: Vec<String> =
        table.iter().map(|(text, value)| format!("{text} = {value}")).collect();
    assert_eq!(
        told.text.lines().take(expected.len()).collect::<Vec<_>>(),
        expected,
        "{}",
        told.text
    );
}

/// By rustc alone, which leaves nothing beside it.
pub async fn rust_is_known_without_cargo(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("shop.rs"), SOURCE).unwrap();
    #[expect(clippy::disallowed_methods, reason = "no process of the host")]
    let built =
        Command::new("rustc").args(["-g", "shop.rs"]).current_dir(dir.path()).status().unwrap();
    assert!(built.success());
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "shop", "breakpoints": ["shop.rs:4", "tax"], "timeout_s": 50});
    let stop = stage.caller.call("debug_launch", launch).await.good();
    stop.says(" · codelldb-1 · ");
    let stop =
        if stop.place() == "shop::tax  shop.rs:4" { stop } else { stage.resume().await.good() };
    assert_eq!(stop.place(), "shop::tax  shop.rs:4", "{}", stop.text);
    assert_eq!(stop.local("name"), "\"Füller\"");
    let table =
        [("small as i64 - 201", "-1  (i64)"), ("name.len()", "7  (u64)"), ("small", "200  (u8)")];
    evaluated(stage, &table).await;
}

/// A command line that begins with its path is its own as well, from wherever it is called.
pub async fn a_program_of_go_is_known_in_a_command(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("bin")).unwrap();
    std::fs::copy(root().join(stage.language.program("cart")), dir.path().join("bin/shop"))
        .unwrap();
    stage.start_in(dir.path()).await;
    for launch in [json!({"command": "bin/shop"}), json!({"command": "./shop", "cwd": "bin"})] {
        let mut launch = launch;
        launch["breakpoints"] = json!(["main.tax"]);
        let stop = stage.caller.call("debug_launch", launch).await.good();
        stop.says(" · delve-");
        assert!(stop.place().starts_with("main.tax  "), "{}", stop.text);
        assert_eq!(stop.local("net"), "1000");
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.call("debug_stop", json!({})).await.good();
    }
}

/// A copy elsewhere that runs, debugged from a directory that has nothing to do with it.
pub async fn rust_is_known_by_its_process(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let attached = attached(stage, dir.path(), Language::Rust, json!({})).await;
    attached.says(" · codelldb-1 · ");
    evaluated(stage, &[("tick as i64 - tick as i64 - 1", "-1  (i64)")]).await;
    let told = stage.caller.call("debug_evaluate", json!({"expressions": ["tick"]})).await.good();
    assert!(told.text.lines().next().unwrap().ends_with("  (u32)"), "{}", told.text);
}

/// What is of C stays so in a directory of cargo's.
pub async fn c_is_known_by_its_process(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("Cargo.toml"), "").unwrap();
    attached(stage, dir.path(), Language::C, json!({"adapter": "codelldb"})).await;
    let told = stage.caller.call("debug_evaluate", json!({"expressions": ["tick"]})).await.good();
    assert!(told.text.lines().next().unwrap().ends_with("  (unsigned int)"), "{}", told.text);
}

/// Stands in the loop of a copy of the language's sleeper in that directory, which has been started
/// without a debugger.
async fn attached(stage: &mut Stage, dir: &Path, language: Language, mut more: Value) -> Answer {
    let copy = dir.join("copy");
    std::fs::copy(root().join(language.program("sleeper")), &copy).unwrap();
    let child = spawn(&[copy.display().to_string()]).await;
    stage.start_in(dir).await;
    more["pid"] = json!(child.id().unwrap());
    more["breakpoints"] = json!([root().join(language.at("sleeper", "loop"))]);
    let stop = stage.caller.call("debug_attach", more).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    stage.caller.call("debug_breakpoints", json!({"clear": true})).await.good();
    stop
}
