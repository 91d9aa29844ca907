//! `dapdock watch`: what it prints, what it misses, and how it draws on a terminal.

use std::process::Stdio;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};

use super::{Joined, TERMINAL, four};
use crate::caller::PATIENCE;
use crate::real::Language;

#[tokio::test]
async fn watch_prints_all_that_happens_until_the_end() {
    let program = json!([
        {"line": 3},
        {"line": 5, "output": [["stdout", "one\n"], ["stderr", "two\n"], ["stdout", "thr"]]},
        {"line": 7, "output": [["stdout", "ee\n"]]},
        {"line": 9, "output": [["stdout", "no end"]]},
    ]);
    let mut joined = Joined::start(program, &[]).await;
    let mut watch = joined.watch(&["fake-1"]).await;
    let begin = watch.until("next: ").await;
    assert!(begin[0].starts_with("■ stopped breakpoint #1 · stop 1 · fake-1"), "{begin:#?}");
    assert_eq!(begin.last().unwrap(), "next: dapdock vars · dapdock step · dapdock continue");
    joined.agent.call("debug_breakpoints", json!({"set": ["shop.fake:7 log at seven"]})).await;
    joined.agent.call("debug_step", json!({})).await;
    let step = watch.until("the agent gets of debug_step").await;
    let step: Vec<_> = step.iter().map(String::as_str).collect();
    assert_eq!(step[0], "the agent calls debug_breakpoints set=[\"shop.fake:7 log at seven\"]");
    assert!(step[1].starts_with("the agent gets of debug_breakpoints: 2 breakpoints"), "{step:?}");
    assert_eq!(
        step[2..6],
        ["the agent calls debug_step", "▶ running", "stdout| one", "stderr| two"]
    );
    assert!(step[6].starts_with("■ stopped after step · stop 2 · fake-1"), "{step:#?}");
    assert!(step.contains(&"→ 5  code 5"), "{step:#?}");
    joined.agent.call("debug_continue", json!({})).await;
    let (rest, code) = watch.rest().await;
    assert_eq!(code, 0);
    for line in ["stdout| three", "stdout| no end (line not ended)"] {
        assert_eq!(rest.iter().filter(|one| *one == line).count(), 1, "{line}: {rest:#?}");
    }
    assert!(rest.iter().any(|line| line.starts_with("log| ") && line.ends_with("at seven")));
    assert!(rest.iter().any(|line| line.starts_with("□ exited with code 0 · fake-1")), "{rest:#?}");
    assert_eq!(rest.last().unwrap(), "the session fake-1 is over: exited with code 0");
    // Once it has ended, a watch says so.
    let late = joined.run(&["watch", &format!("{}/fake-1", joined.agent.pid())]).await;
    assert!(late.starts_with("□ exited with code 0 · fake-1"), "{late}");
    assert!(late.ends_with("\nthe session fake-1 is over: exited with code 0"), "{late}");
}

/// A watch that is not read misses events and says how many; the program goes on meanwhile.
#[tokio::test]
async fn watch_that_is_not_read_counts_what_it_misses() {
    const LINES: usize = 60_000;
    let flood = json!({"faults": [{"on": "next", "flood": LINES}]});
    let mut joined = Joined::with(four(), flood, &[]).await;
    let mut watch = joined.watch(&[]).await;
    watch.until("next: ").await;
    // Nothing is read from here on.
    let step = joined.agent.call("debug_step", json!({"timeout_s": 50})).await;
    assert!(step.text.starts_with("■ stopped after step"), "{}", step.text);
    joined.agent.call("debug_stop", json!({})).await;
    let (rest, code) = watch.rest().await;
    assert_eq!(code, 0);
    let printed = rest.iter().filter(|line| line.starts_with("stdout| flood ")).count();
    let of_line = |line: &String| {
        let (count, words) = line.split_once(' ')?;
        let is_gap = ["event was left out", "events were left out"].contains(&words);
        is_gap.then(|| count.parse::<usize>().unwrap())
    };
    let missed: usize = rest.iter().filter_map(of_line).sum();
    assert!(missed > 0 && printed > 0, "{printed} printed, {missed} missed");
    // Calls and states are events too.
    assert!(printed + missed >= LINES, "{printed} printed, {missed} missed");
    assert_eq!(rest.last().unwrap(), "the session fake-1 is over: ended; no process is left");
}

/// The terminal is afterwards as it was, with the last line on it.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the command is what is tested")]
async fn watch_draws_on_a_terminal_and_restores_it() {
    let Some(python) = Language::Python.tool_path() else { return };
    let mut joined = Joined::start(four(), &[]).await;
    let watch = joined.shell.command(joined.shell.dir.path(), &["watch"]);
    let mut command = tokio::process::Command::new(python);
    command.args(["-c", TERMINAL]).arg(watch.as_std().get_program());
    command.args(watch.as_std().get_args()).current_dir(joined.shell.dir.path());
    command.envs(watch.as_std().get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("TERM", "xterm").stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut drawn = Vec::new();
    let mut has_stopped = false;
    while let Some(line) = tokio::time::timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap()
    {
        if line.contains("code 3") && !has_stopped {
            has_stopped = true;
            joined.agent.call("debug_stop", json!({})).await;
        }
        drawn.push(line);
    }
    let exit = tokio::time::timeout(PATIENCE, child.wait()).await.expect("it ends").unwrap();
    assert_eq!(exit.code(), Some(0), "{drawn:#?}");
    let (open, close) =
        ("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l", "\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l");
    assert!(drawn[0].starts_with(open), "{drawn:#?}");
    let (screen, last) = drawn.last().unwrap().split_once(close).expect("it is restored");
    assert!(!screen.contains("over"), "{screen}");
    assert_eq!(last.trim_end(), "the session fake-1 is over: ended; no process is left");
}
