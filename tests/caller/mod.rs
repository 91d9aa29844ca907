//! An MCP client outside the host: the shipped binary as a child process, JSON lines in both
//! directions.
//!
//! It knows only the protocol's specification, so that mistakes of the host's library show. Every
//! line the host writes must be a JSON-RPC message.

mod family;
pub mod http;
mod listing;
mod proposals;
mod results;

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use listing::Listing;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

pub use family::{Mark, assert_runs, child};
pub use proposals::Proposal;
pub use results::Results;

/// Upper bound for any wait; only a failure takes this long.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The workspace's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// How a host is started.
pub struct Start {
    pub cwd: PathBuf,
    pub config: PathBuf,
    pub env: Vec<(&'static str, String)>,
    /// Arguments after `dapdock mcp --config FILE`.
    pub flags: Vec<&'static str>,
    /// Results have data, which is checked against the listed schema.
    pub structured: bool,
    /// A command that runs the host, in front of its own command line.
    pub under: Vec<String>,
}

impl Start {
    /// In the workspace's root, with the adapters that `cargo xtask adapters` installed.
    pub fn usual() -> Self {
        Self {
            cwd: root(),
            config: adapters_config(),
            env: Vec::new(),
            flags: Vec::new(),
            structured: false,
            under: Vec::new(),
        }
    }

    /// The same, with results as data.
    pub fn structured() -> Self {
        Self { structured: true, ..Self::usual() }
    }
}

/// The configuration file that `cargo xtask adapters` wrote.
pub fn adapters_config() -> PathBuf {
    std::env::var_os("DAPDOCK_CONFIG")
        .map_or_else(|| root().join("target/adapters/dapdock.toml"), PathBuf::from)
}

/// User directories for a host under test, so that it reads none of the real user's files.
pub fn private_directories() -> [(String, PathBuf); 5] {
    let private = Path::new(env!("CARGO_TARGET_TMPDIR"));
    ["CONFIG_HOME", "STATE_HOME", "CACHE_HOME", "DATA_HOME", "RUNTIME_DIR"]
        .map(|kind| (format!("XDG_{kind}"), private.join(kind)))
}

/// A tool's result.
#[derive(Clone, Debug)]
pub struct Answer {
    pub text: String,
    pub is_error: bool,
    /// The text as data, where the host was started with `structured`; else null.
    pub data: Value,
}

/// The id of a request that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestId(pub u64);

/// A host and the connection to it. Dropping it kills the host; the host's guard kills the rest.
pub struct Caller {
    host: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    last_request: u64,
    answers: HashMap<u64, Value>,
    results: Option<Results>,
    /// Notifications of the host, in order.
    pub notes: Vec<Value>,
    /// Requests of the host that no test has taken yet, in order.
    requests: VecDeque<Value>,
    /// The mark that every process of this host has in its environment.
    pub mark: Mark,
}

impl Caller {
    /// Starts a host and completes `initialize`.
    pub async fn start(start: Start) -> Self {
        let structured = start.structured;
        let listing = Listing::of(&start);
        let mut caller = Self::spawn(start);
        caller.initialize().await;
        if structured {
            let list = caller.list(listing.as_ref()).await;
            caller.results = Some(Results::of(list));
        }
        caller
    }

    /// The tools with the schemas of their results.
    async fn list(&mut self, stored: Option<&Listing>) -> Value {
        if let Some(list) = stored.and_then(Listing::read) {
            return list;
        }
        let request = self.send("tools/list", json!({})).await;
        let list = self.reply(request).await["result"].take();
        stored.inspect(|stored| stored.write(&list));
        list
    }

