//! Commands that have a runner choose tests by a part of their names, where it chooses none: that
//! is no plain success.

use serde_json::{Value, json};

use super::Stage;
use super::named::with;
use super::runners::install;
use crate::caller::{Answer, Caller, Start, root};

const PYTHON: &str = "import unittest\n\n\nclass TestPrice(unittest.TestCase):\n    def test_gold(self):\n        pass\n\n    \
                      def test_silver(self):\n        pass\n";
const SUITE: &str = "describe(\"price\", () => {\n  it(\"of gold\", () => {});\n  it(\"of silver\", () => {});\n});\n";
const RUST: &str = "#[cfg(test)]\nmod price {\n    #[test]\n    fn gold() {}\n\n    #[test]\n    fn silver() {}\n}\n";
const GO: &str = "package price\n\nimport \"testing\"\n\nfunc TestGold(t *testing.T) {}\n\nfunc TestSilver(t *testing.T) {}\n";

/// Its end says that no test ran, and the call that it names runs one.
async fn tells(stage: &mut Stage, launch: Value, code: u32, filter: &str, there: &[String]) {
    let mut launch = launch;
    launch["timeout_s"] = json!(50);
    let end = stage.call("debug_launch", launch).await.good();
    assert_eq!(
        end.line("□ exited with code ").split(' ').next(),
        Some(code.to_string().as_str()),
        "{}",
        end.text
    );
    let call = json!({"test": there[0]}).to_string().replacen(':', ": ", 1);
    let told = format!(
        "no test was run that `{filter}` matches; there are {}: debug_launch {call}",
        there.join(", ")
    );
    assert_eq!(end.line("! "), told, "{}", end.text);
    let call = json!({"test": there[0], "timeout_s": 50});
    ran(&stage.call("debug_launch", call).await.good());
}

/// It ended well, and nothing is said of tests that are not there.
#[track_caller]
fn ran(end: &Answer) {
    end.line("□ exited with code 0");
    assert!(!end.text.contains("no test was run"), "{}", end.text);
}

pub async fn python_that_runs_no_test_says_so(stage: &mut Stage) {
    let (dir, caller) = with(&[("pytest.ini", "[pytest]\n"), ("test_price.py", PYTHON)]).await;
    stage.caller = caller;
    let there = ["gold", "silver"].map(|name| format!("test_price.py::TestPrice::test_{name}"));
    for (command, code, filter) in [
        ("pytest -k golf", 5, "golf"),
        ("python -m pytest -q -k 'golf or no'", 5, "golf or no"),
        ("pytest test_price.py::TestPrice::test_golf", 4, "test_price.py::TestPrice::test_golf"),
        ("python -m unittest -k golf", 0, "golf"),
    ] {
        tells(stage, json!({"command": command}), code, filter, &there).await;
    }
    let skips = "import unittest\n\n\nclass TestTax(unittest.TestCase):\n    @unittest.skip(\"later\")\n    def test_tin(self):\n        \
                 pass\n\n    def test_says(self):\n        print(\"Ran 0 tests in 0.1s\")\n";
    std::fs::write(dir.path().join("test_tax.py"), skips).unwrap();
    let why = "`-rs` has pytest say why, `-v` unittest";
    let tin = "test_tax.py::TestTax::test_tin";
    let skipped = |filter: &str| format!("every test that `{filter}` matches is skipped: {why}");
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
        ran(&stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good());
    }
}

