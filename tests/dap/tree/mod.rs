//! A tree of connections that looks like one adapter; every member is a fake.

mod children;
mod disconnects;
mod ids;
mod messages;
mod pauses;
mod stops;

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dapdock::dap::family::{self, ChildAddress, Dial};
use dapdock::dap::{Client, Inbound, Inbox, connect};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::dap::wire::LIMITS;
use crate::fake::{self, Fault, FaultKind, Moment, Place, Received, Script};

/// The time limit for a child's disconnect.
const LEAVE: Duration = Duration::from_secs(1);

struct Talk {
    client: Client,
    inbox: Inbox,
    drive: Pin<Box<dyn Future<Output = ()> + Send>>,
    root: Received,
    children: Arc<Mutex<Vec<Received>>>,
    doors: Arc<Mutex<Vec<ChildAddress>>>,
    /// Events in order, with their bodies.
    events: Vec<(String, Value)>,
    closed: bool,
}

/// A root that requests these children when it is configured.
fn parent(children: &[&str], more: Vec<Fault>) -> Script {
    let ask = |name: &&str| {
        let configuration = json!({"name": name, "secret": format!("of {name}")});
        let arguments = json!({"request": "attach", "configuration": configuration});
        Fault::on("configurationDone", FaultKind::Ask("startDebugging".into(), arguments))
    };
    let faults = children.iter().map(ask).chain(more).collect();
    Script { program: vec![Place { hangs: true, ..Place::at(1) }], faults, ..Script::default() }
}

/// A child that stops at its breakpoint in line 3, and then runs to its end.
fn child(total: i64) -> Script {
    let locals = json!({"total": total, "order": {"items": [1, 2]}}).as_object().unwrap().clone();
    // As some adapters do: `initialized` twice, and thread ids from 0.
    let initialized = vec![Moment::AfterInitialize, Moment::AfterLaunch];
    let program = vec![Place { locals, ..Place::at(3) }, Place::at(4)];
    Script { program, initialized, threads: vec![(0, "main".into())], ..Script::default() }
}

impl Talk {
    fn with(root: Script, children: Vec<Script>) -> Self {
        let root = fake::start(root);
        let (received, doors) =
            (Arc::<Mutex<Vec<Received>>>::default(), Arc::<Mutex<Vec<ChildAddress>>>::default());
        let scripts = Arc::new(Mutex::new(VecDeque::from(children)));
        let (recorded, opened) = (received.clone(), doors.clone());
        let dial: Dial = Box::new(move |door| {
            opened.lock().unwrap().push(door);
            let child = scripts.lock().unwrap().pop_front().map(fake::start);
            if let Some(child) = &child {
                recorded.lock().unwrap().push(child.received.clone());
            }
            let streams = child
                .map(|child| (Box::new(child.read) as Box<_>, Box::new(child.write) as Box<_>));
            Box::pin(async move { streams.ok_or_else(|| "nobody is there".to_owned()) })
        });
        let limits = family::Limits {
            children: 2,
            wire: LIMITS,
            disconnect: LEAVE,
            step: Duration::from_secs(1),
        };
        let (read, write, drive) =
            family::grow((Box::new(root.read), Box::new(root.write)), dial, limits);
        let (client, inbox) = connect(read, write, LIMITS);
        let drive = Box::pin(drive);
        Self {
            client,
            inbox,
            drive,
            root: root.received,
            children: received,
            doors,
            events: Vec::new(),
            closed: false,
        }
    }

    async fn next(&mut self) {
        let item = tokio::select! {
            biased;
            item = self.inbox.next() => item,
            () = &mut self.drive => unreachable!("the tree ends when it is dropped"),
        };
        match item {
            Some(Inbound::Event(event)) => self.events.push((event.event, event.body)),
            Some(Inbound::Closed(_)) => self.closed = true,
            Some(_) => {}
            None => panic!("nothing more after {:?}", self.events),
        }
    }

    async fn ask(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        let mut call = self.client.request_raw(command, arguments);
        loop {
            tokio::select! {
                biased;
                answer = &mut call => return answer.map_err(|error| error.to_string()),
                () = self.next() => {}
            }
        }
    }

    /// Removes and returns the next event of this name.
    async fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|(event, _)| event == name) {
                return self.events.remove(at).1;
            }
            self.next().await;
        }
    }

    fn saw(&self, name: &str) -> bool {
        self.events.iter().any(|(event, _)| event == name)
    }

    /// The start sequence, with a breakpoint in line 3.
    async fn start(&mut self) {
        let capabilities = self.ask("initialize", json!({"adapterID": "fake"})).await.unwrap();
        self.client.merge_capabilities(capabilities);
        let launch = self.client.request_raw("launch", json!({}));
        self.event("initialized").await;
        let breakpoints =
            json!({"source": {"path": "/fake/program"}, "breakpoints": [{"line": 3}]});
        let set = self.ask("setBreakpoints", breakpoints).await.unwrap();
        assert_eq!(set["breakpoints"][0]["id"], 1);
        self.ask("setExceptionBreakpoints", json!({"filters": ["uncaught"]})).await.unwrap();
        self.ask("configurationDone", json!({})).await.unwrap();
        drop(launch);
    }

    fn child(&self, at: usize) -> Received {
        self.children.lock().unwrap()[at].clone()
    }

    async fn total(&mut self, thread: &Value) -> Value {
        let frame = self.ask("stackTrace",
            json!({"threadId": thread})).await.unwrap()["stackFrames"][0]["id"].clone();
        let scopes = self.ask("scopes", json!({"frameId": frame})).await.unwrap();
        let reference = scopes["scopes"][0]["variablesReference"].clone();
        let reply = self.ask("variables", json!({"variablesReference": reference})).await.unwrap();
        reply["variables"][0]["value"].clone()
    }
}
