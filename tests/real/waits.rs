//! Waiting, pausing, and several sessions.

use serde_json::json;

use crate::caller::Answer;
use crate::real::Stage;

pub async fn pause_in_a_sleep_then_continue(stage: &mut Stage) {
    stage.start_sleeper().await;
    let waiting = stage.caller.begin("debug_wait", json!({"timeout_s": 50})).await;
    let stop = stage.call("debug_pause", json!({})).await.good();
    assert_eq!(stop.reason(), "by pause", "{}", stop.text);
    let source = stage.language.source("sleeper");
    assert!(stop.place().contains(&source), "{}", stop.text);
    // The pending wait returns the same stop.
    let seen = stage.caller.answer(waiting).await.good();
    assert_eq!(seen.reason(), stop.reason());
    // The pause may interrupt a thread of the runtime or a signal handler.
    for _ in 0..4 {
        stage.call("debug_continue", json!({"timeout_s": 0.2})).await.good().line("▶ running");
        let stop = stage.call("debug_pause", json!({})).await.good();
        assert_eq!(stop.reason(), "by pause", "{}", stop.text);
        assert!(stop.place().contains(&source), "{}", stop.text);
    }
}

/// The step starts at the frame shown by the stop, not in the sleep that it called.
pub async fn step_from_a_sleep_ends_in_user_code(stage: &mut Stage) {
    stage.start_sleeper().await;
    for kind in ["over", "out"] {
        // Sometimes the pause comes between two sleeps.
        while !stage.call("debug_pause", json!({})).await.good().text.contains("(called into ") {
            stage.call("debug_continue", json!({"timeout_s": 0.2})).await.good().line("▶ running");
        }
        let stop = stage.call("debug_step", json!({"kind": kind})).await.good();
        assert_eq!(stop.reason(), "after step", "{}", stop.text);
        assert!(stop.place().contains(&stage.language.source("sleeper")), "{}", stop.text);
        assert!(!stop.text.contains("(called into "), "{}", stop.text);
        stage.call("debug_continue", json!({"timeout_s": 0.2})).await.good().line("▶ running");
    }
}

/// Threads in C code are reported with their places and what they wait for, by a pause and without
/// one. The pause stops at one of them.
pub async fn deadlock_shows_where_each_thread_waits(stage: &mut Stage) {
    let waits = [("take_both", "second"), ("main", "main")];
    assert_places_running(stage, "locks", &waits).await;
    let since = std::time::Instant::now();
    let stop = stage.call("debug_pause", json!({})).await.good();
    assert!(since.elapsed().as_millis() < 2_000, "{:?}", since.elapsed());
    assert_eq!(stop.reason(), "by pause", "{}", stop.text);
    stage.assert_stop(&stop, "deadlock", "main", "main");
    assert_places(stage, &stop, &waits);
    let line = stage.at("deadlock", "second");
    let line = line.rsplit(':').next().unwrap();
    let why = " · waits: lock `second`, which Thread-";
    assert_eq!(stop.text.matches(why).count(), 2, "{}", stop.text);
    stop.says(&format!(" (take_both) has, in take_both line {line}"));
    let values = json!({"expressions": ["len(workers)", "jobs.clear()"]});
    let values = stage.call("debug_evaluate", values).await.good();
    values.says("len(workers) = 2");
    values.says("may change the program; not possible while its thread is in native code");
    let refused = json!({"expressions": ["jobs.clear()"], "effects": "allow"});
    stage
        .call("debug_evaluate", refused)
        .await
        .good()
        .says("its thread is in native code, so no code that may have effects can run there");
    let set = stage.call("debug_set", json!({"target": "jobs", "value": "1"})).await;
    assert!(set.is_error, "{}", set.text);
    set.says("no code that may have effects can run there");
    let worker = json!({"thread": "2", "path": "second"});
    stage.call("debug_variables", worker).await.good().line("<locked _thread.lock");
    stage.call("debug_continue", json!({"timeout_s": 0.1})).await.good().line("▶ running");
}

