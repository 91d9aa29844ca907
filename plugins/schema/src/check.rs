//! Facts for checking an adapter: a small program with a breakpoint and a value, and required
//! versions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A small program that `dapdock doctor` debugs in an empty directory: it launches the program,
/// waits for the breakpoint and compares a local variable.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Check {
    /// Tools of the manifest that the check needs besides the adapter, by name.
    pub needs: Vec<String>,
    /// The program's files by path.
    pub files: BTreeMap<String, String>,
    /// The command line to launch, as words; empty: `file` itself.
    pub command: Vec<String>,
    /// The file of the breakpoint.
    pub file: String,
    /// The line of the breakpoint, from 1.
    pub line: u32,
    /// A local variable of the function at the breakpoint.
    pub local: String,
    /// Its value there, as the adapter reports it.
    pub value: String,
}

/// How to find the version of the adapter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct VersionProbe {
    /// The probe whose output has the version, standard output first; empty: a file has it.
    pub probe: String,
    /// Files that have the version, of which the first existing one is read: paths relative to the
    /// directory of the first of `tools`, or `{tool}`, which is that tool itself.
    pub files: Vec<String>,
    /// A regular expression whose first group is the version.
    pub pattern: String,
    /// The oldest supported version, as numbers with dots. An older adapter is skipped if another
    /// plugin debugs the same target. Empty: all versions.
    pub oldest: String,
}

/// The oldest supported version of a tool other than the adapter, which runs the adapter or the
/// program. Checked only after a failed start that used the tool: then the error says that it is
/// too old.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Need {
    /// The probe whose output has the tool's version, standard output first.
    pub probe: String,
    /// A library of the tool whose version it is; empty: the tool itself.
    pub library: String,
    /// A regular expression whose first group is the version.
    pub pattern: String,
    /// The oldest supported version, as numbers with dots.
    pub oldest: String,
    /// How to get a newer version: one command or sentence.
    pub install: String,
}
