//! Which adapter debugs a target when the one that claims it is too old or missing.

use serde_json::json;

use crate::caller::{Caller, Start};
use crate::real::stage::{Language, Stage};

const SOURCE: &str = "#include <stdio.h>\n\nint main(void) {\n    int total = 42;\n    \
    printf(\"%d\\n\", total);\n}\n";

/// A source file and a built program go to the other adapter for the language, and the status lists
/// the old one as too old.
pub async fn other_adapter_replaces_a_too_old_gdb(stage: &mut Stage) {
    let Some(codelldb) = Language::Rust.tool_path() else { return };
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.c"), SOURCE).unwrap();
    let (gdb, config) = (dir.path().join("gdb"), dir.path().join("dapdock.toml"));
    crate::plugin::script(&gdb, "#!/bin/sh\necho 'GNU gdb (Debian 13.1-3) 13.1'\n");
    let tools = format!("[tools.codelldb]\npath = {codelldb:?}\n");
    std::fs::write(&config, format!("{tools}[tools.gdb]\npath = {gdb:?}\n")).unwrap();
    stage.caller =
        Caller::start(Start { cwd: dir.path().to_owned(), config, ..Start::structured() }).await;
    let launch = json!({"program": "a.c", "breakpoints": ["a.c:5"], "timeout_s": 50});
    let stop = stage.caller.call("debug_launch", launch.clone()).await.good();
    stop.says(" · codelldb-1 · ");
    assert_eq!(stop.local("total"), "42");
    stage.caller.call("debug_stop", json!({})).await.good();
    let known = stage.caller.call("debug_status", json!({"detail": "adapters"})).await.good();
    assert!(
        known
            .line("gdb · ")
            .contains(&format!(" · too old (13.1) {} · install gdb 16", gdb.display()))
    );
    let named = json!({"program": "a.c", "adapter": "gdb", "timeout_s": 50});
    let refused = stage.caller.call("debug_launch", named).await;
    assert!(
        refused
            .text
            .starts_with("error[tool-too-old] gdb 13.1 has no debug adapter. Try: install gdb 16")
    );
}

/// Without another adapter the error first names the command that installs one, then the upgrade.
pub async fn too_old_gdb_names_the_install_of_another_adapter(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.c"), SOURCE).unwrap();
    let (gdb, config) = (dir.path().join("gdb"), dir.path().join("dapdock.toml"));
    crate::plugin::script(&gdb, "#!/bin/sh\necho 'GNU gdb (Debian 13.1-3) 13.1'\n");
    std::fs::write(&config, format!("[tools.gdb]\npath = {gdb:?}\n")).unwrap();
    stage.caller =
        Caller::start(Start { cwd: dir.path().to_owned(), config, ..Start::structured() }).await;
    let install = "`dapdock adapters install codelldb`, which debugs it too; or install gdb 16 or \
        newer with Python (14 \
                   at least), or name it in [tools.gdb] path";
    let refused = stage.caller.call("debug_launch", json!({"program": "a.c"})).await;
    refused.fails(&format!("error[tool-too-old] gdb 13.1 has no debug adapter. Try: {install}"));
}
