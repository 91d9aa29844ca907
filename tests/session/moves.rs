//! Moves: steps, runs to a place, refusals, and calls at the wrong time.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{Before, BreakpointSpec, Note, Place, Resume, StepKind, StopClass, ThreadId};
use dapdock::session::{AdapterError, BreakpointError, Error};
use serde_json::{Value, json};

use super::{Run, Stage, lines, lines_sent, soon, step};

#[tokio::test]
async fn a_run_to_a_place_stops_there_once() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3, 5, 3, 7])})).at(&[1]).launch().await;
    run.stop().await;
    let until = Resume::Until(run.stage.place(3));
    assert_eq!(run.go(until).await, "Breakpoint main:3");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["1", "1 3", "1"]);
    assert_eq!(run.breakpoints().await.len(), 1);
}

/// A call of several steps reports only the last stop, which includes the changes, output and notes
/// of those before.
#[tokio::test]
async fn stop_of_a_step_sequence_reports_what_earlier_ones_would() {
    let at = |line: u32, x: u32, text: &str| {
        json!({
            "line": line, "locals": {"x": x}, "output": [["stdout", text]],
        })
    };
    let mut noisy = at(3, 20, "a\nb\nc\nd\n");
    noisy["output"].as_array_mut().unwrap().push(json!(["important", "careful\n"]));
    let limits = Limits { output_lines: 3, ..Limits::default() };
    let program = [at(1, 10, "first\n"), noisy, at(5, 20, "e\n"), at(7, 20, "f\n")];
    let mut stage = Stage { limits, ..Stage::new(json!({"program": program})) }.at(&[1]);
    stage.breakpoints.push(BreakpointSpec { log: Some("seen".to_owned()), ..stage.line(3) });
    let profile = json!({"breakpoints": {"log_points": "host"}, "output": {"program": ["stdout"]}});
    let mut run = stage.with("profile", profile).launch().await;
    assert_eq!(run.stop().await.output.lines, 1);
    let over = step(StepKind::Over);
    let outcome = |stop: &dapdock::model::Stop| {
        let change = |change: &dapdock::model::Change| {
            format!("{} {} {}", change.name, change.before, change.after)
        };
        let changes = stop
            .changes
            .as_ref()
            .map(|(since, all)| (since.0, all.iter().map(change).collect::<Vec<_>>()));
        (
            changes,
            (stop.output.lines, stop.output.lost, stop.output.since),
            (stop.log_hits, stop.notes.len()),
        )
    };
    // The log breakpoint prints a line too, and the adapter's own message uses one place in the
    // ring.
    run.resume(over.clone()).await.unwrap();
    assert_eq!(outcome(&*run.stop().await), (Some((1, vec!["x 10 20".into()])), (5, 3, 1), (1, 1)));
    run.cursor = soon(run.handle.step_on(over.clone(), None)).await.unwrap();
    assert_eq!(outcome(&*run.stop().await), (Some((1, vec!["x 10 20".into()])), (6, 4, 1), (1, 1)));
    run.resume(over).await.unwrap();
    assert_eq!(outcome(&*run.stop().await), (Some((3, vec![])), (1, 0, 8), (0, 0)));
}

/// A pause between two steps of one call finds the program stopped; the call steps no further.
#[tokio::test]
async fn a_pause_between_two_steps_ends_the_step_sequence() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3, 5, 7])})).at(&[1]).launch().await;
    run.stop().await;
    let over = step(StepKind::Over);
    for _ in 0..2 {
        run.resume(over.clone()).await.unwrap();
        run.stop().await;
        let paused = soon(run.handle.pause(None)).await;
        assert!(matches!(paused, Err(Error::NotRunning)), "{paused:?}");
        let next = soon(run.handle.step_on(over.clone(), None)).await;
        assert!(matches!(next, Err(Error::Superseded)), "{next:?}");
    }
}