/// A step from a thread in C code ends where it would from a thread that has stopped there.
pub async fn blocked_thread_steps_to_its_next_line(stage: &mut Stage) {
    let place = stage.at("deadlock", "while");
    stage.launch("deadlock", json!({"args": ["while"], "breakpoints": [place]})).await.good();
    stage.call("debug_continue", json!({"wait": false})).await.good();
    let stop = stage.call("debug_pause", json!({})).await.good();
    assert_eq!(stop.reason(), "by pause", "{}", stop.text);
    stage.assert_stop(&stop, "deadlock", "wait_a_while", "while");
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!(stop.reason(), "after step", "{}", stop.text);
    stage.assert_stop(&stop, "deadlock", "wait_a_while", "awake");
    stage.resume().await.good().line("□ exited with code 0");
}

/// Another thread has stopped, and has the lock that the stepping thread waits for.
pub async fn step_of_a_blocked_thread_resumes_the_others(stage: &mut Stage) {
    let place = stage.at("blocked", "all wait");
    for kind in ["over", "in"] {
        stage.launch("blocked", json!({"breakpoints": [place]})).await.good();
        let stop = stage.call("debug_step", json!({"thread": "w3", "kind": kind})).await.good();
        assert_eq!(stop.reason(), "after step", "{}", stop.text);
        assert!(stop.line("■ stopped").contains(" · w3 ("), "{}", stop.text);
        stage.assert_stop(&stop, "blocked", "worker", "number");
        stage.resume().await.good().line("□ exited with code 0");
    }
}

pub async fn step_at_its_time_limit_says_what_blocks_it(stage: &mut Stage) {
    let waits = [("take_both", "second"), ("main", "main")];
    assert_places_running(stage, "locks", &waits).await;
    stage.call("debug_pause", json!({})).await.good();
    let step = json!({"thread": "2", "timeout_s": 1});
    let runs = stage.call("debug_step", step).await.good();
    runs.line("▶ running · ");
    let note = runs.line("note: the time limit of 1 s was reached during the step: thread ");
    assert!(note.contains(" (2) is blocked, waits: lock `second`, which Thread-"), "{note}");
    assert!(note.ends_with("; debug_wait waits on, debug_pause stops it"), "{note}");
    let steps = json!({"thread": "2", "count": 2, "timeout_s": 1});
    stage.call("debug_pause", json!({})).await.good();
    let runs = stage.call("debug_step", steps).await.good();
    runs.line("note: the time limit of 1 s was reached during step 1 of 2: ");
}

/// Its thread stops where it goes on, without another stop; the next step begins there.
pub async fn blocked_thread_that_goes_on_stops(stage: &mut Stage) {
    let place = stage.at("deadlock", "while");
    stage.launch("deadlock", json!({"args": ["while"], "breakpoints": [place]})).await.good();
    stage.call("debug_continue", json!({"wait": false})).await.good();
    stage.call("debug_pause", json!({})).await.good();
    let expected = format!("wait_a_while  {}", stage.at("deadlock", "awake"));
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    loop {
        let stack = stage.call("debug_stack", json!({"all_threads": true})).await.good();
        if stack.text.contains(&expected) {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "{}", stack.text);
    }
    let value = stage.call("debug_evaluate", json!({"expressions": ["1 + 1"]})).await.good();
    value.says("1 + 1 = 2");
    let output = stage.call("debug_output", json!({})).await.good();
    assert!(!output.text.contains("awake"), "{}", output.text);
    stage.resume().await.good().line("□ exited with code 0");
}

