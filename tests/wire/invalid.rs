//! Lines that are no valid message, and messages before `initialize`: each is answered as JSON-RPC
//! 2.0 says, and the connection goes on.

use std::path::PathBuf;

use dapdock::limits::Limits;
use serde_json::{Value, json};

use crate::caller::{Caller, Start};

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const INVALID_PARAMS: i64 = -32602;
const METHOD_NOT_FOUND: i64 = -32601;

/// The code and the id of an error; `None`: no answer.
type Answer = Option<(i64, Value)>;

/// Sends a line and then a ping, and reads until both are answered, in any order. An answer where
/// none is expected comes before the ping's, or is taken for that of the next line.
async fn check_line(caller: &mut Caller, line: &[u8], expected: &Answer) {
    caller.write_bytes(line).await;
    caller.write_bytes(b"\n{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}\n").await;
    let start = String::from_utf8_lossy(&line[..line.len().min(200)]);
    let (mut pinged, mut answer) = (false, None);
    while !pinged || (expected.is_some() && answer.is_none()) {
        let message = caller.read().await.expect("the host goes on");
        if message["id"] == "ping" {
            assert_eq!(message["result"], json!({}), "{message}");
            pinged = true;
            continue;
        }
        assert!(answer.is_none(), "{start}: a second answer: {message}");
        assert!(message.as_object().unwrap().contains_key("id"), "{message}");
        assert!(message["error"]["message"].is_string(), "{message}");
        answer = Some((message["error"]["code"].as_i64().unwrap(), message["id"].clone()));
    }
    assert_eq!(&answer, expected, "{start}");
}

