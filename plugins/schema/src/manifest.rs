//! The manifest: static facts about a plugin and its adapter.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::dap::{event, request};
use crate::{Check, Install, Need, Profile, VersionProbe};

/// Identity, claims and permissions of a plugin. Read once per component digest with all imports
/// denied, then cached.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Manifest {
    /// Short name, `[a-z][a-z0-9-]*`, as in `builtin:NAME` and `adapter`.
    pub name: String,
    /// One line for display: "Python through debugpy".
    pub title: String,
    /// What this plugin claims; the host selects plugins by it without calling the guest.
    pub languages: Vec<Language>,
    /// Programs that the plugin may look up with `find-executable`; the first is the adapter.
    pub tools: Vec<Tool>,
    /// Pinned installs of tools; nothing is installed without a request.
    pub installs: Vec<Install>,
    /// Programs that show whether the adapter works: the first one whose needs are met is used,
    /// else the first.
    pub checks: Vec<Check>,
    /// How to find the version of the adapter.
    pub version: Option<VersionProbe>,
    /// The oldest supported versions of other tools.
    pub needs: Vec<Need>,
    /// Commands that the plugin may run on a tool with `executable.probe`.
    pub probes: Vec<Probe>,
    /// All command lines that a plan may contain; any other is rejected.
    pub commands: Vec<CommandTemplate>,
    /// Keys of the launch or attach arguments whose value the adapter executes: the host checks
    /// that the value is a path of an `executable` or one that the caller named.
    pub programs: Vec<String>,
    /// What the plugin may read beyond the workspace.
    pub permissions: Permissions,
    /// JSON Schema of `[adapters.NAME.settings]` and of the `options` of a caller; absent: neither
    /// is accepted.
    pub config_schema: Option<serde_json::Value>,
    /// `resolve` supports the request's `stdin`; otherwise the host rejects it.
    pub stdin: bool,
    /// `resolve` supports an address as target: the adapter attaches to the server there.
    pub addresses: bool,
    /// Programs that listen at such an address, named as in `commands`. If the caller names no
    /// adapter, the one is chosen that knows the listening program.
    pub servers: Vec<String>,
    /// `resolve` supports the option `core` of `config_schema`: the absolute path of a core file
    /// that the target has dumped. Otherwise the plugin is not chosen for a core file.
    pub cores: bool,
    /// Commands that run another command. None is claimed: the host proposes to debug what it runs.
    pub wrappers: Vec<Wrapper>,
    /// How to read configurations of `launch.json` for this adapter.
    pub configurations: Configurations,
    /// Maps the caller's names of exceptions to the adapter's filters.
    pub exceptions: Vec<ExceptionBreak>,
    /// Exception types that may be named besides `exceptions`; absent: none.
    pub exception_types: Option<ExceptionTypes>,
    /// Optional functions that the host calls; it calls no others.
    pub interests: Interests,
    /// Facts about the behaviour of the adapter.
    pub profile: Profile,
    /// Documents for callers about the adapter and its debugger: at most 8.
    pub documents: Vec<Document>,
}

/// A document for callers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Document {
    /// Short name, `[a-z][a-z0-9-]*`: "reference".
    pub name: String,
    /// One line for display.
    pub title: String,
    /// Markdown, at most 24,000 bytes.
    pub text: String,
}

impl Document {
    /// A document of a manifest.
    pub fn new(name: &str, title: &str, text: &str) -> Self {
        Self { name: name.into(), title: title.into(), text: text.into() }
    }
}

/// Owned strings, for the lists of a manifest and a profile.
pub fn words<const N: usize>(words: [&str; N]) -> Vec<String> {
    words.map(String::from).to_vec()
}

/// Owned pairs of strings.
pub fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, String> {
    pairs.map(|(one, other)| (one.to_owned(), other.to_owned())).into()
}

/// Configurations of an editor's `launch.json` for this adapter. The host knows the common keys:
/// `program`, `args`, `cwd`, `env` (an object, or a list of `{"name", "value"}`), `envFile`,
/// `stopOnEntry`; for attach `processId`, `host` and `port`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Configurations {
    /// Values of `type`.
    pub types: Vec<String>,
    /// Other names of the common keys; `a.b` is the key `b` in the object `a`.
    pub names: BTreeMap<String, String>,
    /// Keys that are options of `config_schema`, with their names there. `launch.KEY` and
    /// `attach.KEY` apply to that request alone.
    pub options: BTreeMap<String, String>,
    /// Keys with values that describe the default behaviour: they are accepted. `launch.KEY` and
    /// `attach.KEY` apply to that request alone.
    pub implied: BTreeMap<String, Vec<String>>,
    /// Keys that make a command line instead of a program; the first match is used.
    pub commands: Vec<ConfiguredCommand>,
}

/// A key of a configuration that makes a command line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ConfiguredCommand {
    /// The key.
    pub key: String,
    /// Only if it has this value; absent: any value.
    pub value: Option<String>,
    /// The command line; `{key}` is replaced by the text of a key, or by the items of its list. If
    /// the key is absent, the option before it is left out. `args` follow.
    pub words: Vec<String>,
}

