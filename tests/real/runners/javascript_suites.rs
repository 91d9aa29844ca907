//! JavaScript suites whose tests fail, are skipped or cannot be loaded: what endings and stops
//! report.

use serde_json::json;

use crate::real::javascript::install;
use crate::real::stage::{Stage, workspace_with};

const JEST: (&str, &str) = ("package.json", r#"{"devDependencies": {"jest": "^30"}}"#);
const SUM: (&str, &str) = (
    "sum.js",
    "function sum(a, b) {\n  const r = a + b;\n  return r;\n}\nmodule.exports = { sum };\n",
);
const TESTS: (&str, &str) = (
    "sum.test.js",
    "const { sum } = require(\"./sum\");\n\ndescribe(\"sum\", () => {\n  test(\"adds\", () => \
    {\n    \
     expect(sum(1, 2)).toBe(3);\n  });\n  test.skip(\"later\", () => {});\n  test(\"fails\", () => \
     {\n    \
     const got = sum(1, 1);\n    expect(got).toBe(3);\n  });\n});\n",
);

/// The first line of the first function in a file that babel compiles at load time: js-debug stops
/// there on its own as well.
pub async fn first_line_of_a_babel_module_stops(stage: &mut Stage) {
    let (dir, caller) = workspace_with(&[JEST, SUM, TESTS]).await;
    install(dir.path());
    stage.caller = caller;
    for _ in 0..6 {
        let launch = json!({"test": "adds", "breakpoints": ["sum.js:2"], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place().split("  <-").next(), Some("sum  sum.js:2"), "{}", stop.text);
        assert_eq!((stop.local("a"), stop.local("b")), ("1", "2"), "{}", stop.text);
        stop.line("■ stopped breakpoint #");
        stage.resume().await.good().line("□ exited with code 0");
    }
}

/// A test by name, by a part of the name, and a suite that cannot be loaded.
pub async fn failed_jest_suite_names_the_cause(stage: &mut Stage) {
    let broken = ("broken.test.js", "require(\"./gone\");\ntest(\"gold\", () => {});\n");
    let (dir, caller) = workspace_with(&[JEST, SUM, TESTS, broken]).await;
    install(dir.path());
    stage.caller = caller;
    let launch = |launch: &str| json!({"command": launch, "timeout_s": 50});
    let end = stage.call("debug_launch", launch("jest broken -t gold")).await.good();
    end.line("□ exited with code 1");
    assert!(!end.text.contains("no test was run"), "{}", end.text);
    end.says("Cannot find module './gone' from 'broken.test.js'");
    let skipped =
        "! sum.test.js::sum > later is skipped: sum.test.js:7 `test.skip(\"later\", () => {});`";
    for call in [launch("jest sum -t later"), json!({"test": "later", "timeout_s": 50})] {
        assert_eq!(stage.call("debug_launch", call).await.good().line("! "), &skipped[2..]);
    }
    let stop = stage.call("debug_launch", json!({"test": "fails", "timeout_s": 50})).await.good();
    assert_eq!(stop.reason(), "exception JestAssertionError", "{}", stop.text);
    stop.says("\n! expect(received).toBe(expected) // Object.is equality\n\n  Expected: 3\n");
    stop.says("\n  Received: 2\n");
    stop.says("\n  at Object.toBe (");
    stop.says("/sum.test.js:10:17)");
    let end = stage.resume().await.good();
    for expected in [
        "● sum › fails",
        "Expected: 3",
        "Received: 2",
        "> 10 |     expect(got).toBe(3);",
        "sum.test.js:10:17",
    ] {
        end.says(expected);
    }
}

/// vitest compiles it, and maps the stack of its error, which V8 throws.
const AIR: &str = "import { it } from 'vitest';

type Net = { weight: number };

it('of air', () => {
  const net: Net | undefined = undefined;
  net!.weight;
});
";

/// The stop is at the assertion. mocha indents its report; vitest surrounds it with names and
/// code.
pub async fn failed_javascript_test_names_the_cause(stage: &mut Stage) {
    let test = |begin: &str, fails: &str| {
        format!(
            "{begin}\ndescribe(\"price\", () => {{\n  it(\"of gold\", () => {{\n    const net = \
            90;\n    {fails}\n  }});\n}});\n"
        )
    };
    let mocha = test("const assert = require(\"node:assert\");", "assert.strictEqual(net, 91);");
    let vitest = test("import { describe, expect, it } from \"vitest\";", "expect(net).toBe(91);");
    let (dir, caller) = workspace_with(&[
        ("mocha/package.json", r#"{"scripts": {"test": "mocha"}}"#),
        ("mocha/test/price.js", &mocha),
        ("vitest/package.json", r#"{"type": "module", "devDependencies": {"vitest": "^4"}}"#),
        ("vitest/price.test.js", &vitest),
        ("vitest/air.test.ts", AIR),
    ])
    .await;
    stage.caller = caller;
    let (of_mocha, of_vitest) = (
        [
            "    1) price",
            "         of gold:",
            "        AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
            "  90 !== 91",
            "        -90",
            "        +91",
            "        at Context.<anonymous> (test/price.js:5:12)",
        ],
        [
            "  stderr|  FAIL  price.test.js > price > of gold",
            "  stderr| AssertionError: expected 90 to be 91 // Object.is equality",
            "  stderr| - Expected",
            "  stderr| + Received",
            "  stderr| - 91",
            "  stderr| + 90",
            "  stderr|  ❯ price.test.js:5:17",
        ],
    );
    for (runner, expected) in [("mocha", of_mocha), ("vitest", of_vitest)] {
        install(&dir.path().join(runner));
        let launch = json!({"test": "of gold", "cwd": runner, "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.reason().starts_with("exception AssertionError"), "{}", stop.text);
        assert_eq!(stop.local("net"), "90", "{}", stop.text);
        let end = stage.resume().await.good();
        end.line("□ exited with code 1");
        end.says(&expected.join("\n"));
    }
    let launch = json!({"test": "of air", "cwd": "vitest", "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert!(stop.reason().starts_with("exception TypeError"), "{}", stop.text);
    stop.line("→ 7 ");
}

/// A nested test of node's runner runs together with the tests around it.
pub async fn nested_node_test_runs(stage: &mut Stage) {
    let test = "const test = require(\"node:test\");\nconst assert = require(\"node:assert\");\n\
                test(\"outer\", async (t) => {\n  await t.test(\"inner\", async (t) => {\n    \
                await t.test(\"deep\", () => {\n      const here = 7;\n      if (!here) throw \
                here;\n    });\n    \
                await t.test(\"beside\", () => {\n      const there = 8;\n      if (!there) throw \
                there;\n    });\n  \
                });\n});\ntest(\"gold\", { skip: \"not yet\" }, () => {});\ntest(\"fails\", () => \
                {\n  \
                assert.strictEqual(2, 3);\n});\n";
    let (_dir, caller) = workspace_with(&[("package.json", "{}"), ("a.test.js", test)]).await;
    stage.caller = caller;
    let listed =
        stage.call("debug_targets", json!({"kind": "test", "filter": "deep"})).await.good();
    listed.says("a.test.js::outer > inner > deep");
    let places = json!(["a.test.js:7", "a.test.js:11"]);
    let launch = |name: &str| json!({"test": name, "breakpoints": places, "timeout_s": 50});
    let stop = stage.call("debug_launch", launch("a.test.js::outer > inner > deep")).await.good();
    assert!(stop.place().contains("a.test.js:7"), "{}", stop.text);
    stop.says("note: Node.js older than 22 runs all tests in a.test.js::outer");
    stage.call("debug_stop", json!({})).await.good();
    let stop = stage.call("debug_launch", launch("inner")).await.good();
    assert!(stop.place().contains("a.test.js:7"), "{}", stop.text);
    assert!(stage.resume().await.good().place().contains("a.test.js:11"));
    stage.resume().await.good().line("□ exited with code 0");
    let skipped = "a.test.js::gold is skipped: a.test.js:15 `test(\"gold\", { skip: \"not yet\" }, \
        () => {});`";
    let calls = [
        json!({"test": "gold"}),
        json!({"command": "node --test --test-name-pattern=gold a.test.js"}),
    ];
    for call in calls {
        assert_eq!(stage.call("debug_launch", call).await.good().line("! "), skipped);
    }
    let end = stage
        .call("debug_launch", json!({"command": "node --test a.test.js", "timeout_s": 50}))
        .await
        .good();
    let end = if end.text.starts_with('■') { stage.resume().await.good() } else { end };
    end.line("□ exited with code 1");
    end.says("2 !== 3");
    end.says("a.test.js:17:10");
}

const TABLES: &str = "import { describe, expect, it, test } from 'vitest';
test.each([
  [1, 2, 3],
  [2, 2, 4],
])('adds %i and %i', (a, b, sum) => {
  expect(a + b).toBe(sum);
});
describe('table', () => {
  it.each`
    a    | b
    ${1} | ${2}
  `('doubles $a', ({ a, b }) => {
    expect(a * 2).toBe(b);
  });
});
";

/// Tables of several lines, whose names are behind them.
pub async fn tests_of_a_table_are_listed(stage: &mut Stage) {
    let package = r#"{"type": "module", "devDependencies": {"vitest": "^4"}}"#;
    let (dir, caller) = workspace_with(&[("sum.test.js", TABLES), ("package.json", package)]).await;
    install(dir.path());
    stage.caller = caller;
    let listed = stage.call("debug_targets", json!({})).await.good();
    listed.says("  test sum.test.js::adds %i and %i  line 5\n");
    listed.says("  test sum.test.js::table > doubles $a  line 12\n");
    for (name, line) in [("adds %i and %i", 6), ("doubles $a", 13)] {
        let launch = json!({"test": name, "breakpoints": [format!("sum.test.js:{line}")],
            "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().contains(&format!("sum.test.js:{line}")), "{}", stop.text);
        assert_eq!((stop.local("a"), stop.local("b")), ("1", "2"), "{}", stop.text);
        stage.call("debug_stop", json!({})).await.good();
    }
}

/// A workspace whose packages share installed modules behind a link.
pub async fn packages_installed_behind_a_link(stage: &mut Stage) {
    let (dir, caller) =
        workspace_with(&[("packages/a/package.json", JEST.1), ("package.json", "{}")]).await;
    for (path, text) in [SUM, TESTS] {
        std::fs::write(dir.path().join("packages/a").join(path), text).unwrap();
    }
    let from = crate::caller::root().join("target/adapters/runners/node_modules");
    std::os::unix::fs::symlink(from, dir.path().join("node_modules")).unwrap();
    stage.caller = caller;
    for call in [json!({"test": "adds"}), json!({"command": "jest -t adds", "cwd": "packages/a"})] {
        let mut call = call;
        call["timeout_s"] = json!(50);
        stage.call("debug_launch", call).await.good().line("□ exited with code 0");
    }
}

pub async fn test_file_run_as_a_program_is_refused(stage: &mut Stage) {
    let typed = "import test from \"node:test\";\ntest(\"gold\", () => {});\n";
    let files =
        [JEST, SUM, TESTS, ("own/package.json", r#"{"type": "module"}"#), ("own/a.test.ts", typed)];
    let (_dir, caller) = workspace_with(&files).await;
    stage.caller = caller;
    for call in [json!({"program": "sum.test.js"}), json!({"command": "node sum.test.js"})] {
        let refused = stage.call("debug_launch", call).await;
        refused.fails(
            "error[invalid-request] sum.test.js has tests for jest; Node.js alone cannot run them. \
             Try: debug_launch {\"command\": \"npx jest sum.test.js\"}",
        );
    }
    let end = stage.call("debug_launch", json!({"test": "gold", "timeout_s": 50})).await.good();
    let end = if end.text.starts_with('■') { stage.resume().await.good() } else { end };
    if !end.text.starts_with("□ exited with code 0") {
        end.says(
            "! this Node.js cannot run TypeScript: `npm install --save-dev tsx`, then \
            debug_launch {\"command\": ",
        );
    }
}
