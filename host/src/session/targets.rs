//! What can be debugged in a workspace: every plugin's word, side by side.
//!
//! Refuses to know how a program or a test is found.

use std::path::PathBuf;

use futures_util::future::join_all;

use super::{Error, Sessions};
use crate::model::plan::{Target, TargetQuery};
use crate::plugin::{Plugin, Workspace};

/// What the adapters know to debug here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Each with the adapter that debugs it.
    pub found: Vec<(String, Target)>,
    /// Adapters that could not tell, and why.
    pub failed: Vec<(String, String)>,
}

impl Sessions {
    /// Programs and tests of the workspace, at most `query.limit` of each adapter. One that several adapters debug is
    /// told once.
    pub async fn targets(&self, workspace: PathBuf, query: &TargetQuery) -> Result<Targets, Error> {
        let plugins = self.catalog()?.all().await;
        let workspace = Workspace::at(workspace);
        let ask = |plugin: Plugin| {
            let workspace = &workspace;
            async move { (plugin.name().to_owned(), plugin.targets(workspace, query).await) }
        };
        let mut targets = Targets::default();
        let (names, mut sound) = (self.catalog()?.names(), Vec::new());
        for (name, plugin) in names.zip(plugins) {
            match plugin {
                Ok(plugin) => sound.push(plugin),
                Err(error) => targets.failed.push((name.to_owned(), error.to_string())),
            }
        }
        for (adapter, answer) in join_all(sound.into_iter().map(ask)).await {
            match answer {
                Ok(found) => targets.add(&adapter, found),
                Err(error) => targets.failed.push((adapter, error.to_string())),
            }
        }
        Ok(targets)
    }
}

impl Targets {
    fn add(&mut self, adapter: &str, found: Vec<Target>) {
        for target in found {
            let known = |(_, one): &(String, Target)| one.kind == target.kind && one.id == target.id;
            if !self.found.iter().any(known) {
                self.found.push((adapter.to_owned(), target));
            }
        }
    }
}
