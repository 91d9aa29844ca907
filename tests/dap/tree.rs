//! A tree of connections that looks like one adapter; every member is a fake.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dapdock::dap::family::{self, ChildAddress, Dial};
use dapdock::dap::{Client, Inbound, Inbox, connect};
use futures_util::StreamExt;
use serde_json::{Value, json};

use super::wire::LIMITS;
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

#[tokio::test]
async fn child_gets_the_roots_requests_and_its_stop_is_reported() {
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![child(5)]);
    talk.start().await;
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["hitBreakpointIds"]), (&json!(1), &json!([1])));
    assert_eq!(stop["allThreadsStopped"], false);
    let commands =
        ["initialize", "attach", "setBreakpoints", "setExceptionBreakpoints", "configurationDone"];
    assert_eq!(talk.child(0).commands(), commands);
    assert_eq!(talk.child(0).arguments("initialize"), talk.root.arguments("initialize"));
    assert_eq!(talk.root.arguments("initialize")[0]["supportsStartDebuggingRequest"], true);
    assert_eq!(talk.child(0).arguments("attach"), [json!({"name": "kid", "secret": "of kid"})]);
    assert_eq!(*talk.doors.lock().unwrap(), [ChildAddress::Same]);
    assert_eq!(talk.total(&stop["threadId"]).await, "5");
    // Without a frame the expression is evaluated at the last stop.
    assert_eq!(talk.ask("evaluate", json!({"expression": "total"})).await.unwrap()["result"], "5");
    assert!(!talk.saw("initialized"), "the root's is the only one");
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.event("thread").await, json!({"reason": "exited", "threadId": 1}));
    assert!(
        !talk.saw("exited") && !talk.saw("terminated"),
        "the child's end is not the tree's: {:?}",
        talk.events
    );
    assert!(!talk.root.commands().contains(&"continue".to_owned()));
}

#[tokio::test]
async fn threads_of_all_members_have_distinct_ids() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    talk.event("stopped").await;
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    talk.event("stopped").await;
    let threads = talk.ask("threads", Value::Null).await.unwrap();
    let names: Vec<_> = threads["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|thread| thread["name"].clone())
        .collect();
    assert_eq!(names, ["main", "two: main"], "{threads}");
}

/// The child's threads resume together, and the event says so.
#[tokio::test]
async fn child_with_several_threads_reports_whether_all_stopped() {
    let thread = Fault::on(
        "configurationDone",
        FaultKind::Emit("thread".into(), json!({"reason": "started", "threadId": 7})),
    );
    for (stops_one, all) in [(false, true), (true, false)] {
        let kid = Script { faults: vec![thread.clone()], stops_one, ..child(5) };
        let mut talk = Talk::with(parent(&["kid"], vec![]), vec![kid]);
        talk.start().await;
        let stop = talk.event("stopped").await;
        assert_eq!((&stop["allThreadsStopped"], &stop["together"]), (&json!(all), &json!([1, 2])));
    }
}

/// Waits until both children are stopped at their breakpoints.
async fn wait_until_both_stopped(talk: &mut Talk) {
    let configured = |talk: &Talk| (0..2).all(|at| talk.child(at).commands().len() >= 5);
    while talk.children.lock().unwrap().len() < 2 || !configured(talk) {
        talk.ask("threads", Value::Null).await.unwrap();
    }
    talk.ask("threads", Value::Null).await.unwrap();
}

#[tokio::test]
async fn stops_are_reported_one_at_a_time_and_none_is_lost() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    assert!(!talk.saw("stopped"));
    assert_eq!(talk.total(&first).await, "5");
    talk.ask("continue", json!({"threadId": first})).await.unwrap();
    let second = talk.event("stopped").await["threadId"].clone();
    assert_ne!(first, second);
    assert_eq!(talk.total(&second).await, "6");
    talk.ask("next", json!({"threadId": second})).await.unwrap();
    assert_eq!(talk.event("stopped").await["reason"], "step");
}

#[tokio::test]
async fn a_step_is_answered_by_its_own_stop() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    talk.ask("next", json!({"threadId": first})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["reason"]), (&first, &json!("step")));
    // A step to the program's end.
    talk.ask("next", json!({"threadId": first})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!(stop["reason"], "breakpoint");
    assert_ne!(stop["threadId"], first);
}

