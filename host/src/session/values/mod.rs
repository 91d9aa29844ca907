//! Reading and assigning values.
//!
//! One way down, in reading order: [`query`] answers a caller; [`scope`] lists a frame's scopes
//! (where the locals of a stop begin); [`walk`] follows a [`path`] from there; [`mapping`] finds
//! the value of a key, [`elements`] a page of a container; [`expressions`] answers expressions, by
//! [`evaluate`] or as [`named`] values; [`address`] reads what a pointer holds; [`children`] lists
//! what is inside a variable as the plugin presents it, [`below`] what is inside those; [`pages`]
//! and [`raw`] send the `variables` requests. [`assign`] goes the same way and then sets a value.
//! [`convert`] turns DAP's types into the model's, and [`shadows`] finds the variables of one stop
//! in another. The locals of a stop go [`scope`], [`children`],
//! [`raw`], [`convert`]; their previews come by [`pages`] or [`raw`].
//!
//! Knows DAP's variables, the adapter's quirks and the plugin's hooks for them. Knows no session
//! state.

pub(crate) mod address;
pub(crate) mod assign;
pub(crate) mod below;
pub(crate) mod children;
pub(crate) mod convert;
pub(crate) mod elements;
mod error;
pub(crate) mod evaluate;
pub(crate) mod expressions;
pub(crate) mod mapping;
pub(crate) mod named;
pub(crate) mod pages;
pub(crate) mod path;
pub(crate) mod query;
pub(crate) mod raw;
pub(crate) mod reader;
pub(crate) mod scope;
pub(crate) mod shadows;
pub(crate) mod walk;

pub use error::Error;
