//! The flows of `examples/compat`: scripts that compare the answers themselves.

use std::process::Stdio;

use crate::caller::{Mark, PATIENCE, adapters_config, private_directories, root};
use crate::real::Stage;

/// Runs a script to its end.
#[expect(clippy::disallowed_methods, reason = "the script is an outside program")]
async fn run(script: &str) {
    let mark = Mark::fresh();
    let run = tokio::process::Command::new("python3")
        .arg(root().join("examples/compat").join(script))
        .current_dir(root())
        .env("DAPDOCK", env!("CARGO_BIN_EXE_dapdock"))
        .env("DAPDOCK_CONFIG", adapters_config())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .envs(private_directories())
        .env(Mark::NAME, mark.value())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(2 * PATIENCE, run).await.expect("the script does not end");
    let output = output.unwrap();
    let (printed, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{printed}\n{errors}");
}

pub async fn gdb_flow(_: &mut Stage) {
    run("gdb.py").await;
}

pub async fn net_flow(_: &mut Stage) {
    run("net.py").await;
}

pub async fn rust_flow(_: &mut Stage) {
    run("rust.py").await;
}

pub async fn go_flow(_: &mut Stage) {
    run("go.py").await;
}

pub async fn viewport_flow(_: &mut Stage) {
    run("viewport.py").await;
}
