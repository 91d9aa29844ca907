//! Sessions that a person takes: what agents may still call, and what becomes of the claim when the
//! agent, the program or the session ends. What the agent then reads is in `deeds`.

use serde_json::json;

use super::{Joined, REFUSED, four, lines};
use crate::wire::command_line::Shell;

#[tokio::test]
async fn agent_reads_and_does_not_move_a_session_that_is_taken() {
    let mut joined = Joined::start(four(), &["--toolsets=default,raw"]).await;
    let taken = joined.run(&["take"]).await;
    let taken: Vec<_> = taken.lines().collect();
    let first = "fake-1 is taken: agents read it, and only commands move it until \
        `dapdock give fake-1`";
    assert_eq!(taken[0], first);
    assert!(taken[1].starts_with("■ stopped breakpoint #1 · stop 1 · fake-1"), "{taken:?}");
    for (tool, arguments) in [
        ("debug_step", json!({})),
        ("debug_continue", json!({})),
        ("debug_pause", json!({})),
        ("debug_set", json!({"target": "x", "value": "1"})),
        ("debug_breakpoints", json!({"set": ["shop.fake:9"]})),
        ("debug_breakpoints", json!({"clear": true})),
        ("debug_evaluate", json!({"expressions": ["x"], "effects": "allow"})),
        ("debug_evaluate", json!({"expressions": ["x"], "watch": true})),
        ("debug_evaluate", json!({"expressions": ["x"], "watch": false})),
        ("debug_evaluate", json!({"watch": false})),
        ("debug_restart", json!({})),
        ("debug_stop", json!({})),
        ("debug_stop", json!({"all": true})),
        ("dap_request", json!({"command": "threads"})),
    ] {
        let refused = joined.agent.call(tool, arguments.clone()).await;
        assert!(refused.is_error, "{tool} {arguments}: {}", refused.text);
        assert_eq!(refused.text, REFUSED, "{tool} {arguments}");
    }
    for (tool, arguments) in [
        ("debug_stack", json!({})),
        ("debug_variables", json!({})),
        ("debug_evaluate", json!({"expressions": ["x"]})),
        ("debug_breakpoints", json!({})),
        ("debug_output", json!({})),
    ] {
        let read = joined.agent.call(tool, arguments).await;
        assert!(!read.is_error, "{tool}: {}", read.text);
    }
    let status = joined.agent.call("debug_status", json!({})).await.text;
    assert!(status.contains("stopped breakpoint"), "{status}");
    assert!(status.lines().next().unwrap().contains("  shop.fake:3 · taken · "), "{status}");
    assert!(joined.run(&["sessions"]).await.contains(" · taken · "));
    // A wait that runs out says why.
    let wait = joined.agent.call("debug_wait", json!({"timeout_s": 0})).await;
    assert!(!wait.is_error && wait.text.starts_with("■ stopped breakpoint #1"), "{}", wait.text);
    let note = "note: a person has taken this session; debug_wait returns when it is given back";
    assert_eq!(wait.text.lines().last(), Some(note));
    // A launch is another session.
    let launch = json!({"program": "shop.fake", "options": {"script": {"program": []}}});
    assert!(!joined.agent.call("debug_launch", launch).await.is_error);
    // The person moves it.
    let step = joined.run(&["n", "--session", "fake-1"]).await;
    assert!(step.contains("\n#0 main  shop.fake:5\n"), "{step}");
    assert_eq!(
        joined.run(&["take", "fake-1"]).await.lines().next(),
        Some(
            "fake-1 is taken before: agents read it, and only commands move it until \
         `dapdock give fake-1`"
        )
    );
}

/// The move of an agent that is under way when a person takes the session returns as usual.
#[tokio::test]
async fn move_under_way_returns_with_a_note() {
    let program = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let mut joined = Joined::start(program, &[]).await;
    let mut watch = joined.watch(&[]).await;
    watch.until("next: ").await;
    let running = joined.agent.begin("debug_continue", json!({"timeout_s": 50})).await;
    watch.until("▶ running").await;
    joined.run(&["take"]).await;
    joined.run(&["pause"]).await;
    let answer = joined.agent.answer(running).await;
    assert!(!answer.is_error && answer.text.starts_with("■ stopped by pause"), "{}", answer.text);
    let note = "note: a person has taken this session; debug_wait returns when it is given back";
    assert_eq!(answer.text.lines().last(), Some(note));
}

/// The person keeps a session whose agent goes; it ends when it is given back, and the host with
/// it.
#[tokio::test]
async fn session_of_a_person_outlives_its_agent() {
    let mut joined = Joined::start(four(), &[]).await;
    let script = json!({"script": {"program": [{"line": 3, "hangs": true}]}});
    let launch = json!({"program": "shop.fake", "timeout_s": 0, "options": script});
    assert!(!joined.agent.call("debug_launch", launch).await.is_error);
    joined.run(&["take", "fake-1"]).await;
    let mut watch = joined.watch(&["fake-2"]).await;
    joined.agent.hang_up();
    // The session that nobody has ends at once.
    watch.until("the session fake-2 is over: ").await;
    let step = joined.run(&["n"]).await;
    assert!(step.contains("\n#0 main  shop.fake:5\n"), "{step}");
    let restart = joined.run(&["restart", "-S", "fake-1"]).await;
    assert!(restart.contains("■ stopped breakpoint #1 · stop 1 · fake-3"), "{restart}");
    assert!(joined.run(&["bt"]).await.contains("shop.fake:3"));
    let given = joined.run(&["give"]).await;
    assert_eq!(given, "fake-3 is given back and ends: its agent has gone");
    assert_eq!(joined.agent.wait_for_exit().await, Some(0));
}

