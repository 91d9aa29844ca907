//! Steps: their requests, sequences of them, and steps into one call of a line.

use dapdock::limits::Limits;
use dapdock::model::{BreakpointSpec, Note, Resume, StepKind, StopClass};
use dapdock::session::{AdapterError, Error};
use serde_json::{Value, json};

use crate::session::{Stage, lines, soon, step};

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
