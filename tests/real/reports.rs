//! What a run of a Python program reports: every hit of a log breakpoint, its output in the order
//! in which it was written, breakpoints in children behind a shell.

use serde_json::json;

use crate::real::Stage;

const ROUNDS: &str = "import os
import sys


def work(rounds):
    total = 0
    for n in range(rounds):
        total += n
    return total


print(work(10000), flush=True)
if sys.argv[1:] == ['now']:
    os._exit(3)
";

/// Also of the last moment before an end without any cleaning up.
pub async fn every_hit_of_a_log_breakpoint_is_counted(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("rounds.py"), ROUNDS).unwrap();
    stage.start_in(dir.path()).await;
    for (log, counted, last) in [
        ("n={n} total={total}", " · 10000 hits", ": n=9999 total=49985001"),
        ("n={n}", " · 10000 hits", ": n=9999"),
    ] {
        let log = json!({"at": "rounds.py:8", "log": log});
        let launch = json!({
            "program": "rounds.py", "breakpoints": [log, "rounds.py:13"], "timeout_s": 50,
        });
        stage.call("debug_launch", launch).await.good();
        stage.call("debug_breakpoints", json!({})).await.good().says(counted);
        let text = stage.call("debug_output", json!({"stream": "log", "tail": 1})).await.good();
        text.says(last);
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.resume().await.good().line("□ exited with code 0");
    }
    let log = json!({"at": "rounds.py:8", "log": "n={n}"});
    let launch = json!({
        "program": "rounds.py", "args": ["now"], "breakpoints": [log], "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good().line("□ exited with code 3");
    let text = stage.call("debug_output", json!({"stream": "log", "tail": 1})).await.good();
    text.says(".10000 MainThread: n=9999");
}

pub async fn every_nth_message_is_logged(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("rounds.py"), ROUNDS.replace("10000", "10")).unwrap();
    stage.start_in(dir.path()).await;
    let log = json!({"at": "rounds.py:8", "log": "n={n}", "every": 3});
    let launch = json!({"program": "rounds.py", "breakpoints": [log], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "log"})).await.good();
    let texts: Vec<_> = output.text.lines().filter(|line| line.starts_with("log| #1.")).collect();
    assert_eq!(
        texts,
        ["log| #1.3 MainThread: n=2", "log| #1.6 MainThread: n=5", "log| #1.9 MainThread: n=8"]
    );
    let empty = json!({"set": [{"at": "rounds.py:8", "log": " "}]});
    let refused = stage.call("debug_breakpoints", empty).await;
    assert!(refused.is_error, "{}", refused.text);
    refused.says(
        "`log` is empty; it needs a text, with expressions in braces: `x is {x}`. Try: \
         debug_breakpoints {\"set\": [{\"at\": \"rounds.py:8\", \"log\": \"reached\"}]}",
    );
}

const ALTERNATING: &str = "import os
import sys

for n in range(1000):
    print(f'out {n}')
    print(f'err {n}', file=sys.stderr)
if sys.argv[1:] == ['now']:
    os._exit(3)
";

/// Every line of both streams, also at an exit without any cleaning up.
pub async fn alternating_streams_keep_their_order(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("both.py"), ALTERNATING).unwrap();
    stage.start_in(dir.path()).await;
    for (args, code) in [(json!([]), 0), (json!(["now"]), 3)] {
        let launch = json!({"program": "both.py", "args": args, "timeout_s": 50});
        let end = stage.call("debug_launch", launch).await.good();
        end.line(&format!("□ exited with code {code}"));
        for ten in 0..100 {
            let tens = if ten == 0 { String::new() } else { ten.to_string() };
            let lines = json!({"since": 0, "grep": format!("^(out|err) {tens}[0-9]$")});
            let found = stage.call("debug_output", lines).await.good();
            let pair = |number: u32| format!("out {number}\nstderr| err {number}\n");
            let want: Vec<String> = (ten * 10..ten * 10 + 10).map(pair).collect();
            found.says(&want.concat());
        }
        let last = stage.call("debug_output", json!({"tail": 2})).await.good();
        last.says("out 999\nstderr| err 999\n");
    }
}

const SHELLS: [(&str, &str); 5] = [
    ("run", "subprocess.run(['bash', 'run.sh'])"),
    ("shell", "subprocess.run('python3 leaf.py x', shell=True)"),
    ("system", "os.system('python3 leaf.py x')"),
    ("env", "subprocess.run(['env', 'A=1', 'python3', 'leaf.py', 'x'])"),
    ("clear", "subprocess.run(['env', '-i', sys.executable, 'leaf.py', 'x'])"),
];

/// The children see the environment as it would be without a debugger.
pub async fn children_behind_a_shell_are_followed(stage: &mut Stage) {
    let leaf = "import os\nimport sys\n\nword = 'hi ' + sys.argv[1]\n\
        print(word, os.environ.get('PYTHONPATH'), 'DAPDOCK_CHILD' in os.environ, flush=True)\n";
    for (name, call) in SHELLS {
        let dir = tempfile::tempdir().unwrap();
        let top = format!("import os, subprocess, sys\n{call}\nprint('done')\n");
        for (file, text) in [("leaf.py", leaf), ("run.sh", "python3 leaf.py x\n"), ("top.py", &top)]
        {
            std::fs::write(dir.path().join(file), text).unwrap();
        }
        stage.start_in(dir.path()).await;
        let launch = json!({"program": "top.py", "breakpoints": ["leaf.py:5"], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place(), "<module>  leaf.py:5", "{name}: {}", stop.text);
        assert_eq!(stop.local("word"), "'hi x'", "{name}: {}", stop.text);
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        stage.printed("hi x None False").await;
    }
}
