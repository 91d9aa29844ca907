//! `dapdock mirror`: an editor joins the session of an agent by DAP, over the shipped binary.

mod breakpoints;
mod claims;
mod connections;
mod ends;
mod programs;

use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::pin::pin;

use dapdock::dap::{Client, Error, FrameLimits, Inbound, Inbox, Limits, connect};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, prlimit};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::caller::{Caller, PATIENCE, Start, root};
use crate::real::{Language, marked};
use crate::wire::command_line::Shell;
use crate::wire::joining::{Joined, REFUSED, Watch, four, lines};

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

/// A shell whose host has these limits.
fn with_limits(limits: &str) -> Shell {
    let shell = Shell::new();
    let config = std::fs::read_to_string(&shell.config).unwrap();
    std::fs::write(&shell.config, format!("{config}[limits]\n{limits}\n")).unwrap();
    shell
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
