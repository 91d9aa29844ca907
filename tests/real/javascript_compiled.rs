//! JavaScript that is compiled before it runs: at load under its own name, or by a build.

use serde_json::json;

use crate::real::runners::javascript::install;
use crate::real::stage::{Stage, workspace_with};

const STACK: &str = "class Stack { constructor() { this.items = []; }
  push(x) {
    this.items.push(x);
    return this.items.length;
  }
}
module.exports = { Stack };
";
const TESTS: &str = "const { Stack } = require('./stack');
test('pushes', () => {
  const s = new Stack();
  expect(s.push(1)).toBe(1);
  expect(s.push(2)).toBe(2);
});
";

/// Babel moves the lines of a class: no stop in the constructor, which has the line of the
/// breakpoint in the compiled text, no failed condition there, and no hit of it.
pub async fn breakpoint_in_a_compiled_file_stops_at_its_line(stage: &mut Stage) {
    let package = r#"{"devDependencies": {"jest": "^30"}}"#;
    let files = [("package.json", package), ("src/stack.js", STACK), ("src/stack.test.js", TESTS)];
    let (dir, caller) = workspace_with(&files).await;
    install(dir.path());
    stage.caller = caller;
    for (condition, values, hits) in
        [("", &["1", "2"][..], "2 hits"), (" if x == 2", &["2"], "1 hit")]
    {
        let at = format!("src/stack.js:4{condition}");
        let launch = json!({"test": "pushes", "breakpoints": [&at], "timeout_s": 50});
        let mut stop = stage.call("debug_launch", launch).await.good();
        for value in values {
            assert_eq!(stop.place(), "Stack.push  src/stack.js:4", "{}", stop.text);
            assert_eq!(stop.local("x"), *value, "{}", stop.text);
            assert!(!stop.text.contains("condition"), "{}", stop.text);
            stop = stage.resume().await.good();
        }
        stop.line("□ exited with code 0");
        let list = stage.call("debug_breakpoints", json!({})).await.good();
        list.says(&format!(" {at} · {hits}\n"));
        let output = json!({"grep": "ondition error"});
        let output = stage.call("debug_output", output).await;
        assert!(!output.text.contains("is not defined"), "{}", output.text);
    }
}
