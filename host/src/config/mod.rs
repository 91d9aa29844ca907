//! `dapdock.toml`, in layers: built-in < the user's < the project's < the one that was named.
//!
//! A project's file comes with the project, perhaps from a stranger: what has a program or a plugin
//! of its choice run counts only where the user trusts that directory. Reading code is not running
//! it, and the host debugs nothing unasked.
//!
//! Knows files and keys, not what plugins do with their settings: a plugin's own schema decides
//! that when it is loaded. In the built-in layer every bundled plugin stands under its own name.

mod file;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::plugin::{Adapter, Bundled, Source, ToolPath};
use file::Layer;

pub use file::{Error, Problem};

/// The file's name, wherever it is looked for.
pub const FILE: &str = "dapdock.toml";

/// Where the layers are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The user's file.
    pub user: Option<PathBuf>,
    /// The project's file is the nearest one from here upward.
    pub start: Option<PathBuf>,
    /// `--config FILE`, else `DAPDOCK_CONFIG`: unlike the others it must exist.
    pub named: Option<PathBuf>,
    /// `--trust`: the project's file may choose what runs.
    pub trust: bool,
}

/// What the command line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--config FILE`.
    pub file: Option<PathBuf>,
    /// `--trust`.
    pub trust: bool,
}

/// Whose words a layer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    User,
    Project,
    /// Chosen by the user, and there.
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
        }
    }
}

/// What all layers together say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// `[adapters.NAME]`.
    pub adapters: BTreeMap<String, Adapter>,
    /// `[tools.NAME] path`, absolute.
    pub tools: BTreeMap<String, ToolPath>,
    /// `[limits]`, the strongest last.
    pub limits: Vec<(&'static str, f64)>,
    /// A launch that lacks what a plugin pins installs it.
    pub auto_install: bool,
    /// The files that were read, the strongest last.
    pub files: Vec<PathBuf>,
}

impl Config {
    /// Reads every layer; the first mistake ends it.
    pub fn load(places: &Places, bundled: &'static [Bundled]) -> Result<Self, Error> {
        let mut layers = Vec::new();
        for (path, voice) in places.files() {
            match std::fs::read_to_string(&path) {
                Ok(text) => layers.push((file::read(&path, &text, bundled)?, path, voice)),
                Err(error)
                    if error.kind() == std::io::ErrorKind::NotFound && voice != Voice::Named => {}
                Err(error) => return Err(Error::Unreadable { path, reason: error.to_string() }),
            }
        }
        let own = layers.iter().filter(|(.., voice)| *voice != Voice::Project);
        let trust: Vec<PathBuf> = own.flat_map(|(layer, ..)| layer.trust.clone()).collect();
        let mut config = Self::built_in(bundled);
        for (layer, path, voice) in layers {
            if voice == Voice::Project {
                places.check(&layer, &path, &trust)?;
            }
            config.add(layer, &path)?;
            config.files.push(path);
        }
        Ok(config)
    }

    fn built_in(bundled: &'static [Bundled]) -> Self {
        let adapters =
            bundled.iter().map(|plugin| (plugin.name.to_owned(), plain(Source::Bundled(plugin))));
        Self { adapters: adapters.collect(), ..Self::default() }
    }

    fn add(&mut self, layer: Layer, file: &Path) -> Result<(), Error> {
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
        let written_at = |line| Some((file.to_owned(), line));
        let tools = layer
            .tools
            .into_iter()
            .map(|(name, (path, line))| (name, ToolPath { path, written_at: written_at(line) }));
        self.tools.extend(tools);
        self.auto_install = layer.auto_install.unwrap_or(self.auto_install);
        self.limits.extend(layer.limits);
        Ok(())
    }
}

impl Places {
    /// From the weakest to the strongest.
    fn files(&self) -> Vec<(PathBuf, Voice)> {
        let own = |file: &Option<PathBuf>, voice| {
            file.iter().cloned().map(move |file| (file, voice)).collect::<Vec<_>>()
        };
        let mut files = own(&self.user, Voice::User);
        files.extend(self.project().map(|file| (file, Voice::Project)));
        files.extend(own(&self.named, Voice::Named));
        files
    }

    /// The nearest one upward, unless it is one of the user's own.
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

    /// Does a project's file say only what it may?
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

/// Without links, so that a project cannot be taken for another.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn plain(source: Source) -> Adapter {
    Adapter { source, languages: Vec::new(), settings: Value::Object(serde_json::Map::new()) }
}

/// Tables key by key; anything else is replaced.
fn merge(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            over.into_iter()
                .for_each(|(key, value)| merge(base.entry(key).or_insert(Value::Null), value));
        }
        (base, over) => *base = over,
    }
}
