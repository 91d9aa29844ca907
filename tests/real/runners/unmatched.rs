//! Commands that select tests by a part of their names and match none: the ending is not reported
//! as a plain success.

use serde_json::{Value, json};

use crate::caller::{Answer, Caller, Start, root};
use crate::real::javascript::install;
use crate::real::stage::{Stage, workspace_with};

const PYTHON: &str = "import unittest\n\n\nclass TestPrice(unittest.TestCase):\n    def \
    test_gold(self):\n        pass\n\n    \
                      def test_silver(self):\n        pass\n";
const SUITE: &str = "describe(\"price\", () => {\n  it(\"of gold\", () => {});\n  it(\"of \
    silver\", () => {});\n});\n";
const RUST: &str = "#[cfg(test)]\nmod price {\n    #[test]\n    fn gold() {}\n\n    #[test]\n    \
    fn silver() {}\n}\n";
const GO: &str = "package price\n\nimport \"testing\"\n\nfunc TestGold(t *testing.T) {}\n\nfunc \
    TestSilver(t *testing.T) {}\n";

/// Asserts that the ending says that no test ran, and that the proposed call runs one.
async fn reports_no_test(
    stage: &mut Stage,
    launch: Value,
    code: u32,
    filter: &str,
    tests: &[String],
) {
    let mut launch = launch;
    launch["timeout_s"] = json!(50);
    let end = stage.call("debug_launch", launch).await.good();
    assert_eq!(
        end.line("□ exited with code ").split(' ').next(),
        Some(code.to_string().as_str()),
        "{}",
        end.text
    );
    let call = json!({"test": tests[0]}).to_string().replacen(':', ": ", 1);
    let expected = format!(
        "no test was run that `{filter}` matches; there are {}: debug_launch {call}",
        tests.join(", ")
    );
    assert_eq!(end.line("! "), expected, "{}", end.text);
    let call = json!({"test": tests[0], "timeout_s": 50});
    assert_ran(&stage.call("debug_launch", call).await.good());
}

/// Asserts exit code 0 and no message about missing tests.
#[track_caller]
fn assert_ran(end: &Answer) {
    end.line("□ exited with code 0");
    assert!(!end.text.contains("no test was run"), "{}", end.text);
}

pub async fn unmatched_python_test_is_reported(stage: &mut Stage) {
    let (dir, caller) =
        workspace_with(&[("pytest.ini", "[pytest]\n"), ("test_price.py", PYTHON)]).await;
    stage.caller = caller;
    let tests = ["gold", "silver"].map(|name| format!("test_price.py::TestPrice::test_{name}"));
    for (command, code, filter) in [
        ("pytest -k golf", 5, "golf"),
        ("python -m pytest -q -k 'golf or no'", 5, "golf or no"),
        ("pytest test_price.py::TestPrice::test_golf", 4, "test_price.py::TestPrice::test_golf"),
        ("python -m unittest -k golf", 0, "golf"),
    ] {
        reports_no_test(stage, json!({"command": command}), code, filter, &tests).await;
    }
    let skips = "import unittest\n\n\nclass TestTax(unittest.TestCase):\n    \
        @unittest.skip(\"later\")\n    def test_tin(self):\n        \
                 pass\n\n    def test_says(self):\n        print(\"Ran 0 tests in 0.1s\")\n";
    std::fs::write(dir.path().join("test_tax.py"), skips).unwrap();
    let why = "`-rs` (pytest) or `-v` (unittest) shows the reasons";
    let tin = "test_tax.py::TestTax::test_tin";
    let skipped = |filter: &str| format!("every test that `{filter}` matches is skipped; {why}");
    for (launch, means) in [
        (json!({"command": "pytest -k tin"}), skipped("tin")),
        (json!({"test": tin}), skipped(tin)),
        (json!({"command": "python -m unittest -k tin test_tax"}), skipped("tin")),
        (
            json!({"command": "pytest nothere.py::test_gold"}),
            "no test was run: there is no file or directory nothere.py".to_owned(),
        ),
    ] {
        let mut launch = launch;
        launch["timeout_s"] = json!(50);
        assert_eq!(stage.call("debug_launch", launch).await.good().line("! "), means);
    }
    for command in [
        "pytest -k gold",
        "python -m unittest -k gold test_price",
        "python -m unittest -k says test_tax",
        "pytest -s -k says",
    ] {
        assert_ran(
            &stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good(),
        );
    }
}

