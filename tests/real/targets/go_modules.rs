//! Programs and tests of a Go module.

use std::path::Path;

use serde_json::json;

use crate::caller::root;
use crate::real::stage::{Language, Stage, marked};

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
        ("go.mod", "module small\n\ngo 1.20\n"),
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

/// The program by command line, by directory and by file; the build leaves no file in the module.
pub async fn go_run(stage: &mut Stage) {
    let dir = module_with(GO_MAIN);
    stage.start_in(dir.path()).await;
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
    stage.start_in(dir.path()).await;
    let at = go_place(dir.path(), "main_test.go", "test");
    for command in [
        "go test ./cmd/small -run Double -v",
        "go test ./... -run ^TestDouble$ -v",
        "go test small/cmd/small -v",
        "go test -vet=off ./... -v",
        "go test ./lib ./cmd/small -v",
    ] {
        let arguments = json!({"command": command, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", arguments).await.good();
        // Go 1.20 names the package of a program's tests by its path.
        let package = if stage.language == Language::OldGo { "small/cmd/small" } else { "small" };
        assert_eq!(stop.place(), format!("{package}.TestDouble  {at}"), "{}", stop.text);
        assert_eq!(stop.local("four"), "4");
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        let output = stage.call("debug_output", json!({})).await.good();
        output.says("--- PASS: TestDouble");
        assert_eq!(
            output.text.contains("TestOther"),
            !command.contains("Double"),
            "{}",
            output.text
        );
    }
}

/// Each error lists the programs and tests there are.
pub async fn missing_go_targets_are_refused(stage: &mut Stage) {
    let dir = module_with(GO_MAIN);
    stage.start_in(dir.path()).await;
    let mistakes = [
        (
            json!({"command": "go test ./cmd/small -run TestDuble"}),
            "error[target-missing] no test in ./cmd/small matches `TestDuble`; there are \
            TestDouble, TestOther. \
             Try: debug_launch {\"timeout_s\": 50, \"command\": \"go test ./cmd/small -run \
             ^TestDouble$\"}",
        ),
        (
            json!({"command": "go test ./... -run TestNone"}),
            "error[target-missing] no test in ./... matches `TestNone`; there are TestDouble, \
            TestOther. \
             Try: debug_launch {\"timeout_s\": 50, \"command\": \"go test ./... -run \
             ^TestDouble$\"}",
        ),
        (
            json!({"command": "go test ./lib"}),
            "error[target-missing] ./lib has no tests. Try: debug_targets",
        ),
        (
            json!({"command": "go run ./lib"}),
            "error[target-missing] ./lib is not a program: it has no `main`. \
             Try: debug a main package, or its tests with `go test PACKAGE -run NAME`",
        ),
        (
            json!({"command": "go test ./lib/..."}),
            "error[target-missing] no package of `./lib/...` has tests. Try: debug_targets",
        ),
        (
            json!({"command": "go vet ./..."}),
            "error[unsupported] `go vet` runs no program. \
             Try: use `go run PACKAGE …` or `go test PACKAGE -run NAME`",
        ),
    ];
    for (mut arguments, error) in mistakes {
        arguments["timeout_s"] = json!(50);
        stage.call("debug_launch", arguments).await.fails(error);
    }
}

pub async fn compile_error_of_go_is_reported(stage: &mut Stage) {
    let dir = module_with("package main\n\nfunc main() {\n\tvar n int = \"text\"\n\t_ = n\n}\n");
    stage.start_in(dir.path()).await;
    // The place is relative to the workspace, wherever `go` runs.
    for target in [
        json!({"command": "go run ./cmd/small"}),
        json!({"program": "cmd/small"}),
        json!({"program": "cmd/small/main.go"}),
    ] {
        let mut launch = json!({"adapter": stage.language.adapter(), "timeout_s": 50});
        launch.as_object_mut().unwrap().extend(target.as_object().unwrap().clone());
        let answer = stage.call("debug_launch", launch).await;
        assert!(
            answer.is_error && answer.text.starts_with("error[build-failed] "),
            "{}",
            answer.text
        );
        let place = answer.text.split_whitespace().find(|word| word.contains("main.go:")).unwrap();
        assert_eq!(place, "cmd/small/main.go:4:14:", "{}", answer.text);
    }
}

/// A core file is opened with the program that dumped it; it cannot be resumed.
pub async fn core_file_of_go(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (program, core) = (root().join(stage.language.program("cart")), dir.path().join("core"));
    dump(&stage.language.tool_path().unwrap(), &program, &core, dir.path());
    let arguments = json!({"program": program, "options": {"core": core}, "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    assert_eq!(stop.reason(), "core file");
    assert!(stop.place().starts_with("main.tax  "), "{}", stop.text);
    assert_eq!(stop.local("net"), "1000");
    let name = stage.call("debug_evaluate", json!({"expressions": ["item.name"]})).await.good();
    name.says("item.name = \"Heft\"");
    stage.resume().await.fails("error[post-mortem] a core file does not run. Try: debug_stack");
    stage.call("debug_stop", json!({})).await.good();
}

/// Has Delve write a core of the program at `main.tax`: where the system puts its own cores differs
/// between machines.
#[expect(clippy::disallowed_methods, reason = "no process of the host")]
pub fn dump(dlv: &str, program: &Path, core: &Path, dir: &Path) {
    let script = dir.join("script");
    std::fs::write(&script, format!("break main.tax\ncontinue\ndump {}\nexit\n", core.display()))
        .unwrap();
    let mut dlv = std::process::Command::new(dlv);
    dlv.arg("exec").arg(program).args(["--allow-non-terminal-interactive", "--init"]).arg(script);
    let output = dlv.stdin(std::process::Stdio::null()).output().unwrap();
    assert!(core.exists(), "{}", String::from_utf8_lossy(&output.stderr));
}
