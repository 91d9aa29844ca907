//! The arguments of a name that takes only its session.
//!
//! Refuses to know which names these are.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
pub(super) struct OfSession {
    /// Default: the only one
    pub session_id: Option<String>,
}
