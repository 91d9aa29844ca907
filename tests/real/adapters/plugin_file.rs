//! A plugin that is not built in: the same component loaded from another directory by its path.

use std::path::Path;

use serde_json::json;

use crate::caller::{Caller, Start, adapters_config};
use crate::real::Stage;

/// The component as the host's build compiled it before embedding it.
fn component(name: &str) -> std::path::PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_dapdock")).ancestors().nth(2).unwrap();
    target
        .join("plugins/wasm32-wasip2/plugin")
        .join(format!("dapdock_{}.wasm", name.replace('-', "_")))
}

/// It debugs like the built-in one, and the file is really used: once it is empty the launch fails.
pub async fn plugin_loaded_from_a_file(stage: &mut Stage) {
    let dir = tempfile::tempdir().unwrap();
    let (name, moved) = (stage.language.adapter(), dir.path().join("moved.wasm"));
    std::fs::copy(component(name), &moved).unwrap();
    let tools = std::fs::read_to_string(adapters_config()).unwrap();
    let config = dir.path().join("dapdock.toml");
    std::fs::write(&config, format!("{tools}\n[adapters.{name}]\nplugin = \"moved.wasm\"\n"))
        .unwrap();
    let start = || Start { config: config.clone(), ..Start::structured() };
    stage.caller = Caller::start(start()).await;
    let stop = stage.launch("cart", json!({"breakpoints": [stage.at("cart", "tax")]})).await.good();
    stage.assert_stop(&stop, "cart", "tax", "tax");
    assert_eq!(stop.local("rate"), "7");
    stage.call("debug_stop", json!({})).await.good();
    std::fs::write(&moved, "").unwrap();
    stage.caller = Caller::start(start()).await;
    let refused = stage.launch("cart", json!({"adapter": name})).await;
    assert!(refused.is_error, "{}", refused.text);
    refused.says(&format!("{name}: not a component: an empty file"));
}