#[tokio::test]
async fn a_run_to_a_place_ends_with_any_stop() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3, 5, 7])})).at(&[1, 3]).launch().await;
    run.stop().await;
    assert_eq!(run.go(Resume::Until(run.stage.place(5))).await, "Breakpoint main:3 #2");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["1 3", "1 3 5", "1 3"]);
}

#[tokio::test]
async fn run_to_the_place_of_a_breakpoint_counts_as_its_hit() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3])})).at(&[1, 3]).launch().await;
    run.stop().await;
    assert_eq!(run.go(Resume::Until(run.stage.place(3))).await, "Breakpoint main:3 #2");
    assert_eq!(run.breakpoints().await.iter().map(|one| one.hits).collect::<Vec<_>>(), [1, 1]);
}

#[tokio::test]
async fn run_to_an_unreached_place_ends_with_a_note() {
    let mut run = Stage::new(json!({"program": lines(&[1])})).at(&[1]).launch().await;
    run.stop().await;
    let gone = Resume::Until(run.stage.place(41));
    let error = run.resume(gone).await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Breakpoints(BreakpointError::NoSuchLine { line: 41, lines: 40, .. })
        ),
        "{error}"
    );
    run.resume(Resume::Until(run.stage.place(30))).await.unwrap();
    let place = run.stage.place(30);
    assert_eq!(
        run.exit().await.notes,
        [Note::NotReached { place, found: true, before: Before::End }]
    );
    let mut run = Stage::new(json!({"program": lines(&[1])})).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    assert_eq!(run.exit().await.notes, []);
}

/// The adapter resumes all threads at once: the refused run leaves no temporary breakpoint.
#[tokio::test]
async fn refused_run_of_one_thread_leaves_no_breakpoint() {
    let script = json!({"program": lines(&[1, 3, 5]), "threads": [[1, "main"], [2, "other"]]});
    let mut run = Stage::new(script).at(&[1, 5]).launch().await;
    run.stop().await;
    let alone = run.handle.resume(Resume::Until(run.stage.place(3)), Some(ThreadId(1)));
    let error = soon(alone).await.unwrap_err();
    assert!(matches!(error, Error::Adapter(AdapterError::NoThreadAlone { thread: 1 })), "{error}");
    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(
        (run.word(&stop).await.as_str(), stop.notes.as_slice()),
        ("Breakpoint main:5 #2", &[][..])
    );
    assert_eq!(run.breakpoints().await.len(), 2);
}

#[tokio::test]
async fn single_stopped_thread_is_resumed_alone() {
    let threads = json!([[1, "main"], [2, "other"]]);
    let script = json!({"program": lines(&[1, 3]), "threads": threads, "stops_one": true});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    let other = soon(run.handle.resume(Resume::Continue, Some(ThreadId(2)))).await;
    assert!(
        matches!(other, Err(Error::Adapter(AdapterError::NoThreadAlone { thread: 2 }))),
        "{other:?}"
    );
    run.cursor = soon(run.handle.resume(Resume::Continue, Some(ThreadId(1)))).await.unwrap();
    assert_eq!(run.outcome().await, "ended Code(0) Natural");
    assert_eq!(run.stage.arguments("continue"), [json!({"threadId": 1})]);
}

/// Stops that the caller does not see keep the selection of the single thread.
#[tokio::test]
async fn thread_runs_alone_until_the_next_reported_stop() {
    let on = json!({
        "supportsConfigurationDoneRequest": true, "supportsSingleThreadExecutionRequests": true,
    });
    let threads = json!([[1, "main"], [2, "other"]]);
    let script = json!({"program": lines(&[1, 3, 5, 7]), "threads": threads, "capabilities": on});
    let mut stage = Stage::new(script)
        .at(&[1, 5])
        .with("profile", json!({"breakpoints": {"log_points": "host"}}));
    stage.breakpoints.push(BreakpointSpec { log: Some("seen".to_owned()), ..stage.line(3) });
    let mut run = stage.launch().await;
    run.stop().await;
    run.cursor = soon(run.handle.resume(Resume::Continue, Some(ThreadId(1)))).await.unwrap();
    assert_eq!(run.outcome().await, "Breakpoint main:5 #2");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    let alone = json!({"threadId": 1, "singleThread": true});
    assert_eq!(run.stage.arguments("continue"), [alone.clone(), alone, json!({"threadId": 1})]);
}

