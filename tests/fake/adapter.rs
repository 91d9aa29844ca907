//! The protocol side of the fake: one message in, bytes out. Synchronous; it applies the script's
//! order and faults, and leaves the debuggee to [`Program`].

use std::path::Path;

use bytes::Bytes;
use dapdock::dap::codec::encode;
use serde_json::{Value, json};

use super::program::{Event, Goal, Program, output};
use super::script::{FaultKind, LaunchResponse, Moment, Script};

/// An action on the connection.
#[derive(Debug)]
pub enum Out {
    /// Write.
    Now(Bytes),
    /// Write after so many milliseconds.
    Late(u64, Bytes),
    /// End the process without closing the protocol.
    Die,
    /// Close the connection.
    End,
}

/// The result of a request: the response, if it is sent now, and events.
type Outcome = (Option<Result<Value, String>>, Vec<Event>);

#[derive(Debug)]
pub struct Adapter {
    script: Script,
    program: Program,
    /// The launch request that has no response yet, and its later response.
    launch: Option<(Value, Result<Value, String>)>,
    launched: bool,
    configured: bool,
    seq: i64,
    sent: usize,
    out: Vec<Out>,
}

impl Adapter {
    pub fn new(script: Script) -> Self {
        let program = Program::new(script.clone());
        let (launch, launched, configured) = (None, false, false);
        Self { script, program, launch, launched, configured, seq: 0, sent: 0, out: Vec::new() }
    }

    /// Handles one message. Responses to the fake's own requests are only stored.
    pub fn handle(&mut self, message: &Value) -> Vec<Out> {
        if message["type"] == "request" {
            self.react(message);
        }
        std::mem::take(&mut self.out)
    }

    fn react(&mut self, request: &Value) {
        let command = request["command"].as_str().unwrap_or_default();
        let faults = self.faults(command);
        let refused = faults.iter().find_map(|fault| match fault {
            FaultKind::Refuse(message) => Some(message.clone()),
            _ => None,
        });
        self.initialized(match command {
            "initialize" => Some(Moment::BeforeInitialize),
            "launch" | "attach" => Some(Moment::OnLaunch),
            _ => None,
        });
        let (answer, events) = match refused {
            Some(message)
                if command == "launch" && self.script.launch == LaunchResponse::Configuring =>
            {
                self.launch = Some((request.clone(), Err(message)));
                (None, Vec::new())
            }
            Some(message) => (Some(Err(message)), Vec::new()),
            None if faults.iter().any(|fault| matches!(fault, FaultKind::Ignore)) => {
                (Some(Ok(json!({}))), Vec::new())
            }
            None => self.perform(command, request),
        };
        let first = faults.iter().any(|fault| matches!(fault, FaultKind::EventsFirst));
        let (before, after) = if first { (events, Vec::new()) } else { (Vec::new(), events) };
        self.events(before);
        let launch = if command == "configurationDone" { self.launch.take() } else { None };
        let own = answer.map(|answer| (request.clone(), answer));
        let answers = match self.script.launch {
            LaunchResponse::Configuring => [launch, own],
            LaunchResponse::AtOnce | LaunchResponse::Configured => [own, launch],
        };
        for (request, answer) in answers.into_iter().flatten() {
            self.answer(&request, answer);
        }
        self.events(after);
        if command == "disconnect" && !faults.iter().any(|fault| matches!(fault, FaultKind::Silent))
        {
            self.out.push(Out::End);
        }
    }

