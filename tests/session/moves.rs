//! Moving: steps, runs to a place, refusals, and calls that come at the wrong time.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{Before, BreakpointSpec, Note, Place, Resume, StepKind, StopClass, ThreadId};
use dapdock::session::Error;
use serde_json::{Value, json};

use super::{Run, Stage, lines, soon, step};

fn sent(calls: &[Value]) -> Vec<String> {
    let line = |one: &Value| one["line"].to_string();
    let call = |call: &Value| {
        call["breakpoints"].as_array().unwrap().iter().map(line).collect::<Vec<_>>().join(" ")
    };
    calls.iter().map(call).collect()
}

#[tokio::test]
async fn a_run_to_a_place_stops_there_once() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3, 5, 3, 7])})).at(&[1]).launch().await;
    run.stop().await;
    let until = Resume::Until(run.stage.place(3));
    assert_eq!(run.go(until).await, "Breakpoint main:3");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(sent(&run.stage.arguments("setBreakpoints")), ["1", "1 3", "1"]);
    assert_eq!(run.breakpoints().await.len(), 1);
}

/// Of several steps in one call the caller is told the last stop alone: what the others had to tell
/// comes with it.
#[tokio::test]
async fn a_stop_that_is_not_told_leaves_its_news_to_the_next() {
    let at = |line: u32, x: u32, text: &str| json!({"line": line, "locals": {"x": x}, "output": [["stdout", text]]});
    let mut noisy = at(3, 20, "a\nb\nc\nd\n");
    noisy["output"].as_array_mut().unwrap().push(json!(["important", "careful\n"]));
    let limits = Limits { output_lines: 3, ..Limits::default() };
    let program = [at(1, 10, "first\n"), noisy, at(5, 20, "e\n"), at(7, 20, "f\n")];
    let mut stage = Stage { limits, ..Stage::new(json!({"program": program})) }.at(&[1]);
    stage.breakpoints.push(BreakpointSpec { log: Some("seen".to_owned()), ..stage.line(3) });
    let profile = json!({"log_points": "host", "output": {"program": ["stdout"]}});
    let mut run = stage.with("profile", profile).launch().await;
    assert_eq!(run.stop().await.output.lines, 1);
    let over = step(StepKind::Over);
    let told = |stop: &dapdock::model::Stop| {
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
    // The line of the log breakpoint is printed, too, and the adapter's own word takes a place in
    // the ring.
    run.resume(over.clone()).await.unwrap();
    assert_eq!(told(&*run.stop().await), (Some((1, vec!["x 10 20".into()])), (5, 3, 1), (1, 1)));
    run.cursor = soon(run.handle.step_on(over.clone(), None)).await.unwrap();
    assert_eq!(told(&*run.stop().await), (Some((1, vec!["x 10 20".into()])), (6, 4, 1), (1, 1)));
    run.resume(over).await.unwrap();
    assert_eq!(told(&*run.stop().await), (Some((3, vec![])), (1, 0, 8), (0, 0)));
}

#[tokio::test]
async fn a_run_to_a_place_ends_with_any_stop() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3, 5, 7])})).at(&[1, 3]).launch().await;
    run.stop().await;
    assert_eq!(run.go(Resume::Until(run.stage.place(5))).await, "Breakpoint main:3 #2");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(sent(&run.stage.arguments("setBreakpoints")), ["1 3", "1 3 5", "1 3"]);
}

#[tokio::test]
async fn a_run_to_a_breakpoints_place_is_a_hit_of_it() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3])})).at(&[1, 3]).launch().await;
    run.stop().await;
    assert_eq!(run.go(Resume::Until(run.stage.place(3))).await, "Breakpoint main:3 #2");
    assert_eq!(run.breakpoints().await.iter().map(|one| one.hits).collect::<Vec<_>>(), [1, 1]);
}

