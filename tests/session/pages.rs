//! Long containers: every element can be read, and exactly the requested page is read.

use dapdock::model::VariablesQuery;
use serde_json::{Value, json};

use super::{Run, Stage, soon};

/// A stop with these locals, under a profile with these rules for elements.
async fn stop(locals: Value, variables: Value) -> Run {
    let script = json!({"program": [{"line": 3, "locals": locals}]});
    let stage = Stage::new(script).at(&[3]).with("profile", json!({"values": variables}));
    let mut run = stage.launch().await;
    run.stop().await;
    run
}

fn query(path: &str, start: u64, count: u64, filter: Option<&str>) -> VariablesQuery {
    let (path, filter) = (Some(path.to_owned()), filter.map(str::to_owned));
    VariablesQuery {
        path,
        thread: None,
        frame: None,
        scope: None,
        depth: 1,
        start,
        count: Some(count),
        filter,
        arguments: false,
    }
}

/// The rows of the page as text, and the total.
async fn page_rows(run: &Run, query: VariablesQuery) -> (String, u64) {
    let page = soon(run.handle.variables(query)).await.unwrap();
    let rows: Vec<_> =
        page.variables.iter().map(|row| format!("{}={}", row.name, row.value)).collect();
    (rows.join(" "), page.total)
}

async fn value(run: &Run, path: &str) -> String {
    let page = soon(run.handle.variables(query(path, 0, 10, None))).await.unwrap();
    page.parent.unwrap().value
}

fn evaluated(run: &Run) -> Vec<String> {
    let all = run.stage.arguments("evaluate").into_iter();
    all.map(|one| one["expression"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn slices_continue_the_listed_elements() {
    let run = stop(
        json!({
            "items": {"tag": "x", "0": 10, "1": 11, "len()": 5, "more": "..."},
            "items[2:4]": {"0": 12, "1": 13, "len()": 2, "more": "..."}, "items[4:5]": [14],
            "items[3:5]": [13, 14], "items[3:4]": [13],
        }),
        json!({"elements": {
            "at_once": 2, "count": "len()", "rest": ["more"],
            "pages": {"slice": "{expr}[{start}:{end}]"},
        }}),
    )
    .await;
    let all = "tag=\"x\" [0]=10 [1]=11 [2]=12 [3]=13 [4]=14";
    assert_eq!(page_rows(&run, query("items", 0, 10, None)).await, (all.into(), 6));
    assert_eq!(evaluated(&run), ["items[2:4]", "items[4:5]"]);
    assert_eq!(page_rows(&run, query("items", 4, 10, None)).await, ("[3]=13 [4]=14".into(), 6));
    assert_eq!(page_rows(&run, query("items", 1, 2, None)).await, ("[0]=10 [1]=11".into(), 6));
    assert_eq!(evaluated(&run).len(), 3, "what is listed is not asked for again");
    assert_eq!(value(&run, "items[1]").await, "11");
    assert_eq!(value(&run, "items[3]").await, "13");
}

#[tokio::test]
async fn a_slice_of_a_mapping_keeps_its_keys() {
    let run = stop(
        json!({"ages": {"'a'": 1, "len()": 3}, "ages[1:3]": {"'b'": 2, "'c'": 3}}),
        json!({"elements": {"count": "len()", "pages": {"slice": "{expr}[{start}:{end}]"}}}),
    )
    .await;
    assert_eq!(page_rows(&run, query("ages", 0, 10, None)).await, ("'a'=1 'b'=2 'c'=3".into(), 3));
}

#[tokio::test]
async fn elements_are_evaluated_one_by_one() {
    let run = stop(
        json!({"items": {"0": 10, "len()": 3}, "items[1]": 11, "items[2]": 12}),
        json!({"elements": {"count": "len()", "pages": {"each": "{expr}[{n}]"}}}),
    )
    .await;
    assert_eq!(
        page_rows(&run, query("items", 0, 10, None)).await,
        ("[0]=10 [1]=11 [2]=12".into(), 3)
    );
    assert_eq!(evaluated(&run), ["items[1]", "items[2]"]);
}

#[tokio::test]
async fn adapter_pages_are_requested_from_it() {
    let run = stop(
        json!({"items": [10, 11, 12, 13, 14, 15, 16], "short": [1, 2, 3]}),
        json!({"elements": {"at_once": 3, "pages": "requested"}}),
    )
    .await;
    let pages = |from: usize| -> Vec<String> {
        let all = run.stage.arguments("variables").into_iter().skip(from);
        all.filter(|one| one["filter"] == "indexed")
            .map(|one| format!("{} {}", one["start"], one["count"]))
            .collect()
    };
    assert_eq!(
        page_rows(&run, query("items", 2, 3, None)).await,
        ("[2]=12 [3]=13 [4]=14".into(), 7)
    );
    assert_eq!(pages(0), ["2 3"]);
    let before = run.stage.arguments("variables").len();
    assert_eq!(
        page_rows(&run, query("items", 2, 10, None)).await.0,
        "[2]=12 [3]=13 [4]=14 [5]=15 [6]=16"
    );
    assert_eq!(pages(before), ["2 3", "5 2"]);
    assert_eq!(value(&run, "items[5]").await, "15");
    let before = run.stage.arguments("variables").len();
    assert_eq!(page_rows(&run, query("short", 0, 10, None)).await, ("[0]=1 [1]=2 [2]=3".into(), 3));
    assert_eq!(pages(before), [""; 0]);
}

#[tokio::test]
async fn filter_reports_how_far_it_searched() {
    let (slice, each) = (json!({"slice": "{expr}[{start}:{end}]"}), json!({"each": "{expr}[{n}]"}));
    for (pages, length, want) in [
        (&slice, 10_000, None),
        (&slice, 10_001, Some(10_000)),
        (&each, 1_000, None),
        (&each, 1_001, Some(1_000)),
    ] {
        let locals = json!({"items": {"0": 10, "1": 21, "2": 31, "len()": length}});
        let run = stop(locals, json!({"elements": {"count": "len()", "pages": pages}})).await;
        let page = soon(run.handle.variables(query("items", 1, 10, Some("1")))).await.unwrap();
        let values: Vec<_> = page.variables.iter().map(|row| row.value.as_str()).collect();
        assert_eq!(
            (values.as_slice(), page.total, page.looked_at),
            (&["21", "31"][..], 3, want),
            "{length}"
        );
    }
}

#[tokio::test]
async fn hidden_groups_are_listed_by_name() {
    let run =
        stop(json!({"it": {"special": {"a": 1}, "x": 2}}), json!({"hidden": ["special"]})).await;
    let page = soon(run.handle.variables(query("it", 0, 10, None))).await.unwrap();
    assert_eq!((page.variables.len(), page.variables[0].name.as_str()), (1, "x"));
    assert_eq!(page.hidden, ["special"]);
}

#[tokio::test]
async fn unnamed_only_child_is_replaced_by_its_children() {
    let run = stop(
        json!({"one": {"": {"x": 1}}, "two": {"": {"x": 1}, "y": 2}, "leaf": {"": 3}}),
        json!({}),
    )
    .await;
    assert_eq!(page_rows(&run, query("one", 0, 10, None)).await.0, "x=1");
    assert_eq!(page_rows(&run, query("two", 0, 10, None)).await.0, "(value)=object(1) y=2");
    assert_eq!(page_rows(&run, query("leaf", 0, 10, None)).await.0, "(value)=3");
}