/// So it ends when the program does.
#[tokio::test]
async fn host_without_an_agent_ends_with_its_last_session() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.run(&["take"]).await;
    joined.agent.hang_up();
    let stop = joined.run(&["stop"]).await;
    assert!(stop.starts_with("□ "), "{stop}");
    assert_eq!(joined.agent.wait_for_exit().await, Some(0));
}

/// A signal ends it, whoever has the session.
#[tokio::test]
async fn signal_ends_a_host_without_an_agent() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.run(&["take"]).await;
    joined.agent.hang_up();
    joined.run(&["n"]).await;
    joined.agent.signal(rustix::process::Signal::TERM);
    assert_eq!(joined.agent.wait_for_exit().await, Some(0));
}

/// The end of a session ends the claim, and the agent reads what the person did.
#[tokio::test]
async fn ended_session_forgets_the_claim() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.run(&["take"]).await;
    joined.run(&["stop"]).await;
    let answer = joined.agent.call("debug_output", json!({})).await;
    let first = lines(&answer, 3);
    assert_eq!(first[0], "a person had fake-1 until its end; 1 call:");
    assert!(first[1].starts_with("- debug_stop: □ "), "{first:?}");
    let sessions = joined.run(&["sessions"]).await;
    assert!(!sessions.contains("taken"), "{sessions}");
    let late = joined.shell.run(&["take", "fake-1"]).await;
    assert_eq!(late.code, 5, "{late:?}");
    assert!(late.err.starts_with("error[ended] session fake-1 has ended. Try: "), "{late:?}");
    assert!(!joined.agent.call("debug_restart", json!({})).await.is_error);
}

/// A restart by the person keeps the session theirs.
#[tokio::test]
async fn restart_takes_the_claim_along() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.run(&["take"]).await;
    let restart = joined.run(&["restart"]).await;
    assert!(restart.contains("■ stopped breakpoint #1 · stop 1 · fake-2"), "{restart}");
    let refused = joined.agent.call("debug_step", json!({})).await;
    assert_eq!(refused.text, REFUSED.replace("fake-1", "fake-2"));
    joined.run(&["give"]).await;
    let step = joined.agent.call("debug_step", json!({})).await;
    let first = lines(&step, 2);
    assert_eq!(first[0], "a person had fake-2 and gave it back; 1 call:");
    assert!(first[1].starts_with("- debug_restart: ■ stopped breakpoint #1"), "{first:?}");
    // Once: not for the session that was restarted as well.
    let old = joined.agent.call("debug_output", json!({"session": "fake-1"})).await;
    assert!(!old.text.contains("a person had"), "{}", old.text);
    assert_eq!(joined.run(&["give", "fake-1"]).await, "fake-1 was not taken");
}

/// The names of other servers are refused by the same rule.
#[tokio::test]
async fn names_of_families_are_refused_too() {
    let mut joined = Joined::start(four(), &["--toolsets=default,compat:rust"]).await;
    joined.run(&["take"]).await;
    let refused = joined.agent.call("debug_step", json!({"kind": "over"})).await;
    assert_eq!(refused.text, REFUSED);
    let refused = joined.agent.call("debug_evaluate", json!({"expression": "x = 1"})).await;
    assert!(refused.is_error, "{}", refused.text);
}

#[tokio::test]
async fn session_that_does_not_exist_is_not_taken() {
    let shell = Shell::new();
    for command in ["take", "give", "watch", "mirror"] {
        let unknown = shell.run(&[command, "fake-9"]).await;
        assert_eq!(unknown.code, 3, "{command}: {unknown:?}");
        let text = "error[unknown-session] there is no session `fake-9`. Try: dapdock status";
        assert!(unknown.err.ends_with(text), "{command}: {unknown:?}");
        let none = shell.run(&[command]).await;
        assert_eq!(none.code, 5, "{command}: {none:?}");
    }
    let json = shell.run(&["take", "fake-9", "--json"]).await.json();
    assert_eq!(json["error"]["code"], "unknown-session", "{json}");
    shell.end().await;
}

#[tokio::test]
async fn commands_that_join_are_described() {
    let shell = Shell::new();
    let described = shell.run(&["commands", "--json"]).await.json();
    let commands = described["commands"].as_array().unwrap();
    for name in ["take", "give", "watch", "mirror"] {
        assert!(commands.iter().any(|one| one["name"] == name), "{name}");
        assert!(shell.run(&["man", name]).await.out.contains(name));
    }
}
