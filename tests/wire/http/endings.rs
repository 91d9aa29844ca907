//! Ends of clients by HTTP and of their server: no process is left.

use std::path::Path;

use rustix::process::Signal;
use serde_json::{Value, json};

use super::{call_alone, launch, shop};
use crate::caller::http::{Client, LEFT_NOTHING, Served};

/// A program that runs on, with a process of its own.
fn running() -> Value {
    let script = json!({"program": [{"line": 1, "hangs": true}]});
    let options = json!({"script": script, "debuggee": "exec sleep 1000"});
    json!({"program": "shop.fake", "options": options, "timeout_s": 1})
}

const TOOLS: &str = "tools.sh.path = \"/bin/sh\"";

/// A client with a running program.
async fn debugging(served: &Served) -> Client {
    let client = served.client().await;
    let run = client.call("debug_launch", running()).await;
    assert!(run.starts_with("▶ running"), "{run}");
    served.mark.wait_for_process("sleep 1000").await;
    client
}

#[tokio::test]
async fn end_of_a_client_ends_what_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), TOOLS, &["--trust"]).await;
    let other = served.client().await;
    other.call("debug_launch", launch(dir.path(), &[3, 4])).await;
    let client = debugging(&served).await;
    let mut stream = client.send("GET /mcp", "").await;
    stream.head().await;
    assert_eq!(client.end().await.status, 204);
    assert!(!served.mark.alive().iter().any(|line| line.contains("sleep 1000")));
    stream.closed().await;
    assert_eq!(client.reply("GET /mcp", "").await.status, 404);
    assert_eq!(client.end().await.status, 404);
    let step = other.call("debug_step", json!({})).await;
    assert!(step.contains("\n#0 main  shop.fake:4\n"), "{step}");
}

/// A killed client: its stream breaks, and nobody sends a request any more.
#[tokio::test]
async fn client_that_does_not_come_back_is_ended() {
    let dir = tempfile::tempdir().unwrap();
    let config = format!("limits.http_lost_s = 1\n{TOOLS}");
    let served = shop(dir.path(), &config, &["--trust"]).await;
    let client = debugging(&served).await;
    let mut stream = client.send("GET /mcp", "").await;
    stream.head().await;
    drop(stream);
    served.mark.only_host(LEFT_NOTHING).await;
    assert_eq!(client.reply("GET /mcp", "").await.status, 404);
}

/// Killed between its calls, or it never opened a stream: nobody sends a request any more.
#[tokio::test]
async fn client_without_a_stream_is_ended_as_well() {
    let dir = tempfile::tempdir().unwrap();
    let config = format!("limits.http_lost_s = 1\n{TOOLS}");
    let served = shop(dir.path(), &config, &["--trust"]).await;
    let client = debugging(&served).await;
    served.mark.only_host(LEFT_NOTHING).await;
    assert_eq!(client.reply("GET /mcp", "").await.status, 404);
}

/// Requests that name no client are those of one.
#[tokio::test]
async fn sessions_without_a_client_end_as_well() {
    let dir = tempfile::tempdir().unwrap();
    let config = format!("limits.http_lost_s = 1\n{TOOLS}");
    let mut served = shop(dir.path(), &config, &["--trust"]).await;
    for name in ["fake-1", "fake-2"] {
        let run = call_alone(&served, "debug_launch", running()).await;
        assert!(run.starts_with("▶ running"), "{run}");
        served.logs("nobody uses the sessions of the host").await;
        served.mark.only_host(LEFT_NOTHING).await;
        let wait = json!({"session": name, "timeout_s": 50});
        let end = call_alone(&served, "debug_wait", wait).await;
        assert!(end.starts_with(&format!("□ ended; no process is left · {name} · ")), "{end}");
    }
}

