//! Log breakpoints never stop, whether the host or the adapter writes them, and every hit is stored
//! or counted.

use dapdock::model::{BreakpointSpec, LogHit, Note, Resume, StepKind, Stream};
use serde_json::{Value, json};

use super::reads::evaluate;
use super::{Run, Stage, soon, step};

const HOST: &str = "host";
const ADAPTER: &str = "adapter";

fn rounds(count: u32) -> Vec<Value> {
    (1..=count).map(|round| json!({"line": 3, "locals": {"round": round}})).collect()
}

fn logging(stage: &Stage, line: u32, text: &str) -> BreakpointSpec {
    BreakpointSpec { log: Some(text.into()), ..stage.line(line) }
}

async fn texts(run: &Run) -> Vec<String> {
    let word = |hit: &LogHit| format!("{} {}", hit.number, hit.text);
    soon(run.handle.log_hits(0)).await.unwrap().hits.iter().map(word).collect()
}

fn profile(writer: &str) -> Value {
    json!({"breakpoints": {"log_points": writer}})
}

#[tokio::test]
async fn host_writes_log_points_for_an_adapter_without_them() {
    let mut stage = Stage::new(json!({"program": rounds(3)})).with("profile", profile(HOST));
    stage.breakpoints.push(logging(&stage, 3, "{{round}} is {round}, {gone}"));
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "ended Code(0) Natural");
    // The error is written in full once.
    let want = |n: u32, error: &str| format!("{n} {{round}} is {n}, {error}");
    let first = want(1, "<error: name 'gone' is not defined>");
    let all = [first, want(2, "<error>"), want(3, "<error>")];
    assert_eq!(texts(&run).await, all);
    let hits = soon(run.handle.log_hits(0)).await.unwrap().hits;
    assert_eq!(hits[0].thread.as_deref(), Some("main"));
    assert_eq!(soon(run.handle.log_hits(2)).await.unwrap().hits, hits[2..]);
    assert_eq!(run.breakpoints().await[0].hits, 3);
    assert!(run.stage.arguments("setBreakpoints")[0]["breakpoints"][0].get("logMessage").is_none());
    let page =
        soon(run.handle.output(dapdock::model::OutputQuery { limit: 9, ..Default::default() }))
            .await
            .unwrap();
    assert!(page.lines.iter().all(|line| line.stream == Stream::Log && line.complete));
    assert_eq!(page.lines.len(), 3);
}

/// Such an adapter would stop at them, whatever the profile says.
#[tokio::test]
async fn host_writes_log_points_that_the_adapter_does_not_support() {
    let capabilities = json!({"supportsConfigurationDoneRequest": true});
    let script = json!({"program": rounds(3), "capabilities": capabilities});
    let mut stage = Stage::new(script);
    stage.breakpoints.push(logging(&stage, 3, "round {round}"));
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "ended Code(0) Natural");
    assert_eq!(texts(&run).await, ["1 round 1", "2 round 2", "3 round 3"]);
    assert_eq!(run.breakpoints().await[0].hits, 3);
}

#[tokio::test]
async fn log_lines_of_the_adapter_are_recognised_by_their_mark() {
    let mut stage = Stage::new(json!({"program": rounds(3)}));
    stage.breakpoints.push(logging(&stage, 3, "plain text"));
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "ended Code(0) Natural");
    assert_eq!(texts(&run).await, ["1 plain text", "2 plain text", "3 plain text"]);
    let id = run.breakpoints().await[0].id;
    let sent = run.stage.arguments("setBreakpoints")[0]["breakpoints"][0]["logMessage"].clone();
    assert_eq!(sent, format!("\u{1e}{}\u{1f}plain text", id.0));
}

#[tokio::test]
async fn every_and_max_hits_suppress_and_count() {
    for writer in [HOST, ADAPTER] {
        // After its `max_hits` the breakpoint is removed from the adapter. One that writes the
        // lines itself may have run on meanwhile.
        for (every, max_hits, expected, hits, suppressed) in [
            (None, None, "12345", 5, 0),
            (Some(2), None, "24", 5, 3),
            (None, Some(2), "12", 2, 0),
            (Some(2), Some(1), "2", 2, 1),
            (Some(9), None, "", 5, 5),
            (Some(0), Some(0), "", 1, 1),
        ] {
            let mut stage =
                Stage::new(json!({"program": rounds(5)})).with("profile", profile(writer));
            let spec = BreakpointSpec { every, max_hits, ..logging(&stage, 3, "x") };
            stage.breakpoints.push(spec);
            let mut run = stage.launch().await;
            assert_eq!(run.outcome().await, "ended Code(0) Natural");
            let seen: String =
                texts(&run).await.iter().map(|text| text.split(' ').next().unwrap()).collect();
            let breakpoint = run.breakpoints().await.remove(0);
            let case = format!("{writer} {every:?} {max_hits:?} {breakpoint:?}");
            assert!(breakpoint.hits >= hits, "{case}");
            let more = breakpoint.hits - hits;
            // Breakpoints change once the start is complete, which may be after the first hit.
            let most = match (writer, max_hits) {
                (_, None) => 0,
                (HOST, Some(max)) => u32::from(max == 0),
                _ => 5,
            };
            assert!(more <= most, "{case}");
            assert_eq!(
                (seen.as_str(), breakpoint.suppressed),
                (expected, suppressed + more),
                "{case}"
            );
            let sent = run.stage.arguments("setBreakpoints");
            let last = sent.last().unwrap()["breakpoints"].as_array().unwrap().len();
            assert!(writer == ADAPTER || last == usize::from(max_hits.is_none()), "{case}");
        }
    }
}

