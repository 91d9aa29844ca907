//! C++ tests with GoogleTest in a project built by CMake: a test program, and CTest's file that
//! names it.

use serde_json::json;

use crate::caller::{Caller, Start, root};
use crate::real::by_name::line_of;
use crate::real::stage::{Stage, marked};

const SOURCE: &str = "tests/fixtures/gtest/cart_test.cc";
const PROJECT: &str = "target/fixtures/gtest";

/// Starts a host with that project as its workspace.
async fn in_project(stage: &mut Stage) {
    let cwd = root().join(PROJECT);
    assert!(
        cwd.join("build/cart_test").exists(),
        "cargo xtask adapters googletest, cargo xtask fixtures"
    );
    stage.caller = Caller::start(Start { cwd, ..Start::structured() }).await;
}

fn at(mark: &str) -> String {
    format!("cart_test.cc:{}", marked(&root().join(SOURCE), mark))
}

/// The one test runs, by full name, by the last part, and with its program; a parameterised test
/// runs as several.
pub async fn googletest_by_name(stage: &mut Stage) {
    in_project(stage).await;
    for test in ["Cart.TaxOfAPen", "TaxOfAPen", "build/cart_test::Cart.TaxOfAPen"] {
        let launch =
            json!({"test": test, "breakpoints": [at("pen"), at("total")], "timeout_s": 50});
        // CodeLLDB is the default adapter.
        let stop = if stage.language.has_gdb() {
            stage.call("debug_launch", launch).await.good()
        } else {
            stage.caller.call("debug_launch", launch).await.good()
        };
        let function = if stage.language.has_gdb() {
            "Cart_TaxOfAPen_Test::TestBody"
        } else {
            "Cart_TaxOfAPen_Test::TestBody()"
        };
        assert_eq!(stop.place(), format!("{function}  {}", at("pen")), "{}", stop.text);
        assert_eq!(stop.local("tax"), "7");
        let end = stage.resume().await.good();
        end.line("□ exited with code 0");
        end.says("1 test.");
    }
    for (test, values) in [("AreSmall", vec!["7", "19"]), ("All/Rates.AreSmall/1", vec!["19"])] {
        let adapter = stage.language.adapter();
        let launch =
            json!({"test": test, "adapter": adapter, "breakpoints": [at("rate")], "timeout_s": 50});
        let mut stop = stage.call("debug_launch", launch).await.good();
        for value in values {
            assert_eq!(stop.local("small"), value, "{}", stop.text);
            stop = stage.resume().await.good();
        }
        stop.line("□ exited with code 0");
    }
    let adapter = stage.language.adapter();
    let refused =
        stage.call("debug_launch", json!({"test": "Cart.Totl", "adapter": adapter})).await;
    refused.fails(&format!(
        "error[target-missing] no test is named Cart.Totl; there are Cart.Total, Cart.TaxOfAPen, \
        Rates.AreSmall. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"test\": \"Cart.Total\"}}"
    ));
}

/// One test stops at its failing assertion; of several the output has the last one, with its place
/// and both values.
pub async fn failed_googletest_names_the_cause(stage: &mut Stage) {
    in_project(stage).await;
    let why = |mark: &str, name: &str, found: u32, expected: u32| {
        let file = root().join(PROJECT).join(at(mark));
        format!(
            "  {}: Failure\n  Expected equality of these values:\n    {name}\n      Which is: \
            {found}\n    {expected}\n",
            file.display()
        )
    };
    let adapter = stage.language.adapter();
    let rate = json!({"RATE": "9"});
    let one = json!({"test": "Cart.TaxOfAPen", "adapter": adapter, "env": rate, "timeout_s": 50});
    let stop = stage.call("debug_launch", one).await.good();
    let reason = "assertion failed Expected equality of these values";
    assert_eq!(stop.reason(), reason, "{}", stop.text);
    assert_eq!(stop.line("! "), "Expected equality of these values: tax Which is: 9 7");
    assert_eq!(stop.local("tax"), "9", "{}", stop.text);
    assert!(stop.line("#").contains(&format!("  {}  ", at("pen"))), "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 1");
    let printed = stage.call("debug_output", json!({"since": 0})).await.good();
    let text = why("pen", "tax", 9, 7).replace("\n  ", "\n");
    printed.says(text.trim_start());
    let all =
        json!({"command": "build/cart_test", "adapter": adapter, "env": rate, "timeout_s": 50});
    let end = stage.call("debug_launch", all).await.good();
    end.says(&why("total", "total", 109, 107));
    end.says("  [  FAILED  ] Cart.TaxOfAPen\n  [  FAILED  ] Cart.Total\n");
    let next = "Cart.TaxOfAPen failed; to stop at its failing assertion: debug_launch {\"test\": \
        \"Cart.TaxOfAPen\"}";
    assert_eq!(end.line("! "), next);
}

pub async fn tests_of_cpp_are_listed(stage: &mut Stage) {
    in_project(stage).await;
    let reply = stage.call("debug_targets", json!({"kind": "test"})).await.good();
    let test = |id: &str, text| format!("  test {id}  cart_test.cc:{}\n", line_of(SOURCE, text));
    let lines = [
        test("Cart.TaxOfAPen", "TEST_F(Cart, TaxOfAPen)"),
        test("Cart.Total", "TEST_F(Cart, Total)"),
        test("Rates.AreSmall", "TEST_P(Rates, AreSmall)"),
    ];
    assert_eq!(
        reply.text,
        format!("codelldb\n{}next: debug_launch test=Cart.TaxOfAPen", lines.concat())
    );
}

/// Without a CTest file the program that contains a test is asked for its list; a filter is
/// accepted as a name.
pub async fn googletest_without_ctest_finds_its_program(stage: &mut Stage) {
    let (dir, built) = (tempfile::tempdir().unwrap(), root().join(PROJECT).join("build/cart_test"));
    std::fs::copy(root().join(SOURCE), dir.path().join("cart_test.cc")).unwrap();
    std::fs::copy(built, dir.path().join("cart_test")).unwrap();
    std::fs::copy(root().join("target/fixtures/c/cart"), dir.path().join("another")).unwrap();
    stage.caller = Caller::start(Start { cwd: dir.path().to_owned(), ..Start::structured() }).await;
    let listed = stage.caller.call("debug_targets", json!({"kind": "test"})).await.good();
    listed.line("next: debug_launch test=Cart.TaxOfAPen");
    let adapter = stage.language.adapter();
    for (test, ran) in [
        ("Cart.TaxOfAPen", "1 test."),
        ("cart_test::All/Rates.AreSmall/1", "1 test."),
        ("*/Rates.AreSmall/*", "2 tests."),
    ] {
        let end = stage
            .call("debug_launch", json!({"test": test, "adapter": adapter, "timeout_s": 50}))
            .await
            .good();
        end.line("□ exited with code 0");
        end.says(&format!("[  PASSED  ] {ran}"));
    }
    // Of the programs of a CTest file only those that have the test are asked.
    std::fs::copy("/bin/false", dir.path().join("refuses")).unwrap();
    let root = dir.path().display();
    let tests =
        ["refuses", "cart_test"].map(|name| format!("add_test({name} \"{root}/{name}\")\n"));
    std::fs::write(dir.path().join("CTestTestfile.cmake"), tests.concat()).unwrap();
    let launch = json!({"test": "Cart.TaxOfAPen", "adapter": adapter, "timeout_s": 50});
    stage.call("debug_launch", launch).await.good().line("□ exited with code 0");
}
