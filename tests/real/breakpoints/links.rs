//! Sources with several names, by links to directories.

use serde_json::json;

use crate::real::stage::{Stage, workspace_with};

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
