//! The part of the configuration that sessions need: adapters and limits. Knows no file format.

use std::sync::Arc;

use crate::limits::Limits;
use crate::plugin::Catalog;
use crate::provision::Standing;
use crate::session::Error;

/// The configuration, read when a session first needs it.
#[derive(Clone)]
pub struct Setup {
    /// The adapters.
    pub catalog: Catalog,
    /// The limits of every session.
    pub limits: Arc<Limits>,
    /// A launch installs the pinned adapter if it is missing.
    pub auto_install: bool,
}

/// Reads the configuration. After an error the next call reads it again.
pub type Load = Box<dyn Fn() -> Result<Setup, Error> + Send + Sync>;

/// An adapter of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterInfo {
    /// The name that `adapter` takes.
    pub name: String,
    /// The title for people; empty until the plugin is first used.
    pub title: String,
    /// The languages that it debugs.
    pub languages: Vec<String>,
    /// The state of its program, or why its plugin cannot be used.
    pub standing: Result<Standing, String>,
}
