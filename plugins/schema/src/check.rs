//! What shows that an adapter works: a tiny program, where it stops, and a value there; and what it
//! must be for that.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A tiny program that `dapdock doctor` debugs in an empty directory: it launches it, waits for
/// the breakpoint and compares a local.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Check {
    /// Tools of the manifest that it takes beside the adapter, by name.
    pub needs: Vec<String>,
    /// The program's files by their paths.
    pub files: BTreeMap<String, String>,
    /// The command line that is launched, in words; empty: `file` itself.
    pub command: Vec<String>,
    /// The file of the breakpoint.
    pub file: String,
    /// The line of the breakpoint, from 1.
    pub line: u32,
    /// A local of the function it stops in.
    pub local: String,
    /// Its value there, as the adapter tells it.
    pub value: String,
}

/// How the adapter's version is found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct VersionProbe {
    /// The probe whose answer, standard output first, tells it; empty: a file does.
    pub probe: String,
    /// Files that tell it, the first that there is: paths from the directory of the first of
    /// `tools`, or `{tool}`, which is that tool itself.
    pub files: Vec<String>,
    /// A regular expression whose first group is the version.
    pub pattern: String,
    /// The first that is an adapter, numbers with dots between them: one that is older is passed
    /// over where another plugin debugs the same. Empty: any is.
    pub oldest: String,
}

/// The least version of a tool that is no adapter: of what runs the adapter, or the program.
/// Nothing is asked as long as all goes well: where a start fails in which the tool was used, that
/// it is too old is told as the cause.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Need {
    /// The probe whose answer, standard output first, tells the version of its tool.
    pub probe: String,
    /// A library of the tool's whose version it is; empty: the tool's own.
    pub library: String,
    /// A regular expression whose first group is the version.
    pub pattern: String,
    /// The first that will do, numbers with dots between them.
    pub oldest: String,
    /// What helps where it is older: one command or sentence.
    pub install: String,
}
