//! Long strings. Delve reads 512 bytes of each unless it is told otherwise, for all
//! of them at once (types.go, `maxStringLen`): so it is told when one is wanted whole,
//! and told back before anything else is read.

use dapdock_plugin::hooks::RequestAction;
use dapdock_plugin::prelude::*;

use crate::memory;

const LENGTH: &str = "texts";
const WHOLE: &str = "whole";
/// Bytes of one string, where it is wanted whole and elsewhere.
const BYTES: (u32, u32) = (4 << 20, 512);

/// An evaluation, or the scopes that are read before all else of a frame.
pub fn on_request(session: &Session, command: &str, arguments: Value) -> RequestAction {
    let whole = arguments["context"] == "clipboard";
    let is_whole = memory::word(session, LENGTH) == WHOLE;
    if whole == is_whole {
        return RequestAction::Unchanged;
    }
    memory::keep(session, LENGTH, if whole { WHOLE } else { "" });
    let bytes = if whole { BYTES.0 } else { BYTES.1 };
    let told = json!({"expression": format!("dlv config maxStringLen {bytes}"), "context": "repl"});
    RequestAction::in_turn([("evaluate", told), (command, arguments)])
}
