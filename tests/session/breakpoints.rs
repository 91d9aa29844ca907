//! Breakpoints belong to the host: numbers are stable, files are sent whole, later verification is
//! applied.

use std::time::Duration;

use dapdock::limits::Limits;
use dapdock::model::{
    Binding, BreakpointEdit, BreakpointSpec, EvaluateQuery, Nearest, Place, Resume,
};
use dapdock::session::{BreakpointError, EndMode, Error};
use serde_json::{Value, json};

use super::{Run, Stage, binding, lines, lines_sent, soon};

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
async fn a_file_is_always_sent_whole_and_numbers_stay() {
    let mut run = Stage::new(json!({"program": lines(&[1, 3, 5, 7])})).at(&[3]).launch().await;
    run.stop().await;
    let first = run.breakpoints().await[0].id;
    let cart = Place::Line { path: run.stage.root().join("cart.fake"), line: 2, column: None };
    let report = run.set(vec![run.stage.line(7)]).await;
    let second = report.added[0];
    assert_eq!(report.all.iter().map(|one| one.id).collect::<Vec<_>>(), [first, second]);
    run.set(vec![BreakpointSpec::at(cart)]).await;
    let conditional = BreakpointSpec { condition: Some("total > 3".into()), ..run.stage.line(3) };
    assert_eq!(run.set(vec![conditional]).await.added, [first]);
    run.edit(BreakpointEdit { disable: vec![second], ..Default::default() }).await.unwrap();
    run.edit(BreakpointEdit { enable: vec![second], remove: vec![first], ..Default::default() })
        .await
        .unwrap();
    run.edit(BreakpointEdit { clear: true, set: vec![run.stage.line(5)], ..Default::default() })
        .await
        .unwrap();
    let calls = run.stage.arguments("setBreakpoints");
    let files: Vec<&str> =
        calls.iter().map(|call| call["source"]["name"].as_str().unwrap()).collect();
    assert_eq!(
        files[..6],
        ["shop.fake", "shop.fake", "cart.fake", "shop.fake", "shop.fake", "shop.fake"]
    );
    let mut last = files[6..].to_vec();
    last.sort();
    assert_eq!(last, ["cart.fake", "shop.fake"]);
    assert_eq!(lines_sent(&calls)[..6], ["3", "3 7", "2", "3 7", "3", "7"]);
    let mut last = lines_sent(&calls)[6..].to_vec();
    last.sort();
    assert_eq!(last, ["", "5"]);
    assert_eq!(calls[3]["breakpoints"][0]["condition"], "total > 3");
    assert_eq!(run.go(Resume::Continue).await, "Breakpoint main:5 #1");
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
async fn edits_during_the_start_arrive() {
    let faults = json!([{"on": "initialize", "late": 200}]);
    let mut run =
        Stage::new(json!({"program": lines(&[1, 3, 5]), "faults": faults})).at(&[3]).launch().await;
    run.until("starting the program").await;
    assert_eq!(run.set(vec![run.stage.line(5)]).await.added.len(), 1);
    assert_eq!(run.bindings().await, ["pending", "pending"]);
    assert_eq!(run.outcome().await, "Breakpoint main:3 #1");
    assert_eq!(run.go(Resume::Continue).await, "Breakpoint main:5 #2");
    assert_eq!(run.bindings().await, ["bound 3", "bound 5"]);
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["3", "3 5"]);
}

#[tokio::test]
async fn breakpoints_wait_for_the_next_session() {
    let stage = Stage::new(json!({"program": lines(&[3, 5])}));
    let sessions = stage.sessions();
    let edit = BreakpointEdit {
        set: vec![stage.line(5)],
        exceptions: Some(vec!["none".into()]),
        ..Default::default()
    };
    let early = sessions.breakpoints(None, edit).await.unwrap().added[0];
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    let mut run = Run { handle, cursor: Default::default(), stage };
    let stop = run.stop().await;
    assert_eq!((stop.frames[0].line, &stop.hit[..]), (5, &[early][..]));
    assert_eq!(run.stage.arguments("setExceptionBreakpoints"), [json!({"filters": []})]);
    soon(sessions.close_all()).await;
}

#[tokio::test]
async fn functions_and_exceptions_have_calls_of_their_own() {
    let script = json!({"program": [{"line": 1}, {"line": 9, "function": "pay"}]});
    let mut stage = Stage::new(script);
    stage.breakpoints.push(BreakpointSpec::at(Place::Function("pay".into())));
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "Breakpoint pay:9 #1");
    assert_eq!(
        run.stage.arguments("setFunctionBreakpoints"),
        [json!({"breakpoints": [{"name": "pay"}]})]
    );
    let words = |words: &[&str]| BreakpointEdit {
        exceptions: Some(words.iter().map(|word| (*word).into()).collect()),
        ..Default::default()
    };
    assert_eq!(run.edit(words(&["none"])).await.unwrap().exceptions, ["none"]);
    run.edit(words(&["uncaught"])).await.unwrap();
    let filters: Vec<Value> = run
        .stage
        .arguments("setExceptionBreakpoints")
        .iter()
        .map(|call| call["filters"].clone())
        .collect();
    assert_eq!(filters, [json!(["uncaught"]), json!([]), json!(["uncaught"])]);
    let error = run.edit(words(&["panics"])).await.unwrap_err().to_string();
    assert_eq!(error, "`panics` is no exception filter here; there are uncaught, all, none");
}

