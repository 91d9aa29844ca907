//! The code of the debuggee: its files, and when they were built. Plain data, set when prepared.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::model::plan::Built;
use crate::session::adapter::source_maps::Maps;

#[derive(Default)]
pub(crate) struct Code {
    /// The workspace.
    pub(crate) root: PathBuf,
    /// The debuggee's file.
    pub(crate) program: Option<PathBuf>,
    /// The source file that is debugged, if an interpreter runs it.
    pub(crate) script: Option<PathBuf>,
    /// The paths of the debuggee's file, of an attached one too.
    pub(crate) images: Vec<PathBuf>,
    pub(crate) source_maps: Arc<Maps>,
    /// When the code that runs was built, or loaded from its sources; `None`: not known.
    pub(crate) built_at: Option<SystemTime>,
    /// How long building took; the first stop or the end takes it.
    pub(crate) build_time: Option<Duration>,
    /// The builds of the launch.
    pub(crate) builds: Option<Built>,
}
