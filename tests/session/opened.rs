//! Sessions without a target: commands, programs that come and go, late answers, and the end of a
//! session that is not used.

use std::time::{Duration, SystemTime};

use dapdock::model::{Again, Cursor, ExitStatus, Happening, LaunchTarget, Opening};
use dapdock::session::{
    CommandOutput, CommandQuery, Error, EventKind, Handle, OutputForm, RawRequest, Shell, State,
};
use serde_json::{Value, json};

use super::{Run, Stage, soon};

/// Opens a session whose fake adapter has this script. Its program never ends.
async fn open(mut script: Value, idle: Duration) -> Run {
    script["program"] = json!([{"line": 1, "hangs": true}]);
    let stage = Stage::new(script);
    let sessions = stage.sessions();
    let opening = Opening { name: "one".into(), idle, created: SystemTime::now() };
    let mut request = stage.request();
    request.target = LaunchTarget::Commands(opening.clone());
    let handle = soon(sessions.launch(request)).await.unwrap();
    assert!(soon(handle.attached()).await);
    assert_eq!((handle.id().0.as_str(), sessions.openings()), ("one", vec![opening]));
    Run { handle, cursor: Cursor::default(), stage }
}

async fn record(handle: &Handle, command: &str, limit: Duration) -> Result<CommandOutput, Error> {
    let form = OutputForm::Record;
    let query =
        CommandQuery { command: command.into(), frame: None, shell: Shell::Refused, limit, form };
    soon(handle.run_command(query)).await
}

async fn phase(run: &Run) -> &'static str {
    soon(run.handle.status()).await.unwrap().phase
}

/// The fault with which each command is answered.
fn answer() -> Value {
    json!({"on": "evaluate", "answer": {"result": "a record", "variablesReference": 0}})
}

#[tokio::test]
async fn programs_come_and_go_in_an_open_session() {
    let emit = |event: &str, body: Value| json!({"on": "evaluate", "emit": [event, body]});
    let faults = json!([
        answer(),
        emit("continued", json!({"threadId": 1})),
        emit("output", json!({"category": "stdout", "output": "printed\n"})),
        emit("exited", json!({"exitCode": 3})),
        emit("terminated", json!({})),
    ]);
    let mut run = open(json!({"faults": faults}), Duration::from_secs(300)).await;
    assert_eq!(phase(&run).await, "idle");
    let Err(Error::NoProgram) = soon(run.handle.pause(None)).await else { panic!("no program") };
    for _ in 0..2 {
        let ran = record(&run.handle, "run", Duration::from_secs(20)).await.unwrap();
        assert_eq!(ran.output.as_deref(), Some("a record"));
        ran.collected.keep();
        let exit = run.exit().await;
        assert_eq!((exit.status, &exit.again), (ExitStatus::Code(3), &Again::Command));
        assert_eq!(phase(&run).await, "idle");
    }
    assert!(!run.handle.is_over());
    let ran = record(&run.handle, "", Duration::from_secs(20)).await.unwrap();
    assert!(ran.collected.printed().ends_with("printed\n"));
    let [first, .., last] = &run.stage.arguments("evaluate")[..] else { panic!("evaluations") };
    assert_eq!((&first["expression"], &first["context"]), (&json!("run"), &json!("record")));
    assert_eq!((&last["expression"], &first["frameId"]), (&json!(""), &Value::Null));
}

#[tokio::test]
async fn late_answer_is_in_the_next_record() {
    let script = json!({"faults": [answer()], "slow": {"loop": 100}});
    let run = open(script, Duration::from_secs(300)).await;
    let ran = record(&run.handle, "loop", Duration::from_millis(1)).await.unwrap();
    assert_eq!(ran.output, None);
    // The adapter answers nothing else meanwhile.
    let mut tick = tokio::time::interval(Duration::from_millis(5));
    let next = loop {
        tick.tick().await;
        match record(&run.handle, "next", Duration::from_secs(20)).await {
            Err(Error::Busy { expression, .. }) => assert_eq!(expression, "loop"),
            other => break other.unwrap(),
        }
    };
    let late: Vec<_> = next.collected.late().collect();
    assert_eq!((&late[0].command[..], &late[0].output), ("loop", &Ok("a record".to_owned())));
    assert_eq!(late.len(), 1);
    next.collected.keep();
    let after = record(&run.handle, "after", Duration::from_secs(20)).await.unwrap();
    assert_eq!(commands(&after), [""; 0]);
}