#[tokio::test(start_paused = true)]
async fn long_step_does_not_hold_back_other_stops() {
    let hangs = || vec![Place { hangs: true, ..Place::at(3) }, Place::at(4)];
    let hang = || Script { program: hangs(), ..child(5) };
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![hang(), hang()]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    talk.ask("next", json!({"threadId": first})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!(stop["reason"], "breakpoint");
    assert_ne!(stop["threadId"], first);
}

/// An adapter may leave a request unanswered while it does something else.
#[tokio::test(start_paused = true)]
async fn unanswered_move_does_not_hold_back_other_stops() {
    let silent = || vec![Fault::on("continue", FaultKind::Silent)];
    let hang = || Script {
        program: vec![Place::at(3), Place { hangs: true, ..Place::at(4) }],
        ..child(5)
    };
    let deaf = || Script { faults: silent(), ..hang() };
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![deaf(), deaf()]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    let frame = talk.ask("stackTrace", json!({"threadId": first})).await.unwrap()["stackFrames"][0]
        ["id"]
        .clone();
    drop(talk.client.request_raw("continue", json!({"threadId": first})));
    let stop = tokio::time::timeout(LIMITS.request, talk.event("stopped"))
        .await
        .expect("the stop is not reported");
    assert_eq!((&stop["reason"], &stop["again"]), (&json!("breakpoint"), &Value::Null));
    assert_ne!(stop["threadId"], first);
    let gone = talk.ask("scopes", json!({"frameId": frame})).await.unwrap_err();
    assert!(gone.ends_with(&format!("frame {frame} is gone")), "{gone}");
}

#[tokio::test]
async fn stop_is_reported_again_after_another_member_was_stepped() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    let threads = talk.ask("threads", Value::Null).await.unwrap();
    let other = threads["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .rfind(|id| **id != first);
    let other = other.unwrap().clone();
    talk.ask("next", json!({"threadId": other})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["reason"]), (&other, &json!("step")));
    talk.ask("continue", json!({"threadId": other})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["again"]), (&first, &json!(true)));
}

#[tokio::test]
async fn ids_of_a_stop_are_invalid_after_it() {
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![child(5)]);
    talk.start().await;
    let thread = talk.event("stopped").await["threadId"].clone();
    let frame = talk.ask("stackTrace", json!({"threadId": thread})).await.unwrap()["stackFrames"]
        [0]["id"]
        .clone();
    talk.ask("next", json!({"threadId": thread})).await.unwrap();
    let stale = talk.ask("scopes", json!({"frameId": frame})).await.unwrap_err();
    assert!(stale.ends_with(&format!("frame {frame} is gone")), "{stale}");
}

#[tokio::test]
async fn ids_of_a_child_are_invalid_after_its_end() {
    let dying = Script { faults: vec![Fault::on("evaluate", FaultKind::Die)], ..child(5) };
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![dying]);
    talk.start().await;
    let thread = talk.event("stopped").await["threadId"].clone();
    let frame = talk.ask("stackTrace", json!({"threadId": thread})).await.unwrap()["stackFrames"]
        [0]["id"]
        .clone();
    talk.ask("evaluate", json!({"expression": "total", "frameId": frame})).await.unwrap_err();
    let gone = talk.ask("scopes", json!({"frameId": frame})).await.unwrap_err();
    assert!(gone.ends_with(&format!("frame {frame} is gone")), "{gone}");
}

#[tokio::test]
async fn a_request_that_names_two_members_reaches_none() {
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    let frame = talk.ask("stackTrace", json!({"threadId": first})).await.unwrap()["stackFrames"][0]
        ["id"]
        .clone();
    let threads = talk.ask("threads", Value::Null).await.unwrap();
    let other = threads["threads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .find(|id| **id != first)
        .unwrap();
    let refused = talk.ask("goto", json!({"threadId": other, "frameId": frame})).await.unwrap_err();
    assert!(refused.ends_with("is gone"), "{refused}");
    let received = [talk.root.clone(), talk.child(0), talk.child(1)];
    assert!(received.iter().all(|received| !received.commands().contains(&"goto".to_owned())));
}

/// A `stopped` event of a member that is already stopped, with this reason.
fn stopped_again(on: &str, reason: &str) -> Fault {
    Fault::on(on, FaultKind::Emit("stopped".into(), json!({"reason": reason, "threadId": 0})))
}

#[tokio::test]
async fn new_stop_of_the_current_member_is_reported_first() {
    let again = Script { faults: vec![stopped_again("evaluate", "exception")], ..child(5) };
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![again, child(6)]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    talk.ask("evaluate", json!({"expression": "total"})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["threadId"], &stop["reason"]), (&first, &json!("exception")));
    talk.ask("continue", json!({"threadId": first})).await.unwrap();
    let second = talk.event("stopped").await;
    assert_ne!(second["threadId"], first);
    assert_eq!(second["reason"], "breakpoint");
}