#[tokio::test]
async fn wrong_edits_change_nothing() {
    let limits = Limits { breakpoints: 2, ..Limits::default() };
    let mut run =
        Stage { limits, ..Stage::new(json!({"program": lines(&[3])})) }.at(&[3]).launch().await;
    run.stop().await;
    let id = run.breakpoints().await[0].id;
    let unknown = dapdock::model::BreakpointId(u32::MAX);
    let missing = Place::Line { path: run.stage.root().join("shpo.fake"), line: 1, column: None };
    let root = run.stage.root();
    let root = root.display();
    let set = |set: Vec<BreakpointSpec>| BreakpointEdit { set, clear: true, ..Default::default() };
    for (edit, want) in [
        (
            BreakpointEdit { remove: vec![unknown], clear: true, ..Default::default() },
            format!("there is no breakpoint #{}; there are {id}", u32::MAX),
        ),
        (set(vec![BreakpointSpec::at(missing)]), format!("there is no file {root}/shpo.fake")),
        (
            set(vec![run.stage.line(41)]),
            format!("{root}/shop.fake has 40 lines, there is no line 41"),
        ),
        (
            set(vec![run.stage.line(0)]),
            format!("{root}/shop.fake has 40 lines, there is no line 0"),
        ),
        (
            set(vec![BreakpointSpec { hit_condition: Some("often".into()), ..run.stage.line(3) }]),
            "hit condition `often` is none of `3`, `== 3`, `>= 3`, `> 3`, `% 3`".into(),
        ),
        (
            BreakpointEdit {
                set: vec![run.stage.line(5), run.stage.line(7)],
                ..Default::default()
            },
            "the number of breakpoints is limited to 2".into(),
        ),
    ] {
        assert_eq!(run.edit(edit).await.unwrap_err().to_string(), want);
    }
    assert_eq!(run.bindings().await, ["bound 3"]);
    assert_eq!(run.stage.arguments("setBreakpoints").len(), 1);
}

/// Replacing existing breakpoints needs no free slot.
#[tokio::test]
async fn a_full_set_can_still_be_changed() {
    let limits = Limits { breakpoints: 2, ..Limits::default() };
    let mut run =
        Stage { limits, ..Stage::new(json!({"program": lines(&[3])})) }.at(&[3, 5]).launch().await;
    run.stop().await;
    run.edit(BreakpointEdit { set: vec![run.stage.line(3)], ..Default::default() }).await.unwrap();
    let swap = BreakpointEdit {
        clear: true,
        set: vec![run.stage.line(7), run.stage.line(9)],
        ..Default::default()
    };
    run.edit(swap).await.unwrap();
    assert_eq!(run.bindings().await, ["bound 7", "bound 9"]);
}

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

#[tokio::test]
async fn condition_is_checked_before_it_is_sent() {
    let profile = json!({"evaluate": {"check": {"expression": "{text}"}}});
    let script = json!({"program": [{"line": 3, "locals": {"ok": true}}]});
    let mut run =
        Stage::new(script.clone()).at(&[3]).with("profile", profile.clone()).launch().await;
    run.stop().await;
    let with =
        |condition: &str| BreakpointSpec { condition: Some(condition.into()), ..run.stage.line(5) };
    run.edit(BreakpointEdit { set: vec![with("ok")], ..Default::default() }).await.unwrap();
    let both = BreakpointEdit {
        set: vec![run.stage.line(7), with("bad(")],
        clear: true,
        ..Default::default()
    };
    let error = run.edit(both).await.unwrap_err();
    let Error::Breakpoints(BreakpointError::BadCondition { text, why }) = error else {
        panic!("{error}")
    };
    assert_eq!((text.as_str(), why.as_str()), ("bad(", "name 'bad(' is not defined"));
    assert_eq!(run.bindings().await, ["bound 3", "bound 5"]);
    let function = run.stage.arguments("evaluate");
    let function: Vec<_> =
        function.iter().map(|one| (&one["expression"], &one["context"])).collect();
    assert_eq!(function, [(&json!("ok"), &json!("repl")), (&json!("bad("), &json!("repl"))]);

    let mut stage = Stage::new(script).with("profile", profile);
    stage.breakpoints.push(BreakpointSpec { condition: Some("bad(".into()), ..stage.line(3) });
    let error = stage.launch().await.next().await.unwrap_err();
    assert_eq!(error.to_string(), "condition `bad(` does not parse: name 'bad(' is not defined");
}

