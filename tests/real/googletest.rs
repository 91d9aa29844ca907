//! Tests of C++ by GoogleTest, in a project as CMake leaves it: a program, and CTest's word of
//! where it is.

use serde_json::json;

use super::Stage;
use super::named::line_of;
use super::stage::marked;
use crate::caller::{Caller, Start, root};

const SOURCE: &str = "tests/fixtures/gtest/cart_test.cc";
const PROJECT: &str = "target/fixtures/gtest";

/// A host whose workspace is that project.
async fn in_project(stage: &mut Stage) {
    let cwd = root().join(PROJECT);
    assert!(
        cwd.join("build/cart_test").exists(),
        "cargo xtask adapters googletest, cargo xtask fixtures"
    );
    stage.caller = Caller::start(Start { cwd, ..Start::usual() }).await;
}

fn at(mark: &str) -> String {
    format!("cart_test.cc:{}", marked(&root().join(SOURCE), mark))
}

/// The one test runs, by its whole name, its end, and behind its program; one with parameters is
/// several.
pub async fn googletest_by_name(stage: &mut Stage) {
    in_project(stage).await;
    for test in ["Cart.TaxOfAPen", "TaxOfAPen", "build/cart_test::Cart.TaxOfAPen"] {
        let launch =
            json!({"test": test, "breakpoints": [at("pen"), at("total")], "timeout_s": 50});
        // Nobody names the adapter that is there first.
        let stop = match stage.language.has_gdb() {
            true => stage.call("debug_launch", launch).await.good(),
            false => stage.caller.call("debug_launch", launch).await.good(),
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
        "error[target-missing] no test is named Cart.Totl; there are Cart.Total, Cart.TaxOfAPen, Rates.AreSmall. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"test\": \"Cart.Total\"}}"
    ));
}

/// The place, what was expected and what there was, of one test and of the last of several.
pub async fn a_test_of_googletest_that_fails_says_why(stage: &mut Stage) {
    in_project(stage).await;
    let why = |mark: &str, name: &str, found: u32, expected: u32| {
        let file = root().join(PROJECT).join(at(mark));
        format!(
            "  {}: Failure\n  Expected equality of these values:\n    {name}\n      Which is: {found}\n    {expected}\n",
            file.display()
        )
    };
    let adapter = stage.language.adapter();
    let rate = json!({"RATE": "9"});
    let one = json!({"test": "Cart.TaxOfAPen", "adapter": adapter, "env": rate, "timeout_s": 50});
    let end = stage.call("debug_launch", one).await.good();
    end.line("□ exited with code 1");
    end.says(&why("pen", "tax", 9, 7));
    let all =
        json!({"command": "build/cart_test", "adapter": adapter, "env": rate, "timeout_s": 50});
    let end = stage.call("debug_launch", all).await.good();
    end.says(&why("total", "total", 109, 107));
    end.says("  [  FAILED  ] Cart.TaxOfAPen\n  [  FAILED  ] Cart.Total\n");
}

pub async fn tests_of_cpp_are_listed(stage: &mut Stage) {
    in_project(stage).await;
    let told = stage.call("debug_targets", json!({"kind": "test"})).await.good();
    let test = |id: &str, text| format!("  test {id}  cart_test.cc:{}\n", line_of(SOURCE, text));
    let lines = [
        test("Cart.TaxOfAPen", "TEST_F(Cart, TaxOfAPen)"),
        test("Cart.Total", "TEST_F(Cart, Total)"),
        test("Rates.AreSmall", "TEST_P(Rates, AreSmall)"),
    ];
    assert_eq!(
        told.text,
        format!("codelldb\n{}next: debug_launch test=Cart.TaxOfAPen", lines.concat())
    );
}

/// Where no file of CTest says what is built, the program that holds a test is asked for it; a
/// filter is a name, too.
pub async fn googletest_without_ctest_finds_its_program(stage: &mut Stage) {
    let (dir, built) = (tempfile::tempdir().unwrap(), root().join(PROJECT).join("build/cart_test"));
    std::fs::copy(root().join(SOURCE), dir.path().join("cart_test.cc")).unwrap();
    std::fs::copy(built, dir.path().join("cart_test")).unwrap();
    std::fs::copy(root().join("target/fixtures/c/cart"), dir.path().join("another")).unwrap();
    stage.caller = Caller::start(Start { cwd: dir.path().to_owned(), ..Start::usual() }).await;
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
}
