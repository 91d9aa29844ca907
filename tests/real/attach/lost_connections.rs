//! Programs attached to by address that end together with their server, or whose server dies.

use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;

use crate::real::servers::Server;
use crate::real::{Language, Stage};

const ONE_CLIENT: &str = "its Delve was started without --accept-multiclient";

/// A Delve server for one client ends its program together with the session.
pub async fn single_client_server_ends_with_its_session(stage: &mut Stage) {
    let mut server = Server::for_one(stage).await;
    let warning = format!("note: cannot detach; the program ends with this session: {ONE_CLIENT}");
    let runs = server.attach(stage).await;
    runs.line("▶ running");
    runs.line(&warning);
    stage.call("debug_pause", json!({})).await.good().line(&warning);
    stage.call("debug_stop", json!({"mode": "detach"})).await.fails(&format!(
        "error[unsupported] cannot detach from the program: {ONE_CLIENT}. Try: debug_stop \
        {{\"mode\": \"terminate\"}}"
    ));
    let end = stage.call("debug_stop", json!({})).await.good();
    end.line("□ ended; no process is left");
    end.line(&format!("note: could not detach; the program has ended: {ONE_CLIENT}"));
    assert!(!end.text.contains("starts it again"), "{}", end.text);
    let pid = server.pid;
    server.wait_for_end().await;
    assert!(!std::path::Path::new(&format!("/proc/{pid}")).exists());
}

/// The server dies while the program runs and no request is pending.
pub async fn server_killed_while_running_is_reported(stage: &mut Stage) {
    let mut server = Server::start(stage).await;
    server.attach(stage).await.line("▶ running");
    server.kill_server().await;
    let end = stage.call("debug_wait", json!({})).await.good();
    assert_connection_lost(&end.text, server.port);
}

/// The server dies while the program is stopped: the next move or detach reports it.
pub async fn server_killed_at_a_stop_is_reported(stage: &mut Stage) {
    // CodeLLDB detects the loss on its own, but not while it detaches.
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
        server.kill_server().await;
        let reply = stage.call(tool, arguments).await;
        // The reply to the move may arrive before the loss of the connection is noticed, or after.
        assert!(reply.is_error || reply.text.starts_with("□ the session failed"), "{}", reply.text);
        let end = stage.call("debug_stop", json!({"mode": mode})).await.good();
        assert_connection_lost(&end.text, server.port);
    }
}

/// Asserts that the ending reports the lost connection and no exit of the program.
#[track_caller]
fn assert_connection_lost(reply: &str, port: u32) {
    let why = format!(
        "! the connection to 127.0.0.1:{port} is lost; the state of the program is unknown"
    );
    assert!(
        reply.starts_with("□ the session failed · ") && reply.lines().nth(1) == Some(&why),
        "{reply}"
    );
}

/// A server that waits for a launch request has nothing to attach to.
pub async fn server_without_a_program_is_refused(stage: &mut Stage) {
    #[expect(clippy::disallowed_methods, reason = "the server must not be the host's")]
    let mut command = tokio::process::Command::new(stage.language.tool_path().unwrap());
    command.args(["dap", "--listen=127.0.0.1:0"]).stdout(Stdio::piped()).kill_on_drop(true);
    let mut server = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
    let address = line.trim().rsplit(' ').next().unwrap();
    let refused = stage.call("debug_attach", json!({"address": address, "adapter": "delve"})).await;
    let why = "error[target-missing] a `dlv dap` listens at this address; it has no program and \
        has now ended. \
               Try: start `dlv debug --headless --listen=127.0.0.1:PORT PACKAGE` and attach to \
               that";
    refused.fails(why);
    server.wait().await.unwrap();
}

/// A launched program cannot be detached from; ending the session ends it.
pub async fn detach_from_a_launched_program_is_refused(stage: &mut Stage) {
    stage
        .launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]}))
        .await
        .good()
        .line("■ stopped");
    let refused = stage.call("debug_stop", json!({"mode": "detach"})).await;
    assert!(refused.is_error, "{}", refused.text);
    refused
        .says("error[unsupported] this adapter does not support `detach from a launched program`");
    stage.call("debug_stop", json!({})).await.good().line("□ ended; no process is left");
}

/// Ending the session of a failed attach says so, and reports nothing of an earlier session.
pub async fn failed_attach_does_not_end_another_session(stage: &mut Stage) {
    stage.launch("cart", json!({})).await.good().line("□ exited with code 0");
    stage.call("debug_stop", json!({})).await.good().line("□ exited with code 0");
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let attach = json!({"address": nobody.local_addr().unwrap().to_string(), "adapter": "debugpy"});
    let (refused, _) =
        tokio::join!(stage.call("debug_attach", attach), async { drop(nobody.accept().await) });
    refused.says("is no debugger of this kind: it closes the connection");
    for mode in ["auto", "detach"] {
        stage.call("debug_stop", json!({"mode": mode})).await.fails(
            "error[no-session] no session is open; the last, debugpy-2, failed to start. Try: \
            debug_status",
        );
    }
}
