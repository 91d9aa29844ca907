//! The order in which a plugin's tool is searched: configuration, pinned install, PATH.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use dapdock::limits::Limits;
use dapdock::model::plan::{Request, Resolution, TargetRef};
use dapdock::plugin::{
    Adapter, Catalog, Engine, Options, Origin, Plugin, Source, Workspace, installs,
};
use dapdock::process::Owner;
use serde_json::json;

use crate::plugin::script;

/// The Go plugin with `dlv` in these places below `dir`.
async fn plugin(dir: &Path, configured: bool) -> Plugin {
    let tools: BTreeMap<String, dapdock::plugin::ToolPath> = configured
        .then(|| ("dlv".to_owned(), dir.join("configured/dlv").into()))
        .into_iter()
        .collect();
    let env = [("PATH".to_owned(), dir.join("path").display().to_string())].into();
    let limits = Arc::new(Limits::default());
    let owner = Owner::new(limits.clone());
    let options =
        Options { cache: None, limits, owner, env, tools, adapters: Some(dir.join("installs")) };
    let source = Source::File(crate::plugin::bundled("delve"));
    let adapter = Adapter { source, languages: Vec::new(), settings: json!({}) };
    Catalog::new(Engine::new(options), [("go".to_owned(), adapter)].into()).get("go").await.unwrap()
}

fn program(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    script(path, "#!/bin/sh\n");
}

/// The program a session would run as the adapter, or the hint of the error.
async fn run(plugin: &Plugin, dir: &Path) -> String {
    let request = Request { target: Some(TargetRef::Pid(1)), ..Request::default() };
    match plugin.resolve(&Workspace::at(dir), &request).await {
        Ok(Resolution::Ready(plan)) => {
            let spawn = &plan.processes[0];
            spawn.command.program.strip_prefix(dir).unwrap().display().to_string()
        }
        Ok(other) => panic!("{other:?}"),
        Err(error) => error.refusal().unwrap().hint.clone().unwrap(),
    }
}

#[tokio::test]
async fn configuration_comes_before_installs_and_path() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().canonicalize().unwrap();
    let go = plugin(&dir, false).await;
    assert_eq!(
        run(&go, &dir).await,
        "dapdock adapters install go",
        "by the name that the user knows"
    );
    assert_eq!(go.tool("dlv"), None);

    program(&dir.join("path/dlv"));
    assert_eq!(run(&go, &dir).await, "path/dlv");
    assert_eq!(go.tool("dlv").unwrap().1, Origin::Path);

    let install = &go.manifest().installs[0];
    let place = installs::place(&dir.join("installs"), go.manifest(), install);
    program(&place.join(&install.path));
    let installed = place.strip_prefix(&dir).unwrap().join("bin/dlv");
    assert_eq!(run(&go, &dir).await, installed.display().to_string());
    assert_eq!(go.tool("dlv").unwrap().1, Origin::Installed);

    program(&dir.join("configured/dlv"));
    let go = plugin(&dir, true).await;
    assert_eq!(run(&go, &dir).await, "configured/dlv");
    assert_eq!(go.tool("dlv").unwrap().1, Origin::Configured);
}

/// An install of another pin was not tested with this version.
#[tokio::test]
async fn install_of_another_pin_is_not_used() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path().canonicalize().unwrap();
    let go = plugin(&dir, false).await;
    let install = &go.manifest().installs[0];
    let place = installs::place(&dir.join("installs"), go.manifest(), install);
    program(&place.with_file_name("1.27.2-00000000").join(&install.path));
    assert_eq!(go.tool("dlv"), None);
}
