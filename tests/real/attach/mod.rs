//! Attaching to running programs: they are debugged, detached from, and keep running.

pub mod addresses;
pub mod c_libraries;
pub mod debugpy;
pub mod lost_connections;
pub mod permissions;
pub mod servers;

use std::net::TcpListener;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;

use crate::caller::{Answer, Caller, Start, assert_runs, root};
use crate::real::servers::Server;
use crate::real::stage::{Language, Stage};

/// Starts the sleeper without a debugger and waits until it prints that it is ready.
pub async fn sleeper(stage: &Stage) -> Child {
    spawn(&sleeper_words(stage)).await
}

fn sleeper_words(stage: &Stage) -> Vec<String> {
    let mut words = stage.language.command("sleeper");
    if stage.language.newest() == Language::JavaScript {
        // Node opens its inspector on a free port when it is signalled.
        words.insert(1, "--inspect-port=0".to_owned());
    }
    words
}

pub async fn spawn(words: &[String]) -> Child {
    #[expect(clippy::disallowed_methods, reason = "the program must not be the host's")]
    let mut command = tokio::process::Command::new(&words[0]);
    let spawned = command
        .args(&words[1..])
        .current_dir(root())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let mut child = spawned.unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).await.unwrap();
    assert_eq!(line, "ready\n");
    child
}

/// Waits until the process runs. An interpreter process is never seen stopped: its ticks show that
/// it runs, and the callers compare them.
pub async fn assert_runs_on(stage: &Stage, pid: u32) {
    if !matches!(stage.language.newest(), Language::Python | Language::JavaScript) {
        assert_runs(pid).await;
    }
}

fn tick(stop: &Answer) -> u32 {
    stop.local("tick").parse().unwrap()
}

pub async fn process_is_debugged_and_detached(stage: &mut Stage) {
    let mut child = sleeper(stage).await;
    let target = json!({"pid": child.id().unwrap()});
    let running = stage.call("debug_attach", target.clone()).await.good();
    // The error names an adapter only where several handle the language, so only its start is
    // compared.
    let again = stage.call("debug_restart", json!({})).await;
    let why = "error[unsupported] it was attached to, not launched: there is nothing to start \
        again. Try: debug_attach {";
    assert!(again.text.starts_with(why), "{}", again.text);
    debug_and_detach(stage, &running, child.id().unwrap(), target).await;
    stage.call("debug_stop", json!({"mode": "terminate"})).await.good();
    // debugpy makes the program exit with code 0.
    assert_eq!(child.wait().await.unwrap().success(), stage.language.newest() == Language::Python);
}

/// A process that was attached to is ended only if a person agrees, where the client can ask one.
pub async fn person_agrees_to_the_end_of_a_process(stage: &mut Stage) {
    let start = Start { structured: false, ..stage.language.start() };
    let mut caller = Caller::spawn(start);
    caller.initialize_with(json!({"elicitation": {}})).await;
    let mut child = sleeper(stage).await;
    let pid = child.id().unwrap();
    caller.call("debug_attach", json!({"pid": pid})).await.good().line("▶ running");
    for (action, start) in [
        ("decline", format!("error[not-agreed] process {pid} ran before the debugger attached")),
        ("accept", "□ ".to_owned()),
    ] {
        let call = caller.begin("debug_stop", json!({"mode": "terminate"})).await;
        let request = caller.request().await;
        let question = format!("End process {pid}? It ran before the debugger attached to it (");
        let message = request["params"]["message"].as_str().unwrap();
        assert!(message.starts_with(&question), "{message}");
        assert_eq!(child.try_wait().unwrap(), None);
        caller.respond(&request, json!({"action": action})).await;
        let answer = caller.answer(call).await;
        assert!(answer.text.starts_with(&start), "{}", answer.text);
    }
    child.wait().await.unwrap();
}

/// Delve ends an attached program by SIGINT and does not look whether it ends.
pub async fn attached_program_that_ignores_signals_ends(stage: &mut Stage) {
    let ignoring = "trap '' INT TERM HUP; exec \"$@\"";
    let mut words = ["sh", "-c", ignoring, "sh"].map(str::to_owned).to_vec();
    words.extend(sleeper_words(stage));
    let mut child = spawn(&words).await;
    let pid = child.id().unwrap();
    stage.call("debug_attach", json!({"pid": pid})).await.good().line("▶ running");
    let stop = json!({"mode": "terminate"});
    stage.call("debug_stop", stop).await.good().line("□ ended; no process is left");
    assert!(child.try_wait().unwrap().is_some(), "{pid} is left");
}

