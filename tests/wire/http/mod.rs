//! `dapdock serve` with the fake adapter: the same words as over stdio, clients apart and together,
//! and their ends.

mod attacks;
mod endings;
mod terminal;

use std::path::Path;

use serde_json::{Value, json};

use super::faked;
use crate::caller::http::Served;
use crate::caller::{Caller, Start};
pub(super) use terminal::serve as served;

/// A server in a directory with `shop.fake`, whose lines in `config` come first.
async fn shop(dir: &Path, config: &str, flags: &[&str]) -> Served {
    let file = faked::configure(dir);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{config}\n{text}")).unwrap();
    faked::write(&dir.join("shop.fake"));
    Served::start(dir, flags).await
}

/// A launch that stops at each of the lines.
pub(super) fn launch(dir: &Path, lines: &[u32]) -> Value {
    let program: Vec<Value> = lines.iter().map(|line| json!({"line": line})).collect();
    let first = format!("shop.fake:{}", lines[0]);
    let source = dir.canonicalize().unwrap().join("shop.fake");
    let options = json!({"script": {"program": program, "source": source}});
    json!({"program": "shop.fake", "breakpoints": [first], "options": options, "timeout_s": 50})
}

/// A stop without its time.
fn timeless(stop: &str) -> String {
    let (first, rest) = stop.split_once('\n').unwrap_or((stop, ""));
    let (first, time) = first.rsplit_once(" · ").unwrap_or((first, ""));
    assert!(time.ends_with('s') && time.starts_with(|c: char| c.is_ascii_digit()), "{stop}");
    format!("{first}\n{rest}")
}

/// Calls a tool as MCP from 2026-07-28 on, without a handshake.
async fn call_alone(served: &Served, tool: &str, arguments: Value) -> String {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let headers =
        [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", tool)];
    let reply = served.sender().reply("POST /mcp", &headers, &body.to_string()).await;
    assert_eq!((reply.status, reply.headers.get("mcp-session-id")), (200, None), "{reply:?}");
    let last = reply.messages().pop().unwrap();
    last["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{last}")).to_owned()
}

/// The line of the README, with a free port.
#[tokio::test]
async fn serves_as_the_readme_says() {
    let readme = include_str!("../../../README.md");
    let line = readme.lines().find(|line| line.starts_with("dapdock serve ")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    faked::configure(dir.path());
    let free = line.replace("8123", "0");
    let served = Served::start(dir.path(), &free.split(' ').skip(2).collect::<Vec<_>>()).await;
    assert!(served.address.starts_with("127.0.0.1:") && served.token.len() == 64);
    served.client().await.call("debug_status", json!({})).await;
}

/// With the tools that flags choose.
#[tokio::test]
async fn answers_are_those_of_stdio_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let flags = ["--toolsets=default,raw", "--exclude-tools=debug_set"];
    let served = shop(&root, "", &flags).await;
    let config = root.join("dapdock.toml");
    let start = Start { cwd: root.clone(), config, flags: flags.to_vec(), ..Start::usual() };
    let mut stdio = Caller::spawn(start);
    let about = stdio.initialize().await;
    let client = served.client().await;
    assert_eq!(client.about.to_string(), about.to_string());
    let names = client.request("tools/list", json!({})).await.to_string();
    assert!(names.contains("\"dap_request\"") && !names.contains("\"debug_set\""), "{names}");
    for method in ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] {
        let last_request = stdio.send(method, json!({})).await;
        let theirs = stdio.reply(last_request).await["result"].to_string();
        assert_eq!(client.request(method, json!({})).await.to_string(), theirs, "{method}");
    }
    let mut check = async |tool: &str, arguments: Value, is_timed: bool| {
        let ours = client.call(tool, arguments.clone()).await;
        let theirs = stdio.call(tool, arguments).await.text;
        if is_timed {
            assert_eq!(timeless(&ours), timeless(&theirs), "{tool}");
        } else {
            assert_eq!(ours, theirs, "{tool}");
        }
    };
    check("debug_step", json!({}), false).await;
    check("debug_launch", json!({"program": "missing.fake"}), false).await;
    check("debug_launch", launch(dir.path(), &[3, 5, 7]), true).await;
    check("debug_step", json!({}), true).await;
    check("debug_breakpoints", json!({"set": ["shop.fake:7 if total > 1"]}), false).await;
    check("debug_variables", json!({}), false).await;
    check("debug_stack", json!({"frames": 3}), false).await;
    check("debug_stop", json!({}), true).await;
}

#[tokio::test]
async fn clients_have_sessions_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    let (one, other) = (served.client().await, served.client().await);
    assert_ne!(one.id, other.id);
    let (first, second) = tokio::join!(
        one.call("debug_launch", launch(dir.path(), &[3, 4])),
        other.call("debug_launch", launch(dir.path(), &[5, 6]))
    );
    assert!(
        first.contains(" · fake-1 · ") && first.contains("\n#0 main  shop.fake:3\n"),
        "{first}"
    );
    assert!(second.contains(" · fake-1 · ") && second.contains("  shop.fake:5\n"), "{second}");
    let (first, second) =
        tokio::join!(one.call("debug_step", json!({})), other.call("debug_stack", json!({})));
    assert!(first.contains("shop.fake:4") && second.contains("shop.fake:5"), "{first}\n{second}");
    one.call("debug_stop", json!({})).await;
    let still = other.call("debug_step", json!({})).await;
    assert!(still.contains("\n#0 main  shop.fake:6\n"), "{still}");
    let status = one.call("debug_status", json!({})).await;
    assert!(!status.contains("shop.fake:6"), "{status}");
}

