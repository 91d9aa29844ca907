//! Attached to what runs already: it is debugged, let go, and runs on.

use std::net::TcpListener;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;

use super::Stage;
use super::served::Server;
use super::stage::Language;
use crate::caller::{Answer, root, runs};

/// A sleeper of its own, which has said that it is ready.
pub async fn sleeper(stage: &Stage) -> Child {
    let mut words = stage.language.command("sleeper");
    if stage.language.newest() == Language::JavaScript {
        // Its inspector, once it is woken, listens wherever there is room.
        words.insert(1, "--inspect-port=0".to_owned());
    }
    spawn(&words).await
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

/// What its own runtime has stopped takes turns all the same: that is seen by what it counts.
pub async fn runs_on(stage: &Stage, pid: u32) {
    if !matches!(stage.language.newest(), Language::Python | Language::JavaScript) {
        runs(pid).await;
    }
}

fn tick(stop: &Answer) -> u32 {
    stop.local("tick").parse().unwrap()
}

pub async fn process_is_debugged_and_let_go(stage: &mut Stage) {
    let mut child = sleeper(stage).await;
    let target = json!({"pid": child.id().unwrap()});
    let running = stage.call("debug_attach", target.clone()).await.good();
    // As it was attached to: `Stage` names the adapter where there are two.
    let again = stage.call("debug_restart", json!({})).await;
    let why = "error[unsupported] it was attached to, not launched: there is nothing to start again. Try: debug_attach {";
    assert!(again.text.starts_with(why), "{}", again.text);
    debugged_and_let_go(stage, &running, child.id().unwrap(), target).await;
    stage.call("debug_stop", json!({"mode": "terminate"})).await.good();
    // debugpy has the program leave by itself.
    assert_eq!(child.wait().await.unwrap().success(), stage.language.newest() == Language::Python);
}

/// From outside, while it runs: a signal is no code.
pub async fn what_a_signal_ends_says_which(stage: &mut Stage) {
    for (signal, says) in [(Signal::KILL, "SIGKILL (9)"), (Signal::ABORT, "SIGABRT (6)")] {
        let child = sleeper(stage).await;
        let pid = child.id().unwrap();
        stage.call("debug_attach", json!({"pid": pid})).await.good().line("▶ running");
        kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), signal).unwrap();
        let mut end = stage.call("debug_wait", json!({})).await.good();
        // What can be caught stops first.
        if signal != Signal::KILL {
            assert_eq!(end.reason(), "signal SIGABRT");
            end = stage.resume().await.good();
        }
        end.line(&format!("□ ended by signal {says}"));
    }
}

