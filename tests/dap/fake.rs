//! The fake under the shipped client: the behaviour that session tests rely on.

use std::time::Duration;

use dapdock::dap::arguments::*;
use dapdock::dap::request::*;
use dapdock::dap::{Client, Error, Event, Inbound, Inbox, Request, connect};
use futures_util::StreamExt;
use serde_json::{Value, json};

use super::wire::LIMITS;
use crate::fake::{self, Fault, FaultKind, LaunchResponse, Moment, Place, Script};

struct Talk {
    client: Client,
    inbox: Inbox,
    received: fake::Received,
    /// Every inbound item, one word each.
    log: Vec<String>,
}

impl Talk {
    fn with(script: Script) -> Self {
        let fake = fake::start(script);
        let (client, inbox) = connect(fake.read, fake.write, LIMITS);
        Self { client, inbox, received: fake.received, log: Vec::new() }
    }

    async fn next(&mut self) -> Option<Inbound> {
        let item = self.inbox.next().await;
        self.log.push(match &item {
            Some(Inbound::Response(response)) if response.success => response.command.clone(),
            Some(Inbound::Response(response)) => format!("!{}", response.command),
            Some(Inbound::Event(event)) => match event.read() {
                Event::Stopped(stopped) => format!("stopped:{}", stopped.reason),
                Event::Output(output) => format!("output:{}", output.output),
                _ => event.event.clone(),
            },
            Some(Inbound::Request(request)) => format!("?{}", request.command),
            Some(Inbound::Garbage(_)) => "garbage".into(),
            Some(Inbound::Closed(_)) => "closed".into(),
            None => "nothing".into(),
        });
        item
    }

    async fn answer<R: Request>(&mut self, arguments: R::Arguments) -> Result<R::Response, Error> {
        let mut call = self.client.request::<R>(arguments);
        loop {
            tokio::select! {
                biased;
                answer = &mut call => return answer,
                item = self.next() => assert!(item.is_some()),
            }
        }
    }

    async fn until(&mut self, word: &str) {
        while !self.log.iter().any(|seen| seen == word) {
            assert!(self.next().await.is_some(), "{word} never came: {:?}", self.log);
        }
    }

    /// The start sequence; returns the inbound items in order.
    async fn start(&mut self) -> Vec<String> {
        let capabilities = self.answer::<Initialize>(InitializeArguments::default()).await.unwrap();
        self.client.merge_capabilities(capabilities);
        let launch = self.client.request::<Launch>(json!({}));
        self.until("initialized").await;
        self.answer::<ConfigurationDone>(NoArguments).await.unwrap();
        self.until("launch").await;
        launch.await.unwrap();
        std::mem::take(&mut self.log)
    }
}

fn breakpoints_at(lines: &[i64]) -> SetBreakpointsArguments {
    let breakpoint = |line: &i64| json!({ "line": line });
    serde_json::from_value(json!({
        "source": {"path": "/fake/program"},
        "breakpoints": lines.iter().map(breakpoint).collect::<Vec<_>>(),
    }))
    .unwrap()
}

#[tokio::test]
async fn debuggee_runs_to_breakpoints_steps_and_ends() {
    let place = |line, total: i64| Place {
        locals: json!({"total": total, "order": {"items": [1, 2]}}).as_object().unwrap().clone(),
        output: vec![("stdout".into(), format!("{line}"))],
        ..Place::at(line)
    };
    let program = vec![place(1, 0), place(2, 5), place(3, 8)];
    let mut talk =
        Talk::with(Script { program, exit_code: Some(4), no_code: vec![9], ..Script::default() });
    talk.answer::<Initialize>(InitializeArguments::default()).await.unwrap();
    let set = talk.answer::<SetBreakpoints>(breakpoints_at(&[2, 9])).await.unwrap().breakpoints;
    assert_eq!(set.iter().map(|b| b.verified).collect::<Vec<_>>(), [true, false]);
    talk.client.merge_capabilities(Script::default().capabilities);
    let _launch = talk.client.request::<Launch>(json!({}));
    talk.answer::<ConfigurationDone>(NoArguments).await.unwrap();
    talk.until("stopped:breakpoint").await;
    let frame = &talk.answer::<StackTrace>(Default::default()).await.unwrap().stack_frames[0];
    assert_eq!((frame.id, frame.line, frame.name.as_str()), (0, 2, "main"));
    let scopes = talk.answer::<Scopes>(FrameArguments { frame_id: 0 }).await.unwrap().scopes;
    let of = |variables_reference| VariablesArguments { variables_reference, ..Default::default() };
    let locals =
        talk.answer::<Variables>(of(scopes[0].variables_reference)).await.unwrap().variables;
    assert_eq!((locals[0].name.as_str(), locals[0].value.as_str()), ("total", "5"));
    let nested = EvaluateArguments { expression: "order.items.1".into(), ..Default::default() };
    assert_eq!(talk.answer::<Evaluate>(nested).await.unwrap().result, "2");
    talk.log.clear();
    talk.answer::<Next>(Default::default()).await.unwrap();
    talk.until("stopped:step").await;
    let stale = talk.answer::<Variables>(of(scopes[0].variables_reference)).await;
    assert!(matches!(stale, Err(Error::Refused { message, .. }) if message == "stale reference"));
    talk.answer::<Continue>(Default::default()).await.unwrap();
    talk.until("terminated").await;
    assert_eq!(
        talk.log,
        ["next", "output:3", "stopped:step", "!variables", "continue", "exited", "terminated"]
    );
    talk.answer::<Disconnect>(Default::default()).await.unwrap();
    talk.until("closed").await;
}

