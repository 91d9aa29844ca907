//! Errors of plugin calls: defects of a plugin and invalid requests, as facts.

use std::path::PathBuf;
use std::time::Duration;

use crate::model::Fault;
use crate::model::answer::{Refusal, RefusalKind};

/// A plugin call that failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("plugin {plugin}: {cause}")]
pub struct Error {
    /// The adapter's name in the configuration.
    pub plugin: String,
    /// What is wrong.
    pub cause: Box<Cause>,
}

impl Error {
    pub(super) fn new(plugin: &str, cause: impl Into<Cause>) -> Self {
        Self { plugin: plugin.to_owned(), cause: Box::new(cause.into()) }
    }

    /// Who is at fault: a plugin's own refusal is the caller's.
    pub fn fault(&self) -> Fault {
        match &*self.cause {
            Cause::Refused(refusal) if refusal.kind != RefusalKind::Internal => Fault::Caller,
            Cause::UnknownAdapter { .. }
            | Cause::Settings { .. }
            | Cause::Language { .. }
            | Cause::Options { .. } => Fault::Caller,
            Cause::Unreadable { .. } => Fault::Caller,
            Cause::Engine { .. } => Fault::Host,
            _ => Fault::Plugin,
        }
    }

    /// The key of the caller's `options` that is wrong, whether the plugin has it, and the key
    /// that was probably intended.
    pub fn option(&self) -> Option<(&str, bool, Option<&str>)> {
        match &*self.cause {
            Cause::Options { field, known, intended, .. } => {
                let key = field.split(['.', '[']).next().filter(|key| !key.is_empty())?;
                Some((key, *known, intended.as_deref()))
            }
            _ => None,
        }
    }