#[tokio::test]
async fn clients_share_sessions_on_request() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &["--shared"]).await;
    let (one, other) = (served.client().await, served.client().await);
    one.call("debug_launch", launch(dir.path(), &[3, 4])).await;
    assert_eq!(one.end().await.status, 204);
    let step = other.call("debug_step", json!({})).await;
    assert!(step.contains("\n#0 main  shop.fake:4\n"), "{step}");
}

/// They end as if they had none.
#[tokio::test]
async fn clients_that_share_sessions_do_not_wait_for_them() {
    let dir = tempfile::tempdir().unwrap();
    let config = "limits.http_idle_s = 2\nlimits.http_clients = 1";
    let mut served = shop(dir.path(), config, &["--shared"]).await;
    let one = served.client().await;
    one.call("debug_launch", launch(dir.path(), &[3, 4])).await;
    // It makes room.
    let other = served.client().await;
    let stack = other.call("debug_stack", json!({})).await;
    assert!(stack.contains("shop.fake:3"), "{stack}");
    served.logs("a client ended").await;
    served.logs("a client has gone").await;
    let third = served.client().await;
    let step = third.call("debug_step", json!({})).await;
    assert!(step.contains("\n#0 main  shop.fake:4\n"), "{step}");
}

/// From 2026-07-28 on.
#[tokio::test]
async fn requests_without_a_handshake_have_the_sessions_of_the_host() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    call_alone(&served, "debug_launch", launch(dir.path(), &[3, 4])).await;
    let step = call_alone(&served, "debug_step", json!({})).await;
    assert!(step.contains("\n#0 main  shop.fake:4\n"), "{step}");
    let client = served.client().await;
    let none = client.call("debug_step", json!({})).await;
    assert!(none.starts_with("error[no-session]"), "{none}");
}

#[tokio::test]
async fn notifications_come_by_the_stream_of_their_client() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    let (one, other) = (served.client().await, served.client().await);
    let mut streams = [one.send("GET /mcp", "").await, other.send("GET /mcp", "").await];
    for stream in &mut streams {
        assert_eq!(stream.head().await.headers["content-type"], "text/event-stream");
    }
    other.call("debug_launch", launch(dir.path(), &[5, 6])).await;
    one.call("debug_launch", launch(dir.path(), &[3, 4])).await;
    let [mut own, mut others] = streams;
    let seen = own.until("debugger/breakpointHit").await;
    assert!(seen.contains("\"line\":3") && !seen.contains("\"line\":5"), "{seen}");
    let seen = others.until("debugger/breakpointHit").await;
    assert!(seen.contains("\"line\":5"), "{seen}");
}

/// Each has a level of its own, and records of its own sessions and of the host only.
#[tokio::test]
async fn log_records_stay_with_their_client() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    let (one, other) = (served.client().await, served.client().await);
    // Its next session is the third.
    for _ in 0..2 {
        one.call("debug_launch", launch(dir.path(), &[3])).await;
    }
    let mut stream = one.send("GET /mcp", "").await;
    stream.head().await;
    one.request("logging/setLevel", json!({"level": "debug"})).await;
    other.request("logging/setLevel", json!({"level": "error"})).await;
    other.call("debug_launch", launch(dir.path(), &[5])).await;
    one.call("debug_launch", launch(dir.path(), &[3])).await;
    let seen = stream.until("phase session=fake-3").await;
    assert!(!seen.contains("phase session=fake-1"), "{seen}");
    assert!(seen.contains("guest call plugin="), "{seen}");
}

/// A client that has lost the connection of a call gets the answer by another one: whether it is
/// made before or after.
#[tokio::test]
async fn broken_stream_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    for ends_first in [true, false] {
        let client = served.client().await;
        let script = json!({"script": {"program": [{"line": 3, "hangs": true}]}});
        let start = json!({"program": "shop.fake", "options": script, "timeout_s": 1});
        client.call("debug_launch", start).await;
        let params = json!({"name": "debug_wait", "arguments": {"timeout_s": 50}});
        let wait = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
        let mut broken = client.send("POST /mcp", &wait.to_string()).await;
        let mut reply = broken.head().await;
        reply.body = broken.part().await;
        let last = reply.ids().pop().unwrap().to_owned();
        drop(broken);
        let headers = [
            ("mcp-session-id", client.id.as_str()),
            ("mcp-protocol-version", "2025-06-18"),
            ("last-event-id", last.as_str()),
        ];
        let end = async || {
            let answer = client.call("debug_stop", json!({})).await;
            assert!(answer.contains("□ ended"), "{answer}");
        };
        if ends_first {
            end().await;
        }
        let mut resumed = served.sender().send("GET /mcp", &headers, "").await;
        assert_eq!(resumed.head().await.status, 200);
        if !ends_first {
            end().await;
        }
        let answer = resumed.until("\"id\":7").await;
        assert!(answer.contains("□ ended"), "{ends_first} {answer}");
        assert_eq!(resumed.part().await, "", "the answer is the end");
    }
}