/// An idle program stops as soon as it executes code; breakpoint edits in between do not cancel the
/// pause.
pub async fn pause_survives_breakpoint_edits(stage: &mut Stage) {
    stage.launch("idle", json!({"breakpoints": [stage.at("idle", "begin")]})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.call("debug_continue", json!({"wait": false})).await.good();
    let pause = stage.caller.begin("debug_pause", json!({})).await;
    for _ in 0..2 {
        let never = format!("{} if turn < 0", stage.at("idle", "awake"));
        stage.call("debug_breakpoints", json!({"set": [never]})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
    let stop = stage.caller.answer(pause).await.good();
    assert_eq!(stop.reason(), "by pause", "{}", stop.text);
}

pub async fn idle_threads_show_where_they_wait(stage: &mut Stage) {
    assert_places_running(stage, "queue", &[("wait_for_work", "get"), ("main", "main")]).await;
    let one = stage.call("debug_stack", json!({"thread": "MainThread"})).await.good();
    assert_places(stage, &one, &[("main", "main")]);
    assert!(!one.text.contains("wait_for_work"), "{}", one.text);
}

/// Without waiting for the threads.
pub async fn stacks_of_blocked_threads_are_read_at_once(stage: &mut Stage) {
    let place = stage.at("blocked", "all wait");
    stage.launch("blocked", json!({"breakpoints": [place]})).await.good();
    let since = std::time::Instant::now();
    let all = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    // pydevd alone takes half a second for each thread.
    assert!(since.elapsed().as_millis() < 2_000, "{:?}", since.elapsed());
    all.line("12 threads: w0 (2), w1 (3), ");
    all.says(&format!("#0 worker  {}", stage.at("blocked", "gate")));
    let value = stage
        .call("debug_evaluate", json!({"thread": "w3", "expressions": ["number"]}))
        .await
        .good();
    value.says("number = 3");
    stage.resume().await.good().line("□ exited with code 0");
}

async fn assert_places_running(stage: &mut Stage, how: &str, waits: &[(&str, &str)]) {
    let place = stage.at("deadlock", "main");
    let stop =
        stage.launch("deadlock", json!({"args": [how], "breakpoints": [place]})).await.good();
    stage.assert_stop(&stop, "deadlock", "main", "main");
    stage.call("debug_continue", json!({"timeout_s": 0.3})).await.good().line("▶ running");
    let reply = stage.call("debug_stack", json!({})).await.good();
    reply.says("not stopped");
    assert_places(stage, &reply, waits);
}

fn assert_places(stage: &Stage, reply: &Answer, waits: &[(&str, &str)]) {
    for (function, mark) in waits {
        reply.says(&format!(" {function}  {}", stage.at("deadlock", mark)));
    }
}

pub async fn timed_out_wait_reports_the_running_program(stage: &mut Stage) {
    let place = stage.at("sleeper", "loop");
    let stop = stage
        .launch("sleeper", json!({"breakpoints": [format!("{place} if tick == 2")]}))
        .await
        .good();
    assert_eq!(stop.local("tick"), "2");
    stage
        .call(
            "debug_breakpoints",
            json!({"set": [format!("{place} if tick < 0")], "remove": ["1"]}),
        )
        .await
        .good();
    let runs = stage.call("debug_continue", json!({"timeout_s": 0.5})).await.good();
    assert!(runs.line("▶ running").contains(" CPU"), "{}", runs.text);
    runs.says("armed:\n  #2 ");
    runs.line("next: debug_wait");
    stage.call("debug_wait", json!({"timeout_s": 0.1})).await.good().line("▶ running");
}

/// Whether the adapter reports the program's process or not.
pub async fn running_program_says_whether_it_waits(stage: &mut Stage) {
    stage.start_sleeper().await;
    let runs = stage.call("debug_wait", json!({"timeout_s": 2})).await.good();
    assert!(cpu_percent(&runs).is_some_and(|percent| percent < 50), "{}", runs.text);
}

/// The program itself, and the program of a command that starts it.
pub async fn computing_program_shows_its_cpu_use(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("compute.js", "for (;;);\n");
    write("package.json", r#"{"scripts": {"compute": "node compute.js"}}"#);
    stage.start_in(dir.path()).await;
    for launch in [json!({"program": "compute.js"}), json!({"command": "npm run compute"})] {
        let mut launch = launch;
        launch["wait"] = json!(false);
        stage.call("debug_launch", launch).await.good();
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(40);
        loop {
            // The command may not have started its program yet.
            let runs = stage.call("debug_wait", json!({"timeout_s": 2})).await.good();
            if cpu_percent(&runs).is_some_and(|percent| percent > 20) {
                break;
            }
            assert!(std::time::Instant::now() < deadline, "{}", runs.text);
        }
        stage.call("debug_stop", json!({})).await.good();
    }
}

/// As the first line of a running program says; none: it says nothing.
fn cpu_percent(runs: &Answer) -> Option<u32> {
    let line = runs.line("▶ running");
    match line.split(" · ").last()? {
        "waiting, uses no CPU" => Some(0),
        figure => figure.strip_prefix("uses ")?.strip_suffix(" % CPU")?.parse().ok(),
    }
}

pub async fn wait_for_named_breakpoints(stage: &mut Stage) {
    stage.start_sleeper().await;
    let never = format!("{} if tick < 0", stage.at("sleeper", "loop"));
    stage
        .call("debug_breakpoints", json!({"set": [stage.at("sleeper", "nap"), never]}))
        .await
        .good();
    let unknown = stage.call("debug_wait", json!({"breakpoints": [3, 99]})).await;
    assert!(unknown.is_error, "{}", unknown.text);
    unknown.says(
        "error[unknown-breakpoint] there is no breakpoint #99; there are #2, #3. Try: \
        debug_breakpoints",
    );
    let elsewhere = stage.call("debug_wait", json!({"breakpoints": [3]})).await.good();
    elsewhere.line("stopped elsewhere, not on #3:");
    stage.assert_stop(&elsewhere, "sleeper", "nap", "nap");
    stage.call("debug_continue", json!({"wait": false})).await.good();
    let wanted = stage.call("debug_wait", json!({"breakpoints": [2]})).await.good();
    assert_eq!(wanted.reason(), "breakpoint #2");
    assert!(!wanted.text.contains("stopped elsewhere"), "{}", wanted.text);
}

pub async fn stop_at_entry(stage: &mut Stage) {
    let stop = stage.launch("output", json!({"options": {"stop_on_entry": true}})).await.good();
    assert_eq!(stop.reason(), "at entry");
    let main = stage.function("output", "main");
    let function = stage.pick("<module>", &main, &main, "<anonymous>", &main);
    assert_eq!(stop.place(), format!("{function}  {}", stage.at("output", "entry")));
    let output = stage.call("debug_output", json!({})).await.good();
    assert!(!output.text.contains("line 000"), "{}", output.text);
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn two_sessions_at_once(stage: &mut Stage) {
    let adapter = stage.language.adapter();
    let names = [format!("{adapter}-1"), format!("{adapter}-2")];
    let first =
        stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    first.says(&names[0]);
    let second =
        stage.launch("deep", json!({"breakpoints": [stage.at("deep", "bottom")]})).await.good();
    second.says(&names[1]);
    stage.assert_stop(&second, "deep", "descend", "bottom");
    stage.resume().await.fails(&format!(
        "error[which-session] 2 sessions are open, the one used last first: {}, {}. Try: \
        debug_continue {{\"session\": \"{}\"}}",
        names[1], names[0], names[1]
    ));
    let net = json!({"session": names[0], "expressions": ["net"]});
    stage.call("debug_evaluate", net).await.good().says("net = 1000");
    // The session used last is proposed, not the one launched last.
    let proposed = format!("Try: debug_continue {{\"session\": \"{}\"}}", names[0]);
    let refused = stage.resume().await;
    assert!(refused.text.ends_with(&proposed), "{}", refused.text);
    // So do calls of every tool.
    for (tool, name) in [("debug_breakpoints", &names[1]), ("debug_output", &names[0])] {
        stage.call(tool, json!({"session": name})).await.good();
        let refused = stage.call("debug_breakpoints", json!({})).await;
        let proposed = format!("Try: debug_breakpoints {{\"session\": \"{name}\"}}");
        assert!(refused.text.ends_with(&proposed), "{}", refused.text);
    }
    let n = json!({"session": names[1], "expressions": ["n"]});
    stage.call("debug_evaluate", n).await.good().says("n = 0");
    stage.call("debug_stop", json!({"session": names[1]})).await.good();
    // A session that ended does not become the default session while another one is stopped.
    let ended = stage.launch("output", json!({})).await.good();
    ended.says(&format!("(debug_output session={adapter}-3 since="));
    let stop = stage.resume().await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
}
