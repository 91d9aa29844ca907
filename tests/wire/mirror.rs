//! `dapdock mirror`: an editor joins the session of an agent by DAP, over the shipped binary.

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::pin::pin;

use dapdock::dap::{Client, Error, FrameLimits, Inbound, Inbox, Limits, connect};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::command_line::Shell;
use super::joining::{Joined, REFUSED, Watch, four, lines};
use crate::caller::{Caller, PATIENCE, Start, root};
use crate::real::{Language, marked};

/// A `dapdock mirror` under way.
struct Mirror {
    watch: Watch,
    port: u16,
}

impl Mirror {
    async fn open(shell: &Shell, words: &[&str]) -> Self {
        let mut watch = Watch::start(shell, &[&["mirror"], words].concat());
        let place = watch.line().await.expect("the place");
        let (_, place) = place.split_once(" is mirrored at 127.0.0.1:").expect("a port");
        let port: u16 = place.split_once(':').unwrap().0.parse().unwrap();
        let snippet = watch.line().await.expect("a configuration");
        let snippet = snippet.strip_prefix("launch.json: ").expect("a configuration");
        let snippet: Value = serde_json::from_str(snippet).unwrap();
        assert_eq!(
            (&snippet["request"], &snippet["debugServer"]),
            (&json!("attach"), &json!(port))
        );
        Self { watch, port }
    }

    async fn says(&mut self, line: &str) {
        assert_eq!(self.watch.line().await.as_deref(), Some(line));
    }

    fn signal(&self, signal: Signal) {
        let pid = self.watch.child.id().unwrap().cast_signed();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }
}

/// An editor: a DAP client.
struct Editor {
    client: Client,
    inbox: Inbox,
    /// Not read yet, in order.
    events: VecDeque<(String, Value)>,
}

impl Editor {
    async fn connect(port: u16) -> Self {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.unwrap();
        let (read, write) = stream.into_split();
        let limits = Limits { frame: FrameLimits::default(), request: PATIENCE };
        let (client, inbox) = connect(read, write, limits);
        Self { client, inbox, events: VecDeque::new() }
    }

    /// An editor that has attached.
    async fn attached(port: u16) -> Self {
        let mut editor = Self::connect(port).await;
        let about = json!({"adapterID": "x", "clientName": "Ed"});
        let capabilities = editor.request("initialize", about).await.unwrap();
        assert_eq!(capabilities["supportsConfigurationDoneRequest"], true, "{capabilities}");
        editor.request("attach", json!({})).await.unwrap();
        assert_eq!(editor.event().await.0, "initialized");
        editor
    }

    /// An editor that has joined.
    async fn joined(port: u16) -> Self {
        let mut editor = Self::attached(port).await;
        editor.request("configurationDone", json!({})).await.unwrap();
        editor
    }

    /// The body of the response, or the message of a refusal.
    async fn request(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        let mut call = pin!(self.client.request_raw(command, arguments));
        loop {
            tokio::select! {
                biased;
                answer = &mut call => return match answer {
                    Ok(body) => Ok(body),
                    Err(Error::Refused { message, .. }) => Err(message),
                    Err(error) => Err(error.to_string()),
                },
                inbound = futures_util::StreamExt::next(&mut self.inbox) => {
                    if let Some(Inbound::Event(event)) = inbound {
                        self.events.push_back((event.event, event.body));
                    }
                }
            }
        }
    }

    /// Sends a request whose answer nobody reads.
    fn send(&self, command: &str, arguments: Value) {
        drop(self.client.request_raw(command, arguments));
    }

    /// The next event.
    async fn event(&mut self) -> (String, Value) {
        if let Some(event) = self.events.pop_front() {
            return event;
        }
        loop {
            let next = futures_util::StreamExt::next(&mut self.inbox);
            match tokio::time::timeout(PATIENCE, next).await.expect("an event") {
                Some(Inbound::Event(event)) => return (event.event, event.body),
                // To a request whose answer nobody reads.
                Some(Inbound::Response(_)) => {}
                other => panic!("no event but {other:?}"),
            }
        }
    }

    /// The next event, which has this name.
    #[track_caller]
    fn expect(&mut self, name: &str) -> impl Future<Output = Value> {
        let caller = std::panic::Location::caller();
        async move {
            let (found, body) = self.event().await;
            assert_eq!(found, name, "{body} ({caller})");
            body
        }
    }

    /// The connection ends, and nothing came before that.
    async fn closed(mut self) {
        let next = futures_util::StreamExt::next(&mut self.inbox);
        let end = tokio::time::timeout(PATIENCE, next).await.expect("an end");
        assert!(matches!(end, Some(Inbound::Closed(_))), "{end:?}");
    }

    /// Function and line of the innermost frames of a thread.
    async fn frames(&mut self, thread: i64) -> Vec<Value> {
        let arguments = json!({"threadId": thread, "startFrame": 0, "levels": 20});
        let stack = self.request("stackTrace", arguments).await.unwrap();
        stack["stackFrames"].as_array().unwrap().clone()
    }

    async fn line(&mut self) -> i64 {
        self.frames(1).await[0]["line"].as_i64().unwrap()
    }
}

/// The row of a variable.
#[track_caller]
fn row<'a>(rows: &'a Value, name: &str) -> &'a Value {
    let all = rows["variables"].as_array().unwrap();
    all.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}: {rows}"))
}

