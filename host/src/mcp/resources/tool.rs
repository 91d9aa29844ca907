//! Names the tool whose answer a resource returns. A resource is off when its tool is off.

use serde_json::{Map, Value, json};

use super::super::compat;
use super::super::registry::named;
use super::super::toolset::Tools;
use super::address::{Address, SessionPart};

/// Why a resource is off: its tool is.
pub(super) fn off(tools: &Tools, address: &Address) -> Option<String> {
    match address {
        Address::OfFamily(resource) => tools.off(resource.registered()?),
        Address::CurrentSource(_) => {
            let (family, _) = compat::SOURCE;
            (!tools.has(family)).then(|| tools.off_toolset(family))
        }
        address => tools.off(named(call(address).0)?),
    }
}

/// The tool and the arguments that make the text of a resource; of a source file, the tool that
/// displays its lines.
pub(super) fn call(address: &Address) -> (&'static str, Map<String, Value>) {
    /// The most that `debug_output` returns.
    const LINES: u64 = 400;
    let (tool, arguments) = match address {
        Address::Sessions => ("debug_status", json!({})),
        Address::Session(session, SessionPart::Status) => {
            ("debug_status", json!({"session": session}))
        }
        Address::Session(session, SessionPart::Log) => {
            ("debug_status", json!({"session": session, "detail": "log"}))
        }
        Address::Session(session, SessionPart::Output) => {
            ("debug_output", json!({"session": session, "tail": LINES}))
        }
        Address::Source { session, .. } => ("debug_stack", json!({"session": session})),
        Address::OfFamily(_) | Address::CurrentSource(_) => ("debug_status", json!({})),
        Address::Adapters => ("debug_status", json!({"detail": "adapters"})),
        Address::Document { adapter, document } => {
            ("debug_status", json!({"adapter": adapter, "document": document}))
        }
    };
    match arguments {
        Value::Object(arguments) => (tool, arguments),
        _ => (tool, Map::new()),
    }
}
