//! Requests that nobody should send: each has its status, reaches no session and costs no memory.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::super::faked;
use super::{launch, shop};
use crate::caller::http::{Served, about};
use crate::caller::{PATIENCE, private_directories};

/// Bytes that a host may take for all of an attack.
const MEMORY: u64 = 24 << 20;

#[tokio::test]
async fn wrong_requests_are_refused_and_touch_no_session() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    let client = served.client().await;
    client.call("debug_launch", launch(dir.path(), &[3, 4])).await;
    let stop = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "debug_stop", "arguments": {"all": true}},
    });
    let stop = stop.to_string();
    let port = served.address.rsplit_once(':').unwrap().1;
    let wrong_port = format!("127.0.0.1:{}", port.parse::<u16>().unwrap() ^ 1);
    let rebound = format!("evil:{port}");
    let foreign = format!("http://{rebound}");
    let mut guessed = client.id.clone();
    let last = if guessed.ends_with('0') { "1" } else { "0" };
    guessed.replace_range(guessed.len() - 1.., last);
    let short = format!("Bearer {}", &served.token[1..]);
    let long = format!("Bearer {}0", served.token);
    let id = client.id.as_str();
    for (what, line, changes, body, status) in [
        ("rebound name", "POST /mcp", vec![("host", &*rebound)], &*stop, 403),
        ("other host", "POST /mcp", vec![("host", "evil")], &stop, 403),
        ("other port", "POST /mcp", vec![("host", &*wrong_port)], &stop, 403),
        ("no host", "POST /mcp", vec![("host", "")], &stop, 400),
        ("absolute form", "POST http://evil/mcp", vec![], &stop, 403),
        ("foreign page", "POST /mcp", vec![("origin", &*foreign)], &stop, 403),
        ("opaque page", "POST /mcp", vec![("origin", "null")], &stop, 403),
        ("no token", "POST /mcp", vec![("authorization", "")], &stop, 401),
        ("short token", "POST /mcp", vec![("authorization", &*short)], &stop, 401),
        ("long token", "POST /mcp", vec![("authorization", &*long)], &stop, 401),
        ("empty token", "POST /mcp", vec![("authorization", "Bearer ")], &stop, 401),
        ("token of another kind", "POST /mcp", vec![("authorization", "Basic eDp5")], &stop, 401),
        ("token in the URL", "POST /mcp?token=x", vec![("authorization", "")], &stop, 401),
        ("guessed id", "POST /mcp", vec![("mcp-session-id", &*guessed)], &stop, 404),
        ("guessed id", "GET /mcp", vec![("mcp-session-id", &*guessed)], "", 404),
        ("guessed id", "DELETE /mcp", vec![("mcp-session-id", &*guessed)], "", 404),
        ("no id", "POST /mcp", vec![("mcp-session-id", "")], &stop, 400),
        ("no id", "GET /mcp", vec![("mcp-session-id", "")], "", 400),
        ("no id", "DELETE /mcp", vec![("mcp-session-id", "")], "", 400),
        ("version", "POST /mcp", vec![("mcp-protocol-version", "1999-01-01")], &stop, 400),
        ("version", "DELETE /mcp", vec![("mcp-protocol-version", "1999-01-01")], "", 400),
        ("form", "POST /mcp", vec![("content-type", "text/plain")], &stop, 415),
        ("answer", "POST /mcp", vec![("accept", "text/html")], &stop, 406),
        ("method", "PUT /mcp", vec![], &stop, 405),
        ("old transport", "GET /sse", vec![], "", 404),
        ("old transport", "POST /messages", vec![], &stop, 404),
        ("no message", "POST /mcp", vec![], "[1", 400),
        ("no message", "POST /mcp", vec![], "[]", 400),
    ] {
        let mut headers = vec![("mcp-session-id", id), ("mcp-protocol-version", "2025-06-18")];
        headers.extend(changes);
        let reply = served.sender().reply(line, &headers, body).await;
        assert_eq!(reply.status, status, "{what}: {line} {headers:?}: {reply:?}");
        if status == 401 {
            assert_eq!(reply.headers["www-authenticate"], "Bearer", "{what}");
        }
        if line.contains("/sse") {
            assert!(reply.body.contains("streamable HTTP at /mcp"), "{}", reply.body);
        }
    }
    let step = client.call("debug_step", json!({})).await;
    assert!(step.contains("\n#0 main  shop.fake:4\n"), "{step}");
}

