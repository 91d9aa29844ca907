//! Programs of several processes and threads: one session, whichever of them stops.

use std::path::Path;

use serde_json::json;

use crate::real::stage::{Language, Stage, marked, workspace_with};

/// Arguments that choose how the parent starts its child, where there are several ways.
fn by<'a>(stage: &Stage, how: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let how = (stage.language.newest() == Language::Python).then_some(how);
    how.into_iter().chain(more.iter().copied()).collect()
}

pub async fn child_process_stops_and_all_end(stage: &mut Stage) {
    child_stops(stage, "subprocess").await;
}

const RUST_PARENT: &str = r#"use std::process::Command;

fn work(n: u32) -> u32 {
    n * 2 // [stop: child]
}

fn main() {
    if std::env::args().count() > 1 {
        println!("child says {}", work(21));
        while std::env::var("STAY").is_ok() {
            std::thread::park();
        }
        return;
    }
    let child = Command::new(std::env::current_exe().unwrap()).arg("child").status().unwrap();
    println!("child ended with {}", child.code().unwrap());
}
"#;

const GO_PARENT: &str = r#"package main

import (
	"fmt"
	"os"
	"os/exec"
	"time"
)

func work(n int) int {
	return n * 2 // [stop: child]
}

func main() {
	if len(os.Args) > 1 {
		fmt.Println("child says", work(21))
		if os.Getenv("STAY") != "" {
			time.Sleep(time.Hour)
		}
		return
	}
	child := exec.Command(os.Args[0], "child")
	child.Stdout = os.Stdout
	fmt.Println("child ended with", child.Run())
}
"#;

const C_PARENT: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int work(int n) {
    return n * 2; // [stop: child]
}

int main(void) {
    int status = 0;
    if (fork() == 0) {
        printf("child says %d\n", work(21));
        fflush(stdout);
        if (getenv("STAY")) pause();
        return 0;
    }
    wait(&status);
    printf("child ended with %d\n", WEXITSTATUS(status));
    return 0;
}
"#;

/// Writes a parent's source file; returns it and the line that only its child executes.
fn parent(stage: &Stage, dir: &Path) -> (&'static str, String) {
    let (file, text) = stage.pick(
        ("", ""),
        ("parent.rs", RUST_PARENT),
        ("parent.go", GO_PARENT),
        ("", ""),
        ("parent.c", C_PARENT),
    );
    std::fs::write(dir.join(file), text).unwrap();
    (file, format!("{file}:{}", marked(&dir.join(file), "child")))
}

/// Why no breakpoint in a child is hit, and which option changes that.
fn not_followed(stage: &Stage) -> &'static str {
    match stage.language {
        Language::Go => {
            "child processes are not followed without `options` {\"follow_children\": true}"
        }
        Language::OldGo => "child processes are not followed: that needs Delve 1.26 or newer",
        _ => "child processes are not followed",
    }
}

/// A child that is not followed runs undisturbed, and the ending says why its breakpoint was never
/// hit.
pub async fn child_is_not_followed(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (file, at) = parent(stage, dir.path());
    stage.start_in(dir.path()).await;
    let launch = json!({"program": file, "breakpoints": [at], "timeout_s": 50});
    let end = stage.call("debug_launch", launch).await.good();
    end.line("□ exited with code 0");
    end.says("child says 42\n");
    end.says(stage.pick(
        "",
        "child ended with 0\n",
        "child ended with <nil>\n",
        "",
        "child ended with 0\n",
    ));
    let unhit: Vec<_> =
        end.text.lines().skip_while(|line| !line.starts_with("never hit")).take(2).collect();
    assert_eq!(
        unhit,
        [&format!("never hit ({}):", not_followed(stage)), &format!("  #1 {at}")],
        "{}",
        end.text
    );
}