/// The earlier commands whose results this one has.
fn commands(output: &CommandOutput) -> Vec<&str> {
    output.collected.late().map(|late| late.command.as_str()).collect()
}

/// A caller may go away between the answer and its reading.
#[tokio::test]
async fn result_that_no_caller_keeps_is_in_the_next_record() {
    let printed = json!({"category": "stdout", "output": "tw"});
    let rest = json!({"category": "stdout", "output": "o\nthree"});
    let faults = json!([
        answer(),
        {"on": "evaluate", "emit": ["output", printed]},
        {"on": "evaluate", "emit": ["output", rest]},
    ]);
    let run = open(json!({"faults": faults}), Duration::from_secs(300)).await;
    let limit = Duration::from_secs(20);
    drop(record(&run.handle, "one", limit).await.unwrap());
    let second = record(&run.handle, "two", limit).await.unwrap();
    assert_eq!((commands(&second), second.output.as_deref()), (vec!["one"], Some("a record")));
    drop(second);
    let third = record(&run.handle, "three", limit).await.unwrap();
    assert_eq!(commands(&third), ["one", "two"]);
    // Parts of lines as they were printed.
    let first = third.collected.printed();
    assert!(first.starts_with("two\nthreetwo\nthree"), "{first}");
    third.collected.keep();
    let last = record(&run.handle, "four", limit).await.unwrap();
    assert_eq!(commands(&last), [""; 0]);
    let all = first + &last.collected.printed();
    assert!("two\nthree".repeat(4).starts_with(&all) && all.starts_with(&"two\nthree".repeat(3)));
}

/// The commands of a breakpoint resume the program: no command is under way.
#[tokio::test]
async fn stop_that_the_debugger_leaves_is_left() {
    let emit = |event: &str, body: Value| json!({"on": "evaluate", "emit": [event, body]});
    let faults = json!([
        answer(),
        emit("continued", json!({"threadId": 1})),
        emit("stopped", json!({"reason": "breakpoint", "threadId": 1})),
        emit("continued", json!({"threadId": 1})),
    ]);
    let run = open(json!({"faults": faults}), Duration::from_secs(300)).await;
    let limit = Duration::from_secs(20);
    record(&run.handle, "run", limit).await.unwrap().collected.keep();
    // The adapter sends the answer to this request after the events.
    let (command, arguments) = ("threads".to_owned(), json!({}));
    let request = RawRequest { command, arguments, shell: Shell::Refused, limit };
    soon(run.handle.raw(request)).await.unwrap();
    assert_eq!(phase(&run).await, "running");
}

#[tokio::test]
async fn opened_session_without_a_program_is_idle() {
    let stage = Stage::new(json!({"program": [{"line": 1, "hangs": true}]}));
    let sessions = stage.sessions();
    let mut events = sessions.feed().events();
    let idle = Duration::from_secs(300);
    let opening = Opening { name: "one".into(), idle, created: SystemTime::now() };
    let mut request = stage.request();
    request.target = LaunchTarget::Commands(opening);
    request.again = "open".into();
    let handle = soon(sessions.launch(request)).await.unwrap();
    assert!(soon(handle.attached()).await);
    let event = soon(events.recv()).await.unwrap().kind;
    assert!(matches!(event, EventKind::State(State::Starting, State::Idle, None)), "{event:?}");
    let error = soon(sessions.restart(Some("one"))).await.err().unwrap();
    assert_eq!(
        error.to_string(),
        "it was opened without a program: a command starts one, as `run` does"
    );
}

#[tokio::test]
async fn unused_session_ends_and_the_next_call_has_the_reason() {
    let mut run = open(json!({"faults": [answer()]}), Duration::from_millis(100)).await;
    let Ok(Happening::Ended(exit)) = run.next().await else { panic!("no end") };
    assert_eq!(exit.cause.as_deref(), Some("no command came for 0.1 s"));
    let error = record(&run.handle, "print 1", Duration::from_secs(20)).await.unwrap_err();
    assert_eq!(error.to_string(), "session one has ended: no command came for 0.1 s");
}

#[tokio::test]
async fn launched_session_has_no_records() {
    let mut run = Stage::new(json!({"program": [{"line": 1}]})).at(&[1]).launch().await;
    run.stop().await;
    let error = record(&run.handle, "print 1", Duration::from_secs(20)).await.unwrap_err();
    assert_eq!(error.to_string(), "session fake-1 was not opened for commands");
}
