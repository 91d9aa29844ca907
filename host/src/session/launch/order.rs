//! Input and result of preparing a launch.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use serde_json::Value;
use tokio::sync::watch;

use crate::dap;
use crate::limits::Limits;
use crate::model::Note;
use crate::model::plan::{Built, LaunchPlan, Request, Role};
use crate::plugin::{Catalog, Outputs, Plugin, UnknownTool, Workspace};
use crate::process::{Family, Owner, Process};
use crate::session::launch::assets::Assets;

/// Input of [`prepare`](super::prepare::prepare).
pub(crate) struct Order {
    pub(crate) plugin: Plugin,
    /// All adapters; `None` if the caller chose one.
    pub(crate) others: Option<Catalog>,
    /// A misspelt tool of the configuration that was probably intended for the plugin.
    pub(crate) misspelt: Option<UnknownTool>,
    pub(crate) workspace: Workspace,
    pub(crate) request: Request,
    pub(crate) owner: Owner,
    pub(crate) limits: Arc<Limits>,
    /// Installs the pinned adapter if it is missing.
    pub(crate) auto_install: bool,
    pub(crate) progress: watch::Sender<String>,
    /// Set before the first process starts, so that the actor can end it when it drops the flow.
    pub(crate) family: Arc<OnceLock<Family>>,
}

/// A connected adapter before `initialize`.
pub(crate) struct Prepared {
    pub(crate) client: dap::Client,
    pub(crate) inbox: dap::Inbox,
    pub(crate) plan: LaunchPlan,
    /// Arguments of `launch` or `attach`, references replaced.
    pub(crate) arguments: Value,
    pub(crate) running: Resources,
    /// The builds; `None` without any.
    pub(crate) built: Option<Built>,
    /// Time when the running code was made: built, or loaded from its sources. `None`: unknown.
    pub(crate) made: Option<SystemTime>,
    /// The executable, if its file is known.
    pub(crate) program: Option<PathBuf>,
    /// The target of the request, if it is a file.
    pub(crate) target: Option<PathBuf>,
    /// Notes about the program's file and the configuration.
    pub(crate) notes: Vec<Note>,
}

/// Processes, files and connections of a session.
pub(crate) struct Resources {
    pub(crate) family: Family,
    pub(crate) processes: Vec<(Role, Process)>,
    pub(crate) _assets: Option<Assets>,
    /// Deleted when the session ends.
    pub(crate) _outputs: Outputs,
    /// Work of trees of connections; stops when dropped.
    pub(crate) connections: Vec<futures_util::future::BoxFuture<'static, ()>>,
}

impl Resources {
    /// Is the adapter a process of its own, apart from the debuggee?
    pub(crate) fn has_adapter(&self) -> bool {
        self.processes.iter().any(|(role, _)| *role == Role::Adapter)
    }

    /// The adapter's process.
    pub(crate) fn adapter(&self) -> Option<&Process> {
        let adapter = self.processes.iter().find(|(role, _)| *role == Role::Adapter);
        adapter.or(self.processes.first()).map(|(_, process)| process)
    }
}
