//! The arguments of a name that takes none.

use schemars::JsonSchema;
use serde::Deserialize;

/// No arguments.
#[derive(Deserialize, JsonSchema)]
pub(in crate::mcp) struct Nothing {}
