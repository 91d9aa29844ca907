//! Sources edited after the program was built: a note says that the lines shown may be wrong.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::caller::Answer;
use crate::real::missing_sources::copy_of_typed;
use crate::real::stage::{Stage, marked};

const NOTE: &str = "is newer than the running program: its lines may differ; rebuild or restart it";

/// A program of a few statements: file name, text, and the line of the first statement.
fn small_program(stage: &Stage) -> (&'static str, &'static str, u32) {
    stage.pick(
        ("small.py", "n = 1\nn = n + 1\nn = n + 2\nprint(n)\n", 2),
        (
            "small.rs",
            "fn main() {\n    let mut n = 1;\n    n += 1;\n    n += 2;\n    \
            println!(\"{n}\");\n}\n",
            3,
        ),
        (
            "small.go",
            "package main\n\nfunc main() {\n\tn := 1\n\tn++\n\tn += 2\n\tprintln(n)\n}\n",
            5,
        ),
        ("small.js", "let n = 1;\nn = n + 1;\nn = n + 2;\nconsole.log(n);\n", 2),
        (
            "small.c",
            "int main(void) {\n    int n = 1;\n    n++;\n    n += 2;\n    return n - \
            4;\n}\n",
            3,
        ),
    )
}

fn touch(file: &Path) {
    let file = std::fs::File::options().append(true).open(file).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
}

#[track_caller]
fn has_note(stop: &Answer, file: &str) -> bool {
    let notes: Vec<_> = stop.text.lines().filter(|line| line.starts_with("note: ")).collect();
    assert!(notes.is_empty() || notes == [format!("note: {file} {NOTE}")], "{}", stop.text);
    !notes.is_empty()
}

/// Edited while the program runs: the note comes with each later stop in the file.
pub async fn edited_source_is_reported(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (file, text, line) = small_program(stage);
    std::fs::write(dir.path().join(file), text).unwrap();
    stage.start_in(dir.path()).await;
    let launch =
        json!({"program": file, "breakpoints": [format!("{file}:{line}")], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(!has_note(&stop, file));
    touch(&dir.path().join(file));
    let stop = stage.call("debug_step", json!({})).await.good();
    assert!(has_note(&stop, file), "{}", stop.text);
    let after = stage.call("debug_step", json!({})).await.good();
    assert!(has_note(&after, file), "{}", after.text);
    stage.call("debug_stop", json!({})).await.good();
}

/// Built, edited, and launched without a new build.
pub async fn program_older_than_its_source_is_reported(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (file, text, line) = small_program(stage);
    std::fs::write(dir.path().join(file), text).unwrap();
    let flags = stage.pick(&[][..], &["-g"], &["build", "-gcflags=all=-N -l"], &[], &["-g"]);
    #[expect(clippy::disallowed_methods, reason = "no process of the host")]
    let mut build = std::process::Command::new(stage.language.compiler());
    let built =
        build.args(flags).args(["-o", "small", file]).current_dir(dir.path()).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    stage.start_in(dir.path()).await;
    for edited in [false, true] {
        if edited {
            touch(&dir.path().join(file));
        }
        let launch =
            json!({"program": "small", "breakpoints": [format!("{file}:{line}")], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(has_note(&stop, file), edited, "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
        // A breakpoint that is never hit may be missed because of the edit.
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        let never = format!("{file}:{line} if n == 99");
        let launch = json!({"program": "small", "breakpoints": [never], "timeout_s": 50});
        let ran = stage.call("debug_launch", launch).await.good();
        ran.line("□ exited with code 0");
        assert_eq!(has_note(&ran, file), edited, "{}", ran.text);
    }
}

/// The program was compiled to JavaScript with a source map.
pub async fn generated_code_older_than_its_source_is_reported(stage: &mut Stage) {
    let dir = copy_of_typed(&["dist/price.js", "dist/price.js.map", "src/price.ts"]);
    let age = |name: &str, hours: u64| {
        let file = std::fs::File::options().append(true).open(dir.path().join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).unwrap();
    };
    let (source, output) = ("src/price.ts", "dist/price.js");
    let at = format!("{source}:{}", marked(&dir.path().join(source), "reduced"));
    age(output, 2);
    stage.start_in(dir.path()).await;
    // Edited after it was compiled, long before the launch.
    for (hours, edited) in [(3, false), (1, true)] {
        age(source, hours);
        let launch = json!({"program": output, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        stop.says("return item.price - off; // [stop: reduced]");
        assert_eq!(has_note(&stop, source), edited, "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        let never = json!({
            "program": output, "breakpoints": [format!("{at} if item.price == 99")],
            "timeout_s": 50,
        });
        let ran = stage.call("debug_launch", never).await.good();
        ran.line("□ exited with code 0");
        assert_eq!(has_note(&ran, source), edited, "{}", ran.text);
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    }
}

/// A plugin that looks up the line of a function does so again for the next session: the edit puts
/// another function in its place.
pub async fn function_of_an_edited_source_is_found_again(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let name = stage.pick("one.py", "", "", "one.js", "");
    let text = stage.pick(
        "def total(n):\n    return n + 1\n\n\nprint(total(1))\n",
        "",
        "",
        "function total(n) {\n  return n + 1;\n}\n\nconsole.log(total(1));\n",
        "",
    );
    stage.start_in(dir.path()).await;
    for (above, line) in [(String::new(), 2), (text.replace("total", "other"), 7)] {
        std::fs::write(dir.path().join(name), above + text).unwrap();
        let launch = json!({"program": name, "breakpoints": ["total"], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        stop.says(&format!("#0 total  {name}:{line}"));
        stage.call("debug_stop", json!({})).await.good();
    }
}
