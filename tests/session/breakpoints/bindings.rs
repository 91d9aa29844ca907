//! What becomes of a breakpoint: bound, unconfirmed or refused by the adapter's answers and later
//! events. The conditions of breakpoints are in `conditions`.

use std::time::Duration;

use dapdock::model::{Binding, EvaluateQuery, Nearest, Resume};
use dapdock::session::EndMode;
use serde_json::{Value, json};

use crate::session::{Run, Stage, binding, lines, soon};

/// An evaluation, so that every event sent before its response has been handled.
async fn round(run: &Run) {
    let patience = Duration::from_secs(10);
    let query = EvaluateQuery {
        expressions: vec!["x".into()],
        frame: None,
        thread: None,
        stop: None,
        effects: Default::default(),
        patience,
        depth: 1,
    };
    soon(run.handle.evaluate(query)).await.unwrap();
}

#[tokio::test]
async fn bindings_follow_the_adapters_answers() {
    let answer = |one: Value| json!([{"on": "setBreakpoints", "answer": {"breakpoints": [one]}}]);
    let always = json!({"breakpoints": {"verification": "always"}});
    let running = json!({"breakpoints": {"verification": "when-running"}});
    let unbound = json!({"breakpoints": {"unbound": "pending"}});
    for (profile, outcome, want) in [
        (json!({}), json!({"id": 1, "verified": true, "line": 3}), "bound 3"),
        (json!({}), json!({"id": 1, "verified": true, "line": 4}), "bound 4"),
        (json!({}), json!({"id": 1, "verified": true}), "bound 3"),
        (json!({}), json!({"id": 1, "verified": false}), "unconfirmed"),
        (
            json!({}),
            json!({"id": 1, "verified": false, "message": "blank line"}),
            "refused blank line",
        ),
        (always.clone(), json!({"id": 1, "verified": true}), "unconfirmed"),
        (always, json!({"id": 1, "verified": true, "line": 3}), "bound 3"),
        (
            running,
            json!({"id": 1, "verified": false, "message": "later"}),
            "refused the debugger found no code there",
        ),
        (
            unbound,
            json!({"id": 1, "verified": true, "message": "pending", "line": 3}),
            "refused pending",
        ),
    ] {
        let script =
            json!({"program": [{"line": 1, "stop": "entry"}], "faults": answer(outcome.clone())});
        let mut run = Stage::new(script).at(&[3]).with("profile", profile.clone()).launch().await;
        run.stop().await;
        assert_eq!(run.bindings().await, [want], "{profile} {outcome}");
    }
}

/// A program that loads its files one after the other.
#[tokio::test]
async fn unloaded_file_leaves_the_breakpoint_unconfirmed() {
    let unverified = json!({"breakpoints": [{"id": 1, "verified": false, "message": "unbound"}]});
    for (loaded, at_the_stop, at_the_end) in [
        ("cart.fake", "unconfirmed", "refused its file was never loaded"),
        (
            "shop.fake",
            "refused the debugger found no code there",
            "refused the debugger found no code there",
        ),
    ] {
        let mut stage =
            Stage::new(json!({"program": [{"line": 1, "stop": "entry"}, {"line": 2}]})).at(&[3]);
        let event = json!({"reason": "new", "source": {"path": stage.root().join(loaded)}});
        stage.options["script"]["faults"] = json!([
            {"on": "setBreakpoints", "answer": unverified},
            {"on": "configurationDone", "emit": ["loadedSource", event]},
        ]);
        let mut run = stage
            .with("profile", json!({"breakpoints": {"verification": "when-loaded"}}))
            .launch()
            .await;
        run.stop().await;
        assert_eq!(run.bindings().await, [at_the_stop], "{loaded}");
        assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
        let exit = soon(run.handle.close(EndMode::Auto)).await.unwrap();
        assert_eq!(
            exit.breakpoints.iter().map(binding).collect::<Vec<_>>(),
            [at_the_end],
            "{loaded}"
        );
    }
}