#[tokio::test]
async fn a_run_to_a_place_that_is_never_reached_ends() {
    let mut run = Stage::new(json!({"program": lines(&[1])})).at(&[1]).launch().await;
    run.stop().await;
    let gone = Resume::Until(run.stage.place(41));
    assert!(matches!(run.resume(gone).await, Err(Error::NoSuchLine { line: 41, lines: 40, .. })));
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

/// The adapter lets all threads go at once: nothing is left behind of the run that was refused.
#[tokio::test]
async fn a_run_of_one_thread_that_cannot_be_leaves_nothing() {
    let script = json!({"program": lines(&[1, 3, 5]), "threads": [[1, "main"], [2, "other"]]});
    let mut run = Stage::new(script).at(&[1, 5]).launch().await;
    run.stop().await;
    let alone = run.handle.resume(Resume::Until(run.stage.place(3)), Some(ThreadId(1)));
    assert!(matches!(soon(alone).await, Err(Error::NoThreadAlone { thread: 1 })));
    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(
        (run.word(&stop).await.as_str(), stop.notes.as_slice()),
        ("Breakpoint main:5 #2", &[][..])
    );
    assert_eq!(run.breakpoints().await.len(), 2);
}

#[tokio::test]
async fn a_thread_that_stands_alone_goes_on_by_itself() {
    let threads = json!([[1, "main"], [2, "other"]]);
    let script = json!({"program": lines(&[1, 3]), "threads": threads, "stops_one": true});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    let other = soon(run.handle.resume(Resume::Continue, Some(ThreadId(2)))).await;
    assert!(matches!(other, Err(Error::NoThreadAlone { thread: 2 })), "{other:?}");
    run.cursor = soon(run.handle.resume(Resume::Continue, Some(ThreadId(1)))).await.unwrap();
    assert_eq!(run.told().await, "ended Code(0) Natural");
    assert_eq!(run.stage.arguments("continue"), [json!({"threadId": 1})]);
}

/// Stops that the caller does not see change nothing about who goes on.
#[tokio::test]
async fn a_thread_goes_on_alone_until_a_stop_is_told() {
    let on = json!({"supportsConfigurationDoneRequest": true, "supportsSingleThreadExecutionRequests": true});
    let threads = json!([[1, "main"], [2, "other"]]);
    let script = json!({"program": lines(&[1, 3, 5, 7]), "threads": threads, "capabilities": on});
    let mut stage = Stage::new(script).at(&[1, 5]).with("profile", json!({"log_points": "host"}));
    stage.breakpoints.push(BreakpointSpec { log: Some("seen".to_owned()), ..stage.line(3) });
    let mut run = stage.launch().await;
    run.stop().await;
    run.cursor = soon(run.handle.resume(Resume::Continue, Some(ThreadId(1)))).await.unwrap();
    assert_eq!(run.told().await, "Breakpoint main:5 #2");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    let alone = json!({"threadId": 1, "singleThread": true});
    assert_eq!(run.stage.arguments("continue"), [alone.clone(), alone, json!({"threadId": 1})]);
}

#[tokio::test]
async fn a_run_to_a_place_that_never_binds_says_so() {
    let unsure = json!([{"on": "setFunctionBreakpoints", "answer": {"breakpoints": [{"id": 9, "verified": false}]}}]);
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

/// Running on and on because there is no code would be the worst answer.
#[tokio::test]
async fn a_run_to_a_line_without_code_does_not_start() {
    let mut run =
        Stage::new(json!({"program": lines(&[1, 3]), "no_code": [4]})).at(&[1]).launch().await;
    run.stop().await;
    let told = run.go(Resume::Until(run.stage.place(4))).await;
    assert_eq!(told, format!("error {}:4: no code here", run.stage.source().display()));
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(sent(&run.stage.arguments("setBreakpoints")), ["1", "1 4", "1"]);
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

/// An adapter that knows the calls of a line.
fn with_targets(targets: &[&str]) -> Value {
    let targets: Vec<_> =
        (7..).zip(targets).map(|(id, label)| json!({"id": id, "label": label})).collect();
    answering_targets("answer", json!({"targets": targets}))
}

/// An adapter that claims to.
fn answering_targets(what: &str, how: Value) -> Value {
    let on =
        json!({"supportsConfigurationDoneRequest": true, "supportsStepInTargetsRequest": true});
    json!({"program": lines(&[1, 2]), "capabilities": on, "faults": [{"on": "stepInTargets", what: how}]})
}

#[tokio::test]
async fn a_step_into_one_call_names_its_target() {
    let script = with_targets(&["outer(inner(x))", "inner(x)"]);
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    let error = run.resume(Resume::Into("x".into())).await.unwrap_err();
    assert!(matches!(error, Error::WhichCall { fitting: 2, .. }), "{error}");
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
async fn a_step_into_a_call_that_cannot_be_named_stays_where_it_is() {
    for (script, error) in [
        (
            json!({"program": lines(&[1, 2])}),
            "cannot step into `tax` alone, only into whatever is called first",
        ),
        (with_targets(&["rate"]), "no call here that can be named is of `tax`; there are rate"),
        (with_targets(&[]), "the debugger sees no call here that it could step into by name"),
        (answering_targets("refuse", json!("no bytecode")), "no bytecode"),
    ] {
        let mut run = Stage::new(script).at(&[1]).launch().await;
        run.stop().await;
        let told = run.go(Resume::Into("tax".into())).await;
        assert!(told.starts_with("error ") && told.ends_with(error), "{told}");
        assert_eq!(run.stage.arguments("stepIn"), [] as [Value; 0]);
        assert_eq!(run.go(step(StepKind::Over)).await, "Step main:2");
    }
}

#[tokio::test]
async fn a_refused_move_leaves_it_stopped() {
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
async fn a_pause_stops_it_wherever_it_is() {
    let mut run = Stage::new(json!({"program": [{"line": 7, "hangs": true}]})).launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.told().await, "Pause main:7");
}

/// Threads of a runtime's own show nothing, unless they were asked for.
#[tokio::test]
async fn a_pause_shows_a_thread_in_the_users_code() {
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": [[1, "idler"], [2, "sleeper"], [3, "main"]],
        "idle": [1, 2],
    });
    for (asked, thread, told) in [(None, "main", "main:7"), (Some(ThreadId(1)), "idler", "idle:0")]
    {
        let mut run = Stage::new(script.clone()).launch().await;
        run.until("running").await;
        run.cursor = soon(run.handle.pause(asked)).await.unwrap();
        let stop = run.stop().await;
        assert_eq!(
            (stop.class, stop.thread.name.as_str(), stop.threads),
            (StopClass::Pause, thread, 3)
        );
        let top = &stop.frames[0];
        assert_eq!(format!("{}:{}", top.name, top.line), told);
    }
}

/// Which threads were asked for their stacks by a pause, and which is shown.
async fn asked_by_a_pause(script: Value) -> (Vec<i64>, String) {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let mut run = Stage { limits, ..Stage::new(script) }.launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    let stop = run.stop().await;
    let asked = run.stage.arguments("stackTrace");
    (asked.iter().map(|one| one["threadId"].as_i64().unwrap()).collect(), stop.thread.name.clone())
}

/// A pause does not wait for the stacks of many threads, nor for any of one that runs.
#[tokio::test]
async fn a_pause_looks_at_other_threads_no_longer_than_at_one() {
    let threads: Vec<Value> = (1..=9).map(|id| json!([id, format!("thread {id}")])).collect();
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": threads,
        "idle": [1],
        "mute": [2, 3, 4, 5, 6, 7, 8, 9],
    });
    let (asked, shown) = asked_by_a_pause(script).await;
    assert_eq!((&asked[..2], shown.as_str()), (&[1, 2][..], "thread 1"));
    // The two times may run out together.
    assert!(asked.len() < 4, "{asked:?}");
    let script = json!({
        "program": [{"line": 7, "hangs": true}],
        "threads": [[1, "idler"], [2, "main"]],
        "idle": [1],
        "stops_one": true,
    });
    assert_eq!(asked_by_a_pause(script).await, (vec![1], "idler".to_owned()));
}