#[tokio::test]
async fn run_to_an_unbound_place_ends_with_a_note() {
    let unsure = json!([
        {"on": "setFunctionBreakpoints", "answer": {"breakpoints": [{"id": 9, "verified": false}]}},
    ]);
    let mut run =
        Stage::new(json!({"program": lines(&[1, 3]), "faults": unsure})).at(&[1]).launch().await;
    run.stop().await;
    let place = Place::Function("nofunction".into());
    run.resume(Resume::Until(place.clone())).await.unwrap();
    assert_eq!(
        run.exit().await.notes,
        [Note::NotReached { place, found: false, before: Before::End }]
    );
}

/// A program that runs on because the line has no code would be the worst result.
#[tokio::test]
async fn run_to_a_line_without_code_is_refused() {
    let mut run =
        Stage::new(json!({"program": lines(&[1, 3]), "no_code": [4]})).at(&[1]).launch().await;
    run.stop().await;
    let outcome = run.go(Resume::Until(run.stage.place(4))).await;
    assert_eq!(outcome, format!("error {}:4: no code here", run.stage.source().display()));
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["1", "1 4", "1"]);
}

#[tokio::test]
async fn core_file_is_not_resumed() {
    let script = json!({"program": [{"line": 1, "stop": "exception"}]});
    let profile = json!({"start": {"debuggee": "core"}});
    let mut run = Stage::new(script).with("profile", profile).launch().await;
    run.stop().await;
    for how in [step(StepKind::Over), step(StepKind::Out), Resume::Continue] {
        assert!(matches!(run.resume(how).await, Err(Error::PostMortem)));
    }
}

/// An adapter may give the end of a step the reason of a breakpoint, without an id. In a function
/// that the step passes it is another stop, as of a statement that stops the program.
#[tokio::test]
async fn breakpoint_stop_without_a_breakpoint_ends_a_step() {
    let inner = json!({"line": 2, "function": "inner", "callers": [["main", 1]]});
    for (mut place, kind, class) in [
        (json!({"line": 2}), StepKind::Over, StopClass::Step),
        (inner.clone(), StepKind::In, StopClass::Step),
        (inner, StepKind::Over, StopClass::Breakpoint),
    ] {
        place["stop"] = "breakpoint".into();
        let script = json!({"program": [{"line": 1}, place]});
        let mut run = Stage::new(script).at(&[1]).launch().await;
        run.stop().await;
        run.resume(step(kind)).await.unwrap();
        assert_eq!(run.stop().await.class, class, "{kind:?}");
    }
}

#[tokio::test]
async fn every_step_has_its_request() {
    for (kind, command) in
        [(StepKind::Over, "next"), (StepKind::In, "stepIn"), (StepKind::Out, "stepOut")]
    {
        let mut run = Stage::new(json!({"program": lines(&[1, 2])})).at(&[1]).launch().await;
        run.stop().await;
        assert_eq!(run.go(step(kind)).await, "Step main:2");
        assert_eq!(run.stage.arguments(command), [json!({"threadId": 1})]);
    }
    let mut run = Stage::new(json!({"program": lines(&[1, 2])})).at(&[1]).launch().await;
    run.stop().await;
    assert_eq!(
        run.go(step(StepKind::Back)).await,
        "error this adapter does not support `stepBack`"
    );
    assert_eq!(run.go(step(StepKind::Over)).await, "Step main:2");
}

/// An adapter that lists the calls of a line.
fn with_targets(targets: &[&str]) -> Value {
    let targets: Vec<_> =
        (7..).zip(targets).map(|(id, label)| json!({"id": id, "label": label})).collect();
    answering_targets("answer", json!({"targets": targets}))
}

