//! How sessions begin and end: exit codes, signals, errors, arguments, output.

pub mod causes;
pub mod cpp_exceptions;
pub mod exceptions;
pub mod failures;
pub mod floods;
pub mod program_errors;

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::caller::root;
use crate::real::stage::{Language, Stage};

pub async fn exit_code_is_reported(stage: &mut Stage) {
    stage.launch("cart", json!({"args": ["fail"]})).await.good().line("□ exited with code 3");
    stage.launch("cart", json!({})).await.good().line("□ exited with code 0");
}

pub async fn signal_is_named(stage: &mut Stage) {
    if stage.language.newest() == Language::Go {
        return signal_of_go_is_named(stage).await;
    }
    let crash = stage.launch("crash", json!({"args": ["segv"]})).await.good();
    crash.says("SIGSEGV");
    crash.says("crashing: segv");
    let native = stage.language == Language::Rust || stage.language.is_c();
    if native {
        stage.assert_stop(&crash, "crash", "read", "segv");
        assert_eq!(crash.local("address"), "16");
        stage.call("debug_stop", json!({})).await.good();
    } else {
        crash.line("□ ended by signal SIGSEGV (11)");
    }
    let abort = stage.launch("crash", json!({"args": ["abort"]})).await.good();
    abort.says("SIGABRT");
    if native {
        stage.assert_stop(&abort, "crash", "main", "abort");
    }
    if stage.language.is_c() {
        stage.resume().await.good().line("□ ended by signal SIGABRT (6)");
        stage
            .launch("crash", json!({"args": ["kill"]}))
            .await
            .good()
            .line("□ ended by signal SIGKILL (9)");
    }
}

/// The Go runtime turns SIGSEGV into a panic, and prints the signal on its way out.
async fn signal_of_go_is_named(stage: &mut Stage) {
    let crash = stage.launch("crash", json!({"args": ["segv"]})).await.good();
    assert!(
        crash.reason().starts_with("on panic: runtime error: invalid memory address"),
        "{}",
        crash.text
    );
    stage.assert_stop(&crash, "crash", "read", "segv");
    assert_eq!(crash.local("address"), "16");
    stage.resume().await.good().line("□ exited with code 2");
    let output = stage.call("debug_output", json!({"grep": "SIGSEGV"})).await.good();
    output.says("[signal SIGSEGV: segmentation violation code=0x1 addr=0x10 ");
    let abort = stage.launch("crash", json!({"args": ["abort"]})).await.good();
    // Before 1.22 Delve has no breakpoint in the runtime's exit by a signal (proc/target.go,
    // `fatalsignal`).
    if stage.language == Language::Go {
        assert_eq!(abort.reason(), "signal a signal that ends the program");
        stage.assert_stop(&abort, "crash", "abort", "abort");
        stage.resume().await.good().line("□ exited with code 2");
    } else {
        abort.line("□ exited with code 2");
    }
    stage.call("debug_output", json!({"grep": "SIGABRT"})).await.good().says("SIGABRT: abort");
    stage
        .launch("crash", json!({"args": ["kill"]}))
        .await
        .good()
        .line("□ ended by signal SIGKILL (9)");
}

/// Errors that the runtime detects stop; panics that the program recovers from do not.
pub async fn fatal_errors_stop_and_recovered_panics_do_not(stage: &mut Stage) {
    let stop = stage.launch("crash", json!({"args": ["deadlock"]})).await.good();
    assert_eq!(stop.reason(), "on panic: fatal error: all goroutines are asleep - deadlock!");
    stage.assert_stop(&stop, "crash", "main", "deadlock");
    let mut end = stage.resume().await.good();
    // Sometimes another thread of Go's runtime detects the deadlock before the first one has ended
    // the program.
    if end.text.starts_with('■') {
        assert_eq!(end.reason(), "on panic: fatal error: all goroutines are asleep - deadlock!");
        end = stage.resume().await.good();
    }
    end.line("□ exited with code 2");
    stage.launch("crash", json!({"args": ["caught"]})).await.good().line("□ exited with code 0");
}

