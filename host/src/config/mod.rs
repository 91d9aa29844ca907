//! `dapdock.toml` in layers: built in < the user's file < the project's < the one named by a flag
//! or a variable. The built-in layer has every bundled plugin under its own name.
//!
//! A project's file may come from a stranger: keys that choose a program or a plugin to run need
//! the user's trust in its directory.
//!
//! Knows files and keys. Refuses to know the settings of plugins, which each plugin's own schema
//! checks when it is loaded.

mod error;
mod file;
mod layer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::model::ToolChoice;
use crate::plugin::{Adapter, Bundled, Source, ToolPath};
use layer::Layer;

pub use error::{Error, Problem};

/// The file's name in every directory.
pub const FILE: &str = "dapdock.toml";

/// Paths of the layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The user's file.
    pub user: Option<PathBuf>,
    /// The directory from which upward the nearest file is the project's.
    pub start: Option<PathBuf>,
    /// `--config FILE`, else `DAPDOCK_CONFIG`: unlike the others it must exist.
    pub named: Option<PathBuf>,
    /// `--trust`: the project's file may choose what runs.
    pub trust: bool,
    /// Trusted directories, in addition to those in the user's file.
    pub trusted: Vec<PathBuf>,
}

/// Flags of the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--config FILE`.
    pub file: Option<PathBuf>,
    /// `--trust`.
    pub trust: bool,
}

/// The author of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Author {
    User,
    Project,
    /// Named by the user; must exist.
    Named,
}

impl Places {
    /// The usual ones: `$XDG_CONFIG_HOME/dapdock`, else `~/.config/dapdock`; `cwd`; the flag before
    /// `DAPDOCK_CONFIG`.
    pub fn usual(env: &BTreeMap<String, String>, cwd: &Path, flags: Flags) -> Self {
        let absolute =
            |name: &str| env.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
        let variable = env.get("DAPDOCK_CONFIG").filter(|path| !path.is_empty()).map(PathBuf::from);
        Self {
            user: base.map(|base| base.join("dapdock").join(FILE)),
            start: Some(cwd.to_owned()),
            named: flags.file.or(variable).map(|path| cwd.join(path)),
            trust: flags.trust,
            trusted: Vec::new(),
        }
    }
}

/// The merged layers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// `[adapters.NAME]`.
    pub adapters: BTreeMap<String, Adapter>,
    /// `[tools.NAME] path`, absolute.
    pub tools: BTreeMap<String, ToolPath>,
    /// `[limits]`, the strongest last.
    pub limits: Vec<(&'static str, f64)>,
    /// A launch without the pinned adapter installs it.
    pub auto_install: bool,
    /// `[mcp]`: the tools that a caller gets.
    pub tool_choice: ToolChoice,
    /// The files that were read, the strongest last.
    pub files: Vec<PathBuf>,
}

impl Config {
    /// Reads every layer, up to the first mistake.
    pub fn load(places: &Places, bundled: &'static [Bundled]) -> Result<Self, Error> {
        let mut layers = Vec::new();
        for (path, author) in places.files() {
            match std::fs::read_to_string(&path) {
                Ok(text) => layers.push((file::read(&path, &text, bundled)?, path, author)),
                Err(error)
                    if error.kind() == std::io::ErrorKind::NotFound && author != Author::Named => {}
                Err(error) => return Err(Error::Unreadable { path, reason: error.to_string() }),
            }
        }
        let own = layers.iter().filter(|(.., author)| *author != Author::Project);
        let mut trust: Vec<PathBuf> = own.flat_map(|(layer, ..)| layer.trust.clone()).collect();
        trust.extend(places.trusted.iter().cloned());
        let mut config = Self::built_in(bundled);
        for (layer, path, author) in layers {
            if author == Author::Project {
                places.check(&layer, &path, &trust)?;
            }
            config.add(layer, &path)?;
            config.files.push(path);
        }
        Ok(config)
    }

    fn built_in(bundled: &'static [Bundled]) -> Self {
        let mut config = Self::default();
        for plugin in bundled {
            config.adapters.insert(plugin.name.to_owned(), plain(Source::Bundled(plugin)));
        }
        config
    }

    fn add(&mut self, layer: Layer, file: &Path) -> Result<(), Error> {
        for (name, over) in layer.adapters {
            let mut adapter = match (self.adapters.remove(&name), over.plugin) {
                // Another plugin has other settings than the layer below.
                (_, Some(source)) => plain(source),
                (Some(below), None) => below,
                (None, None) => return Err(over.missing),
            };
            adapter.languages = over.languages.unwrap_or(adapter.languages);
            merge(&mut adapter.settings, over.settings);
            self.adapters.insert(name, adapter);
        }
        for (name, (path, line)) in layer.tools {
            let written_at = Some((file.to_owned(), line));
            self.tools.insert(name, ToolPath { path, written_at });
        }
        self.auto_install = layer.auto_install.unwrap_or(self.auto_install);
        self.tool_choice = std::mem::take(&mut self.tool_choice).over(layer.tool_choice);
        self.limits.extend(layer.limits);
        Ok(())
    }
}

impl Places {
    /// From the weakest to the strongest.
    fn files(&self) -> Vec<(PathBuf, Author)> {
        let layers = [
            (self.user.clone(), Author::User),
            (self.project(), Author::Project),
            (self.named.clone(), Author::Named),
        ];
        layers.into_iter().filter_map(|(file, author)| Some((file?, author))).collect()
    }

    /// The nearest file upward, unless it is the user's or the named one.
    fn project(&self) -> Option<PathBuf> {
        let file = self
            .start
            .as_deref()?
            .ancestors()
            .map(|dir| dir.join(FILE))
            .find(|file| file.is_file())?;
        let is_own =
            [&self.user, &self.named].into_iter().flatten().any(|own| real(own) == real(&file));
        (!is_own).then_some(file)
    }

    /// Refuses keys that a project's file may not have.
    fn check(&self, layer: &Layer, path: &Path, trust: &[PathBuf]) -> Result<(), Error> {
        let user = self.user.clone();
        if let Some(place) = layer.own.clone() {
            return Err(place.wrong(path, |key| Problem::NotYours { key, user }));
        }
        let project = real(path.parent().unwrap_or(path));
        let trusted = self.trust || trust.iter().any(|root| project.starts_with(real(root)));
        match layer.risk.clone().filter(|_| !trusted) {
            Some(place) => Err(place.wrong(path, |key| Problem::NotTrusted { key, project, user })),
            None => Ok(()),
        }
    }
}

/// The path without links, which could lead to another project.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn plain(source: Source) -> Adapter {
    Adapter { source, languages: Vec::new(), settings: Value::Object(serde_json::Map::new()) }
}

/// Merges tables key by key; replaces any other value.
fn merge(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}
