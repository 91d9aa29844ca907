//! Command lines of other debuggers: the program is debugged without them, even if the port they
//! would listen on is in use; and tools started by `npx`.

use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::json;

use crate::real::stage::{Language, Stage, marked, workspace_with};

const PYTHON: &str = "import sys\n\nwords = sys.argv[1:]\nprint(words)  # [stop: print]\n";
const JAVASCRIPT: &str =
    "const words = process.argv.slice(2);\nconsole.log(words); // [stop: print]\n";
const GO: &str = "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\twords := \
    os.Args[1:]\n\t\
                  fmt.Println(words) // [stop: print]\n}\n";

pub async fn command_of_another_debugger_runs_its_program(stage: &mut Stage) {
    let file = stage.pick("app.py", "", "cmd/app/main.go", "app.js", "");
    let text = stage.pick(PYTHON, "", GO, JAVASCRIPT, "");
    let (dir, _) = workspace_with(&[(file, text), ("go.mod", "module shop\n\ngo 1.20\n")]).await;
    stage.start_in(dir.path()).await;
    let at = format!("{file}:{}", marked(&dir.path().join(file), "print"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let quiet = "this session is the debugger; no port is opened";
    let lines = match stage.language.newest() {
        Language::Python => vec![
            (
                format!("python -m debugpy --listen 127.0.0.1:{port} --wait-for-client app.py a"),
                format!(
                    "runs without `-m debugpy --listen 127.0.0.1:{port} --wait-for-client`: {quiet}"
                ),
            ),
            (
                format!("debugpy --listen {port} -m app a"),
                format!("runs without `-m debugpy --listen {port}`: {quiet}"),
            ),
            (
                "python -m pdb -c continue app.py a".to_owned(),
                format!("runs without `-m pdb -c continue`: {quiet}"),
            ),
        ],
        Language::Go => vec![
            (
                format!("dlv debug ./cmd/app --headless --listen=127.0.0.1:{port} -- a"),
                format!("dlv runs without --headless --listen=127.0.0.1:{port}: {quiet}"),
            ),
            (
                format!(
                    "dlv --listen 127.0.0.1:{port} --headless --api-version=2 debug ./cmd/app -- a"
                ),
                format!("dlv runs without --listen --headless: {quiet}"),
            ),
        ],
        _ => vec![
            (format!("node --inspect-brk={port} app.js a"), String::new()),
            ("node inspect app.js a".to_owned(), String::new()),
        ],
    };
    for (command, note) in lines {
        let launch = json!({"command": command, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with(&at), "{command}: {}", stop.text);
        assert!(note.is_empty() || stop.line("note: ") == note, "{command}: {}", stop.text);
        assert!(stop.local("words").contains('a'), "{command}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
}

pub async fn attach_command_of_another_debugger_is_refused(stage: &mut Stage) {
    let (command, error) = stage.pick(
        (
            "python -m debugpy --listen 5678 --pid 12",
            "`debugpy --pid` launches no program. Try: debug_attach {\"pid\": 12}",
        ),
        ("", ""),
        (
            "dlv connect 127.0.0.1:2345",
            "`dlv connect` launches no program. \
             Try: debug_attach {\"address\": \"127.0.0.1:2345\"}",
        ),
        (
            "node inspect -p 12",
            "`node inspect` of a running process launches no program. Try: debug_attach {\"pid\": \
            12}",
        ),
        ("", ""),
    );
    let refused = stage.call("debug_launch", json!({"command": command})).await;
    refused.fails(&format!("error[unsupported] {error}"));
}

/// npx runs the program of a package installed in the project, without a request to a registry.
pub async fn package_tool_by_npx(stage: &mut Stage) {
    let tool = format!("#!/usr/bin/env node\n{JAVASCRIPT}");
    let (dir, _) = workspace_with(&[
        (
            "package.json",
            r#"{"name": "app", "version": "1.0.0", "dependencies": {"shop": "1.0.0"}}"#,
        ),
        ("packages/shop/package.json", r#"{"name": "shop", "version": "1.0.0", "bin": "tool.js"}"#),
        ("packages/shop/tool.js", &tool),
    ])
    .await;
    let file = dir.path().join("packages/shop/tool.js");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir_all(dir.path().join("node_modules/.bin")).unwrap();
    symlink("../packages/shop", dir.path().join("node_modules/shop")).unwrap();
    symlink("../shop/tool.js", dir.path().join("node_modules/.bin/shop")).unwrap();
    stage.start_in(dir.path()).await;
    let at = format!("packages/shop/tool.js:{}", marked(&file, "print"));
    for command in ["npx shop a 'b c'", "npx --no-install shop -- a 'b c'"] {
        let env = json!({"npm_config_offline": "true"});
        let launch = json!({"command": command, "env": env, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with(&at), "{command}: {}", stop.text);
        assert!(stop.local("words").contains("'b c'"), "{command}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    let missing =
        json!({"command": "npx shopp a", "env": {"npm_config_offline": "true"}, "timeout_s": 50});
    let end = stage.call("debug_launch", missing).await.good();
    end.line("□ exited with code 1");
    end.says("ENOTCACHED");
}