pub async fn uncaught_error_stops_at_the_users_frame(stage: &mut Stage) {
    let stop = stage.launch("crash", json!({"args": ["raise"]})).await.good();
    stop.says("bad order 7");
    let (kind, function, mark) = stage.pick(
        ("exception RuntimeError", "load", "raise"),
        ("on panic", "parse", "parse"),
        ("on panic", "parse", "parse"),
        ("exception Error: bad order 7", "load", "raise"),
        ("signal SIGABRT", "parse", "parse"),
    );
    assert!(stop.reason().starts_with(kind), "{}", stop.text);
    stage.assert_stop(&stop, "crash", function, mark);
    stop.says("zwölf");
    let mut end = stage.resume().await.good();
    // A program that aborts stops once more before its end.
    if end.text.starts_with('■') {
        end = stage.resume().await.good();
    }
    end.line(stage.pick(
        "□ exited with code 1",
        "□ exited with code 101",
        "□ exited with code 2",
        "□ exited with code 1",
        "□ ended by signal SIGABRT (6)",
    ));
}

pub async fn arguments_and_environment_arrive_unchanged(stage: &mut Stage) {
    let args = [
        "two words",
        "it's \"quoted\" $HOME `x`",
        "",
        "back\\slash *",
        "größe 世界",
        "-x",
        "${value:host} ${asset:.}",
    ];
    let greeting = "Grüße,\n  \"世界\" = $PATH ${value:port:x}";
    let end =
        stage.launch("args_env", json!({"args": args, "env": {"GREETING": greeting}})).await.good();
    end.line("□ exited with code 0");
    let output = stage.call("debug_output", json!({})).await.good();
    for (index, arg) in args.iter().enumerate() {
        output.says(&format!("arg {}: {arg}\n", index + 1));
    }
    output.says(&format!("greeting: {greeting}\ninherited: true\n"));
    stage
        .launch("args_env", json!({"args": ["two\nlines"], "env": {"CARGO_MANIFEST_DIR": null}}))
        .await
        .good();
    let output = stage.call("debug_output", json!({})).await.good();
    output.says("arg 1: two\nlines\ngreeting: (unset)\ninherited: false\n");
}

/// The system takes 128 KiB for one string, and more for all of them.
pub async fn large_arguments_and_environment_arrive(stage: &mut Stage) {
    let args: Vec<_> = (0..300).map(|number| format!("{number}'{}", "z".repeat(1024))).collect();
    let mut env = json!({"GREETING": format!("{}!", "g".repeat(100 * 1024))});
    for number in 0..400 {
        env[format!("LARGE_{number}")] = "é".repeat(256).into();
    }
    let end = stage.launch("args_env", json!({"args": args, "env": env})).await.good();
    end.line("□ exited with code 0");
    for (begin, line) in [("arg 300: ", "arg 300: 299'zzz"), ("greeting: ", "greeting: ggg")] {
        let grep = json!({"since": 0, "grep": format!("^{begin}")});
        stage.call("debug_output", grep).await.good().says(line);
    }
    let env = json!({"env": {"GREETING": "g".repeat(140 * 1024)}});
    stage.launch("args_env", env).await.says(
        "error[bad-argument] env GREETING has 143369 bytes, and the system starts no program with \
         more than 131071 in one string",
    );
    let args = json!({"args": ["one", "z".repeat(128 * 1024)]});
    let refused = stage.launch("args_env", args).await;
    refused.says("error[bad-argument] args[1] has 131072 bytes");
}

pub async fn relative_program_and_cwd(stage: &mut Stage) {
    let end = stage.launch("args_env", json!({"cwd": "tests/fixtures"})).await.good();
    end.says(&format!("cwd: {}", root().join("tests/fixtures").display()));
    let program = format!("./{}", stage.language.program("args_env"));
    let end = stage.call("debug_launch", json!({"program": program})).await.good();
    end.says(&format!("cwd: {}", root().display()));
}

pub async fn output_keeps_its_order(stage: &mut Stage) {
    let half = stage.at("output", "half");
    let stop = stage.launch("output", json!({"breakpoints": [half]})).await.good();
    stage.assert_stop(&stop, "output", "main", "half");
    stage.resume().await.good().line("□ exited with code 0");
    let all = stage.call("debug_output", json!({"stream": "stdout", "since": 0})).await.good();
    let lines: Vec<_> = all.text.lines().filter(|line| line.starts_with("line ")).collect();
    assert_eq!(lines, (0..200).map(|number| format!("line {number:03}")).collect::<Vec<_>>());
    all.says("line 199\nfirst half, second half\nno end (line not ended)");
    let errors = stage.call("debug_output", json!({"since": 0, "grep": "^warning"})).await.good();
    // A Rust program runs in a terminal, and one of Go with one pipe for both streams.
    let prefix =
        stage.pick("stderr| warning ", "warning ", "warning ", "stderr| warning ", "warning ");
    let warnings: Vec<_> =
        errors.text.lines().filter_map(|line| line.strip_prefix(prefix)).collect();
    assert_eq!(warnings, (0..10).map(|number| format!("{:03}", number * 20)).collect::<Vec<_>>());
}

