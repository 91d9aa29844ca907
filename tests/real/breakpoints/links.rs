//! Sources with several names, by links to directories.

use serde_json::json;

use crate::real::stage::{Stage, compile, workspace_with};

const PROGRAM: &str = "package main\n\nfunc main() {\n\tn := 5\n\tn += 2\n\tprintln(n)\n}\n";

/// Frames have the name under which the program was compiled; a breakpoint by the other one counts.
pub async fn step_ends_at_a_breakpoint_by_the_name_of_a_link(stage: &mut Stage) {
    let files = [("real/main.go", PROGRAM), ("real/go.mod", "module linked\n\ngo 1.20\n")];
    let (dir, _) = workspace_with(&files).await;
    std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
    stage.start_in(dir.path()).await;
    let launch = json!({
        "program": "real/main.go", "timeout_s": 50,
        "breakpoints": ["link/main.go:4", "link/main.go:5"],
    });
    stage.call("debug_launch", launch).await.good();
    let stop = stage.call("debug_step", json!({})).await.good();
    assert_eq!(stop.reason(), "breakpoint #2", "{}", stop.text);
    let listed = stage.call("debug_breakpoints", json!({})).await.good();
    assert!(listed.line(" #2 ").ends_with(" · 1 hit"), "{}", listed.text);
    stage.resume().await.good().line("□ exited with code 0");
    stage.call("debug_breakpoints", json!({"clear": true})).await.good();
    // A breakpoint that moves leaves those with code where they are.
    let launch = json!({
        "program": "real/main.go", "timeout_s": 50,
        "breakpoints": ["link/main.go:2", "link/main.go:6"],
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #3", "{}", stop.text);
    stop.line("note: link/main.go:2 holds no code; #3 moved to this line");
    assert_eq!(stage.resume().await.good().reason(), "breakpoint #4");
    stage.resume().await.good().line("□ exited with code 0");
}

/// A breakpoint by either name of the file stops, whichever was compiled.
pub async fn breakpoint_by_the_name_of_a_link_stops(stage: &mut Stage) {
    let files = [("real/main.go", PROGRAM), ("real/go.mod", "module linked\n\ngo 1.20\n")];
    let (dir, _) = workspace_with(&files).await;
    std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
    stage.start_in(dir.path()).await;
    for program in ["real", "link"] {
        for name in ["real", "link"] {
            let launch = json!({
                "program": format!("{program}/main.go"), "timeout_s": 50,
                "breakpoints": [format!("{name}/main.go:6")],
            });
            let stop = stage.call("debug_launch", launch).await.good();
            assert!(stop.reason().starts_with("breakpoint #"), "{program} {name}\n{}", stop.text);
            assert_eq!(stop.local("n"), "7");
            stage.call("debug_breakpoints", json!({"clear": true})).await.good();
            stage.resume().await.good().line("□ exited with code 0");
        }
    }
}

const APP: &str = "const { twice } = require('dep');
const { add } = require('./sum');
function main() {
  const total = add(twice(4), 1);
  console.log(total);
}
main();
";
const SUM: &str = "exports.add = function add(a, b) {\n  const sum = a + b;\n  return sum;\n};\n";
const DEP: &str = "exports.twice = function twice(n) {\n  return 2 * n;\n};\n";

/// Node.js loads files by their real names: also packages that are links, as pnpm makes them.
pub async fn breakpoints_of_javascript_by_the_names_of_links_stop(stage: &mut Stage) {
    let package = "node_modules/.pnpm/dep@1.0.0/node_modules/dep/index.js";
    let dep = format!("real/{package}");
    let files = [("real/app.js", APP), ("real/sum.js", SUM), (dep.as_str(), DEP)];
    let (dir, _) = workspace_with(&files).await;
    let root = dir.path();
    std::os::unix::fs::symlink("real", root.join("link")).unwrap();
    let target = ".pnpm/dep@1.0.0/node_modules/dep";
    std::os::unix::fs::symlink(target, root.join("real/node_modules/dep")).unwrap();
    stage.start_in(root).await;
    let launch = json!({
        "program": "link/app.js", "timeout_s": 50,
        "breakpoints": ["real/node_modules/dep/index.js:2", "link/sum.js:2", "real/app.js:5"],
    });
    let stop = stage.call("debug_launch", launch).await.good();
    assert_eq!(stop.reason(), "breakpoint #1", "{}", stop.text);
    stop.says(&format!("#0 twice  real/{package}:2"));
    assert_eq!(stop.local("n"), "4", "{}", stop.text);
    for (number, place) in [(2, "add  real/sum.js:2"), (3, "main  real/app.js:5")] {
        let stop = stage.resume().await.good();
        assert_eq!(stop.reason(), format!("breakpoint #{number}"), "{}", stop.text);
        stop.says(place);
    }
    stage.resume().await.good().line("□ exited with code 0");
}

const C: &str = "#include <stdio.h>
int main(void) {
    int n = 5;
    n += 2;
    printf(\"%d\\n\", n);
}
";
const RUST: &str = "fn main() {
    let mut n = 5;

    n += 2;
    println!(\"{n}\");
}
";

/// By either name of the file, whichever the compiler got.
pub async fn breakpoints_of_machine_code_by_the_names_of_links_stop(stage: &mut Stage) {
    let (file, compiler, text) =
        if stage.language.is_c() { ("main.c", "cc", C) } else { ("main.rs", "rustc", RUST) };
    let real = format!("real/{file}");
    let (dir, _) = workspace_with(&[(real.as_str(), text)]).await;
    let root = dir.path();
    std::os::unix::fs::symlink("real", root.join("link")).unwrap();
    stage.start_in(root).await;
    for compiled in ["real", "link"] {
        compile(
            root,
            compiler,
            &["-g", &format!("{compiled}/{file}"), "-o", compiled_as(compiled)],
        );
        for name in ["real", "link"] {
            let launch = json!({
                "program": compiled_as(compiled), "timeout_s": 50,
                "breakpoints": [format!("{name}/{file}:5")],
            });
            let stop = stage.call("debug_launch", launch).await.good();
            assert!(stop.reason().starts_with("breakpoint #"), "{compiled} {name}\n{}", stop.text);
            assert_eq!(stop.local("n"), "7", "{compiled} {name}");
            let list = stage.call("debug_breakpoints", json!({"clear": true})).await.good();
            list.line("no breakpoints");
            stage.resume().await.good().line("□ exited with code 0");
        }
    }
}

fn compiled_as(name: &str) -> &'static str {
    if name == "real" { "by_name" } else { "by_link" }
}
