//! Responses of the adapter, as it wrote them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// Data of `dap_request`.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::mcp) struct Response {
    /// As DAP defines it for the request; null: it has no body.
    body: Option<Map<String, Value>>,
}

impl Response {
    pub fn of(body: &Value) -> Self {
        Self { body: body.as_object().cloned() }
    }
}
