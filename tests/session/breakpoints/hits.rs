//! Hits: who counts them, and which breakpoint a stop names.

use dapdock::model::{BreakpointEdit, BreakpointSpec, NoValue, Note, Place, Resume, StepKind};
use serde_json::{Value, json};

use crate::session::{Stage, lines, soon, step};

/// Five rounds over line 3.
fn rounds(anonymous: bool) -> Stage {
    let program: Vec<Value> =
        (1..=5).map(|round| json!({"line": 3, "locals": {"round": round}})).collect();
    Stage::new(json!({"program": program, "anonymous": anonymous}))
}

#[tokio::test]
async fn hits_are_counted_by_the_host() {
    // Spec, the stops of five rounds; whether or not the adapter says which breakpoint it hit.
    for (condition, hits, stops) in [
        (None, "3", "3"),
        (None, "> 1", "2345"),
        (None, "% 2", "24"),
        (Some("x"), "== 3", "3"),
        (Some("x"), ">= 4", "45"),
        (None, "7", ""),
    ] {
        for anonymous in [false, true] {
            let case = format!("{condition:?} {hits} {anonymous}");
            let mut stage = rounds(anonymous);
            let condition = condition.map(str::to_owned);
            stage.breakpoints.push(BreakpointSpec {
                condition,
                hit_condition: Some(hits.into()),
                ..stage.line(3)
            });
            let mut run = stage.launch().await;
            let mut seen = String::new();
            while let dapdock::model::Happening::Stopped(stop) = run.next().await.unwrap() {
                seen.push_str(&stop.locals[0].value);
                let breakpoint = run.breakpoints().await.remove(0);
                assert_eq!(
                    (breakpoint.hits.to_string(), &stop.hit),
                    (stop.locals[0].value.clone(), &vec![breakpoint.id])
                );
                run.resume(Resume::Continue).await.unwrap();
            }
            assert_eq!(seen, stops, "{case}");
            let call = run.stage.arguments("setBreakpoints")[0]["breakpoints"][0].clone();
            assert_eq!(call.get("hitCondition"), None, "{case}");
            assert_eq!(run.breakpoints().await[0].hits, 5, "{case}");
        }
    }
}

/// Each edit sends the whole file again, which would reset an adapter's own count.
#[tokio::test]
async fn hit_count_survives_edits_of_the_file() {
    let program: Vec<Value> = (1..=5)
        .flat_map(|round| [json!({"line": 3, "locals": {"round": round}}), json!({"line": 5})])
        .collect();
    let mut stage = Stage::new(json!({"program": program})).at(&[5]);
    stage.breakpoints.push(BreakpointSpec { hit_condition: Some("== 4".into()), ..stage.line(3) });
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "Breakpoint main:5 #1");
    let other = run.set(vec![run.stage.line(20)]).await.added[0];
    assert_eq!(run.go(Resume::Until(run.stage.place(5))).await, "Breakpoint main:5 #1");
    run.edit(BreakpointEdit { remove: vec![other], ..Default::default() }).await.unwrap();
    assert_eq!(run.go(Resume::Continue).await, "Breakpoint main:5 #1");
    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(
        (run.word(&stop).await.as_str(), stop.locals[0].value.as_str()),
        ("Breakpoint main:3 #2", "4")
    );
}

#[tokio::test]
async fn log_points_work_where_stops_name_no_breakpoint() {
    let mut stage = rounds(true).with("profile", json!({"breakpoints": {"log_points": "host"}}));
    stage.breakpoints.push(BreakpointSpec { log: Some("round {round}".into()), ..stage.line(3) });
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "ended Code(0) Natural");
    let hits = soon(run.handle.log_hits(0)).await.unwrap().hits;
    assert_eq!(
        hits.iter().map(|hit| hit.text.as_str()).collect::<Vec<_>>(),
        ["round 1", "round 2", "round 3", "round 4", "round 5"]
    );
}

/// The first thread of the list has stopped.
#[tokio::test]
async fn log_points_work_where_stops_name_no_thread() {
    let program: Vec<Value> =
        (1..=3).map(|round| json!({"line": 3, "locals": {"round": round}})).collect();
    let mut stage = Stage::new(json!({"program": program, "omits_thread": true}))
        .with("profile", json!({"breakpoints": {"log_points": "host"}}));
    stage.breakpoints.push(BreakpointSpec { log: Some("round {round}".into()), ..stage.line(3) });
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "ended Code(0) Natural");
    let hits = soon(run.handle.log_hits(0)).await.unwrap().hits;
    let hits: Vec<_> = hits.iter().map(|hit| (hit.thread.as_deref(), hit.text.as_str())).collect();
    assert_eq!(hits, ["round 1", "round 2", "round 3"].map(|text| (Some("main"), text)));
}

/// The adapter does not say which breakpoint stopped: one with a condition is named only if no
/// other one is at the place.
#[tokio::test]
async fn condition_is_not_named_where_another_breakpoint_may_have_stopped() {
    let program = json!([{"line": 1}, {"line": 3}, {"line": 5}]);
    for (with_plain, want) in [(true, "Breakpoint main:3 #3"), (false, "Breakpoint main:3 #2")] {
        let mut stage = Stage::new(json!({"program": program, "anonymous": true})).at(&[1]);
        stage.breakpoints.push(BreakpointSpec { condition: Some("false".into()), ..stage.line(3) });
        if with_plain {
            stage.breakpoints.push(BreakpointSpec::at(Place::Function("main".into())));
        }
        let mut run = stage.launch().await;
        run.stop().await;
        assert_eq!(run.go(Resume::Continue).await, want);
        let hits: Vec<u32> = run.breakpoints().await.iter().map(|one| one.hits).collect();
        assert_eq!(hits, if with_plain { vec![1, 0, 2] } else { vec![1, 1] });
    }
    // The run to the place stopped it, not the condition there.
    let mut stage = Stage::new(json!({"program": program, "anonymous": true})).at(&[1]);
    stage.breakpoints.push(BreakpointSpec { condition: Some("false".into()), ..stage.line(3) });
    let mut run = stage.launch().await;
    run.stop().await;
    assert_eq!(run.go(Resume::Until(run.stage.place(3))).await, "Breakpoint main:3");
    assert_eq!(run.breakpoints().await[1].hits, 0);
}

