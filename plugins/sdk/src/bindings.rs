//! Code generated from `wit/`, one module for each world so that a component exports exactly the
//! interfaces it names. Nothing here is written by hand.
#![allow(
    missing_docs,
    unsafe_code,
    unused_qualifications,
    clippy::all,
    reason = "generated from wit/, which carries the documentation"
)]

/// The required world, which owns the shared types.
pub mod adapter {
    wit_bindgen::generate!({ path: "../../wit", world: "plugin", pub_export_macro: true });
}

macro_rules! optional {
    ($module:ident, $world:literal) => {
        /// An optional world.
        pub mod $module {
            wit_bindgen::generate!({
                path: "../../wit",
                world: $world,
                pub_export_macro: true,
                with: {
                    "dapdock:plugin/types@0.2.0": crate::bindings::types,
                    "dapdock:plugin/host@0.2.0": crate::bindings::host,
                },
            });
        }
    };
}

optional!(hooks, "plugin-hooks");
optional!(present, "plugin-present");
optional!(translate, "plugin-translate");

pub use adapter::dapdock::plugin::{host, types};
