//! The parts of the plugin interface that are expected to grow: the manifest, the profile and the
//! bodies of DAP messages ([`dap`]). They cross the interface as JSON, because a WIT record cannot
//! gain a field without breaking older plugins; both sides use these structs, and `manifest_schema`
//! and `dap::schema` (feature `schema`) publish their JSON Schema.
//!
//! Knows no WIT, no framing of DAP and no wasmtime. Unknown keys of a manifest are rejected, so
//! that a misspelt key is an error and never silently ignored.

mod check;
pub mod dap;
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
/// `cargo run -p dapdock-schema --example schemas` writes.
#[cfg(feature = "schema")]
pub fn manifest_schema() -> serde_json::Value {
    schemars::schema_for!(Manifest).to_value()
}

#[cfg(all(test, feature = "schema"))]
mod tests {
    #[test]
    fn the_published_schemas_are_those_of_the_types() {
        let manifest = include_str!("../../../wit/manifest.schema.json");
        let dap = include_str!("../../../wit/dap.schema.json");
        for (published, types) in
            [(manifest, super::manifest_schema()), (dap, super::dap::schema())]
        {
            let published: serde_json::Value = serde_json::from_str(published).unwrap();
            assert_eq!(published, types, "cargo run -p dapdock-schema --example schemas");
        }
    }
}
