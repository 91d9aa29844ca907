//! The language of machine code is read from its debug information, wherever the program lies and
//! whatever files are around it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::caller::{Answer, root};
use crate::real::attach::spawn;
use crate::real::stage::{Language, Stage};

const SOURCE: &str = r#"fn tax(net: u64) -> u64 {
    let small: u8 = 200;
    let name = String::from("Füller");
    net + u64::from(small) + name.len() as u64 // [stop: tax]
}

fn main() {
    println!("{}", tax(7));
}
"#;

async fn values_are(stage: &mut Stage, table: &[(&str, &str)]) {
    let texts: Vec<&str> = table.iter().map(|(text, _)| *text).collect();
    let reply = stage.caller.call("debug_evaluate", json!({"expressions": texts})).await.good();
    let expected: Vec<String> =
        table.iter().map(|(text, value)| format!("{text} = {value}")).collect();
    assert_eq!(
        reply.text.lines().take(expected.len()).collect::<Vec<_>>(),
        expected,
        "{}",
        reply.text
    );
}

/// Built by rustc alone, without files of cargo.
pub async fn rust_is_recognised_without_cargo(stage: &mut Stage) {
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
    values_are(stage, &table).await;
}

/// A command that begins with the program's path, relative to the working directory of the command.
pub async fn go_binary_is_recognised_in_a_command(stage: &mut Stage) {
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

/// A running copy elsewhere, debugged from an unrelated directory.
pub async fn rust_is_recognised_by_its_process(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let attached = attached(stage, dir.path(), Language::Rust, json!({})).await;
    attached.says(" · codelldb-1 · ");
    values_are(stage, &[("tick as i64 - tick as i64 - 1", "-1  (i64)")]).await;
    let reply = stage.caller.call("debug_evaluate", json!({"expressions": ["tick"]})).await.good();
    assert!(reply.text.lines().next().unwrap().ends_with("  (u32)"), "{}", reply.text);
}

/// A C program stays C in a directory with a Cargo.toml.
pub async fn c_is_recognised_by_its_process(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("Cargo.toml"), "").unwrap();
    attached(stage, dir.path(), Language::C, json!({"adapter": "codelldb"})).await;
    let reply = stage.caller.call("debug_evaluate", json!({"expressions": ["tick"]})).await.good();
    assert!(reply.text.lines().next().unwrap().ends_with("  (unsigned int)"), "{}", reply.text);
}

/// Starts a copy of the language's sleeper in the directory without a debugger, attaches to it and
/// stops in its loop.
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
