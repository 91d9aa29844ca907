//! Programs of JavaScript in packages: of a monorepo, with a build.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::real::runners::javascript::install;
use crate::real::stage::{Stage, marked, workspace_with};

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

const PROGRAM: &str = "function add(a: number, b: number): number {
  return a + b; // [stop: add]
}
console.log(add(1, 2));
";

/// A compiler for this program, in place of TypeScript's.
const COMPILER: &str = "#!/usr/bin/env node
const fs = require('fs');
const text = fs.readFileSync('src/main.ts', 'utf8').replaceAll(': number', '');
const mappings = 'AAAA;AACA;AACA;AACA';
const map = { version: 3, file: 'main.js', sources: ['../src/main.ts'], names: [], mappings };
fs.mkdirSync('dist', { recursive: true });
fs.writeFileSync('dist/main.js', text + '//# sourceMappingURL=main.js.map');
fs.writeFileSync('dist/main.js.map', JSON.stringify(map));
";

/// A compiled program is built where its package says how: before the first launch, and after an
/// edit.
pub async fn compiled_program_is_built_before_it_runs(stage: &mut Stage) {
    let package = r#"{"scripts": {"build": "tsc", "start": "node dist/main.js"}}"#;
    let config = r#"{"compilerOptions": {"outDir": "dist", "rootDir": "src", "sourceMap": true,
        "module": "commonjs"}, "include": ["src"]}"#;
    let (dir, caller) = workspace_with(&[
        ("package.json", package),
        ("tsconfig.json", config),
        ("src/main.ts", PROGRAM),
        ("node_modules/.bin/tsc", COMPILER),
    ])
    .await;
    let compiler = dir.path().join("node_modules/.bin/tsc");
    std::fs::set_permissions(compiler, Permissions::from_mode(0o755)).unwrap();
    stage.caller = caller;
    let source = dir.path().join("src/main.ts");
    let at = format!("src/main.ts:{}", marked(&source, "add"));
    let launch = json!({"command": "npm start", "breakpoints": [at], "timeout_s": 50});
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.place(), format!("add  {at}"), "{}", stop.text);
    assert_eq!(stop.local("b"), "2", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
    std::fs::write(&source, PROGRAM.replace("1, 2", "1, 3")).unwrap();
    let stop = stage.call("debug_restart", json!({"timeout_s": 50})).await.good();
    assert_eq!(stop.local("b"), "3", "{}", stop.text);
    stage.resume().await.good().line("□ exited with code 0");
}
