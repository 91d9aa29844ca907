//! A project of files, and a bundled plugin whose tools are scripts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dapdock::limits::Limits;
use dapdock::model::plan::{LaunchPlan, Request, Resolution};
use dapdock::plugin::ToolPath;
use dapdock::plugin::{Adapter, Catalog, Engine, Error, Options, Plugin, Source, Workspace};
use dapdock::process::{GuardProgram, Owner};
use serde_json::json;

use super::script;

pub struct Project {
    pub dir: tempfile::TempDir,
    pub plugin: Plugin,
    pub workspace: Workspace,
}

/// The parts of a project.
pub struct Parts<'a> {
    /// The plugin's name, with `_` for `-`.
    pub plugin: &'a str,
    /// Name and text.
    pub files: &'a [(&'a str, &'a str)],
    /// Tools in the project's directory.
    pub tools: &'a [&'a str],
    /// The shell script that each tool runs.
    pub script: &'a str,
}

impl Project {
    pub async fn of(parts: Parts<'_>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (name, text) in parts.files {
            std::fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            std::fs::write(root.join(name), text).unwrap();
        }
        let tool = |name: &&str| ((*name).to_owned(), ToolPath::from(root.join(name)));
        let tools: BTreeMap<_, _> = parts.tools.iter().map(tool).collect();
        tools
            .values()
            .for_each(|tool| script(&tool.path, &format!("#!/bin/sh\n{}\n", parts.script)));
        let limits = Arc::new(Limits::default());
        let guard = GuardProgram {
            program: env!("CARGO_BIN_EXE_dapdock").into(),
            args: vec!["guard".into()],
        };
        let (owner, env) = (Owner::with_guard(limits.clone(), guard), BTreeMap::new());
        let options = Options { cache: None, limits, owner, env, tools, adapters: None };
        let source = Source::File(bundled(parts.plugin));
        let adapter = Adapter { source, languages: Vec::new(), settings: json!({}) };
        let catalog = Catalog::new(Engine::new(options), [("its".to_owned(), adapter)].into());
        Self { plugin: catalog.get("its").await.unwrap(), workspace: Workspace::at(root), dir }
    }

    pub async fn resolve(&self, request: &Request) -> Result<Resolution, Error> {
        self.plugin.resolve(&self.workspace, request).await
    }

    pub async fn plan(&self, request: &Request) -> Result<LaunchPlan, Error> {
        match self.resolve(request).await? {
            Resolution::Ready(plan) => Ok(*plan),
            Resolution::Build(build) => panic!("{build:?}"),
        }
    }
}

/// A plugin built by `host/build.rs`.
pub fn bundled(name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_dapdock")).parent().unwrap().parent().unwrap();
    target.join(format!("plugins/wasm32-wasip2/plugin/dapdock_{name}.wasm"))
}
