//! Adapters that crash, stay silent, refuse or send garbage: the reported error, and what still
//! works.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{
    BreakpointEdit, BreakpointSpec, Effects, EvaluateQuery, NoValue, Note, Resume, StepKind,
    StopClass, VariablesQuery,
};
use dapdock::session::{AdapterError, Error, Fault, Now};
use serde_json::{Value, json};

use super::{Stage, lines, soon};

fn faulty(faults: Value) -> Stage {
    let words = "warming up\nsegfault in frobnicator\n\n";
    Stage::new(json!({"program": lines(&[1, 3, 5]), "faults": faults, "last_words": words}))
        .at(&[3])
}

fn evaluate(expression: &str) -> EvaluateQuery {
    EvaluateQuery {
        expressions: vec![expression.into()],
        frame: None,
        thread: None,
        stop: None,
        effects: Effects::None,
        patience: Duration::from_millis(300),
        depth: 1,
    }
}

#[tokio::test]
async fn silence_at_start_names_the_exceeded_limit() {
    let short = Duration::from_millis(200);
    let initialize = Limits { initialize: short, ..Limits::default() };
    let launch = Limits { launch: short, ..Limits::default() };
    let request = Limits { request: short, ..Limits::default() };
    let connect = Limits { connect: short, ..Limits::default() };
    let silent = |on: &str| {
        let program = json!([{"line": 1, "hangs": true}]);
        json!({"launch": "at_once", "faults": [{"on": on, "silent": null}], "program": program})
    };
    let never = json!({"launch": "at_once", "initialized": []});
    let cases = [
        (silent("initialize"), initialize, "initialize", "limits.initialize_s"),
        (silent("launch"), launch.clone(), "launch", "limits.launch_s"),
        (never, launch, "with `initialized`", "limits.launch_s"),
        (silent("configurationDone"), request, "configurationDone", "limits.request_s"),
    ];
    for (script, limits, what, key) in cases {
        let mut run = Stage { limits, ..Stage::new(script) }.launch().await;
        let error = run.next().await.unwrap_err();
        let Error::Adapter(AdapterError::Silent { command, after, limit }) = &error else {
            panic!("{what}: {error}")
        };
        assert_eq!((command.as_str(), *after, *limit), (what, short, key));
        assert_eq!(error.fault(), Fault::Adapter);
        assert_eq!(run.stage.processes(), [""; 0], "{what}");
    }
    let mut run = Stage { limits: connect, ..Stage::new(json!({})) }
        .with("transport", json!("deaf"))
        .launch()
        .await;
    let error = run.next().await.unwrap_err();
    assert!(
        matches!(error, Error::Adapter(AdapterError::Silent { after, limit: "limits.connect_s",
            .. }) if after == short),
        "{error}"
    );
    assert_eq!(run.stage.processes(), [""; 0]);
}

#[tokio::test]
async fn adapter_that_cannot_start_fails_at_once() {
    let stage = Stage::new(json!({}))
        .with("transport", json!("connect"))
        .with("script", json!({"never": "a script"}));
    let error = stage.launch().await.next().await.unwrap_err().to_string();
    assert!(
        error.starts_with("the adapter ended during start: exit code 101, last words: "),
        "{error}"
    );
}

#[tokio::test]
async fn crash_at_start_reports_the_last_stderr_line() {
    for (on, during) in [
        ("initialize", "`initialize`"),
        ("launch", "`launch`"),
        ("configurationDone", "`configurationDone`"),
    ] {
        let mut stage = faulty(json!([{"on": on, "die": null}]));
        stage.options["script"]["launch"] = "at_once".into();
        let mut run = stage.launch().await;
        let error = run.next().await.unwrap_err();
        let want = format!(
            "the adapter ended during {during}: exit code 3, last words: segfault in frobnicator"
        );
        assert_eq!(error.to_string(), want);
        assert_eq!(run.stage.processes(), [""; 0], "{on}");
        // Later calls get the same error.
        assert_eq!(soon(run.handle.wait(run.cursor)).await.unwrap_err().to_string(), want);
    }
}

