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
    /// Names of its documents.
    pub documents: Vec<String>,
    /// The state of its program, or the reason why its plugin cannot be used.
    pub standing: Result<Standing, String>,
}

/// All adapters, sorted by name.
pub async fn adapters(catalog: &Catalog) -> Vec<AdapterInfo> {
    let plugins = catalog.all().await;
    catalog.names().zip(plugins).map(|(name, plugin)| info(name, plugin)).collect()
}

/// A document of an adapter, as Markdown.
///
/// # Errors
/// There is no such adapter or document, or the plugin cannot be used.
pub async fn document(catalog: &Catalog, adapter: &str, name: &str) -> Result<String, NoDocument> {
    let plugin = catalog.get(adapter).await.map_err(|error| NoDocument(error.to_string()))?;
    let found = plugin.manifest().documents.iter().find(|document| document.name == name);
    found.map(|document| document.text.clone()).ok_or_else(|| {
        let known = documents(&plugin);
        if known.is_empty() {
            return NoDocument(format!("{adapter} has no documents"));
        }
        NoDocument(format!("{adapter} has no document `{name}`; there are: {}", known.join(", ")))
    })
}

/// Why there is no document, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoDocument(String);

fn documents(plugin: &Plugin) -> Vec<String> {
    plugin.manifest().documents.iter().map(|document| document.name.clone()).collect()
}

fn info(name: &str, plugin: Result<Plugin, plugin::Error>) -> AdapterInfo {
    match plugin {
        Ok(plugin) => AdapterInfo {
            name: name.to_owned(),
            title: plugin.manifest().title.clone(),
            languages: plugin.languages().map(|language| language.name.clone()).collect(),
            documents: documents(&plugin),
            standing: Ok(provision::standing(&plugin)),
        },
        Err(error) => AdapterInfo {
            name: name.to_owned(),
            title: String::new(),
            languages: Vec::new(),
            documents: Vec::new(),
            standing: Err(error.to_string()),
        },
    }
}