/// What is read in vain: a declared gigabyte, endless headers, half of a head, half of a body.
#[tokio::test]
async fn huge_and_half_requests_end() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    let client = served.client().await;
    let before = served.memory();
    let huge = served.sender().reply("POST /mcp", &[("content-length", "1073741824")], "").await;
    assert_eq!(huge.status, 413, "{huge:?}");
    let many: String = (0..5000).map(|i| format!("x-{i}: y\r\n")).collect();
    let line = format!("GET /mcp HTTP/1.1\r\n{many}x: y");
    let mut flood = served.sender().send(&line, &[], "").await;
    assert_eq!(flood.head().await.status, 431);
    let mut half = served.sender().send("POST /mcp", &[("content-length", "100")], "half").await;
    let mut half_head = TcpStream::connect(&served.address).await.unwrap();
    half_head.write_all(b"POST /mcp HTTP/1.1\r\nho").await.unwrap();
    let silent = TcpStream::connect(&served.address).await.unwrap();
    let (head, first, second) = tokio::join!(half.head(), rest(half_head), rest(silent));
    assert_eq!((first.as_str(), second.as_str()), ("", ""));
    assert_eq!(head.status, 408, "{head:?}");
    half.closed().await;
    assert!(served.memory() < before + MEMORY, "{before} {}", served.memory());
    client.call("debug_status", json!({})).await;
}

/// What the host sends before it closes a connection.
async fn rest(mut stream: TcpStream) -> String {
    let mut text = String::new();
    let end = stream.read_to_string(&mut text);
    drop(tokio::time::timeout(PATIENCE, end).await.expect("the connection stays open"));
    text
}

/// Most are refused at once; those that are served end, and then there is room again.
#[tokio::test]
async fn ten_thousand_connections_are_refused_or_end() {
    const CONNECTIONS: usize = 10_000;
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    let client = served.client().await;
    let before = served.memory();
    let (mut open, mut refused) = (Vec::new(), 0);
    for _ in 0..CONNECTIONS / 100 {
        let mut some = Vec::new();
        for _ in 0..100 {
            some.push(TcpStream::connect(&served.address).await.unwrap());
        }
        for stream in some {
            let mut start = [0; 12];
            match stream.try_read(&mut start) {
                Ok(12) if &start == b"HTTP/1.1 503" => refused += 1,
                _ => open.push(stream),
            }
        }
    }
    let mut ended = 0;
    for text in futures_util::future::join_all(open.into_iter().map(rest)).await {
        if text.is_empty() {
            ended += 1;
        } else {
            assert!(text.starts_with("HTTP/1.1 503 "), "{text}");
            refused += 1;
        }
    }
    assert_eq!(refused + ended, CONNECTIONS);
    assert!(refused > CONNECTIONS / 2, "{ended} were served");
    assert!(served.memory() < before + MEMORY, "{before} {}", served.memory());
    client.call("debug_status", json!({})).await;
}

/// The events of long answers are stored for a stream that a client resumes.
#[tokio::test]
async fn answers_that_were_read_take_bounded_memory() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &[]).await;
    let client = served.client().await;
    client.call("debug_launch", launch(dir.path(), &[3, 4])).await;
    let long = format!("{}\n", "x".repeat(999)).repeat(1000);
    std::fs::write(dir.path().join("long.fake"), &long).unwrap();
    let read = json!({"uri": "debug://session/fake-1/source/long.fake"});
    let first = client.request("resources/read", read.clone()).await.to_string();
    assert!(first.len() > long.len(), "{first}");
    let before = served.memory();
    for _ in 0..100 {
        client.request("resources/read", read.clone()).await;
    }
    assert!(served.memory() < before + MEMORY, "{before} {}", served.memory());
}

/// One that nobody uses makes room; else the next client is refused.
#[tokio::test]
async fn number_of_clients_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "limits.http_clients = 2", &[]).await;
    let (one, unused) = (served.client().await, served.client().await);
    one.call("debug_launch", launch(dir.path(), &[3, 4])).await;
    let third = served.client().await;
    assert_eq!(
        unused
            .reply("POST /mcp", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}")
            .await
            .status,
        404
    );
    third.call("debug_launch", launch(dir.path(), &[5, 6])).await;
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about()});
    let refused = served.sender().reply("POST /mcp", &[], &first.to_string()).await;
    assert_eq!((refused.status, refused.headers.get("mcp-session-id")), (503, None), "{refused:?}");
    let step = one.call("debug_step", json!({})).await;
    assert!(step.contains("\n#0 main  shop.fake:4\n"), "{step}");
}

