//! Types of the bodies of the Debug Adapter Protocol: arguments of requests, responses and events.
//!
//! Plugins use these types in their hooks, and the host for what it sends and receives. Knows field
//! names and how adapters deviate ([`lenient`]); the DAP specification defines their meaning. Does
//! not know framing, order and time: those are the host's. Unlike in the manifest, unknown members
//! are ignored.

pub mod arguments;
pub mod capabilities;
pub mod event;
pub mod lenient;
pub mod request;
pub mod responses;
pub mod types;

#[cfg(test)]
mod tests;

pub use arguments::*;
pub use capabilities::Capabilities;
pub use event::*;
pub use request::*;
pub use responses::*;
pub use types::*;

/// JSON Schema (draft 2020-12) of all bodies: `wit/dap.schema.json`, which `cargo run -p
/// dapdock-schema --example schemas` writes.
#[cfg(feature = "schema")]
pub fn schema() -> serde_json::Value {
    let mut generator = schemars::SchemaGenerator::default();
    let requests = request_schemas(&mut generator);
    let mut events = event_schemas(&mut generator);
    let capabilities = generator.subschema_for::<Capabilities>();
    // `data` of `output` for code of a plugin in the debuggee.
    generator.subschema_for::<BreakpointOutput>();
    let news = serde_json::json!({"type": "object", "properties": {"capabilities": &capabilities}});
    events.extend([("initialized".to_owned(), true.into()), ("capabilities".to_owned(), news)]);
    serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "DAP bodies",
        "description": "Bodies of the Debug Adapter Protocol as the host reads and writes them: of \
            requests by command, \
            of events by name, and what an adapter says it can do. Members that are not named here \
            are passed over.",
        "type": "object",
        "properties": {
            "requests": {"type": "object", "properties": requests},
            "events": {"type": "object", "properties": events},
            "capabilities": capabilities,
        },
        "$defs": generator.take_definitions(true),
    })
}