/// A pause that comes upon nothing of the program's is asked for again, but not for ever.
#[tokio::test]
async fn a_pause_by_rule_is_asked_for_again() {
    let script = json!({"program": [{"line": 7, "function": "handler", "hangs": true}]});
    let rule = json!({"function": "handler", "pausing": true, "resume": true, "class": "pause"});
    let limits = Limits { pause_again: Duration::from_millis(10), ..Limits::default() };
    let stage = Stage { limits, ..Stage::new(script) };
    let mut run = stage.with("profile", json!({"stops": [rule]})).launch().await;
    run.until("running").await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.told().await, "Pause handler:7");
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

/// Where the adapter loses a pause that comes before it has said `continued`, none is sent before.
#[tokio::test]
async fn a_pause_waits_until_the_debuggee_is_said_to_run() {
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "setBreakpoints", "emit": ["continued", {"threadId": 1}]}],
    });
    let mut run = Stage::new(script)
        .at(&[1])
        .with("profile", json!({"pauses_once_continued": true}))
        .launch()
        .await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let before = run.stage.commands().len();
    let handle = run.handle.clone();
    let (pause, _) =
        soon(async { tokio::join!(handle.pause(None), run.set(vec![run.stage.line(7)])) }).await;
    run.cursor = pause.unwrap();
    assert_eq!(run.told().await, "Pause main:2");
    let commands = run.stage.commands();
    let heard: Vec<&str> = commands[before..].iter().map(String::as_str).take(2).collect();
    assert_eq!(heard, ["setBreakpoints", "pause"]);
}