/// What could not begin: one line says why.
pub async fn python_that_cannot_begin_says_why(stage: &mut Stage) {
    let unit = "import unittest\n\n\nclass Price(unittest.TestCase):\n    def test_gold(self):\n        pass\n";
    let (dir, _) = with(&[
        ("pytest.ini", "[pytest]\n"),
        ("test_price.py", PYTHON),
        ("test_bad.py", "def test_x(:\n    pass\n"),
        ("bad.py", "def f():\n    return 1 +\n"),
        ("test_aside.py", "import decimal\nraise decimal.InvalidOperation('no number')\n"),
        ("unit.py", unit),
        (
            "own.py",
            "import sys, traceback\ntry:\n    compile('x = = 1', 'c.py', 'exec')\nexcept SyntaxError:\n    traceback.print_exc()\n\
             print('ERROR: file or directory not found: x')\nprint('quota exceeded', file=sys.stderr)\nsys.exit(1)\n",
        ),
    ])
    .await;
    stage.start_in(dir.path()).await;
    let root = dir.path().canonicalize().unwrap();
    for (command, why) in [
        ("pytest test_gone.py", "no test was run: there is no file or directory test_gone.py".to_owned()),
        ("pytest test_bad.py", "pytest could not read test_bad.py: SyntaxError: invalid syntax".to_owned()),
        (
            "python -m unittest unit.Price.test_silver",
            "unittest could not load test_silver: AttributeError: type object 'Price' has no attribute 'test_silver'"
                .to_owned(),
        ),
        (
            "pytest test_aside.py test_bad.py",
            "pytest could not read test_aside.py: decimal.InvalidOperation: no number".to_owned(),
        ),
        (
            "python -m unittest nomod",
            "unittest could not load nomod: ModuleNotFoundError: No module named 'nomod'".to_owned(),
        ),
        (
            "python -m nomod",
            "No module named nomod: install it for this interpreter, or run one that has it".to_owned(),
        ),
        ("python bad.py", format!("SyntaxError: invalid syntax ({}/bad.py:2)", root.display())),
    ] {
        let mut end = stage.call("debug_launch", json!({"command": command, "timeout_s": 50})).await.good();
        if end.text.starts_with("■ stopped exception") {
            end = stage.resume().await.good();
        }
        assert_eq!(end.line("! "), why, "{command}: {}", end.text);
    }
    // What it has caught, and gone on.
    let end =
        stage.call("debug_launch", json!({"program": "own.py", "timeout_s": 50})).await.good();
    end.line("□ exited with code 1");
    assert!(!end.text.contains("\n! "), "{}", end.text);
}

/// As runners, npm and the compilers of TypeScript say it.
pub async fn javascript_that_cannot_begin_says_why(stage: &mut Stage) {
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
            "a suite of jest could not be read: bad.test.js: Unexpected token (2:12)",
        ),
        (
            "jest",
            "npx jest need",
            "a suite of jest could not be run: Cannot find module './gone' from 'need.test.js'",
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
    let own = "try { require('./gone'); } catch (e) { console.error(e.stack); }\nconsole.error('quota exceeded');\n\
               process.exitCode = 1;\n";
    std::fs::write(dir.path().join("own.js"), own).unwrap();
    stage.start_in(dir.path()).await;
    let end =
        stage.call("debug_launch", json!({"program": "own.js", "timeout_s": 50})).await.good();
    end.line("□ exited with code 1");
    assert!(!end.text.contains("\n! "), "{}", end.text);
}

pub async fn javascript_that_runs_no_test_says_so(stage: &mut Stage) {
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
        let there = ["gold", "silver"].map(|name| format!("{file}::price > of {name}"));
        tells(stage, json!({"command": missing}), 0, "golf", &there).await;
        ran(&stage
            .call("debug_launch", json!({"command": matching, "timeout_s": 50}))
            .await
            .good());
    }
}

/// Test binaries are asked before anything runs; a part of a path is no whole one.
pub async fn cargo_without_a_test_is_refused(stage: &mut Stage) {
    let manifest =
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[workspace]\n";
    let own = "[[test]]\nname = \"own\"\nharness = false\n";
    let main = "fn main() {\n    let args: Vec<_> = std::env::args().skip(1).collect();\n    assert!(args[0] != \"--list\");\n}\n";
    let (_dir, caller) = with(&[
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
            "error[target-missing] no test is named {filter}; there are price::gold, price::silver. \
             Try: debug_launch {{\"timeout_s\": 50, \"test\": \"price::gold\"}}"
        ));
    }
    for (filter, ran) in [("price::", 2), ("price::gold", 1), ("price::gol", 1)] {
        let end =
            stage.call("debug_launch", command(&format!("cargo test --lib {filter}"))).await.good();
        end.says(&format!("test result: ok. {ran} passed; 0 failed"));
    }
    // It lists nothing, and is run all the same.
    stage
        .call("debug_launch", command("cargo test --test own gold"))
        .await
        .good()
        .line("□ exited with code 0");
}