/// An adapter that announces `stepInTargets` and answers it like this.
fn answering_targets(what: &str, how: Value) -> Value {
    let on =
        json!({"supportsConfigurationDoneRequest": true, "supportsStepInTargetsRequest": true});
    json!({
        "program": lines(&[1, 2]), "capabilities": on,
        "faults": [{"on": "stepInTargets", what: how}],
    })
}

#[tokio::test]
async fn a_step_into_one_call_names_its_target() {
    let script = with_targets(&["outer(inner(x))", "inner(x)"]);
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    let error = run.resume(Resume::Into("x".into())).await.unwrap_err();
    assert!(matches!(error, Error::Adapter(AdapterError::WhichCall { fitting: 2, .. })), "{error}");
    assert_eq!(run.go(Resume::Into("inner".into())).await, "Step main:2");
    let stop = soon(run.handle.current()).await.unwrap().unwrap();
    assert_eq!(stop.notes, [Note::NotEntered { name: "inner".into() }]);
    assert_eq!(
        run.stage.arguments("stepInTargets"),
        [json!({"frameId": 0}), json!({"frameId": 0})]
    );
    assert_eq!(run.stage.arguments("stepIn"), [json!({"threadId": 1, "targetId": 8})]);
}

#[tokio::test]
async fn step_into_an_unknown_call_is_refused() {
    for (script, error) in [
        (
            json!({"program": lines(&[1, 2])}),
            "cannot step into `tax` alone, only into whatever is called first",
        ),
        (with_targets(&["rate"]), "no call on this line is named `tax`; the calls are rate"),
        (with_targets(&[]), "the debugger sees no call here that it could step into by name"),
        (answering_targets("refuse", json!("no bytecode")), "no bytecode"),
    ] {
        let mut run = Stage::new(script).at(&[1]).launch().await;
        run.stop().await;
        let outcome = run.go(Resume::Into("tax".into())).await;
        assert!(outcome.starts_with("error ") && outcome.ends_with(error), "{outcome}");
        assert_eq!(run.stage.arguments("stepIn"), [] as [Value; 0]);
        assert_eq!(run.go(step(StepKind::Over)).await, "Step main:2");
    }
}

#[tokio::test]
async fn refused_move_leaves_the_debuggee_stopped() {
    for (how, command) in [(Resume::Continue, "continue"), (step(StepKind::Over), "next")] {
        let refuse = json!([{"on": command, "refuse": "thread is busy"}]);
        let script = json!({"program": [{"line": 1, "locals": {"x": 1}}], "faults": refuse});
        let mut run = Stage::new(script).at(&[1]).launch().await;
        let stop = run.stop().await;
        assert_eq!(run.go(how).await, "error thread is busy");
        assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
        assert_eq!(soon(run.handle.current()).await.unwrap(), Some(stop));
        assert!(matches!(soon(run.handle.wait(run.cursor)).await, Err(Error::NotRunning)));
        let stack =
            soon(run.handle.stack(dapdock::model::StackQuery { count: 5, ..Default::default() }))
                .await
                .unwrap();
        assert_eq!(stack.threads[0].frames.as_ref().unwrap()[0].line, 1);
    }
}

#[tokio::test]
async fn calls_at_the_wrong_time_say_so() {
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "initialize", "late": 200}],
    });
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.until("starting the program").await;
    let error = run.resume(Resume::Continue).await.unwrap_err();
    assert_eq!(error.to_string(), "the session is still starting the program");
    let error = soon(run.handle.pause(None)).await.unwrap_err();
    assert_eq!(error.to_string(), "the session is still starting the program");
    run.stop().await;
    assert!(matches!(soon(run.handle.pause(None)).await, Err(Error::NotRunning)));
    run.resume(Resume::Continue).await.unwrap();
    assert!(matches!(run.resume(Resume::Continue).await, Err(Error::NotStopped)));
    let query = dapdock::model::StackQuery { count: 1, ..Default::default() };
    assert!(matches!(soon(run.handle.stack(query)).await, Err(Error::NotStopped)));
}