/// What the adapter answers and forgets is asked for again.
#[tokio::test]
async fn a_forgotten_pause_is_asked_for_again() {
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "forgets_pauses": 2});
    let limits = Limits { pause_again: Duration::from_millis(10), ..Limits::default() };
    let stage = Stage { limits, ..Stage::new(script) }.at(&[1]);
    let mut run = stage.with("profile", json!({"forgets_pauses": true})).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.told().await, "Pause main:2");
    assert_eq!(run.stage.commands().iter().filter(|command| *command == "pause").count(), 3);
}

/// Every line is kept or counted as forgotten, and the pause arrives behind them.
#[tokio::test]
async fn a_pause_gets_through_a_flood() {
    const LINES: u64 = 60_000;
    let script = json!({
        "program": [{"line": 1}, {"line": 2, "hangs": true}],
        "faults": [{"on": "continue", "flood": LINES}],
    });
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.told().await, "Pause main:2");
    let query = dapdock::model::OutputQuery { limit: 1, ..Default::default() };
    let page = soon(run.handle.output(query)).await.unwrap();
    let kept = Limits::default().output_lines as u64;
    assert_eq!((page.lost, page.skipped), (LINES - kept, kept - 1));
    assert_eq!(page.lines[0].text, format!("flood {}", LINES - kept));
}

/// Where the adapter never says `continued`, a pause is not kept back for ever.
#[tokio::test]
async fn a_pause_is_sent_though_the_debuggee_is_never_said_to_run() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}]});
    let stage = Stage { limits, ..Stage::new(script) }.at(&[1]);
    let mut run = stage.with("profile", json!({"pauses_once_continued": true})).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.told().await, "Pause main:2");
}

/// Nobody knows whether it moved: it counts as running until the adapter says otherwise.
#[tokio::test]
async fn a_move_without_an_answer_may_have_moved_it() {
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
    assert_eq!(run.told().await, "Pause main:2");
}

#[tokio::test]
async fn a_resume_of_the_hosts_own_without_an_answer_shows_no_stop() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let silent = json!([{"on": "continue", "silent": null}]);
    let script = json!({"program": [{"line": 3}, {"line": 5, "hangs": true}], "faults": silent});
    let mut stage =
        Stage { limits, ..Stage::new(script) }.with("profile", json!({"log_points": "host"}));
    stage.breakpoints.push(BreakpointSpec { log: Some("seen".to_owned()), ..stage.line(3) });
    let mut run = stage.launch().await;
    while !run.log().await.contains("may or may not go on") {
        assert_eq!(soon(run.handle.current()).await.unwrap(), None);
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.told().await, "Pause main:5");
}

/// At a stop, with an adapter that takes its time over breakpoints.
async fn slow_to_set() -> Run {
    let late = json!([{"on": "setBreakpoints", "late": 1000}]);
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}], "faults": late});
    let mut run = Stage::new(script).at(&[1]).launch().await;
    run.stop().await;
    run
}

/// Looks again until the adapter has heard of these lines.
async fn set(run: &Run, want: &[&str]) {
    let look = async {
        while sent(&run.stage.arguments("setBreakpoints")) != want {
            soon(run.handle.status()).await.unwrap();
        }
    };
    soon(look).await;
}

#[tokio::test]
async fn a_run_to_a_place_that_comes_too_late_leaves_nothing_behind() {
    let mut run = slow_to_set().await;
    let place = run.stage.place(5);
    let other = run.handle.clone();
    let (until, stepped) = tokio::join!(soon(other.resume(Resume::Until(place), None)), async {
        set(&run, &["1", "1 5"]).await;
        soon(run.handle.resume(step(StepKind::Over), None)).await
    });
    assert!(matches!(until, Err(Error::NotStopped)), "{until:?}");
    stepped.unwrap();
    set(&run, &["1", "1 5", "1"]).await;
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
async fn a_run_to_a_place_that_was_cancelled_does_not_start() {
    let run = slow_to_set().await;
    let place = run.stage.place(5);
    tokio::select! {
        _ = run.handle.resume(Resume::Until(place), None) => panic!("it cannot be set so soon"),
        () = set(&run, &["1", "1 5"]) => {}
    }
    set(&run, &["1", "1 5", "1"]).await;
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert!(!run.stage.commands().contains(&"continue".to_owned()));
}
