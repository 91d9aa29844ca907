//! Pages and filters of long containers, and what a listing leaves out. Pages of texts are in
//! `texts`.

use serde_json::json;

use crate::real::stage::Stage;

pub async fn paged_and_filtered(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let kind = stage.pick("int", "i32", "int", "number", "int");
    for (start, count, rows, more) in [
        (0, 2, 0..2, Some("9998 more: debug_variables path=numbers start=2")),
        (99, 2, 99..101, Some("9899 more: debug_variables path=numbers start=101")),
        (5_000, 3, 5_000..5_003, Some("4997 more: debug_variables path=numbers start=5003")),
        (9_998, 250, 9_998..10_000, None),
    ] {
        let request = json!({"path": "numbers", "start": start, "count": count});
        let page = stage.call("debug_variables", request).await.good();
        let mut lines = page.text.lines();
        assert!(
            lines.next().is_some_and(|header| header.contains(" · 10000 inside · ")),
            "{}",
            page.text
        );
        let expected: Vec<_> =
            rows.map(|n| format!("  [{n}]: {kind} = {n}")).chain(more.map(String::from)).collect();
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }
    let long = stage
        .call("debug_variables", json!({"path": "numbers", "start": 150, "count": 300}))
        .await
        .good();
    let rows: Vec<_> =
        long.text.lines().filter(|line| line.starts_with("  [")).map(str::to_owned).collect();
    assert_eq!(rows, (150..450).map(|n| format!("  [{n}]: {kind} = {n}")).collect::<Vec<_>>());
    let element = stage.call("debug_variables", json!({"path": "numbers[7777]"})).await.good();
    assert_eq!(element.text.lines().nth(1), Some("7777"));
    let beyond = stage.call("debug_variables", json!({"path": "numbers[10000]"})).await;
    beyond.fails(
        "error[no-such-variable] numbers has no element 10000: it has 10000. Try: \
        debug_variables {\"path\": \"numbers\", \"start\": 9990}",
    );
    let found = stage
        .call("debug_variables", json!({"path": "numbers", "filter": "77", "count": 2}))
        .await
        .good();
    let rows: Vec<_> = found.text.lines().skip(1).take(2).collect();
    assert_eq!(rows, [77, 177].map(|n| format!("  [{n}]: {kind} = {n}")));
    let found = stage.call("debug_variables", json!({"filter": "user"})).await.good();
    found.says("  users: ");
    assert!(!found.text.contains("  numbers: "), "{}", found.text);
}

/// Positions and lengths are those of the bytes, not of their text: as numbers.
pub async fn bytes_are_paged(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let first = stage.call("debug_variables", json!({"path": "raw", "count": 2})).await.good();
    let lines: Vec<_> = first.text.lines().collect();
    assert!(lines[0].starts_with("raw: bytes · 10000 inside · "), "{}", lines[0]);
    assert_eq!(
        lines[1..],
        ["  [0]: int = 0", "  [1]: int = 255", "9998 more: debug_variables path=raw start=2"]
    );
    let last = stage.call("debug_variables", json!({"path": "raw", "start": 9_998})).await.good();
    let lines: Vec<_> = last.text.lines().skip(1).collect();
    assert_eq!(lines, ["  [9998]: int = 0", "  [9999]: int = 255"]);
}

/// A module's variables are listed without its functions and classes; a note says so.
pub async fn omitted_variables_of_a_scope_are_mentioned(stage: &mut Stage) {
    stage.launch("deep", json!({"breakpoints": [stage.at("deep", "data")]})).await.good();
    let reply = "left out: 4 imports and definitions; debug_evaluate reads them";
    stage.call("debug_variables", json!({"scope": "Globals"})).await.good().says(reply);
    let inside = stage.call("debug_variables", json!({"path": "ring"})).await.good();
    assert!(!inside.text.contains("left out"), "{}", inside.text);
}

/// Inside another variable only the first elements are shown, with a count of the rest.
pub async fn nested_long_container_is_paged(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text =
        "nested = {'long': list(range(500)), 'keys': {n: n for n in range(30)}}\nprint(nested)\n";
    std::fs::write(dir.path().join("nested.py"), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "nested.py", "breakpoints": ["nested.py:2"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let reply = stage.call("debug_variables", json!({"path": "nested", "depth": 2})).await.good();
    reply.says("    [19]: int = 19\n    … 480 more\n");
    reply.says("    [19]: int = 19\n    … 10 more");
}
