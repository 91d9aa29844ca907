//! The content of one file, typed. Knows no TOML.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::error::{Error, Problem};
use crate::model::ToolChoice;
use crate::plugin::Source;

/// The content of one file.
#[derive(Debug, Default)]
pub(super) struct Layer {
    pub adapters: BTreeMap<String, Over>,
    /// Path and line.
    pub tools: BTreeMap<String, (PathBuf, usize)>,
    /// Key and number, in the file's order.
    pub limits: Vec<(&'static str, f64)>,
    /// Directories whose projects may choose what runs.
    pub trust: Vec<PathBuf>,
    /// `auto_install`.
    pub auto_install: Option<bool>,
    /// `[mcp]`.
    pub tool_choice: ToolChoice,
    /// The first key that only the user's file may have.
    pub own: Option<Place>,
    /// The first key that chooses a program or a plugin's file.
    pub risk: Option<Place>,
}

/// Position of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The key with its tables.
    pub key: String,
}

impl Place {
    /// An error at this place of the file `path`.
    pub fn wrong(self, path: &Path, problem: impl FnOnce(String) -> Problem) -> Error {
        let Self { line, column, key } = self;
        Error::Wrong { path: path.to_owned(), line, column, problem: Box::new(problem(key)) }
    }
}

/// The table of one adapter; its keys replace those of the layers below.
#[derive(Debug)]
pub(super) struct Over {
    pub plugin: Option<Source>,
    pub languages: Option<Vec<String>>,
    pub settings: Value,
    /// The error if no layer names the plugin.
    pub missing: Error,
}

impl Layer {
    /// Notes a key that chooses a program or a plugin's file.
    pub fn risk(&mut self, place: Place) {
        self.risk = Some(self.risk.take().map_or(place.clone(), |first| first.min(place)));
    }

    /// Notes a key that only the user's file may have.
    pub fn own(&mut self, place: Place) {
        self.own = Some(self.own.take().map_or(place.clone(), |first| first.min(place)));
    }
}
