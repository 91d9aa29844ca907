//! Connections to a mirror: who may join, and what ends one.

use super::*;

#[tokio::test]
async fn second_editor_and_second_mirror_are_refused() {
    let joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut first = Editor::joined(mirror.port).await;
    first.expect("stopped").await;
    let mut second = Editor::connect(mirror.port).await;
    second.request("initialize", json!({})).await.unwrap();
    let refused = second.request("attach", json!({})).await.unwrap_err();
    let cause =
        "error[editor-joined] an editor has joined fake-1 already; it has to disconnect first";
    assert_eq!(refused, cause);
    let refused = second.request("threads", json!({})).await.unwrap_err();
    assert_eq!(refused, "error[not-attached] `threads` comes before `attach`");
    let other = joined.shell.run(&["mirror"]).await;
    let place =
        format!("error[mirrored] fake-1 has a mirror already, at 127.0.0.1:{}", mirror.port);
    assert!(other.err.starts_with(&place), "{other:?}");
    let other = joined.shell.run(&["mirror", "--port", &mirror.port.to_string()]).await;
    assert!(
        other.err.starts_with("error[mirror-port] no mirror can listen on 127.0.0.1:"),
        "{other:?}"
    );
    drop(first);
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    second.request("attach", json!({})).await.unwrap();
    second.expect("initialized").await;
}

/// An editor starts again once its `disconnect` is answered.
#[tokio::test]
async fn answer_to_disconnect_makes_room_for_the_next_editor() {
    let slow = json!({"faults": [{"on": "setBreakpoints", "late": 300}]});
    let joined = Joined::with(four(), slow, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut first = Editor::attached(mirror.port).await;
    let lines = json!({"source": {"path": joined.shell.source()}, "breakpoints": [{"line": 7}]});
    first.request("setBreakpoints", lines).await.unwrap();
    first.request("disconnect", json!({"restart": true})).await.unwrap();
    let mut second = Editor::joined(mirror.port).await;
    second.expect("stopped").await;
    first.closed().await;
}

/// Bytes that are no DAP message end their connection, also where a message follows: a page of a
/// browser can send such.
#[tokio::test]
async fn other_bytes_end_their_connection() {
    let mut joined = Joined::start(four(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let attach = [message("initialize", 1), message("attach", 2)].concat();
    let page = format!("POST / HTTP/1.1\r\nHost: localhost\r\n{attach}");
    let huge = "Content-Length: 99999999999\r\n\r\n".to_owned();
    let long = "x".repeat(100_000);
    let broken = "Content-Length: 5\r\n\r\n{{{{{".to_owned();
    let list = "Content-Length: 2\r\n\r\n[]".to_owned();
    for bytes in [page, huge, long, broken, "\0\u{1}\n".to_owned(), list] {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, mirror.port)).await.unwrap();
        // It may end before it has read all.
        drop(stream.write_all(bytes.as_bytes()).await);
        let mut answer = Vec::new();
        let end = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
        drop(end.expect("an end"));
        assert!(answer.is_empty(), "{}", String::from_utf8_lossy(&answer));
    }
    // The session and the mirror are whole.
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    assert!(!joined.agent.call("debug_step", json!({})).await.is_error);
}

/// A DAP message as bytes.
fn message(command: &str, seq: u32) -> String {
    let body = json!({"seq": seq, "type": "request", "command": command}).to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// What a client reads that runs with these words in front, sends messages, and does `then`.
#[expect(clippy::disallowed_methods, reason = "another user is what is tested")]
async fn read_by(front: &[&str], port: u16, messages: &str, then: &str) -> String {
    let script = format!(r#"exec 3<>/dev/tcp/127.0.0.1/$0 && printf '%s' "$1" >&3 && {then}"#);
    let words = [front, &["bash", "-c", &script]].concat();
    let mut command = tokio::process::Command::new(words[0]);
    command.args(&words[1..]).arg(port.to_string()).arg(messages).kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, command.output()).await.expect("an end").unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a client as another user, which only root can.
const OTHER: [&str; 4] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/// Root may become another user; others skip the test.
#[expect(clippy::disallowed_macros, reason = "a skipped test says so where tests speak")]
fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        println!("skipped: only root can connect as another user");
    }
    is_root
}

#[tokio::test]
async fn connection_of_another_user_is_closed() {
    if !is_root() {
        return;
    }
    let joined = Joined::start(four(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let (disconnect, read) = (message("disconnect", 1), "cat <&3");
    assert_eq!(read_by(&OTHER, mirror.port, &disconnect, read).await, "");
    let own = read_by(&[], mirror.port, &disconnect, read).await;
    assert!(own.contains(r#""success":true,"command":"disconnect""#), "{own}");
}

/// The kernel gives a closed connection to root, who may serve the mirror: what its client has sent
/// before is not read.
#[tokio::test]
async fn connection_that_another_user_has_closed_is_not_read() {
    if !is_root() {
        return;
    }
    let joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    // As many as are served at once: the next one waits until it is closed.
    let mut idle = Vec::new();
    for _ in 0..8 {
        idle.push(TcpStream::connect((Ipv4Addr::LOCALHOST, mirror.port)).await.unwrap());
    }
    let attach = [message("initialize", 1), message("attach", 2)].concat();
    let sent = read_by(&OTHER, mirror.port, &attach, "exec 3>&- && echo sent").await;
    assert_eq!(sent, "sent\n");
    drop(idle);
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    mirror.says("Ed has joined").await;
}

/// A connection that never attaches takes no editor's place, and ends.
#[tokio::test]
async fn half_open_connections_leave_room_for_an_editor() {
    let shell = with_limits("initialize_s = 2");
    let joined = Joined::on(shell, four(), json!({}), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut idle = Vec::new();
    for _ in 0..7 {
        idle.push(TcpStream::connect((Ipv4Addr::LOCALHOST, mirror.port)).await.unwrap());
    }
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    // More wait for the end of these, and are not served meanwhile.
    for _ in 0..7 {
        idle.push(TcpStream::connect((Ipv4Addr::LOCALHOST, mirror.port)).await.unwrap());
    }
    editor.request("next", json!({"threadId": 1})).await.unwrap();
    for mut stream in idle {
        let end = tokio::time::timeout(PATIENCE, stream.read(&mut [0])).await;
        assert_eq!(end.expect("an end").unwrap(), 0);
    }
}

/// A host that may open no more files accepts editors again once it may.
#[tokio::test]
async fn mirror_outlives_a_lack_of_files() {
    let joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let host = Pid::from_raw(joined.agent.pid().cast_signed());
    let few = Rlimit { current: Some(1), ..getrlimit(Resource::Nofile) };
    let usual = prlimit(host, Resource::Nofile, few).unwrap();
    let mut editor = Editor::connect(mirror.port).await;
    mirror.says("no editor can connect now: Too many open files (os error 24)").await;
    prlimit(host, Resource::Nofile, usual).unwrap();
    editor.request("initialize", json!({"clientName": "Ed"})).await.unwrap();
    editor.request("attach", json!({})).await.unwrap();
    mirror.says("Ed has joined").await;
}