#[tokio::test]
async fn without_a_token_the_other_checks_stay() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &["--no-token"]).await;
    let every = "dapdock: no token: every program of this machine can run programs as you";
    assert_eq!((served.token.as_str(), served.printed[1].as_str()), ("", every));
    served.client().await.call("debug_status", json!({})).await;
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about()});
    let rebound = format!("evil:{}", served.address.rsplit_once(':').unwrap().1);
    for (changes, status) in [([("host", &*rebound)], 403), ([("origin", "http://evil")], 403)] {
        let reply = served.sender().reply("POST /mcp", &changes, &first.to_string()).await;
        assert_eq!(reply.status, status, "{changes:?}: {reply:?}");
    }
}

/// The token of a file is not printed; the file must be private.
#[tokio::test]
async fn token_of_a_file_stays() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("token");
    let token = "a-token-of-the-user-in-a-private-file";
    std::fs::write(&file, format!("{token}\n")).unwrap();
    let flags = ["--token-file", file.to_str().unwrap()];
    let mode = |mode| std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
    mode(0o640);
    let (code, errors) = serve(&flags).await;
    assert_eq!(code, Some(1), "{errors}");
    let why = "other users may use the file (mode 640); run chmod 600 on it";
    assert_eq!(errors.trim_end(), format!("dapdock: no token in {}: {why}", file.display()));
    mode(0o600);
    let config = faked::configure(dir.path());
    for (flags, environment) in
        [(&flags[..], vec![]), (&[], vec![("DAPDOCK_TOKEN_FILE", file.clone())])]
    {
        let mut served = Served::with(dir.path(), &config, flags, &environment).await;
        let line = "clients send `Authorization: Bearer TOKEN` with the token in";
        assert_eq!(served.printed[1], format!("dapdock: {line} {}", file.display()));
        let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about()});
        served.token = token[1..].to_owned();
        let reply = served.sender().reply("POST /mcp", &[], &first.to_string()).await;
        assert_eq!(reply.status, 401, "{reply:?}");
        served.token = token.to_owned();
        served.client().await.call("debug_status", json!({})).await;
    }
}

/// As one that is not set.
#[tokio::test]
async fn empty_variable_names_no_file_with_a_token() {
    let dir = tempfile::tempdir().unwrap();
    let config = faked::configure(dir.path());
    let none = [("DAPDOCK_TOKEN_FILE", PathBuf::new())];
    let served = Served::with(dir.path(), &config, &[], &none).await;
    assert_eq!(served.token.len(), 64, "{:?}", served.printed);
}

/// The exit code and the errors of a server that does not start.
#[expect(clippy::disallowed_methods, reason = "the host is what is tested")]
async fn serve(flags: &[&str]) -> (Option<i32>, String) {
    let output = tokio::process::Command::new(env!("CARGO_BIN_EXE_dapdock"))
        .arg("serve")
        .args(flags)
        .envs(private_directories())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, output).await.expect("it ends").unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[tokio::test]
async fn other_machines_need_a_token() {
    let dir = tempfile::tempdir().unwrap();
    let served = shop(dir.path(), "", &["--listen", "0.0.0.0"]).await;
    let warning = "dapdock: other machines can connect: everybody who has the token can run \
        programs as you, and nothing is encrypted";
    assert_eq!((served.token.len(), served.printed[2].as_str()), (64, warning));
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about()});
    let wrong = format!("Bearer {}", "0".repeat(64));
    for value in ["", &wrong] {
        let changes = [("authorization", value)];
        let refused = served.sender().reply("POST /mcp", &changes, &first.to_string()).await;
        assert_eq!(refused.status, 401, "{refused:?}");
    }
    served.client().await.call("debug_status", json!({})).await;
    let (code, errors) = serve(&["--listen", "0.0.0.0", "--no-token"]).await;
    assert_eq!(code, Some(1), "{errors}");
    assert!(errors.contains("leave out --no-token, or --listen 0.0.0.0"), "{errors}");
}