/// A signal sent from outside while the program runs: the ending names it and reports no exit code.
pub async fn ending_names_the_signal(stage: &mut Stage) {
    for (signal, says) in [(Signal::KILL, "SIGKILL (9)"), (Signal::ABORT, "SIGABRT (6)")] {
        let child = sleeper(stage).await;
        let pid = child.id().unwrap();
        stage.call("debug_attach", json!({"pid": pid})).await.good().line("▶ running");
        kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
        let mut end = stage.call("debug_wait", json!({})).await.good();
        // A signal that can be caught stops the program first.
        if signal != Signal::KILL {
            assert_eq!(end.reason(), "signal SIGABRT");
            end = stage.resume().await.good();
        }
        end.line(&format!("□ ended by signal {says}"));
    }
}

/// Killed while stopped: the next move reports the end of the program, not a refused request. Where
/// the debugger did not see the signal, the ending names none.
pub async fn program_killed_at_a_stop_has_ended(stage: &mut Stage) {
    let step = ("debug_step", json!({"kind": "over"}));
    // The older Delve reports another stop for a step here.
    let step = (stage.language != Language::OldGo).then_some(step);
    for (tool, arguments) in [("debug_continue", json!({}))].into_iter().chain(step) {
        let mut child = sleeper(stage).await;
        let pid = child.id().unwrap();
        stage.call("debug_attach", json!({"pid": pid})).await.good().line("▶ running");
        stage.call("debug_pause", json!({})).await.good();
        kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), Signal::KILL).unwrap();
        let end = stage.call(tool, arguments).await;
        // Some adapters notice the end on their own, possibly before the call.
        if end.text.starts_with("error[ended] ") {
            child.wait().await.unwrap();
            continue;
        }
        let end = end.good();
        let how = end.line("□ ended").split(" · ").next().unwrap().to_owned();
        let known = how == " by signal SIGKILL (9)";
        match stage.language.newest() {
            // The debug server may query the status too late to see the signal.
            Language::Rust | Language::LldbC => assert!(known || how.is_empty(), "{}", end.text),
            Language::Go if tool == "debug_step" => {
                assert!(known || how.is_empty(), "{}", end.text)
            }
            Language::C | Language::Go => assert!(known, "{}", end.text),
            _ => assert_eq!(how, "", "{}", end.text),
        }
        child.wait().await.unwrap();
    }
}

/// Attached by the address of its debug server or inspector.
pub async fn server_is_debugged_and_detached(stage: &mut Stage) {
    let mut server = Server::start(stage).await;
    let running = server.attach(stage).await;
    debug_and_detach(stage, &running, server.pid, server.again.clone()).await;
    end(stage, server).await;
}

/// By address CodeLLDB has no symbols unless the caller names the program's file.
pub async fn attach_by_address_needs_the_program(stage: &mut Stage) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let launch = json!({"address": address.to_string(), "adapter": stage.language.adapter()});
    stage.call("debug_attach", launch).await.fails(&format!(
        "error[invalid-request] CodeLLDB finds no symbols for an address; name the program. Try: \
         debug_attach {{\"address\": \"{address}\", \"adapter\": \"codelldb\", \"options\": \
         {{\"program\": \"PROGRAM\"}}}}",
    ));
}

/// Detach and terminate while the program runs, without a stop before.
pub async fn running_server_is_detached_and_ended(stage: &mut Stage) {
    let mut server = Server::start(stage).await;
    server.attach(stage).await.line("▶ running");
    for _ in 0..2 {
        stage
            .call("debug_stop", json!({}))
            .await
            .good()
            .line("□ detached; the process keeps running");
        assert_runs_on(stage, server.pid).await;
        stage.call("debug_attach", server.again.clone()).await.good().line("▶ running");
    }
    end(stage, server).await;
    let mut server = Server::start(stage).await;
    server.attach(stage).await.line("▶ running");
    end(stage, server).await;
}

/// The process that listens at the address identifies the adapter.
pub async fn listener_selects_the_adapter(stage: &mut Stage) {
    let server = Server::start(stage).await;
    let attach = json!({"address": format!("127.0.0.1:{}", server.port)});
    stage.caller.call("debug_attach", attach).await.good().line("▶ running");
    end(stage, server).await;
}

/// The listener is not a known debug server: any adapter could be behind it.
pub async fn unknown_listener_needs_an_adapter(stage: &mut Stage) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    stage.caller.call("debug_attach", json!({"address": address.to_string()})).await.fails(&format!(
        "error[which-adapter] {address} does not say which adapter it needs; there are codelldb, \
        debugpy, delve, gdb, \
         js-debug. Try: debug_attach {{\"address\": \"{address}\", \"adapter\": \"codelldb\"}}"
    ));
}

async fn end(stage: &mut Stage, server: Server) {
    let end = stage.call("debug_stop", json!({"mode": "terminate"})).await.good();
    if server.ends {
        assert!(!end.line("□ ").starts_with("detached"), "{}", end.text);
        return server.wait_for_end().await;
    }
    end.line("□ detached; the process keeps running");
    end.says("note: the debugger cannot end a program that it attached to by address");
    server.assert_runs_then_kill().await;
}

