//! Programs and tests of CMake, configured and built by the launch.

use serde_json::json;

use crate::real::stage::{Stage, workspace_with};

const LISTS: &str = "cmake_minimum_required(VERSION 3.14)\nproject(shop C)\nfile(GLOB SOURCES \
    src/*.c)\nadd_executable(${PROJECT_NAME} ${SOURCES})\nset_target_properties(shop PROPERTIES \
    OUTPUT_NAME till)\nadd_executable(other other.c)\nenable_testing()\nadd_test(NAME adds COMMAND \
    shop 2 40)\nset_tests_properties(adds PROPERTIES ENVIRONMENT RATE=7)\nadd_test(NAME adds_more \
    COMMAND shop 3 40)\nadd_test(NAME lists COMMAND ${CMAKE_COMMAND} -E true)\n";
const MAIN: &str = "#include <stdlib.h>\nint add(int a, int b);\nint main(int argc, char **argv) \
    {\n    int first = argc > 2 ? atoi(argv[1]) : 0;\n    int rate = getenv(\"RATE\") ? \
    atoi(getenv(\"RATE\")) : 1;\n    int total = add(first, argc);\n    return total * rate < \
    0;\n}\n";
const ADD: &str = "int add(int a, int b) {\n    return a + b;\n}\n";
const OTHER: &str = "int main(void) {\n    return 0;\n}\n";

#[expect(clippy::disallowed_macros, reason = "a skipped test says so where tests speak")]
fn is_here() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).any(|dir| dir.join("ctest").is_file());
    if !found {
        println!("skipped: there is no CMake");
    }
    found
}

/// Tests by command and by name, and programs; the first launch configures.
pub async fn cmake_builds_tests_and_programs(stage: &mut Stage) {
    if !is_here() {
        return;
    }
    let files =
        [("CMakeLists.txt", LISTS), ("src/main.c", MAIN), ("src/add.c", ADD), ("other.c", OTHER)];
    let (dir, _) = workspace_with(&files).await;
    stage.start_in(dir.path()).await;
    let listed = stage.call("debug_targets", json!({})).await.good();
    listed.line("  command cmake --build build --target shop  src/main.c:3");
    listed.line("  command cmake --build build --target other  other.c:1");
    listed.line("  test adds  CMakeLists.txt:8");
    assert!(!listed.text.contains("program "), "{}", listed.text);
    let adapter = stage.language.adapter();
    for (launch, total, rate) in [
        (json!({"command": "ctest -R ^adds$"}), "5", "7"),
        (json!({"test": "adds_more"}), "6", "1"),
        (json!({"command": "cmake --build build --target shop", "args": ["9", "x"]}), "12", "1"),
    ] {
        let mut launch = launch;
        launch["breakpoints"] = json!(["src/main.c:7"]);
        launch["timeout_s"] = json!(100);
        let stop = stage.call("debug_launch", launch.clone()).await.good();
        assert_eq!(stop.local("total"), total, "{launch}: {}", stop.text);
        assert_eq!(stop.local("rate"), rate, "{launch}: {}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
    stage.call("debug_launch", json!({"command": "ctest -R adds"})).await.fails(&format!(
        "error[target-ambiguous] `ctest -R adds` runs 2 tests: adds, adds_more. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"command\": \"ctest -R '^adds$'\"}}"
    ));
    stage.call("debug_launch", json!({"command": "ctest -R addz"})).await.fails(&format!(
        "error[target-missing] `ctest -R addz` selects no test; there are adds, adds_more, lists. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"test\": \"adds\"}}"
    ));
    stage.call("debug_launch", json!({"command": "cmake --build build"})).await.fails(&format!(
        "error[target-ambiguous] CMake builds 2 programs in build: other, shop. \
         Try: debug_launch {{\"adapter\": \"{adapter}\", \"command\": \"cmake --build build \
         --target other\"}}"
    ));
}
