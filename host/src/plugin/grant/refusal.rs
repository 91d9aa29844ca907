//! Refusals by functions of the host. A guest usually returns them as its own.

use crate::plugin::engine::bindings::types::{self, ErrorKind};
use crate::plugin::grant::denied::Denied;

pub(crate) fn refuse(
    kind: ErrorKind,
    message: impl Into<String>,
    hint: Option<&str>,
) -> types::Error {
    types::Error {
        kind,
        message: message.into(),
        hint: hint.filter(|h| !h.is_empty()).map(str::to_owned),
        detail: None,
    }
}

pub(crate) fn deny(denied: &Denied) -> types::Error {
    refuse(ErrorKind::TargetMissing, denied.to_string(), None)
}
