//! What a JavaScript program writes.

use serde_json::json;

use crate::real::stage::{Stage, workspace_with};

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
