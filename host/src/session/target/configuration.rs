//! Launching what a project's `launch.json` names.

use std::path::Path;

use crate::model::{BreakpointSpec, LaunchRequest};
use crate::plugin::Plugin;
use crate::session::breakpoints::Territory;
use crate::session::{Error, Sessions, target::choose};
use crate::target::launch_json::{self, File, Read, Remedy, Stronger};

/// A configuration as a request, with what is to be told about it.
pub struct Configured {
    /// What to launch or attach to.
    pub request: LaunchRequest,
    /// Keys of the configuration that were not heeded.
    pub ignored: Vec<String>,
}

impl Sessions {
    /// The configuration of this name, or those of the compound, in order, with the call's
    /// breakpoints.
    pub async fn configured(
        &self,
        workspace: &Path,
        name: &str,
        stronger: &Stronger,
        breakpoints: &[BreakpointSpec],
    ) -> Result<Vec<Configured>, Error> {
        let file = File::open(workspace).map_err(Error::Configuration)?;
        let Known { plugins, broken } = self.known(stronger.adapter.as_deref()).await?;
        let types = |plugin: &Plugin| plugin.manifest().configurations.types.clone();
        let named = file.named(name).map_err(Error::Configuration)?;
        let mut all = Vec::with_capacity(named.configurations.len());
        for configuration in named.configurations {
            let configuration = launch_json::answered(&configuration, &stronger.inputs);
            let text = |key: &str| {
                configuration.get(key).and_then(|text| text.as_str()).unwrap_or_default()
            };
            let fail = |problem: String, remedy| {
                Error::Configuration(file.problem(format!("`{}`: {problem}", text("name")), remedy))
            };
            let kind = text("type");
            let is_of = |plugin: &&Plugin| {
                stronger.adapter.is_some() || types(plugin).iter().any(|one| one == kind)
            };
            let Some(plugin) = plugins.iter().find(is_of) else {
                let mut known: Vec<String> = plugins.iter().flat_map(types).collect();
                known.extend(broken);
                let problem =
                    format!("no adapter is of type `{kind}`; there are {}", known.join(", "));
                return Err(fail(problem, Remedy::File));
            };
            let read = launch_json::request(
                &configuration,
                plugin.manifest(),
                plugin.name(),
                workspace,
                stronger,
            );
            let Read { request, ignored } =
                read.map_err(|problem| fail(problem, file.remedy(&configuration)))?;
            all.push((plugin.clone(), Configured { request, ignored }));
        }
        if let Some((_, first)) = all.first_mut() {
            first.ignored.extend(named.ignored);
        }
        if all.iter().all(|(_, one)| one.request.attaches())
            && let Some(key) = stronger.of_a_launch().next()
        {
            let problem = format!("this attaches to a program that runs, which takes no `{key}`");
            return Err(Error::Configuration(file.problem(problem, Remedy::Without(key))));
        }
        self.share(all, breakpoints).await
    }

    /// The adapter of this name, or all, and those that cannot be used.
    async fn known(&self, adapter: Option<&str>) -> Result<Known, Error> {
        let catalog = self.catalog()?;
        if let Some(adapter) = adapter {
            return Ok(Known { plugins: vec![catalog.get(adapter).await?], broken: Vec::new() });
        }
        let mut known = Known::default();
        for plugin in catalog.all().await {
            match plugin {
                Ok(plugin) => known.plugins.push(plugin),
                Err(error) => known.broken.push(error.to_string()),
            }
        }
        Ok(known)
    }

    /// Gives each the breakpoints, without those that it leaves to another of them.
    async fn share(
        &self,
        all: Vec<(Plugin, Configured)>,
        breakpoints: &[BreakpointSpec],
    ) -> Result<Vec<Configured>, Error> {
        let mut territories = Vec::with_capacity(all.len());
        for (plugin, _) in &all {
            territories.push(choose::territory(self.catalog()?, plugin).await);
        }
        let taken = |spec: &BreakpointSpec| {
            territories.iter().any(|territory| territory.leaves(&spec.place).is_none())
        };
        let give = |(territory, (_, mut one)): (&Territory, (Plugin, Configured))| {
            let mine =
                |spec: &&BreakpointSpec| territory.leaves(&spec.place).is_none() || !taken(spec);
            one.request.breakpoints = breakpoints.iter().filter(mine).cloned().collect();
            one
        };
        Ok(territories.iter().zip(all).map(give).collect())
    }
}

/// Adapters of the configuration.
#[derive(Default)]
struct Known {
    plugins: Vec<Plugin>,
    /// Why others cannot be used.
    broken: Vec<String>,
}
