//! Settings of an [`Engine`](super::runtime::Engine): limits, environment, directories and tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::limits::Limits;
use crate::process::Owner;

/// What plugins may read of this machine, their bounds, and the directories of the host.
#[derive(Clone, Debug)]
pub struct Options {
    /// Directory for compiled code, manifests and tools' answers; `None` stores none. See
    /// [`Options::cache_dir`].
    pub cache: Option<PathBuf>,
    /// Bounds on every call.
    pub limits: Arc<Limits>,
    /// Runs probes.
    pub owner: Owner,
    /// The environment that `workspace.env` reads and whose `PATH` is searched.
    pub env: BTreeMap<String, String>,
    /// `[tools.NAME] path`.
    pub tools: BTreeMap<String, ToolPath>,
    /// Where pinned installs are; `None`: nowhere. See [`Options::adapters_dir`].
    pub adapters: Option<PathBuf>,
}

/// Path of a program in the user's configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolPath {
    /// The program, absolute.
    pub path: PathBuf,
    /// The file and the line of the setting.
    pub written_at: Option<(PathBuf, usize)>,
}

impl From<PathBuf> for ToolPath {
    fn from(path: PathBuf) -> Self {
        Self { path, written_at: None }
    }
}

impl Options {
    /// `$XDG_DATA_HOME/dapdock/adapters`, else `~/.local/share/dapdock/adapters`.
    pub fn adapters_dir(env: &BTreeMap<String, String>) -> Option<PathBuf> {
        Some(base(env, "XDG_DATA_HOME", ".local/share")?.join("dapdock/adapters"))
    }

    /// `$XDG_CACHE_HOME/dapdock`, else `~/.cache/dapdock`.
    pub fn cache_dir(env: &BTreeMap<String, String>) -> Option<PathBuf> {
        Some(base(env, "XDG_CACHE_HOME", ".cache")?.join("dapdock"))
    }
}

/// A base directory of the XDG specification: the variable's, else one below the user's own.
fn base(env: &BTreeMap<String, String>, name: &str, below_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(name).or_else(|| Some(absolute("HOME")?.join(below_home)))
}
