//! Configurations of launch.json as editors write them, at least one for each adapter.

use std::path::Path;

use serde_json::{Value, json};

use crate::caller::{Answer, root};
use crate::real::stage::{Language, Stage, marked, workspace_with};

/// Starts a host whose workspace has these named configurations.
async fn configured(stage: &mut Stage, dir: &Path, all: &[(&str, Value)]) {
    let named = |(name, one): &(&str, Value)| {
        let mut one = one.clone();
        one["name"] = json!(name);
        one["request"] = json!("launch");
        one
    };
    std::fs::create_dir_all(dir.join(".vscode")).unwrap();
    let text =
        json!({"version": "0.2.0", "configurations": all.iter().map(named).collect::<Vec<_>>()})
            .to_string();
    std::fs::write(dir.join(".vscode/launch.json"), text).unwrap();
    stage.start_in(dir).await;
}

async fn launch(stage: &mut Stage, name: &str, breakpoints: &[String]) -> Answer {
    let options = json!({"options": {"config": name}, "breakpoints": breakpoints, "timeout_s": 50});
    stage.call("debug_launch", options).await.good()
}

/// Copies the program into the workspace; also returns the values of `type` that select its
/// adapter.
fn program(stage: &Stage, dir: &Path, name: &str) -> (&'static str, Vec<&'static str>) {
    let (file, types) = stage.pick(
        ("shop.py", vec!["debugpy", "python"]),
        ("shop", vec!["lldb"]),
        ("shop", vec!["go"]),
        ("shop.js", vec!["node", "pwa-node"]),
        ("shop", vec!["cppdbg", "gdb"]),
    );
    std::fs::copy(root().join(stage.language.program(name)), dir.join(file)).unwrap();
    (file, types)
}

/// Program, arguments, environment and directory are used; ignored keys are listed.
pub async fn launch_configuration_of_launch_json(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (file, types) = program(stage, dir.path(), "args_env");
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    let configuration = |kind: &str| {
        let env = match kind {
            "cppdbg" => {
                json!({"environment": [{"name": "GREETING", "value": "Grüße \
                    ${workspaceFolderBasename}"}]})
            }
            _ => json!({"env": {"GREETING": "Grüße ${workspaceFolderBasename}"}}),
        };
        let mut one = json!({
            "type": kind,
            "program": format!("${{workspaceFolder}}/{file}"),
            "args": ["a b", "ü"],
            "cwd": "${workspaceFolder}/sub",
            "console": "integratedTerminal",
            "preLaunchTask": "build",
        });
        one.as_object_mut().unwrap().extend(env.as_object().unwrap().clone());
        match kind {
            "go" => one["mode"] = json!("exec"),
            "cppdbg" => one["MIMode"] = json!("gdb"),
            _ => {}
        }
        one
    };
    let all: Vec<(&str, Value)> = types.iter().map(|&kind| (kind, configuration(kind))).collect();
    configured(stage, dir.path(), &all).await;
    let name = dir.path().file_name().unwrap().to_string_lossy().into_owned();
    for kind in types {
        let end = launch(stage, kind, &[]).await;
        end.line("□ exited with code 0");
        assert_eq!(end.line("note: launch.json keys ignored: "), "preLaunchTask");
        let printed = stage.call("debug_output", json!({"stream": "stdout"})).await.good();
        for part in ["arg 1: a b\n", "arg 2: ü\n", &format!("greeting: Grüße {name}\n"), "/sub\n"]
        {
            printed.says(part);
        }
    }
}