#[tokio::test]
async fn newer_stop_of_a_waiting_member_replaces_the_older() {
    let again = Script { faults: vec![stopped_again("threads", "exception")], ..child(6) };
    let mut talk = Talk::with(parent(&["one", "two"], vec![]), vec![child(5), again]);
    talk.start().await;
    let first = talk.event("stopped").await["threadId"].clone();
    wait_until_both_stopped(&mut talk).await;
    talk.ask("threads", Value::Null).await.unwrap();
    talk.ask("continue", json!({"threadId": first})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_ne!(stop["threadId"], first);
    assert_eq!(stop["reason"], "exception");
}

#[tokio::test]
async fn internal_events_are_not_forwarded() {
    let emit = |event: &str, body| Fault::on("threads", FaultKind::Emit(event.into(), body));
    let gone = json!({"reason": "removed", "breakpoint": {"id": 1, "verified": false}});
    let faults = vec![
        emit(
            "loadedSource",
            json!({"reason": "new", "source": {"name": "inside", "sourceReference": 7}}),
        ),
        emit("breakpoint", gone),
        emit("vendor", json!({})),
    ];
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![Script { faults, ..child(5) }]);
    talk.start().await;
    talk.event("stopped").await;
    talk.events.clear();
    talk.ask("threads", Value::Null).await.unwrap();
    talk.event("vendor").await;
    assert!(!talk.saw("loadedSource") && !talk.saw("breakpoint"), "{:?}", talk.events);
}

#[tokio::test]
async fn garbage_of_a_child_is_a_line_of_the_log() {
    let faults = vec![Fault::on("threads", FaultKind::Garbage("Debugger 1.0 ready\r\n".into()))];
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![Script { faults, ..child(5) }]);
    talk.start().await;
    talk.event("stopped").await;
    talk.ask("threads", Value::Null).await.unwrap();
    let line = talk.event("output").await;
    assert_eq!(line["category"], "console");
    let text = line["output"].as_str().unwrap();
    assert!(text.contains("no DAP message") && text.contains("Debugger 1.0 ready"), "{text}");
}

/// A program's output before its stop is such a flood.
#[tokio::test]
async fn response_after_many_events_is_delivered() {
    let output =
        || Fault::on("threads", FaultKind::Emit("output".into(), json!({"output": "line\n"})));
    let faults = std::iter::repeat_with(output).take(2_000).collect();
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![Script { faults, ..child(5) }]);
    talk.start().await;
    let stop = talk.event("stopped").await;
    for _ in 0..5 {
        let threads = talk.ask("threads", Value::Null).await.unwrap();
        assert_eq!(threads["threads"].as_array().map(Vec::len), Some(2));
        assert_eq!(talk.total(&stop["threadId"]).await, "5");
    }
}

#[tokio::test]
async fn breakpoints_go_to_all_and_one_verification_suffices() {
    // The root has no code there.
    let root = Script { no_code: vec![3], ..parent(&["kid"], vec![]) };
    let mut talk = Talk::with(root, vec![child(5)]);
    talk.start().await;
    let event = talk.event("breakpoint").await;
    assert_eq!(
        event,
        json!({"reason": "changed", "breakpoint": {"id": 1, "verified": true, "line": 3}})
    );
    talk.event("stopped").await;
    let breakpoints =
        json!({"source": {"path": "/fake/program"}, "breakpoints": [{"line": 3}, {"line": 4}]});
    let set = talk.ask("setBreakpoints", breakpoints.clone()).await.unwrap();
    let reply: Vec<_> =
        set["breakpoints"].as_array().unwrap().iter().map(|mark| &mark["verified"]).collect();
    assert_eq!(reply, [true, true]);
    assert_eq!(talk.root.arguments("setBreakpoints")[1], breakpoints);
    assert_eq!(talk.child(0).arguments("setBreakpoints")[1], breakpoints);
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.event("stopped").await["hitBreakpointIds"], json!([2]));
}

