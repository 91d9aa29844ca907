//! A minimal DAP client, and a session with it: the cost of debugging without dapdock.
//!
//! It sends the requests that the host sends for the same stop, in the same order, and ignores the
//! responses.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::programs::{Spec, Times};

/// Placeholder in the adapter's arguments for the port to which the adapter connects.
const PORT: &str = "{port}";

/// Placeholder for the port on which the adapter listens; it prints a line when it is ready.
const LISTEN: &str = "{listen}";

/// Launches, stops once, steps, and runs to the end.
pub fn session(spec: &Spec, launch: &Value, steps: u32) -> Result<Times> {
    let began = Instant::now();
    let mut adapter = Adapter::launched(spec, launch, &json!([{"line": spec.line}]))?;
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

/// Launches, runs from a stop at one of the breakpoints to one at another, and to the end. Returns
/// the time between the stops, and the output.
pub fn run_between_stops(spec: &Spec, breakpoints: &Value) -> Result<(Duration, String)> {
    let mut adapter = Adapter::launched(spec, &spec.launch, breakpoints)?;
    let thread = adapter.stopped()?;
    let began = Instant::now();
    adapter.send("continue", json!({"threadId": thread}))?;
    let thread = adapter.stopped()?;
    let took = began.elapsed();
    adapter.send("continue", json!({"threadId": thread}))?;
    adapter.event("terminated")?;
    let output = adapter.output();
    adapter.end()?;
    Ok((took, output))
}

type Ends = (BufReader<Box<dyn Read>>, Box<dyn Write>);

struct Adapter {
    child: Child,
    read: BufReader<Box<dyn Read>>,
    write: Box<dyn Write>,
    /// The address on which the adapter listens, and the connection of the parent session if the
    /// debuggee has a child session.
    listens: Option<(String, Option<Ends>)>,
    sent: i64,
    /// Messages received while waiting for another one.
    pending: VecDeque<Value>,
}

impl Adapter {
    /// An adapter that was started and runs the program.
    fn launched(spec: &Spec, launch: &Value, breakpoints: &Value) -> Result<Self> {
        let mut adapter = Self::start(spec)?;
        adapter.initialize()?;
        adapter.send("launch", launch.clone())?;
        if spec.child {
            adapter.follow_child()?;
        }
        adapter.configure(spec, breakpoints)?;
        Ok(adapter)
    }

    fn start(spec: &Spec) -> Result<Self> {
        let mut command = Command::new(&spec.adapter);
        command.current_dir(&spec.cwd).envs(spec.env.iter().copied()).stderr(Stdio::null());
        let adapter = |child, (read, write): Ends| Self {
            child,
            read,
            write,
            listens: None,
            sent: 0,
            pending: VecDeque::new(),
        };
        if spec.args.iter().any(|arg| arg.contains(LISTEN)) {
            let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
            command
                .args(spec.args.iter().map(|arg| arg.replace(LISTEN, &address.port().to_string())));
            let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
            let stdout = child.stdout.take().context("no stdout")?;
            BufReader::new(stdout).read_line(&mut String::new())?;
            let listens = Some((address.to_string(), None));
            return Ok(Self { listens, ..adapter(child, connect(&address.to_string())?) });
        }
        if !spec.args.iter().any(|arg| arg.contains(PORT)) {
            let mut child =
                command.args(&spec.args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
            let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
            let (stdin, stdout) = (stdin.context("no stdin")?, stdout.context("no stdout")?);
            return Ok(adapter(child, (BufReader::new(Box::new(stdout)), Box::new(stdin))));
        }
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port().to_string();
        command.args(spec.args.iter().map(|arg| arg.replace(PORT, &port)));
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
        let (stream, _) = listener.accept()?;
        Ok(adapter(child, ends(stream)?))
    }

    fn initialize(&mut self) -> Result<Value> {
        self.call(
            "initialize",
            json!({
                "adapterID": "bench",
                "linesStartAt1": true,
                "columnsStartAt1": true,
                "pathFormat": "path",
                "supportsVariableType": true,
                "supportsVariablePaging": true,
            }),
        )
    }

    /// Opens the session of the debuggee, which the launched session requests by `startDebugging`.
    fn follow_child(&mut self) -> Result<()> {
        self.event("initialized")?;
        self.send("configurationDone", json!({}))?;
        let request = self.wait(|message| message["command"] == "startDebugging")?;
        self.write(json!({
            "seq": 0,
            "type": "response",
            "request_seq": request["seq"],
            "success": true,
            "command": "startDebugging",
        }))?;
        let (address, parent) =
            self.listens.as_mut().context("a child of an adapter that does not listen")?;
        let (read, write) = connect(address)?;
        *parent = Some((
            std::mem::replace(&mut self.read, read),
            std::mem::replace(&mut self.write, write),
        ));
        self.pending.clear();
        self.initialize()?;
        self.send("launch", request["arguments"]["configuration"].clone())?;
        Ok(())
    }

    fn configure(&mut self, spec: &Spec, breakpoints: &Value) -> Result<()> {
        self.event("initialized")?;
        self.send(
            "setBreakpoints",
            json!({"source": {"path": spec.file}, "breakpoints": breakpoints}),
        )?;
        let filters = if spec.exceptions.is_empty() { vec![] } else { vec![spec.exceptions] };
        self.send("setExceptionBreakpoints", json!({"filters": filters}))?;
        self.send("configurationDone", json!({}))?;
        Ok(())
    }

    /// Waits for a stop and reads it; returns the stopped thread.
    fn stopped(&mut self) -> Result<i64> {
        let thread = self.event("stopped")?["body"]["threadId"]
            .as_i64()
            .context("a stop without a thread")?;
        let threads = self.send("threads", json!({}))?;
        let stack = self.send("stackTrace", json!({"threadId": thread, "levels": 20}))?;
        self.response(threads)?;
        let frames = self.response(stack)?;
        let frame = frames["stackFrames"][0]["id"].as_i64().context("a stop without a frame")?;
        let scopes = self.call("scopes", json!({"frameId": frame}))?;
        let scopes = scopes["scopes"].as_array().context("a frame without scopes")?;
        for (index, scope) in scopes.iter().enumerate() {
            if index == 0 || is_local(scope) {
                let scope = &scope["variablesReference"];
                let variables = self.call("variables", json!({"variablesReference": scope}))?;
                self.read_elements(&variables)?;
            }
        }
        Ok(thread)
    }

    /// Reads the first elements of variables whose value is only a size.
    fn read_elements(&mut self, variables: &Value) -> Result<()> {
        let mut requests = Vec::new();
        for variable in variables["variables"].as_array().into_iter().flatten() {
            let value = variable["value"].as_str().unwrap_or_default();
            if value.starts_with("size=") {
                let reference = &variable["variablesReference"];
                requests.push(self.send(
                    "variables",
                    json!({"variablesReference": reference, "start": 0, "count": 5}),
                )?);
            }
        }
        for request in requests {
            self.response(request)?;
        }
        Ok(())
    }

    /// What `output` events have written so far.
    fn output(&self) -> String {
        let events = self.pending.iter().filter(|message| message["event"] == "output");
        events.filter_map(|event| event["body"]["output"].as_str()).collect()
    }

    fn end(mut self) -> Result<()> {
        self.call("disconnect", json!({}))?;
        drop((self.write, self.read));
        if self.listens.take().is_some() {
            // A server does not exit by itself.
            self.child.kill()?;
        }
        self.child.wait()?;
        Ok(())
    }

    fn call(&mut self, command: &str, arguments: Value) -> Result<Value> {
        let sent = self.send(command, arguments)?;
        self.response(sent)
    }

    fn send(&mut self, command: &str, arguments: Value) -> Result<i64> {
        self.sent += 1;
        self.write(json!({
            "seq": self.sent,
            "type": "request",
            "command": command,
            "arguments": arguments,
        }))?;
        Ok(self.sent)
    }

    fn write(&mut self, message: Value) -> Result<()> {
        let body = message.to_string();
        self.write.write_all(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())?;
        Ok(self.write.flush()?)
    }

    fn response(&mut self, sent: i64) -> Result<Value> {
        let mut response = self.wait(|message| message["request_seq"] == sent)?;
        if response["success"] != true {
            bail!("{} failed: {}", response["command"], response["message"]);
        }
        Ok(response["body"].take())
    }

    fn event(&mut self, name: &str) -> Result<Value> {
        self.wait(|message| message["event"] == name)
    }

    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        if let Some(index) = self.pending.iter().position(&wanted)
            && let Some(message) = self.pending.remove(index)
        {
            return Ok(message);
        }
        loop {
            let message = self.receive()?;
            if wanted(&message) {
                return Ok(message);
            }
            self.pending.push_back(message);
        }
    }

    fn receive(&mut self) -> Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.read.read_line(&mut line)? == 0 {
                bail!("the adapter closed the connection");
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

/// Whether a stop of dapdock displays the variables of the scope: gdb has one for the arguments.
fn is_local(scope: &Value) -> bool {
    ["arguments", "locals"].contains(&scope["presentationHint"].as_str().unwrap_or_default())
}

fn connect(address: &str) -> Result<Ends> {
    ends(TcpStream::connect(address)?)
}

fn ends(stream: TcpStream) -> Result<Ends> {
    stream.set_nodelay(true)?;
    Ok((BufReader::new(Box::new(stream.try_clone()?)), Box::new(stream)))
}
