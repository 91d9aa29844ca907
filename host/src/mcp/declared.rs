//! Declaration of a tool: name, texts, hints and schema of its arguments.
//!
//! Refuses to know what a tool does.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::schema;
use super::verb::Verb;
use crate::view::ErrorText;

/// What a client may assume about a tool. No tool reaches beyond this machine's debuggees:
/// `openWorldHint` is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Changes nothing.
    Reads,
    /// Adds something; the same call again adds nothing.
    Sets,
    /// Resumes the debuggee; the same call again resumes it further.
    Moves,
    /// Ends or overwrites something.
    Destroys,
}

/// A group of tools with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Toolset {
    /// On unless toolsets or tools are chosen.
    Default,
    /// What the debugger itself offers, as it offers it.
    Raw,
    /// The names, arguments and answers of another debug server.
    Family(&'static str),
}

impl Toolset {
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Raw => "raw",
            Self::Family(name) => name,
        }
    }
}

/// The form of a tool's results.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// Text. As data: status, data, error and context.
    Text,
    /// The same data, as JSON in place of the text too.
    Json,
    /// JSON of a form of its own, and its form of an error.
    Own(fn(&ErrorText) -> Value),
}

/// A tool as callers see it.
pub struct Declared {
    /// `debug_step`.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// For the model.
    pub description: &'static str,
    pub(super) toolset: Toolset,
    pub(super) effect: Effect,
    /// On the command line.
    pub verb: Option<Verb>,
    pub(super) form: Form,
    /// Arguments of a call that works, for errors and tests: a JSON object.
    pub(super) example: &'static str,
    /// Arguments that are accepted and not listed.
    pub(super) unlisted: &'static [&'static str],
    pub(super) arguments: Arguments,
    /// JSON Schema of results with data.
    pub(super) output: fn() -> Map<String, Value>,
}

/// The type of a tool's arguments.
pub(super) struct Arguments {
    schema: fn() -> Map<String, Value>,
    parse: fn(Map<String, Value>) -> bool,
}

impl Arguments {
    pub const fn of<T: DeserializeOwned + JsonSchema>() -> Self {
        Self {
            schema: schema::of::<T>,
            parse: |arguments| serde_json::from_value::<T>(Value::Object(arguments)).is_ok(),
        }
    }
}

impl Declared {
    /// The name of its toolset.
    pub fn toolset(&self) -> &'static str {
        self.toolset.name()
    }

    /// JSON Schema of the arguments.
    pub fn schema(&self) -> Map<String, Value> {
        (self.arguments.schema)()
    }

    /// Names of all arguments, unlisted ones included.
    pub(super) fn argument_names(&self) -> Vec<String> {
        let schema = self.schema();
        let listed = schema.get("properties").and_then(Value::as_object);
        let mut names: Vec<String> =
            listed.into_iter().flat_map(|listed| listed.keys().cloned()).collect();
        names.extend(self.unlisted.iter().map(|name| (*name).to_owned()));
        names
    }

    /// Arguments that are accepted and not listed.
    pub fn unlisted(&self) -> &'static [&'static str] {
        self.unlisted
    }

    /// Whether it takes this argument, listed or not.
    pub fn has_argument(&self, name: &str) -> bool {
        self.argument_names().iter().any(|known| known == name)
    }

    /// Have these the types of the arguments?
    pub(super) fn parses(&self, fitting: Map<String, Value>) -> bool {
        (self.arguments.parse)(fitting)
    }
}