/// Such an adapter ignores a condition and stops at each hit.
#[tokio::test]
async fn condition_is_not_sent_to_an_adapter_without_conditional_breakpoints() {
    let mut script = json!({"program": lines(&[3, 5])});
    script["capabilities"] = json!({"supportsConfigurationDoneRequest": true});
    let mut stage = Stage::new(script).at(&[5]);
    stage.breakpoints.push(BreakpointSpec { condition: Some("ok".into()), ..stage.line(3) });
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "Breakpoint main:5 #1");
    let refused = "bad condition the adapter lacks supportsConditionalBreakpoints";
    assert_eq!(run.bindings().await, ["bound 5", refused]);
    let with = BreakpointSpec { condition: Some("ok".into()), ..run.stage.line(7) };
    run.set(vec![with]).await;
    assert_eq!(run.bindings().await, ["bound 5", refused, refused]);
    run.set(vec![run.stage.line(7)]).await;
    assert_eq!(run.bindings().await, ["bound 5", refused, "bound 7"]);
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["5", "5", "5 7"]);
}

/// The condition was set earlier, so the launch does not fail for it; it is reported where
/// breakpoints are listed.
#[tokio::test]
async fn earlier_bad_condition_does_not_fail_the_launch() {
    let profile = json!({"evaluate": {"check": {"expression": "{text}"}}});
    let script = json!({"program": lines(&[3, 5, 7])});
    let stage = Stage::new(script).at(&[5]).with("profile", profile);
    let sessions = stage.sessions();
    let with =
        |line, text: &str| BreakpointSpec { condition: Some(text.into()), ..stage.line(line) };
    let set = vec![with(3, "bad("), stage.line(7), with(9, "worse(")];
    soon(sessions.breakpoints(None, BreakpointEdit { set, ..Default::default() })).await.unwrap();
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    let mut run = Run { handle, cursor: Default::default(), stage };
    assert_eq!(run.outcome().await, "Breakpoint main:5 #4");
    let bad = |text: &str| format!("bad condition name '{text}' is not defined");
    assert_eq!(
        run.bindings().await,
        [bad("bad("), "bound 7".into(), bad("worse("), "bound 5".into()]
    );
    // It is not sent with the other breakpoints of its file until it is set again.
    run.set(vec![run.stage.line(11)]).await;
    run.set(vec![run.stage.line(3)]).await;
    assert_eq!(lines_sent(&run.stage.arguments("setBreakpoints")), ["7 5", "7 5 11", "3 7 5 11"]);
    assert_eq!(run.bindings().await[0], "bound 3");
    soon(sessions.close_all()).await;
}

/// Its file belongs to the adapter that claims it.
#[tokio::test]
async fn a_file_of_another_language_is_not_sent() {
    let mut stage = Stage::new(json!({"program": lines(&[3])})).at(&[3]);
    stage.other_adapter = true;
    let other = |name: &str| {
        let path = stage.root().join(name);
        std::fs::write(&path, "one\ntwo\n").unwrap();
        BreakpointSpec::at(Place::Line { path, line: 1, column: None })
    };
    let (early, late, plain) = (other("early.lua"), other("late.LUA"), other("plain.txt"));
    let sessions = stage.sessions();
    soon(sessions.breakpoints(None, BreakpointEdit { set: vec![early], ..Default::default() }))
        .await
        .unwrap();
    let handle = soon(sessions.launch(stage.request())).await.unwrap();
    let mut run = Run { handle, cursor: Default::default(), stage };
    assert_eq!(run.outcome().await, "Breakpoint main:3 #2");
    run.set(vec![late, plain]).await;
    let refused = "refused fake does not debug .lua files";
    assert_eq!(run.bindings().await, ["left by fake", "bound 3", refused, "bound 1"]);
    let first = run.breakpoints().await[0].id;
    run.edit(BreakpointEdit { remove: vec![first], ..Default::default() }).await.unwrap();
    let calls = run.stage.arguments("setBreakpoints");
    let files: Vec<_> = calls.iter().map(|call| call["source"]["name"].as_str().unwrap()).collect();
    assert_eq!(files, ["shop.fake", "plain.txt"]);
    soon(sessions.close_all()).await;
}

/// A check without a response decides nothing.
#[tokio::test]
async fn a_silent_check_lets_the_condition_pass() {
    let limits = Limits { request: Duration::from_millis(200), ..Limits::default() };
    let profile = json!({"evaluate": {"check": {"expression": "{text}"}}});
    let script = json!({"program": lines(&[3]), "faults": [{"on": "evaluate", "silent": null}]});
    let mut stage = Stage { limits, ..Stage::new(script) }.with("profile", profile);
    stage.breakpoints.push(BreakpointSpec { condition: Some("x".into()), ..stage.line(3) });
    assert_eq!(stage.launch().await.outcome().await, "Breakpoint main:3 #1");
}

