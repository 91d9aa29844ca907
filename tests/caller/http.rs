//! An HTTP client of `dapdock serve`: one connection for each request, and every byte of a request
//! as the test writes it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStderr, Command};

use super::{Mark, PATIENCE, private_directories};

/// A server by HTTP. Dropping it kills it; its guard kills the rest.
pub struct Served {
    process: Child,
    errors: Lines<BufReader<ChildStderr>>,
    /// `127.0.0.1:PORT`.
    pub address: String,
    /// Empty without one.
    pub token: String,
    /// The lines that it printed at its start.
    pub printed: Vec<String>,
    pub mark: Mark,
}

impl Served {
    /// Starts a server in a directory with `dapdock.toml`.
    pub async fn start(dir: &Path, flags: &[&str]) -> Self {
        Self::configured(dir, &dir.join("dapdock.toml"), flags).await
    }

    /// Starts a server in a directory.
    pub async fn configured(dir: &Path, config: &Path, flags: &[&str]) -> Self {
        Self::with(dir, config, flags, &[]).await
    }

    /// Starts a server with variables of its environment.
    #[expect(clippy::disallowed_methods, reason = "the host is what is tested")]
    pub async fn with(
        dir: &Path,
        config: &Path,
        flags: &[&str],
        environment: &[(&str, PathBuf)],
    ) -> Self {
        let mark = Mark::fresh();
        let mut process = Command::new(env!("CARGO_BIN_EXE_dapdock"))
            .args(["serve", "--config"])
            .arg(config)
            .args(flags)
            .current_dir(dir)
            .env_remove("RUST_BACKTRACE")
            .env_remove("DAPDOCK_CONFIG")
            .envs(private_directories())
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .env("DAPDOCK_LOG", "warn,dapdock::mcp::http=info")
            .env(Mark::NAME, mark.value())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(process.stderr.take().unwrap()).lines();
        let lines = 2 + usize::from(flags.contains(&"0.0.0.0"));
        let mut printed = Vec::new();
        while printed.len() < lines {
            let line = tokio::time::timeout(PATIENCE, errors.next_line()).await.unwrap().unwrap();
            let line = line.unwrap_or_else(|| panic!("it ended: {printed:?}"));
            assert!(line.starts_with("dapdock: "), "{line}");
            printed.push(line);
        }
        let rest = printed[0].strip_prefix("dapdock: MCP by streamable HTTP at http://").unwrap();
        let address = rest.strip_suffix("/mcp").unwrap().replace("0.0.0.0", "127.0.0.1");
        let token = printed[1].split_once("Bearer ").map(|(_, rest)| rest.trim_end_matches('`'));
        let token = token.unwrap_or_default().to_owned();
        Self { process, errors, address, token, printed, mark }
    }

    pub fn pid(&self) -> u32 {
        self.process.id().expect("the host runs")
    }

    /// Resident memory in bytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.pid().cast_signed()).unwrap(), signal).unwrap();
    }

    /// Waits for a line of its log.
    pub async fn logs(&mut self, words: &str) {
        let found = async {
            while let Some(line) = self.errors.next_line().await.unwrap() {
                if line.contains(words) {
                    return;
                }
            }
            panic!("it ended without `{words}`");
        };
        tokio::time::timeout(PATIENCE, found).await.expect("the log says nothing");
    }

    /// Waits for its end; the exit code, what it wrote to standard output, and its log.
    pub async fn exits(&mut self) -> (Option<i32>, String, Vec<String>) {
        let (mut output, mut log) = (String::new(), Vec::new());
        let mut stdout = self.process.stdout.take().unwrap();
        let end = async {
            while let Some(line) = self.errors.next_line().await.unwrap() {
                log.push(line);
            }
            stdout.read_to_string(&mut output).await.unwrap();
            self.process.wait().await.unwrap().code()
        };
        let code = tokio::time::timeout(PATIENCE, end).await.expect("the host does not end");
        (code, output, log)
    }

    /// Sends requests without a handshake.
    pub fn sender(&self) -> Sender {
        Sender { address: self.address.clone(), token: self.token.clone() }
    }

    /// A client after its handshake.
    pub async fn client(&self) -> Client {
        Client::start(self.sender()).await
    }
}

/// Sends requests to one server.
pub struct Sender {
    address: String,
    token: String,
}

