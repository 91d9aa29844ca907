//! What the configuration says of adapters and bounds.

use std::sync::Arc;

use crate::limits::Limits;
use crate::plugin::Catalog;
use crate::provision::Standing;
use crate::session::Error;

/// What the configuration says, once somebody needs it.
#[derive(Clone)]
pub struct Setup {
    /// The adapters.
    pub catalog: Catalog,
    /// The bounds of every session.
    pub limits: Arc<Limits>,
    /// A launch that lacks what a plugin pins installs it.
    pub auto_install: bool,
}

/// Reads the configuration; a mistake in it is told, and the next call reads it anew.
pub type Load = Box<dyn Fn() -> Result<Setup, Error> + Send + Sync>;

/// An adapter of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterInfo {
    /// The name that `adapter` takes.
    pub name: String,
    /// For people; empty until the plugin was first used.
    pub title: String,
    /// What it is used for.
    pub languages: Vec<String>,
    /// Where its program is, or why its plugin cannot be used.
    pub standing: Result<Standing, String>,
}