    fn perform(&mut self, command: &str, request: &Value) -> Outcome {
        let arguments = &request["arguments"];
        let respond = |body: Value| (Some(Ok(body)), Vec::new());
        match command {
            "stackTrace"
                if arguments["threadId"]
                    .as_i64()
                    .is_some_and(|id| self.script.mute.contains(&id)) =>
            {
                (None, Vec::new())
            }
            "initialize" => respond(self.script.capabilities.clone()),
            "launch" | "attach" => self.launch(request),
            "configurationDone" => {
                self.configured = true;
                (Some(Ok(Value::Null)), self.begin())
            }
            "setBreakpoints" => respond(
                self.program.set(arguments["source"]["path"].as_str(), &arguments["breakpoints"]),
            ),
            "setFunctionBreakpoints" => respond(self.program.set(None, &arguments["breakpoints"])),
            "setExceptionBreakpoints" | "cancel" => respond(Value::Null),
            "continue" => self.resume(Goal::Breakpoint),
            "next" | "stepIn" | "stepOut" => self.resume(Goal::Anywhere),
            "pause" => (Some(Ok(Value::Null)), self.program.pause()),
            "terminate" => (Some(Ok(Value::Null)), vec![("terminated", Value::Null)]),
            "disconnect" => respond(Value::Null),
            _ => (Some(self.inspect(command, arguments)), Vec::new()),
        }
    }

    fn inspect(&mut self, command: &str, arguments: &Value) -> Result<Value, String> {
        let number = |key: &str| arguments[key].as_i64().unwrap_or(-1);
        if command == "threads" {
            let threads: Vec<_> = self
                .script
                .threads
                .iter()
                .map(|(id, name)| json!({"id": id, "name": name}))
                .collect();
            return Ok(json!({ "threads": threads }));
        }
        if self.program.running {
            return Err("notStopped".into());
        }
        match command {
            "stackTrace" => Ok(self.program.frames(&arguments["threadId"])),
            "scopes" => {
                let reference = self.program.locals(number("frameId"));
                Ok(json!({"scopes": [{"name": "Locals", "presentationHint": "locals",
                        "variablesReference": reference, "expensive": false}]}))
            }
            "variables" => {
                let children =
                    self.program.children(number("variablesReference")).ok_or("stale reference")?;
                let (start, count) = (number("start").max(0), number("count"));
                let count = if count > 0 { count } else { i64::MAX };
                let page: Vec<_> =
                    children.into_iter().skip(start as usize).take(count as usize).collect();
                Ok(json!({ "variables": page }))
            }
            "evaluate" => {
                self.program.evaluate(arguments["expression"].as_str().unwrap_or_default())
            }
            "setVariable" => {
                let text = |key: &str| arguments[key].as_str().unwrap_or_default();
                self.program.assign(number("variablesReference"), text("name"), text("value"))
            }
            "exceptionInfo" => {
                let text = self.program.here().and_then(|place| place.text.clone());
                Ok(json!({"exceptionId": "Fake", "breakMode": "always", "description": text}))
            }
            _ => Err("unknown request".into()),
        }
    }

    fn launch(&mut self, request: &Value) -> Outcome {
        self.launched = true;
        let events = self.begin();
        match self.script.launch {
            LaunchResponse::Configured | LaunchResponse::Configuring if !self.configured => {
                self.launch = Some((request.clone(), Ok(Value::Null)));
                (None, events)
            }
            _ => (Some(Ok(Value::Null)), events),
        }
    }

    /// The debuggee runs once launched and configured, in either order.
    fn begin(&mut self) -> Vec<Event> {
        if self.launched && self.configured {
            self.program.run(Goal::Breakpoint)
        } else {
            Vec::new()
        }
    }

    fn resume(&mut self, goal: Goal) -> Outcome {
        (Some(Ok(json!({ "allThreadsContinued": true }))), self.program.run(goal))
    }