#[tokio::test]
async fn refusal_at_start_reports_the_adapters_message() {
    for on in ["initialize", "launch", "configurationDone"] {
        let mut run = faulty(json!([{"on": on, "refuse": "no such program: shop"}])).launch().await;
        let error = run.next().await.unwrap_err();
        let Error::Adapter(AdapterError::Refused { command, message }) = &error else {
            panic!("{on}: {error}")
        };
        assert_eq!((command.as_str(), message.as_str()), (on, "no such program: shop"));
        assert_eq!(run.stage.processes(), [""; 0], "{on}");
    }
}

/// Some adapters refuse the configuration before they answer the launch; the plugin reads the
/// launch's error.
#[tokio::test]
async fn refused_launch_is_reported_before_later_refusals() {
    let faults = json!([
        {"on": "launch", "refuse": "no ptrace"}, {"on": "configurationDone", "refuse": "no launch"},
    ]);
    let mut run = Stage::new(json!({"launch": "configuring", "faults": faults})).launch().await;
    let error = run.next().await.unwrap_err();
    assert!(
        matches!(&error, Error::Adapter(AdapterError::Refused { message, .. }) if message == "no \
            ptrace"),
        "{error}"
    );
}

#[tokio::test]
async fn refused_configuration_does_not_end_the_session() {
    for on in ["setBreakpoints", "setExceptionBreakpoints"] {
        let mut run = faulty(json!([{"on": on, "refuse": "not today"}])).launch().await;
        match on {
            "setBreakpoints" => {
                assert_eq!(run.outcome().await, "ended Code(0) Natural");
                assert_eq!(run.bindings().await, ["refused not today"]);
            }
            _ => {
                let stop = run.stop().await;
                assert_eq!(run.word(&stop).await, "Breakpoint main:3 #1");
                let note = Note::DefaultExceptionsRefused("not today".into());
                assert_eq!(stop.notes, [note]);
            }
        }
        assert!(run.log().await.contains("not today"));
    }
}

#[tokio::test]
async fn crash_while_running_ends_the_session() {
    let script = json!({
        "program": [{"line": 1, "hangs": true}],
        "faults": [{"on": "pause", "die": null}],
        "last_words": "out of memory\n",
    });
    let mut run = Stage::new(script).launch().await;
    run.until("running").await;
    soon(run.handle.pause(None)).await.unwrap();
    let exit = run.exit().await;
    let cause = "the adapter ended during the run: exit code 3, last words: out of memory";
    assert_eq!(exit.cause.as_deref(), Some(cause));
    assert_eq!(run.stage.processes(), [""; 0]);
}

/// The edit fails with the end of the session, and what is known of the breakpoints stays.
#[tokio::test]
async fn crash_during_an_edit_refuses_no_breakpoint() {
    let mut run = faulty(json!([{"on": "setBreakpoints", "die_at": "\"line\":5"}])).launch().await;
    run.stop().await;
    let set = vec![run.stage.line(5)];
    let edited = run.edit(BreakpointEdit { set, ..BreakpointEdit::default() }).await;
    assert!(matches!(edited, Err(Error::Ended { .. })), "{edited:?}");
    assert_eq!(run.bindings().await, ["bound 3", "pending"]);
    assert_eq!(run.breakpoints().await[0].hits, 1);
    assert!(run.log().await.contains("`setBreakpoints` was cut off: "));
}

/// The move's own response is missing: the wait for it reports why the session ended, and so do
/// later calls.
#[tokio::test]
async fn crash_during_a_move_ends_the_session() {
    let mut run = faulty(json!([{"on": "continue", "die": null}])).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let exit = run.exit().await;
    let cause =
        "the adapter ended during the run: exit code 3, last words: segfault in frobnicator";
    assert_eq!(exit.cause.as_deref(), Some(cause));
    let error = soon(run.handle.resume(Resume::Continue, None)).await.unwrap_err();
    assert!(error.to_string().ends_with(&format!(" has ended: {cause}")), "{error}");
}

