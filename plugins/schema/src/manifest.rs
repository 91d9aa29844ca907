//! The manifest: everything about an adapter that a table can say.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Check, Install, Need, Profile, VersionProbe};

/// Identity, claims and permissions of a plugin. Read once per component
/// digest with every import refused, cached, and shown for consent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Manifest {
    /// Short name, `[a-z][a-z0-9-]*`: what `builtin:NAME` and `adapter` say.
    pub name: String,
    /// One line for people: "Python through debugpy".
    pub title: String,
    /// What this plugin claims; selection needs no guest code.
    pub languages: Vec<Language>,
    /// Programs the plugin may ask for with `find-executable`; the first is the adapter's own.
    pub tools: Vec<Tool>,
    /// Where the host can get tools from, pinned; nothing is installed unasked.
    pub installs: Vec<Install>,
    /// What shows that the adapter works: the first for which there is what it needs, else the
    /// first.
    pub checks: Vec<Check>,
    /// How the adapter's version is found out.
    pub version: Option<VersionProbe>,
    /// How old the tools may be that it runs with.
    pub needs: Vec<Need>,
    /// Questions the plugin may ask of a tool with `executable.probe`.
    pub probes: Vec<Probe>,
    /// Every command line that a plan may contain; anything else is refused.
    pub commands: Vec<CommandTemplate>,
    /// Keys of the launch or attach arguments whose value the adapter executes:
    /// the host checks that they hold a path it minted or the caller named.
    pub programs: Vec<String>,
    /// What the plugin may read beyond the workspace.
    pub permissions: Permissions,
    /// JSON Schema of `[adapters.NAME.settings]` and of the `options` a caller
    /// may pass; absent: neither is accepted.
    pub config_schema: Option<serde_json::Value>,
    /// `resolve` heeds the request's `stdin`; else one is refused.
    pub stdin: bool,
    /// `resolve` heeds a target that is an address: the adapter attaches to what listens there.
    pub addresses: bool,
    /// Programs that listen at such an address, named as `commands` are: who is told no adapter
    /// takes the one that knows the program there.
    pub servers: Vec<String>,
    /// `resolve` heeds `core` of `config_schema`: the absolute path of a core file, which the
    /// program that is the target has dumped. Without it a launch with a core file is not this
    /// plugin's.
    pub cores: bool,
    /// How configurations of `launch.json` for this adapter are read.
    pub configurations: Configurations,
    /// How the caller's words for exceptions become the adapter's filters.
    pub exceptions: Vec<ExceptionBreak>,
    /// Types of exceptions that may be named beside those words; absent: none may.
    pub exception_types: Option<ExceptionTypes>,
    /// Optional functions the host shall call; nothing else is called.
    pub interests: Interests,
    /// Facts about the adapter, quirks as data.
    pub profile: Profile,
}

/// Owned words, as the lists of a manifest and a profile want them.
pub fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(String::from).to_vec()
}

/// Owned pairs of words, likewise.
pub fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, String> {
    pairs.map(|(one, other)| (one.to_owned(), other.to_owned())).into()
}

/// Configurations of an editor's `launch.json` that are this adapter's. What all debuggers share is
/// known without: `program`, `args`, `cwd`, `env` (an object, or a list of `{"name", "value"}`),
/// `envFile`, `stopOnEntry`; attaching, `processId`, `host` and `port`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Configurations {
    /// Values of `type`.
    pub types: Vec<String>,
    /// Other names of the shared keys, with the shared ones; `a.b` is the key `b` in the object
    /// `a`.
    pub names: BTreeMap<String, String>,
    /// Keys that are options of `config_schema`, with their names there. `launch.KEY` and
    /// `attach.KEY` are of that request alone.
    pub options: BTreeMap<String, String>,
    /// Keys with values that say what is done anyway: they are heeded. Of one request alone as
    /// well.
    pub implied: BTreeMap<String, Vec<String>>,
    /// Keys that make a command line instead of a program; the first that fits counts.
    pub commands: Vec<ConfiguredCommand>,
}

/// A key of a configuration that makes a command line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ConfiguredCommand {
    /// The key.
    pub key: String,
    /// Only where it has this value; absent: any.
    pub value: Option<String>,
    /// The command line; `{key}` stands for a key's text, or for the words of its list. An option
    /// before a key that is not there goes with it. `args` follow.
    pub words: Vec<String>,
}

