//! Log breakpoints and hit conditions of machine code, which the debugger handles without a stop.

use serde_json::{Value, json};

use crate::caller::Answer;
use crate::real::stage::Stage;

const ROUNDS: &str = "#include <stdio.h>
#include <unistd.h>
static int work(int rounds) {
    int total = 0;
    for (int i = 0; i < rounds; i++) {
        total += i;
    }
    return total;
}
int main(int argc, char **argv) {
    int total = work(10000);
    if (argc > 1) _exit(3);
    printf(\"%d %p\\n\", total, (void *)argv);
}
";

async fn launch(stage: &mut Stage, args: &[&str], breakpoints: Value) -> Answer {
    let launch = json!({
        "program": "rounds.c", "adapter": stage.language.adapter(), "args": args,
        "breakpoints": breakpoints, "timeout_s": 50,
    });
    stage.call("debug_launch", launch).await.good()
}

async fn write(stage: &mut Stage) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("rounds.c"), ROUNDS).unwrap();
    stage.start_in(dir.path()).await;
    dir
}

/// All hits before a stop are reported with it, and those before an end without any cleaning up.
pub async fn every_hit_in_machine_code_is_counted(stage: &mut Stage) {
    let _dir = write(stage).await;
    let log = json!({"at": "rounds.c:6", "log": "i={i} total={total}"});
    let stop = launch(stage, &[], json!([log, "rounds.c:8"])).await;
    stop.says("log breakpoints +10000 hits");
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 10000 hits");
    let last = stage.call("debug_output", json!({"stream": "log", "tail": 1})).await.good();
    last.says(".10000 rounds: i=9999 total=49985001");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
    let log = json!({"at": "rounds.c:6", "log": "i={i}"});
    launch(stage, &["now"], json!([log])).await.line("□ exited with code 3");
    let last = stage.call("debug_output", json!({"stream": "log", "tail": 1})).await.good();
    last.says(".10000 rounds: i=9999");
}

/// The condition is evaluated before the text is written. One that fails is reported once.
pub async fn condition_of_a_log_in_machine_code(stage: &mut Stage) {
    let dir = write(stage).await;
    std::fs::write(dir.path().join("rounds.c"), ROUNDS.replace("10000", "400")).unwrap();
    let few = json!({"at": "rounds.c:6", "condition": "i % 100 == 0", "log": "i={i}"});
    let end = launch(stage, &[], json!([few])).await;
    end.line("□ exited with code 0");
    let output = stage.call("debug_output", json!({"stream": "log"})).await.good();
    let texts: Vec<_> = output.text.lines().filter(|line| line.starts_with("log| ")).collect();
    let numbers = ["1 rounds: i=0", "2 rounds: i=100", "3 rounds: i=200", "4 rounds: i=300"];
    assert_eq!(texts.len(), 4, "{}", output.text);
    for (text, end) in texts.iter().zip(numbers) {
        assert!(text.ends_with(&format!(".{end}")), "{}", output.text);
    }
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let fails = json!({
        "at": "rounds.c:6", "condition": "*(int *)0 == 0 && i < 9", "log": "i={i}",
    });
    let stop = launch(stage, &[], json!([fails, "rounds.c:8"])).await;
    let failed =
        "the condition `*(int *)0 == 0 && i < 9` failed: Cannot access memory at address 0x0";
    assert_eq!(stop.text.matches(failed).count(), 1, "{}", stop.text);
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 400 hits");
    if !stage.language.has_gdb() {
        return;
    }
    // gdb seeks an unknown name in all files: here once. Each hit is counted.
    stage.call("debug_stop", json!({})).await.good();
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let unknown = json!({"at": "rounds.c:6", "log": "n={nowhere}"});
    launch(stage, &[], json!([unknown])).await.line("□ exited with code 0");
    let last = stage.call("debug_output", json!({"stream": "log", "tail": 1})).await.good();
    last.says("the same error again; more are only counted");
    stage.call("debug_breakpoints", json!({})).await.good().says(" · 400 hits");
}

const SUM: &str = "static int add(int total, int i) {
    return total + i;
}
int main(void) {
    int total = 0;
    for (int i = 0; i < 2000; i++)
        total = add(total, i);
    return total == 0;
}
";

/// The program stops at one of 2,000 hits, which a breakpoint at the same place does not hide.
pub async fn hits_in_machine_code_are_counted_in_place(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("sum.c"), SUM).unwrap();
    stage.start_in(dir.path()).await;
    let late = json!({"at": "sum.c:2", "hit_condition": "1800"});
    let other = json!({"at": "add", "condition": "i == 1700"});
    let launch = json!({
        "program": "sum.c", "adapter": stage.language.adapter(), "breakpoints": [late, other],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!((stop.reason(), stop.local("i")), ("breakpoint #2", "1700"), "{}", stop.text);
    stage.call("debug_breakpoints", json!({})).await.good().says("hits 1800 · 1701 hits");
    let stop = stage.resume().await.good();
    assert_eq!((stop.reason(), stop.local("i")), ("breakpoint #1", "1799"), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
    stage.call("debug_breakpoints", json!({})).await.good().says("hits 1800 · 2000 hits");
}
