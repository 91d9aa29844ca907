//! A DAP client of one page, and a session with it: what debugging costs without us.
//!
//! It asks what the host asks for the same stop, in the same order, and does nothing with the answers.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::stops::{Spec, Times};

/// Stands for a port of ours in the arguments of an adapter that dials back.
const PORT: &str = "{port}";

/// Starts, stops once, steps, and runs to the end.
pub fn session(spec: &Spec, launch: &Value, steps: u32) -> Result<Times> {
    let began = Instant::now();
    let mut adapter = Adapter::start(spec)?;
    adapter.configure(spec, launch)?;
    let thread = adapter.stopped()?;
    let first_stop = began.elapsed();
    let mut times = Times { first_stop, ..Times::default() };
    for _ in 0..steps {
        let began = Instant::now();
        adapter.send("next", json!({"threadId": thread}))?;
        adapter.stopped()?;
        times.steps.push(began.elapsed());
    }
    let began = Instant::now();
    adapter.send("continue", json!({"threadId": thread}))?;
    adapter.event("terminated")?;
    adapter.end()?;
    times.exit = began.elapsed();
    Ok(times)
}

struct Adapter {
    child: Child,
    read: BufReader<Box<dyn Read>>,
    write: Box<dyn Write>,
    sent: i64,
    /// Read while something else was waited for.
    later: VecDeque<Value>,
}

impl Adapter {
    fn start(spec: &Spec) -> Result<Self> {
        let mut command = Command::new(&spec.adapter);
        command.current_dir(&spec.cwd).stderr(Stdio::null());
        let adapter =
            |child, read, write| Self { child, read: BufReader::new(read), write, sent: 0, later: VecDeque::new() };
        if !spec.args.iter().any(|arg| arg.contains(PORT)) {
            let mut child = command.args(&spec.args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
            let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
            let (stdin, stdout) = (stdin.context("no stdin")?, stdout.context("no stdout")?);
            return Ok(adapter(child, Box::new(stdout), Box::new(stdin)));
        }
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port().to_string();
        command.args(spec.args.iter().map(|arg| arg.replace(PORT, &port)));
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
        let (stream, _) = listener.accept()?;
        stream.set_nodelay(true)?;
        Ok(adapter(child, Box::new(stream.try_clone()?), Box::new(stream)))
    }

    fn configure(&mut self, spec: &Spec, launch: &Value) -> Result<()> {
        self.call(
            "initialize",
            json!({
                "adapterID": "bench", "linesStartAt1": true, "columnsStartAt1": true, "pathFormat": "path",
                "supportsVariableType": true, "supportsVariablePaging": true,
            }),
        )?;
        self.send("launch", launch.clone())?;
        self.event("initialized")?;
        self.send("setBreakpoints", json!({"source": {"path": spec.file}, "breakpoints": [{"line": spec.line}]}))?;
        let filters: Vec<&str> = Some(spec.exceptions).into_iter().filter(|name| !name.is_empty()).collect();
        self.send("setExceptionBreakpoints", json!({"filters": filters}))?;
        self.send("configurationDone", json!({}))?;
        Ok(())
    }

    /// Waits for a stop and reads it; the thread that stopped.
    fn stopped(&mut self) -> Result<i64> {
        let thread = self.event("stopped")?["body"]["threadId"].as_i64().context("a stop without a thread")?;
        let threads = self.send("threads", json!({}))?;
        let stack = self.send("stackTrace", json!({"threadId": thread, "levels": 20}))?;
        self.answer(threads)?;
        let frames = self.answer(stack)?;
        let frame = frames["stackFrames"][0]["id"].as_i64().context("a stop without a frame")?;
        let scopes = self.call("scopes", json!({"frameId": frame}))?;
        let locals = scopes["scopes"][0]["variablesReference"].clone();
        let locals = self.call("variables", json!({"variablesReference": locals}))?;
        self.open(&locals)?;
        Ok(thread)
    }

    /// The first elements of what says no more than how many it has.
    fn open(&mut self, variables: &Value) -> Result<()> {
        let mut asked = Vec::new();
        for variable in variables["variables"].as_array().into_iter().flatten() {
            let says = variable["value"].as_str().unwrap_or_default();
            if says.starts_with("size=") {
                let reference = &variable["variablesReference"];
                asked.push(self.send("variables", json!({"variablesReference": reference, "start": 0, "count": 5}))?);
            }
        }
        asked.into_iter().try_for_each(|asked| self.answer(asked).map(drop))
    }

    fn end(mut self) -> Result<()> {
        self.call("disconnect", json!({}))?;
        drop((self.write, self.read));
        self.child.wait()?;
        Ok(())
    }

    fn call(&mut self, command: &str, arguments: Value) -> Result<Value> {
        let sent = self.send(command, arguments)?;
        self.answer(sent)
    }

    fn send(&mut self, command: &str, arguments: Value) -> Result<i64> {
        self.sent += 1;
        let body = json!({"seq": self.sent, "type": "request", "command": command, "arguments": arguments}).to_string();
        self.write.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
        self.write.flush()?;
        Ok(self.sent)
    }

    fn answer(&mut self, sent: i64) -> Result<Value> {
        let mut answer = self.wait(|message| message["request_seq"] == sent)?;
        if answer["success"] != true {
            bail!("{} failed: {}", answer["command"], answer["message"]);
        }
        Ok(answer["body"].take())
    }

    fn event(&mut self, name: &str) -> Result<Value> {
        self.wait(|message| message["event"] == name)
    }

    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        if let Some(found) = self.later.iter().position(&wanted).and_then(|at| self.later.remove(at)) {
            return Ok(found);
        }
        loop {
            let message = self.receive()?;
            if wanted(&message) {
                return Ok(message);
            }
            self.later.push_back(message);
        }
    }

    fn receive(&mut self) -> Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.read.read_line(&mut line)? == 0 {
                bail!("the adapter hung up");
            }
            match line.trim().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse()?,
                None => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.read.read_exact(&mut body)?;
        Ok(serde_json::from_slice(&body)?)
    }
}
