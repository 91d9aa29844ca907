//! Several callers of one session: a person at a terminal takes it from an agent, gives it back,
//! and watches it.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout};

use super::command_line::Shell;
use crate::caller::{Answer, Caller, PATIENCE, Start, root};
use crate::real::Language;

/// An agent whose host the shell reaches, with a program that stops at its first line.
pub(super) struct Joined {
    pub shell: Shell,
    pub agent: Caller,
}

impl Joined {
    pub async fn start(program: Value, flags: &[&'static str]) -> Self {
        Self::with(program, json!({}), flags).await
    }

    /// `script`: the rest of it.
    pub async fn with(program: Value, script: Value, flags: &[&'static str]) -> Self {
        let options = json!({ "script": script });
        Self::on(Shell::new(), program, options, flags).await
    }

    /// `options`: of the launch, with the rest of the script.
    pub async fn on(
        shell: Shell,
        program: Value,
        mut options: Value,
        flags: &[&'static str],
    ) -> Self {
        let env = vec![("XDG_RUNTIME_DIR", shell.runtime().display().to_string())];
        let (cwd, config) = (shell.dir.path().to_owned(), shell.config.clone());
        let structured = flags.contains(&"--structured");
        let flags = flags.iter().copied().filter(|flag| *flag != "--structured").collect();
        let start = Start { cwd, config, env, flags, structured, ..Start::usual() };
        let mut agent = Caller::start(start).await;
        let place = format!("shop.fake:{}", program[0]["line"]);
        options["script"]["program"] = program;
        options["script"]["source"] = shell.source().to_str().into();
        let launch = json!({
            "program": "shop.fake", "breakpoints": [place], "timeout_s": 50, "options": options,
        });
        let stop = agent.call("debug_launch", launch).await;
        assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
        Self { shell, agent }
    }

    /// Runs a command that succeeds; returns what it printed.
    pub async fn run(&self, words: &[&str]) -> String {
        let ran = self.shell.run(words).await;
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}: {ran:?}");
        ran.out
    }

    /// Starts a watch; returns once it has printed where the session is.
    async fn watch(&self, words: &[&str]) -> Watch {
        Watch::start(&self.shell, &[&["watch"], words].concat())
    }
}

/// A `dapdock watch` or `dapdock mirror` under way.
pub(super) struct Watch {
    pub child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    /// Starts a command that prints lines as they come.
    pub fn start(shell: &Shell, words: &[&str]) -> Self {
        let mut command = shell.command(shell.dir.path(), words);
        let mut child = command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    pub async fn line(&mut self) -> Option<String> {
        tokio::time::timeout(PATIENCE, self.lines.next_line()).await.expect("a line").unwrap()
    }

    /// The lines up to the one that begins so.
    pub async fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.line().await {
            lines.push(line);
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
        panic!("no line begins with `{start}`: {lines:#?}");
    }

    /// The other lines, and the exit code.
    pub async fn rest(mut self) -> (Vec<String>, i32) {
        let mut lines = Vec::new();
        while let Some(line) = self.line().await {
            lines.push(line);
        }
        let exit = tokio::time::timeout(PATIENCE, self.child.wait()).await.expect("it ends");
        (lines, exit.unwrap().code().unwrap())
    }
}

/// Four lines, all of which a step stops at.
pub(super) fn four() -> Value {
    json!([{"line": 3}, {"line": 5}, {"line": 7}, {"line": 9}])
}

pub(super) const REFUSED: &str = "error[session-taken] a person has taken this session, fake-1; \
    calls that only read still work. Try: debug_wait (it returns when the person gives the session \
    back)";

/// The lines without times, which differ.
pub(super) fn lines(answer: &Answer, count: usize) -> Vec<String> {
    without_times(&answer.text, count)
}

fn without_times(text: &str, count: usize) -> Vec<String> {
    let without = |line: &str| match line.rsplit_once(" · ") {
        Some((rest, time)) if time.ends_with(" s") || time.ends_with(" ms") => rest.to_owned(),
        _ => line.to_owned(),
    };
    text.lines().take(count).map(without).collect()
}

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

/// A pseudo-terminal around a command.
pub(super) const TERMINAL: &str = "import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

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
