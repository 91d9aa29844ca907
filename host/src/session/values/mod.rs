//! Reading and assigning values: scopes, paths, children, elements, expressions.
//!
//! Knows DAP's variables and the plugin's opinion about them. Knows no session state.

pub(crate) mod assign;
pub(crate) mod children;
pub(crate) mod convert;
pub(crate) mod elements;
pub(crate) mod inspect;
pub(crate) mod mapping;
pub(crate) mod path;