#[tokio::test]
async fn pause_stops_a_hanging_program() {
    let mut run = Stage::new(json!({"program": [{"line": 7, "hangs": true}]})).launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:7");
}

/// Threads of a runtime are not selected, unless requested.
#[tokio::test]
async fn pause_selects_a_thread_in_user_code() {
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": [[1, "idler"], [2, "sleeper"], [3, "main"]],
        "idle": [1, 2],
    });
    for (requested, thread, outcome) in
        [(None, "main", "main:7"), (Some(ThreadId(1)), "idler", "idle:0")]
    {
        let mut run = Stage::new(script.clone()).launch().await;
        run.until("running").await;
        run.cursor = soon(run.handle.pause(requested)).await.unwrap();
        let stop = run.stop().await;
        assert_eq!(
            (stop.class, stop.thread.name.as_str(), stop.threads),
            (StopClass::Pause, thread, 3)
        );
        let top = &stop.frames[0];
        assert_eq!(format!("{}:{}", top.name, top.line), outcome);
    }
}

/// Which threads had their stacks requested after a pause, and which one is selected.
async fn stacks_read_by_a_pause(script: Value) -> (Vec<i64>, String) {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let mut run = Stage { limits, ..Stage::new(script) }.launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    let stop = run.stop().await;
    let requested = run.stage.arguments("stackTrace");
    (
        requested.iter().map(|one| one["threadId"].as_i64().unwrap()).collect(),
        stop.thread.name.clone(),
    )
}

/// A pause waits neither for the stacks of many threads nor for the stack of a running one.
#[tokio::test]
async fn pause_reads_other_stacks_in_one_time_limit() {
    let threads: Vec<Value> = (1..=9).map(|id| json!([id, format!("thread {id}")])).collect();
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": threads,
        "idle": [1],
        "mute": [2, 3, 4, 5, 6, 7, 8, 9],
    });
    let (requested, selected) = stacks_read_by_a_pause(script).await;
    assert_eq!((&requested[..2], selected.as_str()), (&[1, 2][..], "thread 1"));
    // Both time limits may expire together.
    assert!(requested.len() < 4, "{requested:?}");
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": [[1, "idler"], [2, "main"]],
        "idle": [1],
        "stops_one": true,
    });
    assert_eq!(stacks_read_by_a_pause(script).await, (vec![1], "idler".to_owned()));
}

/// A pause that a profile's rule rejects is repeated a limited number of times.
#[tokio::test]
async fn pause_rejected_by_a_rule_is_repeated() {
    let script = json!({"program": [{"line": 7, "function": "handler", "hangs": true}]});
    let rule = json!({"function": "handler", "reaction": "pause-again", "class": "pause"});
    let limits = Limits { pause_again: Duration::from_millis(10), ..Limits::default() };
    let stage = Stage { limits, ..Stage::new(script) };
    let mut run = stage.with("profile", json!({"pause": {"rules": [rule]}})).launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause handler:7");
    let commands = run.stage.commands();
    let moves: Vec<&String> = commands
        .iter()
        .filter(|command| ["pause", "continue"].contains(&command.as_str()))
        .collect();
    assert_eq!(moves.len(), 11, "{moves:?}");
    assert_eq!(
        (moves[0].as_str(), moves[1].as_str(), moves[10].as_str()),
        ("pause", "continue", "pause")
    );
}

/// A session at its breakpoint in line 1 whose adapter takes a pause after `continued` only.
async fn pauses_once_continued(script: Value) -> Run {
    let stage = Stage::new(script).at(&[1]);
    let mut run =
        stage.with("profile", json!({"pause": {"delivery": "after-continued"}})).launch().await;
    run.stop().await;
    run
}

