//! `dapdock.toml`, in layers: built-in < the user's < the project's < the one that was named.
//!
//! Knows files and keys, not what plugins do with their settings: a plugin's own schema decides that when it is loaded.
//! In the built-in layer every bundled plugin stands under its own name.

mod file;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::plugin::{Adapter, Source};
use file::Layer;

pub use file::{Error, Problem};

/// The file's name, wherever it is looked for.
pub const FILE: &str = "dapdock.toml";

/// Plugins that are part of this binary: name and component.
pub type Bundled = &'static [(&'static str, &'static [u8])];

/// Where the layers are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The user's file.
    pub user: Option<PathBuf>,
    /// The project's file is the nearest one from here upward.
    pub start: Option<PathBuf>,
    /// `--config FILE`, else `DAPDOCK_CONFIG`: unlike the others it must exist.
    pub named: Option<PathBuf>,
}

impl Places {
    /// The usual ones: `$XDG_CONFIG_HOME/dapdock`, else `~/.config/dapdock`; `cwd`; `flag` before `DAPDOCK_CONFIG`.
    pub fn usual(env: &BTreeMap<String, String>, cwd: &Path, flag: Option<PathBuf>) -> Self {
        let absolute = |name: &str| env.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
        let variable = env.get("DAPDOCK_CONFIG").filter(|path| !path.is_empty()).map(PathBuf::from);
        Self {
            user: base.map(|base| base.join("dapdock").join(FILE)),
            start: Some(cwd.to_owned()),
            named: flag.or(variable).map(|path| cwd.join(path)),
        }
    }
}

/// What all layers together say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// `[adapters.NAME]`.
    pub adapters: BTreeMap<String, Adapter>,
    /// `[tools.NAME] path`, absolute.
    pub tools: BTreeMap<String, PathBuf>,
    /// `[limits]`, the strongest last.
    pub limits: Vec<(&'static str, f64)>,
    /// The files that were read, the strongest last.
    pub files: Vec<PathBuf>,
}

impl Config {
    /// Reads every layer; the first mistake ends it.
    pub fn load(places: &Places, bundled: Bundled) -> Result<Self, Error> {
        let mut config = Self::built_in(bundled);
        for (path, must_exist) in places.files() {
            match std::fs::read_to_string(&path) {
                Ok(text) => {
                    config.add(file::read(&path, &text, bundled)?)?;
                    config.files.push(path);
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound && !must_exist => {}
                Err(error) => return Err(Error::Unreadable { path, reason: error.to_string() }),
            }
        }
        Ok(config)
    }

    fn built_in(bundled: Bundled) -> Self {
        let adapters = bundled.iter().map(|(name, wasm)| ((*name).to_owned(), plain(Source::Bundled(wasm))));
        Self { adapters: adapters.collect(), ..Self::default() }
    }

    fn add(&mut self, layer: Layer) -> Result<(), Error> {
        for (name, over) in layer.adapters {
            let adapter = match (self.adapters.remove(&name), over.plugin) {
                // Another plugin has other settings: those of the layer below are not its own.
                (_, Some(source)) => plain(source),
                (Some(below), None) => below,
                (None, None) => return Err(over.missing),
            };
            let mut adapter = adapter;
            adapter.languages = over.languages.unwrap_or(adapter.languages);
            merge(&mut adapter.settings, over.settings);
            self.adapters.insert(name, adapter);
        }
        self.tools.extend(layer.tools);
        self.limits.extend(layer.limits);
        Ok(())
    }
}

impl Places {
    /// Each with whether it must exist.
    fn files(&self) -> Vec<(PathBuf, bool)> {
        let project = self.start.iter().flat_map(|start| start.ancestors()).map(|dir| dir.join(FILE));
        let project = project.into_iter().find(|file| file.is_file());
        let mut files: Vec<_> = self.user.iter().cloned().chain(project).map(|file| (file, false)).collect();
        files.extend(self.named.iter().cloned().map(|file| (file, true)));
        files
    }
}

fn plain(source: Source) -> Adapter {
    Adapter { source, languages: Vec::new(), settings: Value::Object(serde_json::Map::new()) }
}

/// Tables key by key; anything else is replaced.
fn merge(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            over.into_iter().for_each(|(key, value)| merge(base.entry(key).or_insert(Value::Null), value));
        }
        (base, over) => *base = over,
    }
}
