//! Lines about an install that takes long. Knows no receiver: the CLI prints them, a session
//! shows the last one.

use std::sync::Arc;

/// Receives one line at a time; the default drops them.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Receiver>>);

type Receiver = dyn Fn(&str) + Send + Sync;

impl Progress {
    /// Calls `receiver` with every line.
    pub fn new(receiver: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(receiver)))
    }

    /// Passes a line on.
    pub fn say(&self, line: &str) {
        if let Some(receiver) = &self.0 {
            receiver(line);
        }
    }
}
