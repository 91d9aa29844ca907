//! Whole command lines: test runners, modules, scripts.

use serde_json::json;

use crate::caller::{Caller, Start, adapters_config, root};
use crate::real::stage::{Stage, marked};

pub async fn failing_pytest_shows_only_its_own_locals(stage: &mut Stage) {
    let arguments = json!({
        "command": "pytest -q failing_cart.py", "cwd": "tests/fixtures/python", "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.assert_stop(&stop, "failing_cart", "test_tax_of_nothing", "raises");
    assert_eq!(stop.local("found"), "0");
    let all = stage.call("debug_variables", json!({})).await.good();
    assert!(
        !stop.text.contains("@py_") && !all.text.contains("@py_"),
        "{}\n{}",
        stop.text,
        all.text
    );
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
    stage.assert_stop(&stop, "test_cart", "test_tax_of_a_pen", "pen");
    assert!(stop.local("pen").contains("price=100"), "{}", stop.text);
    let end = stage.resume().await.good();
    end.line("□ exited with code 0");
    end.says("1 passed, 1 deselected");
}

/// unittest catches the exceptions of a test; the stop needs no exception filter.
pub async fn failing_unittest_stops(stage: &mut Stage) {
    let arguments = json!({
        "command": "python -m unittest -q failing_cart",
        "cwd": "tests/fixtures/python",
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.assert_stop(&stop, "failing_cart", "test_tax_of_nothing", "raises");
    stop.says("exception AssertionError");
    stage.resume().await.good().line("□ exited with code 1");
}

/// The program's interpreter has no debugpy, the adapter's has.
pub async fn named_interpreter_runs_the_program(stage: &mut Stage) {
    let python = adapters_config().with_file_name("bare-python").join("bin/python");
    let arguments = json!({
        "command": format!("{} tests/fixtures/python/cart.py", python.display()),
        "breakpoints": [stage.at("cart", "add")],
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.assert_stop(&stop, "cart", "total_of", "add");
    let reply = stage
        .call("debug_evaluate", json!({"expressions": ["__import__('sys').executable"]}))
        .await
        .good();
    reply.says(&format!("= '{}'", python.display()));
    stage.resume().await.good();
}

/// `.venv`, and an active environment inside the workspace, whatever the working directory of the
/// program; neither needs debugpy.
pub async fn virtual_environment_of_the_workspace_runs_the_program(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    std::fs::write(root.join("app.py"), "import sys\nprint(sys.prefix)\n").unwrap();
    for (name, active) in [("mine", true), (".venv", false)] {
        let home = root.join(name);
        #[expect(clippy::disallowed_methods, reason = "a tool of the test")]
        let venv = std::process::Command::new("python3")
            .args(["-m", "venv", "--without-pip"])
            .arg(&home)
            .status();
        assert!(venv.unwrap().success());
        let env = active.then(|| ("VIRTUAL_ENV", home.display().to_string()));
        stage.caller = Caller::start(Start {
            cwd: root.clone(),
            env: env.into_iter().collect(),
            ..Start::structured()
        })
        .await;
        let elsewhere = tempfile::tempdir().unwrap();
        let app = root.join("app.py");
        for launch in [
            json!({"program": "app.py", "timeout_s": 50}),
            json!({"command": "python app.py", "timeout_s": 50}),
            json!({
                "command": format!("python {}", app.display()), "cwd": elsewhere.path(),
                "timeout_s": 50,
            }),
        ] {
            stage.call("debug_launch", launch).await.good().line("□ exited with code 0");
            let output = stage.call("debug_output", json!({"stream": "stdout"})).await.good();
            output.line(&home.display().to_string());
        }
    }
}

pub async fn module(stage: &mut Stage) {
    stops_and_fails(stage, "python -m cart fail", "tests/fixtures/python").await;
}

pub async fn npm_script(stage: &mut Stage) {
    stops_and_fails(stage, "npm run cart -- fail", "tests/fixtures/javascript").await;
}

/// Runs `cart fail` by this command, with one stop on the way.
async fn stops_and_fails(stage: &mut Stage, command: &str, cwd: &str) {
    let breakpoint = stage.at("cart", "after");
    let arguments =
        json!({"command": command, "cwd": cwd, "breakpoints": [breakpoint], "timeout_s": 50});
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.assert_stop(&stop, "cart", "main", "after");
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
    assert!(
        wrong.is_error && wrong.text.starts_with("error[target-missing] there is no file "),
        "{}",
        wrong.text
    );
    let arguments = json!({
        "command": "node --stack-trace-limit=5 cart.js fail",
        "cwd": "tests/fixtures/javascript",
        "breakpoints": [stage.at("cart", "after")],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", arguments).await.good();
    stage.assert_stop(&stop, "cart", "main", "after");
    let reply = stage
        .call("debug_evaluate", json!({"expressions": ["Error.stackTraceLimit"]}))
        .await
        .good();
    reply.says("Error.stackTraceLimit = 5  (number)");
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

/// The program is compiled JavaScript; place, source and stack are those of the TypeScript source.
pub async fn typescript_through_its_source_map(stage: &mut Stage) {
    let source = "tests/fixtures/javascript/typed/src/price.ts";
    let at = format!("{source}:{}", marked(&root().join(source), "reduced"));
    for program in ["dist/price.js", "src/price.ts"] {
        let program = format!("tests/fixtures/javascript/typed/{program}");
        let arguments = json!({"program": program, "breakpoints": [at], "timeout_s": 50});
        let stop = stage.call("debug_launch", arguments).await.good();
        assert_eq!(stop.place(), format!("reduced  {at}"), "{}", stop.text);
        assert_eq!(
            (stop.reason().starts_with("breakpoint #"), stop.local("off")),
            (true, "25"),
            "{}",
            stop.text
        );
        stop.says("return item.price - off; // [stop: reduced]");
        let discount =
            stage.call("debug_evaluate", json!({"expressions": ["discount"]})).await.good();
        discount.says("discount = 10  (number)");
        stage.call("debug_breakpoints", json!({"clear": true})).await.good();
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        end.says("Füller 1791");
    }
}