/// While a child runs, a wait that times out says that it is not followed.
pub async fn wait_says_that_a_running_child_is_not_followed(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (file, at) = parent(stage, dir.path());
    stage.start_in(dir.path()).await;
    let launch =
        json!({"program": file, "env": {"STAY": "1"}, "stop_on_entry": true, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    stage.call("debug_breakpoints", json!({"set": [at]})).await.good();
    stage.call("debug_continue", json!({"wait": false})).await.good();
    stage.printed("child says 42").await;
    let armed = stage.call("debug_wait", json!({"timeout_s": 0.1})).await.good();
    let armed: Vec<_> =
        armed.text.lines().skip_while(|line| !line.starts_with("armed")).take(2).collect();
    assert_eq!(
        armed,
        [&format!("armed ({}):", not_followed(stage)), &format!("  #1 {at} · no hit")]
    );
    stage.call("debug_stop", json!({})).await.good();
}

/// The stop is in the child; the parent resumes with it.
pub async fn child_is_followed_on_request(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("parent.go"), GO_PARENT).unwrap();
    let at = format!("parent.go:{}", marked(&dir.path().join("parent.go"), "child"));
    stage.start_in(dir.path()).await;
    let follow = json!({"follow_children": true});
    let launch =
        json!({"program": "parent.go", "breakpoints": [at], "options": follow, "timeout_s": 50});
    let answer = stage.call("debug_launch", launch).await;
    if stage.language == Language::OldGo {
        assert!(
            answer.text.starts_with(
                "error[unsupported] to follow child processes needs Delve 1.26 or newer"
            ),
            "{}",
            answer.text
        );
        return;
    }
    let stop = answer.good();
    assert_eq!((stop.reason(), stop.local("n")), ("breakpoint #1", "21"));
    stop.says(&format!("#0 main.work  {at}"));
    stop.says("note: child processes are followed: function breakpoints hold only in the program");
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("child says 42\n  child ended with <nil>\n");
}

pub async fn spawned_child_stops(stage: &mut Stage) {
    child_stops(stage, "spawn").await;
}

pub async fn forked_child_stops(stage: &mut Stage) {
    child_stops(stage, "fork").await;
}

async fn child_stops(stage: &mut Stage, how: &str) {
    let arguments =
        json!({"args": by(stage, how, &["fail"]), "breakpoints": [stage.at("family", "child")]});
    let stop = stage.launch("family", arguments).await.good();
    stage.assert_stop(&stop, "family", "work", "child");
    assert_eq!((stop.reason(), stop.local("n")), ("breakpoint #1", "21"));
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!((stop.reason(), stop.local("double")), ("after step", "42"));
    let stacks = stage.call("debug_stack", json!({"all_threads": true})).await.good();
    let threads = stage.pick("MainThread", "", "", "thread family.js", "");
    assert!(stacks.text.matches(threads).count() >= 2, "{}", stacks.text);
    let end = stage.resume().await.good();
    // The exit code of the parent.
    end.line("□ exited with code 3");
    // The child's output appears once, though two processes report it.
    assert_eq!(end.text.matches("child says 42\n").count(), 1, "{}", end.text);
    end.says("child ended with 4\n");
}

pub async fn breakpoint_in_parent_and_child(stage: &mut Stage) {
    let arguments =
        json!({"args": by(stage, "spawn", &[]), "breakpoints": [stage.at("family", "child")]});
    let stop = stage.launch("family", arguments).await.good();
    stage.assert_stop(&stop, "family", "work", "child");
    // Set while the child is stopped: the running parent has the breakpoint as well.
    let list = stage
        .call("debug_breakpoints", json!({"set": [stage.at("family", "parent")]}))
        .await
        .good();
    assert!(!list.text.contains("UNVERIFIED"), "{}", list.text);
    let stop = stage.resume_to(2).await;
    assert!(stop.place().ends_with(&stage.at("family", "parent")), "{}", stop.text);
    assert_eq!(stop.local("code"), "0");
    let list = stage.call("debug_breakpoints", json!({})).await.good();
    assert_eq!(list.text.matches("1 hit").count(), 2, "{}", list.text);
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn worker_threads_stop_one_after_the_other(stage: &mut Stage) {
    let stop =
        stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    stage.assert_stop(&stop, "threads", "work", "work");
    let mut numbers = vec![stop.local("number").to_owned()];
    let stop = stage.resume_to(1).await;
    stage.assert_stop(&stop, "threads", "work", "work");
    numbers.push(stop.local("number").to_owned());
    numbers.sort();
    assert_eq!(numbers, ["1", "2"]);
    stage.call("debug_breakpoints", json!({})).await.good().says(" 2 hits");
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("squares 1 4");
}

/// Each worker is a session of its own for js-debug, so no other one resumes with it.
pub async fn single_stopped_worker_is_resumed_alone(stage: &mut Stage) {
    let stop =
        stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    let thread = stop
        .line("■ stopped ")
        .split(" · ")
        .nth(3)
        .unwrap()
        .split(" (1 of ")
        .next()
        .unwrap()
        .to_owned();
    let second = stage.call("debug_continue", json!({"thread": thread})).await.good();
    stage.assert_stop(&second, "threads", "work", "work");
    assert_ne!(second.local("number"), stop.local("number"));
    stage.resume().await.good().says("squares 1 4");
}

/// The other thread hit the breakpoint before it was stopped; its stop is reported when it may run,
/// before the step ends or after.
pub async fn step_and_hit_of_another_thread_are_both_reported(stage: &mut Stage) {
    let first =
        stage.launch("threads", json!({"breakpoints": [stage.at("threads", "work")]})).await.good();
    let mut other = stage.call("debug_step", json!({})).await.good();
    if other.reason() == "after step" {
        assert_eq!(other.local("number"), first.local("number"), "{}", other.text);
        other = stage.resume().await.good();
    }
    stage.assert_stop(&other, "threads", "work", "work");
    assert_eq!(other.reason(), "breakpoint #1", "{}", other.text);
    assert_ne!(other.local("number"), first.local("number"));
    stage.call("debug_breakpoints", json!({})).await.good().says(" 2 hits");
    stage.resume().await.good().line("□ exited with code 0");
}

/// A removed breakpoint is not hit by the other thread, and a remaining one is, whatever else is
/// set.
pub async fn edited_breakpoints_apply_to_a_pending_hit(stage: &mut Stage) {
    let launch = json!({"breakpoints": [stage.at("threads", "work")]});
    let first = stage.launch("threads", launch.clone()).await.good();
    stage.assert_stop(&first, "threads", "work", "work");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
    let first = stage.launch("threads", launch).await.good();
    stage.assert_stop(&first, "threads", "work", "work");
    stage.call("debug_breakpoints", json!({"set": [stage.at("threads", "joined")]})).await.good();
    let other = stage.resume_to(2).await;
    stage.assert_stop(&other, "threads", "work", "work");
    assert_ne!(first.local("number"), other.local("number"));
    stage.resume_to(3).await;
    stage.call("debug_breakpoints", json!({})).await.good().says(" 2 hits");
    stage.resume().await.good().line("□ exited with code 0");
}

pub async fn condition_that_raises_in_a_child_is_reported(stage: &mut Stage) {
    for how in ["subprocess", "spawn", "fork"] {
        let breakpoint = format!("{} if nosuch > 1", stage.at("family", "child"));
        let stop = stage
            .launch("family", json!({"args": [how], "breakpoints": [breakpoint]}))
            .await
            .good();
        stage.assert_stop(&stop, "family", "work", "child");
        stop.says("note: the debugger says: ");
        stop.says("conditional breakpoint: nosuch > 1: NameError: name 'nosuch' is not defined");
        stage.resume().await.good().line("□ exited with code 0");
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}

/// With Nagle's algorithm each message between two processes waits 44 ms, and a step takes several.
/// The socket's option is asserted instead of a time, which would depend on the load of the
/// machine.
pub async fn output_of_a_child_is_sent_without_delay(stage: &mut Stage) {
    let debugger =
        "__import__('sys').modules['_pydevd_bundle.pydevd_constants'].get_global_debugger()";
    let no_delay = "(lambda s: (s.IPPROTO_TCP, s.TCP_NODELAY))(__import__('socket'))";
    let no_delay = format!("{debugger}.writer.sock.getsockopt(*{no_delay}) != 0");
    for how in ["subprocess", "spawn", "fork"] {
        let arguments = json!({"args": [how], "breakpoints": [stage.at("family", "child")]});
        stage.launch("family", arguments).await.good();
        let request = json!({"expressions": [no_delay], "effects": "allow"});
        stage.call("debug_evaluate", request).await.good().says("= True");
        stage.call("debug_step", json!({})).await.good().line("■ stopped after step");
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}

/// A worker of a cluster listens through its primary process.
pub async fn cluster_worker_stops(stage: &mut Stage) {
    let places = [stage.at("cluster", "worker"), stage.at("cluster", "primary")];
    let stop = stage.launch("cluster", json!({"breakpoints": places})).await.good();
    assert_eq!(
        stop.place(),
        format!("Server.answer  {}", stage.at("cluster", "worker")),
        "{}",
        stop.text
    );
    assert_eq!(stop.local("path"), "'ada'");
    let stop = stage.resume_to(2).await;
    stage.assert_stop(&stop, "cluster", "<anonymous>", "primary");
    stage.resume().await.good().line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "stdout"})).await.good();
    output.says("hello ada\nworker ended with 0");
}

pub async fn stop_ends_the_child_too(stage: &mut Stage) {
    let arguments =
        json!({"args": by(stage, "fork", &[]), "breakpoints": [stage.at("family", "child")]});
    let stop = stage.launch("family", arguments).await.good();
    stage.assert_stop(&stop, "family", "work", "child");
    let alive = stage.caller.mark.alive();
    let program = stage.pick("family.py", "", "", "family.js", "");
    assert!(alive.iter().filter(|line| line.contains(program)).count() >= 2, "{alive:#?}");
    stage.call("debug_stop", json!({})).await.good().line("□ ended; no process is left");
    let left = stage.caller.mark.alive();
    assert!(!left.iter().any(|line| line.contains(program)), "{left:#?}");
}

const TWO_PYTHON: &str = "import os\n\n\ndef work(n):\n    total = n * 10\n    total += 1\n    \
    total += 2\n    return total\n\n\n\
                          kids = []\nfor n in (1, 2):\n    pid = os.fork()\n    if pid == \
                          0:\n        work(n)\n        os._exit(0)\n    \
                          kids.append(pid)\nfor pid in kids:\n    os.waitpid(pid, 0)\n";
const TWO_NODE: &str = "const { Worker, isMainThread, workerData } = \
    require(\"worker_threads\");\n\n\nfunction work(n) {\n  \
                        let total = n * 10;\n  total += 1;\n  total += 2;\n  return \
                        total;\n}\n\nif (isMainThread) {\n  \
                        for (const n of [1, 2]) new Worker(__filename, { workerData: n });\n} else \
                        {\n  work(workerData);\n}\n";

/// Two children are stopped at one breakpoint: a step moves the one last reported, and shows it.
pub async fn step_stays_in_its_child(stage: &mut Stage) {
    let (name, text) =
        stage.pick(("two.py", TWO_PYTHON), ("", ""), ("", ""), ("two.js", TWO_NODE), ("", ""));
    let (dir, caller) = workspace_with(&[(name, text)]).await;
    stage.caller = caller;
    let launch = json!({"program": dir.path().join(name), "breakpoints": [format!("{name}:5")]});
    let stop = stage.call("debug_launch", launch).await.good();
    let reported = stop.local("n").to_owned();
    let stopped_count = |text: &str| text.matches(&format!("work  {name}:5")).count();
    let all = || json!({"all_threads": true});
    while stopped_count(&stage.call("debug_stack", all()).await.good().text) < 2 {}
    for (line, total) in [(6, 10), (7, 11), (8, 13)] {
        let step = stage.call("debug_step", json!({})).await.good();
        let first = reported.parse::<u32>().unwrap() * 10 - 10;
        assert_eq!(
            (step.reason(), step.local("n")),
            ("after step", reported.as_str()),
            "{}",
            step.text
        );
        assert!(step.place().contains(&format!("{name}:{line}")), "{}", step.text);
        assert_eq!(step.local("total"), (total + first).to_string());
    }
    let other = stage.resume_to(1).await;
    assert_eq!(other.local("n"), if reported == "1" { "2" } else { "1" });
    stage.resume().await.good().line("□ exited with code 0");
}

/// `thread` names one of two stopped workers. What is set there is shown when its stop is reported,
/// after a move of the other one.
pub async fn values_of_each_worker_are_set(stage: &mut Stage) {
    let prints = "console.log(\"total\", n, total);\n  return total";
    let text = TWO_NODE.replace("return total", prints);
    let (_dir, caller) = workspace_with(&[("two.js", &text)]).await;
    stage.caller = caller;
    let launch = json!({"program": "two.js", "breakpoints": ["two.js:5"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    let all = || json!({"all_threads": true});
    let mut stacks = stage.call("debug_stack", all()).await.good().text;
    while stacks.matches("work  two.js:5").count() < 2 {
        stacks = stage.call("debug_stack", all()).await.good().text;
    }
    let read = |id: &str, path: &str| json!({"thread": id, "path": path});
    let (mut reported, mut other) = (String::new(), String::new());
    for stack in stacks.split("thread ").filter(|stack| stack.contains("work  two.js:5")) {
        let (_, rest) = stack.split_once('(').unwrap();
        let id = rest.split_once(')').unwrap().0;
        let value = stage.call("debug_variables", read(id, "n")).await.good();
        let is_reported = value.text.lines().nth(1) == Some(stop.local("n"));
        *(if is_reported { &mut reported } else { &mut other }) = id.to_owned();
    }
    let (own, others) = if stop.local("n") == "1" { ("1", "2") } else { ("2", "1") };
    let set = json!({"thread": other, "target": "n", "value": "7"});
    stage.call("debug_set", set).await.good().says(&format!("n = 7  (was {others})"));
    for (id, value) in [(&reported, own), (&other, "7")] {
        let listed = stage.call("debug_variables", read(id, "n")).await.good();
        assert_eq!(listed.text.lines().nth(1), Some(value), "{}", listed.text);
        let times = json!({"thread": id, "expressions": ["n * 10"]});
        stage.call("debug_evaluate", times).await.good().says(&format!("n * 10 = {value}0"));
    }
    let later = stage.resume_to(1).await;
    assert_eq!(later.local("n"), "7", "{}", later.text);
    let listed = stage.call("debug_variables", json!({"path": "n"})).await.good();
    assert_eq!(listed.text.lines().nth(1), Some("7"), "{}", listed.text);
    stage.resume().await.good().line("□ exited with code 0");
    stage.printed(&format!("total {own} {own}3")).await;
    stage.printed("total 7 73").await;
}

/// A child that never loads the function does not count as unbound where other children ran it.
pub async fn function_breakpoint_in_children_is_bound(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = "import subprocess, sys\nimport multiprocessing\n\n\ndef square(n):\n    return n * \
        n\n\n\n\
                if __name__ == '__main__':\n    child = multiprocessing.Process(target=square, \
                args=(7,))\n    \
                child.start()\n    child.join()\n    subprocess.run([sys.executable, '-c', 'import \
                other'])\n";
    std::fs::write(dir.path().join("main.py"), text).unwrap();
    std::fs::write(dir.path().join("other.py"), "print('other')\n").unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({"program": "main.py", "breakpoints": ["square"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!((stop.place(), stop.local("n")), ("square  main.py:6", "7"), "{}", stop.text);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("other");
    assert!(!end.text.contains("never bound"), "{}", end.text);
}