/// All output is stored, and the stop has its stack and locals.
pub async fn stop_after_much_output_is_complete(stage: &mut Stage) {
    let python = "for i in range(20000): print('line', i, flush=True)\nx = 1\n";
    let javascript = "for (var i = 0; i < 20000; i++) console.log('line', i);\nvar x = 1;\n";
    let (name, text) =
        stage.pick(("much.py", python), ("", ""), ("", ""), ("much.js", javascript), ("", ""));
    let (dir, _) = crate::real::stage::workspace_with(&[(name, text)]).await;
    stage.start_in(dir.path()).await;
    let launch = json!({"program": name, "breakpoints": [format!("{name}:2")], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with(&format!("{name}:2")), "{}", stop.text);
    let mut notes = stop.text.lines().filter(|line| line.starts_with("note: "));
    let coming = "note: the debugger says: output is still coming";
    let is_coming = notes.clone().any(|note| note.starts_with(coming));
    assert!(stop.text.contains("i="), "{}", stop.text);
    assert!(notes.all(|note| note.starts_with(coming)), "{}", stop.text);
    let last = stage.call("debug_output", json!({"tail": 1})).await.good();
    assert!(is_coming || last.text.contains("line 19999\n"), "{}", last.text);
    stage.call("debug_evaluate", json!({"expressions": ["i"]})).await.good().says(stage.pick(
        "i = 19999  (int)",
        "",
        "",
        "i = 20000  (number)",
        "",
    ));
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn stop_leaves_no_process(stage: &mut Stage) {
    stage.start_sleeper().await;
    assert!(stage.caller.mark.alive().len() > 3, "{:?}", stage.caller.mark.alive());
    let end = stage.call("debug_stop", json!({})).await.good();
    end.line("□ ended; no process is left");
    // The host and its guard stay for the next session.
    let left = stage.caller.mark.alive();
    let goes_on = |words: &str| left.iter().any(|line| line.contains(words));
    assert!(left.len() == 2 && goes_on("dapdock mcp") && goes_on("dapdock guard"), "{left:#?}");
    stage.launch("cart", json!({})).await.good().line("□ exited with code 0");
    stage.caller.hang_up();
    assert_eq!(stage.caller.wait_for_exit().await, Some(0));
    stage.caller.mark.wait_until_gone(Duration::from_secs(2), "after the caller went").await;
}

pub async fn restart_keeps_breakpoints_and_watches(stage: &mut Stage) {
    let first =
        stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await.good();
    stage.call("debug_evaluate", json!({"expressions": ["index + 7"], "watch": true})).await.good();
    stage.resume_to(1).await.says("index + 7 = 8");
    let again = stage.call("debug_restart", json!({})).await.good();
    stage.assert_stop(&again, "cart", "total_of", "loop");
    assert_eq!(again.line("watch: "), "index + 7 = 7");
    again.says("breakpoint #1 · stop 1 · ");
    let session =
        |answer: &crate::caller::Answer| answer.text.split(" · ").nth(2).unwrap().to_owned();
    assert_ne!(session(&first), session(&again));
    let gone = stage.call("debug_stack", json!({"session": session(&first)})).await;
    assert!(gone.is_error && gone.text.starts_with("error[ended] "), "{}", gone.text);
    stage.call("debug_stop", json!({})).await.good();
    let third = stage.call("debug_restart", json!({})).await.good();
    stage.assert_stop(&third, "cart", "total_of", "loop");
}

/// The usual sequence: the program crashes, a breakpoint is set, the program is restarted.
pub async fn restart_uses_later_breakpoint_edits(stage: &mut Stage) {
    let places = [stage.at("cart", "add"), stage.at("cart", "main")];
    stage.call("debug_breakpoints", json!({"set": [places[0], places[1]]})).await.good();
    // A change that the launch made to an earlier breakpoint stays.
    let hit = json!([{"at": places[1], "hit_condition": "1"}]);
    let stop = stage.launch("cart", json!({"breakpoints": hit})).await.good();
    stage.assert_stop(&stop, "cart", "main", "main");
    stage.call("debug_stop", json!({})).await.good();
    stage
        .call("debug_breakpoints", json!({"remove": ["1"], "set": [stage.at("cart", "loop")]}))
        .await
        .good();
    // A launch refused for its arguments is not what a restart repeats.
    let refused = json!({"program": stage.language.program("cart"), "options": {"no_such_key": 1}});
    assert!(stage.call("debug_launch", refused).await.is_error);
    let stop = stage.call("debug_restart", json!({})).await.good();
    stage.assert_stop(&stop, "cart", "main", "main");
    assert_eq!(stop.reason(), "breakpoint #2");
    let stop = stage.resume_to(3).await;
    stage.assert_stop(&stop, "cart", "total_of", "loop");
    stage.resume_to(3).await;
    stage
        .call("debug_breakpoints", json!({}))
        .await
        .good()
        .line(&format!(" #2 {} · hits 1", places[1]));
}

/// The breakpoints of an ended session can be edited, by its name or while no session is open.
pub async fn breakpoints_of_an_ended_session_are_edited(stage: &mut Stage) {
    let [add, before, every] =
        [stage.at("cart", "add"), stage.at("cart", "main"), stage.at("cart", "loop")];
    let first = stage.launch("cart", json!({"breakpoints": [before, add]})).await.good();
    let session = first.text.split(" · ").nth(2).unwrap().to_owned();
    stage.call("debug_stop", json!({})).await.good();
    let list =
        stage.call("debug_breakpoints", json!({"remove": [before], "set": [every]})).await.good();
    let again = format!("{session} has ended: debug_restart session={session} sets them again");
    assert_eq!(list.text, format!("2 breakpoints\n #2 {add}\n+#3 {every} · pending\n{again}"));
    let list =
        stage.call("debug_breakpoints", json!({"session": session, "disable": [add]})).await.good();
    assert_eq!(
        list.text,
        format!("2 breakpoints\n #2 {add} · disabled\n #3 {every} · pending\n{again}")
    );
    let status = stage.call("debug_status", json!({"session": session})).await.good();
    let listed: Vec<&str> = status.text.lines().filter(|line| line.starts_with("  #")).collect();
    assert!(
        listed.len() == 2 && listed[0].starts_with(&format!("  #2 {add} · disabled")),
        "{}",
        status.text
    );
    assert!(listed[1].starts_with(&format!("  #3 {every} · ")), "{}", status.text);
    let stop = stage.call("debug_restart", json!({})).await.good();
    assert_eq!(stop.reason(), "breakpoint #3");
    stage.resume_to(3).await;
    stage.call("debug_stop", json!({})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good().line("no breakpoints");
    stage.call("debug_restart", json!({})).await.good().line("□ exited with code 0");
}

/// After the end each breakpoint has its hits, and none waits for code.
pub async fn list_after_the_end_has_its_hits(stage: &mut Stage) {
    let [every, never] = [stage.at("cart", "loop"), stage.at("cart", "add")];
    let never = format!("{never} if net == 1");
    let stop = stage.launch("cart", json!({"breakpoints": [every, never]})).await.good();
    let session = stop.text.split(" · ").nth(2).unwrap().to_owned();
    for index in ["0", "1", "2", "3"] {
        let now = stage.call("debug_evaluate", json!({"expressions": ["index"]})).await.good();
        assert!(now.text.starts_with(&format!("index = {index}  (")), "{}", now.text);
        if index != "3" {
            stage.resume_to(1).await;
        }
    }
    stage.resume().await.good().line("□ exited with code 0");
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    let again = format!("{session} has ended: debug_restart session={session} sets them again");
    let expected = format!("2 breakpoints\n #1 {every} · 4 hits\n #2 {never}\n{again}");
    assert_eq!(list.text, expected);
}

/// The program's loader does not exist.
pub async fn program_that_cannot_be_executed_is_reported(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (program, loader) = (dir.path().join("cart"), b"/lib64/ld-linux-x86-64.so.2");
    let mut bytes = std::fs::read(root().join(stage.language.program("cart"))).unwrap();
    let at = bytes.windows(loader.len()).position(|window| window == loader).unwrap();
    bytes[at..at + 7].copy_from_slice(b"/nope6/");
    std::fs::write(&program, bytes).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    let end = stage.call("debug_launch", json!({"program": program})).await;
    if stage.language.adapter() == "codelldb" {
        return end.fails(&format!(
            "error[adapter-refused] Cannot launch '{}': execve failed: No such file or directory. \
             Try: debug_status {{\"detail\": \"log\", \"session\": \"codelldb-1\"}}",
            program.display()
        ));
    }
    let end = end.good();
    end.line("□ exited with code 127");
    end.says(
        "the debugger says: the program could not be run: During startup program exited with \
        code 127.",
    );
}

/// Without standard input a program that reads it gets end of file at once.
pub async fn standard_input_is_at_its_end(stage: &mut Stage) {
    let end = stage.launch("stdin", json!({})).await.good();
    end.line("□ exited with code 0");
    end.says("read 0");
}

/// The file name needs quoting in every debugger's command line.
pub async fn standard_input_from_a_file(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a 'b' \"ü\" \\c.txt"), "x".repeat(70_001)).unwrap();
    let arguments = json!({"cwd": dir.path(), "options": {"stdin": "a 'b' \"ü\" \\c.txt"}});
    let end = stage.launch("stdin", arguments).await.good();
    end.line("□ exited with code 0");
    end.says("read 70001");
    let gone = stage.launch("stdin", json!({"options": {"stdin": "nosuch.txt"}})).await;
    let program = stage.language.program("stdin");
    let expected = format!(
        "error[bad-path] stdin nosuch.txt does not exist; `options.stdin` is a file whose text \
        is given to the program. Try: debug_launch {{\"program\": \"{program}\", "
    );
    assert!(
        gone.is_error && gone.text.starts_with(&expected) && !gone.text.contains("\"options\""),
        "{}",
        gone.text
    );
}

pub async fn standard_input_is_refused(stage: &mut Stage) {
    let end = stage.launch("stdin", json!({"options": {"stdin": "Cargo.toml"}})).await;
    end.fails(
        "error[unsupported] js-debug gives a program no standard input. \
         Try: debug_launch {\"program\": \"tests/fixtures/javascript/stdin.js\", \"timeout_s\": \
         50}",
    );
}

/// The message that the title shortens follows with its place; no newline appears as `\n`.
pub async fn panic_message_is_complete(stage: &mut Stage) {
    let stop = stage.launch("crash", json!({"args": ["equal"]})).await.good();
    assert_eq!(stop.reason(), "on panic: assertion `left == right` failed");
    let place = stage.at("crash", "equal").replace("tests/fixtures/rust/", "");
    stop.line(&format!("! assertion `left == right` failed; left: 2; right: 3  at {place}:"));
    // The full stack follows the message.
    let launch = json!({"args": ["borrow"], "env": {"RUST_BACKTRACE": "full"}});
    let stop = stage.launch("crash", launch).await.good();
    assert_eq!(stop.reason(), "on panic: RefCell already borrowed");
    stage.assert_stop(&stop, "crash", "main", "borrow");
}

/// Ending a stopped program executes no further line.
pub async fn no_line_runs_after_the_end(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "print")]})).await.good();
    let end = stage.call("debug_stop", json!({})).await.good();
    assert!(end.text.starts_with("□ ended; no process is left"), "{}", end.text);
    let printed = stage.call("debug_output", json!({"stream": "stdout"})).await.good();
    printed.says("Grüße, 世界");
    assert!(!printed.text.contains("Heft"), "{}", printed.text);
}

