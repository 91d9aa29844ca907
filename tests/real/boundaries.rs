//! Targets that an adapter does not own, and threads that are not at the stop.

use serde_json::json;

use crate::real::stage::{Stage, marked, workspace_with};

/// The adapter runs only files and the commands of its manifest; for other commands it does not
/// claim that a file is missing.
pub async fn unknown_command_is_refused(stage: &mut Stage) {
    let adapter = stage.language.adapter();
    let launch = json!({"command": "bake all", "adapter": adapter});
    stage.call("debug_launch", launch).await.fails(&format!(
        "error[target-missing] `bake` is not a command that {adapter} knows, and there is no such \
         file; name what it builds by its path. Try: debug_targets"
    ));
}

/// The host would stop itself, and nobody could resume it.
pub async fn attach_to_the_host_is_refused(stage: &mut Stage) {
    let pid = stage.caller.pid();
    stage.call("debug_attach", json!({"pid": pid})).await.fails(&format!(
        "error[no-such-process] process {pid} cannot be attached to: it is dapdock itself. \
        Try: debug_status"
    ));
}

/// As in a shell, where variables are set before the command.
pub async fn build_gets_the_callers_environment(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n",
        ),
        ("src/main.rs", "fn main() {}\n"),
        ("go.mod", "module shop\n\ngo 1.20\n"),
        ("main.go", "package main\n\nfunc main() {}\n"),
    ])
    .await;
    stage.start_in(dir.path()).await;
    let (command, name) = stage.pick(
        ("", ""),
        ("cargo run", "RUSTFLAGS"),
        ("go run .", "GOFLAGS"),
        ("", ""),
        ("", ""),
    );
    let launch = json!({"command": command, "env": {name: "--nosuchflag"}, "timeout_s": 50});
    let refused = stage.call("debug_launch", launch).await;
    assert!(refused.is_error && refused.text.contains("nosuchflag"), "{}", refused.text);
    let launch = json!({"command": command, "env": {"SHOP": "1"}, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().line("□ exited with code 0");
}

/// In a thread that waits in a library the user's frame is selected, as at a stop.
pub async fn users_frame_of_another_thread_is_selected(stage: &mut Stage) {
    let text = "#include <pthread.h>\n#include <sched.h>\n#include <unistd.h>\n\nstatic volatile \
        int ready;\n\n\
                static void *work(void *given) {\n    int own = 42;\n    ready = own;\n    \
                pause();\n    return given;\n}\n\n\
                int main(void) {\n    pthread_t thread;\n    pthread_create(&thread, 0, work, \
                0);\n    \
                while (!ready) sched_yield();\n    return ready - 42; // [stop: ready]\n}\n";
    let (dir, _) = workspace_with(&[("pair.c", text)]).await;
    stage.start_in(dir.path()).await;
    let at = format!("pair.c:{}", marked(&dir.path().join("pair.c"), "ready"));
    let launch = json!({"program": "pair.c", "breakpoints": [at], "timeout_s": 50});
    assert_eq!(stage.call("debug_launch", launch).await.good().place(), format!("main  {at}"));
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    let other = stacks
        .text
        .lines()
        .find(|line| line.starts_with("thread ") && !line.contains("stopped here"))
        .unwrap();
    let number = other.split(['(', ')']).nth(1).unwrap();
    let reply = stage
        .call("debug_evaluate", json!({"expressions": ["own"], "thread": number}))
        .await
        .good();
    assert_eq!(reply.text, "own = 42  (int)");
}

/// The name cannot be resolved then; the error proposes a pause of all threads.
pub async fn thread_name_cannot_be_resolved_while_running(stage: &mut Stage) {
    stage.start_sleeper().await;
    let refused = stage.call("debug_pause", json!({"thread": "worker"})).await;
    refused.fails(
        "error[no-such-thread] the debugger lists no threads while the program runs: cannot look \
        for `worker`. \
         Try: debug_pause",
    );
    assert_eq!(stage.call("debug_pause", json!({})).await.good().reason(), "by pause");
}
