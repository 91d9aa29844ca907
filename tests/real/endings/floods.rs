//! Programs that print much: more than is stored, and to both streams in turn.

use std::path::Path;

use dapdock::limits::Limits;
use serde_json::json;

use crate::caller::Answer;
use crate::real::stage::{Stage, compile, marked};

const PYTHON: &str = "first = 1  # [stop: first]
for number in range(CHUNKS):
    print('%WIDTHd\\n' % number * 1000, end='')
print('done', flush=True)  # [stop: done]
";

const RUST: &str = "fn main() {
    let chunks = CHUNKS; // [stop: first]
    for number in 0..chunks {
        print!(\"{}\", format!(\"{number:WIDTH}\\n\").repeat(1000));
    }
    println!(\"done\"); // [stop: done]
}
";

const GO: &str = r#"package main

import (
	"fmt"
	"strings"
)

func main() {
	chunks := CHUNKS // [stop: first]
	for number := 0; number < chunks; number++ {
		fmt.Print(strings.Repeat(fmt.Sprintf("%WIDTHd\n", number), 1000))
	}
	fmt.Println("done") // [stop: done]
}
"#;

const JAVASCRIPT: &str = "const chunks = CHUNKS; // [stop: first]
for (let number = 0; number < chunks; number++) {
  process.stdout.write(`${String(number).padStart(WIDTH)}\\n`.repeat(1000));
}
console.log('done'); // [stop: done]
";

const C: &str = r#"#include <stdio.h>

int main(void) {
  setvbuf(stdout, NULL, _IOFBF, 1 << 16); // [stop: first]
  for (int line = 0; line < CHUNKS * 1000; line++) printf("%WIDTHd\n", line / 1000);
  fflush(stdout);
  puts("done"); // [stop: done]
}
"#;

/// Writes a program of so many chunks of 1,000 lines of this width; its name, and its marked lines
/// `first` and `done`.
async fn prepare(
    stage: &mut Stage,
    chunks: usize,
    width: usize,
) -> (tempfile::TempDir, &'static str, [String; 2]) {
    let (name, text) = stage.pick(
        ("flood.py", PYTHON),
        ("flood.rs", RUST),
        ("flood.go", GO),
        ("flood.js", JAVASCRIPT),
        ("flood.c", C),
    );
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(name);
    let text = text.replace("CHUNKS", &chunks.to_string()).replace("WIDTH", &width.to_string());
    std::fs::write(&file, text).unwrap();
    if stage.language.is_c() {
        compile(dir.path(), "cc", &["-g", "flood.c", "-o", "flood"]);
    }
    stage.start_in(dir.path()).await;
    let places = ["first", "done"].map(|mark| format!("{name}:{}", marked(&file, mark)));
    (dir, name.trim_end_matches(".c"), places)
}

/// The newest output is stored, what is dropped is counted, and the stop comes.
pub async fn flood_is_counted(stage: &mut Stage) {
    let (_dir, program, [_, place]) = prepare(stage, 80, 99).await;
    let launch = json!({"program": program, "breakpoints": [place], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with(&place), "{}", stop.text);
    assert!(stop.text.len() < 2_000, "{}", stop.text);
    let exit = stage.resume().await.good();
    exit.line("□ exited with code 0");
    let written = printed_bytes(&stop, 99) + printed_bytes(&exit, 99);
    assert!((7_950_000..=8_010_000).contains(&written), "{}\n{}", stop.text, exit.text);
    let last = stage.call("debug_output", json!({"tail": 2})).await.good();
    last.says(&format!("\n{:>99}\ndone\n", 79));
}

/// The width of the lines of the large flood, 100 MB in all.
const WIDE: usize = 999;

/// What the host may need more during the large flood: the stored lines, and 10,000 messages of the
/// adapter that wait for it.
const NEEDED: u64 = 64 << 20;

/// The answer is short, the newest lines are stored, and the memory does not grow with the output.
pub async fn large_flood_costs_little_memory(stage: &mut Stage) {
    let (_dir, program, places) = prepare(stage, 100, WIDE).await;
    let launch = json!({"program": program, "breakpoints": places, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good();
    let process = format!("/proc/{}", stage.caller.pid());
    std::fs::write(Path::new(&process).join("clear_refs"), "5").unwrap();
    let before = peak_memory(&process);
    let stop = stage.call("debug_continue", json!({"timeout_s": 100})).await.good();
    let grown = peak_memory(&process) - before;
    assert!(stop.place().ends_with(&places[1]), "{}", stop.text);
    assert!(stop.text.len() < 8_000, "{}", stop.text);
    assert!((99_900_000..=100_010_000).contains(&printed_bytes(&stop, WIDE)), "{}", stop.text);
    assert!(grown < NEEDED, "{grown} bytes");
    newest_lines_are_stored(stage, &stop).await;
    stage.resume().await.good().line("□ exited with code 0");
}

/// As many of the newest lines as the limit allows; how many are dropped is said.
async fn newest_lines_are_stored(stage: &mut Stage, stop: &Answer) {
    let (lines, dropped) = stop.line("output +").split_once(" lines, the first ").unwrap();
    let (dropped, _) = dropped.split_once(" no longer kept").unwrap();
    let stored = WIDE * (lines.parse::<usize>().unwrap() - dropped.parse::<usize>().unwrap());
    let limit = Limits::default().output_bytes;
    assert!((limit / 100 * 95..=limit).contains(&stored), "{stored} bytes\n{}", stop.text);
    let first = stage.call("debug_output", json!({"since": 0})).await.good();
    let (oldest, _) = first.text.split_once(" lines before these are no longer kept").unwrap();
    let oldest = oldest.trim_start_matches('(').parse::<usize>().unwrap();
    let chunk: usize = first.text.lines().nth(1).unwrap().trim().parse().unwrap();
    assert!(chunk.abs_diff(oldest / 1000) <= 1, "{oldest}\n{}", stop.text);
    stage.call("debug_output", json!({"tail": 1})).await.good().says(&format!("\n{:>WIDE$}\n", 99));
}

/// The most resident memory since the number was cleared, in bytes.
fn peak_memory(process: &str) -> u64 {
    let status = std::fs::read_to_string(Path::new(process).join("status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// The bytes of new lines of this width, and of those that are lost.
fn printed_bytes(answer: &Answer, width: usize) -> usize {
    let number = |start: &str| -> usize {
        let rest = answer.text.lines().find_map(|line| line.strip_prefix(start));
        let digits = rest.and_then(|rest| rest.split(' ').next());
        digits.map_or(0, |digits| digits.parse().unwrap())
    };
    let lost = answer.text.lines().find(|line| line.contains(" bytes of output are lost"));
    (width + 1) * number("output +") + lost.map_or(0, |_| number("note: "))
}

const C_STREAMS: &str = r#"#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  for (int n = 0; n < 1000; n++) {
    printf("out %d\n", n);
    fflush(stdout);
    fprintf(stderr, "err %d\n", n);
  }
  if (argc > 1) _exit(3); // [stop: last]
  return argv[0] == 0;
}
"#;

const RUST_STREAMS: &str = "fn main() {
    for n in 0..1000 {
        println!(\"out {n}\");
        eprintln!(\"err {n}\");
    }
    let code = 3 * (std::env::args().count() as i32 - 1); // [stop: last]
    std::process::exit(code);
}
";

/// What is written to both streams comes in the order of the writes, at a stop and at an end
/// without any cleaning up.
pub async fn streams_of_machine_code_keep_their_order(stage: &mut Stage) {
    let (name, text) =
        if stage.language.is_c() { ("both.c", C_STREAMS) } else { ("both.rs", RUST_STREAMS) };
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(name), text).unwrap();
    let last = format!("{name}:{}", marked(&dir.path().join(name), "last"));
    stage.start_in(dir.path()).await;
    let launch = json!({"program": name, "breakpoints": [last], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.place().ends_with(&last), "{}", stop.text);
    alternates(stage).await;
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    stage.resume().await.good().line("□ exited with code 0");
    let launch = json!({"program": name, "args": ["now"], "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().line("□ exited with code 3");
    alternates(stage).await;
}

/// Asserts that `out N` and `err N` alternate for the numbers below 1,000.
async fn alternates(stage: &mut Stage) {
    for ten in 0..100 {
        let begin = if ten == 0 { String::new() } else { ten.to_string() };
        let lines = json!({"since": 0, "grep": format!("^(out|err) {begin}[0-9]$")});
        let found = stage.call("debug_output", lines).await.good();
        let lines: Vec<&str> = found
            .text
            .lines()
            .map(|line| line.strip_prefix("stderr| ").unwrap_or(line))
            .filter(|line| line.starts_with("out ") || line.starts_with("err "))
            .collect();
        let pair = |number: u32| [format!("out {number}"), format!("err {number}")];
        let want: Vec<String> = (ten * 10..ten * 10 + 10).flat_map(pair).collect();
        assert_eq!(lines, want, "{}", found.text);
    }
}
