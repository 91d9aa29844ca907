//! Configurations of a project's launch.json.

use serde_json::{Value, json};

use crate::caller::{Caller, Start, root};
use crate::real::attach;
use crate::real::servers::Server;
use crate::real::stage::{Language, Stage};

/// Starts a host whose workspace has a launch.json.
async fn in_project(stage: &mut Stage) {
    stage.caller =
        Caller::start(Start { cwd: root().join("tests/fixtures"), ..Start::structured() }).await;
}

/// A module with arguments; ignored keys are listed.
pub async fn module_of_launch_json(stage: &mut Stage) {
    in_project(stage).await;
    let arguments = json!({
        "options": {"config": "cart in Python"}, "breakpoints": ["total_of"], "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    assert!(stop.place().starts_with("total_of  python/cart.py:"), "{}", stop.text);
    stop.line("note: launch.json keys ignored: preLaunchTask");
    stage.resume().await.good().line("□ exited with code 3");
}

pub async fn arguments_and_environment_of_launch_json(stage: &mut Stage) {
    in_project(stage).await;
    let run = stage.call(
        "debug_launch",
        json!({"options": {"config": "arguments in JavaScript"}, "timeout_s": 50}),
    );
    let run = run.await.good();
    run.line("□ exited with code 0");
    assert!(!run.text.contains("keys ignored"), "{}", run.text);
    let printed = stage.call("debug_output", json!({"stream": "stdout"})).await.good();
    for part in ["arg 1: a b", "arg 2: ü", "greeting: Grüße, 世界"] {
        printed.says(part);
    }
}

/// All members of a compound are started, and each has its own answer.
pub async fn compound_of_launch_json(stage: &mut Stage) {
    in_project(stage).await;
    let places =
        [(Language::python(), "python/cart.py"), (Language::rust(), "rust/src/bin/cart.rs")];
    let places = places.map(|(language, file)| {
        format!("{file}:{}", language.at("cart", "main").rsplit_once(':').unwrap().1)
    });
    let arguments =
        json!({"options": {"config": "two carts"}, "breakpoints": places, "timeout_s": 50});
    let both = stage.call("debug_launch", arguments).await.good();
    let stops: Vec<_> = both.text.split("\n\n").collect();
    assert_eq!(stops.len(), 2, "{}", both.text);
    for (stop, place) in stops.iter().zip(&places) {
        assert!(
            stop.starts_with("■ stopped breakpoint") && stop.contains(place.as_str()),
            "{}",
            both.text
        );
    }
    // A breakpoint in the file of one member is not reported by the other.
    assert!(!both.text.contains("UNVERIFIED"), "{}", both.text);
    assert!(
        stops[0].contains("launch.json keys ignored: preLaunchTask, preLaunchTask of the compound"),
        "{}",
        stops[0]
    );
    stage.call("debug_stop", json!({"all": true})).await.good();
}

/// Attach configurations by address and by pid, as the editors' extensions write them.
fn attach_configurations(stage: &Stage, port: u32, pid: u32) -> Vec<Value> {
    let program = "${workspaceFolder}/sleeper";
    match stage.language.adapter() {
        "debugpy" => vec![
            json!({"type": "debugpy", "connect": {"host": "localhost", "port": port}}),
            json!({"type": "python", "processId": pid}),
        ],
        "delve" => vec![
            json!({"type": "go", "mode": "remote", "host": "127.0.0.1", "port": port}),
            json!({"type": "go", "mode": "local", "processId": pid}),
        ],
        "js-debug" => vec![
            json!({"type": "node", "port": port}),
            json!({"type": "node", "address": "localhost", "port": port}),
            json!({"type": "pwa-node", "processId": pid.to_string()}),
        ],
        "codelldb" => vec![
            json!({"type": "lldb", "port": port, "program": program}),
            json!({"type": "lldb", "program": program, "pid": pid}),
        ],
        _ => vec![
            json!({"type": "gdb", "port": port, "program": program}),
            json!({"type": "gdb", "pid": pid}),
            json!({
                "type": "cppdbg", "MIMode": "gdb", "program": program, "processId": pid.to_string(),
            }),
        ],
    }
}

pub async fn attach_of_launch_json(stage: &mut Stage) {
    let server = Server::start(stage).await;
    let mut child = attach::sleeper(stage).await;
    let mut all = attach_configurations(stage, server.port, child.id().unwrap());
    for (one, number) in all.iter_mut().zip(1..) {
        (one["name"], one["request"]) = (json!(number.to_string()), json!("attach"));
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(".vscode")).unwrap();
    std::fs::write(
        dir.path().join(".vscode/launch.json"),
        json!({"configurations": all}).to_string(),
    )
    .unwrap();
    std::fs::copy(root().join(stage.language.program("sleeper")), dir.path().join("sleeper"))
        .unwrap();
    stage.start_in(dir.path()).await;
    let place = root().join(stage.at("sleeper", "loop")).display().to_string();
    let function = stage.function("sleeper", "main");
    for one in all {
        let arguments =
            json!({"options": {"config": one["name"]}, "breakpoints": [place], "timeout_s": 50});
        let stop = stage.caller.call("debug_launch", arguments).await.good();
        assert_eq!(stop.place(), format!("{function}  {place}"), "{one}: {}", stop.text);
        assert!(!stop.text.contains("keys ignored"), "{one}: {}", stop.text);
        stage
            .call("debug_stop", json!({}))
            .await
            .good()
            .line("□ detached; the process keeps running");
    }
    server.assert_runs_then_kill().await;
    child.kill().await.unwrap();
}

pub async fn invalid_launch_json_is_reported(stage: &mut Stage) {
    in_project(stage).await;
    for (name, error) in [
        (
            "cart in Pyton",
            "has no configuration `cart in Pyton`. Try: debug_launch {\"options\": {\"config\": \
            \"cart in Python\"}}",
        ),
        ("asks", "`${input:which}` asks a person; options.inputs answers it"),
        (
            "unknown",
            "`unknown`: no adapter is of type `coreclr`; there are lldb, codelldb, debugpy, \
            python, go, cppdbg, gdb, node, pwa-node",
        ),
    ] {
        let answer = stage.call("debug_launch", json!({"options": {"config": name}})).await;
        assert!(
            answer.is_error && answer.text.starts_with("error[launch-json] .vscode/launch.json: "),
            "{}",
            answer.text
        );
        answer.says(error);
    }
    let attach = json!({"env": {"A": "1"}, "options": {"config": "worker"}});
    stage.call("debug_launch", attach).await.fails(
        "error[launch-json] .vscode/launch.json: this attaches to a running program, which takes \
        no `env`. \
         Try: debug_launch {\"options\": {\"config\": \"worker\"}}",
    );
    let attach = json!({"options": {"config": "worker", "core": "python/cart.py"}});
    stage.call("debug_launch", attach).await.fails(
        "error[launch-json] .vscode/launch.json: this attaches to a running program, which takes \
        no `core`. \
         Try: debug_launch {\"options\": {\"config\": \"worker\"}}",
    );
    let both =
        stage.call("debug_launch", json!({"program": "x", "options": {"config": "asks"}})).await;
    both.fails(
        "error[bad-argument] debug_launch takes only one of `program`, `command`, `test`, \
        `options.config`. \
         Try: debug_launch {\"options\": {\"config\": \"asks\"}}",
    );
}