/// What a plugin claims for one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Language {
    /// Lower-case name: "python".
    pub name: String,
    /// File extensions without the dot.
    pub extensions: Vec<String>,
    /// First words of a command line, without a version suffix: "python"
    /// claims `python`, `python3` and `python3.12`.
    pub commands: Vec<String>,
    /// File names that mark a project of this language: "pyproject.toml". Of files that no table
    /// claims, but for executables of the machine, the plugin is asked by `detect`.
    pub project_files: Vec<String>,
    /// What makes a directory a program of the language, where there is one of these in it: a
    /// file's name (`__main__.py`), `*.` and an extension, or a JSON file's name and behind `#`
    /// where in it a text stands (`package.json#/main`; RFC 6901). Where nobody's is there, those
    /// of `project_files` count.
    pub entries: Vec<String>,
    /// Claims executables of the machine (ELF, Mach-O, PE) that no table knows better, where
    /// `compilers` are named only those of theirs; `detect` may claim one more strongly.
    pub executables: bool,
    /// Of executables: only where no other plugin claims them whose tool is there.
    pub fallback: bool,
    /// One test by its name is claimed where there is one of `project_files`; it arrives as
    /// `target-ref.id`.
    pub named_tests: bool,
    /// A command line that runs one test, with `{test}` for its name: told to who names a test that
    /// nobody claims.
    pub test_command: Option<String>,
    /// Names of sections that only this language's compilers write into executables,
    /// all platforms': an executable with one of them is claimed without asking.
    pub sections: Vec<String>,
    /// How this language's compilers begin what they write about themselves into executables (the
    /// section `.comment` of ELF): an executable with such a text is claimed before all who claim
    /// executables for their machine code.
    pub compilers: Vec<String>,
}

/// A program the plugin may have started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Tool {
    /// The name in `find-executable` and in `[tools.NAME]`.
    pub name: String,
    /// Names looked up on PATH, in order; empty: `name` itself.
    pub candidates: Vec<String>,
    /// Another tool runs it: where the user's configuration names it, it need not be executable.
    pub script: bool,
    /// How to get it: one command or sentence, shown when it is missing.
    pub install: String,
}

/// Fixed arguments and limits of one question to a tool, which starts in a folder of no project.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Probe {
    /// The name in `executable.probe`.
    pub id: String,
    /// The tool it is put to.
    pub tool: String,
    /// The whole argument list.
    pub args: Vec<String>,
    /// Environment variables that are removed: those by which a project loads code into the tool.
    pub unset: Vec<String>,
    /// Time limit in milliseconds; 0: the host's own.
    pub timeout_ms: u32,
    /// The answer changes with the tool's file alone, as a version does: it is kept on disk until
    /// that file changes.
    pub kept: bool,
}

/// One shape of command line. The program is the tool's executable; each
/// argument of the plan must equal the pattern at its place, where `{}` inside
/// a pattern stands for any text and a last pattern `{...}` for any further
/// arguments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CommandTemplate {
    /// A tool's name, or `build-output` or `workspace` for handles minted there.
    pub tool: String,
    /// Patterns, one an argument.
    pub args: Vec<String>,
}

/// What a plugin may read beyond the workspace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Permissions {
    /// Names of environment variables.
    pub env: Vec<String>,
}

/// One of the caller's words for exceptions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExceptionBreak {
    /// `uncaught`, `all`, `panic`, or a word of the adapter's own.
    pub name: String,
    /// Filters of `setExceptionBreakpoints`.
    pub filters: Vec<String>,
    /// Set when the caller says nothing.
    pub default: bool,
}

/// Exceptions by the names of their types. They arrive at `translate.exception-filters`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExceptionTypes {
    /// A regular expression of all that may be one, and of no word of `exceptions`.
    pub pattern: String,
    /// Some, for the caller: "KeyError, json.JSONDecodeError".
    pub examples: String,
}

/// Names of the optional functions that are wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Interests {
    /// Commands for `hooks.on-request`.
    pub requests: Vec<String>,
    /// Commands for `hooks.on-response`.
    pub responses: Vec<String>,
    /// Events for `hooks.on-event`.
    pub events: Vec<String>,
    /// Functions of `present`: `variables`, `frames`, `stop`, `threads`, `explain`.
    pub present: Vec<String>,
    /// Functions of `translate`: `evaluation-text`, `breakpoint`, `exception-filters`.
    pub translate: Vec<String>,
}