impl Sender {
    /// The headers of a good request without a body.
    fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![
            ("host", self.address.clone()),
            ("accept", "application/json, text/event-stream".to_owned()),
            ("content-type", "application/json".to_owned()),
        ];
        if !self.token.is_empty() {
            headers.push(("authorization", format!("Bearer {}", self.token)));
        }
        headers
    }

    /// Sends a request. `changes` replace headers of the good request; an empty value removes one.
    pub async fn send(
        &self,
        line: &str,
        changes: &[(&'static str, &str)],
        body: &str,
    ) -> Receiving {
        let mut headers = self.headers();
        headers.push(("content-length", body.len().to_string()));
        for (name, value) in changes {
            headers.retain(|(known, _)| known != name);
            if !value.is_empty() {
                headers.push((name, (*value).to_owned()));
            }
        }
        let mut text = format!("{line} HTTP/1.1\r\n");
        for (name, value) in headers {
            text += &format!("{name}: {value}\r\n");
        }
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        stream.write_all(format!("{text}\r\n{body}").as_bytes()).await.unwrap();
        Receiving { stream: BufReader::new(stream) }
    }

    /// The whole reply to a request.
    pub async fn reply(&self, line: &str, changes: &[(&'static str, &str)], body: &str) -> Reply {
        let mut receiving = self.send(line, changes, body).await;
        let mut reply = receiving.head().await;
        reply.body = receiving.rest(&reply).await;
        reply
    }
}

/// A connection whose reply is read.
pub struct Receiving {
    stream: BufReader<TcpStream>,
}

/// A reply.
#[derive(Debug, Default)]
pub struct Reply {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Reply {
    /// The JSON-RPC messages of a stream or a document.
    pub fn messages(&self) -> Vec<Value> {
        if self.headers["content-type"] == "application/json" {
            return vec![serde_json::from_str(&self.body).unwrap()];
        }
        let data = self.body.lines().filter_map(|line| line.strip_prefix("data:"));
        let data = data.map(str::trim).filter(|data| !data.is_empty());
        data.map(|data| serde_json::from_str(data).unwrap()).collect()
    }

    /// The ids of the events of a stream.
    pub fn ids(&self) -> Vec<&str> {
        self.body.lines().filter_map(|line| line.strip_prefix("id:")).map(str::trim).collect()
    }
}

impl Receiving {
    async fn line(&mut self) -> String {
        let mut line = String::new();
        let read = tokio::time::timeout(PATIENCE, self.stream.read_line(&mut line)).await;
        read.expect("the host says nothing").unwrap();
        line.trim_end().to_owned()
    }

    /// Status and headers.
    pub async fn head(&mut self) -> Reply {
        let first = self.line().await;
        let status = first.split(' ').nth(1).unwrap_or_else(|| panic!("no status: `{first}`"));
        let mut reply = Reply { status: status.parse().unwrap(), ..Reply::default() };
        loop {
            let line = self.line().await;
            let Some((name, value)) = line.split_once(": ") else { return reply };
            reply.headers.insert(name.to_lowercase(), value.to_owned());
        }
    }

    /// The next part of a stream; empty at its end.
    pub async fn part(&mut self) -> String {
        let size = usize::from_str_radix(&self.line().await, 16).unwrap_or(0);
        let mut part = vec![0; size];
        self.stream.read_exact(&mut part).await.unwrap();
        self.line().await;
        String::from_utf8(part).unwrap()
    }

    /// Reads parts of a stream until one contains `words`.
    pub async fn until(&mut self, words: &str) -> String {
        let mut text = String::new();
        loop {
            let part = self.part().await;
            assert!(!part.is_empty(), "the stream ended: {text}");
            text += &part;
            if text.contains(words) {
                return text;
            }
        }
    }

    async fn rest(&mut self, head: &Reply) -> String {
        if let Some(length) = head.headers.get("content-length") {
            let mut body = vec![0; length.parse().unwrap()];
            self.stream.read_exact(&mut body).await.unwrap();
            return String::from_utf8(body).unwrap();
        }
        let mut text = String::new();
        // RFC 9110, section 15.3.5: it has no body.
        if head.status == 204 {
            return text;
        }
        loop {
            let part = self.part().await;
            if part.is_empty() {
                return text;
            }
            text += &part;
        }
    }

    /// Waits until the host closes the connection.
    pub async fn closed(mut self) {
        let mut rest = Vec::new();
        // Also with an error, where the host closes without reading.
        let end = tokio::time::timeout(PATIENCE, self.stream.read_to_end(&mut rest)).await;
        drop(end.expect("the connection stays open"));
    }
}

/// The params of `initialize`.
pub fn about() -> Value {
    json!({
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    })
}

/// One MCP session of a server.
pub struct Client {
    served: Sender,
    pub id: String,
    /// The result of `initialize`.
    pub about: Value,
}

impl Client {
    async fn start(served: Sender) -> Self {
        let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about()});
        let reply = served.reply("POST /mcp", &[], &first.to_string()).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let id = reply.headers["mcp-session-id"].clone();
        let about = reply.messages().pop().unwrap()["result"].take();
        let client = Self { served, id, about };
        let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(client.reply("POST /mcp", &done.to_string()).await.status, 202);
        client
    }

    fn own(&self) -> [(&'static str, &str); 2] {
        [("mcp-session-id", &self.id), ("mcp-protocol-version", "2025-06-18")]
    }

    pub async fn reply(&self, line: &str, body: &str) -> Reply {
        self.served.reply(line, &self.own(), body).await
    }

    pub async fn send(&self, line: &str, body: &str) -> Receiving {
        self.served.send(line, &self.own(), body).await
    }

    /// The result of a request.
    pub async fn request(&self, method: &str, params: Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let reply = self.reply("POST /mcp", &message.to_string()).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let mut last = reply.messages().pop().unwrap();
        assert_eq!(last["id"], 1, "{last}");
        last["result"].take()
    }

    /// The text of a tool's answer.
    pub async fn call(&self, tool: &str, arguments: Value) -> String {
        let params = json!({"name": tool, "arguments": arguments});
        let result = self.request("tools/call", params).await;
        result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned()
    }

    /// Ends the MCP session.
    pub async fn end(&self) -> Reply {
        self.reply("DELETE /mcp", "").await
    }
}

/// How long the processes of a host or a client that has ended may take to be gone.
pub const LEFT_NOTHING: Duration = Duration::from_secs(10);
