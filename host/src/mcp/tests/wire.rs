//! The server over two streams in memory.

use super::*;

struct Caller {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    write: WriteHalf<DuplexStream>,
}

impl Caller {
    async fn send(&mut self, message: Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.expect("the server reads");
    }

    async fn receive(&mut self) -> Value {
        let line =
            self.lines.next_line().await.expect("the server writes").expect("the server is there");
        serde_json::from_str(&line).expect("each line is JSON")
    }

    async fn initialize(&mut self) -> Value {
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}});
        self.send(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}))
            .await;
        let answer = self.receive().await;
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer
    }
}

async fn with_server<F: Future<Output = ()>>(conversation: impl FnOnce(Caller) -> F) {
    let limits = Arc::new(Limits::default());
    let sessions = sessions(&limits);
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(theirs);
    let server = Server::new(sessions.clone(), "/w".into(), limits.clone());
    let serving = serve(server, sessions, &limits, Transport { read, write });
    let (read, write) = tokio::io::split(ours);
    let caller = Caller { lines: BufReader::new(read).lines(), write };
    // The conversation drops its end; then the server must return.
    let (served, ()) = tokio::join!(serving, conversation(caller));
    served.expect("serves");
}

#[tokio::test]
async fn caller_initializes_lists_and_calls() {
    with_server(async |mut caller| {
        let answer = caller.initialize().await;
        assert_eq!(answer["result"]["serverInfo"]["name"], "dapdock");
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        assert_eq!(answer["result"]["instructions"], super::super::INSTRUCTIONS);
        caller.send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})).await;
        assert_eq!(
            caller.receive().await["result"]["tools"].as_array().map(Vec::len),
            Some(Tools::default().declared().count())
        );
        let params = json!({"name": "debug_stop", "arguments": {"all": true}});
        caller
            .send(json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}))
            .await;
        let answer = caller.receive().await;
        assert_eq!(
            answer["result"]["content"],
            json!([{"type": "text", "text": "no session was open"}])
        );
        assert_eq!(answer["result"]["isError"], false);
    })
    .await;
}

#[tokio::test]
async fn errors_are_results_and_unknown_tools_are_named() {
    with_server(async |mut caller| {
        caller.initialize().await;
        let params = json!({"name": "debug_continue", "arguments": {}});
        caller
            .send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}))
            .await;
        assert_eq!(caller.receive().await["result"]["isError"], true);
        let params = json!({"name": "debug_contine", "arguments": {}});
        caller
            .send(json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}))
            .await;
        let message = "there is no tool `debug_contine`; did you mean `debug_continue`?";
        assert_eq!(caller.receive().await["error"]["message"], message);
    })
    .await;
}

#[tokio::test]
async fn wrong_parameters_are_refused() {
    with_server(async |mut caller| {
        caller.initialize().await;
        let malformed = [
            ("tools/call", json!({"name": "debug_stop", "arguments": [1]}), -32602),
            ("tools/call", json!({"name": "debug_stop", "arguments": "x"}), -32602),
            ("tools/call", json!({"nam": "debug_stop"}), -32602),
            ("tools/nope", json!({}), -32601),
        ];
        for (id, (method, params, code)) in (2..).zip(malformed) {
            caller
                .send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
                .await;
            assert_eq!(caller.receive().await["error"]["code"], code, "{method} {params}");
        }
    })
    .await;
}

#[tokio::test]
async fn caller_that_disconnects_before_initialize_ends_the_server() {
    with_server(async |caller| drop(caller)).await;
}