#[tokio::test]
async fn crash_at_a_stop_ends_the_session() {
    let mut run = faulty(json!([{"on": "evaluate", "die": null}])).launch().await;
    run.stop().await;
    let cursor = run.cursor;
    let evaluated = soon(run.handle.evaluate(evaluate("total"))).await;
    assert!(
        matches!(&evaluated, Err(Error::Superseded))
            || evaluated.is_ok_and(|all| all[0].result.is_err())
    );
    run.until("ended").await;
    run.cursor = cursor;
    let exit = run.exit().await;
    let cause =
        "the adapter ended during the stop: exit code 3, last words: segfault in frobnicator";
    assert_eq!(exit.cause.as_deref(), Some(cause));
    let error = soon(run.handle.resume(Resume::Continue, None)).await.unwrap_err();
    assert!(matches!(error, Error::Ended { .. }), "{error}");
}

#[tokio::test]
async fn garbage_between_messages_is_logged_and_skipped() {
    for (fault, word) in [
        (json!({"garbage": "Debugger 1.0 ready\r\n"}), "Debugger 1.0 ready"),
        (json!({"garbage": "Content-Length: many\r\n\r\n"}), "Content-Length: many"),
        (json!({"garbage": "Content-Length: 4\r\n\r\n{{{{"}), "{{{{"),
        (json!({"huge_length": null}), "10000000000"),
    ] {
        for on in ["initialize", "stackTrace"] {
            let mut fault = fault.clone();
            fault["on"] = on.into();
            let mut run = faulty(json!([fault])).launch().await;
            assert_eq!(run.outcome().await, "Breakpoint main:3 #1", "{word} at {on}");
            let log = run.log().await;
            assert!(log.contains(word), "{word} at {on}: {log}");
        }
    }
}

#[tokio::test]
async fn reverse_request_is_refused() {
    let mut run = faulty(json!([{"on": "launch", "ask": ["runInTerminal", {"args": ["sh"]}]}]))
        .launch()
        .await;
    run.stop().await;
    let answer =
        run.stage.received().into_iter().find(|message| message["type"] == "response").unwrap();
    assert_eq!((&answer["command"], &answer["success"]), (&json!("runInTerminal"), &json!(false)));
}

#[tokio::test]
async fn unanswered_evaluation_leaves_the_session_usable() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let mut script =
        json!({"program": lines(&[3, 5]), "faults": [{"on": "evaluate", "silent": null}]});
    script["capabilities"] =
        json!({"supportsConfigurationDoneRequest": true, "supportsCancelRequest": true});
    let mut run = Stage { limits, ..Stage::new(script) }.at(&[3]).launch().await;
    run.stop().await;
    let patience = Duration::from_millis(200);
    let query_both = || EvaluateQuery {
        expressions: vec!["total".into(), "x".into()],
        patience,
        ..evaluate("total")
    };
    let answer = soon(run.handle.evaluate(query_both())).await.unwrap();
    let results: Vec<_> = answer.into_iter().map(|one| one.result.unwrap_err()).collect();
    assert_eq!(results, [NoValue::TimedOut(patience), NoValue::NotEvaluated]);
    let error = soon(run.handle.evaluate(query_both())).await.unwrap_err();
    assert!(matches!(&error, Error::Busy { expression, .. } if expression == "total"), "{error}");
    // Requests that the adapter still answers work.
    let query = VariablesQuery {
        path: None,
        thread: None,
        frame: None,
        scope: None,
        depth: 1,
        start: 0,
        count: None,
        filter: None,
        arguments: false,
    };
    assert_eq!(soon(run.handle.variables(query)).await.unwrap().variables.len(), 0);
    // The adapter was asked to cancel it.
    let evaluation =
        run.stage.received().into_iter().find(|message| message["command"] == "evaluate").unwrap();
    assert_eq!(run.stage.arguments("cancel"), [json!({"requestId": evaluation["seq"]})]);
    // The adapter may be waiting for a thread that runs only after a resume.
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
}

