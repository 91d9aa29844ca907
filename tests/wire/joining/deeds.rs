//! What a person did with a session, as the agent reads it once, in front of an answer.

use serde_json::{Value, json};

use super::{Joined, four, lines, without_times};
use crate::caller::{Caller, Start, root};
use crate::real::Language;
use crate::wire::command_line::Shell;

#[tokio::test]
async fn next_answer_begins_with_what_the_person_did() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.run(&["take"]).await;
    let mut watch = joined.watch(&[]).await;
    watch.until("next: ").await;
    let wait = joined.agent.begin("debug_wait", json!({"timeout_s": 50})).await;
    watch.until("the agent calls debug_wait timeout_s=50").await;
    joined.run(&["n", "2"]).await;
    joined.run(&["vars"]).await;
    joined.run(&["b", "shop.fake:9"]).await;
    let given = joined.run(&["give"]).await;
    let expected = "fake-1 is given back: the next answer to its agent begins with what you did";
    assert_eq!(given, expected);
    let answer = joined.agent.answer(wait).await;
    assert!(!answer.is_error);
    assert_eq!(
        lines(&answer, 7),
        [
            "a person had fake-1 and gave it back; 2 calls:",
            "- debug_step kind=over count=2: ■ stopped after step · stop 3 · fake-1 · main",
            "- debug_breakpoints set=[\"shop.fake:9\"]: 2 breakpoints",
            "now: stopped in main  shop.fake:7",
            "",
            "■ stopped after step · stop 3 · fake-1 · main",
            "#0 main  shop.fake:7",
        ]
    );
    // Once.
    let next = joined.agent.call("debug_step", json!({})).await;
    assert!(next.text.starts_with("■ stopped "), "{}", next.text);
    assert_eq!(joined.run(&["give"]).await, "fake-1 was not taken");
}

/// A person who moves or changes an agent's session without taking it.
#[tokio::test]
async fn commands_without_a_claim_are_reported_to_the_agent() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.run(&["n"]).await;
    joined.run(&["vars"]).await;
    let answer = joined.agent.call("debug_stack", json!({})).await;
    assert_eq!(
        lines(&answer, 4),
        [
            "a person used fake-1; 1 call:",
            "- debug_step kind=over: ■ stopped after step · stop 2 · fake-1 · main",
            "now: stopped in main  shop.fake:5",
            "",
        ]
    );
    joined.run(&["restart"]).await;
    let answer = joined.agent.call("debug_status", json!({})).await;
    assert!(answer.text.starts_with("a person used fake-2; 1 call:\n"), "{}", answer.text);
    joined.run(&["stop"]).await;
    let answer = joined.agent.call("debug_step", json!({})).await;
    assert!(
        answer.text.starts_with("a person used fake-2; 1 call:\n- debug_stop"),
        "{}",
        answer.text
    );
}

/// Both sessions have the name `fake-1`: a command means the person's own, and `take` the agent's.
/// A command that names a session proposes calls that name it, too.
#[tokio::test]
async fn commands_without_a_name_are_about_the_persons_own_session() {
    let mut joined = Joined::start(four(), &[]).await;
    let own = joined.shell.launch(&[11, 12, 13]).await;
    assert_eq!(own.code, 0, "{own:?}");
    assert!(joined.run(&["n"]).await.contains("#0 main  shop.fake:12\n"));
    let name = format!("{}/fake-1", joined.agent.pid());
    let taken = joined.run(&["take"]).await;
    assert!(taken.contains("#0 main  shop.fake:3\n"), "{taken}");
    joined.run(&["give"]).await;
    let taken = joined.run(&["take", &name]).await;
    assert!(taken.contains(&format!("`dapdock give {name}`")), "{taken}");
    let stepped = joined.run(&["n", "-S", &name]).await;
    assert!(stepped.contains(&format!("dapdock step --session {name}")), "{stepped}");
    let lost = joined.shell.run(&["vars", "-S", &name, "nothing"]).await;
    assert!(lost.err.contains(&format!("dapdock vars --session {name}")), "{lost:?}");
    joined.run(&["give", "--session", &name]).await;
    let answer = joined.agent.call("debug_status", json!({})).await;
    assert!(answer.text.starts_with("a person had fake-1 and gave it back; 1 call:\n"));
    joined.run(&["host", "stop"]).await;
}

/// Whichever tool it is: also one that is about no session, or about another one.
#[tokio::test]
async fn every_next_answer_begins_with_what_the_person_did() {
    let mut joined = Joined::start(four(), &[]).await;
    let script = json!({"script": {"program": [{"line": 3, "hangs": true}]}});
    let other = json!({"program": "shop.fake", "timeout_s": 0, "options": script});
    for (tool, arguments) in [
        ("debug_status", json!({})),
        ("debug_status", json!({"detail": "adapters"})),
        ("debug_targets", json!({})),
        ("debug_launch", other),
        ("debug_output", json!({"session": "fake-2"})),
        ("debug_stack", json!({"session": "fake-9"})),
    ] {
        joined.run(&["take", "fake-1"]).await;
        joined.run(&["b", "-S", "fake-1", "shop.fake:9"]).await;
        joined.run(&["give", "fake-1"]).await;
        let answer = joined.agent.call(tool, arguments.clone()).await;
        let first = "a person had fake-1 and gave it back; 1 call:";
        assert_eq!(answer.text.lines().next(), Some(first), "{tool} {arguments}");
        let next = joined.agent.call("debug_status", json!({})).await;
        assert!(next.text.starts_with("fake-1 · stopped"), "{tool}: {}", next.text);
    }
}

