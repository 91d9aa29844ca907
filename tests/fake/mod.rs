//! A fake debug adapter: real DAP over the shipped codec, a debuggee that is a list of places, and
//! faults as data. It knows DAP and nothing of dapdock's sessions.
//!
//! In memory, for sessions under paused time:
//!
//! ```ignore
//! let fake = fake::start(Script { program: vec![Place::at(3), Place::at(4)], ..Script::default()
//! });
//! let (client, inbox) = dap::connect(fake.read, fake.write, limits);
//! // … afterwards: what did it receive?
//! assert_eq!(fake.received.commands(), ["initialize", "launch", …]);
//! ```
//!
//! As a process (`cargo test` builds it; with `--test`, build it first by
//! `cargo build --example fake-adapter`): `fake::executable()` with the script as JSON,
//! `fake-adapter '{"program": [{"line": 3}]}' [--connect HOST:PORT | --listen PORT]`, else on stdin
//! and stdout. It exits with code 0, or with 3 after a scripted crash and its text on stderr.
//! `FAKE_HEARD` names a file for the messages it receives.
//!
//! The debuggee ([`Script::program`]) runs through its places in order. `continue` goes to the next
//! place with a breakpoint (by line of its source, or by function name) or with a `stop` reason of
//! its own; every step goes to the next place. A place that `hangs` is never left: only `pause`
//! stops there. A loop is the same line several times. After the last place come `exited`,
//! `terminated` and, after `disconnect`, the end.
//!
//! A [`Fault`] applies to every request of its command: `{"on": "threads", "refuse": "no"}`.

pub mod adapter;
pub mod program;
pub mod script;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bytes::{Bytes, BytesMut};
use dapdock::dap::FrameLimits;
use dapdock::dap::codec::{Decoder, Frame};
use serde_json::Value;
use tokio::io::{
    AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf,
};
use tokio::time::{Duration, Instant, timeout_at};

use adapter::{Adapter, Out};
#[allow(unused_imports, reason = "the process form needs fewer of them")]
pub use script::{Fault, FaultKind, LaunchResponse, Moment, Place, Script};

/// Every request and response that the fake received.
#[derive(Debug, Clone, Default)]
pub struct Received {
    messages: Arc<Mutex<Vec<Value>>>,
    file: Option<Arc<File>>,
}

#[allow(dead_code, reason = "the process form needs fewer of them")]
impl Received {
    /// Also writes each message to a file, one a line, before it is handled.
    pub fn into_file(path: impl AsRef<Path>) -> Self {
        Self { file: Some(Arc::new(File::create(path).unwrap())), ..Self::default() }
    }

    fn add(&self, message: &Value) {
        self.messages.lock().unwrap().push(message.clone());
        if let Some(mut file) = self.file.as_deref() {
            file.write_all(format!("{message}\n").as_bytes()).unwrap();
        }
    }

    /// Whole messages, in order.
    pub fn messages(&self) -> Vec<Value> {
        self.messages.lock().unwrap().clone()
    }

    /// The commands of the requests, in order.
    pub fn commands(&self) -> Vec<String> {
        let requests = self.messages().into_iter().filter(|message| message["type"] == "request");
        requests.filter_map(|request| request["command"].as_str().map(str::to_owned)).collect()
    }

    /// The arguments of every request of this command.
    pub fn arguments(&self, command: &str) -> Vec<Value> {
        let requests = self.messages().into_iter().filter(|message| message["command"] == command);
        requests.map(|mut request| request["arguments"].take()).collect()
    }
}

/// A fake in memory. It ends when the streams are dropped.
#[allow(dead_code, reason = "the process form has pipes")]
pub struct Fake {
    /// The adapter's output.
    pub read: ReadHalf<DuplexStream>,
    /// The adapter's input.
    pub write: WriteHalf<DuplexStream>,
    /// What it has received so far.
    pub received: Received,
}

/// Starts a fake in memory, on the test's runtime.
#[allow(dead_code, reason = "the process form has pipes")]
#[expect(clippy::disallowed_methods, reason = "the other side of the wire is a process of its own")]
pub fn start(script: Script) -> Fake {
    let (client_side, adapter_side) = tokio::io::duplex(64 << 10);
    let received = Received::default();
    let (adapter_read, adapter_write) = tokio::io::split(adapter_side);
    tokio::spawn(serve(script, adapter_read, adapter_write, received.clone()));
    let (read, write) = tokio::io::split(client_side);
    Fake { read, write, received }
}

/// The fake as a program; `cargo test` builds it next to the tests.
#[allow(dead_code, reason = "the process form is it")]
pub fn executable() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().with_file_name("examples").join("fake-adapter");
    assert!(path.exists(), "{} is missing: cargo build --example fake-adapter", path.display());
    path
}

/// How [`serve`] ended.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// After `disconnect`, or because the client closed the connection.
    Normal,
    /// By a fault of the script.
    Crashed,
}

/// Runs the script until it ends.
pub async fn serve(
    script: Script,
    mut read: impl AsyncRead + Unpin,
    mut write: impl AsyncWrite + Unpin,
    received: Received,
) -> io::Result<End> {
    let (mut buffer, mut decoder) = (BytesMut::new(), Decoder::new(FrameLimits::default()));
    let mut adapter = Adapter::new(script);
    let mut late: Vec<(Instant, Bytes)> = Vec::new();
    loop {
        while let Some(frame) = decoder.decode(&mut buffer) {
            let Frame::Message(message) = frame else {
                continue;
            };
            received.add(&message);
            for out in adapter.handle(&message) {
                match out {
                    Out::Now(bytes) => write.write_all(&bytes).await?,
                    Out::Late(ms, bytes) => {
                        late.push((Instant::now() + Duration::from_millis(ms), bytes))
                    }
                    Out::Die => return Ok(End::Crashed),
                    Out::End => {
                        write.shutdown().await?;
                        return Ok(End::Normal);
                    }
                }
            }
            write.flush().await?;
        }
        late.sort_by_key(|(due, _)| *due);
        let count = match late.first() {
            Some((due, _)) => timeout_at(*due, read.read_buf(&mut buffer)).await,
            None => Ok(read.read_buf(&mut buffer).await),
        };
        match count {
            Ok(Ok(0)) => return Ok(End::Normal),
            Ok(count) => drop(count?),
            Err(_) => {
                write.write_all(&late.remove(0).1).await?;
                write.flush().await?;
            }
        }
    }
}