/// The caller sees no stop; a pause of the caller still arrives.
#[tokio::test]
async fn debuggee_is_halted_to_set_breakpoints_and_resumed() {
    let script = json!({"program": [{"line": 1}, {"line": 2, "hangs": true}]});
    let profile = json!({"breakpoints": {"while_running": "halt-first"}});
    let mut run = Stage::new(script).at(&[1]).with("profile", profile).launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let before = run.stage.commands().len();
    run.set(vec![run.stage.line(7)]).await;
    run.cursor = soon(run.handle.pause(None)).await.unwrap();
    assert_eq!(run.outcome().await, "Pause main:2");
    let commands = run.stage.commands();
    let moves = ["pause", "setBreakpoints", "continue"];
    let moves_sent: Vec<&str> =
        commands[before..].iter().map(String::as_str).filter(|one| moves.contains(one)).collect();
    assert_eq!(moves_sent[..2], ["pause", "setBreakpoints"]);
    // Depending on timing the program was resumed before the pause, or was still stopped.
    assert!(
        [["continue", "pause"].as_slice(), &["pause"]].contains(&&moves_sent[2..]),
        "{moves_sent:?}"
    );
}

/// The debuggee stops at a breakpoint before the adapter refuses to halt it: the caller's stop
/// stays.
#[tokio::test]
async fn refused_halt_resumes_no_stop_of_the_caller() {
    let event = json!({"seq": 900, "type": "event", "event": "stopped",
        "body": {"reason": "breakpoint", "threadId": 1, "allThreadsStopped": true}})
    .to_string();
    let stop = format!("Content-Length: {}\r\n\r\n{event}", event.len());
    let faults =
        json!([{"on": "pause", "refuse": "not running"}, {"on": "pause", "garbage": stop}]);
    let script = json!({"program": [{"line": 1, "hangs": true}], "faults": faults});
    let profile = json!({"breakpoints": {"while_running": "halt-first"}});
    let mut run = Stage::new(script).with("profile", profile).launch().await;
    run.until("running").await;
    run.set(vec![run.stage.line(5)]).await;
    run.stop().await;
    while !run.log().await.contains("does not stop it to set breakpoints") {}
    run.set(vec![run.stage.line(6)]).await;
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert!(!run.stage.commands().contains(&"continue".to_owned()));
}

/// The adapter does not answer the halt while a pause of the caller is under way: the debuggee runs
/// on, and no stop is published.
#[tokio::test]
async fn halt_without_a_stop_does_not_end_a_pause() {
    let limits = Limits { request: Duration::from_millis(200), ..Limits::default() };
    let faults = json!([{"on": "pause", "silent": null}]);
    let program = json!([{"line": 1, "hangs": true}]);
    let script = json!({"program": program, "forgets_pauses": 3, "faults": faults});
    let profile = json!({"breakpoints": {"while_running": "halt-first"}});
    let stage = Stage { limits, ..Stage::new(script) }.with("profile", profile);
    let run = stage.launch().await;
    run.until("running").await;
    let edit = BreakpointEdit { set: vec![run.stage.line(5)], ..BreakpointEdit::default() };
    soon(run.handle.breakpoints(edit)).await.unwrap_err();
    // Sent before the halt's time is over, without an answer after it.
    soon(run.handle.pause(None)).await.unwrap_err();
    assert!(run.log().await.contains("does not stop it to set breakpoints"));
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "running");
    let commands = run.stage.commands();
    assert_eq!(commands.iter().filter(|command| *command == "pause").count(), 2);
    assert!(!commands.contains(&"continue".to_owned()), "{commands:?}");
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

#[tokio::test]
async fn edit_fails_when_the_halt_never_comes() {
    let limits = Limits { request: Duration::from_millis(300), ..Limits::default() };
    // The pause is answered without effect.
    let deaf = json!([{"on": "pause", "refuse": ""}, {"on": "pause", "answer": {}}]);
    let script = json!({"program": [{"line": 1, "hangs": true}], "faults": deaf});
    let stage = Stage { limits, ..Stage::new(script) };
    let run = stage
        .with("profile", json!({"breakpoints": {"while_running": "halt-first"}}))
        .launch()
        .await;
    run.until("running").await;
    for _ in 0..2 {
        let edit = BreakpointEdit { set: vec![run.stage.line(5)], ..BreakpointEdit::default() };
        let error = run.edit(edit).await.unwrap_err();
        assert_eq!(error.to_string(), "the adapter did not answer pause within 0.3 s");
    }
    assert_eq!(run.bindings().await, [""; 0]);
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