/// A command that runs another command: `uv run --with LIBRARY COMMAND`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Wrapper {
    /// Its first words: `uv`, `run`.
    pub words: Vec<String>,
    /// Options whose value is the next word.
    pub values: Vec<String>,
}

/// What a plugin claims for one language.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Language {
    /// Lower-case name: "python".
    pub name: String,
    /// File extensions without the dot. They claim targets; a breakpoint in a file that only
    /// another adapter claims is refused.
    pub extensions: Vec<String>,
    /// First words of a command line, without a version suffix: "python" claims `python`, `python3`
    /// and `python3.12`.
    pub commands: Vec<String>,
    /// File names that mark a project of this language: "pyproject.toml". For files that no
    /// manifest claims, except executables, the host then calls `detect`.
    pub project_files: Vec<String>,
    /// Files that make a directory a program: a file name (`__main__.py`), `*.` and an extension,
    /// or a JSON file and after `#` the pointer of a string in it (`package.json#/main`; RFC 6901).
    /// If no plugin has an entry there, `project_files` count.
    pub entries: Vec<String>,
    /// Claims executables (ELF, Mach-O, PE) that no other manifest claims more specifically; with
    /// `compilers` only those of these compilers. `detect` may return a higher score.
    pub executables: bool,
    /// For executables: only if no other plugin with an installed tool claims them.
    pub fallback: bool,
    /// Claims a test by name if there is one of `project_files`; it arrives as `target-ref.id`.
    pub named_tests: bool,
    /// A command line that runs one test, with `{test}` for its name: proposed for a test that no
    /// plugin claims.
    pub test_command: Option<String>,
    /// Names of sections that only this language's compilers write, on all platforms: an executable
    /// with one of them is claimed.
    pub sections: Vec<String>,
    /// Beginnings of what this language's compilers write about themselves into executables (the
    /// section `.comment` of ELF). Such an executable is claimed before the plugins that claim
    /// executables in general.
    pub compilers: Vec<String>,
}

/// A program that the plugin may have started.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Tool {
    /// The name for `find-executable` and `[tools.NAME]`.
    pub name: String,
    /// Names to look up on PATH, in order; empty: `name` itself.
    pub candidates: Vec<String>,
    /// Environment variables that may hold its path, in order; after the configuration.
    pub variables: Vec<String>,
    /// Editor extensions that contain it, as `PUBLISHER.NAME/PATH`; the newest is used if no other
    /// place has the tool.
    pub extensions: Vec<String>,
    /// Another tool runs it: a path in the user's configuration need not be executable.
    pub script: bool,
    /// How to get it: one command or sentence, displayed if it is missing.
    pub install: String,
}

/// A command with fixed arguments and limits that a plugin may run on a tool. It starts in a folder
/// outside of every project.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Probe {
    /// The name for `executable.probe`.
    pub id: String,
    /// The tool that is run.
    pub tool: String,
    /// All arguments.
    pub args: Vec<String>,
    /// Environment variables to remove: those by which a project loads code into the tool.
    pub unset: Vec<String>,
    /// Time limit in milliseconds; 0: the host's default.
    pub timeout_ms: u32,
    /// The output changes only with the tool's file, like a version: it is stored on disk until
    /// that file changes.
    pub stored: bool,
}

/// A pattern of command lines. The program is the tool's executable; each argument of the plan must
/// match the pattern at its position: `{}` in a pattern matches any text, and a last pattern
/// `{...}` any further arguments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct CommandTemplate {
    /// The name of a tool, or `build-output` or `workspace` for executables from there.
    pub tool: String,
    /// One pattern for each argument.
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

/// A name for exceptions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExceptionBreak {
    /// `uncaught`, `all`, `panic`, or a name of the adapter's own.
    pub name: String,
    /// Filters of `setExceptionBreakpoints`.
    pub filters: Vec<String>,
    /// Set if the caller gives none.
    pub default: bool,
}

/// Exceptions by the names of their types. They are passed to `translate.exception-filters`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExceptionTypes {
    /// A regular expression that matches all type names, and no name in `exceptions`.
    pub pattern: String,
    /// Examples for the caller: "KeyError, json.JSONDecodeError".
    pub examples: String,
}

/// The optional functions that the host calls.
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
    /// Functions of `present`: `variables`, `frames`, `stop`, `threads`.
    pub present: Vec<String>,
    /// Functions of `translate`: `evaluation-text`, `breakpoint`, `exception-filters`.
    pub translate: Vec<String>,
}

impl Interests {
    /// The keys for messages with their names, and the names of the specification.
    pub fn messages(&self) -> [(&'static str, &[String], &'static [&'static str]); 3] {
        [
            ("requests", &self.requests, request::COMMANDS),
            ("responses", &self.responses, request::COMMANDS),
            ("events", &self.events, event::EVENTS),
        ]
    }
}
