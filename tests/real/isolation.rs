//! Where a debugger starts: in no folder of the project.

use std::path::Path;

use serde_json::json;

use super::Stage;

/// Nothing of the project is in the adapter's working directory.
pub async fn adapter_starts_in_a_neutral_folder(stage: &mut Stage) {
    let at = stage.at("cart", "tax");
    let stop = stage.launch("cart", json!({"breakpoints": [at]})).await.good();
    stop.line("■ stopped ");
    let adapter = stage.caller.mark.adapter();
    let folder = std::fs::read_link(format!("/proc/{adapter}/cwd")).unwrap();
    assert_eq!(folder, Path::new("/"));
}
