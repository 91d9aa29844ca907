//! Build tags of Go: files that a build includes only with them.

use serde_json::json;

use crate::real::stage::{Stage, marked, workspace_with};

const FILES: [(&str, &str); 6] = [
    ("go.mod", "module app\n\ngo 1.20\n"),
    (
        "cmd/tool/main.go",
        "package main\n\nimport \"app/mode\"\n\nfunc main() {\n\tprintln(mode.Name())\n}\n",
    ),
    (
        "mode/plain.go",
        "//go:build !paid\n\npackage mode\n\nfunc Name() string {\n\treturn \"plain\"\n}\n",
    ),
    (
        "mode/paid.go",
        "//go:build paid\n\npackage mode\n\nfunc Name() string {\n\tname := \"paid\"\n\
         \treturn name // [stop: paid]\n}\n",
    ),
    (
        "mode/paid_test.go",
        "//go:build paid && !slow\n\npackage mode\n\nimport \"testing\"\n\n\
         func TestPaid(t *testing.T) {\n\tgot := Name()\n\
         \tif got != \"paid\" { // [stop: test]\n\t\tt.Fatal(got)\n\t}\n}\n",
    ),
    ("mode/all_test.go", "package mode\n\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {}\n"),
];

/// A test whose file needs a tag is built with it; a command without it names the tag.
pub async fn build_tags_of_go_are_found(stage: &mut Stage) {
    let (dir, _) = workspace_with(&FILES).await;
    stage.start_in(dir.path()).await;
    let line = marked(&dir.path().join("mode/paid_test.go"), "test");
    let at = format!("mode/paid_test.go:{line}");
    for test in ["TestPaid", "mode/paid_test.go::TestPaid"] {
        let launch = json!({"test": test, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place().split("  ").last(), Some(at.as_str()), "{}", stop.text);
        assert_eq!(stop.local("got"), "\"paid\"");
        stop.says("note: built with `-tags=paid`, which mode/paid_test.go needs");
        stage.resume().await.good().line("□ exited with code 0");
    }
    let launch = json!({"command": "go test ./... -run TestPaid", "timeout_s": 50});
    stage.call("debug_launch", launch).await.fails(
        "error[target-missing] this build leaves out mode/paid_test.go, which has TestPaid: \
         `//go:build paid && !slow`. Try: debug_launch {\"timeout_s\": 50, \"command\": \
         \"go test -tags=paid ./... -run TestPaid\"}",
    );
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    let at = format!("mode/paid.go:{}", marked(&dir.path().join("mode/paid.go"), "paid"));
    let launch = json!({"program": "cmd/tool", "breakpoints": [at], "timeout_s": 50});
    let end = stage.call("debug_launch", launch.clone()).await.good();
    end.says(
        "UNVERIFIED: this build leaves the file out: `//go:build paid`; `options` \
         {\"build_flags\": \"-tags=paid\"} includes it",
    );
    let mut launch = launch;
    launch["options"] = json!({"build_flags": "-tags=paid"});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), format!("mode.Name  {at}"), "{}", stop.text);
}

const SETS: [(&str, &str); 5] = [
    FILES[0],
    ("mode/plain.go", "//go:build !paid\n\npackage mode\n\nconst Name = \"plain\"\n"),
    ("mode/paid.go", "//go:build paid\n\npackage mode\n\nconst Name = \"paid\"\n"),
    (
        "mode/slow_test.go",
        "//go:build slow\n\npackage mode\n\nimport \"testing\"\n\n\
         func TestSlow(t *testing.T) {\n\tgot := Name\n\tt.Log(got) // [stop: slow]\n}\n",
    ),
    ("mode/all_test.go", "package mode\n\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {}\n"),
];

/// Tags that a test needs are added to those of `GOFLAGS`.
pub async fn build_tags_of_the_environment_remain(stage: &mut Stage) {
    let (dir, _) = workspace_with(&SETS).await;
    stage.start_in(dir.path()).await;
    let at = format!("mode/slow_test.go:{}", marked(&dir.path().join("mode/slow_test.go"), "slow"));
    for (flags, name, note) in [
        ("-tags=paid", "\"paid\"", "built with `-tags=paid,slow`, which mode/slow_test.go needs"),
        ("", "\"plain\"", "built with `-tags=slow`, which mode/slow_test.go needs"),
    ] {
        let launch = json!({
            "test": "TestSlow", "breakpoints": [at], "env": {"GOFLAGS": flags}, "timeout_s": 50,
        });
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("got"), name, "{}", stop.text);
        stop.says(note);
        stage.resume().await.good().line("□ exited with code 0");
    }
    // With the tag in the environment nothing is added.
    let launch = json!({
        "test": "TestSlow", "breakpoints": [at], "env": {"GOFLAGS": "-tags=slow"}, "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(!stop.text.contains("built with"), "{}", stop.text);
}

const TAGGED: [(&str, &str); 4] = [
    FILES[0],
    ("main.go", "package main\n\nfunc main() {\n\tprintln(2)\n}\n"),
    (
        "integ/deep_test.go",
        "//go:build integration\n\npackage integ\n\nimport \"testing\"\n\n\
         func TestDeep(t *testing.T) {}\n",
    ),
    // The form of Go 1.16 and before.
    ("gen/gen.go", "// +build ignore\n\npackage main\n\nfunc main() {\n\tprintln(1)\n}\n"),
];

/// A package without a file in the build names the tags; files that no build has are no targets.
pub async fn packages_of_tagged_files_name_their_tags(stage: &mut Stage) {
    let (dir, _) = workspace_with(&TAGGED).await;
    stage.start_in(dir.path()).await;
    for options in ["", " -run TestDeep"] {
        let command = format!("go test ./integ{options}");
        let refused = stage.call("debug_launch", json!({"command": command})).await;
        refused.fails(&format!(
            "error[target-missing] this build leaves out every file of the package; \
             integ/deep_test.go has `//go:build integration`. Try: debug_launch {{\"command\": \
             \"go test -tags=integration ./integ{options}\"}}"
        ));
    }
    let refused = stage.call("debug_launch", json!({"command": "go test ./..."})).await;
    refused.fails(
        "error[target-missing] this build of `./...` has no tests; it leaves out \
         integ/deep_test.go: `//go:build integration`. Try: debug_launch {\"command\": \
         \"go test -tags=integration ./...\"}",
    );
    let targets = stage.call("debug_targets", json!({})).await.good();
    assert!(!targets.text.contains("program gen"), "{}", targets.text);
    targets.says("program .  main.go:3");
    stage.call("debug_launch", json!({"program": "gen/gen.go"})).await.good().says("\n  1\n");
}
