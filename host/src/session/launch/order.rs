//! What a launch needs, and what it has once an adapter is connected.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tokio::sync::watch;

use crate::dap;
use crate::limits::Limits;
use crate::model::Note;
use crate::model::plan::{LaunchPlan, Request, Role};
use crate::plugin::{Catalog, Outputs, Plugin, UnknownTool, Workspace};
use crate::process::{Family, Owner, Process};
use crate::session::launch::assets::Assets;

/// What preparing needs.
pub(crate) struct Order {
    pub(crate) plugin: Plugin,
    /// All that could have been chosen; none where the caller did.
    pub(crate) others: Option<Catalog>,
    /// A tool of the configuration that was probably to be one of the plugin's.
    pub(crate) misspelt: Option<UnknownTool>,
    pub(crate) workspace: Workspace,
    pub(crate) request: Request,
    pub(crate) owner: Owner,
    pub(crate) limits: Arc<Limits>,
    /// What is lacking and pinned is installed.
    pub(crate) auto_install: bool,
    pub(crate) progress: watch::Sender<String>,
    /// Filled before the first process starts, so that who drops the flow can see to its end.
    pub(crate) family: Arc<OnceLock<Family>>,
}

/// A connected adapter that has heard nothing yet.
pub(crate) struct Prepared {
    pub(crate) client: dap::Client,
    pub(crate) inbox: dap::Inbox,
    pub(crate) plan: LaunchPlan,
    /// The launch or attach arguments, references replaced.
    pub(crate) arguments: Value,
    pub(crate) running: Running,
    /// How long building took; none: nothing was built.
    pub(crate) built: Option<Duration>,
    /// When what runs was made: built, or about to be loaded from its sources. None: not known.
    pub(crate) made: Option<SystemTime>,
    /// The executable that runs, where its file is known.
    pub(crate) program: Option<PathBuf>,
    /// What was asked for, where it is a file.
    pub(crate) target: Option<PathBuf>,
    /// What the program's file lacks, and what the configuration says in vain.
    pub(crate) notes: Vec<Note>,
}

/// Everything the session owns outside this process.
pub(crate) struct Running {
    pub(crate) family: Family,
    pub(crate) processes: Vec<(Role, Process)>,
    /// Deleted when the session ends.
    pub(crate) _assets: Option<Assets>,
    /// The same.
    pub(crate) _outputs: Outputs,
    /// The work of a family of connections; stops when dropped.
    pub(crate) connections: Vec<futures_util::future::BoxFuture<'static, ()>>,
}

impl Running {
    /// The process that speaks DAP.
    pub(crate) fn adapter(&self) -> Option<&Process> {
        let adapter = self.processes.iter().find(|(role, _)| *role == Role::Adapter);
        adapter.or(self.processes.first()).map(|(_, process)| process)
    }
}
