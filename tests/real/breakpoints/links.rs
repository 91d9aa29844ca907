//! Sources with several names, by links to directories.

use serde_json::json;

use crate::real::stage::{Stage, workspace_with};

const PROGRAM: &str = "package main\n\nfunc main() {\n\tn := 5\n\tn += 2\n\tprintln(n)\n}\n";

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