/// Lines that are wrong in every phase of a connection.
fn invalid_lines() -> Vec<(&'static [u8], Answer)> {
    let parse = |id: Value| Some((PARSE_ERROR, id));
    let invalid = |id: Value| Some((INVALID_REQUEST, id));
    vec![
        (b"", None),
        (b" \r", None),
        (b"hello", parse(Value::Null)),
        (b"{", parse(Value::Null)),
        (b"\xff\xfe", parse(Value::Null)),
        (b"{'id': 1}", parse(Value::Null)),
        // The id is known though the rest is not JSON.
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"#, parse(json!(7))),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}}"#, parse(json!(7))),
        (
            br#"{"params":{"x":1e400},"method":"tools/list","id":"a","jsonrpc":"2.0"}"#,
            parse(json!("a")),
        ),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"x":"\ud800"}}"#,
            parse(json!(7)),
        ),
        (
            b"{\"params\":{\"x\":\"\xff\"},\"method\":\"tools/list\",\"jsonrpc\":\"2.0\",\"id\":7}",
            parse(json!(7)),
        ),
        (br#"{"jsonrpc":"2.0","id":"\ud800","method":"tools/list"}"#, parse(Value::Null)),
        (
            br#"{"jsonrpc":"2.0","method":"notifications/x","params":{"x":1e400}}"#,
            parse(Value::Null),
        ),
        (br#"{"jsonrpc":"2.0","id":7,"result":{"x":1e400}}"#, parse(Value::Null)),
        // JSON, but no message.
        (b"[]", invalid(Value::Null)),
        (br#"[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]"#, invalid(Value::Null)),
        (b"5", invalid(Value::Null)),
        (b"\"hello\"", invalid(Value::Null)),
        (b"null", invalid(Value::Null)),
        (b"true", invalid(Value::Null)),
        (b"{}", invalid(Value::Null)),
        (br#"{"jsonrpc":"2.0"}"#, invalid(Value::Null)),
        (br#"{"jsonrpc":"2.0","id":7}"#, invalid(json!(7))),
        (br#"{"id":7,"method":"tools/list"}"#, invalid(json!(7))),
        (br#"{"jsonrpc":"1.0","id":7,"method":"tools/list"}"#, invalid(json!(7))),
        (br#"{"jsonrpc":2.0,"id":"a","method":"tools/list"}"#, invalid(json!("a"))),
        (br#"{"jsonrpc":"1.0","method":"notifications/initialized"}"#, invalid(Value::Null)),
        (br#"{"jsonrpc":"2.0","id":7,"method":5}"#, invalid(json!(7))),
        (br#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, invalid(Value::Null)),
        (br#"{"jsonrpc":"2.0","id":[1],"method":"tools/list"}"#, invalid(Value::Null)),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#, invalid(Value::Null)),
        (
            br#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"tools/list"}"#,
            invalid(Value::Null),
        ),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","result":{}}"#, invalid(Value::Null)),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}"#, invalid(json!(7))),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"debug_status"}"#,
            invalid(json!(7)),
        ),
        (br#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":5}"#, invalid(json!(7))),
        // Notifications and responses are not answered.
        (br#"{"jsonrpc":"2.0","method":"notifications/x"}"#, None),
        (br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#, None),
        (br#"{"jsonrpc":"2.0","method":"tools/list"}"#, None),
        (br#"{"jsonrpc":"2.0","id":7,"result":{}}"#, None),
        (br#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}"#, None),
        (br#"{"jsonrpc":"2.0","id":7,"error":5}"#, None),
    ]
}

async fn check(caller: &mut Caller, table: Vec<(&'static [u8], Answer)>) {
    for (line, expected) in table {
        check_line(caller, line, &expected).await;
    }
}

async fn works(caller: &mut Caller) {
    let status = caller.call("debug_status", json!({})).await;
    assert!(!status.is_error && status.text.starts_with("no session is open\n"), "{}", status.text);
    assert!(caller.notes.is_empty(), "{:?}", caller.notes);
}

#[tokio::test]
async fn invalid_line_is_answered_with_an_error_and_the_host_goes_on() {
    let mut caller = Caller::start(Start::usual()).await;
    check(&mut caller, invalid_lines()).await;
    works(&mut caller).await;
}

#[tokio::test]
async fn invalid_line_before_initialize_is_answered_with_an_error_and_the_host_goes_on() {
    let mut caller = Caller::spawn(Start::usual());
    check(&mut caller, invalid_lines()).await;
    caller.initialize().await;
    works(&mut caller).await;
}

#[tokio::test]
async fn request_before_initialize_is_refused_and_notification_is_ignored() {
    let mut caller = Caller::spawn(Start::usual());
    let refused = |code: i64| Some((code, json!(7)));
    let table: Vec<(&[u8], Answer)> = vec![
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#, refused(INVALID_REQUEST)),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"debug_status"}}"#,
            refused(INVALID_REQUEST),
        ),
        (br#"{"jsonrpc":"2.0","id":7,"method":"x","params":{}}"#, refused(INVALID_REQUEST)),
        (br#"{"jsonrpc":"2.0","id":7,"method":"initialize"}"#, refused(INVALID_PARAMS)),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":5}}"#,
            refused(INVALID_PARAMS),
        ),
        (br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, None),
        (br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#, None),
    ];
    check(&mut caller, table).await;
    caller.initialize().await;
    works(&mut caller).await;
}

/// Protocol version 2026-07-28 has no `initialize`.
#[tokio::test]
async fn request_that_names_its_version_opens_a_session() {
    let mut caller = Caller::spawn(Start::usual());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    let request = caller.send("tools/list", json!({"_meta": meta})).await;
    let reply = caller.reply(request).await;
    assert!(reply["result"]["tools"].is_array(), "{reply}");
    caller.notify("notifications/cancelled", json!({"requestId": 1})).await;
    let request = caller.send("tools/list", json!({"_meta": meta})).await;
    assert!(caller.reply(request).await["result"]["tools"].is_array());
}

#[tokio::test]
async fn known_method_with_wrong_params_is_refused_by_its_name() {
    let mut caller = Caller::start(Start::usual()).await;
    let refused = |code: i64| Some((code, json!(7)));
    let table: Vec<(&[u8], Answer)> = vec![
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/call"}"#, refused(INVALID_PARAMS)),
        (
            br#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":5}}"#,
            refused(INVALID_PARAMS),
        ),
        (br#"{"jsonrpc":"2.0","id":7,"method":"initialize"}"#, refused(INVALID_PARAMS)),
        (br#"{"jsonrpc":"2.0","id":7,"method":"tools/none"}"#, refused(METHOD_NOT_FOUND)),
    ];
    check(&mut caller, table).await;
    works(&mut caller).await;
}

/// A ping of exactly `bytes` bytes, its id in front or at the end.
fn long_ping(bytes: usize, front: &str, end: &str) -> Vec<u8> {
    let frame = format!(
        r#"{{{front}"jsonrpc":"2.0","method":"ping","params":{{"_meta":{{"x":""}}}}{end}}}"#
    );
    let (before, after) = frame.split_once(r#""""#).unwrap();
    let fill = "x".repeat(bytes - frame.len());
    format!(r#"{before}"{fill}"{after}"#).into_bytes()
}

#[tokio::test]
async fn line_over_the_limit_is_refused_with_its_id_where_that_comes_first() {
    let mut caller = Caller::start(Start::usual()).await;
    let limit = Limits::default().message;
    let longest = long_ping(limit, r#""id":7,"#, "");
    assert_eq!(longest.len(), limit);
    caller.write_bytes(&longest).await;
    caller.write_bytes(b"\n").await;
    let reply = caller.read().await.unwrap();
    assert_eq!((&reply["id"], &reply["result"]), (&json!(7), &json!({})), "{reply}");
    let table = [
        (long_ping(limit + 1, r#""id":7,"#, ""), json!(7)),
        (long_ping(limit + 10, "", r#","id":7"#), Value::Null),
    ];
    for (line, id) in table {
        check_line(&mut caller, &line, &Some((INVALID_REQUEST, id))).await;
    }
    works(&mut caller).await;
}

/// What the host has used at most, in bytes.
fn peak(caller: &Caller) -> usize {
    let path = PathBuf::from(format!("/proc/{}/status", caller.pid()));
    let status = std::fs::read_to_string(path).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[tokio::test]
async fn endless_line_takes_no_more_memory_than_the_limit() {
    let mut caller = Caller::start(Start::usual()).await;
    works(&mut caller).await;
    let before = peak(&caller);
    let part = vec![b'x'; 1 << 20];
    for _ in 0..256 {
        caller.write_bytes(&part).await;
    }
    check_line(&mut caller, b"", &Some((INVALID_REQUEST, Value::Null))).await;
    let grown = peak(&caller) - before;
    assert!(grown < 4 * Limits::default().message, "{grown} bytes");
    works(&mut caller).await;
}