/// The call is dropped long before its time limit.
#[tokio::test]
async fn dropped_evaluation_is_cancelled() {
    let mut script =
        json!({"program": lines(&[3, 5]), "faults": [{"on": "evaluate", "silent": null}]});
    script["capabilities"] =
        json!({"supportsConfigurationDoneRequest": true, "supportsCancelRequest": true});
    let mut run = Stage::new(script).at(&[3]).launch().await;
    run.stop().await;
    let wait_for_request = |command: &'static str| {
        let run = &run;
        soon(async move {
            while run.stage.arguments(command).is_empty() {
                run.handle.status().await.unwrap();
            }
        })
    };
    let query = EvaluateQuery { patience: Duration::from_secs(1000), ..evaluate("total") };
    tokio::select! {
        answer = run.handle.evaluate(query) => panic!("{answer:?}"),
        () = wait_for_request("evaluate") => {}
    }
    wait_for_request("cancel").await;
    let error = soon(run.handle.evaluate(evaluate("total"))).await.unwrap_err();
    assert!(matches!(&error, Error::Busy { expression, .. } if expression == "total"), "{error}");
}

/// The adapter would read the move only after the evaluation, when nobody waits for it.
#[tokio::test]
async fn move_is_refused_while_the_adapter_evaluates() {
    let script = json!({"program": lines(&[3, 5]), "faults": [{"on": "evaluate", "silent": null}]});
    let stage = Stage::new(script).at(&[3]).with("profile", json!({"evaluate": {"busy": "waits"}}));
    let mut run = stage.launch().await;
    run.stop().await;
    let query = EvaluateQuery { patience: Duration::from_millis(200), ..evaluate("total") };
    soon(run.handle.evaluate(query)).await.unwrap();
    let error = run.resume(Resume::Continue).await.unwrap_err();
    assert!(matches!(&error, Error::Busy { expression, .. } if expression == "total"), "{error}");
    assert_eq!(run.stage.arguments("continue"), [Value::Null; 0]);
}

/// Expressions answered before the timeout are returned, and the adapter is usable once it has
/// answered the late one.
#[tokio::test]
async fn slow_evaluation_keeps_earlier_results() {
    let slow = json!({
        "program": [{"line": 3, "locals": {"total": 1, "slow": 2}}], "slow": {"slow": 1300},
    });
    let mut run = Stage::new(slow).at(&[3]).launch().await;
    run.stop().await;
    let patience = Duration::from_millis(300);
    let expressions = ["total", "slow", "total"].map(str::to_owned).to_vec();
    let answer = soon(run.handle.evaluate(EvaluateQuery { expressions, patience, ..evaluate("") }))
        .await
        .unwrap();
    assert_eq!(answer[0].result.as_ref().unwrap().value, "1");
    assert_eq!(answer[1].result, Err(NoValue::TimedOut(patience)));
    assert_eq!(answer[2].result, Err(NoValue::NotEvaluated));
    assert_eq!(run.stage.arguments("cancel"), [Value::Null; 0]);
    let patient = || EvaluateQuery { patience: Duration::from_secs(10), ..evaluate("slow") };
    let free = async {
        loop {
            match run.handle.evaluate(patient()).await {
                Err(Error::Busy { .. }) => {}
                answer => break answer.unwrap(),
            }
        }
    };
    assert_eq!(soon(free).await[0].result.as_ref().unwrap().value, "2");
}

/// The adapter queues the move and performs it later.
#[tokio::test]
async fn queued_move_has_a_note_until_it_is_made() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let script = json!({
        "program": [{"line": 3, "locals": {"total": 1}}, {"line": 5, "hangs": true}],
        "slow": {"total": 3_000},
        "faults": [{"on": "continue", "late": 3_000}],
    });
    let mut run = Stage { limits, ..Stage::new(script) }.at(&[3]).launch().await;
    run.stop().await;
    let query = EvaluateQuery { patience: Duration::from_millis(50), ..evaluate("total") };
    soon(run.handle.evaluate(query)).await.unwrap();
    run.resume(Resume::Continue).await.unwrap();
    let notes = async || match soon(run.handle.now(run.cursor)).await.unwrap() {
        Now::Running(running) => running.notes,
        Now::Happened(other) => panic!("{other:?}"),
    };
    assert_eq!(notes().await, [Note::StillEvaluating("total".into())]);
    let gone = async { while !notes().await.is_empty() {} };
    soon(gone).await;
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
}