    /// Starts a host without sending anything.
    #[expect(
        clippy::disallowed_methods,
        reason = "the host is what is tested; nothing of it may own itself"
    )]
    pub fn spawn(start: Start) -> Self {
        let mark = Mark::fresh();
        let words: Vec<String> =
            start.under.into_iter().chain([env!("CARGO_BIN_EXE_dapdock").to_owned()]).collect();
        let mut host = tokio::process::Command::new(&words[0])
            .args(&words[1..])
            .args(["mcp", "--config"])
            .arg(&start.config)
            .args(start.structured.then_some("--structured"))
            .args(&start.flags)
            .current_dir(&start.cwd)
            .env_remove("RUST_BACKTRACE")
            .env_remove("DAPDOCK_CONFIG")
            .envs(private_directories())
            .env(Mark::NAME, mark.value())
            .envs(start.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let input = host.stdin.take();
        let output = BufReader::new(host.stdout.take().unwrap()).lines();
        Self {
            host,
            input,
            output,
            last_request: 0,
            answers: HashMap::new(),
            results: None,
            notes: Vec::new(),
            requests: VecDeque::new(),
            mark,
        }
    }

    /// The handshake; returns the result of `initialize`.
    pub async fn initialize(&mut self) -> Value {
        self.initialize_with(json!({})).await
    }

    /// The handshake of a client with capabilities.
    pub async fn initialize_with(&mut self, capabilities: Value) -> Value {
        let params = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"},
        });
        let last_request = self.send("initialize", params).await;
        let answer = self.reply(last_request).await;
        self.notify("notifications/initialized", json!({})).await;
        answer["result"].clone()
    }

    /// Calls a tool and waits for its result. A call that only reads and that an error proposes is
    /// made, too.
    pub async fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        let last_request = self.begin(tool, arguments).await;
        let answer = self.answer(last_request).await;
        if let Some(proposal) = Proposal::of(&answer).filter(Proposal::reads) {
            self.follow(&answer, proposal).await;
        }
        answer
    }

    /// Sends a tool call.
    pub async fn begin(&mut self, tool: &str, arguments: Value) -> RequestId {
        self.send("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// Waits for the result of a tool call.
    pub async fn answer(&mut self, last_request: RequestId) -> Answer {
        let reply = self.reply(last_request).await;
        let result = reply.get("result").unwrap_or_else(|| panic!("no result: {reply}"));
        let content = result["content"].as_array().unwrap();
        assert_eq!(content.len(), 1, "{reply}");
        let text = content[0]["text"].as_str().unwrap().to_owned();
        match &mut self.results {
            Some(results) => results.check(last_request, result),
            None => assert_eq!(result.get("structuredContent"), None, "{reply}"),
        }
        let data = result["structuredContent"].clone();
        let answer = Answer { text, is_error: result["isError"] == true, data };
        if let Some(results) = &mut self.results
            && let Some((proposal, _)) = Proposal::written(&answer)
        {
            results.takes(&proposal, &answer.text);
        }
        answer
    }

    /// Sends a request.
    pub async fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.last_request += 1;
        if let (Some(results), "tools/call") = (&mut self.results, method) {
            results.expect(RequestId(self.last_request), &params);
        }
        let message =
            json!({"jsonrpc": "2.0", "id": self.last_request, "method": method, "params": params});
        self.write(&message.to_string()).await;
        RequestId(self.last_request)
    }

    /// Sends a notification.
    pub async fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string())
            .await;
    }

    /// Sends any line.
    pub async fn write(&mut self, line: &str) {
        self.write_bytes(format!("{line}\n").as_bytes()).await;
    }

    /// Sends bytes, whatever they are; a line ends with a newline.
    pub async fn write_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).await.unwrap();
    }

    /// Waits for the response to a request and returns the whole message.
    pub async fn reply(&mut self, last_request: RequestId) -> Value {
        loop {
            if let Some(reply) = self.answers.remove(&last_request.0) {
                return reply;
            }
            let message = self.read().await.expect("the host closed its output before it answered");
            self.sort(message);
        }
    }

    /// Reads until a notification comes that `wanted` accepts.
    pub async fn note(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(note) = self.notes.iter().find(|note| wanted(note)) {
                return note.clone();
            }
            let message = self.read().await.expect("the host closed its output");
            self.sort(message);
        }
    }

    /// Waits for the host's next request.
    pub async fn request(&mut self) -> Value {
        loop {
            if let Some(request) = self.requests.pop_front() {
                return request;
            }
            let message = self.read().await.expect("the host closed its output");
            self.sort(message);
        }
    }

    /// Whether the host has sent a request that no test has taken.
    pub fn has_request(&self) -> bool {
        !self.requests.is_empty()
    }

    /// Responds to a request of the host.
    pub async fn respond(&mut self, request: &Value, result: Value) {
        let response = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
        self.write(&response.to_string()).await;
    }

    fn sort(&mut self, message: Value) {
        if message["id"].is_number() && message["method"].is_string() {
            return self.requests.push_back(message);
        }
        match message["id"].as_u64() {
            Some(id) => drop(self.answers.insert(id, message)),
            None => self.notes.push(message),
        }
    }

    /// The next message; `None` once the host closed its output.
    pub async fn read(&mut self) -> Option<Value> {
        let line = tokio::time::timeout(PATIENCE, self.output.next_line())
            .await
            .expect("the host says nothing");
        let line = line.unwrap()?;
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a message: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        Some(message)
    }

    /// Closes the host's input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// The host's pid.
    pub fn pid(&self) -> u32 {
        self.host.id().expect("the host runs")
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_raw(self.pid().cast_signed()).unwrap(), signal).unwrap();
    }

    /// Waits for the host's end and reads nothing; `None`: it was ended by a signal.
    pub async fn exits(&mut self, limit: Duration) -> Option<i32> {
        let exit = tokio::time::timeout(limit, self.host.wait()).await;
        exit.expect("the host does not end").unwrap().code()
    }

    /// Waits for the host's end and returns its exit code, `None` after a signal. Everything it
    /// still writes must be messages.
    pub async fn wait_for_exit(&mut self) -> Option<i32> {
        while let Some(message) = self.read().await {
            self.sort(message);
        }
        tokio::time::timeout(PATIENCE, self.host.wait())
            .await
            .expect("the host does not end")
            .unwrap()
            .code()
    }
}
