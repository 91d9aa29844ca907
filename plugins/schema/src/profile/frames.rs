//! How an adapter reports frames, threads and sources.

use serde::{Deserialize, Serialize};

/// Frames, threads and sources.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct FrameProfile {
    /// Which frames are not user code.
    pub library: LibraryRule,
    /// What the adapter appends to the name of a frame or an exception; the name is cut there.
    pub suffixes: Vec<String>,
    /// For which debuggee the adapter answers `threads` and `stackTrace`.
    pub stacks: Stacks,
    /// `threads` lists about this many threads at most: if the list is full, there may be others.
    pub threads_at_most: Option<u32>,
    /// How to find out why a thread waits.
    pub waits: Option<Box<Waits>>,
    /// Whether loaded files may be generated from other sources.
    pub sources: Sources,
}

/// For which debuggee the adapter answers `threads` and `stackTrace`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Stacks {
    /// A stopped one.
    #[default]
    Stopped,
    /// A running one, too.
    Running,
}

/// Whether loaded files may be generated from other sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Sources {
    /// No.
    #[default]
    Own,
    /// Yes, with a source map next to them (ECMA-426: `//# sourceMappingURL`, `FILE.map`): the host
    /// compares those sources with the generated files.
    Mapped,
}

/// How to find out why a thread waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Waits {
    /// The function at the top of each waiting thread; empty: any function of a library.
    pub function: String,
    /// An expression for the reason, evaluated there: a string, with or without quotes.
    pub reason: String,
}

/// Which frames are not user code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct LibraryRule {
    /// Parts of source paths.
    pub paths: Vec<String>,
    /// Beginnings of function names.
    pub functions: Vec<String>,
    /// Beginnings of module paths; the program's own file never matches.
    pub modules: Vec<String>,
}