/// Where it stands: the next move tells that, not that the adapter refused it. Where nobody saw
/// how, no way is made up.
pub async fn what_is_killed_where_it_stands_has_ended(stage: &mut Stage) {
    let step = ("debug_step", json!({"kind": "over"}));
    // Delve's older one finds another stop to tell of then.
    let step = (stage.language != Language::OldGo).then_some(step);
    for (tool, arguments) in [("debug_continue", json!({}))].into_iter().chain(step) {
        let mut child = sleeper(stage).await;
        let pid = child.id().unwrap();
        stage.call("debug_attach", json!({"pid": pid})).await.good().line("▶ running");
        stage.call("debug_pause", json!({})).await.good();
        kill_process(Pid::from_raw(pid.cast_signed()).unwrap(), Signal::KILL).unwrap();
        let end = stage.call(tool, arguments).await;
        // Some adapters notice it by themselves, and may have done so before.
        if end.text.starts_with("error[ended] ") {
            child.wait().await.unwrap();
            continue;
        }
        let end = end.good();
        let how = end.line("□ ended").split(" · ").next().unwrap().to_owned();
        let known = how == " by signal SIGKILL (9)";
        match stage.language.newest() {
            // Its server may have been asked too late to see how.
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

/// By the address that its debugger, or its inspector, listens on.
pub async fn server_is_debugged_and_let_go(stage: &mut Stage) {
    let mut server = Server::start(stage).await;
    let running = server.attach(stage).await;
    debugged_and_let_go(stage, &running, server.pid, server.again.clone()).await;
    end(stage, server).await;
}

/// What is behind an address has no symbols for CodeLLDB but those of a file that the caller names.
pub async fn an_address_needs_its_program(stage: &mut Stage) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let launch = json!({"address": address.to_string(), "adapter": stage.language.adapter()});
    stage.call("debug_attach", launch).await.fails(&format!(
        "error[invalid-request] CodeLLDB finds no symbols of what is behind an address: name its program. Try: \
         debug_attach {{\"address\": \"{address}\", \"adapter\": \"codelldb\", \"options\": {{\"program\": \"PROGRAM\"}}}}",
    ));
}

/// While it runs, without a stop before.
pub async fn server_that_runs_is_let_go_and_ended(stage: &mut Stage) {
    let mut server = Server::start(stage).await;
    server.attach(stage).await.line("▶ running");
    for _ in 0..2 {
        stage.call("debug_stop", json!({})).await.good().line("□ let go, it runs on");
        runs_on(stage, server.pid).await;
        stage.call("debug_attach", server.again.clone()).await.good().line("▶ running");
    }
    end(stage, server).await;
    let mut server = Server::start(stage).await;
    server.attach(stage).await.line("▶ running");
    end(stage, server).await;
}

/// Who listens tells which debugger it is.
pub async fn an_address_needs_no_adapter(stage: &mut Stage) {
    let server = Server::start(stage).await;
    let attach = json!({"address": format!("127.0.0.1:{}", server.port)});
    stage.caller.call("debug_attach", attach).await.good().line("▶ running");
    end(stage, server).await;
}

/// What listens may lead anywhere.
pub async fn an_address_of_nobody_known_needs_its_adapter(stage: &mut Stage) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    stage.caller.call("debug_attach", json!({"address": address.to_string()})).await.fails(&format!(
        "error[which-adapter] {address} does not say which adapter it wants; there are codelldb, debugpy, delve, gdb, \
         js-debug. Try: debug_attach {{\"address\": \"{address}\", \"adapter\": \"codelldb\"}}"
    ));
}

async fn end(stage: &mut Stage, server: Server) {
    let end = stage.call("debug_stop", json!({"mode": "terminate"})).await.good();
    if server.ends {
        assert!(!end.line("□ ").starts_with("let go"), "{}", end.text);
        return server.goes().await;
    }
    end.line("□ let go, it runs on");
    end.says("note: the debugger cannot end what it attached to by address");
    server.stays().await;
}

async fn debugged_and_let_go(stage: &mut Stage, running: &Answer, pid: u32, mut again: Value) {
    running.line("▶ running");
    let paused = stage.call("debug_pause", json!({})).await.good();
    assert_eq!(paused.reason(), "by pause");
    let output = stage.call("debug_output", json!({})).await.good();
    assert!(!output.text.to_lowercase().contains("attach"), "{}", output.text);
    let first = tick(&paused);
    stage.call("debug_breakpoints", json!({"set": [stage.at("sleeper", "loop")]})).await.good();
    let stop = stage.resume_to(1).await;
    stage.stands(&stop, "sleeper", "main", "loop");
    let second = tick(&stop);
    assert!(second == first || second == first + 1, "{first} {second}");
    stage.call("debug_stop", json!({})).await.good().line("□ let go, it runs on");
    runs_on(stage, pid).await;
    // It has counted on, and nobody traces it.
    again["breakpoints"] = json!([format!("{} if 1 == 1", stage.at("sleeper", "loop"))]);
    let again = stage.call("debug_attach", again).await.good();
    stage.stands(&again, "sleeper", "main", "loop");
    assert!(tick(&again) > second, "{}", again.text);
}

/// What is mended in a debugger comes into a process that runs as well, and once more after it was
/// let go.
pub async fn coroutines_and_threads_of_what_runs_stop(stage: &mut Stage) {
    let mut child = spawn(&stage.language.command("server")).await;
    for (function, line) in [(1, 2), (3, 4)] {
        let stop = stage
            .call("debug_attach", json!({"pid": child.id(), "breakpoints": ["serve"]}))
            .await
            .good();
        assert_eq!(stop.reason(), format!("breakpoint #{function}"), "{}", stop.text);
        stage.stands(&stop, "server", "serve", "serve");
        let edit = json!({"set": [stage.at("server", "round")], "remove": [function.to_string()]});
        stage.call("debug_breakpoints", edit).await.good();
        let first = stage.resume_to(line).await;
        let second = stage.resume_to(line).await;
        stage.stands(&second, "server", "work", "round");
        assert_ne!(first.local("number"), second.local("number"));
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.call("debug_stop", json!({})).await.good().line("□ let go, it runs on");
    }
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().await.unwrap();
}

/// The host goes and takes its adapter along; what it was attached to stays.
pub async fn host_that_ends_lets_go(stage: &mut Stage) {
    let mut child = sleeper(stage).await;
    stage.call("debug_attach", json!({"pid": child.id().unwrap()})).await.good().line("▶ running");
    stage.caller.hang_up();
    assert_eq!(stage.caller.ended().await, Some(0));
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().await.unwrap();
}

/// Another debugger has it: that one is named as what is in the way, and keeps it.
pub async fn what_is_traced_already_is_refused(stage: &mut Stage) {
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
            "error[invalid-request] process {pid} is traced by {tracer} already: only one debugger can be. \
             Try: end that one first"
        ),
        Language::JavaScript => format!(
            "error[invalid-request] process {pid} does not start its inspector: {tracer} traces it. \
             Try: end that one first"
        ),
        _ => format!(
            "error[traced] process {pid} cannot be attached to: process {tracer} debugs it already, and only one can. \
             Try: debug_attach {{\"pid\": {pid}, \"adapter\": \"{adapter}\"}} (once that one has let go)"
        ),
    });
    stage.call("debug_stop", json!({"session": "gdb-1"})).await.good().line("□ let go, it runs on");
    assert_eq!(child.try_wait().unwrap(), None);
    child.kill().await.unwrap();
}

