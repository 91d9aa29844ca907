//! Names, arguments and answers of other debug servers: toolsets `compat:FAMILY`.
//!
//! Each name is a tool of its own that runs tools of ours and writes what they came to in the
//! documented form. Knows no session and no debugger: what a documented name needs and our tools
//! lack is added to our tools first, unlisted.
//!
//! # Adding a family
//!
//! 1. A file or folder `NAME.rs` here with `pub const FAMILY: Family`: the toolset and its names,
//!    sorted; a row in [`FAMILIES`].
//! 2. For each name an argument struct (doc comments with unit and default are the descriptions),
//!    `impl Tool` as in `mcp/tools`, with `TOOLSET`, and `impl Compatible`: `ours` returns the call
//!    of our tool that does the job. The error for a name that is off proposes that call, so it is
//!    complete without anything that `run` adds.
//! 3. `run` calls [`forward`] once, or [`run`] for each of several calls. [`Answer`] has the reply
//!    (text, outcome) and `data()`, the structured result as JSON. Errors are passed on: return the
//!    reply.
//! 4. `FORM` is `Form::Text` where the documented answer is our text: `Data` is that of our tool,
//!    and the outcome is passed on. It is `Form::Json` where the answer is JSON with status, data,
//!    error and context. It is `Form::Own(failure)` where the answer is JSON of another form:
//!    `Data` is the type of the whole answer, `run` returns `Reply::own(value, is_error)`, and
//!    `failure` writes errors of arguments and of our tools.
//! 5. State between calls: `call.memory.of::<T>()` is one `T` for each caller.
//! 6. Resources and prompts: rows as those of `net`, which [`resources()`] and [`prompts()`] list.
//! 7. Tests: the table of `tests.rs` for `ours`; `tests/real/compat` for every name with a real
//!    debugger; a flow in `examples/compat`. `README.md` names the family.

mod gdb;
mod go;
mod net;
mod nothing;
mod ours;
mod resources;
mod rust;
#[cfg(test)]
mod tests;
mod viewport;

use serde_json::{Map, Value};

pub(super) use nothing::Nothing;
pub(super) use ours::{Answer, Ours, forward, run, run_in};
pub(super) use resources::{Follows, Resource};

use super::arguments;
use super::declared::{Declared, Toolset};
use super::prompts::declared::Declared as Prompt;
use super::registry::Registered;
use super::tool::Tool;

/// All families, in order of their names.
pub(super) const FAMILIES: &[Family] =
    &[gdb::FAMILY, go::FAMILY, net::FAMILY, rust::FAMILY, viewport::FAMILY];

/// The names of one debug server.
pub(super) struct Family {
    pub toolset: Toolset,
    /// Sorted.
    pub names: &'static [Name],
}

/// A tool with the name and the answers of another server's.
pub(super) trait Compatible: Tool {
    /// The call of ours that does the job.
    fn ours(arguments: &Self::Arguments) -> Ours;
}

/// A [`Compatible`] without its type.
pub(super) struct Name {
    pub tool: Registered,
    ours: fn(Map<String, Value>) -> Option<Ours>,
}

impl Name {
    const fn of<T: Compatible>() -> Self {
        let ours = |arguments| {
            serde_json::from_value(Value::Object(arguments)).ok().map(|typed| T::ours(&typed))
        };
        Self { tool: Registered::of::<T>(), ours }
    }

    /// The call of ours in place of a call with these arguments; with those of the example in place
    /// of what does not fit.
    pub fn replacement(&'static self, given: &Map<String, Value>) -> Option<Ours> {
        let tool = &self.tool.declared;
        let fitting = arguments::fit(tool, given.clone()).unwrap_or_else(|_| {
            let intended = arguments::intended(tool, given.clone());
            let example = || serde_json::from_str(tool.example).unwrap_or_default();
            if intended.is_empty() { example() } else { intended }
        });
        (self.ours)(fitting)
    }
}

/// The declarations of all tools of families.
pub fn of_families() -> impl Iterator<Item = &'static Declared> {
    names().map(|name| &name.tool.declared)
}

/// The names of all families.
pub(super) fn names() -> impl Iterator<Item = &'static Name> {
    FAMILIES.iter().flat_map(|family| family.names)
}

/// The resources of all families.
pub(super) fn resources() -> impl Iterator<Item = &'static Resource> {
    net::RESOURCES.iter()
}

/// The prompts of all families.
pub(super) fn prompts() -> impl Iterator<Item = &'static Prompt> {
    net::PROMPTS.iter()
}

/// The template of the sources of the current session's program, with the family that has it.
pub(super) const SOURCE: (Toolset, &str) = (net::TOOLSET, "debugger://source/{+file}");

impl Resource {
    /// The tool that makes its text.
    pub fn registered(&self) -> Option<&'static Registered> {
        let family = FAMILIES.iter().find(|family| family.toolset == self.toolset)?;
        let mut tools = family.names.iter().map(|name| &name.tool);
        tools.find(|tool| tool.declared.name == self.tool)
    }
}
