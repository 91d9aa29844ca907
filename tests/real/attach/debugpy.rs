//! Python programs started with debugpy's own command line, attached to by the address they listen
//! on.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::caller::{Answer, PATIENCE, root};
use crate::real::{Stage, attach};

const SHORT: &str =
    "for n in range(6):\n    print(\"round\", n)\n    square = n * n\nprint(\"done\")\n";
const LOOP: &str = "import threading\n\nn = 0\nwhile n < 6000:\n    n += 1\n    print(\"round\", \
    n)\n    square = n * n\n    \
                    threading.Event().wait(0.02)\n";
const PORT: u16 = 5678;

/// Starts `python -m debugpy --listen ADDRESS OPTIONS FILE` and waits until it listens.
pub async fn listens(stage: &Stage, options: &[&str], file: &Path) -> (Child, String) {
    // A loopback address of its own: a free port might be taken by the time it is used.
    static COUNT: AtomicU8 = AtomicU8::new(2);
    let [_, _, high, low] = std::process::id().to_be_bytes();
    let address = Ipv4Addr::new(127, high, low, COUNT.fetch_add(1, Ordering::Relaxed));
    let listens = format!("{address}:{PORT}");
    #[expect(clippy::disallowed_methods, reason = "the program must not be the host's")]
    let mut command = Command::new(stage.language.tool_path().unwrap());
    command.args(["-m", "debugpy", "--listen", &listens]).args(options).arg(file);
    command.env("PYDEVD_DISABLE_FILE_VALIDATION", "1");
    let process =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
    let [a, b, c, d] = address.octets();
    let there = format!("{d:02X}{c:02X}{b:02X}{a:02X}:{PORT:04X} 00000000:0000 0A");
    let mut tick = tokio::time::interval(Duration::from_millis(10));
    let connected = async {
        while !std::fs::read_to_string("/proc/net/tcp").unwrap().contains(&there) {
            tick.tick().await;
        }
    };
    tokio::time::timeout(PATIENCE, connected).await.expect("it does not listen");
    (process, listens)
}

/// An attach by pid loads the debugger into the program, which prints nothing.
pub async fn attach_by_pid_prints_nothing(stage: &mut Stage) {
    let words = stage.language.command("endless");
    #[expect(clippy::disallowed_methods, reason = "the program must not be the host's")]
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).current_dir(root()).kill_on_drop(true);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).await.unwrap();
    assert_eq!(line, "ready\n");
    stage.call("debug_attach", json!({"pid": child.id()})).await.good();
    stage.call("debug_pause", json!({})).await.good();
    stage.call("debug_stop", json!({})).await.good().line("□ detached; the process keeps running");
    child.kill().await.unwrap();
    let mut printed = String::new();
    child.stderr.take().unwrap().read_to_string(&mut printed).await.unwrap();
    assert_eq!(printed, "");
}

/// The debugger's own variables, which its attach leaves in the program, are not the program's.
pub async fn globals_after_an_attach_are_the_programs(stage: &mut Stage) {
    let mut child = attach::spawn(&stage.language.command("endless")).await;
    stage.call("debug_attach", json!({"pid": child.id()})).await.good();
    stage.call("debug_pause", json!({})).await.good();
    let globals = json!({"scope": "Globals"});
    let globals = stage.call("debug_variables", globals).await.good();
    let rows = globals.text.lines().filter(|line| line.starts_with("  "));
    let names: Vec<&str> = rows.map(|line| line.trim().split(':').next().unwrap()).collect();
    assert_eq!(names, ["number"], "{}", globals.text);
    stage.call("debug_stop", json!({})).await.good().line("□ detached; the process keeps running");
    child.kill().await.unwrap();
}

/// Asserts that each printed line comes before the log line of the next statement.
#[track_caller]
fn in_order(output: &Answer, rounds: std::ops::Range<u32>) {
    let lines: Vec<&str> =
        output.text.lines().filter(|line| !line.starts_with(['(', 'd', 'n'])).collect();
    let first: Vec<&str> =
        lines.iter().map(|line| line.rsplit_once(": ").map_or(*line, |(_, text)| text)).collect();
    let wanted: Vec<String> =
        rounds.flat_map(|n| [format!("round {n}"), format!("square {n}")]).collect();
    assert_eq!(first, wanted, "{}", output.text);
}

/// The program waits before its first line.
pub async fn attach_to_a_waiting_debugpy(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().canonicalize().unwrap().join("short.py");
    std::fs::write(&file, SHORT).unwrap();
    stage.start_in(dir.path()).await;
    let (mut process, address) = listens(stage, &["--wait-for-client"], &file).await;
    let breakpoints = json!([{"at": "short.py:3", "log": "square {n}"}, "short.py:2 if n == 4"]);
    let stop = stage
        .call("debug_attach", json!({"address": address, "breakpoints": breakpoints}))
        .await
        .good();
    assert_eq!(
        (stop.place(), stop.reason()),
        ("<module>  short.py:2", "breakpoint #2"),
        "{}",
        stop.text
    );
    assert_eq!(stop.local("n"), "4");
    in_order(&stage.call("debug_output", json!({})).await.good(), 0..4);
    stage.resume().await.good().line("□ ended");
    in_order(&stage.call("debug_output", json!({"since": 0})).await.good(), 0..6);
    let mut printed = String::new();
    process.stdout.take().unwrap().read_to_string(&mut printed).await.unwrap();
    assert_eq!(printed, "round 0\nround 1\nround 2\nround 3\nround 4\nround 5\ndone\n");
    assert!(process.wait().await.unwrap().success());
}

/// The session detaches at the end.
pub async fn attach_to_a_running_debugpy(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().canonicalize().unwrap().join("loop.py");
    std::fs::write(&file, LOOP).unwrap();
    stage.start_in(dir.path()).await;
    let (mut process, address) = listens(stage, &[], &file).await;
    let breakpoints = json!([{"at": "loop.py:7", "log": "square {n}"}, "loop.py:6 if n % 20 == 0"]);
    stage
        .call("debug_attach", json!({"address": address, "breakpoints": breakpoints}))
        .await
        .good();
    let seen = stage.call("debug_output", json!({})).await.good();
    let since = seen.line("next: debug_output since=").to_owned();
    let stop = stage.resume().await.good();
    assert_eq!(
        (stop.place(), stop.reason()),
        ("<module>  loop.py:6", "breakpoint #2"),
        "{}",
        stop.text
    );
    let n: u32 = stop.local("n").parse().unwrap();
    in_order(
        &stage.call("debug_output", json!({"since": since.parse::<u32>().unwrap()})).await.good(),
        n - 20..n,
    );
    stage.call("debug_stop", json!({})).await.good().line("□ detached; the process keeps running");
    assert_eq!(process.try_wait().unwrap(), None);
}