#[tokio::test]
async fn crashed_child_leaves_the_session_and_crashed_root_ends_it() {
    let dying = Script { faults: vec![Fault::on("next", FaultKind::Die)], ..child(5) };
    let root = parent(&["kid"], vec![Fault::on("source", FaultKind::Die)]);
    let mut talk = Talk::with(root, vec![dying]);
    talk.start().await;
    talk.event("stopped").await;
    assert_eq!(talk.ask("next", json!({"threadId": 1})).await.unwrap(), json!({}));
    assert_eq!(talk.event("thread").await["reason"], "exited");
    // The thread that was stopped no longer exists.
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.ask("threads", Value::Null).await.unwrap()["threads"][0]["name"], "main");
    assert!(!talk.closed);
    assert!(talk.ask("source", json!({})).await.is_err());
    while !talk.closed {
        talk.next().await;
    }
}

/// An adapter may report the attach before its first child connects.
#[tokio::test]
async fn pause_before_any_thread_waits_for_one() {
    let thread = json!({"reason": "started", "threadId": 0});
    let faults = vec![Fault::on("configurationDone", FaultKind::Emit("thread".into(), thread))];
    let program = vec![Place { hangs: true, ..Place::at(1) }];
    let kid = Script { program, faults, ..child(5) };
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![kid]);
    talk.start().await;
    talk.ask("pause", json!({"threadId": 0})).await.unwrap();
    assert_eq!(talk.child(0).arguments("pause"), [json!({"threadId": 0})]);
    assert!(!talk.root.commands().contains(&"pause".to_owned()));
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["reason"], &stop["threadId"]), (&json!("pause"), &json!(1)));
}

/// A child lists its thread before the thread runs.
#[tokio::test]
async fn pause_of_a_listed_thread_waits_until_it_runs() {
    let thread = json!({"reason": "started", "threadId": 0});
    let faults =
        vec![Fault::on("setFunctionBreakpoints", FaultKind::Emit("thread".into(), thread))];
    let program = vec![Place { hangs: true, ..Place::at(1) }];
    let root = Script { threads: Vec::new(), ..parent(&["kid"], vec![]) };
    let mut talk = Talk::with(root, vec![Script { program, faults, ..child(5) }]);
    talk.start().await;
    while talk.ask("threads", Value::Null).await.unwrap()["threads"] == json!([]) {}
    drop(talk.client.request_raw("pause", json!({"threadId": 1})));
    talk.ask("threads", Value::Null).await.unwrap();
    assert!(!talk.child(0).commands().contains(&"pause".to_owned()));
    talk.ask("setFunctionBreakpoints", json!({"breakpoints": []})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["reason"], &stop["threadId"]), (&json!("pause"), &json!(1)));
}

#[tokio::test]
async fn pause_of_a_listed_thread_pauses_no_other() {
    let at = |command| {
        let thread = json!({"reason": "started", "threadId": 0});
        let faults = vec![Fault::on(command, FaultKind::Emit("thread".into(), thread))];
        Script { program: vec![Place { hangs: true, ..Place::at(1) }], faults, ..child(5) }
    };
    let root = Script { threads: Vec::new(), ..parent(&["one", "two"], vec![]) };
    let mut talk = Talk::with(root, vec![at("configurationDone"), at("setFunctionBreakpoints")]);
    talk.start().await;
    let listed =
        async |talk: &mut Talk| talk.ask("threads", Value::Null).await.unwrap()["threads"].clone();
    let second = loop {
        let threads = listed(&mut talk).await;
        if let Some(thread) =
            threads.as_array().unwrap().iter().find(|thread| thread["name"] == "two: main")
        {
            break thread["id"].clone();
        }
    };
    drop(talk.client.request_raw("pause", json!({"threadId": second})));
    listed(&mut talk).await;
    talk.ask("setFunctionBreakpoints", json!({"breakpoints": []})).await.unwrap();
    let stop = talk.event("stopped").await;
    assert_eq!((&stop["reason"], &stop["threadId"]), (&json!("pause"), &second));
    assert!(!talk.child(0).commands().contains(&"pause".to_owned()));
}

#[tokio::test]
async fn pause_of_an_ended_thread_pauses_another() {
    let mut talk = Talk::with(parent(&["kid"], vec![]), vec![child(5)]);
    talk.start().await;
    talk.event("stopped").await;
    talk.ask("continue", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.event("thread").await, json!({"reason": "exited", "threadId": 1}));
    let refused = talk.ask("pause", json!({"threadId": 1})).await.unwrap_err();
    assert!(refused.ends_with("thread 1 is gone"), "{refused}");
    let threads = talk.ask("threads", Value::Null).await.unwrap();
    talk.ask("pause", json!({"threadId": 1})).await.unwrap();
    assert_eq!(talk.event("stopped").await["threadId"], threads["threads"][0]["id"]);
}

