//! How strongly an adapter claims a target, from the weakest to the strongest.

/// A claim by a table, without asking the plugin.
pub(crate) const TABLE: u8 = 90;

/// A claim of what a compiler of the language has made.
pub(crate) const COMPILED: u8 = 70;

/// A claim of machine code, by a table too: whoever knows the language knows better.
pub(crate) const MACHINE_CODE: u8 = 50;

/// A claim of machine code by who steps back where another claims it.
pub(crate) const FALLBACK: u8 = 40;
