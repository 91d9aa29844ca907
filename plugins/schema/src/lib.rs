//! The nouns of the plugin interface that are expected to grow: the manifest
//! and the profile. They cross the boundary as JSON, because a WIT record cannot
//! gain a field without breaking every older plugin; both sides use these
//! structs, and `manifest_schema` (feature `schema`) publishes their JSON Schema.
//!
//! Knows no WIT, no DAP wire and no wasmtime. Unknown keys are refused, so a
//! misspelt quirk is an error and never silently ignored.

mod check;
mod install;
mod log_message;
mod manifest;
mod profile;

pub use check::*;
pub use install::*;
pub use log_message::*;
pub use manifest::*;
pub use profile::*;

/// JSON Schema (draft 2020-12) of [`Manifest`], profile included: `wit/manifest.schema.json`, which
/// `cargo run -p dapdock-schema --example manifest` writes.
#[cfg(feature = "schema")]
pub fn manifest_schema() -> serde_json::Value {
    schemars::schema_for!(Manifest).to_value()
}

#[cfg(all(test, feature = "schema"))]
mod tests {
    #[test]
    fn the_published_schema_is_that_of_the_types() {
        let published = serde_json::from_str::<serde_json::Value>(include_str!("../../../wit/manifest.schema.json"));
        assert_eq!(published.unwrap(), super::manifest_schema(), "cargo run -p dapdock-schema --example manifest");
    }
}