#[tokio::test]
async fn hit_conditions_of_log_points_count() {
    for writer in [HOST, ADAPTER] {
        let mut stage = Stage::new(json!({"program": rounds(5)})).with("profile", profile(writer));
        stage
            .breakpoints
            .push(BreakpointSpec { hit_condition: Some("% 2".into()), ..logging(&stage, 3, "x") });
        let mut run = stage.launch().await;
        assert_eq!(run.outcome().await, "ended Code(0) Natural");
        let seen: Vec<String> = texts(&run).await.iter().map(|text| text[..1].to_owned()).collect();
        assert_eq!(seen, ["2", "4"], "{writer}");
    }
}

#[tokio::test]
async fn hit_numbers_continue_after_old_hits_are_dropped() {
    let program: Vec<Value> =
        rounds(5).into_iter().chain([json!({"line": 9})]).chain(rounds(4)).collect();
    let limits = dapdock::limits::Limits { log_hits: 2, ..Default::default() };
    let mut stage = Stage { limits, ..Stage::new(json!({"program": program})) }.at(&[9]);
    stage.breakpoints.push(logging(&stage, 3, "x"));
    let mut run = stage.launch().await;
    assert_eq!(run.stop().await.log_hits, 5);
    run.resume(Resume::Continue).await.unwrap();
    assert_eq!(run.exit().await.log_hits, 4);
    assert_eq!(texts(&run).await, ["8 x", "9 x"]);
    for (since, lost, stored) in [(0, 7, 2), (6, 1, 2), (8, 0, 1), (99, 0, 0)] {
        let outcome = soon(run.handle.log_hits(since)).await.unwrap();
        assert_eq!((outcome.lost, outcome.hits.len()), (lost, stored), "{since}");
    }
}

/// A second thread reaches the log point while the stop of the first one is read: nothing is
/// resumed.
#[tokio::test]
async fn log_point_during_a_stop_resumes_nothing() {
    let second = json!({"reason": "breakpoint", "threadId": 1, "hitBreakpointIds": [2]});
    let faults = json!([{"on": "scopes", "emit": ["stopped", second]}]);
    let script =
        json!({"program": [{"line": 3, "locals": {"x": 1}}, {"line": 5}], "faults": faults});
    let mut stage = Stage::new(script).at(&[3]).with("profile", profile(HOST));
    stage.breakpoints.push(logging(&stage, 9, "seen"));
    let mut run = stage.launch().await;
    assert_eq!(run.outcome().await, "Breakpoint main:3 #1");
    while texts(&run).await.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(soon(run.handle.status()).await.unwrap().phase, "stopped");
    assert_eq!(run.go(Resume::Continue).await, "ended Code(0) Natural");
    assert_eq!(run.stage.commands().iter().filter(|name| *name == "continue").count(), 1);
}

/// A breakpoint and a log point at one place: the stop is reported, and the log hit is stored.
#[tokio::test]
async fn stop_at_a_log_point_stores_the_hit() {
    let program = json!([{"line": 9, "function": "pay", "locals": {"total": 7}}]);
    let mut stage = Stage::new(json!({"program": program})).with("profile", profile(HOST));
    stage.breakpoints.push(logging(&stage, 9, "total {total}"));
    stage.breakpoints.push(BreakpointSpec::at(dapdock::model::Place::Function("pay".into())));
    let mut run = stage.launch().await;
    let stop = run.stop().await;
    assert_eq!(run.word(&stop).await, "Breakpoint pay:9 #2");
    assert_eq!(texts(&run).await, ["1 total 7"]);
    assert_eq!(stop.log_hits, 1);
    assert_eq!(run.breakpoints().await.iter().map(|one| one.hits).collect::<Vec<_>>(), [1, 1]);
}

