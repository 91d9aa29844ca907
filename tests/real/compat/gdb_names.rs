//! `compat:gdb`: every name with its documented arguments, its answer compared key by key.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::start;
use crate::caller::{Answer, root};
use crate::real::Stage;

/// A session of `open`.
struct Gdb<'a> {
    stage: &'a mut Stage,
    id: String,
}

/// What a `call` came to.
struct Called {
    content: Value,
}

impl Called {
    fn result(&self) -> &Value {
        &self.content["result"]
    }

    fn output(&self) -> &str {
        self.content["output"].as_str().unwrap()
    }

    /// The command prints this, and its record has no fields.
    #[track_caller]
    fn prints(self, part: &str) -> Self {
        assert_eq!(self.result(), &json!({"status": "done", "data": {}}), "{:#}", self.content);
        assert!(self.output().contains(part), "{part}: {:#}", self.content);
        self
    }

    /// The program has stopped, or ended, for this reason; the record is that of `*stopped`.
    #[track_caller]
    fn stops(self, reason: &str) -> Self {
        let result = self.result();
        assert_eq!(
            (&result["status"], &result["data"]["reason"]),
            (&json!("done"), &json!(reason))
        );
        self
    }

    #[track_caller]
    fn fails(self, message: &str) -> Self {
        assert_eq!(self.result(), &json!({"status": "error", "message": message}));
        self
    }
}

fn content(answer: &Answer) -> Value {
    let mut answer: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(answer["type"], "ok", "{answer:#}");
    assert_eq!(answer.as_object().unwrap().len(), 2, "{answer:#}");
    answer["content"].take()
}

impl<'a> Gdb<'a> {
    async fn open(stage: &'a mut Stage, arguments: Value) -> Self {
        let opened = content(&stage.call("open", arguments).await.good());
        assert_eq!(opened.as_object().unwrap().len(), 1, "{opened:#}");
        Self { stage, id: opened["id"].as_str().unwrap().to_owned() }
    }

    async fn call(&mut self, command: &str) -> Called {
        let called = self.call_with(json!({"id": self.id, "command": command})).await;
        Called { content: content(&called.good()) }
    }

    async fn call_with(&mut self, arguments: Value) -> Answer {
        self.stage.call("call", arguments).await
    }

    async fn error(&mut self, tool: &str, arguments: Value, text: &str) {
        let answer = self.stage.call(tool, arguments).await;
        let answer: Value = serde_json::from_str(&answer.text).unwrap();
        assert_eq!(answer["type"], "error");
        let content = answer["content"].as_str().unwrap();
        assert!(content.contains(text), "{content}");
    }
}

fn cart(stage: &Stage) -> String {
    root().join(stage.language.program("cart")).display().to_string()
}