#[tokio::test]
async fn initialized_comes_when_the_script_says() {
    let order = async |initialized: &[Moment], launch| {
        let script = Script { initialized: initialized.to_vec(), launch, ..Script::default() };
        Talk::with(script).start().await.join(" ")
    };
    use LaunchResponse::*;
    use Moment::*;
    assert_eq!(
        order(&[BeforeInitialize], Configured).await,
        "initialized initialize configurationDone launch"
    );
    assert_eq!(
        order(&[AfterInitialize], Configured).await,
        "initialize initialized configurationDone launch"
    );
    assert_eq!(
        order(&[OnLaunch], Configured).await,
        "initialize initialized configurationDone launch"
    );
    assert!(
        order(&[AfterLaunch], AtOnce)
            .await
            .starts_with("initialize launch initialized configurationDone")
    );
    assert!(
        order(&[AfterInitialize, OnLaunch], AtOnce)
            .await
            .starts_with("initialize initialized initialized launch")
    );
}

#[tokio::test(start_paused = true)]
async fn hanging_debuggee_only_pauses() {
    let program = vec![Place::at(1), Place { hangs: true, ..Place::at(2) }, Place::at(3)];
    let mut talk = Talk::with(Script { program, ..Script::default() });
    talk.start().await;
    let running = talk.answer::<StackTrace>(Default::default()).await;
    assert!(matches!(running, Err(Error::Refused { message, .. }) if message == "notStopped"));
    for _ in 0..2 {
        talk.log.clear();
        talk.answer::<Pause>(Default::default()).await.unwrap();
        talk.until("stopped:pause").await;
        assert_eq!(
            talk.answer::<StackTrace>(Default::default()).await.unwrap().stack_frames[0].line,
            2
        );
        talk.answer::<Continue>(Default::default()).await.unwrap();
    }
}

/// Starts, requests `threads` with these faults, and returns the response and the inbound items.
async fn with_faults(what: Vec<FaultKind>) -> (Result<usize, Error>, String) {
    let faults = what.into_iter().map(|what| Fault::on("threads", what)).collect();
    let mut talk = Talk::with(Script { faults, ..Script::default() });
    let answer = talk.answer::<Threads>(NoArguments).await.map(|answer| answer.threads.len());
    let _ = talk.answer::<Pause>(Default::default()).await;
    (answer, talk.log.join(" "))
}

#[tokio::test(start_paused = true)]
async fn every_fault_has_its_effect() {
    let started = tokio::time::Instant::now();
    let (answer, log) = with_faults(vec![FaultKind::Silent]).await;
    assert!(matches!(answer, Err(Error::Timeout { .. })));
    assert_eq!(log, "pause");
    let (answer, log) = with_faults(vec![FaultKind::Refuse("busy".into())]).await;
    assert!(matches!(answer, Err(Error::Refused { message, .. }) if message == "busy"));
    assert_eq!(log, "!threads pause");
    let (answer, log) = with_faults(vec![FaultKind::Die]).await;
    assert!(matches!(answer, Err(Error::Closed { .. })));
    assert_eq!(log, "closed");
    let (answer, log) =
        with_faults(vec![FaultKind::Garbage("warning: x\n".into()), FaultKind::HugeLength]).await;
    assert_eq!((answer.unwrap(), log.as_str()), (1, "garbage garbage garbage threads pause"));
    let (answer, log) =
        with_faults(vec![FaultKind::Answer(Value::Null), FaultKind::Flood(2)]).await;
    assert_eq!(
        (answer.unwrap(), log.as_str()),
        (0, "threads output:flood 0\n output:flood 1\n pause")
    );
    let ask = FaultKind::Ask("runInTerminal".into(), json!({}));
    let (_, log) = with_faults(vec![ask, FaultKind::Emit("vendor".into(), json!({}))]).await;
    assert_eq!(log, "?runInTerminal threads vendor pause");
    let before = started.elapsed();
    let (answer, _) = with_faults(vec![FaultKind::Late(3_000)]).await;
    assert_eq!((answer.unwrap(), started.elapsed() - before), (1, Duration::from_secs(3)));
}

#[tokio::test]
async fn events_may_come_before_their_answer() {
    let program = vec![Place { stop: Some("entry".into()), ..Place::at(1) }, Place::at(2)];
    let faults = vec![Fault::on("next", FaultKind::EventsFirst)];
    let mut talk = Talk::with(Script { program, faults, ..Script::default() });
    talk.start().await;
    talk.until("stopped:entry").await;
    talk.log.clear();
    talk.answer::<Next>(Default::default()).await.unwrap();
    assert_eq!(talk.log, ["stopped:step", "next"]);
    assert_eq!(talk.received.commands(), ["initialize", "launch", "configurationDone", "next"]);
}

#[tokio::test]
async fn dies_after_so_many_messages() {
    let mut talk = Talk::with(Script { dies_after: Some(1), ..Script::default() });
    talk.answer::<Initialize>(InitializeArguments::default()).await.unwrap();
    talk.until("closed").await;
    assert_eq!(talk.log, ["initialize", "closed"]);
}

#[test]
fn script_is_json_too() {
    let script: Script = serde_json::from_value(json!({
        "initialized": ["on_launch"], "launch": "at_once",
        "program": [{"line": 3, "locals": {"x": 1}, "output": [["stdout", "hi"]]}],
        "faults": [{"on": "threads", "silent": null}, {"on": "next", "late": 5}, {"on": "pause",
            "emit": ["e", {}]}],
    }))
    .unwrap();
    assert_eq!(script.program[0].locals["x"], 1);
    assert!(matches!(script.faults[0].what, FaultKind::Silent));
    assert!(matches!(script.faults[1].what, FaultKind::Late(5)));
}
