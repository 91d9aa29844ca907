//! Edits of the set: numbers stay, files are sent whole, wrong edits change nothing, and edits
//! before a session or during its start arrive. Edits of a running program are in `halts`.

use dapdock::limits::Limits;
use dapdock::model::{BreakpointEdit, BreakpointSpec, Place, Resume};
use serde_json::{Value, json};

use crate::session::{Run, Stage, lines, lines_sent, soon};

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