    /// The plugin's own words, when it refused.
    pub fn refusal(&self) -> Option<&Refusal> {
        match &*self.cause {
            Cause::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}

/// Why a plugin call failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Cause {
    /// The plugin understood and says no.
    #[error(transparent)]
    Refused(Box<Refusal>),
    /// No adapter of this name is configured.
    #[error("no such adapter; there are {}", known.join(", "))]
    UnknownAdapter {
        /// The names there are.
        known: Vec<String>,
    },
    /// Its file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// Not WebAssembly, or a core module.
    #[error("not a component: {found}")]
    NotAComponent {
        /// What it is instead.
        found: &'static str,
    },
    /// WebAssembly that does not validate or compile.
    #[error("does not compile: {reason}")]
    Invalid {
        /// The compiler's words.
        reason: String,
    },
    /// It imports an interface outside the allowed list.
    #[error("imports {import}, which no plugin may use")]
    ForbiddenImport {
        /// Interface or function.
        import: String,
    },
    /// It was built for another version of the interface.
    #[error("built for version {built} of the plugin interface; this dapdock has version {own}")]
    OtherVersion {
        /// Its version.
        built: String,
        /// That of the host.
        own: &'static str,
    },
    /// It was built against another interface.
    #[error("does not fit {interface}: {reason}")]
    Incompatible {
        /// `dapdock:plugin/adapter@0.2.0`.
        interface: String,
        /// Which export or type differs.
        reason: String,
    },
    /// The manifest cannot be read.
    #[error("manifest: {field}: {reason}")]
    Manifest {
        /// Path of the key.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
    /// `[adapters.NAME.settings]` does not match the manifest's `config_schema`.
    #[error("settings: {field}: {reason}")]
    Settings {
        /// Path of the key.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
    /// `[adapters.NAME] languages` narrows it to one that it does not have.
    #[error("languages: the plugin has no {language:?}; it has {}", known.join(", "))]
    Language {
        /// What was named.
        language: String,
        /// Those of its manifest.
        known: Vec<String>,
    },
    /// The caller's `options` do not match the manifest's `config_schema`.
    #[error("options: {field}: {reason}")]
    Options {
        /// Path of the key.
        field: String,
        /// What is wrong with it.
        reason: String,
        /// The plugin has such a key: its value is wrong.
        known: bool,
        /// The key that was probably intended.
        intended: Option<String>,
    },
    /// The guest trapped or panicked.
    #[error("{function} trapped: {what}{}", chain(frames))]
    Trap {
        /// The function that was called.
        function: &'static str,
        /// The panic's message, or the kind of trap.
        what: String,
        /// The top frames of the guest, innermost first.
        frames: Vec<String>,
    },
    /// It ran for too long.
    #[error("{function} timed out after {} ms", after.as_millis())]
    TimedOut {
        /// The function that was called.
        function: &'static str,
        /// The bound.
        after: Duration,
    },
    /// It exceeded its memory.
    #[error("{function} wanted more than {} MiB of memory", limit >> 20)]
    TooMuchMemory {
        /// The function that was called.
        function: &'static str,
        /// In bytes.
        limit: usize,
    },
    /// It exceeded its number of handles.
    #[error("{function} holds more than {limit} handles")]
    TooManyHandles {
        /// The function that was called.
        function: &'static str,
        /// The limit.
        limit: usize,
    },
    /// It passed too much data to the host in one call.
    #[error("{function} passed more than {} MiB at once", limit >> 20)]
    TooLong {
        /// The function that was called.
        function: &'static str,
        /// In bytes.
        limit: usize,
    },
    /// An answer with an invalid field.
    #[error("{function} answered what does not fit: {field}: {reason}")]
    Answer {
        /// The function that was called.
        function: &'static str,
        /// Path of the field.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An answer that claims a permission it does not have.
    #[error("the answer of {function} is not allowed: {lie}")]
    Lied {
        /// The function that was called.
        function: &'static str,
        /// The claim.
        lie: Lie,
    },
    /// wasmtime could not be set up, or our task was lost.
    #[error("the engine failed: {reason}")]
    Engine {
        /// Its words.
        reason: String,
    },
}

/// A command line; the arguments may be empty.
fn joined(tool: &str, line: &str) -> String {
    [tool, line].join(" ").trim_end().to_owned()
}

/// An unfounded claim of a plugin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lie {
    /// A handle that the host never minted, or that was moved before.
    #[error("a handle that the host did not mint")]
    Handle,
    /// A command line that the manifest does not list.
    #[error("`{}` matches no command of the manifest{}", joined(tool, line), listed(templates))]
    Command {
        /// What the program was minted as.
        tool: String,
        /// The arguments; `…` stands for what is known later.
        line: String,
        /// The tool's commands in the manifest; `{}` stands for any text.
        templates: Vec<String>,
    },
    /// A program that the adapter would run, neither minted nor named by the caller.
    #[error(
        "arguments.{key} names {value:?}, which was neither found by the host \
         nor named by the caller"
    )]
    Program {
        /// The key of the manifest's `programs`.
        key: String,
        /// Its value.
        value: String,
    },
    /// A reference to a name that does not exist.
    #[error("{place} refers to {name:?}, which no step before it provides")]
    Reference {
        /// The field with the reference.
        place: String,
        /// The name.
        name: String,
    },
}

impl From<Refusal> for Cause {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl Cause {
    pub(super) fn answer(
        function: &'static str,
        field: impl Into<String>,
        reason: impl ToString,
    ) -> Self {
        Self::Answer { function, field: field.into(), reason: reason.to_string() }
    }
}

fn chain(frames: &[String]) -> String {
    if frames.is_empty() { String::new() } else { format!(" (in {})", frames.join(" <- ")) }
}

fn listed(templates: &[String]) -> String {
    match templates {
        [] => ", which lists none for this tool".to_owned(),
        [one] => format!(", which lists `{}`", beginning(one)),
        [first, others @ ..] => {
            format!(", which lists `{}` and {} more", beginning(first), others.len())
        }
    }
}

fn beginning(line: &str) -> String {
    const CHARACTERS: usize = 80;
    let mut text: String = line.chars().take(CHARACTERS).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    text
}
