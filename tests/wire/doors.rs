//! The same calls by an agent and at a terminal: the same answers, byte for byte, but for the calls
//! in them, which are commands at a terminal.

use serde_json::{Value, json};

use super::command_line::Shell;
use crate::caller::{Caller, Start};

/// Calls in their order, each with its command, on a program that stops at its lines 3, 5 and 7.
fn calls(script: &Value) -> Vec<(&'static str, Value, Vec<String>)> {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
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

/// The answer without calls and times (`31 ms`, `0.4 s`).
fn comparable(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with("next: ")) {
        let line = line.split(" Try: ").next().unwrap_or_default();
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
    let mut text = text.replace('`', "");
    for tool in dapdock::mcp::declared() {
        if let Some(verb) = tool.verb {
            text = text.replace(tool.name, &format!("dapdock {}", verb.name));
        }
    }
    text
}

#[tokio::test]
async fn answers_at_a_terminal_are_those_of_an_agent() {
    let shell = Shell::new();
    let (cwd, config) = (shell.dir.path().to_owned(), shell.config.clone());
    let mut agent = Caller::start(Start { cwd, config, ..Start::usual() }).await;
    let place = |line: u32| json!({"line": line, "locals": {"total": line}});
    let script = json!({"program": [place(3), place(5), place(7)], "source": shell.source()});
    for (tool, arguments, words) in calls(&script) {
        let answer = agent.call(tool, arguments).await;
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let ran = shell.run(&words).await;
        let text = if answer.is_error { &ran.err } else { &ran.out };
        assert_eq!(ran.code != 0, answer.is_error, "{words:?}\n{}\n{ran:?}", answer.text);
        assert_eq!(as_commands(&comparable(text)), as_commands(&comparable(&answer.text)));
        // Calls are commands, in an error and in its cause too.
        assert!(!text.contains("debug_"), "{words:?}: {text}");
    }
    let called: Vec<_> = calls(&script).iter().map(|(tool, ..)| *tool).collect();
    let list = agent.send("tools/list", json!({})).await;
    for tool in agent.reply(list).await["result"]["tools"].as_array().unwrap() {
        assert!(called.contains(&tool["name"].as_str().unwrap()), "{tool}");
    }
    shell.end().await;
}
