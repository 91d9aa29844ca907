//! Output: fragments become numbered lines, within limits.

use dapdock::limits::Limits;
use dapdock::model::{OutputPage, OutputQuery, Stream};
use dapdock::session::Error;
use serde_json::{Value, json};

use super::{Run, Stage, soon};

/// Runs a program that writes these fragments and ends.
async fn run_printing(fragments: Value, limits: Limits, profile: Value) -> Run {
    let script = json!({"program": [{"line": 1, "output": fragments}]});
    let mut run = Stage { limits, ..Stage::new(script) }.with("profile", profile).launch().await;
    run.exit().await;
    run
}

async fn page(run: &Run, query: OutputQuery) -> OutputPage {
    let limit = if query.limit == 0 { 100 } else { query.limit };
    soon(run.handle.output(OutputQuery { limit, ..query })).await.unwrap()
}

/// `0 Stdout text`, with `…` after a line without its end.
fn words(page: &OutputPage) -> Vec<String> {
    let end = |complete| if complete { "" } else { "…" };
    page.lines
        .iter()
        .map(|one| format!("{} {:?} {}{}", one.number, one.stream, one.text, end(one.complete)))
        .collect()
}

async fn check(fragments: Value, want: &[&str]) {
    let case = fragments.to_string();
    let run = run_printing(fragments, Limits::default(), json!({})).await;
    assert_eq!(words(&page(&run, OutputQuery::default()).await), want, "{case}");
}

#[tokio::test]
async fn fragments_become_lines() {
    check(json!([["stdout", "one\ntwo\n"]]), &["0 Stdout one", "1 Stdout two"]).await;
    check(json!([["stdout", "o"], ["stdout", "ne"], ["stdout", "\n"]]), &["0 Stdout one"]).await;
    check(json!([["stdout", "one\r\ntwo\r\n"]]), &["0 Stdout one", "1 Stdout two"]).await;
    check(json!([["stdout", "one\r"], ["stdout", "\ntwo\n"]]), &["0 Stdout one", "1 Stdout two"])
        .await;
    check(json!([["stdout", "half"]]), &["0 Stdout half…"]).await;
    check(json!([["stdout", "\n\n"]]), &["0 Stdout ", "1 Stdout "]).await;
    check(
        json!([["stdout", "a"], ["stderr", "X\n"], ["stdout", "b\n"]]),
        &["0 Stdout ab", "1 Stderr X"],
    )
    .await;
    check(json!([["stdout", "größe ✓\n"]]), &["0 Stdout größe ✓"]).await;
    check(json!([["telemetry", "secret\n"], ["stdout", "x\n"]]), &["0 Stdout x"]).await;
}

#[tokio::test]
async fn adapter_output_is_not_program_output() {
    let fragments =
        json!([["console", "loading\n"], ["stdout", "hi\n"], ["stdout", "[dbg] note\n"]]);
    let profile = json!({"output": {"program": ["stdout"], "adapter_lines": ["[dbg]"]}});
    let run = run_printing(fragments, Limits::default(), profile).await;
    assert_eq!(words(&page(&run, OutputQuery::default()).await), ["1 Stdout hi"]);
    let own = OutputQuery { stream: Some(Stream::Adapter), ..Default::default() };
    assert_eq!(words(&page(&run, own).await), ["0 Adapter loading", "2 Adapter [dbg] note"]);
    assert!(run.log().await.contains("adapter: loading"));
}

fn numbers(page: &OutputPage) -> (Vec<u64>, u64, u64, u64) {
    (page.lines.iter().map(|line| line.number).collect(), page.next, page.lost, page.skipped)
}

#[tokio::test]
async fn pages_by_cursor_tail_and_pattern() {
    let text: String = (0..6).map(|n| format!("line {n}\n")).collect();
    let run = run_printing(json!([["stdout", text]]), Limits::default(), json!({})).await;
    let query = |since, tail, grep: Option<&str>, limit| OutputQuery {
        since,
        tail,
        grep: grep.map(str::to_owned),
        limit,
        tokens: None,
        stream: None,
    };
    for (query, want) in [
        (query(None, None, None, 100), (vec![0, 1, 2, 3, 4, 5], 6, 0, 0)),
        (query(None, None, None, 2), (vec![0, 1], 2, 0, 4)),
        (query(Some(2), None, None, 2), (vec![2, 3], 4, 0, 2)),
        (query(Some(6), None, None, 2), (vec![], 6, 0, 0)),
        (query(Some(99), None, None, 2), (vec![], 6, 0, 0)),
        (query(None, Some(2), None, 100), (vec![4, 5], 6, 0, 4)),
        (query(None, Some(9), None, 3), (vec![3, 4, 5], 6, 0, 3)),
        (query(None, None, Some("[13]$"), 100), (vec![1, 3], 6, 0, 0)),
        (query(Some(2), Some(1), Some("line"), 100), (vec![5], 6, 0, 3)),
    ] {
        let case = format!("{query:?}");
        assert_eq!(numbers(&page(&run, query).await), want, "{case}");
    }
    let error = soon(run.handle.output(query(None, None, Some("(open"), 9))).await.unwrap_err();
    let Error::BadPattern { pattern, cause } = error else { panic!("{error}") };
    assert_eq!((pattern.as_str(), cause.as_str()), ("(open", "error: unclosed group"));
}

