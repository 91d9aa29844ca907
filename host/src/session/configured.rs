//! Launching what a project's `launch.json` names.

use std::path::Path;

use super::{Error, Sessions};
use crate::launch_json::{self, File, Read, Stronger};
use crate::model::LaunchRequest;
use crate::plugin::Plugin;

/// A configuration as a request, with what is to be told about it.
pub struct Configured {
    /// What to launch or attach to.
    pub request: LaunchRequest,
    /// Keys of the configuration that were not heeded.
    pub ignored: Vec<String>,
}

impl Sessions {
    /// The configuration of this name, or those of the compound, in order.
    pub async fn configured(
        &self,
        workspace: &Path,
        name: &str,
        stronger: &Stronger,
    ) -> Result<Vec<Configured>, Error> {
        let file = File::open(workspace).map_err(Error::Configuration)?;
        let (mut plugins, mut broken) = (Vec::new(), Vec::new());
        match &stronger.adapter {
            Some(adapter) => plugins.push(self.catalog()?.get(adapter).await?),
            None => {
                for plugin in self.catalog()?.all().await {
                    match plugin {
                        Ok(plugin) => plugins.push(plugin),
                        Err(error) => broken.push(error.to_string()),
                    }
                }
            }
        }
        let types = |plugin: &Plugin| plugin.manifest().configurations.types.clone();
        let mut all = Vec::new();
        for configuration in file.named(name).map_err(Error::Configuration)? {
            let text = |key: &str| configuration.get(key).and_then(|text| text.as_str()).unwrap_or_default();
            let fail = |problem: String| {
                let problem = format!("`{}`: {problem}", text("name"));
                Error::Configuration(file.problem(problem, Some(name)))
            };
            let kind = text("type");
            let is_of = |plugin: &&Plugin| stronger.adapter.is_some() || types(plugin).iter().any(|one| one == kind);
            let Some(plugin) = plugins.iter().find(is_of) else {
                let mut known: Vec<String> = plugins.iter().flat_map(types).collect();
                known.append(&mut broken);
                return Err(fail(format!("no adapter is of type `{kind}`; there are {}", known.join(", "))));
            };
            let read = launch_json::request(&configuration, plugin.manifest(), plugin.name(), workspace, stronger);
            let Read { request, ignored } = read.map_err(fail)?;
            all.push(Configured { request, ignored });
        }
        Ok(all)
    }
}