pub async fn gdb_names_answer_as_documented(stage: &mut Stage) {
    start(stage, "compat:gdb").await;
    let (program, line) = (cart(stage), stage.at("cart", "tax"));
    let mut gdb = Gdb::open(stage, json!({})).await;
    let other = Gdb::open(gdb.stage, json!({"timeout": 60})).await.id;
    let sessions = content(&gdb.stage.call("list_sessions", json!({})).await.good());
    let listed = sessions["sessions"].as_array().unwrap();
    let ids: Vec<&Value> = listed.iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&json!(gdb.id), &json!(other)]);
    let created = listed[0]["created"].as_str().unwrap();
    assert!(created.ends_with('Z') && created.as_bytes()[10] == b'T', "{created}");
    assert_eq!(content(&gdb.stage.call("close", json!({"id": other})).await.good()), json!({}));

    gdb.call(&format!("file {program}")).await.prints("Reading symbols from");
    gdb.call("break main").await.prints("Breakpoint 1 at ");
    let run = gdb.call("run").await.stops("breakpoint-hit");
    let data = &run.result()["data"];
    let parts = [&data["bkptno"], &data["disp"], &data["frame"]["func"], &data["thread-id"]];
    assert_eq!(parts, [&json!("1"), &json!("keep"), &json!("main"), &json!("1")]);
    assert!(run.output().contains("\nBreakpoint 1, main (argc=1, argv="), "{}", run.output());
    assert_eq!(data["frame"]["args"][0], json!({"name": "argc", "value": "1"}), "{data:#}");
    assert_eq!(data["stopped-threads"], "all");
    assert!(data["core"].as_str().unwrap().parse::<u32>().is_ok(), "{data:#}");
    table(&mut gdb).await;
    gdb.call("print argc").await.prints("$1 = 1\n");
    gdb.call("info registers rip").await.prints("<main+");
    gdb.call("x/4x $sp").await.prints("\t0x");
    gdb.call("nosuch").await.fails("Undefined command: \"nosuch\".  Try \"help\".");
    gdb.call("print )").await.fails("A syntax error in expression, near `)'.");
    gdb.call("print nosuch").await.fails("No symbol \"nosuch\" in current context.");

    let set = gdb.call(&format!("-break-insert {line}")).await;
    let point = &set.result()["data"]["bkpt"];
    assert_eq!((&point["number"], &point["func"]), (&json!("2"), &json!("tax")), "{point:#}");
    let stop = gdb.call("-exec-continue").await.stops("breakpoint-hit");
    assert_eq!(stop.content["program_output"], "Grüße, 世界\n");
    let value = gdb.call("-data-evaluate-expression \"rate + 1\"").await;
    assert_eq!(value.result(), &json!({"status": "done", "data": {"value": "8"}}));
    let frames = gdb.call("-stack-list-frames").await;
    let stack = frames.result()["data"]["stack"].as_array().unwrap();
    let functions: Vec<&Value> = stack.iter().map(|frame| &frame["func"]).collect();
    assert_eq!(functions, [&json!("tax"), &json!("total_of"), &json!("main")]);
    // A command selects a frame; our tools read others.
    gdb.call("up").await.prints("total_of");
    our_tools_see_the_stop(&mut gdb, &line).await;
    gdb.call("print index").await.prints(" = 0\n");
    let finish = gdb.call("finish").await;
    finish.prints_after("Run till exit");

    gdb.call("-nosuch").await.fails("Undefined MI command: -nosuch");
    let id = gdb.id.clone();
    for (command, escape) in [
        ("shell ls", "shell"),
        ("python print(1)", "python"),
        ("-interpreter-exec console \"shell ls\"", "shell"),
        ("-break-commands 1 \"shell ls\"", "shell"),
        ("target remote | sh", "target remote |"),
        ("-target-select remote \"| sh\"", "-target-select remote |"),
        ("-var-set-visualizer x print", "-var-set-visualizer"),
        ("run `ls`", "run … `"),
        ("starti; ls", "starti … ;"),
        ("run 1 & ls", "run … &"),
        ("set args 1 | tee x", "set args … |"),
        ("with args $(ls) -- run", "with args … $"),
        ("-exec-arguments 1 > x", "-exec-arguments … >"),
        ("dump value x 1", "dump"),
    ] {
        let refusal = format!("`{escape}` leaves the debugger");
        gdb.error("call", json!({"id": id, "command": command}), &refusal).await;
    }
    gdb.error("call", json!({"id": "x", "command": "p 1"}), "there is no session `x`").await;
    gdb.error("open", json!({"timeout": 0}), "`timeout` must be from 1 to").await;

    let exit = gdb.call("quit").await;
    assert_eq!(exit.result(), &json!({"status": "exit", "message": "gdb quits"}));
    gdb.error("call", json!({"id": id, "command": "p 1"}), " has ended").await;
    gdb.error("close", json!({"id": id}), " has ended").await;
}

/// The table of breakpoints, as gdb/MI writes it.
async fn table(gdb: &mut Gdb<'_>) {
    let list = gdb.call("-break-list").await;
    let table = &list.result()["data"]["BreakpointTable"];
    assert_eq!((&table["nr_rows"], &table["nr_cols"]), (&json!("1"), &json!("6")), "{table:#}");
    let heading = json!({"width": "7", "alignment": "-1", "col_name": "number", "colhdr": "Num"});
    assert_eq!(table["hdr"][0], heading);
    let names = table["hdr"].as_array().unwrap().iter().map(|column| &column["col_name"]);
    let names: Vec<&Value> = names.collect();
    assert_eq!(names, ["number", "type", "disp", "enabled", "addr", "what"]);
    let row = &table["body"][0];
    assert_eq!((&row["number"], &row["func"]), (&json!("1"), &json!("main")), "{row:#}");
}

impl Called {
    #[track_caller]
    fn prints_after(self, part: &str) {
        assert!(self.output().contains(part), "{:#}", self.content);
    }
}