/// `pay` is stepped over; the log point inside stops the debuggee, which the caller does not see.
#[tokio::test]
async fn step_over_a_log_point_finishes_in_its_frame() {
    let inside =
        json!({"line": 9, "function": "pay", "callers": [["main", 3]], "locals": {"total": 7}});
    let program = json!([{"line": 3}, inside, {"line": 4}, {"line": 5}]);
    let mut stage = Stage::new(json!({"program": program})).at(&[3]).with("profile", profile(HOST));
    stage.breakpoints.push(logging(&stage, 9, "total {total}"));
    let mut run = stage.launch().await;
    run.stop().await;
    assert_eq!(run.go(step(StepKind::Over)).await, "Step main:4");
    assert_eq!(texts(&run).await, ["1 total 7"]);
    let moves: Vec<String> = run
        .stage
        .commands()
        .into_iter()
        .filter(|name| ["next", "stepOut", "continue"].contains(&name.as_str()))
        .collect();
    assert_eq!(moves, ["next", "stepOut"]);
    assert_eq!(run.go(step(StepKind::Over)).await, "Step main:5");
}

/// A step into the function ends there anyway.
#[tokio::test]
async fn step_to_a_log_point_ends_there() {
    let program =
        json!([{"line": 3}, {"line": 9, "function": "pay", "callers": [["main", 3]]}, {"line": 4}]);
    let mut stage = Stage::new(json!({"program": program})).at(&[3]).with("profile", profile(HOST));
    stage.breakpoints.push(logging(&stage, 9, "in"));
    let mut run = stage.launch().await;
    run.stop().await;
    assert_eq!(run.go(step(StepKind::In)).await, "Step pay:9");
    assert_eq!(texts(&run).await, ["1 in"]);
}

#[tokio::test]
async fn run_continues_after_a_log_point() {
    let program = json!([{"line": 1}, {"line": 3}, {"line": 5}]);
    let mut stage =
        Stage::new(json!({"program": program})).at(&[1, 5]).with("profile", profile(HOST));
    stage.breakpoints.push(logging(&stage, 3, "seen"));
    let mut run = stage.launch().await;
    run.stop().await;
    run.resume(Resume::Continue).await.unwrap();
    let stop = run.stop().await;
    assert_eq!((stop.frames[0].line, stop.epoch.0, stop.log_hits), (5, 2, 1));
    assert_eq!(texts(&run).await, ["1 seen"]);
}

/// A text that the plugin could not check is not sent; the next stop has the note, once.
#[tokio::test]
async fn failed_hook_is_logged_and_noted_once() {
    let mut run = Stage::new(json!({"program": rounds(3)})).at(&[3]).launch().await;
    run.stop().await;
    let start = format!("start adapter: {} ", crate::fake::executable().display());
    assert!(logged(&run, &start).await.len() == 1);
    for noted in [true, false] {
        let query = evaluate(&["panic"]);
        let answer = soon(run.handle.evaluate(query)).await.unwrap().remove(0);
        let wrong = answer.result.unwrap_err().to_string();
        assert_eq!(wrong, "the plugin could not check whether this changes the program");
        run.go(Resume::Continue).await;
        let stop = soon(run.handle.current()).await.unwrap().unwrap();
        let notes: Vec<_> = stop.notes.iter().filter(|note| is_of_hook(note)).collect();
        assert_eq!(!notes.is_empty(), noted, "{notes:?}");
    }
    assert_eq!(logged(&run, "plugin fake: about to fail").await.len(), 2);
    let failed = logged(&run, "the host goes on without an answer: plugin fake: ").await;
    assert!(failed[0].contains("no such text"), "{failed:?}");
    assert_eq!(failed.len(), 2);
}

fn is_of_hook(note: &Note) -> bool {
    matches!(note, Note::HookFailed(reason) if reason.starts_with("plugin fake: "))
}

/// The lines of the session's log with this text.
async fn logged(run: &Run, text: &str) -> Vec<String> {
    let mut lines = soon(run.handle.log()).await.unwrap().lines;
    lines.retain(|line| line.contains(text));
    lines
}

/// Command lines come first, then each message as it is on the wire, also after the end.
#[tokio::test]
async fn messages_of_the_adapter_are_listed_in_order() {
    let mut run = Stage::new(json!({"program": rounds(1)})).at(&[3]).launch().await;
    run.stop().await;
    run.go(Resume::Continue).await;
    let messages = soon(run.handle.messages()).await.unwrap();
    assert_eq!(messages.first, 0);
    let lines: Vec<_> = messages.lines.iter().map(|line| &line[12..]).collect();
    assert_in_order(&lines, &["start adapter: ", "→ initialize {", "← initialize {"]);
    // The adapter may report `initialized` before the host has written `launch`.
    let launch = ["← initialize {", "→ launch {", "← launch", "← event stopped {"];
    assert_in_order(&lines, &launch);
    let configuration = [
        "← initialize {",
        "← event initialized",
        "→ setBreakpoints {",
        "→ configurationDone",
        "← event stopped {",
        "→ stackTrace {",
        "→ continue {\"threadId\":",
        "← event exited {\"exitCode\":0}",
        "→ disconnect",
    ];
    assert_in_order(&lines, &configuration);
}

fn assert_in_order(lines: &[&str], expected: &[&str]) {
    let mut rest = lines.iter();
    for expected in expected {
        assert!(rest.any(|line| line.starts_with(expected)), "{expected} in {lines:#?}");
    }
}
