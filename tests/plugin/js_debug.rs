//! What the JavaScript plugin makes of a request, with tools that do nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use dapdock::limits::Limits;
use dapdock::model::plan::{
    Endpoint, LaunchPlan, Piece, Port, ReadyOutput, Request, Resolution, Step, TargetRef, Transport,
};
use dapdock::plugin::{Adapter, Catalog, Engine, Options, Plugin, Source, Workspace};
use dapdock::process::Owner;
use serde_json::json;

use super::delve::bundled;
use super::script;

/// A project with a program, and the plugin with a node of its own.
struct Project {
    _dir: tempfile::TempDir,
    plugin: Plugin,
    workspace: Workspace,
}

impl Project {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::write(root.join("app.js"), "").unwrap();
        let tools: BTreeMap<String, dapdock::config::ToolPath> =
            ["js-debug", "node", "sh"].map(|name| (name.to_owned(), root.join(name).into())).into();
        tools.values().for_each(|tool| script(&tool.path, "#!/bin/sh\n"));
        let limits = Arc::new(Limits::default());
        let (owner, env) = (Owner::new(limits.clone()), BTreeMap::new());
        let options = Options { cache: None, limits, owner, env, tools, adapters: None };
        let source = Source::File(bundled("js_debug"));
        let adapter = Adapter { source, languages: Vec::new(), settings: json!({}) };
        let catalog = Catalog::new(Engine::new(options), [("js-debug".to_owned(), adapter)].into());
        Self { plugin: catalog.get("js-debug").await.unwrap(), workspace: Workspace::trusted(root), _dir: dir }
    }

    async fn plan(&self, target: TargetRef) -> LaunchPlan {
        let request = Request { target: Some(target), ..Request::default() };
        match self.plugin.resolve(&self.workspace, &request).await.unwrap() {
            Resolution::Ready(plan) => *plan,
            Resolution::Build(build) => panic!("{build:?}"),
        }
    }
}

/// A port that was free a moment ago may be another adapter's by now, which then answers in its place.
#[tokio::test]
async fn the_server_chooses_its_port_itself() {
    let project = Project::new().await;
    for target in [TargetRef::Path("app.js".into()), TargetRef::Address("127.0.0.1".into(), 9229)] {
        let plan = project.plan(target).await;
        let [Step::Spawn(server)] = &plan.steps[..] else { panic!("{:?}", plan.steps) };
        let word = |text: &str| vec![Piece::Text(text.into())];
        assert_eq!(server.command.args[1..], [word("0"), word("127.0.0.1")]);
        let ready = server.ready.as_ref().unwrap();
        assert_eq!(ready.output, ReadyOutput::Stdout);
        let told = regex::Regex::new(&ready.pattern).unwrap();
        let port = |line| Some(told.captures(line)?.name("dap")?.as_str().to_owned());
        assert_eq!(port("Debug server listening at 127.0.0.1:4711").as_deref(), Some("4711"));
        let endpoint = Endpoint { host: "127.0.0.1".into(), port: Port::Value("dap".into()) };
        assert_eq!(plan.transport, Transport::Connect(endpoint));
    }
}