/// A wait for a session that the person restarts ends with it; what the person did is read once,
/// when the session is given back.
#[tokio::test]
async fn wait_over_a_restart_reports_once() {
    let mut joined = Joined::start(four(), &[]).await;
    let mut watch = joined.watch(&[]).await;
    watch.until("next: ").await;
    joined.run(&["take"]).await;
    let wait = joined.agent.begin("debug_wait", json!({"timeout_s": 50})).await;
    watch.until("the agent calls debug_wait timeout_s=50").await;
    joined.run(&["n"]).await;
    joined.run(&["restart"]).await;
    let answer = joined.agent.answer(wait).await;
    assert!(answer.text.starts_with("□ "), "{}", answer.text);
    joined.run(&["give"]).await;
    let status = joined.agent.call("debug_status", json!({})).await;
    let first = lines(&status, 3);
    assert_eq!(first[0], "a person had fake-2 and gave it back; 2 calls:");
    assert!(first[1].starts_with("- debug_step "), "{first:?}");
    assert!(first[2].starts_with("- debug_restart: "), "{first:?}");
    for session in ["fake-1", "fake-2"] {
        let next = joined.agent.call("debug_output", json!({"session": session})).await;
        assert!(!next.text.contains("a person had"), "{}", next.text);
    }
}

#[tokio::test]
async fn results_as_data_have_what_the_person_did() {
    let mut joined = Joined::start(four(), &["--structured"]).await;
    let stack = joined.agent.call("debug_stack", json!({})).await;
    assert_eq!(stack.data["context"]["person"], json!(null));
    joined.run(&["take"]).await;
    let refused = joined.agent.call("debug_step", json!({})).await;
    assert_eq!(refused.data["error"]["code"], "session-taken", "{}", refused.data);
    joined.run(&["n"]).await;
    joined.run(&["give"]).await;
    let status = joined.agent.call("debug_stack", json!({})).await;
    let person = status.data["context"]["person"].as_str().unwrap();
    let start = "a person had fake-1 and gave it back; 1 call:\n- debug_step kind=over: ■ stopped";
    assert!(person.starts_with(start), "{person}");
    assert!(person.ends_with("\nnow: stopped in main  shop.fake:5"), "{person}");
}

/// Where answers are JSON, what the person did is a text of its own in front.
#[tokio::test]
async fn answers_in_json_have_a_text_in_front() {
    let mut joined = Joined::start(four(), &["--toolsets=default,compat:go"]).await;
    joined.run(&["take"]).await;
    let refused = joined.agent.call("step", json!({})).await;
    let refused: Value = serde_json::from_str(&refused.text).unwrap();
    assert_eq!(refused["error"]["code"], "session-taken", "{refused}");
    joined.run(&["n"]).await;
    joined.run(&["give"]).await;
    let next = joined.agent.send("tools/call", json!({"name": "step", "arguments": {}})).await;
    let reply = joined.agent.reply(next).await;
    let content = reply["result"]["content"].as_array().unwrap();
    let texts: Vec<_> = content.iter().map(|one| one["text"].as_str().unwrap()).collect();
    let [before, answer] = texts[..] else { panic!("{texts:#?}") };
    assert!(before.starts_with("a person had fake-1 and gave it back; 1 call:\n"), "{before}");
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer["status"], "success", "{answer}");
}

/// The example of the README, with a real debugger.
#[tokio::test]
async fn person_corrects_a_value_of_a_real_program() {
    if !Language::Python.is_here() {
        return;
    }
    let shell = Shell::new();
    let env = vec![("XDG_RUNTIME_DIR", shell.runtime().display().to_string())];
    let mut agent = Caller::start(Start { env, ..Start::usual() }).await;
    let file = "examples/python/checkout.py";
    let line = crate::real::marked(&root().join(file), "discount");
    let place = format!("{file}:{line} if total > item.price * item.quantity");
    let launch = json!({"program": file, "breakpoints": [place], "timeout_s": 50});
    let stop = agent.call("debug_launch", launch).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
    for words in [&["take"][..], &["n"], &["set", "total", "11580"], &["give"]] {
        let ran = shell.run(words).await;
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
    }
    let answer = agent.call("debug_variables", json!({"path": "total"})).await;
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let begin = readme.find("a person had debugpy-1").expect("the README has an example");
    assert_eq!(lines(&answer, 4), without_times(&readme[begin..], 4));
    assert_eq!(answer.text.lines().nth(6), Some("11580"), "{}", answer.text);
    agent.call("debug_stop", json!({})).await;
}
