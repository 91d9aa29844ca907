//! What a JavaScript program writes.

use serde_json::json;

use crate::real::stage::{Stage, marked, workspace_with};

const STREAMS: &str = "for (let n = 0; n < 1000; n += 1) {
  process.stdout.write(`out ${n}\\n`);
  console.error('err', n);
}
process.on('exit', () => {
  console.log('exit 1');
  console.error('exit 2');
  console.log('exit 3');
});
if (process.argv[2] === 'now') process.exit(3);
";

const PENDING: &str = "process.stdout.write(`${'x'.repeat(1 << 20)}\\n`);
const n = 1;
console.log('end', n);
";

/// What is written to both streams comes in the order of the writes, also at the exit.
pub async fn javascript_streams_keep_their_order(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[("both.js", STREAMS)]).await;
    stage.start_in(dir.path()).await;
    for (args, code) in [(json!([]), 0), (json!(["now"]), 3)] {
        let launch = json!({"program": "both.js", "args": args, "timeout_s": 50});
        let end = stage.call("debug_launch", launch).await.good();
        end.line(&format!("□ exited with code {code}"));
        for ten in 1..100 {
            let lines = json!({"since": 0, "grep": format!("^(out|err) {ten}[0-9]$")});
            let found = stage.call("debug_output", lines).await.good();
            let pair = |number: u32| format!("out {number}\nstderr| err {number}\n");
            let want: Vec<String> = (ten * 10..ten * 10 + 10).map(pair).collect();
            found.says(&want.concat());
        }
        let last = stage.call("debug_output", json!({"tail": 4})).await.good();
        last.says("\nstderr| err 999\nexit 1\nstderr| exit 2\nexit 3\n");
    }
}

const LOGGED: &str = "for (let n = 0; n < 1000; n += 1) {
  console.log('a', n);
  let x = n; // [stop: log]
  console.error('b', x);
}
process.on('exit', () => {
  console.log('last');
  let y = [1]; // [stop: end]
});
if (process.argv[2] === 'now') process.exit(3);
";

/// Messages of log breakpoints come where the program reached them, also at the exit, in modules
/// of both kinds.
pub async fn javascript_logs_keep_their_order(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[("logged.js", LOGGED), ("logged.mjs", LOGGED)]).await;
    stage.start_in(dir.path()).await;
    for (file, args, code) in [
        ("logged.js", json!([]), 0),
        ("logged.js", json!(["now"]), 3),
        ("logged.mjs", json!([]), 0),
    ] {
        let at = |name: &str| format!("{file}:{}", marked(&dir.path().join(file), name));
        let set = json!([{"at": at("log"), "log": "n={n}"}, {"at": at("end"), "log": "end={[1]}"}]);
        let launch = json!({"program": file, "args": args, "breakpoints": set, "timeout_s": 50});
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        let end = stage.call("debug_launch", launch).await.good();
        end.line(&format!("□ exited with code {code}"));
        let all = stage.call("debug_output", json!({"since": 0, "grep": " 99[0-9]$|n=99[0-9]$"}));
        let lines: Vec<String> = all.await.good().text.lines().map(message).collect();
        let want: Vec<String> = (990..1000)
            .flat_map(|n| [format!("a {n}"), format!("n={n}"), format!("b {n}")])
            .collect();
        assert!(lines.windows(want.len()).any(|some| some == want), "{lines:?}");
        let last = stage.call("debug_output", json!({"tail": 3})).await.good();
        let lines: Vec<String> = last.text.lines().map(message).collect();
        let want = ["b 999", "last", "end=(1) [1]"];
        assert!(lines.windows(want.len()).any(|some| some == want), "{lines:?}");
    }
}

/// A line of the output without its stream, and that of a log breakpoint without its place.
fn message(line: &str) -> String {
    let line = line.strip_prefix("stderr| ").unwrap_or(line);
    match line.strip_prefix("log| ").and_then(|log| log.split_once(": ")) {
        Some((_, text)) => text.to_owned(),
        None => line.to_owned(),
    }
}

/// Node writes what the pipe has no room for when the program goes on.
pub async fn javascript_output_that_node_has_not_written_is_noted(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[("pending.js", PENDING)]).await;
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "pending.js", "breakpoints": ["pending.js:2"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    stop.line(
        "note: the debugger says: output is still coming: Node writes the rest when the program \
         goes on",
    );
    stage.resume().await.good().line("□ exited with code 0");
    let last = stage.call("debug_output", json!({"tail": 1})).await.good();
    last.says("\nend 1\n");
}