pub async fn stopping_at_entry_by_launch_json(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (file, types) = program(stage, dir.path(), "args_env");
    let key = |kind: &str| match kind {
        "cppdbg" => "stopAtEntry",
        "gdb" => "stopAtBeginningOfMainSubprogram",
        _ => "stopOnEntry",
    };
    let one = |kind: &'static str| (kind, json!({"type": kind, "program": file, key(kind): true}));
    let all: Vec<(&str, Value)> = types.into_iter().map(one).collect();
    configured(stage, dir.path(), &all).await;
    for (kind, _) in all {
        let stop = launch(stage, kind, &[]).await;
        assert_eq!(stop.reason(), "at entry", "{kind}: {}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
    }
}

const TESTS: &str = "package price\n\nimport \"testing\"\n\nfunc TestGold(t *testing.T) {\n\thalf \
    := double(21) / 2\n\t\
                     if half != 21 { // [stop: gold]\n\t\tt.Fatal(half)\n\t}\n}\n\nfunc \
                     TestSilver(t *testing.T) {}\n";
const CODE: &str = "package price\n\nfunc double(n int) int { return n * 2 }\n";

/// The package is given as a directory or as one of its files, in a module anywhere in the
/// workspace, and is built with its flags.
pub async fn tests_of_go_by_launch_json(stage: &mut Stage) {
    let (dir, _) = workspace_with(&[
        ("services/shop/go.mod", "module shop\n\ngo 1.20\n"),
        ("services/shop/price/price.go", CODE),
        ("services/shop/price/price_test.go", TESTS),
        (
            "services/shop/cmd/main.go",
            "package main\n\nfunc main() {\n\tn := 42\n\tprintln(n)\n}\n",
        ),
    ])
    .await;
    let package = "${workspaceFolder}/services/shop/price";
    let test = |program: &str, args: Value| {
        json!({
            "type": "go", "mode": "test", "program": program, "args": args,
        })
    };
    let file = format!("{package}/price_test.go");
    let all = [
        ("directory", test(package, json!(["-test.run", "TestGold", "-test.v"]))),
        ("file", test(&file, json!(["-test.v", "-test.run=TestGold"]))),
        (
            "flags",
            json!({
                "type": "go", "mode": "test", "program": "services/shop/price",
                "buildFlags": "-tags=x",
            }),
        ),
        ("none", test(package, json!(["-test.run", "TestGolf"]))),
        (
            "debug",
            json!({
                "type": "go", "mode": "debug", "program": "${workspaceFolder}/services/shop/cmd",
            }),
        ),
    ];
    configured(stage, dir.path(), &all).await;
    let path = "services/shop/price/price_test.go";
    let at = format!("{path}:{}", marked(&dir.path().join(path), "gold"));
    for name in ["directory", "file", "flags"] {
        let stop = launch(stage, name, std::slice::from_ref(&at)).await;
        assert!(stop.place().ends_with(&at), "{name}: {}", stop.text);
        assert_eq!(stop.local("half"), "21", "{name}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
        if name != "flags" {
            let output = stage.call("debug_output", json!({})).await.good();
            output.says("--- PASS: TestGold");
            assert!(!output.text.contains("TestSilver"), "{}", output.text);
        }
    }
    let refused =
        stage.call("debug_launch", json!({"options": {"config": "none"}, "timeout_s": 50})).await;
    assert!(refused.is_error, "{}", refused.text);
    refused.says(
        "services/shop/price matches `TestGolf`; there are TestGold, TestSilver. Try: \
        debug_launch {",
    );
    refused.says("services/shop/price . -run ^TestGold$\"");
    let stop = launch(stage, "debug", &["services/shop/cmd/main.go:5".to_owned()]).await;
    assert_eq!(stop.local("n"), "42", "{}", stop.text);
}

/// Options before the program, of Node or of the executable that runs instead.
pub async fn options_of_node_by_launch_json(stage: &mut Stage) {
    let app = "const limit = Error.stackTraceLimit;\nconst words = process.argv.slice(2);\n\
               console.log(limit, words, globalThis.before); // [stop: print]\n";
    let (dir, _) = workspace_with(&[
        ("app.js", app),
        ("before.js", "globalThis.before = 'ready';\n"),
        (
            "package.json",
            r#"{"scripts": {"shop": "node --stack-trace-limit=7 -r ./before.js app.js"}}"#,
        ),
    ])
    .await;
    let options = json!(["--stack-trace-limit=7", "-r", "./before.js"]);
    let mut node = json!({
        "type": "node", "runtimeArgs": options, "program": "${workspaceFolder}/app.js",
        "args": ["a b"],
    });
    let plain = node.clone();
    node["runtimeExecutable"] = json!("node");
    let npm = json!({
        "type": "node", "runtimeExecutable": "npm", "runtimeArgs": ["run", "shop", "--", "a b"],
    });
    configured(stage, dir.path(), &[("options", plain), ("executable", node), ("npm", npm)]).await;
    let at = format!("app.js:{}", marked(&dir.path().join("app.js"), "print"));
    for name in ["options", "executable", "npm"] {
        let stop = launch(stage, name, std::slice::from_ref(&at)).await;
        assert!(stop.place().ends_with(&at), "{name}: {}", stop.text);
        assert_eq!(stop.local("limit"), "7", "{name}: {}", stop.text);
        assert!(stop.local("words").contains("'a b'"), "{name}: {}", stop.text);
        assert!(!stop.text.contains("keys ignored"), "{name}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
        let output = stage.call("debug_output", json!({"grep": "ready"})).await.good();
        output.says(" ready");
    }
    if stage.language == Language::JavaScript {
        let missing = json!({"options": {"config": "executabel"}});
        stage.call("debug_launch", missing).await.says("\"config\": \"executable\"");
    }
}

/// Build flags in every mode that builds, as a string and as a list.
pub async fn build_flags_of_go_by_launch_json(stage: &mut Stage) {
    let main = "package main\n\nfunc main() {\n\tn := price\n\tprintln(n) // [stop: price]\n}\n";
    let test = "package main\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tn := \
        price\n\tt.Log(n) // [stop: test]\n}\n";
    let (dir, _) = workspace_with(&[
        ("go.mod", "module shop\n\ngo 1.20\n"),
        ("cmd/main.go", main),
        ("cmd/main_test.go", test),
        ("cmd/silver.go", "//go:build !gold\n\npackage main\n\nconst price = 1\n"),
        ("cmd/gold.go", "//go:build gold\n\npackage main\n\nconst price = 42\n"),
    ])
    .await;
    let one = |mode: &str, program: &str, flags: Value| {
        let program = format!("${{workspaceFolder}}/{program}");
        json!({"type": "go", "mode": mode, "program": program, "buildFlags": flags})
    };
    let all = [
        ("debug", one("debug", "cmd", json!("-tags=gold -p=1"))),
        ("auto", one("auto", "cmd/main.go", json!(["-tags", "gold"]))),
        ("auto of a test", one("auto", "cmd/main_test.go", json!("-tags 'gold x'"))),
        ("test", one("test", "cmd", json!("-tags=gold -p=1"))),
        ("none", one("debug", "cmd", json!(""))),
    ];
    configured(stage, dir.path(), &all).await;
    let at = |file: &str, mark: &str| format!("{file}:{}", marked(&dir.path().join(file), mark));
    let marks = [at("cmd/main.go", "price"), at("cmd/main_test.go", "test")];
    for (name, _) in all {
        let stop = launch(stage, name, &marks).await;
        assert_eq!(
            stop.local("n"),
            if name == "none" { "1" } else { "42" },
            "{name}: {}",
            stop.text
        );
        assert!(!stop.text.contains("keys ignored"), "{name}: {}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
    }
}