/// Some adapters lose a pause that arrives before their `continued` event: it is sent after that.
#[tokio::test]
async fn pause_is_sent_after_the_continued_event() {
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "setBreakpoints", "emit": ["continued", {"threadId": 1}]}],
    });
    let mut run = pauses_once_continued(script).await;
    run.resume(Resume::Continue).await.unwrap();
    let before = run.stage.commands().len();
    let handle = run.handle.clone();
    let (pause, _) =
        soon(async { tokio::join!(handle.pause(None), run.set(vec![run.stage.line(7)])) }).await;
    run.cursor = pause.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
    let commands = run.stage.commands();
    let requests: Vec<&str> = commands[before..].iter().map(String::as_str).take(2).collect();
    assert_eq!(requests, ["setBreakpoints", "pause"]);
}

/// A pause waits for `continued`, and the adapter refuses the move: the debuggee stands, and the
/// pause is not sent.
#[tokio::test]
async fn pause_behind_a_refused_move_finds_the_program_stopped() {
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "continue", "refuse": "not now"}],
    });
    let run = pauses_once_continued(script).await;
    let resume = run.handle.resume(Resume::Continue, None);
    let (moved, paused) =
        soon(async { tokio::join!(biased; resume, run.handle.pause(None)) }).await;
    assert!(moved.is_err(), "{moved:?}");
    assert!(matches!(paused, Err(Error::NotRunning)), "{paused:?}");
    assert!(!run.stage.commands().contains(&"pause".to_owned()));
}

/// A pause that the adapter answers and then ignores is repeated.
#[tokio::test]
async fn ignored_pause_is_repeated() {
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "forgets_pauses": 2});
    let limits = Limits { pause_again: Duration::from_millis(10), ..Limits::default() };
    let stage = Stage { limits, ..Stage::new(script) }.at(&[1]);
    let mut run = stage.with("profile", json!({"pause": {"delivery": "repeated"}})).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
    // On a busy machine another one may be sent before the stop of the third arrives.
    let pauses = run.stage.commands().iter().filter(|command| *command == "pause").count();
    assert!(pauses >= 3, "{pauses}");
}

/// The program throws while a pause is under way: the stop is titled with the exception.
#[tokio::test]
async fn exception_during_a_pause_has_its_name() {
    let thrown = json!(["stopped", {"reason": "exception", "threadId": 1}]);
    let info = json!({"exceptionId": "Fake", "breakMode": "always"});
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "forgets_pauses": 1,
        "faults": [{"on": "pause", "emit": thrown}, {"on": "exceptionInfo", "answer": info}],
    });
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    let stop = run.stop().await;
    assert_eq!((stop.class, stop.title.as_str()), (StopClass::Exception, "Fake"));
}

/// A breakpoint stop overtakes the pause, which the adapter then refuses: the caller gets the stop,
/// also if a hook makes it of another event and the refusal is read before the hook returns.
#[tokio::test]
async fn refused_pause_returns_the_stop_that_came_first() {
    for event in ["stopped", "halted"] {
        pause_is_refused_after(event).await;
    }
}

async fn pause_is_refused_after(event: &str) {
    let event = json!({"seq": 900, "type": "event", "event": event,
        "body": {"reason": "breakpoint", "threadId": 1, "allThreadsStopped": true}})
    .to_string();
    let stop = format!("Content-Length: {}\r\n\r\n{event}", event.len());
    let faults =
        json!([{"on": "pause", "refuse": "not running"}, {"on": "pause", "garbage": stop}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": faults});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.stop().await.class, StopClass::Breakpoint);
}

/// Without a stop the caller gets the adapter's words, and the next pause is one of its own.
#[tokio::test]
async fn refused_pause_leaves_the_debuggee_running() {
    let faults = json!([{"on": "pause", "refuse": "not now"}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": faults});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let refused = soon(run.handle.pause(None)).await.unwrap_err();
    assert!(refused.to_string().contains("not now"), "{refused}");
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
}

/// Every line is stored or counted as lost, and the pause arrives after them.
#[tokio::test]
async fn pause_arrives_during_an_output_flood() {
    const LINES: u64 = 25_000;
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "continue", "flood": LINES}],
    });
    let limits = Limits { output_lines: 20_000, ..Limits::default() };
    let stored = limits.output_lines as u64;
    let mut run = Stage { limits, ..Stage::new(script) }.at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
    let query = dapdock::model::OutputQuery { limit: 1, ..Default::default() };
    let page = soon(run.handle.output(query)).await.unwrap();
    assert_eq!((page.lost, page.skipped), (LINES - stored, stored - 1));
    assert_eq!(page.lines[0].text, format!("flood {}", LINES - stored));
}