#[tokio::test]
async fn more_children_than_allowed_are_refused_by_name() {
    let mut talk = Talk::with(parent(&["one", "two", "three"], vec![]), vec![child(5), child(6)]);
    talk.start().await;
    let reply = talk.event("output").await;
    assert_eq!(
        reply["output"],
        "three is not debugged: 2 child processes are debugged already (limits.children)\n"
    );
    let refused: Vec<_> =
        talk.root.messages().into_iter().filter(|message| message["success"] == false).collect();
    assert_eq!(refused.len(), 1);
}

#[tokio::test]
async fn unreachable_child_is_reported() {
    let elsewhere = json!({
        "request": "attach", "configuration": {"name": "far", "connect": {"host": "h", "port": 9}},
    });
    let ask = Fault::on("configurationDone", FaultKind::Ask("startDebugging".into(), elsewhere));
    let mut talk = Talk::with(parent(&[], vec![ask]), vec![]);
    talk.start().await;
    assert_eq!(talk.event("output").await["output"], "far is not debugged: nobody is there\n");
    assert_eq!(*talk.doors.lock().unwrap(), [ChildAddress::At { host: "h".into(), port: 9 }]);
}

#[tokio::test(start_paused = true)]
async fn children_disconnect_before_the_root() {
    for (faults, takes) in
        [(vec![], Duration::ZERO), (vec![Fault::on("disconnect", FaultKind::Silent)], LEAVE)]
    {
        let mut talk = Talk::with(parent(&["kid"], vec![]), vec![Script { faults, ..child(5) }]);
        talk.start().await;
        talk.event("stopped").await;
        let started = tokio::time::Instant::now();
        let arguments = json!({"terminateDebuggee": true});
        talk.ask("disconnect", arguments.clone()).await.unwrap();
        assert_eq!(started.elapsed(), takes);
        for received in [talk.child(0), talk.root] {
            assert_eq!(received.arguments("disconnect")[0], arguments);
        }
    }
}

/// The same for a disconnect: a child that connects gets it too, and without a child it ends after
/// a time limit.
#[tokio::test(start_paused = true)]
async fn disconnect_before_any_thread_waits_for_one() {
    let thread = json!({"reason": "started", "threadId": 0});
    let faults = vec![Fault::on("configurationDone", FaultKind::Emit("thread".into(), thread))];
    let program = vec![Place { hangs: true, ..Place::at(1) }];
    for (names, received, takes) in
        [(vec!["kid"], vec![json!({})], Duration::ZERO), (vec![], vec![], LEAVE)]
    {
        let kid = Script { program: program.clone(), faults: faults.clone(), ..child(5) };
        let mut talk = Talk::with(parent(&names, vec![]), vec![kid]);
        talk.start().await;
        let started = tokio::time::Instant::now();
        talk.ask("disconnect", json!({})).await.unwrap();
        assert_eq!(started.elapsed(), takes);
        let children = talk.children.lock().unwrap().clone();
        assert_eq!(
            children.iter().flat_map(|child| child.arguments("disconnect")).collect::<Vec<_>>(),
            received
        );
        assert_eq!(talk.root.arguments("disconnect"), [json!({})]);
    }
}

#[tokio::test]
async fn other_reverse_requests_reach_the_client_and_are_answered() {
    let ask = Fault::on("threads", FaultKind::Ask("runInTerminal".into(), json!({"args": ["x"]})));
    let mut talk = Talk::with(parent(&[], vec![ask]), vec![]);
    talk.start().await;
    let _threads = talk.client.request_raw("threads", Value::Null);
    let request = loop {
        let item = tokio::select! {
            item = talk.inbox.next() => item,
            () = &mut talk.drive => None,
        };
        if let Some(Inbound::Request(request)) = item {
            break request;
        }
    };
    assert_eq!(
        (request.command.as_str(), &request.arguments),
        ("runInTerminal", &json!({"args": ["x"]}))
    );
    talk.client.respond(request.seq, &request.command, Err("no terminal".into()));
    talk.ask("threads", Value::Null).await.unwrap();
    let refused =
        talk.root.messages().into_iter().find(|message| message["success"] == false).unwrap();
    assert_eq!(refused["message"], "no terminal");
}
