//! Programs of JavaScript in packages: of a monorepo, with a build.

use serde_json::json;

use crate::real::runners::javascript::install;
use crate::real::stage::{Stage, workspace_with};

const SUM: &str =
    "export function sum(list) {\n  let total = 0;\n  for (const n of list) total += n;
  return total;\n}\n";
const TEST: &str = "import { expect, test } from 'vitest';\nimport { sum } from './sum.js';
test('adds', () => expect(sum([1, 2])).toBe(3));\n";

/// The runner is installed for all packages of a monorepo, above the workspace.
pub async fn runner_above_the_workspace_runs(stage: &mut Stage) {
    let (dir, caller) = workspace_with(&[
        ("package.json", r#"{"workspaces": ["packages/*"], "devDependencies": {"vitest": "^4"}}"#),
        ("packages/web/package.json", r#"{"type": "module", "scripts": {"test": "vitest run"}}"#),
        ("packages/web/sum.js", SUM),
        ("packages/web/sum.test.js", TEST),
    ])
    .await;
    drop(caller);
    install(dir.path());
    stage.start_in(&dir.path().join("packages/web")).await;
    for launch in [json!({"test": "adds"}), json!({"command": "vitest run -t adds"})] {
        let mut launch = launch;
        launch["breakpoints"] = json!(["sum.js:4"]);
        launch["timeout_s"] = json!(50);
        let stop = stage.call("debug_launch", launch).await.good();
        assert!(stop.place().ends_with("sum  sum.js:4"), "{}", stop.text);
        assert_eq!(stop.local("total"), "3", "{}", stop.text);
        stage.resume().await.good().line("□ exited with code 0");
    }
}