/// The same where the adapter names all breakpoints of a place, or only the first one, and the
/// function is named differently in its frame.
#[tokio::test]
async fn condition_is_not_named_where_a_function_breakpoint_shares_the_line() {
    let (outcome, without_line) =
        (json!({"id": 3, "verified": true, "line": 3}), json!({"id": 3, "verified": true}));
    // The frame's name with and without the adapter's additions; the adapter reports a line for the
    // function or none.
    for (name, function, bound, low, want) in [
        ("any::tax", "any::tax", &outcome, false, "#3"),
        ("any::tax", "any::tax", &outcome, true, "#2 #3"),
        ("tax of any", "tax", &outcome, false, "#3"),
        ("tax of any", "tax", &outcome, true, "#2"),
        ("any.tax", "tax", &without_line, false, "#3"),
        ("any.tax", "tax", &without_line, true, "#2 #3"),
    ] {
        let bound = json!([{"on": "setFunctionBreakpoints", "answer": {"breakpoints": [bound]}}]);
        let place = json!({"line": 3, "function": name, "locals": {"low": low}});
        let script = json!({"program": [{"line": 1}, place], "faults": bound});
        let profile = json!({
            "breakpoints": {"hit_ids": {"place": {"untrue": "^false$"}}},
            "frames": {"suffixes": ["::tax"]},
        });
        let mut stage = Stage::new(script).at(&[1]).with("profile", profile);
        stage.breakpoints.push(BreakpointSpec { condition: Some("low".into()), ..stage.line(3) });
        stage.breakpoints.push(BreakpointSpec::at(Place::Function(function.into())));
        let mut run = stage.launch().await;
        run.stop().await;
        let outcome = run.go(Resume::Continue).await;
        assert!(outcome.ends_with(&format!(":3 {want}")), "{name} {low}: {outcome}");
    }
}

/// The adapter reports neither a hit at the end of a step nor the line of the function: only the
/// step that enters the function hits its breakpoint.
#[tokio::test]
async fn step_inside_a_function_hits_no_breakpoint_on_it() {
    let inner = |line: u32| {
        json!({
            "line": line, "function": "inner", "callers": [["main", 1]], "stop": "step",
        })
    };
    let returned = json!({"line": 4, "stop": "step"});
    let program = json!([{"line": 1}, inner(2), inner(3), returned]);
    let mut stage = Stage::new(json!({"program": program, "anonymous": true}))
        .at(&[1])
        .with("profile", json!({"breakpoints": {"step_ends": {"silent": {"untrue": "^false$"}}}}));
    stage.breakpoints.push(BreakpointSpec::at(Place::Function("inner".into())));
    let mut run = stage.launch().await;
    run.stop().await;
    assert_eq!(run.go(step(StepKind::In)).await, "Breakpoint inner:2 #2");
    assert_eq!(run.go(step(StepKind::Over)).await, "Step inner:3");
    assert_eq!(run.go(step(StepKind::In)).await, "Step main:4");
    assert_eq!(run.breakpoints().await[1].hits, 1);
}

/// A condition without a value decides nothing: the stop says so.
#[tokio::test]
async fn condition_that_cannot_be_evaluated_is_noted() {
    let program = json!([{"line": 1}, {"line": 3}]);
    let profile = json!({"breakpoints": {"hit_ids": {"place": {"untrue": "^false$"}}}});
    let script = json!({"program": program});
    let mut stage = Stage::new(script).at(&[1]).with("profile", profile);
    stage.breakpoints.push(BreakpointSpec { condition: Some("gone".into()), ..stage.line(3) });
    stage.breakpoints.push(BreakpointSpec::at(Place::Function("main".into())));
    let mut run = stage.launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    let id = run.breakpoints().await[1].id;
    let why = NoValue::Refused("name 'gone' is not defined".into());
    assert_eq!(stop.notes, [Note::ConditionUnread { id, condition: "gone".into(), why }]);
    assert_eq!(stop.hit.len(), 2);
}

/// Code of the plugin evaluates the hit condition: the host neither counts the stop nor hides it.
#[tokio::test]
async fn code_of_the_plugin_evaluates_hit_conditions() {
    let mut stage = Stage::new(json!({"program": lines(&[3])}))
        .with("profile", json!({"breakpoints": {"hit_counts": "plugin"}}));
    stage.breakpoints.push(BreakpointSpec { hit_condition: Some("> 2".into()), ..stage.line(3) });
    let mut run = stage.launch().await;
    let stop = run.stop().await;
    let breakpoint = run.breakpoints().await.remove(0);
    assert_eq!((stop.hit.as_slice(), breakpoint.hits), (&[breakpoint.id][..], 0));
    let sent = &run.stage.arguments("setBreakpoints")[0]["breakpoints"][0];
    let hits = json!({"earlier": 0, "operator": ">=", "number": 3});
    assert_eq!(sent["mark"], json!({"number": breakpoint.id.0, "hits": hits}));
    assert_eq!(sent.get("hitCondition"), None);
}
