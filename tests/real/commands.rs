//! Whole command lines: test runners, modules, cargo, go.

use std::path::Path;

use serde_json::json;

use super::Stage;
use super::stage::{Language, marked};
use crate::caller::{Caller, Start, adapters_config, root};

pub async fn failing_pytest_shows_only_its_own_locals(stage: &mut Stage) {
    let arguments = json!({"command": "pytest -q failing_cart.py", "cwd": "tests/fixtures/python", "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "failing_cart", "test_tax_of_nothing", "raises");
    assert_eq!(stop.local("found"), "0");
    let all = stage.call("debug_variables", json!({})).await.good();
    assert!(!stop.text.contains("@py_") && !all.text.contains("@py_"), "{}\n{}", stop.text, all.text);
    stage.resume().await.good().line("□ exited with code 1");
}

pub async fn pytest(stage: &mut Stage) {
    let arguments = json!({
        "command": "pytest -k pen -q test_cart.py",
        "cwd": "tests/fixtures/python",
        "breakpoints": [stage.at("test_cart", "pen")],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "test_cart", "test_tax_of_a_pen", "pen");
    assert!(stop.local("pen").contains("price=100"), "{}", stop.text);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("1 passed, 1 deselected");
}

/// unittest catches what a test raises; nobody has to ask for the stop.
pub async fn failing_unittest_stops(stage: &mut Stage) {
    let arguments = json!({
        "command": "python -m unittest -q failing_cart",
        "cwd": "tests/fixtures/python",
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "failing_cart", "test_tax_of_nothing", "raises");
    stop.says("exception AssertionError");
    stage.resume().await.good().line("□ exited with code 1");
}

/// The program's interpreter has no debugpy; the adapter's does.
pub async fn named_interpreter_runs_the_program(stage: &mut Stage) {
    let python = adapters_config().with_file_name("bare-python").join("bin/python");
    let arguments = json!({
        "command": format!("{} tests/fixtures/python/cart.py", python.display()),
        "breakpoints": [stage.at("cart", "add")],
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "cart", "total_of", "add");
    let told = stage.call("debug_evaluate", json!({"expressions": ["__import__('sys').executable"]})).await.good();
    told.says(&format!("= '{}'", python.display()));
    stage.resume().await.good();
}

pub async fn module(stage: &mut Stage) {
    stops_and_fails(stage, "python -m cart fail", "tests/fixtures/python").await;
}

pub async fn npm_script(stage: &mut Stage) {
    stops_and_fails(stage, "npm run cart -- fail", "tests/fixtures/javascript").await;
}

/// `cart fail`, however it is started.
async fn stops_and_fails(stage: &mut Stage, command: &str, cwd: &str) {
    let breakpoint = stage.at("cart", "after");
    let arguments = json!({"command": command, "cwd": cwd, "breakpoints": [breakpoint], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "cart", "main", "after");
    assert_eq!(stop.local("total"), "10136");
    stage.resume().await.good().line("□ exited with code 3");
}

pub async fn node_with_options(stage: &mut Stage) {
    let arguments = json!({
        "command": "node --stack-trace-limit 5 --no-warnings cart.js fail",
        "cwd": "tests/fixtures/javascript",
        "breakpoints": [stage.at("cart", "after")],
        "timeout_s": 50,
    });
    let wrong = stage.call("debug_launch", arguments).await;
    assert!(wrong.is_error && wrong.text.starts_with("error[target-missing] there is no file "), "{}", wrong.text);
    let arguments = json!({
        "command": "node --stack-trace-limit=5 cart.js fail",
        "cwd": "tests/fixtures/javascript",
        "breakpoints": [stage.at("cart", "after")],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.stands(&stop, "cart", "main", "after");
    let told = stage.call("debug_evaluate", json!({"expressions": ["Error.stackTraceLimit"]})).await.good();
    told.says("Error.stackTraceLimit = 5  (number)");
    stage.resume().await.good().line("□ exited with code 3");
}

pub async fn node_test_by_name(stage: &mut Stage) {
    let arguments = json!({
        "command": "node --test --test-name-pattern pen cart.test.js",
        "cwd": "tests/fixtures/javascript",
        "breakpoints": [stage.at("cart.test", "pen"), stage.at("cart.test", "total")],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    assert!(stop.place().ends_with(&stage.at("cart.test", "pen")), "{}", stop.text);
    assert!(stop.local("pen").contains("price: 100"), "{}", stop.text);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    stage.call("debug_output", json!({"since": 0})).await.good().says("# pass 1\n");
}

/// The program is what the compiler made; place, source and stack are what was written.
pub async fn typescript_through_its_source_map(stage: &mut Stage) {
    let source = "tests/fixtures/javascript/typed/src/price.ts";
    let at = format!("{source}:{}", marked(&root().join(source), "reduced"));
    for program in ["dist/price.js", "src/price.ts"] {
        let program = format!("tests/fixtures/javascript/typed/{program}");
        let arguments = json!({"program": program, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", arguments).await.good();
        assert_eq!(stop.place(), format!("reduced  {at}"), "{}", stop.text);
        assert_eq!((stop.reason().starts_with("breakpoint #"), stop.local("off")), (true, "25"), "{}", stop.text);
        stop.says("return item.price - off; // [stop: reduced]");
        let discount = stage.call("debug_evaluate", json!({"expressions": ["discount"]})).await.good();
        discount.says("discount = 10  (number)");
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        end.says("Füller 1791");
    }
}

const MAIN: &str = r#"fn double(n: u32) -> u32 {
    n * 2 // [stop: double]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("{} {words:?}", double(21)); // [stop: main]
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        let four = super::double(2);
        assert_eq!(four, 4); // [stop: test]
    }

    #[test]
    fn other() {}
}
"#;

/// A small crate in a workspace of its own.
fn crate_with(main: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    let manifest = "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    std::fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    std::fs::write(dir.path().join("src/main.rs"), main).unwrap();
    dir
}

/// A host whose workspace is that crate.
async fn in_crate(dir: &Path) -> Caller {
    Caller::start(Start { cwd: dir.canonicalize().unwrap(), ..Start::usual() }).await
}

fn place(dir: &Path, mark: &str) -> String {
    format!("src/main.rs:{}", marked(&dir.join("src/main.rs"), mark))
}

pub async fn cargo_run(stage: &mut Stage) {
    let dir = crate_with(MAIN);
    stage.caller = in_crate(dir.path()).await;
    let at = place(dir.path(), "double");
    let arguments = json!({"command": "cargo run -- a 'b c'", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.place(), format!("small::double  {at}"), "{}", stop.text);
    assert_eq!(stop.local("n"), "21");
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("42 [\"a\", \"b c\"]");
}

pub async fn cargo_test(stage: &mut Stage) {
    let dir = crate_with(MAIN);
    stage.caller = in_crate(dir.path()).await;
    let at = place(dir.path(), "test");
    let arguments = json!({"command": "cargo test doubles", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.place(), format!("small::tests::doubles  {at}"), "{}", stop.text);
    assert_eq!(stop.local("four"), "4");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("1 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out");
}

pub async fn compile_error_is_told(stage: &mut Stage) {
    let dir = crate_with("fn main() {\n    let n: u32 = \"text\";\n}\n");
    stage.caller = in_crate(dir.path()).await;
    let answer = stage.call("debug_launch", json!({"command": "cargo run", "timeout_s": 50})).await;
    assert!(answer.is_error && answer.text.starts_with("error[build-failed] "), "{}", answer.text);
    answer.line("error[E0308]: mismatched types");
    answer.line(" --> src/main.rs:2:18");
    assert!(!answer.text.contains("\\n"), "{}", answer.text);
    assert_eq!(answer.line("Try: "), r#"debug_launch {"command": "cargo run"} (once it builds)"#);
}

const GO_MAIN: &str = r#"package main

import (
	"fmt"
	"os"
)

func double(n int) int {
	return n * 2 // [stop: double]
}

func main() {
	fmt.Printf("%d %q\n", double(21), os.Args[1:]) // [stop: main]
}
"#;

const GO_TEST: &str = r#"package main

import "testing"

func TestDouble(t *testing.T) {
	four := double(2)
	if four != 4 { // [stop: test]
		t.Fatal(four)
	}
}

func TestOther(t *testing.T) {}
"#;

/// A module with a program in `cmd/small`, its tests, and a package without either.
fn module_with(main: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("go.mod", "module small\n\ngo 1.22\n"),
        ("cmd/small/main.go", main),
        ("cmd/small/main_test.go", GO_TEST),
        ("lib/lib.go", "package lib\n\nfunc One() int { return 1 }\n"),
    ];
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

fn go_place(dir: &Path, file: &str, mark: &str) -> String {
    format!("cmd/small/{file}:{}", marked(&dir.join("cmd/small").join(file), mark))
}

/// The program by its command line, by its directory and by its file; nothing is left in the module.
pub async fn go_run(stage: &mut Stage) {
    let dir = module_with(GO_MAIN);
    stage.caller = in_crate(dir.path()).await;
    let at = go_place(dir.path(), "main.go", "double");
    let ways = [
        json!({"command": "go run ./cmd/small a 'b c'"}),
        json!({"program": "cmd/small", "args": ["a", "b c"]}),
        json!({"program": "cmd/small/main.go", "args": ["a", "b c"]}),
        json!({"command": "dlv debug ./cmd/small -- a 'b c'"}),
    ];
    for mut arguments in ways {
        arguments["breakpoints"] = json!([at]);
        arguments["timeout_s"] = json!(50);
        let stop = stage.call("debug_launch", arguments).await.good();
        assert_eq!(stop.place(), format!("main.double  {at}"), "{}", stop.text);
        assert_eq!(stop.local("n"), "21");
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        end.says("42 [\"a\" \"b c\"]");
    }
    let left: Vec<_> = std::fs::read_dir(dir.path().join("cmd/small")).unwrap().flatten().collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

pub async fn go_test(stage: &mut Stage) {
    let dir = module_with(GO_MAIN);
    stage.caller = in_crate(dir.path()).await;
    let at = go_place(dir.path(), "main_test.go", "test");
    for command in
        ["go test ./cmd/small -run Double -v", "go test ./... -run ^TestDouble$ -v", "go test small/cmd/small -v"]
    {
        let arguments = json!({"command": command, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", arguments).await.good();
        assert_eq!(stop.place(), format!("small.TestDouble  {at}"), "{}", stop.text);
        assert_eq!(stop.local("four"), "4");
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        let output = stage.call("debug_output", json!({})).await.good();
        output.says("--- PASS: TestDouble");
        assert_eq!(output.text.contains("TestOther"), !command.contains("Double"), "{}", output.text);
    }
}

/// What is no program and no test is told with what there is.
pub async fn go_targets_that_are_not_there(stage: &mut Stage) {
    let dir = module_with(GO_MAIN);
    stage.caller = in_crate(dir.path()).await;
    let mistakes = [
        (
            json!({"command": "go test ./cmd/small -run TestDuble"}),
            "error[target-missing] no test in ./cmd/small matches `TestDuble`; there are TestDouble, TestOther. \
             Try: debug_launch {\"command\": \"go test ./cmd/small -run ^TestDouble$\"}",
        ),
        (
            json!({"command": "go test ./... -run TestNone"}),
            "error[target-missing] no test in ./... matches `TestNone`; there are TestDouble, TestOther. \
             Try: debug_launch {\"command\": \"go test ./... -run ^TestDouble$\"}",
        ),
        (
            json!({"command": "go test ./lib"}),
            "error[target-missing] ./lib has no tests. Try: debug_status {\"detail\": \"adapters\"}",
        ),
        (
            json!({"command": "go run ./lib"}),
            "error[target-missing] ./lib is no program: it has no `main`. \
             Try: debug a main package, or its tests with `go test PACKAGE -run NAME`",
        ),
        (
            json!({"command": "go test ./..."}),
            "error[target-ambiguous] `./...` may be many test binaries. \
             Try: name one package, or one test with `-run NAME`",
        ),
        (
            json!({"command": "go vet ./..."}),
            "error[unsupported] `go vet` runs nothing to debug. \
             Try: use `go run PACKAGE …` or `go test PACKAGE -run NAME`",
        ),
    ];
    for (mut arguments, error) in mistakes {
        arguments["timeout_s"] = json!(50);
        stage.call("debug_launch", arguments).await.fails(error);
    }
}

pub async fn compile_error_of_go_is_told(stage: &mut Stage) {
    let dir = module_with("package main\n\nfunc main() {\n\tvar n int = \"text\"\n\t_ = n\n}\n");
    stage.caller = in_crate(dir.path()).await;
    let answer = stage.call("debug_launch", json!({"command": "go run ./cmd/small", "timeout_s": 50})).await;
    assert!(answer.is_error && answer.text.starts_with("error[build-failed] "), "{}", answer.text);
    answer.says("cmd/small/main.go:4:14: cannot use \"text\"");
}

/// A core file is looked into with the program that dumped it; it does not run on.
pub async fn core_of_go(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (program, core) = (root().join(stage.language.program("cart")), dir.path().join("core"));
    dump(&program, &core, dir.path());
    let arguments = json!({"program": program, "options": {"core": core}, "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.reason(), "core file");
    assert!(stop.place().starts_with("main.tax  "), "{}", stop.text);
    assert_eq!(stop.local("net"), "1000");
    let name = stage.call("debug_evaluate", json!({"expressions": ["item.name"]})).await.good();
    name.says("item.name = \"Heft\"");
    assert_eq!(stage.resume().await.good().reason(), "core file");
    stage.call("debug_stop", json!({})).await.good();
}

/// Has the adapter dump the program where it calls `main.tax`: systems differ in where their own cores go.
#[expect(clippy::disallowed_methods, reason = "no process of the host")]
fn dump(program: &Path, core: &Path, dir: &Path) {
    let script = dir.join("script");
    std::fs::write(&script, format!("break main.tax\ncontinue\ndump {}\nexit\n", core.display())).unwrap();
    let mut dlv = std::process::Command::new(Language::Go.tool_path().unwrap());
    dlv.arg("exec").arg(program).args(["--allow-non-terminal-interactive", "--init"]).arg(script);
    let output = dlv.stdin(std::process::Stdio::null()).output().unwrap();
    assert!(core.exists(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A file that is a whole program needs no build of the caller's.
pub async fn source_file_of_c(stage: &mut Stage) {
    let (source, at) = (stage.language.source("cart"), stage.at("cart", "tax"));
    // No adapter is named: sources are claimed by one plugin only.
    let stop =
        stage.caller.call("debug_launch", json!({"program": source, "breakpoints": [at], "timeout_s": 50})).await;
    let stop = stop.good();
    stage.stands(&stop, "cart", "tax", "tax");
    assert_eq!(stop.local("rate"), "7");
    stage.call("debug_stop", json!({})).await.good();
}

pub async fn compile_error_of_c_is_told(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let source = dir.path().join("small.c");
    std::fs::write(&source, "int main(void) {\n    return nowhere;\n}\n").unwrap();
    let answer = stage.call("debug_launch", json!({"program": source, "timeout_s": 50})).await;
    assert!(answer.is_error && answer.text.starts_with("error[build-failed] "), "{}", answer.text);
    answer.says("small.c:2:12: error: ");
    answer.says("nowhere");
}

/// A core file is looked into with the program that dumped it; it does not run on.
pub async fn core_of_c(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (program, core) = (root().join(stage.language.program("crash")), dir.path().join("a core"));
    let script = ["run segv", &format!("generate-core-file {}", core.display()), "kill"];
    #[expect(clippy::disallowed_methods, reason = "no process of the host")]
    let mut gdb = std::process::Command::new(stage.language.tool_path().unwrap());
    gdb.args(["-q", "-nx", "-batch"]).args(script.iter().flat_map(|line| ["-ex", *line])).arg(&program);
    let output = gdb.stdin(std::process::Stdio::null()).output().unwrap();
    assert!(core.exists(), "{}", String::from_utf8_lossy(&output.stderr));
    let arguments = json!({"program": program, "options": {"core": core}, "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.reason(), "signal core file: SIGSEGV at address 0x10");
    stage.stands(&stop, "crash", "read", "segv");
    assert_eq!(stop.local("address"), "16");
    let outer = stage.call("debug_evaluate", json!({"expressions": ["amount"], "frame": 1})).await.good();
    outer.says("amount = \"zwölf\"");
    let resumed = stage.resume().await;
    assert!(resumed.is_error && resumed.text.contains("a core file does not run"), "{}", resumed.text);
    stage.call("debug_stop", json!({})).await.good();
}

/// As the library's own pretty printers tell them.
pub async fn containers_of_cpp(stage: &mut Stage) {
    let source = "tests/fixtures/c/containers.cpp";
    let at = |mark: &str| format!("{source}:{}", marked(&root().join(source), mark));
    let arguments = json!({"program": "target/fixtures/c/containers", "args": ["throw"], "timeout_s": 50,
        "breakpoints": [at("data")], "adapter": "gdb"});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.place(), format!("main  {}", at("data")), "{}", stop.text);
    for (path, value) in [("items[1].name", "\"饺子\""), ("numbers[7777]", "7777"), ("items[0].price", "1990")] {
        let told = stage.call("debug_variables", json!({"path": path})).await.good();
        assert_eq!(told.text.lines().nth(1), Some(value), "{path}: {}", told.text);
    }
    let told = stage.call("debug_evaluate", json!({"expressions": ["stock", "some", "nothing"]})).await.good();
    told.says("std::map with 2 elements");
    let thrown = stage.resume().await.good();
    assert_eq!(thrown.reason(), "signal SIGABRT", "nobody catches it");
    assert_eq!(thrown.place(), format!("parse  {}", at("throw")), "{}", thrown.text);
    stage.call("debug_output", json!({"grep": "what"})).await.good().says("bad order zwölf");
}

/// Recorded from the first stop on; what is passed is undone.
pub async fn backwards(stage: &mut Stage) {
    let at = stage.at("cart", "loop");
    let stop = stage.launch("cart", json!({"breakpoints": [at], "options": {"record": true}})).await.good();
    assert_eq!(stop.local("index"), "0");
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.stands(&stop, "cart", "total_of", "add");
    assert_eq!(stop.local("net"), "1000");
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.stands(&stop, "cart", "total_of", "print");
    assert_eq!(stop.local("total"), "1070");
    let stop = stage.call("debug_step", json!({"kind": "back"})).await.good();
    stage.stands(&stop, "cart", "total_of", "add");
    assert_eq!((stop.reason(), stop.local("total")), ("after step", "0"));
    let start = stage.call("debug_continue", json!({"reverse": true})).await.good();
    stage.stands(&start, "cart", "total_of", "loop");
    assert_ne!(start.local("net"), "1000");
    // What is undone comes again.
    let stop = stage.call("debug_step", json!({})).await.good();
    stage.stands(&stop, "cart", "total_of", "add");
    assert_eq!(stop.local("net"), "1000");
    let both = stage.call("debug_continue", json!({"reverse": true, "until": stage.at("cart", "main")})).await;
    both.says("`until` runs forwards only");
}

pub async fn backwards_needs_a_record(stage: &mut Stage) {
    stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    for (tool, arguments, command) in [
        ("debug_step", json!({"kind": "back"}), "stepBack"),
        ("debug_continue", json!({"reverse": true}), "reverseContinue"),
    ] {
        let wanted = format!(
            "error[unsupported] this adapter does not support `{command}`. Try: debug_status {{\"detail\": \"capabilities\"}}"
        );
        stage.call(tool, arguments).await.fails(&wanted);
    }
}

/// Other languages' programs, where the caller names it.
pub async fn rust_and_go_by_the_name_of_gdb(stage: &mut Stage) {
    let at = Language::Rust.at("cart", "tax");
    let arguments = json!({"program": Language::Rust.program("cart"), "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!((stop.local("net"), stop.local("rate")), ("1000", "7"), "{}", stop.text);
    let name = stage.call("debug_evaluate", json!({"expressions": ["item.name", "item.note"]})).await.good();
    name.says("item.name = \"Heft\"");
    stage.call("debug_stop", json!({})).await.good();
    let arguments = json!({"program": Language::Rust.program("crash"), "args": ["raise"], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert!(stop.reason().starts_with("panic panicked: bad order 7"), "{}", stop.text);
    assert_eq!(stop.place(), format!("crash::parse  {}", Language::Rust.at("crash", "parse")));
    stage.call("debug_stop", json!({})).await.good();
    let at = Language::Go.at("cart", "tax");
    let arguments = json!({"program": Language::Go.program("cart"), "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!((stop.local("net"), stop.local("rate")), ("1000", "7"), "{}", stop.text);
}

/// One without a debug adapter is named, with what to install.
pub async fn old_gdb_is_told(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let gdb = dir.path().join("gdb");
    crate::plugin::script(&gdb, "#!/bin/sh\necho 'GNU gdb (Debian 13.1-3) 13.1'\n");
    let config = dir.path().join("dapdock.toml");
    std::fs::write(&config, format!("[tools.gdb]\npath = {gdb:?}\n")).unwrap();
    stage.caller = Caller::start(Start { config, ..Start::usual() }).await;
    let refused = stage.launch("cart", json!({})).await;
    assert!(refused.text.starts_with("error[tool-too-old] gdb 13.1 has no debug adapter"), "{}", refused.text);
    refused.says("install gdb 16 or newer with Python");
}

/// A workspace with a library, a program and tests beside them.
pub async fn rust_test_by_name(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let package = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
    write("Cargo.toml", "[workspace]\nmembers = [\"cart\", \"api\"]\nresolver = \"2\"\n");
    write("cart/Cargo.toml", &package("cart"));
    write("api/Cargo.toml", &package("api"));
    let lib = "pub fn half(n: u32) -> u32 {\n    n / 2 // [stop: half]\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    \
               fn applies_discount() {\n        assert_eq!(super::half(9), 4);\n    }\n\n    #[test]\n    fn other() {\n        \
               assert_eq!(super::half(2), 1);\n    }\n}\n";
    write("cart/src/lib.rs", lib);
    write("cart/tests/whole.rs", "#[test]\nfn halves() {\n    assert_eq!(cart::half(6), 3);\n}\n");
    write("api/src/main.rs", "fn main() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn other() {}\n}\n");
    stage.caller = in_crate(dir.path()).await;
    let at = "cart/src/lib.rs:2";
    for (test, n) in [("cart::tests::applies_discount", "9"), ("applies_discount", "9"), ("halves", "6")] {
        let launch = json!({"test": test, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("n"), n, "{}", stop.text);
        let end = stage.resume().await.good();
        end.says("exited with code 0");
    }
    for (test, told) in [
        ("other", "2 tests are named other"),
        ("other", "name one: api::tests::other, cart::tests::other"),
        ("applies_discont", "no test is named applies_discont; there are tests::applies_discount"),
        ("src/lib.rs - half (line 1)", "is a doc test"),
    ] {
        let launch = json!({"test": test, "timeout_s": 50});
        let refused = stage.call("debug_launch", launch).await;
        assert!(refused.is_error, "{}", refused.text);
        refused.says(told);
    }
}

/// Whose a test is, the files of its project say; where none does, command lines are named.
pub async fn the_project_says_whose_a_test_is(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let text = "[package]\nname = \"alone\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    let package = dir.path().join("native/alone");
    std::fs::create_dir_all(package.join("src")).unwrap();
    std::fs::write(package.join("Cargo.toml"), text).unwrap();
    std::fs::write(package.join("src/lib.rs"), "#[test]\nfn alone() {\n    let n = 1;\n    assert_eq!(n, 1);\n}\n")
        .unwrap();
    stage.caller = in_crate(dir.path()).await;
    let at = "native/alone/src/lib.rs:4";
    let launch = json!({"test": "alone", "cwd": "native/alone", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("n"), "1", "{}", stop.text);
    stage.call("debug_stop", json!({})).await.good();
    let refused = stage.call("debug_launch", json!({"test": "nowhere"})).await;
    refused.fails(
        "error[no-adapter] no adapter knows how to debug `nowhere` by its name here; a command line runs it: \
         `cargo test nowhere`, `pytest -k nowhere`, `go test ./... -run nowhere`, \
         `node --test --test-name-pattern nowhere`. Try: debug_launch {\"command\": \"cargo test nowhere\"}",
    );
    // Who lists it claims it, wherever it is.
    let stop = stage.call("debug_launch", json!({"test": "alone", "breakpoints": [at], "timeout_s": 50})).await.good();
    assert_eq!(stop.local("n"), "1", "{}", stop.text);
}

/// One file, compiled for the caller: C, C++ and Rust without a package.
pub async fn source_files_through_codelldb(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("one.c", "int main(void) {\n    int n = 41;\n    n++;\n    return n - 42;\n}\n");
    write(
        "two.cpp",
        "#include <vector>\nint main() {\n    std::vector<int> v{40, 2};\n    int n = v[0] + v[1];\n    return n - 42;\n}\n",
    );
    write("three.rs", "fn main() {\n    let n: u64 = 42;\n    println!(\"{n}\");\n}\n");
    write("wrong.rs", "fn main() {\n    let n: u64 = \"a\";\n}\n");
    stage.caller = in_crate(dir.path()).await;
    for (file, line) in [("one.c", 4), ("two.cpp", 5), ("three.rs", 3)] {
        let at = format!("{file}:{line}");
        let launch = json!({"program": file, "adapter": "codelldb", "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("n"), "42", "{}", stop.text);
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        stage.resume().await.good().says("exited with code 0");
    }
    let refused = stage.call("debug_launch", json!({"program": "wrong.rs", "timeout_s": 50})).await;
    assert!(refused.is_error && refused.text.starts_with("error[build-failed] "), "{}", refused.text);
    refused.says("mismatched types");
}