/// Place, stack and breakpoints of a stop that a command made.
async fn our_tools_see_the_stop(gdb: &mut Gdb<'_>, line: &str) {
    let status = gdb.stage.call("debug_status", json!({})).await.good();
    status.says(&format!("tax  {line} "));
    gdb.stage.call("debug_stack", json!({})).await.good().line(&format!("#0 tax  {line}"));
    let list = gdb.stage.call("debug_breakpoints", json!({})).await.good();
    list.says(&format!("{line} · set by a command, as breakpoint 2 of the debugger · 1 hit"));
    gdb.stage.call("debug_variables", json!({"path": "rate"})).await.good().says("7");
}

pub async fn gdb_programs_come_and_go(stage: &mut Stage) {
    start(stage, "compat:gdb,raw").await;
    let program = cart(stage);
    let directory = tempfile::tempdir().unwrap();
    let core = directory.path().join("core");
    let mut gdb = Gdb::open(stage, json!({"timeout": 60})).await;
    gdb.call(&format!("-file-exec-and-symbols {program}")).await.prints("");
    gdb.call("bt").await.fails("No stack.");
    gdb.call("-exec-continue").await.fails("The program is not being run.");

    let run = gdb.call("-exec-run").await.stops("exited-normally");
    assert!(run.content["program_output"].as_str().unwrap().ends_with("\n"), "{:#}", run.content);
    let run = gdb.call("run fail").await.stops("exited");
    assert_eq!(run.result()["data"], json!({"reason": "exited", "exit-code": "03"}));
    assert!(run.output().contains(" exited with code 03]\n"), "{}", run.output());
    let status = gdb.stage.call("debug_status", json!({})).await.good();
    status.says(" · idle · ");
    let stack = gdb.stage.call("debug_stack", json!({})).await;
    assert!(stack.text.starts_with("error[no-program] "), "{}", stack.text);

    let start = gdb.call("start").await.stops("breakpoint-hit");
    assert_eq!(start.result()["data"]["disp"], "del");
    gdb.call("record").await.prints("");
    gdb.call("next").await;
    gdb.call("reverse-step").await;
    gdb.call("record stop").await.prints("stopped and all execution logs are deleted");
    gdb.call("tbreak total_of").await.prints("Temporary breakpoint");
    gdb.call("run").await.stops("breakpoint-hit");
    gdb.call("watch total").await.prints("Hardware watchpoint");
    let watch = gdb.call("continue").await.stops("watchpoint-trigger");
    assert_eq!(watch.result()["data"]["wpt"]["exp"], "total");
    assert!(watch.output().contains("\nOld value = "), "{}", watch.output());
    gdb.call(&format!("generate-core-file {}", core.display())).await.prints("Saved corefile");
    gdb.call("tbreak tax").await;
    gdb.call("continue").await;
    gdb.call("watch rate").await;
    gdb.call("delete 2").await;
    let mut scope = gdb.call("continue").await;
    while scope.result()["data"]["reason"] == "watchpoint-trigger" {
        scope = gdb.call("continue").await;
    }
    let scope = scope.stops("watchpoint-scope");
    assert!(scope.result()["data"]["wpnum"].is_string(), "{:#}", scope.content);
    assert_eq!(scope.output().matches("deleted because").count(), 1, "{}", scope.output());
    core_file_of_a_living_process(&mut gdb, &core).await;
    gdb.call("kill").await.prints(" killed]");
    open_core(&mut gdb, &core).await;
    attach(&mut gdb).await;
}

/// The process with the number in the core file is not that of the core file.
async fn core_file_of_a_living_process(gdb: &mut Gdb<'_>, core: &Path) {
    let id = {
        let mut other = Gdb::open(gdb.stage, json!({"timeout": 60})).await;
        other.call(&format!("core-file {}", core.display())).await;
        other.id
    };
    let request = json!({
        "session": id, "command": "exceptionInfo", "arguments": {"threadId": 1, "causes": 1},
    });
    let info = gdb.stage.call("dap_request", request).await.good();
    let info: Value = serde_json::from_str(&info.text).unwrap();
    assert_eq!((&info["details"]["typeName"], &info["breakMode"]), (&json!("SIGTRAP"), &json!("")));
    gdb.stage.call("close", json!({"id": id})).await.good();
}