#[tokio::test]
async fn a_line_without_code_is_refused_and_its_neighbours_are_not() {
    let script = json!({"program": lines(&[3, 5]), "no_code": [4]});
    let mut run = Stage::new(script).at(&[3, 4, 5]).launch().await;
    run.stop().await;
    assert_eq!(run.bindings().await, ["bound 3", "refused no code here", "bound 5"]);
}

#[tokio::test]
async fn short_answer_leaves_other_breakpoints_unconfirmed() {
    let short =
        json!([{"on": "setBreakpoints", "answer": {"breakpoints": [{"id": 1, "verified": true}]}}]);
    let mut run =
        Stage::new(json!({"program": lines(&[3]), "faults": short})).at(&[3, 5]).launch().await;
    run.stop().await;
    assert_eq!(run.bindings().await, ["bound 3", "unconfirmed"]);
}

#[tokio::test]
async fn later_verification_is_applied() {
    let unsure = json!({"breakpoints": [{"id": 1, "verified": false}]});
    let sure = json!({"reason": "changed", "breakpoint": {"id": 1, "verified": true, "line": 4}});
    let other = json!({"reason": "changed", "breakpoint": {"id": 9, "verified": true, "line": 9}});
    let gone = json!({
        "reason": "removed", "breakpoint": {"id": 1, "verified": false, "message": "unloaded"},
    });
    let faults = json!([
        {"on": "setBreakpoints", "answer": unsure},
        {"on": "evaluate", "emit": ["breakpoint", other]},
        {"on": "evaluate", "emit": ["breakpoint", sure]},
        {"on": "evaluate", "emit": ["breakpoint", gone]},
    ]);
    let script = json!({"program": [{"line": 1, "stop": "entry"}], "faults": faults});
    let mut run = Stage::new(script).at(&[3]).launch().await;
    run.stop().await;
    assert_eq!(run.bindings().await, ["unconfirmed"]);
    round(&run).await;
    round(&run).await;
    assert_eq!(run.bindings().await, ["bound 4"]);
}

#[tokio::test]
async fn nearest_lines_with_code_are_reported() {
    let mut script = json!({"program": lines(&[1, 3, 6, 7]), "no_code": [4], "faults": [
        {"on": "breakpointLocations", "answer": {"breakpoints": [{"line": 7}, {"line": 3},
            {"line": 6}]}},
    ]});
    for (supported, want) in [(true, vec![3, 6]), (false, vec![])] {
        script["capabilities"] = json!({
            "supportsConfigurationDoneRequest": true,
            "supportsBreakpointLocationsRequest": supported,
        });
        let mut run = Stage::new(script.clone()).at(&[1]).launch().await;
        run.stop().await;
        let report = run.set(vec![run.stage.line(4)]).await;
        let Binding::Refused { nearest, .. } = &report.all[1].binding else { panic!("{report:?}") };
        assert_eq!(*nearest, Nearest::Lines(want));
    }
}

/// For files loaded before the attach an adapter may never report a breakpoint as verified.
#[tokio::test]
async fn line_with_code_is_bound_without_verification() {
    let unverified = json!({"breakpoints": [{"id": 1, "verified": false, "message": "unbound"}]});
    for (code, want) in [(3, "bound 3"), (2, "refused the debugger found no code there")] {
        let mut stage =
            Stage::new(json!({"program": [{"line": 1, "stop": "entry"}, {"line": 2}]})).at(&[3]);
        let event = json!({"reason": "new", "source": {"path": stage.root().join("shop.fake")}});
        let supported = json!({
            "supportsConfigurationDoneRequest": true, "supportsBreakpointLocationsRequest": true,
        });
        stage.options["script"]["capabilities"] = supported;
        stage.options["script"]["faults"] = json!([
            {"on": "setBreakpoints", "answer": unverified},
            {"on": "configurationDone", "emit": ["loadedSource", event]},
            {"on": "breakpointLocations", "answer": {"breakpoints": [{"line": code}]}},
        ]);
        let mut run = stage
            .with("profile", json!({"breakpoints": {"verification": "when-loaded"}}))
            .launch()
            .await;
        run.stop().await;
        assert_eq!(run.bindings().await, [want], "{code}");
    }
}