/// Without a `continued` event the pause is sent after a while.
#[tokio::test]
async fn pause_is_sent_without_a_continued_event() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}]});
    let stage = Stage { limits, ..Stage::new(script) }.at(&[1]);
    let mut run =
        stage.with("profile", json!({"pause": {"delivery": "after-continued"}})).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
}

/// The result is unknown: the debuggee counts as running until the adapter reports something else.
#[tokio::test]
async fn unanswered_move_counts_as_running() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let silent = json!([{"on": "continue", "silent": null}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": silent});
    let mut run = Stage { limits, ..Stage::new(script) }.at(&[1]).launch().await;
    run.stop().await;
    assert_eq!(
        run.go(Resume::Continue).await,
        "error the adapter did not answer continue within 0.3 s"
    );
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
    assert_eq!(soon(run.handle.current()).await.unwrap(), None);
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
}

#[tokio::test]
async fn unanswered_internal_resume_shows_no_stop() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let silent = json!([{"on": "continue", "silent": null}]);
    let script = json!({"program": [{"line": 3}, {"line": 5, "hangs": true}], "faults": silent});
    let mut stage = Stage { limits, ..Stage::new(script) }
        .with("profile", json!({"breakpoints": {"log_points": "host"}}));
    stage.breakpoints.push(BreakpointSpec { log: Some("seen".to_owned()), ..stage.line(3) });
    let mut run = stage.launch().await;
    while !run.log().await.contains("may or may not go on") {
        assert_eq!(soon(run.handle.current()).await.unwrap(), None);
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:5");
}

/// A stop of an adapter that answers `setBreakpoints` slowly.
async fn stopped_with_slow_breakpoints() -> Run {
    let late = json!([{"on": "setBreakpoints", "late": 1000}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": late});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run
}

/// Polls until the adapter has received these lines.
async fn wait_for_lines(run: &Run, want: &[&str]) {
    let poll = async {
        while lines_sent(&run.stage.arguments("setBreakpoints")) != want {
            soon(run.handle.status()).await.unwrap();
        }
    };
    soon(poll).await;
}

#[tokio::test]
async fn late_run_to_a_place_leaves_no_breakpoint() {
    let mut run = stopped_with_slow_breakpoints().await;
    let place = run.stage.place(5);
    let other = run.handle.clone();
    let (until, stepped) = tokio::join!(soon(other.resume(Resume::Until(place), None)), async {
        wait_for_lines(&run, &["1", "1 5"]).await;
        soon(run.handle.resume(step(StepKind::Over), None)).await
    });
    assert!(matches!(until, Err(Error::NotStopped)), "{until:?}");
    stepped.unwrap();
    wait_for_lines(&run, &["1", "1 5", "1"]).await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(
        (run.word(&stop).await.as_str(), stop.notes.len()),
        ("Pause main:2", 0),
        "{:?}",
        stop.notes
    );
}

#[tokio::test]
async fn cancelled_run_to_a_place_does_not_start() {
    let run = stopped_with_slow_breakpoints().await;
    let place = run.stage.place(5);
    tokio::select! {
        _ = run.handle.resume(Resume::Until(place), None) => panic!("it cannot be set so soon"),
        () = wait_for_lines(&run, &["1", "1 5"]) => {}
    }
    wait_for_lines(&run, &["1", "1 5", "1"]).await;
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert!(!run.stage.commands().contains(&"continue".to_owned()));
}
