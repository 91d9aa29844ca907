//! What the plugin for Go knows of the language: build constraints, options of `go`, kinds
//! of tests, subtests in sources, calls in expressions, and texts of types and values, with words
//! for those of the standard library.
//!
//! Reads texts. Knows no debugger and no project: those belong to the plugin.

pub mod calls;
pub mod code;
pub mod functions;
pub mod numbers;
pub mod options;
pub mod panics;
pub mod paths;
pub mod quotes;
pub mod scan;
pub mod subtests;
pub mod tags;
pub mod test_kinds;
pub mod types;
pub mod words;
