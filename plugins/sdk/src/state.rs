//! The state of a session as a struct of the plugin. Plugins have no memory between calls: the host
//! stores the struct as JSON. Calls of a session follow each other, so that between a load and a
//! store no other call stores.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::adapter::{LaunchPlan, Session};

impl Session {
    /// The state of the last [`store`](Self::store), else of the plan; without any, or if it has
    /// another shape, the default.
    #[must_use]
    pub fn load<T: DeserializeOwned + Default>(&self) -> T {
        self.state().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Stores the state for the life of the session. A state that is no JSON is not stored.
    pub fn store<T: Serialize>(&self, state: &T) {
        if let Ok(text) = serde_json::to_string(state) {
            self.set_state(&text);
        }
    }
}

impl LaunchPlan {
    /// The initial state of the session, which [`Session::load`] returns.
    #[must_use]
    pub fn state<T: Serialize>(mut self, state: &T) -> Self {
        self.state = serde_json::to_string(state).ok();
        self
    }
}
