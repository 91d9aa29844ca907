//! Long strings. Delve reads 512 bytes of a string, a limit for all strings (types.go,
//! `maxStringLen`). So the limit is raised before an evaluation that needs the whole string, and
//! lowered before the next read.

use dapdock_plugin::hooks::{Request, RequestAction};
use dapdock_plugin::prelude::*;

use crate::state::State;

/// Bytes of a string.
const NORMAL_BYTES: u32 = 512;
const RAISED_BYTES: u32 = 4 << 20;

/// For an evaluation, or for the scopes of a frame, which are read before its variables: the
/// request with a change of the limit before it; none if the limit is right.
pub fn on_request(session: &Session, request: Request) -> Option<RequestAction> {
    let evaluation = request.of::<dap::Evaluate>();
    let needs_whole = evaluation.is_some_and(|one| one.context.as_deref() == Some("clipboard"));
    let state: State = session.load();
    if needs_whole == state.reads_long_strings {
        return None;
    }
    session.store(&State { reads_long_strings: needs_whole, ..state });
    let bytes = if needs_whole { RAISED_BYTES } else { NORMAL_BYTES };
    let config = dap::EvaluateArguments {
        expression: format!("dlv config maxStringLen {bytes}"),
        context: Some("repl".into()),
        ..Default::default()
    };
    Some(RequestAction::in_turn([Request::new::<dap::Evaluate>(config), request]))
}