/// A run that could not begin has one line with the cause.
pub async fn failed_python_start_names_the_cause(stage: &mut Stage) {
    let unit = "import unittest\n\n\nclass Price(unittest.TestCase):\n    def \
        test_gold(self):\n        pass\n";
    let (dir, _) = workspace_with(&[
        ("pytest.ini", "[pytest]\n"),
        ("test_price.py", PYTHON),
        ("test_bad.py", "def test_x(:\n    pass\n"),
        ("bad.py", "def f():\n    return 1 +\n"),
        ("test_aside.py", "import decimal\nraise decimal.InvalidOperation('no number')\n"),
        ("unit.py", unit),
        (
            "own.py",
            "import sys, traceback\ntry:\n    compile('x = = 1', 'c.py', 'exec')\nexcept \
            SyntaxError:\n    traceback.print_exc()\n\
             print('ERROR: file or directory not found: x')\nprint('quota exceeded', \
             file=sys.stderr)\nsys.exit(1)\n",
        ),
    ])
    .await;
    stage.start_in(dir.path()).await;
    let root = dir.path().canonicalize().unwrap();
    for (command, why) in [
        (
            "pytest test_gone.py",
            "no test was run: there is no file or directory test_gone.py".to_owned(),
        ),
        (
            "pytest test_bad.py",
            "pytest could not read test_bad.py: SyntaxError: invalid syntax".to_owned(),
        ),
        (
            "python -m unittest unit.Price.test_silver",
            "unittest could not load test_silver: AttributeError: type object 'Price' has no \
            attribute 'test_silver'"
                .to_owned(),
        ),
        (
            "pytest test_aside.py test_bad.py",
            "pytest could not read test_aside.py: decimal.InvalidOperation: no number".to_owned(),
        ),
        (
            "python -m unittest nomod",
            "unittest could not load nomod: ModuleNotFoundError: No module named 'nomod'"
                .to_owned(),
        ),
        (
            "python -m nomod",
            "No module named nomod: install it for this interpreter, or use an interpreter that \
            has it"
                .to_owned(),
        ),
        ("python bad.py", format!("SyntaxError: invalid syntax ({}/bad.py:2)", root.display())),
    ] {
        let mut end =
            stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good();
        if end.text.starts_with("■ stopped exception") {
            end = stage.resume().await.good();
        }
        assert_eq!(end.line("! "), why, "{command}: {}", end.text);
    }
    // An error that the program caught is not the cause.
    let end =
        stage.call("debug_launch", json!({"program": "own.py", "timeout_s": 50})).await.good();
    end.line("□ exited with code 1");
    assert!(!end.text.contains("\n! "), "{}", end.text);
}