/// The adapter was not asked to end: every later answer says that it did, and no process is left.
pub async fn killed_adapter_ends_the_session(stage: &mut Stage) {
    stage.start_sleeper().await;
    kill_adapter(stage);
    let end = stage.call("debug_wait", json!({})).await.good();
    end.line("□ the session failed · ");
    assert!(
        end.line("! the adapter ended during ").starts_with("the run: signal 9"),
        "{}",
        end.text
    );
    assert_ended(stage, "the run").await;
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "loop")]})).await.good();
    kill_adapter(stage);
    // The step may be sent before the end of the adapter is noticed.
    let end = stage.call("debug_step", json!({})).await;
    if end.is_error {
        end.says("the adapter ended during the stop");
    } else {
        end.says("! the adapter ended during the run: signal 9");
    }
    assert_ended(stage, if end.is_error { "the stop" } else { "the run" }).await;
}

fn kill_adapter(stage: &Stage) {
    let pid = i32::try_from(stage.caller.mark.adapter()).ok().and_then(Pid::from_raw).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
}

async fn assert_ended(stage: &mut Stage, during: &str) {
    stage.caller.mark.only_host(Duration::from_secs(2)).await;
    let gone = stage.call("debug_stack", json!({})).await;
    assert!(gone.is_error && gone.text.starts_with("error[ended] session "), "{}", gone.text);
    gone.says(&format!(" has ended: the adapter ended during {during}"));
    assert_eq!(gone.text.lines().count(), 1, "{}", gone.text);
}
