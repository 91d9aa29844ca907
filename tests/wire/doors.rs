//! The same calls by stdio, by HTTP and at a terminal: the same answers, byte for byte, but for
//! times and, at a terminal, for the calls in them, which are commands there.

use serde_json::{Value, json};

use super::command_line::Shell;
use crate::caller::http::{Client, Served};
use crate::caller::{Caller, Start};

/// A call of a tool, and the words of its command.
type Call = (&'static str, Value, Vec<String>);

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// Calls in their order, on a program that stops at its lines 3, 5 and 7.
fn calls(script: &Value) -> Vec<Call> {
    let launch = [
        words("launch -b shop.fake:3"),
        vec!["--options".to_owned(), format!("script={script}"), "shop.fake".to_owned()],
    ];
    vec![
        ("debug_status", json!({}), words("status")),
        ("debug_targets", json!({}), words("targets")),
        ("debug_stack", json!({}), words("stack")),
        (
            "debug_launch",
            json!({
                "program": "shop.fake", "breakpoints": ["shop.fake:3"],
                "options": {"script": script},
            }),
            launch.concat(),
        ),
        ("debug_stack", json!({}), words("bt")),
        ("debug_variables", json!({"path": "total"}), words("vars total")),
        ("debug_variables", json!({"path": "nothing"}), words("vars nothing")),
        ("debug_evaluate", json!({"expressions": ["total"]}), words("p total")),
        ("debug_set", json!({"target": "total", "value": "9"}), words("set total = 9")),
        (
            "debug_breakpoints",
            json!({"set": ["shop.fake:5", "lost.fake:2"]}),
            words("b shop.fake:5 lost.fake:2"),
        ),
        ("debug_breakpoints", json!({"remove": [99]}), words("break --remove 99")),
        ("debug_exception", json!({}), words("exception")),
        ("debug_continue", json!({}), words("c")),
        ("debug_step", json!({"count": 1}), words("n 1")),
        ("debug_wait", json!({"timeout_s": 0}), words("wait --timeout-s 0")),
        ("debug_output", json!({}), words("output")),
        ("debug_status", json!({"detail": "capabilities"}), words("status capabilities")),
        ("debug_attach", json!({"address": "nowhere"}), words("attach nowhere")),
        ("debug_continue", json!({"until": "here"}), words("continue here")),
        ("debug_restart", json!({}), words("restart")),
        ("debug_pause", json!({}), words("pause")),
        ("debug_stop", json!({}), words("stop")),
        ("debug_step", json!({"session": "fake-1"}), words("step -S fake-1")),
        ("debug_restart", json!({"session": "fake-9"}), words("restart -S fake-9")),
    ]
}

/// The answer without times (`31 ms`, `0.4 s`).
fn timeless(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut words: Vec<_> = line.split(' ').collect();
        for at in 1..words.len() {
            if matches!(words[at], "ms" | "s") && words[at - 1].parse::<f64>().is_ok() {
                words.splice(at - 1..=at, ["TIME", ""]);
            }
        }
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

/// The names of tools as their commands, which have quotes where words follow.
fn as_commands(text: &str) -> String {
    let mut text = text.replace('`', "").replace("debug_output since=", "debug_output --since ");
    for tool in dapdock::mcp::declared() {
        if let Some(verb) = tool.verb {
            text = text.replace(tool.name, &format!("dapdock {}", verb.name));
        }
    }
    text
}

/// The same without calls.
fn callless(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("next: ")) {
        lines.push(line.split(" Try: ").next().unwrap_or_default());
    }
    timeless(&lines.join("\n"))
}

/// One caller at each door, all with the same configuration.
struct Doors {
    shell: Shell,
    agent: Caller,
    _served: Served,
    client: Client,
}

impl Doors {
    async fn open() -> Self {
        let shell = Shell::new();
        let (cwd, config) = (shell.dir.path().to_owned(), shell.config.clone());
        let served = Served::configured(&cwd, &config, &[]).await;
        let agent = Caller::start(Start { cwd, config, ..Start::usual() }).await;
        let client = served.client().await;
        Self { shell, agent, _served: served, client }
    }

    /// Makes a call at each door; the answer of stdio.
    async fn check(&mut self, (tool, arguments, words): Call) -> String {
        let answer = self.agent.call(tool, arguments.clone()).await;
        let by_http = self.client.call(tool, arguments).await;
        assert_eq!(timeless(&by_http), timeless(&answer.text), "{words:?}");
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let ran = self.shell.run(&words).await;
        let text = if answer.is_error { &ran.err } else { &ran.out };
        let has_failed = answer.text.starts_with("□ the session failed");
        let fits = ran.code != 0 || !answer.is_error;
        assert!(fits && (ran.code == 0 || answer.is_error || has_failed), "{words:?} {ran:?}");
        let (typed, called) = (as_commands(&callless(text)), as_commands(&callless(&answer.text)));
        assert_eq!(typed, called, "{words:?}");
        // Calls are commands, in an error and in its cause too.
        assert!(!text.contains("debug_"), "{words:?}: {text}");
        answer.text
    }
}

#[tokio::test]
async fn answers_of_every_tool_are_those_of_all_doors() {
    let mut doors = Doors::open().await;
    let place = |line: u32| json!({"line": line, "locals": {"total": line}});
    let source = doors.shell.source();
    let script = json!({"program": [place(3), place(5), place(7)], "source": source});
    for call in calls(&script) {
        doors.check(call).await;
    }
    let called: Vec<_> = calls(&script).iter().map(|(tool, ..)| *tool).collect();
    let list = doors.agent.send("tools/list", json!({})).await;
    for tool in doors.agent.reply(list).await["result"]["tools"].as_array().unwrap() {
        assert!(called.contains(&tool["name"].as_str().unwrap()), "{tool}");
    }
    doors.shell.end().await;
}

/// A launch with a script, to a stop at its line 3 if it comes there.
fn start(script: &Value) -> Call {
    let arguments = json!({
        "program": "shop.fake", "breakpoints": ["shop.fake:3"], "timeout_s": 5,
        "options": {"script": script},
    });
    let mut line = words("launch -b shop.fake:3 --timeout-s 5 --options");
    line.extend([format!("script={script}"), "shop.fake".to_owned()]);
    ("debug_launch", arguments, line)
}

/// Each end of a session, and what is answered about it afterwards.
#[tokio::test]
async fn answers_of_every_ending_are_those_of_all_doors() {
    let mut doors = Doors::open().await;
    let step = || ("debug_step", json!({}), words("n"));
    let resume = || ("debug_continue", json!({}), words("c"));
    let stop = || ("debug_stop", json!({}), words("stop"));
    let detach = || ("debug_stop", json!({"mode": "detach"}), words("stop --mode detach"));
    let killed = || ("debug_stop", json!({"mode": "terminate"}), words("stop --mode terminate"));
    let all = || ("debug_stop", json!({"all": true}), words("stop --all"));
    let run = || ("debug_continue", json!({"wait": false}), words("c --wait=false"));
    let two = json!([{"line": 3}, {"line": 5, "output": [["stdout", "last words\n"]]}]);
    let hangs = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let fault = |on: &str, kind: &str, value: Value| json!([{"on": on, kind: value}]);
    let rows: Vec<(&str, Value, Vec<Call>)> = vec![
        ("□ exited with code 0", json!({"program": two}), vec![resume()]),
        ("□ exited with code 3", json!({"program": two, "exit_code": 3}), vec![resume()]),
        ("□ ended", json!({"program": two, "exit_code": null}), vec![resume()]),
        ("□ ended; no process is left", json!({"program": two}), vec![stop()]),
        ("□ ended; no process is left", json!({"program": hangs}), vec![run(), stop()]),
        ("□ ended; no process is left", json!({"program": hangs}), vec![run(), killed()]),
        ("□ detached; the process keeps running", json!({"program": two}), vec![detach()]),
        ("□ ended; no process is left", json!({"program": two}), vec![all()]),
        (
            "□ the session failed",
            json!({"program": two, "faults": fault("next", "die", json!(null)),
                "last_words": "out of memory\n"}),
            vec![step()],
        ),
        ("", json!({"faults": fault("initialize", "die", json!(null))}), vec![]),
        ("", json!({"faults": fault("initialize", "refuse", json!("out of order"))}), vec![]),
        ("", json!({"faults": fault("launch", "refuse", json!("no such program"))}), vec![]),
    ];
    for (expected, mut script, calls) in rows {
        script["source"] = json!(doors.shell.source());
        let mut last = doors.check(start(&script)).await;
        for call in calls {
            last = doors.check(call).await;
        }
        assert!(last.starts_with(expected), "{script}: {last}");
        for (tool, line) in
            [("debug_step", "n"), ("debug_output", "output"), ("debug_stop", "stop")]
        {
            doors.check((tool, json!({}), words(line))).await;
        }
    }
    doors.shell.end().await;
}
