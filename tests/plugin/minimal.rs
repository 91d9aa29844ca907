//! The smallest plugin, selected by path as `plugins/README.md` says.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use dapdock::config::{Config, Places};
use dapdock::limits::Limits;
use dapdock::model::plan::{Piece, Request, Resolution, TargetRef, Transport};
use dapdock::plugin::{Catalog, Engine, Options, Workspace};
use dapdock::process::Owner;
use serde_json::json;

use super::{component, script};

const GUIDE: &str = include_str!("../../plugins/README.md");

/// The guide's only configuration, with paths that exist here.
fn guides_config(plugin: &Path, adapter: &Path) -> String {
    let (_, block) = GUIDE.split_once("```toml\n").unwrap();
    let (text, _) = block.split_once("```").unwrap();
    let text =
        text.replace("target/wasm32-wasip2/release/my_plugin.wasm", &plugin.display().to_string());
    text.replace("/opt/lua/bin/lua-dap", &adapter.display().to_string())
}

#[tokio::test]
async fn one_page_plugin_is_selected_by_path_and_returns_a_plan() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let (file, adapter) = (root.join("dapdock.toml"), root.join("lua-dap"));
    script(&adapter, "#!/bin/sh\n");
    std::fs::write(&file, guides_config(&component("minimal"), &adapter)).unwrap();
    let config = Config::load(&Places { named: Some(file), ..Places::default() }, &[]).unwrap();

    let limits = Arc::new(Limits::default());
    let owner = Owner::new(limits.clone());
    let options = Options {
        cache: None,
        limits,
        owner,
        env: BTreeMap::new(),
        tools: config.tools,
        adapters: None,
    };
    let plugin = Catalog::new(Engine::new(options), config.adapters).get("lua").await.unwrap();
    let target = Some(TargetRef::Path("/w/main.lua".into()));
    let request = Request { target, options: json!({}), ..Request::default() };
    let resolution = plugin.resolve(&Workspace::at(&root), &request).await.unwrap();

    let Resolution::Ready(plan) = resolution else { panic!("{resolution:?}") };
    let [spawn] = &plan.processes[..] else { panic!("{:?}", plan.processes) };
    assert_eq!(spawn.command.program, adapter);
    assert_eq!(spawn.command.args, [[Piece::Text("--stdio".into())]]);
    assert_eq!(plan.transport, Transport::Stdio);
    let expected = json!({
        "request": "launch", "program": "/w/main.lua", "args": [], "cwd": root,
        "stopOnEntry": false, "version": "5.1",
    });
    assert_eq!(plan.arguments, expected);
}

#[test]
fn guide_shows_the_tested_plugin() {
    let whole = include_str!("../guests/examples/minimal.rs");
    let (_, code) = whole.split_once("use dapdock_plugin::prelude").unwrap();
    let code = format!("use dapdock_plugin::prelude{code}");
    assert!(
        GUIDE.contains(&format!("```rust\n{code}```")),
        "plugins/README.md differs from the example"
    );
    assert!(whole.lines().count() < 75);
}