async fn open_core(gdb: &mut Gdb<'_>, core: &Path) {
    gdb.call("delete").await;
    let opened = gdb.call(&format!("core {}", core.display())).await;
    assert!(opened.output().contains("Core was generated by"), "{:#}", opened.content);
    gdb.call("bt").await.prints("total_of (");
    gdb.stage.call("debug_stack", json!({})).await.good().says("total_of");
    gdb.call("continue").await.fails("The program is not being run.");
    gdb.call("core-file").await.prints("No core file now.");
}

/// An attached process runs on after `detach` and after `close`.
#[expect(clippy::disallowed_methods, reason = "the process is not of a session")]
async fn attach(gdb: &mut Gdb<'_>) {
    let mut sleep = Command::new("sleep").arg("1000").stdout(Stdio::null()).spawn().unwrap();
    let pid = sleep.id();
    for end in ["detach", "close"] {
        let attached = gdb.call(&format!("attach {pid}")).await;
        assert_eq!(attached.result()["status"], "done", "{:#}", attached.content);
        gdb.stage.call("debug_stack", json!({})).await.good();
        match end {
            "detach" => drop(gdb.call("detach").await.prints(" detached]")),
            _ => drop(gdb.stage.call("close", json!({"id": gdb.id})).await.good()),
        }
        assert!(sleep.try_wait().unwrap().is_none(), "{end}");
    }
    sleep.kill().unwrap();
    sleep.wait().unwrap();
}

/// The stop of a command that was answered with `running` is in a later answer, with its command.
pub async fn gdb_commands_that_take_long(stage: &mut Stage) {
    start(stage, "compat:gdb").await;
    let program = root().join(stage.language.program("sleeper")).display().to_string();
    let mut gdb = Gdb::open(stage, json!({})).await;
    gdb.call(&format!("file {program}")).await;
    let id = gdb.id.clone();
    let running = json!({"status": "running", "data": {}});
    // In the background there is no wait, however long it may take.
    let run = json!({"id": id, "command": "run&", "timeout_s": 600});
    let run = content(&gdb.call_with(run).await.good());
    assert_eq!(run["result"], running);
    let refused = gdb.call("next").await;
    refused.fails("Cannot execute this command while the selected thread is running.");
    gdb.call("interrupt").await;
    gdb.stage.call("debug_wait", json!({"timeout_s": 50})).await;
    let next = gdb.call("print 6 * 7").await;
    assert_eq!(next.content["earlier"][0]["command"], "run&", "{:#}", next.content);
    let data = &next.content["earlier"][0]["result"]["data"];
    assert_eq!(
        (&data["reason"], &data["signal-name"]),
        (&json!("signal-received"), &json!("SIGINT"))
    );
    next.prints(" = 42\n");
    let short = json!({"id": id, "command": "continue", "timeout_s": 0.2});
    assert_eq!(content(&gdb.call_with(short).await.good())["result"], running);
}

/// The results of a call that is cancelled are in the next answer, with their command.
pub async fn gdb_results_of_cancelled_calls_come_next(stage: &mut Stage) {
    start(stage, "compat:gdb").await;
    let program = root().join(stage.language.program("sleeper")).display().to_string();
    let mut gdb = Gdb::open(stage, json!({})).await;
    gdb.call(&format!("file {program}")).await;
    let caller = &mut gdb.stage.caller;
    let arguments = json!({"id": gdb.id, "command": "run"});
    let request = caller.send("tools/call", json!({"name": "call", "arguments": arguments})).await;
    let runs = |note: &Value| note["params"]["newState"] == "running";
    caller.note(runs).await;
    caller.notify("notifications/cancelled", json!({"requestId": request.0})).await;
    let output = async |stage: &mut Stage| stage.call("debug_output", json!({"tail": 9})).await;
    while !output(gdb.stage).await.text.contains("ready") {}
    gdb.call("interrupt").await;
    gdb.stage.call("debug_wait", json!({"timeout_s": 50})).await.good();
    let next = gdb.call("print 6 * 7").await;
    let earlier = next.content["earlier"].as_array().unwrap();
    let commands: Vec<&Value> = earlier.iter().map(|one| &one["command"]).collect();
    assert_eq!(commands, ["run"], "{:#}", next.content);
    assert_eq!(earlier[0]["result"]["data"]["signal-name"], "SIGINT", "{:#}", next.content);
    next.prints(" = 42\n");
}

