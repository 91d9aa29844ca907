//! The adapters of the configuration, as callers see them.

use crate::plugin::{self, Catalog, Plugin};
use crate::provision::{self, Standing};

/// An adapter of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterInfo {
    /// The name that `adapter` takes.
    pub name: String,
    /// The title for people; empty if the plugin cannot be used.
    pub title: String,
    /// The languages that it debugs.
    pub languages: Vec<String>,
    /// The state of its program, or the reason why its plugin cannot be used.
    pub standing: Result<Standing, String>,
}

/// All adapters, sorted by name.
pub async fn adapters(catalog: &Catalog) -> Vec<AdapterInfo> {
    let plugins = catalog.all().await;
    catalog.names().zip(plugins).map(|(name, plugin)| info(name, plugin)).collect()
}

fn info(name: &str, plugin: Result<Plugin, plugin::Error>) -> AdapterInfo {
    match plugin {
        Ok(plugin) => AdapterInfo {
            name: name.to_owned(),
            title: plugin.manifest().title.clone(),
            languages: plugin.languages().map(|language| language.name.clone()).collect(),
            standing: Ok(provision::standing(&plugin)),
        },
        Err(error) => AdapterInfo {
            name: name.to_owned(),
            title: String::new(),
            languages: Vec::new(),
            standing: Err(error.to_string()),
        },
    }
}
