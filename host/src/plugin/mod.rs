//! Plugins: WebAssembly components, each of which knows one debug adapter. The only module that
//! names wasmtime and WIT; its callers see the host's own model.
//!
//! - [`Engine`] compiles components and caches the code. It reads nothing before its first use.
//! - [`Catalog`] has the adapters of the configuration. It reads the manifest of each at its first
//!   use, and compiles its code at the first call.
//! - [`Plugin`] is one adapter. Each call has a store of its own and the bounds of
//!   [`crate::limits::Limits`]. A trap, a timeout or an invalid answer costs that call; the error
//!   names the plugin and the cause.
//! - A guest starts nothing. `grant` has the functions of the host that it may call; `answer`
//!   checks its answers against the handles of the call and against its manifest.

mod answer;
mod catalog;
mod engine;
mod error;
mod grant;
mod own_files;
mod refused;
mod request;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dapdock_schema::Manifest;
use serde_json::Value;

pub use crate::plugin::answer::version::Outdated;
pub use crate::plugin::engine::component::Bundled;
pub use crate::plugin::engine::options::{Options, ToolPath};
pub use crate::plugin::engine::runtime::Engine;
pub use crate::plugin::grant::executable::Origin;
pub(crate) use crate::plugin::grant::executable::is_runnable;
pub use crate::plugin::grant::installs;
pub use catalog::{Adapter, Catalog, Source, UnknownTool};
pub use error::{Cause, Error, Lie};
pub use refused::Refused;
pub use request::{Outputs, Workspace};

use crate::plugin::engine::component::Component;

/// One adapter of the configuration, loaded. Cheap to clone.
///
/// Calls fail with the plugin's own refusal or with a defect of the plugin. Optional functions are
/// called only if the manifest's `interests` name them; otherwise the host's default is returned.
#[derive(Clone)]
pub struct Plugin(Arc<Inner>);

struct Inner {
    component: Arc<Component>,
    settings: Arc<Value>,
    languages: Vec<String>,
}

impl Plugin {
    /// The adapter's name in the configuration.
    pub fn name(&self) -> &str {
        &self.0.component.name
    }

    /// The plugin's manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.0.component.manifest
    }

    /// Where files of plans may stay after their session; `None`: nowhere.
    pub(crate) fn assets_dir(&self) -> Option<PathBuf> {
        Some(self.0.component.engine.options().cache.as_ref()?.join("assets"))
    }

    /// The languages it is used for: the manifest's, or fewer where the configuration says so.
    pub fn languages(&self) -> impl Iterator<Item = &dapdock_schema::Language> {
        let narrowed = &self.0.languages;
        self.manifest()
            .languages
            .iter()
            .filter(|one| narrowed.is_empty() || narrowed.contains(&one.name))
    }

    /// The names of its tools.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &str> {
        self.manifest().tools.iter().map(|tool| tool.name.as_str())
    }

    /// Whether the adapter's program is there. A plugin without tools needs none.
    pub fn is_equipped(&self) -> bool {
        self.manifest().tools.first().is_none_or(|tool| self.tool(&tool.name).is_some())
    }

    /// Where a tool of the manifest is, and why there. A configured path is returned even if it is
    /// wrong.
    pub fn tool(&self, name: &str) -> Option<(PathBuf, Origin)> {
        let tool = self.manifest().tools.iter().find(|tool| tool.name == name)?;
        grant::executable::place(tool, self.manifest(), self.0.component.engine.options())
    }

    /// The problem of a configured tool path, and its remedy.
    pub fn wrong_choice(&self) -> Option<(String, String)> {
        grant::executable::wrong_choice(self.manifest(), self.0.component.engine.options())
    }

    /// The directory of pinned installs.
    pub fn adapters_dir(&self) -> Option<&Path> {
        self.0.component.engine.options().adapters.as_deref()
    }

    /// The adapter's settings as the configuration has them.
    pub fn settings(&self) -> &Value {
        &self.0.settings
    }
}

impl std::fmt::Debug for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Plugin").field(&self.name()).finish()
    }
}
