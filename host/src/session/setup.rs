//! The part of the configuration that sessions need: adapters and limits. Refuses to know the
//! format of the file.

use std::path::PathBuf;
use std::sync::Arc;

use crate::limits::Limits;
use crate::plugin::Catalog;
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

/// What callers add to the configuration before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additions {
    /// Projects that a person trusts, in addition to those in the user's file.
    pub trusted: Vec<PathBuf>,
    /// The directory of the project, instead of the one in which the host started.
    pub project: Option<PathBuf>,
}

/// Reads the configuration. After an error the next call reads it again.
pub type Load = Box<dyn Fn(&Additions) -> Result<Setup, Error> + Send + Sync>;
