//! Tests by name, and the list of targets.

use std::path::Path;

use serde_json::json;

use crate::real::stage::{Language, Stage, workspace_with};

/// The one test runs, by full name and by the last part; the breakpoint in the other one is never
/// hit.
pub async fn test_by_name(stage: &mut Stage) {
    // Go 1.20 names it by the package's full path.
    let go = if stage.language == Language::Go {
        "cart.TestTaxOfAPen"
    } else {
        "fixtures/cart.TestTaxOfAPen"
    };
    let function = stage.pick("test_tax_of_a_pen", "", go, "<anonymous>", "");
    let file = stage.pick(
        "tests/fixtures/python/test_cart.py",
        "",
        "tests/fixtures/go/cart/main_test.go",
        "tests/fixtures/javascript/cart.test.js",
        "",
    );
    let name = stage.pick("test_tax_of_a_pen", "", "TestTaxOfAPen", "tax of a pen", "");
    let at = |mark| {
        format!("{file}:{}", crate::real::stage::marked(&crate::caller::root().join(file), mark))
    };
    for test in [name.to_owned(), format!("{file}::{name}")] {
        let launch =
            json!({"test": test, "breakpoints": [at("pen"), at("total")], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.place(), format!("{function}  {}", at("pen")), "{}", stop.text);
        assert!(stop.local("pen").contains("100"), "{}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    let near = stage.pick("test_totl", "", "TestTotl", "totl", "");
    let (dir, adapter) = (Path::new(file).parent().unwrap().display(), stage.language.adapter());
    let launch = json!({"test": near, "cwd": dir.to_string(), "adapter": adapter});
    let refused = stage.call("debug_launch", launch).await;
    let (first, second) = stage.pick(
        ("test_total", "test_tax_of_a_pen"),
        ("", ""),
        ("TestTotal", "TestTaxOfAPen"),
        ("total", "tax of a pen"),
        ("", ""),
    );
    let (near_it, far) = stage.pick(
        (
            ", tests/fixtures/python/failing_cart.py::Cart::test_tax_of_nothing",
            ", tests/fixtures/python/failures.py::Amounts::test_amount, \
             tests/fixtures/python/failures.py::Amounts::test_refusal",
        ),
        ("", ""),
        ("", ""),
        ("", ""),
        ("", ""),
    );
    refused.fails(&format!(
        "error[target-missing] no test is named {near}; there are {file}::{first}{near_it}, \
        {file}::{second}{far}. \
         Try: debug_launch {{\"cwd\": \"{dir}\", \"adapter\": \"{adapter}\", \"test\": \
         \"{file}::{first}\"}}"
    ));
}

/// Without a pytest configuration unittest runs the classes derived from its `TestCase`.
pub async fn unittest_by_name(stage: &mut Stage) {
    let cwd = "tests/fixtures/python";
    for test in [
        "Cart.test_tax_of_nothing",
        "tests/fixtures/python/failing_cart.py::Cart::test_tax_of_nothing",
    ] {
        let launch = json!({
            "test": test, "cwd": cwd, "breakpoints": [stage.at("cart", "add")], "timeout_s": 50,
        });
        let stop = stage.call("debug_launch", launch).await.good();
        stage.assert_stop(&stop, "failing_cart", "test_tax_of_nothing", "raises");
        stop.says("exception AssertionError");
        let end = stage.resume().await.good();
        end.line("□ exited with code 1");
        end.says("Ran 1 test in");
    }
}

/// A name shared by several tests lists them all; a parameter in brackets selects one case.
pub async fn pytest_names_and_settings(stage: &mut Stage) {
    let case = "import unittest\n\n\nclass TestCart(unittest.TestCase):\n    def \
        test_both(self):\n        pass\n";
    let many = "import pytest\n\n\n@pytest.mark.parametrize(\"n\", [1, 2])\ndef test_half(n):\n    \
        half = n / 2\n    \
                assert half < n\n\n\ndef test_both():\n    pass\n";
    let (_dir, caller) = workspace_with(&[
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"-q\"\n"),
        ("unit/test_case.py", case),
        ("unit/test_many.py", many),
    ])
    .await;
    stage.caller = caller;
    let refused = stage.call("debug_launch", json!({"test": "test_both"})).await;
    refused.fails(
        "error[target-ambiguous] 2 tests are named test_both. Try: name one: \
         unit/test_case.py::TestCart::test_both, unit/test_many.py::test_both",
    );
    let launch =
        json!({"test": "test_half[2]", "breakpoints": ["unit/test_many.py:7"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!((stop.local("n"), stop.local("half")), ("2", "1.0"), "{}", stop.text);
    let end = stage.resume().await.good();
    end.says("1 passed");
    let launch =
        json!({"test": "TestCart", "breakpoints": ["unit/test_case.py:6"], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), "test_both  unit/test_case.py:6", "{}", stop.text);
    stage.resume().await.good().says("1 passed");
}

/// A test in a suite, in a package that names no runner; a runner that is not installed is an
/// error.
pub async fn test_in_a_suite_and_missing_runner(stage: &mut Stage) {
    let suite = "const { describe, it } = require(\"node:test\");\n\ndescribe(\"Cart\", () => {\n  \
        it(\"is empty\", () => \
                 {\n    const count = 0;\n    if (count) throw count;\n  });\n  it(\"other\", () \
                 => {});\n});\n";
    let (_dir, caller) = workspace_with(&[
        ("plain/package.json", "{}"),
        ("plain/cart.test.js", suite),
        ("jest/package.json", r#"{"devDependencies": {"jest": "^29"}}"#),
        ("jest/price.test.js", "test(\"rounds\", () => {});\n"),
    ])
    .await;
    stage.caller = caller;
    for test in ["is empty", "Cart is empty", "Cart > is empty"] {
        let launch =
            json!({"test": test, "breakpoints": ["plain/cart.test.js:6"], "timeout_s": 50});
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("count"), "0", "{}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    let refused = stage.call("debug_launch", json!({"test": "rounds"})).await;
    refused.fails(
        "error[tool-missing] jest is not installed; jest/price.test.js::rounds needs it. \
            Try: npm install",
    );
}

/// The line of a file that contains the text.
pub fn line_of(file: &str, text: &str) -> usize {
    let source = std::fs::read_to_string(crate::caller::root().join(file)).unwrap();
    source.lines().position(|line| line.contains(text)).unwrap() + 1
}

/// Programs and tests of the fixtures, one line each, in the form that a launch takes.
pub async fn targets_are_listed(stage: &mut Stage) {
    let test = |file: &str, name: &str, text: &str| {
        format!("  test {file}::{name}  line {}", line_of(file, text))
    };
    let (python, go, javascript) = (
        "tests/fixtures/python/test_cart.py",
        "tests/fixtures/go/cart/main_test.go",
        "tests/fixtures/javascript/cart.test.js",
    );
    let npm = "npm --prefix tests/fixtures/javascript run cart";
    let rust = "cargo run --manifest-path tests/fixtures/rust/Cargo.toml --bin cart";
    let (rust_main, go_main) =
        ("tests/fixtures/rust/src/bin/cart.rs", "tests/fixtures/go/cart/main.go");
    let (filter, lines) = stage.pick(
        (
            "python/test_cart",
            vec![
                test(python, "test_tax_of_a_pen", "def test_tax_of_a_pen"),
                test(python, "test_total", "def test_total"),
                format!("next: debug_launch test={python}::test_tax_of_a_pen"),
            ],
        ),
        (
            "fixtures/rust/Cargo.toml --bin cart",
            vec![
                format!("  command {rust}  {rust_main}:{}", line_of(rust_main, "fn main()")),
                format!("next: debug_launch command=\"{rust}\""),
            ],
        ),
        (
            "go/cart",
            vec![
                format!(
                    "  program tests/fixtures/go/cart  {go_main}:{}",
                    line_of(go_main, "func main()")
                ),
                test(go, "TestTaxOfAPen", "func TestTaxOfAPen"),
                test(go, "TestTotal", "func TestTotal"),
                "next: debug_launch program=tests/fixtures/go/cart".to_owned(),
            ],
        ),
        (
            "fixtures/javascript",
            vec![
                format!("  command {npm}  tests/fixtures/javascript/package.json"),
                test(javascript, "tax of a pen", "\"tax of a pen\""),
                test(javascript, "total", "\"total\""),
                format!("next: debug_launch command=\"{npm}\""),
            ],
        ),
        ("", Vec::new()),
    );
    let reply = stage.call("debug_targets", json!({"filter": filter})).await.good();
    assert_eq!(reply.text, format!("{}\n{}", stage.language.adapter(), lines.join("\n")));
    let programs =
        stage.call("debug_targets", json!({"filter": filter, "kind": "program"})).await.good();
    assert!(!programs.text.contains("  test "), "{}", programs.text);
    if stage.language == Language::Python {
        let scripts = stage
            .call("debug_targets", json!({"filter": "failing_cart", "kind": "program"}))
            .await
            .good();
        let script = "tests/fixtures/python/failing_cart.py";
        assert_eq!(
            scripts.text,
            format!("debugpy\n  program {script}\nnext: debug_launch program={script}")
        );
    }
}

/// Similar names are searched in all languages of the workspace, whichever adapter claims the test.
pub async fn unknown_test_lists_similar_names(stage: &mut Stage) {
    let files = [
        ("shop/test_cart.py", "def test_gold():\n    pass\n\n\ndef test_silver():\n    pass\n"),
        ("cart/go.mod", "module cart\n\ngo 1.20\n"),
        (
            "cart/cart_test.go",
            "package cart\n\nimport \"testing\"\n\nfunc TestGolden(t *testing.T) {}\n",
        ),
        (
            "web/cart.test.js",
            "const test = require(\"node:test\");\n\ntest(\"gilds\", () => {});\n",
        ),
    ];
    let (dir, caller) = workspace_with(&files).await;
    stage.caller = caller;
    let launch = json!({"test": "test_gld", "timeout_s": 50});
    stage.call("debug_launch", launch.clone()).await.fails(
        "error[target-missing] no test is named test_gld here; there are \
        shop/test_cart.py::test_gold, \
         cart/cart_test.go::TestGolden, shop/test_cart.py::test_silver, web/cart.test.js::gilds. \
         Try: debug_launch {\"test\": \"shop/test_cart.py::test_gold\", \"timeout_s\": 50}",
    );
    // An adapter that claims the workspace lists its own tests first.
    std::fs::write(dir.path().join("package.json"), "{}").unwrap();
    stage.call("debug_launch", launch.clone()).await.fails(
        "error[target-missing] no test is named test_gld; there are web/cart.test.js::gilds; other \
        adapters know \
         shop/test_cart.py::test_gold, cart/cart_test.go::TestGolden, \
         shop/test_cart.py::test_silver. \
         Try: debug_launch {\"timeout_s\": 50, \"test\": \"shop/test_cart.py::test_gold\"}",
    );
    let (_dir, caller) = workspace_with(&[("notes.txt", "")]).await;
    stage.caller = caller;
    stage.call("debug_launch", launch).await.fails(
        "error[target-missing] no test is named test_gld here, and no adapter lists any. \
            Try: debug_targets",
    );
}

/// Sources with a `main` and the programs built from them, filtered by language and by adapter.
pub async fn programs_of_c_are_listed(stage: &mut Stage) {
    let main = "#include <stdio.h>\n\nint main(void) {\n    puts(\"x\");\n}\n";
    let (dir, caller) = workspace_with(&[
        ("shop/cart.c", main),
        ("shop/price.cpp", "int main(int argc, char **) {\n    return argc - 1;\n}\n"),
        ("shop/tax.c", "int main(void);\nint tax(void) { return 7; }\n"),
        (
            "web/cart.test.js",
            "const test = require(\"node:test\");\n\ntest(\"gilds\", () => {});\n",
        ),
        ("node_modules/x/main.c", main),
        ("build/bin/notes", "no program"),
        ("tool.py", "if __name__ == \"__main__\":\n    print(1)\n"),
    ])
    .await;
    for (output, flag) in [("build/bin/cart", "-g"), ("bare", "-s")] {
        #[expect(clippy::disallowed_methods, reason = "no process of the host")]
        let mut gcc = std::process::Command::new("gcc");
        let built =
            gcc.args([flag, "-o", output, "shop/cart.c"]).current_dir(dir.path()).status().unwrap();
        assert!(built.success());
    }
    stage.caller = caller;
    let built = "codelldb\n  program build/bin/cart\n";
    let sources = "gdb\n  program shop/cart.c\n  program shop/price.cpp\n";
    let next = "next: debug_launch program=build/bin/cart";
    let nothing = "no target matches filter and kind; there are 5 others\n\
        next: debug_targets"
        .to_owned();
    for (filter, expect) in [
        ("C", format!("{built}gdb\n  program shop/cart.c\n{next}")),
        ("c++", format!("{built}gdb\n  program shop/price.cpp\n{next}")),
        ("codelldb", format!("{built}{next}")),
        (
            "gdb",
            "gdb\n  program shop/cart.c\n  program shop/price.cpp\n  program build/bin/cart\nnext: \
            debug_launch program=shop/cart.c".to_owned(),
        ),
        (
            "cart",
            format!("{built}gdb\n  program shop/cart.c\njs-debug\n  test web/cart.test.js::gilds  \
                line 3\n{next}"),
        ),
        ("python", "debugpy\n  program tool.py\nnext: debug_launch program=tool.py".to_owned()),
        ("nowhere", nothing.clone()),
        ("go", nothing),
    ] {
        let reply = stage.caller.call("debug_targets", json!({"filter": filter})).await.good();
        assert_eq!(reply.text, expect, "{filter}");
    }
    let few = stage.caller.call("debug_targets", json!({"limit": 1})).await.good();
    few.says("\n4 targets more: narrow with filter or kind\n");
    let reply = stage
        .caller
        .call("debug_targets", json!({"kind": "program", "filter": "shop"}))
        .await
        .good();
    assert_eq!(reply.text, format!("{sources}next: debug_launch program=shop/cart.c"));
    let launch =
        json!({"program": "build/bin/cart", "breakpoints": ["shop/cart.c:4"], "timeout_s": 50});
    let stop = stage.caller.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), "main  shop/cart.c:4", "{}", stop.text);
}

/// pytest is asked for the parameter sets before the run.
pub async fn unknown_parameter_set_is_refused(stage: &mut Stage) {
    let table = "import pytest\n\n\n@pytest.mark.parametrize(\"n\", [1, 2])\nclass TestHalf:\n    \
                 def test_half(self, n):\n        half = n / 2\n        assert half < n\n";
    let settings = "[tool.pytest.ini_options]\naddopts = \"-q\"\n";
    let (_dir, caller) =
        workspace_with(&[("shop/pyproject.toml", settings), ("shop/unit/test_many.py", table)])
            .await;
    stage.caller = caller;
    let cases = ["1", "2"].map(|n| format!("shop/unit/test_many.py::TestHalf::test_half[{n}]"));
    let command = "pytest -vv unit/test_many.py::TestHalf::test_half[nix]";
    for (launch, name) in [
        (json!({"test": "test_half[nix]"}), "test_half[nix]"),
        (json!({"command": command, "cwd": "shop"}), "unit/test_many.py::TestHalf::test_half[nix]"),
    ] {
        let mut launch = launch;
        launch["timeout_s"] = json!(50);
        let refused = stage.call("debug_launch", launch).await;
        refused.says(&format!(
            "error[target-missing] no test is named {name}; there are {}. ",
            cases.join(", ")
        ));
        refused.says(&format!("\"test\": \"{}\"", cases[0]));
    }
    let launch = json!({
        "test": cases[0], "cwd": "shop", "breakpoints": ["shop/unit/test_many.py:8"],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!((stop.local("n"), stop.local("half")), ("1", "0.5"), "{}", stop.text);
    stage.resume().await.good().says("1 passed");
    // A test that cannot be collected is left to the run itself.
    let launch =
        json!({"command": "pytest unit/test_many.py::test_nix[1]", "cwd": "shop", "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().line("□ exited with code 4");
}

/// More entries than a search visits, sorted before the directory of the one test. Links that lead
/// nowhere are made soon, and are no files.
fn large_workspace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let (many, shop) = (dir.path().join("many"), dir.path().join("shop"));
    for directory in [&many, &shop] {
        std::fs::create_dir(directory).unwrap();
    }
    for half in 0..2 {
        std::fs::write(many.join(format!("{half}.csv")), "1\n").unwrap();
        let first = many.join(format!("link{half}"));
        std::os::unix::fs::symlink("nowhere", &first).unwrap();
        for number in 0..50_000 {
            std::fs::hard_link(&first, many.join(format!("link{half}.{number}"))).unwrap();
        }
    }
    let test = "def test_pay():\n    paid = 7\n    assert paid\n";
    std::fs::write(shop.join("test_pay.py"), test).unwrap();
    dir
}

/// The list and the error say that files were left out. Directories that version control ignores
/// are not searched.
pub async fn cut_search_of_a_large_workspace_is_named(stage: &mut Stage) {
    let dir = large_workspace();
    stage.start_in(dir.path()).await;
    let list = stage.call("debug_targets", json!({})).await.good();
    list.line("note: the workspace is large; searched 2 files, the others are not listed");
    stage.call("debug_launch", json!({"test": "test_pay"})).await.fails(
        "error[target-missing] no test is named test_pay here, and no adapter lists any; \
        the workspace is large: only 2 files were searched. Try: debug_targets",
    );
    std::fs::write(dir.path().join(".gitignore"), "/many/\n").unwrap();
    let list = stage.call("debug_targets", json!({})).await.good();
    assert_eq!(
        list.text,
        "debugpy\n  test shop/test_pay.py::test_pay  line 1\nnext: debug_launch \
        test=shop/test_pay.py::test_pay"
    );
}

pub async fn directory_of_a_launch_is_searched_first(stage: &mut Stage) {
    let dir = large_workspace();
    stage.start_in(dir.path()).await;
    for adapter in [json!("debugpy"), json!(null)] {
        let mut launch = json!({
            "test": "test_pay", "cwd": "shop", "breakpoints": ["shop/test_pay.py:3"],
            "timeout_s": 50,
        });
        if adapter.is_string() {
            launch["adapter"] = adapter;
        }
        let stop = stage.call("debug_launch", launch).await.good();
        assert_eq!(stop.local("paid"), "7", "{}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    // The name of the test has a file.
    let launch = json!({
        "test": "shop/test_pay.py::test_pay", "breakpoints": ["shop/test_pay.py:3"],
        "timeout_s": 50,
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.local("paid"), "7", "{}", stop.text);
}

/// A language as filter selects its targets, and others with the word in their names.
pub async fn language_filter_matches_target_names_too(stage: &mut Stage) {
    let many: String = (0..60).map(|n| format!("test(\"one {n}\", () => {{}});\n")).collect();
    let test = format!("const test = require(\"node:test\");\n{many}");
    let (_dir, caller) = workspace_with(&[
        ("many.test.js", &test),
        ("two.test.ts", "import test from \"node:test\";\n\ntest(\"gold\", () => {});\n"),
        ("test_lang.py", "def test_typescript_binding():\n    pass\n"),
    ])
    .await;
    stage.caller = caller;
    let reply = stage.caller.call("debug_targets", json!({"filter": "typescript"})).await.good();
    reply.says("  test two.test.ts::gold  line 3\n");
    reply.says("debugpy\n  test test_lang.py::test_typescript_binding  line 1\n");
    assert!(!reply.text.contains("many.test.js"), "{}", reply.text);
    let reply =
        stage.caller.call("debug_targets", json!({"filter": "many", "limit": 50})).await.good();
    reply.says("\n10 targets more: narrow");
}