#[tokio::test]
async fn ring_drops_the_oldest_lines() {
    let text: String = (0..10).map(|n| format!("line {n}\n")).collect();
    let few = Limits { output_lines: 3, ..Limits::default() };
    let run = run_printing(json!([["stdout", text]]), few, json!({})).await;
    assert_eq!(numbers(&page(&run, OutputQuery::default()).await), (vec![7, 8, 9], 10, 7, 0));
    assert_eq!(
        numbers(&page(&run, OutputQuery { since: Some(8), ..Default::default() }).await),
        (vec![8, 9], 10, 0, 0)
    );

    let small = Limits { output_bytes: 14, ..Limits::default() };
    let run = run_printing(json!([["stdout", text]]), small, json!({})).await;
    assert_eq!(numbers(&page(&run, OutputQuery::default()).await), (vec![8, 9], 10, 8, 0));

    let narrow = Limits { line_bytes: 4, ..Limits::default() };
    let run = run_printing(json!([["stdout", "abcdefgh\nßßß\nx\n"]]), narrow, json!({})).await;
    assert_eq!(
        words(&page(&run, OutputQuery::default()).await),
        ["0 Stdout abcd…", "1 Stdout efgh", "2 Stdout ßß…", "3 Stdout ß", "4 Stdout x"]
    );
}

/// The exit counts every line that the program printed, and how many of them are no longer stored.
#[tokio::test]
async fn exit_counts_the_lines_dropped_from_the_ring() {
    let text: String = (0..10).map(|n| format!("line {n}\n")).collect();
    let script = json!({"program": [
        {"line": 1, "output": [["stdout", "a\nb\n"]]},
        {"line": 2, "output": [["console", "x\n"], ["stdout", text]]},
    ]});
    let limits = Limits { output_lines: 3, ..Limits::default() };
    let profile = json!({"output": {"program": ["stdout"]}});
    let mut run =
        Stage { limits, ..Stage::new(script) }.with("profile", profile).at(&[1]).launch().await;
    assert_eq!(run.stop().await.output.lines, 2);
    run.resume(dapdock::model::Resume::Continue).await.unwrap();
    let output = &run.exit().await.output;
    assert_eq!((output.lines, output.lost), (10, 7));
    assert_eq!(
        output.tail.iter().map(|line| line.text.as_str()).collect::<Vec<_>>(),
        ["line 7", "line 8", "line 9"]
    );
}

/// A prompt at a stop, completed later: the cursor of the stop returns the whole line.
#[tokio::test]
async fn continued_line_is_reported_again() {
    let script = json!({"program": [
        {"line": 1, "output": [["stdout", "start\nname? "], ["stderr", "warning\n"]]},
        {"line": 3, "output": [["stdout", "Bob\nhello "]]},
        {"line": 5, "output": [["stdout", "Bob"]]},
        {"line": 7, "output": [["stdout", "\nbye\n"]]},
    ]});
    let mut run = Stage::new(script).at(&[1, 3]).launch().await;
    let since = |since| OutputQuery { since: Some(since), ..Default::default() };
    let summary = |note: &dapdock::model::OutputNote| {
        let lines = note.tail.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
        (lines, note.lines, note.since)
    };
    let want = |lines: &[&str], count, since| {
        (lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>(), count, since)
    };
    let stop = run.stop().await;
    assert_eq!(summary(&stop.output), want(&["start", "name? ", "warning"], 3, 0));
    run.resume(dapdock::model::Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    assert_eq!(summary(&stop.output), want(&["name? Bob", "hello "], 2, 3));
    let reread = page(&run, since(3)).await;
    assert_eq!(
        (words(&reread), reread.next),
        (vec!["3 Stdout name? Bob".into(), "4 Stdout hello …".into()], 5)
    );
    run.resume(dapdock::model::Resume::Continue).await.unwrap();
    run.exit().await;
    assert_eq!(words(&page(&run, since(5)).await), ["5 Stdout hello Bob", "6 Stdout bye"]);
    let all = page(&run, since(0)).await;
    assert_eq!(
        (words(&all), all.lost),
        (
            [
                "0 Stdout start",
                "2 Stderr warning",
                "3 Stdout name? Bob",
                "5 Stdout hello Bob",
                "6 Stdout bye"
            ]
            .map(str::to_owned)
            .to_vec(),
            0
        )
    );
}

/// Following the calls that a page names reads every line exactly once.
#[tokio::test]
async fn every_line_is_in_a_page() {
    let text: String = (0..10).map(|n| format!("line {n}\n")).collect();
    let run = run_printing(json!([["stdout", text]]), Limits::default(), json!({})).await;
    let tail = page(&run, OutputQuery { tail: Some(4), limit: 3, ..Default::default() }).await;
    assert_eq!((numbers(&tail).0, tail.earlier, tail.skipped), (vec![7, 8, 9], Some(4), 7));
    let before =
        page(&run, OutputQuery { since: tail.earlier, limit: 3, ..Default::default() }).await;
    assert_eq!((numbers(&before).0, before.next), (vec![4, 5, 6], 7));
    let odd = OutputQuery { grep: Some("[13579]$".into()), limit: 3, ..Default::default() };
    let first = page(&run, odd.clone()).await;
    assert_eq!((numbers(&first).0, first.next), (vec![1, 3, 5], 7));
    assert_eq!(numbers(&page(&run, OutputQuery { since: Some(7), ..odd }).await).0, [7, 9]);
}