    /// Sends a response, with the faults around it.
    fn answer(&mut self, request: &Value, result: Result<Value, String>) {
        let command = request["command"].as_str().unwrap_or_default().to_owned();
        let faults = self.faults(&command);
        let expression = request["arguments"]["expression"].as_str().unwrap_or_default();
        let slow = self.script.slow.get(expression).copied();
        let (mut delay, mut silent, mut result) = (slow, false, result);
        for fault in &faults {
            match fault {
                FaultKind::Die => self.out.push(Out::Die),
                FaultKind::DieAt(text) => {
                    if request["arguments"].to_string().contains(text) {
                        self.out.push(Out::Die);
                    }
                }
                FaultKind::Silent => silent = true,
                FaultKind::Late(ms) => delay = Some(*ms),
                FaultKind::Answer(body) => result = Ok(body.clone()),
                FaultKind::Garbage(text) => self.out.push(Out::Now(text.clone().into())),
                FaultKind::HugeLength => {
                    self.out.push(Out::Now("Content-Length: 10000000000\r\n\r\n{\"seq".into()))
                }
                FaultKind::Ask(command, arguments) => {
                    self.send(
                        json!({"type": "request", "command": command, "arguments": arguments}),
                        None,
                    );
                }
                FaultKind::Refuse(_)
                | FaultKind::Ignore
                | FaultKind::EventsFirst
                | FaultKind::Flood(_)
                | FaultKind::Pour(..)
                | FaultKind::Emit(..)
                | FaultKind::Owns(_) => {}
            }
        }
        if !silent {
            self.send(response(request, &command, result), delay);
        }
        self.initialized(match command.as_str() {
            "initialize" => Some(Moment::AfterInitialize),
            "launch" | "attach" => Some(Moment::AfterLaunch),
            "configurationDone" => Some(Moment::AfterConfiguration),
            _ => None,
        });
        for fault in faults {
            match fault {
                FaultKind::Flood(count) => {
                    let line = |n| {
                        json!({
                            "type": "event", "event": "output",
                            "body": {"category": "stdout", "output": format!("flood {n}\n")},
                        })
                    };
                    (0..count).for_each(|n| self.send(line(n), None));
                }
                FaultKind::Pour(count, bytes) => {
                    let line = |n| output("stdout", &format!("{n:0bytes$}\n"));
                    self.events((0..count).map(line).collect());
                }
                FaultKind::Emit(event, body) => {
                    self.send(json!({"type": "event", "event": event, "body": body}), None)
                }
                FaultKind::Owns(file) => self.events(vec![("process", process(&file))]),
                _ => {}
            }
        }
    }

    fn initialized(&mut self, moment: Option<Moment>) {
        let times = self.script.initialized.iter().filter(|at| Some(**at) == moment).count();
        (0..times).for_each(|_| self.send(json!({"type": "event", "event": "initialized"}), None));
    }

    fn events(&mut self, events: Vec<Event>) {
        for (event, body) in events {
            self.send(json!({"type": "event", "event": event, "body": body}), None);
        }
    }

    fn send(&mut self, mut message: Value, delay: Option<u64>) {
        if self.script.dies_after.is_some_and(|limit| self.sent >= limit) {
            return self.out.push(Out::Die);
        }
        self.seq += 1;
        self.sent += 1;
        message["seq"] = self.seq.into();
        let bytes = encode(&message).unwrap();
        self.out.push(match delay {
            Some(ms) => Out::Late(ms, bytes),
            None => Out::Now(bytes),
        });
    }

    fn faults(&self, command: &str) -> Vec<FaultKind> {
        let faults = self.script.faults.iter().filter(|fault| fault.on == command);
        faults.map(|fault| fault.what.clone()).collect()
    }
}

/// The body of a `process` event.
fn process(file: &Path) -> Value {
    let pid: i64 = std::fs::read_to_string(file).unwrap().trim().parse().unwrap();
    json!({
        "name": "debuggee", "systemProcessId": pid, "isLocalProcess": true, "startMethod": "launch",
    })
}

fn response(request: &Value, command: &str, result: Result<Value, String>) -> Value {
    let mut response = json!({
        "type": "response", "request_seq": request["seq"], "command": command,
        "success": result.is_ok(),
    });
    match result {
        Ok(Value::Null) => {}
        Ok(body) => response["body"] = body,
        Err(message) => response["message"] = message.into(),
    }
    response
}