/// The state is the debugger's, also where the commands of a breakpoint resume the program.
pub async fn gdb_breakpoints_with_commands_go_on(stage: &mut Stage) {
    start(stage, "compat:gdb").await;
    let sleeper = root().join(stage.language.program("sleeper")).display().to_string();
    let program = cart(stage);
    let mut gdb = Gdb::open(stage, json!({})).await;
    gdb.call(&format!("file {sleeper}")).await;
    gdb.call("-break-insert main").await;
    gdb.call("-break-commands 1 \"echo passed\\n\" \"continue\"").await.prints("");
    let run = json!({"id": gdb.id, "command": "run", "timeout_s": 0.5});
    gdb.call_with(run).await.good();
    gdb.stage.call("debug_status", json!({})).await.good().says(" · running");
    gdb.call("interrupt").await;
    gdb.stage.call("debug_wait", json!({"timeout_s": 50})).await.good();
    let killed = gdb.call("kill").await;
    let earlier = killed.content["earlier"].as_array().unwrap();
    let last = earlier.last().unwrap();
    assert_eq!(
        (&last["command"], &last["result"]["data"]["signal-name"]),
        (&json!("run"), &json!("SIGINT"))
    );
    killed.prints(" killed]");

    gdb.call("delete").await;
    gdb.call(&format!("file {program}")).await;
    gdb.call("break tax").await;
    gdb.call("-break-commands 2 \"continue\"").await.prints("");
    let mut results = vec![gdb.call("run").await.content];
    gdb.stage.call("debug_wait", json!({"timeout_s": 10})).await;
    results.push(gdb.call("info breakpoints").await.content);
    let all = json!(results).to_string();
    assert!(all.contains("exited-normally") && all.contains("already hit 4 times"), "{all}");
    for one in results[1]["earlier"].as_array().into_iter().flatten() {
        assert_eq!(one["command"], "run", "{all}");
    }
    gdb.stage.call("debug_status", json!({})).await.good().says(" · idle · ");
}

/// The documented errors, and the time of a session that is not used.
pub async fn gdb_errors_are_documented(stage: &mut Stage) {
    start(stage, "compat:gdb").await;
    let mut gdb = Gdb::open(stage, json!({"timeout": 1})).await;
    let ended = |note: &Value| note["params"]["newState"] == "disconnected";
    let note = gdb.stage.caller.note(ended).await;
    assert_eq!(
        (&note["params"]["oldState"], &note["params"]["sessionId"]),
        (&json!("idle"), &json!(gdb.id))
    );
    let id = gdb.id.clone();
    let print = json!({"id": id, "command": "print 1"});
    gdb.error("call", print, "has ended: no command came for 1 s. Try: debug_output {").await;
    gdb.error("close", json!({"id": id}), "has ended: no command came for 1 s").await;
    gdb.error("open", json!({"timeout": 0}), "Try: open {\"timeout\": 300}").await;
    gdb.error("call", json!({"id": "x", "command": "p 1"}), "Try: ").await;
    gdb.error("close", json!({"id": "x"}), "there is no session `x`").await;
    let ids = content(&gdb.stage.call("list_sessions", json!({})).await.good());
    assert_eq!(ids, json!({"sessions": []}));
    let other = Gdb::open(gdb.stage, json!({})).await;
    let restart = other.stage.call("debug_restart", json!({"session": other.id})).await;
    assert!(restart.text.contains("it was opened without a program"), "{}", restart.text);
}

/// A prompt without an end of line, and the rest of its line.
pub async fn gdb_program_output_is_as_printed(stage: &mut Stage) {
    start(stage, "compat:gdb").await;
    let program = root().join(stage.language.program("output")).display().to_string();
    let half = stage.at("output", "half");
    let mut gdb = Gdb::open(stage, json!({})).await;
    gdb.call(&format!("file {program}")).await;
    gdb.call(&format!("break {half}")).await.prints("Breakpoint 1 at ");
    let stop = gdb.call("run").await.stops("breakpoint-hit");
    let mut printed = stop.content["program_output"].as_str().unwrap().to_owned();
    assert!(printed.ends_with("\nfirst half, "), "{printed}");
    let end = gdb.call("continue").await.stops("exited-normally");
    let rest = end.content["program_output"].as_str().unwrap();
    assert_eq!(rest, "second half\nno end");
    printed.push_str(rest);
    assert_eq!(printed.lines().filter(|line| line.starts_with("line ")).count(), 200);
}