/// One that polls after its end keeps nothing of others.
#[tokio::test]
async fn client_that_has_ended_does_not_keep_the_sessions_of_the_host() {
    let dir = tempfile::tempdir().unwrap();
    let config = format!("limits.http_lost_s = 1\n{TOOLS}");
    let mut served = shop(dir.path(), &config, &["--trust"]).await;
    let client = served.client().await;
    assert_eq!(client.end().await.status, 204);
    let run = call_alone(&served, "debug_launch", running()).await;
    assert!(run.starts_with("▶ running"), "{run}");
    let ping = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}";
    let polls = async {
        loop {
            assert_eq!(client.reply("POST /mcp", ping).await.status, 404);
        }
    };
    tokio::select! {
        () = polls => unreachable!(),
        () = served.logs("nobody uses the sessions of the host") => {}
    }
    served.mark.only_host(LEFT_NOTHING).await;
}

/// It is idle for longer than both limits.
#[tokio::test]
async fn client_with_a_stream_keeps_its_program() {
    let dir = tempfile::tempdir().unwrap();
    let config = format!("limits.http_lost_s = 2\nlimits.http_idle_s = 2\n{TOOLS}");
    let mut served = shop(dir.path(), &config, &["--trust"]).await;
    let client = served.client().await;
    let mut stream = client.send("GET /mcp", "").await;
    stream.head().await;
    let run = client.call("debug_launch", running()).await;
    assert!(run.starts_with("▶ running"), "{run}");
    let idle = served.client().await;
    served.logs("a client has gone").await;
    let ping = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}";
    assert_eq!(idle.reply("POST /mcp", ping).await.status, 404);
    let status = client.call("debug_status", json!({})).await;
    assert!(status.contains("running"), "{status}");
}

/// It asks for the answer later than both limits.
#[tokio::test]
async fn client_with_a_task_keeps_its_program() {
    let dir = tempfile::tempdir().unwrap();
    let config = format!("limits.http_lost_s = 2\nlimits.http_idle_s = 2\n{TOOLS}");
    let mut served = shop(dir.path(), &config, &["--trust"]).await;
    let client = debugging(&served).await;
    let knows_tasks = json!({"io.modelcontextprotocol/clientCapabilities": {
        "extensions": {"io.modelcontextprotocol/tasks": {}},
    }});
    let call = json!({
        "name": "debug_wait", "arguments": {"timeout_s": 50}, "_meta": knows_tasks,
    });
    let task = client.request("tools/call", call).await;
    assert_eq!(task["status"], "working", "{task}");
    served.client().await;
    served.logs("a client has gone").await;
    let status = client.call("debug_status", json!({})).await;
    assert!(status.contains("running"), "{status}");
}

/// A program that says in a file that it was ended and not killed.
fn polite(file: &Path) -> Value {
    let script = json!({"program": [{"line": 1, "hangs": true}]});
    let debuggee = format!("trap 'echo ended > {}; exit' TERM; sleep 1000 & wait", file.display());
    let options = json!({"script": script, "debuggee": debuggee});
    json!({"program": "shop.fake", "options": options, "timeout_s": 1})
}

/// The server itself ends the sessions; its guard, which kills, is for one that is killed.
#[tokio::test]
async fn server_that_ends_leaves_nothing() {
    for (signal, code) in [(Signal::TERM, Some(0)), (Signal::INT, Some(0)), (Signal::KILL, None)] {
        let dir = tempfile::tempdir().unwrap();
        let mut served = shop(dir.path(), TOOLS, &["--trust"]).await;
        let client = served.client().await;
        let file = dir.path().join("ended");
        let run = client.call("debug_launch", polite(&file)).await;
        assert!(run.starts_with("▶ running"), "{run}");
        served.mark.wait_for_process("sleep 1000").await;
        let mut stream = client.send("GET /mcp", "").await;
        stream.head().await;
        served.client().await.call("debug_launch", launch(dir.path(), &[3, 4])).await;
        served.signal(signal);
        let (ended, output, log) = served.exits().await;
        assert_eq!((ended, output.as_str()), (code, ""), "{signal:?}: {log:?}");
        served.mark.wait_until_gone(LEFT_NOTHING, &format!("{signal:?}")).await;
        assert_eq!(file.exists(), code.is_some(), "{signal:?}");
        stream.closed().await;
    }
}
