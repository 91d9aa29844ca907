//! The requests of a configuration or compound in `launch.json`.

use std::path::Path;

use serde_json::{Map, Value};

use crate::model::{BreakpointSpec, LaunchRequest};
use crate::plugin::{Catalog, Plugin};
use crate::target::launch_json::{self, File, Overrides, Problem, Read, Remedy, Surroundings};
use crate::target::{Error, foreign_files};

/// A configuration as a request.
pub struct Configured {
    /// What to launch or attach to.
    pub request: LaunchRequest,
    /// Keys of the configuration that were ignored.
    pub ignored: Vec<String>,
}

/// The configuration of this name, or those of the compound of this name in order, with the
/// breakpoints of the call.
pub async fn configured(
    catalog: &Catalog,
    workspace: &Path,
    name: &str,
    overrides: &Overrides,
    breakpoints: &[BreakpointSpec],
) -> Result<Vec<Configured>, Error> {
    let file = File::open(workspace)?;
    let surroundings = Surroundings { workspace, environment: catalog.environment() };
    let candidates = Candidates::of(catalog, overrides.adapter.as_deref()).await?;
    let named = file.named(name)?;
    let mut all = Vec::with_capacity(named.configurations.len());
    for configuration in named.configurations {
        let configuration = launch_json::answered(&configuration, &overrides.inputs);
        let plugin = candidates.plugin(&file, &configuration)?;
        let read = launch_json::request(
            &configuration,
            plugin.manifest(),
            plugin.name(),
            surroundings,
            overrides,
        );
        let Read { request, ignored } =
            read.map_err(|text| problem(&file, &configuration, text, file.remedy(&configuration)))?;
        all.push((plugin.clone(), Configured { request, ignored }));
    }
    if let Some((_, first)) = all.first_mut() {
        first.ignored.extend(named.ignored);
    }
    if all.iter().all(|(_, one)| one.request.attaches())
        && let Some(key) = overrides.of_a_launch().next()
    {
        let text = format!("this attaches to a running program, which takes no `{key}`");
        return Err(file.problem(text, Remedy::Without(key)).into());
    }
    Ok(share(catalog, all, breakpoints).await)
}

/// A problem of one configuration, which its text names.
fn problem(
    file: &File,
    configuration: &Map<String, Value>,
    text: String,
    remedy: Remedy,
) -> Problem {
    file.problem(format!("`{}`: {text}", text_of(configuration, "name")), remedy)
}

fn text_of<'a>(configuration: &'a Map<String, Value>, key: &str) -> &'a str {
    configuration.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Plugins that may debug a configuration.
#[derive(Default)]
struct Candidates {
    plugins: Vec<Plugin>,
    /// Errors of the plugins that cannot be used.
    broken: Vec<String>,
    /// The caller chose the only one.
    is_chosen: bool,
}

impl Candidates {
    /// The plugin that the caller chose, or all.
    async fn of(catalog: &Catalog, adapter: Option<&str>) -> Result<Self, Error> {
        if let Some(adapter) = adapter {
            let plugins = vec![catalog.get(adapter).await?];
            return Ok(Self { plugins, broken: Vec::new(), is_chosen: true });
        }
        let mut candidates = Self::default();
        for plugin in catalog.all().await {
            match plugin {
                Ok(plugin) => candidates.plugins.push(plugin),
                Err(error) => candidates.broken.push(error.to_string()),
            }
        }
        Ok(candidates)
    }

    /// The plugin for the `type` of a configuration.
    fn plugin(&self, file: &File, configuration: &Map<String, Value>) -> Result<&Plugin, Error> {
        let wanted = text_of(configuration, "type");
        let mut known = Vec::new();
        for plugin in &self.plugins {
            let types = &plugin.manifest().configurations.types;
            if self.is_chosen || types.iter().any(|one| one == wanted) {
                return Ok(plugin);
            }
            known.extend(types.iter().cloned());
        }
        known.extend(self.broken.iter().cloned());
        let text = format!("no adapter is of type `{wanted}`; there are {}", known.join(", "));
        Err(problem(file, configuration, text, Remedy::File).into())
    }
}

/// Gives each request the breakpoints, except those that its adapter leaves to another one of them.
async fn share(
    catalog: &Catalog,
    all: Vec<(Plugin, Configured)>,
    breakpoints: &[BreakpointSpec],
) -> Vec<Configured> {
    let mut foreign = Vec::with_capacity(all.len());
    for (plugin, _) in &all {
        foreign.push(foreign_files(catalog, plugin).await);
    }
    let mut shared = Vec::with_capacity(all.len());
    for (own, (_, mut one)) in foreign.iter().zip(all) {
        for spec in breakpoints {
            let taken = foreign.iter().any(|other| other.leaves(&spec.place).is_none());
            if own.leaves(&spec.place).is_none() || !taken {
                one.request.breakpoints.push(spec.clone());
            }
        }
        shared.push(one);
    }
    shared
}