/// The adapter refuses the queued move: the debuggee is still stopped, and the wait reports that.
#[tokio::test]
async fn queued_move_that_is_refused_shows_the_stop() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    let script = json!({
        "program": [{"line": 3, "locals": {"total": 1}}, {"line": 5}],
        "slow": {"total": 3_000},
        "faults": [{"on": "continue", "late": 3_000}, {"on": "continue", "refuse": "thread is \
            busy"}],
    });
    let mut run = Stage { limits, ..Stage::new(script) }.at(&[3]).launch().await;
    run.stop().await;
    let query = EvaluateQuery { patience: Duration::from_millis(50), ..evaluate("total") };
    soon(run.handle.evaluate(query)).await.unwrap();
    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(run.word(&stop).await, "Breakpoint main:3 #1");
    assert_eq!(stop.notes, [Note::CannotResume("it refused `continue`".into())]);
    assert_eq!(run.breakpoints().await[0].hits, 1);
}

/// The adapter refuses a move that the plugin sends in place of the caller's: the debuggee is still
/// stopped, the wait reports that, and the log has the request.
#[tokio::test]
async fn move_of_the_plugin_that_is_refused_shows_the_stop() {
    let script = json!({
        "program": [{"line": 3}, {"line": 4, "hangs": true}],
        "faults": [
            {"on": "continue", "ignore": null},
            {"on": "continue", "emit": ["halted", {"send": "next"}]},
            {"on": "next", "refuse": "thread is busy"},
        ],
    });
    let mut run = Stage::new(script).at(&[3]).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(run.word(&stop).await, "Breakpoint main:3 #1");
    assert_eq!(stop.notes, [Note::CannotResume("thread is busy".into())]);
    assert_eq!(run.breakpoints().await[0].hits, 1);
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
}

/// A refused resume of the host's own: the debuggee is stopped, every answer says so, and it can be
/// moved.
#[tokio::test]
async fn refused_resume_from_an_internal_stop_shows_the_stop() {
    let profile = json!({"breakpoints": {"log_points": "host"}});
    let refuse = json!({"on": "continue", "refuse": "thread is busy"});
    let early = json!([refuse, {"on": "launch", "late": 200}]);
    for (log, hit_condition, faults) in [
        (Some("seen".to_owned()), None, json!([refuse])),
        (None, Some("== 9".to_owned()), json!([refuse])),
        // The refusal comes before the answer that completes the start.
        (Some("seen".to_owned()), None, early),
    ] {
        let program = [json!({"line": 3}), json!({"line": 5})];
        let script = json!({"launch": "at_once", "program": program, "faults": faults});
        let mut stage = Stage::new(script).with("profile", profile.clone());
        stage.breakpoints.push(BreakpointSpec { log, hit_condition, ..stage.line(3) });
        let mut run = stage.launch().await;
        let stop = run.stop().await;
        assert_eq!(run.word(&stop).await, "Breakpoint main:3 #1");
        assert_eq!(stop.notes, [Note::CannotResume("thread is busy".into())]);
        assert_eq!(run.breakpoints().await[0].hits, 1);
        assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
        assert_eq!(run.go(Resume::Continue).await, "error thread is busy");
        assert_eq!(run.go(super::step(StepKind::Over)).await, "Step main:5");
    }
}

/// A stop without a stack is still a stop, and the adapter is not killed.
#[tokio::test]
async fn stop_without_a_stack_is_reported() {
    let limits = || Limits { request: Duration::from_millis(300), ..Limits::default() };
    for (on, fault, want) in [
        ("stackTrace", json!({"refuse": "symbols are being read"}), "symbols are being read"),
        ("stackTrace", json!({"late": 1500}), "no answer within 0.3 s"),
    ] {
        let mut fault = fault;
        fault["on"] = on.into();
        let script = json!({"program": [{"line": 3}, {"line": 5}], "faults": [fault]});
        let mut run = Stage { limits: limits(), ..Stage::new(script) }.at(&[3]).launch().await;
        let stop = run.stop().await;
        assert_eq!(
            (stop.class, stop.frames.len(), stop.locals.len()),
            (StopClass::Breakpoint, 0, 0)
        );
        assert_eq!(stop.notes, [Note::StackUnread(want.into())]);
        assert!(run.log().await.contains(&format!("note: StackUnread({want:?})")));
        assert_eq!(stop.hit, [run.breakpoints().await[0].id]);
        assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
        assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    }
}