/// What cannot be attached to is told at once, not once the adapter has given up.
pub async fn what_is_not_its_language_is_refused(stage: &mut Stage) {
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
            "name the process of node; of another runtime, the address of its inspector",
        ),
        Language::Go => {
            let told = format!(
                "process {pid} cannot be attached to: it runs sleep, which is no program of go"
            );
            assert!(
                refused.text.starts_with(&format!("error[no-such-process] {told}. Try: ")),
                "{}",
                refused.text
            );
            return;
        }
        _ => ("Python", "name the process of the interpreter"),
    };
    refused.says(&format!("process {pid} is no {what} program: sleep"));
    refused.says(&format!(". Try: {helps}"));
    assert_eq!(other.try_wait().unwrap(), None);
    other.kill().await.unwrap();
}

/// What was loaded before the debugger came: its breakpoints are set, and said to be.
pub async fn what_was_loaded_before_has_its_breakpoints(stage: &mut Stage) {
    let text = "function work(n) {\n  return n + 1;\n}\n\nlet n = 0;\nsetInterval(() => {\n  n += 1;\n  \
                if (require(\"fs\").existsSync(`${__dirname}/go`)) work(n);\n}, 50);\nconsole.log(\"ready\");\n";
    let (dir, _) = super::named::with(&[("late.js", text)]).await;
    stage.start_in(dir.path()).await;
    let file = dir.path().join("late.js").canonicalize().unwrap().display().to_string();
    let child = spawn(&["node".to_owned(), "--inspect-port=0".to_owned(), file]).await;
    let attach = json!({"pid": child.id().unwrap(), "breakpoints": ["late.js:2"], "timeout_s": 2});
    stage.call("debug_attach", attach).await.good().line("▶ running");
    stage.call("debug_pause", json!({})).await.good();
    let told = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(
        !told.text.contains("UNVERIFIED") && !told.text.contains("not loaded"),
        "{}",
        told.text
    );
    std::fs::write(dir.path().join("go"), "").unwrap();
    let stop = stage.resume().await.good();
    assert_eq!(stop.place(), "work  late.js:2", "{}", stop.text);
    stage.call("debug_breakpoints", json!({})).await.good().says("late.js:2 · 1 hit");
    stage.call("debug_stop", json!({"mode": "terminate"})).await.good();
}

/// The inspector is found without a word to what the program itself serves: not the first time, nor
/// once it listens.
pub async fn a_programs_own_servers_are_not_asked(stage: &mut Stage) {
    let text = "let asked = 0;\nconst own = () => require(\"net\").createServer((one) => { asked += 1; one.destroy(); });\n\
                own().listen(0);\nown().listen(0, \"127.0.0.1\", () => console.log(\"ready\"));\n\
                setInterval(() => {\n  asked += 0;\n}, 50);\n";
    let (dir, _) = super::named::with(&[("serves.js", text)]).await;
    stage.start_in(dir.path()).await;
    let file = dir.path().join("serves.js").canonicalize().unwrap().display().to_string();
    for port in ["--inspect-port=0", "--inspect=0"] {
        let child = spawn(&["node".to_owned(), port.to_owned(), file.clone()]).await;
        for _ in 0..2 {
            let attach = json!({"pid": child.id().unwrap(), "breakpoints": ["serves.js:6"]});
            let stop = stage.call("debug_attach", attach).await.good();
            assert_eq!(stop.place(), "<anonymous>  serves.js:6", "{}", stop.text);
            let told = stage.call("debug_evaluate", json!({"expressions": ["asked"]})).await.good();
            assert_eq!(told.text, "asked = 0  (number)");
            stage.call("debug_breakpoints", json!({"clear": true})).await.good();
            stage.call("debug_stop", json!({})).await.good().line("□ let go, it runs on");
        }
    }
}

/// Before it has told of itself: nobody waits for what never comes.
pub async fn what_was_just_attached_to_is_let_go_at_once(stage: &mut Stage) {
    let child = sleeper(stage).await;
    stage.call("debug_attach", json!({"pid": child.id().unwrap()})).await.good().line("▶ running");
    let asked = std::time::Instant::now();
    stage.call("debug_stop", json!({})).await.good().line("□ let go, it runs on");
    // An adapter that does not answer has 8 s.
    assert!(asked.elapsed().as_secs() < 4, "{:?}", asked.elapsed());
}
