//! What the gdb plugin makes of a request, with every version of gdb that differs.

use std::collections::BTreeMap;
use std::sync::Arc;

use dapdock::limits::Limits;
use dapdock::model::plan::{LaunchPlan, Piece, Request, RequestKind, Resolution, Step, TargetRef, Transport};
use dapdock::plugin::{Adapter, Catalog, Engine, Error, Options, Plugin, Source, Workspace};
use dapdock::process::{GuardProgram, Owner};
use dapdock_schema::LaunchOrder;
use serde_json::json;

use super::delve::bundled;
use super::script;

/// A project with a program, and the plugin with a gdb of its own.
struct Project {
    _dir: tempfile::TempDir,
    plugin: Plugin,
    workspace: Workspace,
}

impl Project {
    async fn with(version: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::write(root.join("core"), "").unwrap();
        let tools: BTreeMap<String, dapdock::config::ToolPath> =
            ["gdb", "gcc", "app"].map(|name| (name.to_owned(), root.join(name).into())).into();
        tools.values().for_each(|tool| script(&tool.path, &format!("#!/bin/sh\necho 'GNU gdb (GDB) {version}'\n")));
        let limits = Arc::new(Limits::default());
        let guard = GuardProgram { program: env!("CARGO_BIN_EXE_dapdock").into(), args: vec!["guard".into()] };
        let (owner, env) = (Owner::with_guard(limits.clone(), guard), BTreeMap::new());
        let options = Options { cache: None, limits, owner, env, tools, adapters: None };
        let adapter = Adapter { source: Source::File(bundled("gdb")), languages: Vec::new(), settings: json!({}) };
        let plugin = Catalog::new(Engine::new(options), [("gdb".to_owned(), adapter)].into()).get("gdb").await;
        Self { plugin: plugin.unwrap(), workspace: Workspace::trusted(root), _dir: dir }
    }

    async fn plan(&self, request: &Request) -> Result<LaunchPlan, Error> {
        match self.plugin.resolve(&self.workspace, request).await? {
            Resolution::Ready(plan) => Ok(*plan),
            Resolution::Build(build) => panic!("{build:?}"),
        }
    }
}

fn app() -> Request {
    Request { target: Some(TargetRef::Path("app".into())), args: vec!["a b".into()], ..Request::default() }
}

fn message(error: &Error) -> &str {
    &error.refusal().unwrap().message
}

#[tokio::test]
async fn each_version_is_launched_when_it_listens() {
    for (version, order) in [
        ("14.2", LaunchOrder::First),
        ("15.0.50.20240403-git", LaunchOrder::AfterConfiguration),
        ("16.3", LaunchOrder::First),
        ("18.1", LaunchOrder::First),
    ] {
        let project = Project::with(version).await;
        let plan = project.plan(&app()).await.unwrap();
        assert_eq!(plan.profile.launch, order, "{version}");
        let elsewhere = dapdock_schema::Profile { launch: LaunchOrder::First, ..plan.profile };
        assert_eq!(elsewhere, project.plugin.manifest().profile, "{version}: nothing else differs");
    }
    let refused = Project::with("13.1").await.plan(&app()).await.unwrap_err();
    assert_eq!(message(&refused), "gdb 13.1 has no debug adapter");
}

#[tokio::test]
async fn the_environment_is_the_programs_and_not_gdbs() {
    let project = Project::with("18.1").await;
    let set = ("PYTHONPATH".to_owned(), Some("x \"y\"\n".to_owned()));
    let request = Request { env: vec![set, ("HOME".into(), None)], ..app() };
    let plan = project.plan(&request).await.unwrap();
    let [Step::Spawn(spawn)] = &plan.steps[..] else { panic!("{:?}", plan.steps) };
    assert_eq!((&spawn.command.env[..], &plan.transport), (&[][..], &Transport::Stdio));
    assert_eq!(spawn.command.args[..4].concat(), ["-q", "-nx", "-i", "dap"].map(|word| Piece::Text(word.into())));
    let last = spawn.command.args.last().unwrap();
    assert_eq!(last[..], [Piece::Text("source ".into()), Piece::Asset("session.py".into())]);
    let expected = json!({
        "program": project.workspace.root.join("app"), "args": ["a b"], "cwd": project.workspace.root,
        "stopAtBeginningOfMainSubprogram": false,
    });
    assert_eq!(plan.arguments, expected);
    let text = String::from_utf8(plan.assets[0].content.clone()).unwrap();
    let settings = text.lines().find_map(|line| line.strip_prefix("settings = json.loads(")?.strip_suffix(')'));
    let settings: String = serde_json::from_str(settings.unwrap()).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    assert_eq!(settings["env"], json!([["PYTHONPATH", "x \"y\"\n"], ["HOME", null]]));
    assert_eq!((&settings["terminal"], &settings["core"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn processes_stubs_and_cores_are_attached_to() {
    let new = Project::with("18.1").await;
    let root = new.workspace.root.clone();
    let plan = new.plan(&Request { target: Some(TargetRef::Pid(41)), ..Request::default() }).await.unwrap();
    assert_eq!((plan.request, plan.arguments), (RequestKind::Attach, json!({"pid": 41})));
    let address = Some(TargetRef::Address("10.0.0.1".into(), 4000));
    let remote = Request { target: address, options: json!({"program": "app"}), ..Request::default() };
    let plan = new.plan(&remote).await.unwrap();
    assert_eq!(plan.arguments, json!({"target": "10.0.0.1:4000", "program": root.join("app")}));
    let core = Request { options: json!({"core": "core"}), ..app() };
    let plan = new.plan(&core).await.unwrap();
    assert_eq!(plan.arguments, json!({"program": root.join("app"), "coreFile": root.join("core")}));
    assert!(plan.profile.stops.iter().all(|rule| !rule.resume), "a core file does not run on");
    let old = Project::with("16.3").await;
    let root = old.workspace.root.clone();
    let target = format!("core:{}", root.join("core").display());
    assert_eq!(old.plan(&core).await.unwrap().arguments, json!({"program": root.join("app"), "target": target}));
    let oldest = Project::with("14.2").await;
    for request in [Request { target: Some(TargetRef::Pid(41)), ..Request::default() }, core] {
        let refused = oldest.plan(&request).await.unwrap_err();
        assert_eq!(message(&refused), "gdb 14 does not tell that it has attached");
    }
}
