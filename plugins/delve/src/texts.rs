//! Long strings. Delve reads 512 bytes of each unless it is told otherwise, for all
//! of them at once (types.go, `maxStringLen`): so it is told when one is wanted whole,
//! and told back before anything else is read.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::memory;

const LENGTH: &str = "texts";
const WHOLE: &str = "whole";
/// Bytes of one string, where it is wanted whole and elsewhere.
const BYTES: (u32, u32) = (4 << 20, 512);

/// An evaluation, or the scopes that are read before all else of a frame; none: it is sent alone.
pub fn on_request(session: &Session, request: Request) -> Option<RequestAction> {
    let asked = request.of::<dap::Evaluate>();
    let whole = asked.is_some_and(|asked| asked.context.as_deref() == Some("clipboard"));
    let is_whole = memory::word(session, LENGTH) == WHOLE;
    if whole == is_whole {
        return None;
    }
    memory::keep(session, LENGTH, if whole { WHOLE } else { "" });
    let bytes = if whole { BYTES.0 } else { BYTES.1 };
    let told = dap::EvaluateArguments {
        expression: format!("dlv config maxStringLen {bytes}"),
        context: Some("repl".into()),
        ..Default::default()
    };
    Some(RequestAction::in_turn([Request::new::<dap::Evaluate>(told), request]))
}
