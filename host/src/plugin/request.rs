//! Where a request happens: the project and who hears of progress.

use std::path::PathBuf;
use std::sync::Arc;

/// The project of a request.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Absolute path.
    pub root: PathBuf,
    /// The user said that this project's own code may run.
    pub trusted: bool,
    /// Who hears what slow plugins say.
    pub progress: Progress,
}

impl Workspace {
    /// A trusted project whose plugins are not heard.
    pub fn trusted(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), trusted: true, progress: Progress::default() }
    }
}

/// Hears one line at a time; the default hears nothing.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Hear>>);

type Hear = dyn Fn(&str) + Send + Sync;

impl Progress {
    /// Calls `hear` with every line.
    pub fn new(hear: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hear)))
    }

    /// Passes a line on.
    pub fn say(&self, line: &str) {
        if let Some(hear) = &self.0 {
            hear(line);
        }
    }
}

impl std::fmt::Debug for Progress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(heard)" } else { "Progress" })
    }
}
