//! The adapters of the configuration, each loaded at its first use, and again if its file changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::Value;
use tokio::sync::Mutex;

use super::error::{Cause, Error};
use crate::file;
use crate::near::nearest;
use crate::plugin::engine::component::{Bundled, Wasm};
use crate::plugin::engine::loader;
use crate::plugin::engine::runtime::Engine;
use crate::plugin::{Inner, Plugin, answer::schema};

/// Where a plugin's component comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Part of this binary.
    Bundled(&'static Bundled),
    /// A file.
    File(PathBuf),
}

/// One `[adapters.NAME]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Adapter {
    /// Its plugin.
    pub source: Source,
    /// Narrows the languages of the manifest; empty: all of them.
    pub languages: Vec<String>,
    /// `[adapters.NAME.settings]`, an object.
    pub settings: Value,
}

/// A `[tools.NAME]` that no plugin has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTool {
    /// The name.
    pub name: String,
    /// The file and the line of the setting.
    pub written_at: Option<(PathBuf, usize)>,
    /// The likely intended tool, of those without a setting.
    pub near: Option<String>,
}

impl std::fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[tools.{}]", self.name)?;
        if let Some((file, line)) = &self.written_at {
            write!(f, " in {}:{line}", file.display())?;
        }
        write!(f, " is no plugin's tool")?;
        self.near.iter().try_for_each(|near| write!(f, "; did you mean `{near}`?"))
    }
}

/// All adapters by name. Cheap to clone.
#[derive(Clone)]
pub struct Catalog(Arc<Shelf>);

struct Shelf {
    engine: Engine,
    entries: BTreeMap<String, (Adapter, Mutex<Option<Loaded>>)>,
}

/// A plugin, and its file when it was read; `None`: it is part of this binary.
struct Loaded {
    plugin: Plugin,
    file: Option<file::State>,
}

impl Catalog {
    /// Loads nothing.
    pub fn new(engine: Engine, adapters: BTreeMap<String, Adapter>) -> Self {
        let entries = adapters
            .into_iter()
            .map(|(name, adapter)| (name, (adapter, Mutex::default())))
            .collect();
        Self(Arc::new(Shelf { engine, entries }))
    }

    /// The names there are, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.entries.keys().map(String::as_str)
    }

    /// The variables that its plugins see.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.0.engine.options().env
    }

    /// The plugin of this name, as its file is now. A failure is not remembered: the next call
    /// tries again. Sessions keep the plugin with which they began.
    pub async fn get(&self, name: &str) -> Result<Plugin, Error> {
        let known = || self.names().map(str::to_owned).collect();
        let entry = self
            .0
            .entries
            .get(name)
            .ok_or_else(|| Error::new(name, Cause::UnknownAdapter { known: known() }));
        let (adapter, loaded) = entry?;
        let mut loaded = loaded.lock().await;
        // Before it is read: a later change is seen by the next call.
        let file = match &adapter.source {
            Source::Bundled(_) => None,
            Source::File(path) => file::state(path),
        };
        if let Some(loaded) = loaded.as_ref().filter(|loaded| loaded.file == file) {
            return Ok(loaded.plugin.clone());
        }
        let plugin = load(&self.0.engine, name, adapter).await?;
        *loaded = Some(Loaded { plugin: plugin.clone(), file });
        Ok(plugin)
    }

    /// Every plugin, or the error of loading it, in the order of their names.
    pub async fn all(&self) -> Vec<Result<Plugin, Error>> {
        self.0.engine.begin();
        join_all(self.names().map(|name| self.get(name))).await
    }

    /// The configured tools that no plugin has. Empty while a plugin cannot be loaded, since they
    /// may belong to it.
    pub async fn unknown_tools(&self) -> Vec<UnknownTool> {
        let chosen = &self.0.engine.options().tools;
        let all: Result<Vec<Plugin>, Error> = self.all().await.into_iter().collect();
        let Ok(all) = all else { return Vec::new() };
        let known: BTreeSet<&str> = all.iter().flat_map(Plugin::tools).collect();
        let mut unknown = Vec::new();
        for (name, tool) in chosen {
            if !known.contains(name.as_str()) {
                let free = known.iter().copied().filter(|tool| !chosen.contains_key(*tool));
                unknown.push(UnknownTool {
                    name: name.clone(),
                    written_at: tool.written_at.clone(),
                    near: nearest(name, free).map(str::to_owned),
                });
            }
        }
        unknown
    }

    /// A misspelt `[tools.X]` that probably intends a tool of this plugin.
    pub async fn misspelt(&self, plugin: &Plugin) -> Option<UnknownTool> {
        let mut unknown = self.unknown_tools().await.into_iter();
        unknown.find(|one| plugin.tools().any(|tool| one.near.as_deref() == Some(tool)))
    }
}

async fn load(engine: &Engine, name: &str, adapter: &Adapter) -> Result<Plugin, Error> {
    let wasm = match &adapter.source {
        Source::Bundled(plugin) => Wasm::bundled(plugin),
        Source::File(path) => {
            read(path, engine.limits().component).await.map_err(|cause| Error::new(name, cause))?
        }
    };
    let component = loader::load(engine, name, wasm).await?;
    let fail = |(field, reason)| Error::new(name, Cause::Settings { field, reason });
    schema::check(component.manifest.config_schema.as_ref(), &adapter.settings).map_err(fail)?;
    let known = || component.manifest.languages.iter().map(|language| &language.name);
    if let Some(language) =
        adapter.languages.iter().find(|language| !known().any(|known| known == *language))
    {
        return Err(Error::new(
            name,
            Cause::Language { language: language.clone(), known: known().cloned().collect() },
        ));
    }
    let settings = Arc::new(adapter.settings.clone());
    Ok(Plugin(Arc::new(Inner {
        component: Arc::new(component),
        settings,
        languages: adapter.languages.clone(),
    })))
}

async fn read(path: &Path, limit: u64) -> Result<Wasm, Cause> {
    let fail = |reason: String| Cause::Unreadable { path: path.to_owned(), reason };
    let facts = tokio::fs::metadata(path).await.map_err(|error| fail(error.to_string()))?;
    if !facts.is_file() {
        return Err(fail("not a file".into()));
    }
    if facts.len() > limit {
        return Err(fail(format!("larger than {} MiB", limit >> 20)));
    }
    let path = path.to_owned();
    let wasm = tokio::task::spawn_blocking(move || file::read(&path, limit).map(Wasm::of)).await;
    wasm.map_err(|error| fail(error.to_string()))?.map_err(|error| fail(error.to_string()))
}
