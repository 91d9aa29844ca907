//! Errors.

use schemars::JsonSchema;
use serde::Serialize;

use super::written;
use crate::view::ErrorText;

/// An error, and the call that works.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Failure {
    /// Stable.
    code: String,
    message: String,
    /// A call, or what a person can do.
    next: String,
}

impl Failure {
    pub fn of(error: &ErrorText) -> Self {
        Self {
            code: error.code.to_owned(),
            message: written::text(&error.cause),
            next: written::text(&error.next),
        }
    }
}