fn locals() -> Value {
    json!([
        {"line": 3, "function": "pay", "callers": [["main", 9]],
            "locals": {"total": 12, "item": {"price": 5}, "list": [4, 6]}},
        {"line": 5, "locals": {"rate": 7}},
        {"line": 7},
    ])
}

#[tokio::test]
async fn editor_reads_the_stop_that_it_joins() {
    let joined = Joined::start(locals(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &["fake-1"]).await;
    let mut editor = Editor::joined(mirror.port).await;
    let stop = editor.expect("stopped").await;
    assert_eq!(stop["reason"], "breakpoint");
    assert_eq!(stop["hitBreakpointIds"], json!([1]));
    assert_eq!((&stop["threadId"], &stop["allThreadsStopped"]), (&json!(1), &json!(true)));
    let threads = editor.request("threads", json!({})).await.unwrap();
    assert_eq!(threads, json!({"threads": [{"id": 1, "name": "main"}]}));
    let frames = editor.frames(1).await;
    let places: Vec<_> =
        frames.iter().map(|one| (one["name"].clone(), one["line"].clone())).collect();
    assert_eq!(places, [(json!("pay"), json!(3)), (json!("main"), json!(9))]);
    assert_eq!(frames[0]["source"]["path"], joined.shell.source().to_str().unwrap());
    let scopes = editor.request("scopes", json!({"frameId": frames[0]["id"]})).await.unwrap();
    let reference = &scopes["scopes"][0]["variablesReference"];
    let rows = editor.request("variables", json!({"variablesReference": reference})).await.unwrap();
    assert_eq!(row(&rows, "total")["value"], "12");
    let inner = json!({"variablesReference": row(&rows, "item")["variablesReference"]});
    let inner = editor.request("variables", inner).await.unwrap();
    assert_eq!(row(&inner, "price")["value"], "5");
    for context in ["hover", "watch"] {
        let wanted = json!({"expression": "total", "frameId": frames[0]["id"], "context": context});
        assert_eq!(editor.request("evaluate", wanted).await.unwrap()["result"], "12");
    }
    // What has no name has a number: which of the children have one is not known.
    let wanted = json!({"expression": "list", "frameId": frames[0]["id"], "context": "hover"});
    let list = editor.request("evaluate", wanted).await.unwrap();
    assert_eq!((&list["namedVariables"], &list["indexedVariables"]), (&json!(null), &json!(null)));
    let rows = json!({"variablesReference": list["variablesReference"]});
    let rows = editor.request("variables", rows).await.unwrap();
    assert_eq!(
        (row(&rows, "0")["value"].as_str(), row(&rows, "1")["value"].as_str()),
        (Some("4"), Some("6"))
    );
    // Nothing of that took the session.
    assert!(!joined.run(&["sessions"]).await.contains("taken"));
}

/// The fake ignores `startFrame`: it answers from the top, with as many frames as there are.
#[tokio::test]
async fn pages_of_a_stack_continue_each_other() {
    let frame = |line: i64| json!(["caller", line]);
    let program =
        json!([{"line": 3, "function": "pay", "callers": [frame(5), frame(7), frame(9)]}]);
    let joined = Joined::start(program, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    let mut lines = Vec::new();
    // The pages of VS Code, one beyond the end, one to the end.
    for (start, levels) in [(0, 1), (1, 19), (3, 1), (4, 20), (2, 0)] {
        let page = json!({"threadId": 1, "startFrame": start, "levels": levels});
        let page = editor.request("stackTrace", page).await.unwrap();
        let frames = page["stackFrames"].as_array().unwrap();
        lines.push(frames.iter().map(|frame| frame["line"].as_i64().unwrap()).collect::<Vec<_>>());
        assert_eq!(page["totalFrames"], 4);
    }
    assert_eq!(lines, [vec![3], vec![5, 7, 9], vec![9], vec![], vec![7, 9]]);
}

#[tokio::test]
async fn editor_reads_sources_of_the_debugger_and_exceptions() {
    let faults = json!({"faults": [{"on": "source", "answer": {"content": "code"}}]});
    let program = json!([
        {"line": 3}, {"line": 5, "stop": "exception", "text": "no pen"}, {"line": 7, "hangs": true},
    ]);
    let mut joined = Joined::with(program, faults, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    let source = json!({"sourceReference": 7, "source": {"sourceReference": 7}});
    let text = editor.request("source", source.clone()).await.unwrap();
    assert_eq!(text, json!({"content": "code"}));
    let none = editor.request("exceptionInfo", json!({"threadId": 1})).await.unwrap_err();
    assert!(none.starts_with("error[no-exception] "), "{none}");
    joined.agent.call("debug_continue", json!({})).await;
    editor.expect("continued").await;
    let stop = editor.expect("stopped").await;
    assert_eq!((&stop["reason"], &stop["text"]), (&json!("exception"), &json!("no pen")));
    let raised = editor.request("exceptionInfo", json!({"threadId": 1})).await.unwrap();
    let mode = json!("always");
    assert_eq!((&raised["description"], &raised["breakMode"]), (&json!("no pen"), &mode));
    joined.agent.call("debug_continue", json!({"wait": false})).await;
    editor.expect("continued").await;
    let running = editor.request("source", source).await;
    assert_eq!(running, Err("error[not-stopped] the program is running".to_owned()));
}

/// The first move takes the session; the end of the connection gives it back.
#[tokio::test]
async fn step_of_the_editor_is_read_by_the_agent() {
    let mut joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    mirror.says("Ed has joined").await;
    editor.expect("stopped").await;
    editor.request("next", json!({"threadId": 1})).await.unwrap();
    let notice = editor.expect("output").await;
    assert!(notice["output"].as_str().unwrap().starts_with("dapdock: fake-1 is taken"), "{notice}");
    // No `continued`: the response says so. The stop comes behind it.
    assert!(editor.events.is_empty(), "{:?}", editor.events);
    assert_eq!(editor.expect("stopped").await["reason"], "step");
    assert_eq!(editor.line().await, 5);
    for tool in ["debug_step", "debug_continue", "debug_stop"] {
        assert_eq!(joined.agent.call(tool, json!({})).await.text, REFUSED, "{tool}");
    }
    assert!(!joined.agent.call("debug_stack", json!({})).await.is_error);
    editor.request("disconnect", json!({"terminateDebuggee": true})).await.unwrap();
    editor.closed().await;
    mirror.says("Ed has left").await;
    let answer = joined.agent.call("debug_step", json!({})).await;
    assert_eq!(
        lines(&answer, 7),
        [
            "a person had fake-1 and gave it back; 1 call:",
            "- next in an editor: ■ stopped after step · stop 2 · fake-1 · main",
            "now: stopped in main  shop.fake:7",
            "",
            "■ stopped after step · stop 3 · fake-1 · main",
            "#0 main  shop.fake:7",
            "  5  code 5",
        ]
    );
}

#[tokio::test]
async fn moves_of_the_agent_are_seen_by_the_editor() {
    let program = json!([
        {"line": 3},
        {"line": 5, "output": [["stdout", "five\n"], ["stderr", "err\n"]]},
        {"line": 7},
    ]);
    let mut joined = Joined::start(program, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    joined.agent.call("debug_step", json!({})).await;
    assert_eq!(editor.expect("continued").await["allThreadsContinued"], true);
    let line = |category: &str, text: &str| json!({"category": category, "output": text});
    assert_eq!(editor.expect("output").await, line("stdout", "five\n"));
    assert_eq!(editor.expect("output").await, line("stderr", "err\n"));
    assert_eq!(editor.expect("stopped").await["reason"], "step");
    assert_eq!(editor.line().await, 5);
    joined.agent.call("debug_continue", json!({})).await;
    editor.expect("continued").await;
    assert_eq!(editor.expect("exited").await["exitCode"], 0);
    editor.expect("terminated").await;
    editor.request("disconnect", json!({})).await.unwrap();
    editor.closed().await;
    let (rest, code) = mirror.watch.rest().await;
    assert_eq!(code, 0);
    assert_eq!(
        rest,
        ["Ed has joined", "Ed has left", "the mirror of fake-1 is closed; the session has ended"]
    );
}

/// Lines come once and in order; what an editor was too slow for is counted.
#[tokio::test]
async fn slow_editor_gets_the_number_of_the_events_that_it_misses() {
    const LINES: u64 = 8_000;
    let faults = json!({"faults": [{"on": "next", "pour": [LINES, 1_500]}]});
    let mut joined = Joined::with(four(), faults, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    joined.agent.call("debug_step", json!({})).await;
    editor.expect("continued").await;
    let (mut left_out, mut read) = (0, Vec::new());
    let stop = loop {
        let (event, body) = editor.event().await;
        if event != "output" {
            break (event, body);
        }
        let line = body["output"].as_str().unwrap();
        match line.strip_prefix("dapdock: ") {
            Some(notice) => {
                let digits: String = notice.chars().filter(char::is_ascii_digit).collect();
                left_out += digits.parse::<u64>().unwrap();
            }
            None => read.push(line.trim_end().parse::<u64>().unwrap()),
        }
    };
    assert_eq!((stop.0.as_str(), &stop.1["reason"]), ("stopped", &json!("step")));
    assert!(read.is_sorted_by(|one, next| one < next));
    // Besides lines, events about calls and the state may be left out.
    let missing = LINES - read.len() as u64;
    assert!(missing > 0 && (missing..missing + 10).contains(&left_out), "{missing} {left_out}");
}

/// An editor that joins a running program pauses it.
#[tokio::test]
async fn editor_pauses_the_program_of_the_agent() {
    let program = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let mut joined = Joined::start(program, &[]).await;
    let running = joined.agent.call("debug_continue", json!({"wait": false})).await;
    assert!(running.text.starts_with("▶ running"), "{}", running.text);
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    let next = editor.request("next", json!({"threadId": 1})).await;
    assert_eq!(next, Err("error[not-stopped] the program is running".to_owned()));
    let threads = editor.request("threads", json!({})).await.unwrap();
    let thread = &threads["threads"][0]["id"];
    editor.request("pause", json!({"threadId": thread})).await.unwrap();
    editor.expect("output").await;
    assert_eq!(editor.expect("stopped").await["reason"], "pause");
    let again = editor.request("pause", json!({"threadId": 1})).await;
    assert_eq!(again, Err("error[not-running] the program is already stopped".to_owned()));
}

/// Ids of a stop are refused once it is left, though the debugger may give them to others.
#[tokio::test]
async fn ids_of_an_earlier_stop_are_refused() {
    let mut joined = Joined::start(locals(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    let frame = editor.frames(1).await[0]["id"].clone();
    let scopes = editor.request("scopes", json!({"frameId": frame})).await.unwrap();
    let reference = json!({"variablesReference": scopes["scopes"][0]["variablesReference"]});
    joined.agent.call("debug_step", json!({})).await;
    editor.expect("continued").await;
    editor.expect("stopped").await;
    for (command, arguments) in [
        ("variables", reference),
        ("scopes", json!({"frameId": frame})),
        ("evaluate", json!({"expression": "rate", "frameId": frame})),
    ] {
        let refused = editor.request(command, arguments).await.unwrap_err();
        assert!(refused.starts_with("error[superseded] "), "{command}: {refused}");
    }
    assert_eq!(editor.line().await, 5);
}

/// They are added to the agent's, stop the program, and go with the editor.
#[tokio::test]
async fn breakpoints_of_the_editor_come_and_go_with_it() {
    let mut joined = Joined::start(four(), &[]).await;
    let set = json!({"set": ["shop.fake:9 if x > 1"]});
    joined.agent.call("debug_breakpoints", set).await;
    let before = joined.agent.call("debug_breakpoints", json!({})).await.text;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::attached(mirror.port).await;
    let source = json!({"path": joined.shell.source()});
    let lines_of = |lines: &[i64]| {
        let lines: Vec<_> = lines.iter().map(|line| json!({"line": line})).collect();
        json!({"source": source, "breakpoints": lines})
    };
    let set = editor.request("setBreakpoints", lines_of(&[7, 9])).await.unwrap();
    let set = set["breakpoints"].as_array().unwrap();
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(7)), "{set:?}");
    assert_eq!(set[1]["id"], 2);
    assert_eq!(set[1]["message"], "set in the session as #2, if x > 1");
    editor.request("configurationDone", json!({})).await.unwrap();
    editor.expect("stopped").await;
    // No move: the agent has the session.
    let stop = joined.agent.call("debug_continue", json!({})).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #3 · stop 2"), "{}", stop.text);
    editor.expect("continued").await;
    assert_eq!(editor.expect("stopped").await["hitBreakpointIds"], json!([3]));
    let list = joined.agent.call("debug_breakpoints", json!({})).await.text;
    assert!(list.contains("shop.fake:7 · set in an editor"), "{list}");
    // An agent removes one: the editor reads that.
    joined.agent.call("debug_breakpoints", json!({"remove": ["3"]})).await;
    let removed = editor.expect("breakpoint").await;
    assert_eq!((&removed["reason"], &removed["breakpoint"]["id"]), (&json!("removed"), &json!(3)));
    // Removed in the editor, the agent's stays.
    editor.request("setBreakpoints", lines_of(&[])).await.unwrap();
    assert_eq!(joined.agent.call("debug_breakpoints", json!({})).await.text, before);
    editor.request("setBreakpoints", lines_of(&[5])).await.unwrap();
    let filters = json!({"filters": ["uncaught"]});
    editor.request("setExceptionBreakpoints", filters).await.unwrap();
    let functions = json!({"breakpoints": [{"name": "pay"}]});
    editor.request("setFunctionBreakpoints", functions).await.unwrap();
    drop(editor);
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    assert_eq!(joined.agent.call("debug_breakpoints", json!({})).await.text, before);
}

/// Where an agent has a breakpoint, the editor's is set once the agent's is removed.
#[tokio::test]
async fn breakpoint_of_the_editor_outlives_that_of_the_agent() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.agent.call("debug_breakpoints", json!({"set": ["shop.fake:9 if x > 1"]})).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    let set = json!({"source": {"path": joined.shell.source()}, "breakpoints": [{"line": 9}]});
    let set = editor.request("setBreakpoints", set).await.unwrap();
    assert_eq!(set["breakpoints"][0]["id"], 2, "{set}");
    joined.agent.call("debug_breakpoints", json!({"remove": ["2"]})).await;
    let removed = editor.expect("breakpoint").await;
    assert_eq!((&removed["reason"], &removed["breakpoint"]["id"]), (&json!("removed"), &json!(2)));
    let new = editor.expect("breakpoint").await;
    let breakpoint = &new["breakpoint"];
    assert_eq!((&new["reason"], &breakpoint["line"]), (&json!("new"), &json!(9)));
    assert_eq!((&breakpoint["id"], &breakpoint["verified"]), (&json!(3), &json!(true)));
    let stop = joined.agent.call("debug_continue", json!({})).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #3 · stop 2"), "{}", stop.text);
    // The agent removes the editor's own: it is gone.
    joined.agent.call("debug_breakpoints", json!({"remove": ["3"]})).await;
    let list = joined.agent.call("debug_breakpoints", json!({})).await.text;
    assert!(!list.contains("shop.fake:9"), "{list}");
}

/// The editor's mark must not promise a stop.
#[tokio::test]
async fn breakpoints_of_the_agent_that_stop_otherwise_are_unverified() {
    let mut joined = Joined::start(four(), &[]).await;
    let set = json!({"set": [
        "shop.fake:5 log five", {"at": "shop.fake:7", "hit_condition": ">= 3"}, "shop.fake:9",
    ]});
    let set = joined.agent.call("debug_breakpoints", set).await;
    assert!(!set.is_error, "{}", set.text);
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    let set = json!({"source": {"path": joined.shell.source()}, "breakpoints": [
        {"line": 5}, {"line": 7}, {"line": 9, "logMessage": "nine"},
        {"line": 5, "logMessage": "again"}, {"line": 7, "hitCondition": ">= 3"}, {"line": 9},
    ]});
    let set = editor.request("setBreakpoints", set).await.unwrap();
    let marks: Vec<_> = set["breakpoints"].as_array().unwrap().iter().collect();
    let as_set = "set in the session as";
    for (mark, verified, words) in [
        (marks[0], false, "#2, as a logpoint"),
        (marks[1], false, "#3, at hits >= 3"),
        (marks[2], false, "#4, where it stops"),
        (marks[3], true, "#2, as a logpoint"),
        (marks[4], true, "#3, at hits >= 3"),
        (marks[5], true, "#4"),
    ] {
        assert_eq!(mark["verified"], verified, "{mark}");
        assert_eq!(mark["message"], format!("{as_set} {words}"), "{mark}");
    }
}

/// One wrong condition refuses its own breakpoint.
#[tokio::test]
async fn wrong_hit_condition_refuses_one_breakpoint() {
    let joined = Joined::start(four(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::attached(mirror.port).await;
    let set = json!({"source": {"path": joined.shell.source()}, "breakpoints": [
        {"line": 5, "hitCondition": "soon"}, {"line": 7},
    ]});
    let set = editor.request("setBreakpoints", set).await.unwrap();
    let set = set["breakpoints"].as_array().unwrap();
    assert_eq!((&set[0]["verified"], &set[0]["reason"]), (&json!(false), &json!("failed")));
    assert!(set[0]["message"].as_str().unwrap().contains("soon"), "{set:?}");
    assert_eq!(set[1]["verified"], true, "{set:?}");
}

/// A shell whose host has these limits.
fn with_limits(limits: &str) -> Shell {
    let shell = Shell::new();
    let config = std::fs::read_to_string(&shell.config).unwrap();
    std::fs::write(&shell.config, format!("{config}[limits]\n{limits}\n")).unwrap();
    shell
}

/// What fails for no breakpoint's own fault is not tried for each of them.
#[tokio::test]
async fn debugger_that_does_not_answer_refuses_all_breakpoints_at_once() {
    // The pause is answered without effect.
    let deaf = json!([{"on": "pause", "refuse": ""}, {"on": "pause", "answer": {}}]);
    let halts = json!({"breakpoints_while_running": "halt-first"});
    let options = json!({"script": {"faults": deaf}, "profile": halts});
    let program = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let shell = with_limits("request_s = 0.3");
    let mut joined = Joined::on(shell, program, options, &[]).await;
    joined.agent.call("debug_continue", json!({"wait": false})).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    let set = json!({"source": {"path": joined.shell.source()}, "breakpoints": [
        {"line": 7}, {"line": 9}, {"line": 11},
    ]});
    let refused = editor.request("setBreakpoints", set).await.unwrap_err();
    let cause = "error[adapter-silent] the adapter did not answer pause within 0.3 s";
    assert_eq!(refused, cause);
    editor.request("disconnect", json!({})).await.unwrap();
}

#[tokio::test]
async fn second_editor_and_second_mirror_are_refused() {
    let joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut first = Editor::joined(mirror.port).await;
    first.expect("stopped").await;
    let mut second = Editor::connect(mirror.port).await;
    second.request("initialize", json!({})).await.unwrap();
    let refused = second.request("attach", json!({})).await.unwrap_err();
    let cause =
        "error[editor-joined] an editor has joined fake-1 already; it has to disconnect first";
    assert_eq!(refused, cause);
    let refused = second.request("threads", json!({})).await.unwrap_err();
    assert_eq!(refused, "error[not-attached] `threads` comes before `attach`");
    let other = joined.shell.run(&["mirror"]).await;
    let place =
        format!("error[mirrored] fake-1 has a mirror already, at 127.0.0.1:{}", mirror.port);
    assert!(other.err.starts_with(&place), "{other:?}");
    let other = joined.shell.run(&["mirror", "--port", &mirror.port.to_string()]).await;
    assert!(
        other.err.starts_with("error[mirror-port] no mirror can listen on 127.0.0.1:"),
        "{other:?}"
    );
    drop(first);
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    second.request("attach", json!({})).await.unwrap();
    second.expect("initialized").await;
}

/// An editor starts again once its `disconnect` is answered.
#[tokio::test]
async fn answer_to_disconnect_makes_room_for_the_next_editor() {
    let slow = json!({"faults": [{"on": "setBreakpoints", "late": 300}]});
    let joined = Joined::with(four(), slow, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut first = Editor::attached(mirror.port).await;
    let lines = json!({"source": {"path": joined.shell.source()}, "breakpoints": [{"line": 7}]});
    first.request("setBreakpoints", lines).await.unwrap();
    first.request("disconnect", json!({"restart": true})).await.unwrap();
    let mut second = Editor::joined(mirror.port).await;
    second.expect("stopped").await;
    first.closed().await;
}

/// Bytes that are no DAP message end their connection, also where a message follows: a page of a
/// browser can send such.
#[tokio::test]
async fn other_bytes_end_their_connection() {
    let mut joined = Joined::start(four(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let attach = [message("initialize", 1), message("attach", 2)].concat();
    let page = format!("POST / HTTP/1.1\r\nHost: localhost\r\n{attach}");
    let huge = "Content-Length: 99999999999\r\n\r\n".to_owned();
    let long = "x".repeat(100_000);
    let broken = "Content-Length: 5\r\n\r\n{{{{{".to_owned();
    let list = "Content-Length: 2\r\n\r\n[]".to_owned();
    for bytes in [page, huge, long, broken, "\0\u{1}\n".to_owned(), list] {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, mirror.port)).await.unwrap();
        // It may end before it has read all.
        drop(stream.write_all(bytes.as_bytes()).await);
        let mut answer = Vec::new();
        let end = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
        drop(end.expect("an end"));
        assert!(answer.is_empty(), "{}", String::from_utf8_lossy(&answer));
    }
    // The session and the mirror are whole.
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    assert!(!joined.agent.call("debug_step", json!({})).await.is_error);
}

/// A DAP message as bytes.
fn message(command: &str, seq: u32) -> String {
    let body = json!({"seq": seq, "type": "request", "command": command}).to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// What a client reads that runs with these words in front, sends messages, and does `then`.
#[expect(clippy::disallowed_methods, reason = "another user is what is tested")]
async fn read_by(front: &[&str], port: u16, messages: &str, then: &str) -> String {
    let script = format!(r#"exec 3<>/dev/tcp/127.0.0.1/$0 && printf '%s' "$1" >&3 && {then}"#);
    let words = [front, &["bash", "-c", &script]].concat();
    let mut command = tokio::process::Command::new(words[0]);
    command.args(&words[1..]).arg(port.to_string()).arg(messages).kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, command.output()).await.expect("an end").unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a client as another user, which only root can.
const OTHER: [&str; 4] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

/// Root may become another user; others skip the test.
#[expect(clippy::disallowed_macros, reason = "a skipped test says so where tests speak")]
fn is_root() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        println!("skipped: only root can connect as another user");
    }
    is_root
}

#[tokio::test]
async fn connection_of_another_user_is_closed() {
    if !is_root() {
        return;
    }
    let joined = Joined::start(four(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let (disconnect, read) = (message("disconnect", 1), "cat <&3");
    assert_eq!(read_by(&OTHER, mirror.port, &disconnect, read).await, "");
    let own = read_by(&[], mirror.port, &disconnect, read).await;
    assert!(own.contains(r#""success":true,"command":"disconnect""#), "{own}");
}

/// The kernel gives a closed connection to root, who may serve the mirror: what its client has sent
/// before is not read.
#[tokio::test]
async fn connection_that_another_user_has_closed_is_not_read() {
    if !is_root() {
        return;
    }
    let joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    // As many as are served at once: the next one waits until it is closed.
    let mut idle = Vec::new();
    for _ in 0..8 {
        idle.push(TcpStream::connect((Ipv4Addr::LOCALHOST, mirror.port)).await.unwrap());
    }
    let attach = [message("initialize", 1), message("attach", 2)].concat();
    let sent = read_by(&OTHER, mirror.port, &attach, "exec 3>&- && echo sent").await;
    assert_eq!(sent, "sent\n");
    drop(idle);
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    mirror.says("Ed has joined").await;
}

/// A lost connection is as a disconnect.
#[tokio::test]
async fn lost_connection_gives_the_session_back() {
    let mut joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.request("next", json!({"threadId": 1})).await.unwrap();
    assert_eq!(joined.agent.call("debug_step", json!({})).await.text, REFUSED);
    drop(editor);
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    let step = joined.agent.call("debug_step", json!({})).await;
    assert!(
        step.text.starts_with("a person had fake-1 and gave it back; 1 call:"),
        "{}",
        step.text
    );
}

/// What a person has taken before stays taken.
#[tokio::test]
async fn claim_of_the_terminal_outlives_the_editor() {
    let mut joined = Joined::start(four(), &[]).await;
    joined.run(&["take"]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.request("stepIn", json!({"threadId": 1})).await.unwrap();
    editor.expect("stopped").await;
    editor.request("disconnect", json!({})).await.unwrap();
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    assert_eq!(joined.agent.call("debug_step", json!({})).await.text, REFUSED);
}

/// An agent reads about a line that was run, though its editor has left.
#[tokio::test]
async fn line_of_an_editor_that_leaves_is_read_by_the_agent() {
    let slow = json!({"slow": {"total": 300}});
    let mut joined = Joined::with(locals(), slow, &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.send("evaluate", json!({"expression": "total", "context": "repl"}));
    // The line has begun.
    let notice = editor.expect("output").await;
    assert!(notice["output"].as_str().unwrap().starts_with("dapdock: fake-1 is taken"), "{notice}");
    drop(editor);
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    let step = joined.agent.call("debug_step", json!({})).await;
    let first = lines(&step, 2);
    assert_eq!(first[0], "a person had fake-1 and gave it back; 1 call:");
    assert_eq!(first[1], "- evaluate `total` in an editor: 12");
}

/// A refused move takes nothing from the one before it.
#[tokio::test]
async fn move_is_read_by_the_agent_though_the_next_one_fails() {
    let program = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let slow = json!({"faults": [{"on": "next", "late": 300}]});
    let mut joined = Joined::with(program, slow, &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.send("next", json!({"threadId": 1}));
    let second = editor.request("next", json!({"threadId": 1})).await;
    assert_eq!(second, Err("error[not-stopped] the program is running".to_owned()));
    editor.request("disconnect", json!({})).await.unwrap();
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    let wait = joined.agent.call("debug_status", json!({})).await;
    let first = lines(&wait, 2);
    assert_eq!(first[0], "a person had fake-1 and gave it back; 1 call:");
    assert_eq!(first[1], "- next in an editor: ▶ running");
}

/// The program may run already while the answer to the editor's own move is missing.
#[tokio::test]
async fn editor_pauses_its_own_move() {
    let program = json!([{"line": 3}, {"line": 5, "hangs": true}]);
    let slow = json!({"faults": [{"on": "continue", "late": 300}]});
    let joined = Joined::with(program, slow, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    editor.send("continue", json!({"threadId": 1}));
    editor.request("pause", json!({"threadId": 1})).await.unwrap();
    editor.expect("output").await;
    assert_eq!(editor.expect("stopped").await["reason"], "pause");
}

/// Steps of one thread alone are not offered: the session has none.
#[tokio::test]
async fn capabilities_are_those_that_the_mirror_serves() {
    let capabilities = json!({
        "supportsConfigurationDoneRequest": true, "supportsSteppingGranularity": true,
        "supportsSingleThreadExecutionRequests": true, "supportsSetVariable": true,
    });
    let joined = Joined::with(four(), json!({"capabilities": capabilities}), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::connect(mirror.port).await;
    let offered = editor.request("initialize", json!({"adapterID": "x"})).await.unwrap();
    for (name, is_offered) in [
        ("supportsSteppingGranularity", true),
        ("supportsFunctionBreakpoints", true),
        ("supportsSingleThreadExecutionRequests", false),
        ("supportsSetVariable", false),
    ] {
        assert_eq!(offered[name].as_bool().unwrap_or(false), is_offered, "{name}");
    }
}

/// The debug console may change the program: it takes the session.
#[tokio::test]
async fn debug_console_takes_the_session() {
    let mut joined = Joined::start(locals(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    let line = json!({"expression": "total", "context": "repl"});
    assert_eq!(editor.request("evaluate", line).await.unwrap()["result"], "12");
    assert_eq!(joined.agent.call("debug_step", json!({})).await.text, REFUSED);
    joined.run(&["give"]).await;
    let step = joined.agent.call("debug_step", json!({})).await;
    let first = lines(&step, 2);
    assert_eq!(first[1], "- evaluate `total` in an editor: 12", "{first:?}");
}

#[tokio::test]
async fn requests_that_start_or_end_programs_are_refused() {
    let mut joined = Joined::start(four(), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    for command in ["launch", "terminate", "restart", "setVariable", "writeMemory"] {
        let refused = editor.request(command, json!({})).await.unwrap_err();
        assert!(refused.starts_with("error[not-offered] "), "{command}: {refused}");
    }
    assert!(!joined.agent.call("debug_step", json!({})).await.is_error);
}

/// The mirror ends with its command, by ctrl-C or as it is killed; the session goes on.
#[tokio::test]
async fn mirror_ends_with_its_command() {
    let mut joined = Joined::start(four(), &[]).await;
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        let mut mirror = Mirror::open(&joined.shell, &[]).await;
        let mut editor = Editor::joined(mirror.port).await;
        editor.expect("stopped").await;
        mirror.signal(signal);
        editor.expect("terminated").await;
        editor.closed().await;
        let exit = tokio::time::timeout(PATIENCE, mirror.watch.child.wait()).await.unwrap();
        let code = exit.unwrap().code();
        assert_eq!(code, (signal != Signal::KILL).then_some(128 + signal.as_raw()), "{signal:?}");
    }
    assert!(!joined.agent.call("debug_step", json!({})).await.is_error);
}

/// What an editor does not read holds up no end.
#[tokio::test]
async fn mirror_ends_with_its_session_though_the_editor_reads_nothing() {
    let faults = json!({"faults": [{"on": "next", "pour": [1000, 10_000]}]});
    let mut joined = Joined::with(four(), faults, &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    // More than the sockets take.
    assert!(!joined.agent.call("debug_step", json!({})).await.is_error);
    joined.agent.call("debug_stop", json!({})).await;
    let (rest, code) = mirror.watch.rest().await;
    assert_eq!(code, 0);
    let end = "the mirror of fake-1 is closed; the session has ended";
    assert_eq!(rest, ["Ed has joined", "Ed has left", end]);
}

/// A connection that never attaches takes no editor's place, and ends.
#[tokio::test]
async fn half_open_connections_leave_room_for_an_editor() {
    let shell = with_limits("initialize_s = 2");
    let joined = Joined::on(shell, four(), json!({}), &[]).await;
    let mirror = Mirror::open(&joined.shell, &[]).await;
    let mut idle = Vec::new();
    for _ in 0..7 {
        idle.push(TcpStream::connect((Ipv4Addr::LOCALHOST, mirror.port)).await.unwrap());
    }
    let mut editor = Editor::joined(mirror.port).await;
    editor.expect("stopped").await;
    // More wait for the end of these, and are not served meanwhile.
    for _ in 0..7 {
        idle.push(TcpStream::connect((Ipv4Addr::LOCALHOST, mirror.port)).await.unwrap());
    }
    editor.request("next", json!({"threadId": 1})).await.unwrap();
    for mut stream in idle {
        let end = tokio::time::timeout(PATIENCE, stream.read(&mut [0])).await;
        assert_eq!(end.expect("an end").unwrap(), 0);
    }
}

/// A host that may open no more files accepts editors again once it may.
#[tokio::test]
async fn mirror_outlives_a_lack_of_files() {
    let joined = Joined::start(four(), &[]).await;
    let mut mirror = Mirror::open(&joined.shell, &[]).await;
    let host = Pid::from_raw(joined.agent.pid().cast_signed());
    let few = Rlimit { current: Some(1), ..getrlimit(Resource::Nofile) };
    let usual = prlimit(host, Resource::Nofile, few).unwrap();
    let mut editor = Editor::connect(mirror.port).await;
    mirror.says("no editor can connect now: Too many open files (os error 24)").await;
    prlimit(host, Resource::Nofile, usual).unwrap();
    editor.request("initialize", json!({"clientName": "Ed"})).await.unwrap();
    editor.request("attach", json!({})).await.unwrap();
    mirror.says("Ed has joined").await;
}

/// With a real debugger: an editor and the agent see the same values at the same place.
async fn joins_a_real_program(language: Language, word: &str) {
    if !language.is_here() {
        return;
    }
    let shell = Shell::new();
    let env = vec![("XDG_RUNTIME_DIR", shell.runtime().display().to_string())];
    let mut agent = Caller::start(Start { env, ..Start::usual() }).await;
    let source = root().join(language.source("cart"));
    let place = language.at("cart", "tax");
    let launch = json!({"program": language.program("cart"), "breakpoints": [place],
        "timeout_s": 50});
    let stop = agent.call("debug_launch", launch).await;
    assert!(stop.text.starts_with("■ stopped breakpoint #1"), "{}", stop.text);
    let mut mirror = Mirror::open(&shell, &[]).await;
    let mut editor = Editor::attached(mirror.port).await;
    let add = marked(&source, "add");
    let set = json!({"source": {"path": source}, "breakpoints": [{"line": add}]});
    let set = editor.request("setBreakpoints", set).await.unwrap();
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    editor.request("configurationDone", json!({})).await.unwrap();
    let stop = editor.next_but_output().await;
    assert_eq!((stop.0.as_str(), &stop.1["reason"]), ("stopped", &json!("breakpoint")));
    let thread = stop.1["threadId"].as_i64().unwrap();
    let threads = editor.request("threads", json!({})).await.unwrap();
    let known = threads["threads"].as_array().unwrap();
    assert!(known.iter().any(|one| one["id"] == thread), "{threads}");
    let frames = editor.frames(thread).await;
    assert_eq!(frames[0]["line"], marked(&source, "tax"));
    assert_eq!(frames[0]["source"]["path"], source.to_str().unwrap());
    assert!(frames[0]["name"].as_str().unwrap().contains("tax"), "{frames:?}");
    assert_eq!(frames[1]["line"], add);
    let mut values = Vec::new();
    let scopes = editor.request("scopes", json!({"frameId": frames[0]["id"]})).await.unwrap();
    for scope in scopes["scopes"].as_array().unwrap() {
        if scope["expensive"] == true || scope["name"] == "Registers" {
            continue;
        }
        let reference = json!({"variablesReference": scope["variablesReference"]});
        let rows = editor.request("variables", reference).await.unwrap();
        values.extend(rows["variables"].as_array().unwrap().clone());
    }
    let value = |name: &str| {
        let found = values.iter().find(|row| row["name"] == name);
        found.unwrap_or_else(|| panic!("{name}: {values:?}"))["value"].clone()
    };
    assert_eq!((value("net"), value("rate")), (json!("1000"), json!("7")));
    let hover = json!({"expression": "net * rate", "frameId": frames[0]["id"], "context": "hover"});
    assert_eq!(editor.request("evaluate", hover).await.unwrap()["result"], "7000");
    // The value of an outer frame.
    let outer = json!({"expression": "total", "frameId": frames[1]["id"], "context": "watch"});
    assert_eq!(editor.request("evaluate", outer).await.unwrap()["result"], "0");
    editor.request("next", json!({"threadId": thread})).await.unwrap();
    let (event, body) = editor.next_but_output().await;
    assert_eq!((event.as_str(), &body["reason"]), ("stopped", &json!("step")));
    assert_eq!(editor.frames(thread).await[0]["line"], marked(&source, "tax return"));
    assert!(agent.call("debug_continue", json!({})).await.text.starts_with("error[session-taken]"));
    editor.request("stepOut", json!({"threadId": thread})).await.unwrap();
    editor.next_but_output().await;
    editor.request("disconnect", json!({})).await.unwrap();
    mirror.says("Ed has joined").await;
    mirror.says("Ed has left").await;
    // All is as it was: the agent's breakpoint alone stops.
    let stop = agent.call("debug_continue", json!({})).await;
    let begin =
        stop.text.find("■ stopped breakpoint #1").unwrap_or_else(|| panic!("{}", stop.text));
    assert!(stop.text[begin..].contains(word), "{}", stop.text);
    let list = agent.call("debug_breakpoints", json!({})).await.text;
    assert!(list.starts_with("1 breakpoint"), "{list}");
    agent.call("debug_stop", json!({})).await;
}

impl Editor {
    /// The next event that is no output and no thread.
    async fn next_but_output(&mut self) -> (String, Value) {
        loop {
            let (event, body) = self.event().await;
            if !["output", "thread", "breakpoint"].contains(&event.as_str()) {
                return (event, body);
            }
        }
    }
}

#[tokio::test]
async fn editor_joins_a_program_in_python() {
    joins_a_real_program(Language::Python, "cart.py").await;
}

#[tokio::test]
async fn editor_joins_a_native_program() {
    joins_a_real_program(Language::C, "cart.c").await;
}