async fn debug_and_detach(stage: &mut Stage, running: &Answer, pid: u32, mut again: Value) {
    running.line("▶ running");
    let paused = stage.call("debug_pause", json!({})).await.good();
    assert_eq!(paused.reason(), "by pause");
    let output = stage.call("debug_output", json!({})).await.good();
    assert!(!output.text.to_lowercase().contains("attach"), "{}", output.text);
    let first = tick(&paused);
    stage.call("debug_breakpoints", json!({"set": [stage.at("sleeper", "loop")]})).await.good();
    let stop = stage.resume_to(1).await;
    stage.assert_stop(&stop, "sleeper", "main", "loop");
    let second = tick(&stop);
    assert!(second == first || second == first + 1, "{first} {second}");
    stage.call("debug_stop", json!({})).await.good().line("□ detached; the process keeps running");
    assert_runs_on(stage, pid).await;
    // The counter went on while detached, and no debugger traces the process.
    again["breakpoints"] = json!([format!("{} if 1 == 1", stage.at("sleeper", "loop"))]);
    let again = stage.call("debug_attach", again).await.good();
    stage.assert_stop(&again, "sleeper", "main", "loop");
    assert!(tick(&again) > second, "{}", again.text);
}

/// The patches of the debugger are loaded into a running process too, and again after a detach.
pub async fn coroutines_and_threads_stop_after_an_attach(stage: &mut Stage) {
    let mut child = spawn(&stage.language.command("server")).await;
    for (function, line) in [(1, 2), (3, 4)] {
        let stop = stage
            .call("debug_attach", json!({"pid": child.id(), "breakpoints": ["serve"]}))
            .await
            .good();
        assert_eq!(stop.reason(), format!("breakpoint #{function}"), "{}", stop.text);
        stage.assert_stop(&stop, "server", "serve", "serve");
        let edit = json!({"set": [stage.at("server", "round")], "remove": [function.to_string()]});
        stage.call("debug_breakpoints", edit).await.good();
        let first = stage.resume_to(line).await;
        let second = stage.resume_to(line).await;
        stage.assert_stop(&second, "server", "work", "round");
        assert_ne!(first.local("number"), second.local("number"));
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage
            .call("debug_stop", json!({}))
            .await
            .good()
            .line("□ detached; the process keeps running");
    }
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().await.unwrap();
}

/// The host and its adapter end; the process that was attached to keeps running.
pub async fn ended_host_detaches(stage: &mut Stage) {
    let mut child = sleeper(stage).await;
    stage.call("debug_attach", json!({"pid": child.id().unwrap()})).await.good().line("▶ running");
    stage.caller.hang_up();
    assert_eq!(stage.caller.wait_for_exit().await, Some(0));
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().await.unwrap();
}

/// The process is traced by another debugger: the error names it, and it keeps the process.
pub async fn traced_process_is_refused(stage: &mut Stage) {
    let mut child = sleeper(stage).await;
    let pid = child.id().unwrap();
    stage
        .call("debug_attach", json!({"pid": pid, "adapter": "gdb"}))
        .await
        .good()
        .line("▶ running");
    let refused = stage
        .caller
        .call("debug_attach", json!({"pid": pid, "adapter": stage.language.adapter()}))
        .await;
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let number = status.lines().find_map(|line| line.strip_prefix("TracerPid:")).unwrap().trim();
    let tracer = std::fs::read_to_string(format!("/proc/{number}/comm")).unwrap();
    let tracer = format!("{number} ({})", tracer.trim());
    let adapter = stage.language.adapter();
    refused.fails(&match stage.language.newest() {
        Language::Python => format!(
            "error[invalid-request] process {pid} is already traced by {tracer}; a process can \
            have one tracer. \
             Try: end that tracer first"
        ),
        Language::JavaScript => format!(
            "error[invalid-request] process {pid} does not start its inspector: {tracer} traces \
            it. \
             Try: end that tracer first"
        ),
        _ => format!(
            "error[traced] process {pid} cannot be attached to: process {tracer} debugs it \
            already, and only one can. \
             Try: debug_attach {{\"pid\": {pid}, \"adapter\": \"{adapter}\"}} (once that one has \
             detached)"
        ),
    });
    stage
        .call("debug_stop", json!({"session": "gdb-1"}))
        .await
        .good()
        .line("□ detached; the process keeps running");
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().await.unwrap();
}