/// Of a regular expression, too.
pub async fn go_without_a_test_is_refused(stage: &mut Stage) {
    let (_dir, caller) =
        with(&[("go.mod", "module shop\n\ngo 1.20\n"), ("price/price_test.go", GO)]).await;
    stage.caller = caller;
    for filter in ["Golf", "^(Go|Pla).*f$"] {
        let launch =
            json!({"command": format!("go test ./price -run '{filter}'"), "timeout_s": 50});
        let refused = stage.call("debug_launch", launch).await;
        refused.fails(&format!(
            "error[target-missing] no test in ./price matches `{filter}`; there are TestGold, TestSilver. \
             Try: debug_launch {{\"timeout_s\": 50, \"command\": \"go test ./price -run ^TestGold$\"}}"
        ));
    }
    let launch =
        json!({"command": "go test ./price -run '^Test(Gold|Plate)$' -v", "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().says("--- PASS: TestGold");
}

/// What a test runs within itself is known at the end only.
pub async fn go_without_a_test_within_one_says_so(stage: &mut Stage) {
    const WITHIN: &str = "package price\n\nimport \"testing\"\n\nfunc TestGold(t *testing.T) {\n\
                          \tt.Run(\"bar\", func(t *testing.T) { t.Log(\"run\") })\n}\n\n\
                          func TestMade(t *testing.T) {\n\tname := \"bar\"\n\tt.Run(name, func(t *testing.T) {})\n}\n";
    let (_dir, caller) =
        with(&[("go.mod", "module shop\n\ngo 1.20\n"), ("price_test.go", WITHIN)]).await;
    stage.caller = caller;
    let told = "no test was run that `^TestGold$/^barr$` matches; there are TestGold/bar: \
                debug_launch {\"test\": \"TestGold/bar\"}";
    let end =
        stage.call("debug_launch", json!({"test": "TestGold/barr", "timeout_s": 50})).await.good();
    end.says(told);
    // A name that is made while it runs is not told.
    let end =
        stage.call("debug_launch", json!({"test": "TestMade/barr", "timeout_s": 50})).await.good();
    end.says("`^TestMade$/^barr$` matches: `go test -v` lists what the test runs within itself");
    let end =
        stage.call("debug_launch", json!({"test": "TestGold/bar", "timeout_s": 50})).await.good();
    end.says("exited with code 0");
    assert!(!end.text.contains("no test was run"), "{}", end.text);
}

pub async fn googletest_that_runs_no_test_says_so(stage: &mut Stage) {
    let cwd = root().join("target/fixtures/gtest");
    stage.caller = Caller::start(Start { cwd, ..stage.language.start() }).await;
    let there = ["Cart.Total", "Cart.TaxOfAPen", "*/Rates.AreSmall/*"].map(str::to_owned);
    let adapter = stage.language.adapter();
    let launch = json!({"program": "build/cart_test", "args": ["--gtest_filter=Cart.Totl"], "adapter": adapter});
    tells(stage, launch, 0, "Cart.Totl", &there).await;
    let launch = json!({"program": "build/cart_test", "args": ["--gtest_filter=Rates.AreSmall"], "adapter": adapter});
    let there = ["*/Rates.AreSmall/*", "Cart.Total", "Cart.TaxOfAPen"].map(str::to_owned);
    tells(stage, launch, 0, "Rates.AreSmall", &there).await;
    let one = json!({"command": "build/cart_test --gtest_filter=Cart.Total", "adapter": adapter, "timeout_s": 50});
    ran(&stage.call("debug_launch", one).await.good());
}
