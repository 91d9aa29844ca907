//! JavaScript tests by the runners that projects use: jest, mocha and vitest as npm installs them,
//! each with the settings that disturb a debugger most.

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::json;

use crate::caller::root;
use crate::real::stage::{Stage, marked, workspace_with};

/// A test timeout that the first test exceeds even without a stop.
const LIMIT: u32 = 5;

/// A project with one runner.
struct Project {
    runner: &'static str,
    /// Files other than the tests.
    settings: Vec<(&'static str, String)>,
    /// The test file, and its first lines.
    file: &'static str,
    begin: &'static str,
}

/// A suite of two tests.
fn tests(begin: &str, number: &str) -> String {
    format!(
        "{begin}\ndescribe(\"price\", () => {{\n  it(\"of gold\", async () => {{\n    \
         await new Promise((done) => setTimeout(done, 50));\n    const net{number} = 90;\n    \
         if (net !== 90) throw net; // [stop: gold]\n  }});\n  it(\"of silver\", () => {{\n    \
         const net = 50;\n    if (net !== 50) throw net; // [stop: silver]\n  }});\n}});\n"
    )
}

pub async fn one_test_of_jest(stage: &mut Stage) {
    let package = json!({
        "devDependencies": {"jest": "^30"},
        "jest": {"testTimeout": LIMIT, "maxWorkers": 2, "workerIdleMemoryLimit": "1GB",
            "collectCoverage": true},
    });
    let settings = vec![("package.json", package.to_string())];
    one_test(stage, Project { runner: "jest", settings, file: "price.test.js", begin: "" }).await;
    stage.call("debug_output", json!({"grep": "Tests:"})).await.good().says("1 passed");
}

pub async fn one_test_of_mocha(stage: &mut Stage) {
    let rc = json!({"timeout": LIMIT, "parallel": true, "watch": true, "spec": ["test/*.js"]});
    let package = json!({"scripts": {"test": "mocha --no-watch"}});
    let settings = vec![("package.json", package.to_string()), (".mocharc.json", rc.to_string())];
    let _dir =
        one_test(stage, Project { runner: "mocha", settings, file: "test/price.js", begin: "" })
            .await;
    stage.call("debug_output", json!({"grep": "passing"})).await.good().says("1 passing");
    let end = stage
        .call("debug_launch", json!({"command": "npm test", "cwd": "mocha", "timeout_s": 50}))
        .await
        .good();
    end.line("□ exited with code 1");
    end.says("note: the script `mocha --no-watch` has mocha's workers and timeouts");
    stage
        .call("debug_output", json!({"grep": "exceeded"}))
        .await
        .good()
        .says("Timeout of 5ms exceeded");
}

/// In TypeScript, whose lines vitest moves.
pub async fn one_test_of_vitest(stage: &mut Stage) {
    let config = format!(
        "import {{ defineConfig }} from \"vitest/config\";\nexport default defineConfig({{ test: \
        {{ pool: \"threads\", \
         testTimeout: {LIMIT}, hookTimeout: {LIMIT} }} }});\n"
    );
    let package = json!({"type": "module", "devDependencies": {"vitest": "^4"}});
    let settings = vec![("package.json", package.to_string()), ("vitest.config.js", config)];
    let begin = "import { beforeEach, describe, it } from \"vitest\";\n\nbeforeEach(() => new \
        Promise((done) => \
                 setTimeout(done, 50)));\n";
    one_test(stage, Project { runner: "vitest", settings, file: "price.test.ts", begin }).await;
    stage.call("debug_output", json!({"grep": "Tests"})).await.good().says("1 passed");
}

/// By name and by command line: the breakpoint in the other test is never hit, and no timeout ends
/// the test.
async fn one_test(stage: &mut Stage, project: Project) -> tempfile::TempDir {
    let Project { runner, settings, file, begin } = project;
    let text = tests(begin, if file.ends_with(".ts") { ": number" } else { "" });
    let settings = settings.into_iter().map(|(name, text)| (format!("{runner}/{name}"), text));
    let path = format!("{runner}/{file}");
    let files: Vec<(String, String)> = settings.chain([(path.clone(), text)]).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let (dir, caller) = workspace_with(&files).await;
    install(&dir.path().join(runner));
    stage.caller = caller;
    let at = |mark| format!("{path}:{}", marked(&dir.path().join(&path), mark));
    let by_name = json!({"test": "price > of gold"});
    let by_command = json!({"command": format!("{runner} -t gold"), "cwd": runner});
    let by_command = if runner == "mocha" {
        json!({"command": "mocha -g gold", "cwd": runner})
    } else {
        by_command
    };
    for (launch, is_named) in [(by_command, false), (by_name, true)] {
        let mut launch = launch;
        launch["breakpoints"] = json!([at("gold"), at("silver")]);
        launch["timeout_s"] = json!(50);
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place(), format!("<anonymous>  {}", at("gold")), "{}", stop.text);
        assert_eq!(stop.local("net"), "90");
        let note = "note: added to the command, for one process without timeouts: --";
        assert_eq!(stop.text.contains(note), !is_named, "{}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    let refused = stage.call("debug_launch", json!({"test": "of golf", "cwd": runner})).await;
    refused.fails(&format!(
        "error[target-missing] no test is named of golf; there are {path}::price > of gold, \
        {path}::price > of silver. \
         Try: debug_launch {{\"cwd\": \"{runner}\", \"test\": \"{path}::price > of gold\"}}"
    ));
    let by_id = json!({"cwd": runner, "test": format!("{path}::price > of gold"), "timeout_s": 50});
    stage.call("debug_launch", by_id).await.good().line("□ exited with code 0");
    dir
}

/// The runner is found from the file's imports, and without imports from the package's script.
pub async fn imports_of_a_test_file_select_its_runner(stage: &mut Stage) {
    let test = |import: &str, name: &str| format!("{import}\nit(\"{name}\", () => {{}});\n");
    let files = [
        ("package.json", json!({"scripts": {"test": "mocha"}}).to_string()),
        ("own.test.js", test("const { it } = require(\"node:test\");", "of node")),
        ("jest.test.js", test("const { it } = require(\"@jest/globals\");", "of jest")),
        ("vitest.test.mjs", test("import { it } from \"vitest\";", "of vitest")),
        ("mocks.test.js", test("const { mock } = require(\"node:test\");", "of mocha")),
    ];
    let (dir, caller) =
        workspace_with(&files.each_ref().map(|(path, text)| (*path, text.as_str()))).await;
    install(dir.path());
    stage.caller = caller;
    for (name, passed) in [
        ("of node", "ℹ pass 1"),
        ("of jest", "Tests:       1 passed, 1 total"),
        ("of vitest", "Test Files"),
        ("of mocha", "  1 passing"),
    ] {
        let end = stage.call("debug_launch", json!({"test": name, "timeout_s": 50})).await.good();
        end.line("□ exited with code 0");
        stage.call("debug_output", json!({"grep": "pass"})).await.good().says(passed);
    }
}

/// Installed as pnpm does: each package is a link.
pub fn install(package: &Path) {
    let from = root().join("target/adapters/runners/node_modules");
    for directory in ["", ".bin"] {
        std::fs::create_dir_all(package.join("node_modules").join(directory)).unwrap();
        let installed =
            std::fs::read_dir(from.join(directory)).expect("cargo xtask adapters runners");
        for entry in installed.map(Result::unwrap).filter(|entry| entry.file_name() != ".bin") {
            symlink(
                entry.path(),
                package.join("node_modules").join(directory).join(entry.file_name()),
            )
            .unwrap();
        }
    }
}
