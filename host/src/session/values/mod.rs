//! Reading and assigning values: scopes, paths, children, elements, expressions.
//!
//! Knows DAP's variables and the plugin's opinion about them. Knows no session state.

pub(crate) mod assign;
pub(crate) mod children;
pub(crate) mod convert;
pub(crate) mod elements;
pub(crate) mod evaluate;
pub(crate) mod frame;
pub(crate) mod mapping;
pub(crate) mod pages;
pub(crate) mod path;
pub(crate) mod query;
pub(crate) mod raw;
pub(crate) mod scope;
pub(crate) mod walk;