/// The error comes at once, without waiting for the adapter's own timeout.
pub async fn process_of_another_language_is_refused(stage: &mut Stage) {
    #[expect(clippy::disallowed_methods, reason = "the program must not be the host's")]
    let mut other =
        tokio::process::Command::new("sleep").arg("60").kill_on_drop(true).spawn().unwrap();
    let pid = other.id().unwrap();
    let refused =
        stage.call("debug_attach", json!({"pid": pid, "adapter": stage.language.adapter()})).await;
    assert!(refused.is_error, "{}", refused.text);
    let (what, helps) = match stage.language.newest() {
        Language::JavaScript => (
            "Node.js",
            "give the pid of node; for another runtime give the address of its inspector",
        ),
        Language::Go => {
            let reply = format!(
                "process {pid} cannot be attached to: it runs sleep, which is not a go program"
            );
            assert!(
                refused.text.starts_with(&format!("error[no-such-process] {reply}. Try: ")),
                "{}",
                refused.text
            );
            return;
        }
        _ => ("Python", "give the pid of the interpreter"),
    };
    refused.says(&format!("process {pid} is not a {what} program: sleep"));
    refused.says(&format!(". Try: {helps}"));
    assert_eq!(other.try_wait().unwrap(), None);
    other.kill().await.unwrap();
}

/// Breakpoints in code loaded before the attach are set and reported as verified.
pub async fn breakpoints_in_loaded_code_bind_at_the_attach(stage: &mut Stage) {
    let text = "function work(n) {\n  return n + 1;\n}\n\nlet n = 0;\nsetInterval(() => {\n  n += \
        1;\n  \
                if (require(\"fs\").existsSync(`${__dirname}/go`)) work(n);\n}, \
                50);\nconsole.log(\"ready\");\n";
    let (dir, _) = crate::real::stage::workspace_with(&[("late.js", text)]).await;
    stage.start_in(dir.path()).await;
    let file = dir.path().join("late.js").canonicalize().unwrap().display().to_string();
    let child = spawn(&["node".to_owned(), "--inspect-port=0".to_owned(), file]).await;
    let attach = json!({"pid": child.id().unwrap(), "breakpoints": ["late.js:2"], "timeout_s": 2});
    stage.call("debug_attach", attach).await.good().line("▶ running");
    stage.call("debug_pause", json!({})).await.good();
    let reply = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(
        !reply.text.contains("UNVERIFIED") && !reply.text.contains("not loaded"),
        "{}",
        reply.text
    );
    std::fs::write(dir.path().join("go"), "").unwrap();
    let stop = stage.resume().await.good();
    assert_eq!(stop.place(), "work  late.js:2", "{}", stop.text);
    stage.call("debug_breakpoints", json!({})).await.good().says("late.js:2 · 1 hit");
    stage.call("debug_stop", json!({"mode": "terminate"})).await.good();
}

/// The inspector is found without connecting to ports that the program itself serves, neither at
/// the first attach nor once the inspector listens.
pub async fn attach_does_not_connect_to_the_programs_servers(stage: &mut Stage) {
    let text = "let asked = 0;\nconst own = () => require(\"net\").createServer((one) => { asked \
        += 1; one.destroy(); });\n\
                own().listen(0);\nown().listen(0, \"127.0.0.1\", () => console.log(\"ready\"));\n\
                setInterval(() => {\n  asked += 0;\n}, 50);\n";
    let (dir, _) = crate::real::stage::workspace_with(&[("serves.js", text)]).await;
    stage.start_in(dir.path()).await;
    let file = dir.path().join("serves.js").canonicalize().unwrap().display().to_string();
    for port in ["--inspect-port=0", "--inspect=0"] {
        let child = spawn(&["node".to_owned(), port.to_owned(), file.clone()]).await;
        for _ in 0..2 {
            let attach = json!({"pid": child.id().unwrap(), "breakpoints": ["serves.js:6"]});
            let stop = stage.call("debug_attach", attach).await.good();
            assert_eq!(stop.place(), "<anonymous>  serves.js:6", "{}", stop.text);
            let reply =
                stage.call("debug_evaluate", json!({"expressions": ["asked"]})).await.good();
            assert_eq!(reply.text, "asked = 0  (number)");
            stage.call("debug_breakpoints", json!({"clear": true})).await.good();
            stage
                .call("debug_stop", json!({}))
                .await
                .good()
                .line("□ detached; the process keeps running");
        }
    }
}

/// A detach right after the attach does not wait for messages that the adapter never sends.
pub async fn detach_right_after_the_attach(stage: &mut Stage) {
    let child = sleeper(stage).await;
    stage.call("debug_attach", json!({"pid": child.id().unwrap()})).await.good().line("▶ running");
    let started = std::time::Instant::now();
    stage.call("debug_stop", json!({})).await.good().line("□ detached; the process keeps running");
    // An adapter without an answer would take 8 s.
    assert!(started.elapsed().as_secs() < 4, "{:?}", started.elapsed());
}
