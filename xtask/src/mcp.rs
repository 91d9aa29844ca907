//! A small MCP client: JSON-RPC, one message a line, over a child's standard input and output.
//!
//! Knows the four messages a caller needs (`initialize`, `tools/list`, `tools/call`, progress) and
//! no tool. It follows the protocol and shares no code with the host, so other clients work as it
//! does.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};

/// Longer than any wait of the host: only a hanging host reaches it.
const PATIENCE: Duration = Duration::from_secs(300);

/// A connected server.
pub struct Client {
    /// The server's process.
    pub child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    sent: u64,
}

/// The answer of a tool.
pub struct Reply {
    /// The text an agent reads.
    pub text: String,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl Client {
    /// Starts the server without a handshake.
    pub fn start(command: &mut Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().display()))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().context("the server has no standard output")?;
        Ok(Self { child, stdin, messages: listen(stdout), sent: 0 })
    }

    /// The handshake. Returns the response to `initialize`.
    pub fn initialize(&mut self) -> Result<Value> {
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "xtask", "version": env!("CARGO_PKG_VERSION")},
        });
        let answer = self.request("initialize", hello, |_| {})?;
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(answer)
    }

    /// Calls a tool; `progress` gets every progress message of the call.
    pub fn call(
        &mut self,
        tool: &str,
        arguments: &Value,
        progress: impl FnMut(&str),
    ) -> Result<Reply> {
        let token = self.sent + 1;
        let params =
            json!({"name": tool, "arguments": arguments, "_meta": {"progressToken": token}});
        let answer = self.request("tools/call", params, progress)?;
        let parts = answer["content"].as_array().cloned().unwrap_or_default();
        let texts: Vec<_> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        Ok(Reply { text: texts.join("\n"), is_error: answer["isError"] == true })
    }

    /// Closes the connection and waits for the server to end.
    pub fn close(mut self) -> Result<()> {
        drop(self.stdin.take());
        let status = self.child.wait().context("cannot wait for the server")?;
        if !status.success() {
            bail!("the server ended with {status}");
        }
        Ok(())
    }

    /// Sends a request and returns its result; `progress` as in [`Client::call`].
    pub fn request(
        &mut self,
        method: &str,
        params: Value,
        mut progress: impl FnMut(&str),
    ) -> Result<Value> {
        self.sent += 1;
        let id = self.sent;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let mut message = self.receive(method)?;
            if message["method"] == "notifications/progress" {
                progress(message["params"]["message"].as_str().unwrap_or_default());
            } else if message["id"] == id {
                if let Some(error) = message.get("error") {
                    bail!("{method} was refused: {error}");
                }
                return Ok(message["result"].take());
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let pipe = self.stdin.as_mut().context("the connection is closed")?;
        pipe.write_all(format!("{message}\n").as_bytes()).context("the server has closed its input")
    }

    fn receive(&self, method: &str) -> Result<Value> {
        self.messages.recv_timeout(PATIENCE).map_err(|error| match error {
            RecvTimeoutError::Timeout => {
                anyhow!("no answer to {method} within {} s", PATIENCE.as_secs())
            }
            RecvTimeoutError::Disconnected => {
                anyhow!("the server ended without an answer to {method}")
            }
        })
    }
}

impl Drop for Client {
    /// Closes the input of the server, which then ends by itself.
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}

/// Reads in a thread, so that a wait for an answer can time out.
fn listen(stdout: ChildStdout) -> Receiver<Value> {
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let Ok(message) = serde_json::from_str(&line) else { return };
            if send.send(message).is_err() {
                return;
            }
        }
    });
    receive
}
