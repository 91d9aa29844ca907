//! What is behind an address, and goes another way than its debugger says: with it, or without a
//! word.

use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;

use super::served::Server;
use super::{Language, Stage};

const ONE_CLIENT: &str = "its Delve was started without --accept-multiclient";

/// Delve ends what it has started with the only one who may ask it anything.
pub async fn a_server_for_one_ends_with_its_session(stage: &mut Stage) {
    let mut server = Server::for_one(stage).await;
    let warning =
        format!("note: the program cannot be let go and ends with this session: {ONE_CLIENT}");
    let runs = server.attach(stage).await;
    runs.line("▶ running");
    runs.line(&warning);
    stage.call("debug_pause", json!({})).await.good().line(&warning);
    stage.call("debug_stop", json!({"mode": "detach"})).await.fails(&format!(
        "error[unsupported] the program cannot be let go: {ONE_CLIENT}. Try: debug_stop {{\"mode\": \"terminate\"}}"
    ));
    let end = stage.call("debug_stop", json!({})).await.good();
    end.line("□ stopped as asked, nothing left running");
    end.line(&format!("note: the program could not be let go and has ended: {ONE_CLIENT}"));
    assert!(!end.text.contains("does it again"), "{}", end.text);
    let pid = server.pid;
    server.goes().await;
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
}

/// While it runs, nobody asks for anything.
pub async fn a_server_that_is_killed_beside_its_program_is_told(stage: &mut Stage) {
    let mut server = Server::start(stage).await;
    server.attach(stage).await.line("▶ running");
    server.dies().await;
    let end = stage.call("debug_wait", json!({})).await.good();
    lost(&end.text, server.port);
}

/// While it stands: with the next move, or with what leaves it.
pub async fn a_server_that_is_killed_at_a_stop_is_told(stage: &mut Stage) {
    // CodeLLDB hears of it by itself, and not of what goes while it is left.
    let stop = (stage.language != Language::LldbC).then_some(("debug_stop", json!({}), "auto"));
    let moves = [
        ("debug_continue", json!({}), "auto"),
        ("debug_step", json!({"kind": "over"}), "auto"),
        ("debug_continue", json!({}), "terminate"),
    ];
    for (tool, arguments, mode) in moves.into_iter().chain(stop) {
        let mut server = Server::start(stage).await;
        server.attach(stage).await.line("▶ running");
        stage.call("debug_pause", json!({})).await.good();
        server.dies().await;
        let told = stage.call(tool, arguments).await;
        // What the move came to may be told before what became of the connection, and that before
        // the move.
        assert!(told.is_error || told.text.starts_with("□ the session failed"), "{}", told.text);
        let end = stage.call("debug_stop", json!({"mode": mode})).await.good();
        lost(&end.text, server.port);
    }
}

/// No end is made up, and none that was asked for.
#[track_caller]
fn lost(told: &str, port: u32) {
    let why = format!(
        "! the connection to 127.0.0.1:{port} is lost: what became of the program is not known"
    );
    assert!(
        told.starts_with("□ the session failed · ") && told.lines().nth(1) == Some(&why),
        "{told}"
    );
}

/// A server that waits to be told what to debug, which an attach does not tell.
pub async fn a_server_without_a_program_says_so(stage: &mut Stage) {
    #[expect(clippy::disallowed_methods, reason = "the server must not be the host's")]
    let mut command = tokio::process::Command::new(stage.language.tool_path().unwrap());
    command.args(["dap", "--listen=127.0.0.1:0"]).stdout(Stdio::piped()).kill_on_drop(true);
    let mut server = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
    let address = line.trim().rsplit(' ').next().unwrap();
    let refused = stage.call("debug_attach", json!({"address": address, "adapter": "delve"})).await;
    let why = "error[target-missing] what listens there is `dlv dap`, which has no program, and ends now. \
               Try: dlv debug --headless --listen=127.0.0.1:PORT PACKAGE, and attach to that";
    refused.fails(why);
    server.wait().await.unwrap();
}

/// It is ours to end: nothing is left running.
pub async fn what_was_launched_is_not_let_go(stage: &mut Stage) {
    stage
        .launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]}))
        .await
        .good()
        .line("■ stopped");
    let refused = stage.call("debug_stop", json!({"mode": "detach"})).await;
    assert!(refused.is_error, "{}", refused.text);
    refused
        .says("error[unsupported] this adapter does not support `detach from a launched program`");
    stage
        .call("debug_stop", json!({}))
        .await
        .good()
        .line("□ stopped as asked, nothing left running");
}

/// Who ends what he has just attached to in vain hears nothing of an older one.
pub async fn what_failed_to_start_is_not_ended_in_anothers_place(stage: &mut Stage) {
    stage.launch("cart", json!({})).await.good().line("□ exited with code 0");
    stage.call("debug_stop", json!({})).await.good().line("□ exited with code 0");
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let attach = json!({"address": nobody.local_addr().unwrap().to_string(), "adapter": "debugpy"});
    let (refused, _) =
        tokio::join!(stage.call("debug_attach", attach), async { drop(nobody.accept().await) });
    refused.says("is no debugger of this kind: it closes the connection");
    for mode in ["auto", "detach"] {
        stage
            .call("debug_stop", json!({"mode": mode}))
            .await
            .fails("error[no-session] no session is open; the last, debugpy-2, has failed to start. Try: debug_status");
    }
}
