//! What the plugin for Go knows of the language: build constraints, subtests in sources, and texts
//! of types and values, with words for those of the standard library.
//!
//! Reads texts. Knows no debugger and no project: those belong to the plugin.

pub mod functions;
pub mod paths;
pub mod quotes;
pub mod scan;
pub mod subtests;
pub mod tags;
pub mod types;
pub mod words;