/// Messages of the runners, of npm and of TypeScript compilers.
pub async fn failed_javascript_start_names_the_cause(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        (
            "jest/package.json",
            r#"{"devDependencies": {"jest": "^30"}, "scripts": {"gone": "nosuch --x"}}"#,
        ),
        ("jest/price.test.js", SUITE),
        ("jest/bad.test.js", "test(\"x\", () => {\n  const a = ;\n});\n"),
        ("jest/need.test.js", "require(\"./gone\");\ntest(\"x\", () => {});\n"),
        ("mocha/package.json", r#"{"scripts": {"test": "mocha"}}"#),
        ("mocha/test/price.js", SUITE),
        ("vitest/package.json", r#"{"type": "module", "devDependencies": {"vitest": "^4"}}"#),
    ];
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    for (runner, command, why) in [
        (
            "jest",
            "npx jest nofile",
            "no test was run: jest found no file of tests that the command names",
        ),
        (
            "jest",
            "npx jest bad",
            "jest could not read a suite: bad.test.js: Unexpected token (2:12)",
        ),
        (
            "jest",
            "npx jest need",
            "jest could not run a suite: Cannot find module './gone' from 'need.test.js'",
        ),
        ("jest", "npm run nope", "Missing script: \"nope\" in package.json"),
        ("jest", "npm run gone", "nosuch is not installed here: `npm install`"),
        ("mocha", "npx mocha nofile.js", "no test was run: mocha found no file \"nofile.js\""),
        (
            "vitest",
            "npx vitest run nofile",
            "no test was run: vitest found no file of tests that the command names",
        ),
    ] {
        let package = dir.path().join(runner);
        if !package.join("node_modules").exists() {
            install(&package);
        }
        stage.start_in(&package).await;
        let end =
            stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good();
        let root = format!("{}/", package.canonicalize().unwrap().display());
        assert_eq!(end.line("! ").replace(&root, ""), why, "{command}: {}", end.text);
    }
    let own = "try { require('./gone'); } catch (e) { console.error(e.stack); \
        }\nconsole.error('quota exceeded');\n\
               process.exitCode = 1;\n";
    std::fs::write(dir.path().join("own.js"), own).unwrap();
    stage.start_in(dir.path()).await;
    let end =
        stage.call("debug_launch", json!({"program": "own.js", "timeout_s": 50})).await.good();
    end.line("□ exited with code 1");
    assert!(!end.text.contains("\n! "), "{}", end.text);
}

pub async fn unmatched_javascript_test_is_reported(stage: &mut Stage) {
    let of_node = format!("const {{ describe, it }} = require(\"node:test\");\n{SUITE}");
    let of_vitest = format!("import {{ describe, it }} from \"vitest\";\n{SUITE}");
    let dir = tempfile::tempdir().unwrap();
    let files = [
        ("node/price.test.js", of_node.as_str()),
        ("jest/package.json", r#"{"devDependencies": {"jest": "^30"}}"#),
        ("jest/price.test.js", SUITE),
        ("mocha/package.json", r#"{"scripts": {"test": "mocha"}}"#),
        ("mocha/test/price.js", SUITE),
        ("vitest/package.json", r#"{"type": "module", "devDependencies": {"vitest": "^4"}}"#),
        ("vitest/price.test.js", of_vitest.as_str()),
    ];
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    for (runner, file, missing, matching) in [
        (
            "node",
            "price.test.js",
            "node --test --test-name-pattern=golf",
            "node --test --test-name-pattern gold price.test.js",
        ),
        ("jest", "price.test.js", "jest -t golf", "jest --testNamePattern=gold"),
        ("mocha", "test/price.js", "mocha -g golf", "mocha --grep gold"),
        ("mocha", "test/price.js", "npm test -- -g golf", "npm test -- -g gold"),
        ("vitest", "price.test.js", "vitest run -t golf", "vitest run -t gold"),
    ] {
        let package = dir.path().join(runner);
        if runner != "node" && !package.join("node_modules").exists() {
            install(&package);
        }
        stage.start_in(&package).await;
        let tests = ["gold", "silver"].map(|name| format!("{file}::price > of {name}"));
        reports_no_test(stage, json!({"command": missing}), 0, "golf", &tests).await;
        assert_ran(
            &stage.call("debug_launch", json!({"command": matching, "timeout_s": 50})).await.good(),
        );
    }
}

/// Test binaries are listed before the run; a part of a path matches no full name.
pub async fn unmatched_cargo_test_is_refused(stage: &mut Stage) {
    let manifest =
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    let own = "[[test]]\nname = \"own\"\nharness = false\n";
    let main = "fn main() {\n    let args: Vec<_> = std::env::args().skip(1).collect();\n    \
        assert!(args[0] != \"--list\");\n}\n";
    let (_dir, caller) = workspace_with(&[
        ("Cargo.toml", &format!("{manifest}\n{own}")),
        ("src/lib.rs", RUST),
        ("tests/own.rs", main),
    ])
    .await;
    stage.caller = caller;
    let command = |command: &str| json!({"command": command, "timeout_s": 50});
    for filter in ["golf", "price::golf"] {
        let refused =
            stage.call("debug_launch", command(&format!("cargo test --lib {filter}"))).await;
        refused.fails(&format!(
            "error[target-missing] no test is named {filter}; there are price::gold, \
            price::silver. \
             Try: debug_launch {{\"timeout_s\": 50, \"test\": \"price::gold\"}}"
        ));
    }
    for (filter, passed) in [("price::", 2), ("price::gold", 1), ("price::gol", 1)] {
        let end =
            stage.call("debug_launch", command(&format!("cargo test --lib {filter}"))).await.good();
        end.says(&format!("test result: ok. {passed} passed; 0 failed"));
    }
    // This test program lists nothing, and is run anyway.
    stage
        .call("debug_launch", command("cargo test --test own gold"))
        .await
        .good()
        .line("□ exited with code 0");
}

/// The filter may be a regular expression.
pub async fn unmatched_go_test_is_refused(stage: &mut Stage) {
    let (_dir, caller) =
        workspace_with(&[("go.mod", "module shop\n\ngo 1.20\n"), ("price/price_test.go", GO)])
            .await;
    stage.caller = caller;
    for filter in ["Golf", "^(Go|Pla).*f$"] {
        let launch =
            json!({"command": format!("go test ./price -run '{filter}'"), "timeout_s": 50});
        let refused = stage.call("debug_launch", launch).await;
        refused.fails(&format!(
            "error[target-missing] no test in ./price matches `{filter}`; there are TestGold, \
            TestSilver. \
             Try: debug_launch {{\"timeout_s\": 50, \"command\": \"go test ./price -run \
             ^TestGold$\"}}"
        ));
    }
    let launch =
        json!({"command": "go test ./price -run '^Test(Gold|Plate)$' -v", "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().says("--- PASS: TestGold");
}

/// Subtests are known only at the end of the run.
pub async fn unmatched_go_subtest_is_reported(stage: &mut Stage) {
    const SUBTESTS: &str = "package price\n\nimport \"testing\"\n\nfunc TestGold(t *testing.T) {\n\
                          \tt.Run(\"bar\", func(t *testing.T) { t.Log(\"run\") })\n}\n\n\
                          func TestMade(t *testing.T) {\n\tname := \"bar\"\n\tt.Run(name, func(t \
                          *testing.T) {})\n}\n";
    let (_dir, caller) =
        workspace_with(&[("go.mod", "module shop\n\ngo 1.20\n"), ("price_test.go", SUBTESTS)])
            .await;
    stage.caller = caller;
    let expected = "no test was run that `^TestGold$/^barr$` matches; there are TestGold/bar: \
                debug_launch {\"test\": \"TestGold/bar\"}";
    let end =
        stage.call("debug_launch", json!({"test": "TestGold/barr", "timeout_s": 50})).await.good();
    end.says(expected);
    // A name computed at run time is not listed.
    let end =
        stage.call("debug_launch", json!({"test": "TestMade/barr", "timeout_s": 50})).await.good();
    end.says("`^TestMade$/^barr$` matches: `go test -v` lists the subtests");
    let end =
        stage.call("debug_launch", json!({"test": "TestGold/bar", "timeout_s": 50})).await.good();
    end.says("exited with code 0");
    assert!(!end.text.contains("no test was run"), "{}", end.text);
}

pub async fn unmatched_googletest_is_reported(stage: &mut Stage) {
    let cwd = root().join("target/fixtures/gtest");
    stage.caller = Caller::start(Start { cwd, ..stage.language.start() }).await;
    let tests = ["Cart.Total", "Cart.TaxOfAPen", "*/Rates.AreSmall/*"].map(str::to_owned);
    let adapter = stage.language.adapter();
    let launch = json!({
        "program": "build/cart_test", "args": ["--gtest_filter=Cart.Totl"], "adapter": adapter,
    });
    reports_no_test(stage, launch, 0, "Cart.Totl", &tests).await;
    let launch = json!({
        "program": "build/cart_test", "args": ["--gtest_filter=Rates.AreSmall"], "adapter": adapter,
    });
    let tests = ["*/Rates.AreSmall/*", "Cart.Total", "Cart.TaxOfAPen"].map(str::to_owned);
    reports_no_test(stage, launch, 0, "Rates.AreSmall", &tests).await;
    let one = json!({
        "command": "build/cart_test --gtest_filter=Cart.Total", "adapter": adapter, "timeout_s": 50,
    });
    assert_ran(&stage.call("debug_launch", one).await.good());
}
