//! Toolsets, and the tools that one server offers.
//!
//! Knows the choice of flags and configuration. Refuses to know where the choice comes from.

use std::fmt::Write;

use serde_json::Value;

use super::call::Reply;
use super::declared::{Declared, Effect, Toolset};
use super::registry::{Registered, registered};
use crate::model::ToolChoice;
use crate::near::nearest;
use crate::session::Shell;
use crate::view::ErrorText;

/// A choice of tools that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// A toolset that does not exist.
    #[error("there is no toolset `{name}`; {}", hint(*near, known))]
    NoSuchToolset {
        /// As the caller wrote it.
        name: String,
        /// All toolsets.
        known: Vec<&'static str>,
        /// The most similar one.
        near: Option<&'static str>,
    },
    /// A tool that does not exist.
    #[error("there is no tool `{name}`; {}", hint(*near, known))]
    NoSuchTool {
        /// As the caller wrote it.
        name: String,
        /// All tools.
        known: Vec<&'static str>,
        /// The most similar one.
        near: Option<&'static str>,
    },
    /// The choice leaves no tool.
    #[error("toolsets, tools, exclude_tools and read_only leave no tool")]
    Nothing,
}

fn hint(near: Option<&str>, known: &[&str]) -> String {
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", known.join(", ")),
    }
}

/// The tools of one server.
#[derive(Clone)]
pub struct Tools {
    chosen: Chosen,
    /// Sorted by name.
    on: Vec<&'static Registered>,
    slim: bool,
    structured: bool,
    shell: Shell,
}

/// A checked choice.
#[derive(Clone)]
struct Chosen {
    toolsets: Vec<Toolset>,
    tools: Vec<&'static str>,
    exclude: Vec<&'static str>,
    read_only: bool,
}

impl Default for Tools {
    /// The default toolset.
    fn default() -> Self {
        Self::of(Chosen {
            toolsets: vec![Toolset::Default],
            tools: Vec::new(),
            exclude: Vec::new(),
            read_only: false,
        })
    }
}

impl Tools {
    /// The tools that a choice leaves: those of its toolsets and those that it names, without the
    /// excluded ones and, if it is read-only, without those that change something.
    ///
    /// # Errors
    /// If it names a toolset or tool that does not exist, or leaves no tool.
    pub fn chosen(choice: &ToolChoice) -> Result<Self, ChoiceError> {
        let toolsets = match (&choice.toolsets, &choice.tools) {
            (None, None) => vec![Toolset::Default],
            (named, _) => named.iter().flatten().map(toolset).collect::<Result<_, _>>()?,
        };
        let tools = Self::of(Chosen {
            toolsets,
            tools: choice.tools.iter().flatten().map(tool).collect::<Result<_, _>>()?,
            exclude: choice.exclude.iter().flatten().map(tool).collect::<Result<_, _>>()?,
            read_only: choice.read_only.unwrap_or_default(),
        });
        if tools.on.is_empty() {
            return Err(ChoiceError::Nothing);
        }
        Ok(Self {
            slim: choice.slim.unwrap_or_default(),
            structured: choice.structured.unwrap_or_default(),
            shell: if choice.allow_shell == Some(true) { Shell::Allowed } else { Shell::Refused },
            ..tools
        })
    }

    fn of(chosen: Chosen) -> Self {
        let on = registered().iter().filter(|tool| chosen.faults(&tool.declared).is_empty());
        Self { on: on.collect(), chosen, slim: false, structured: false, shell: Shell::Refused }
    }

    /// The declarations in order of their names.
    pub(super) fn declared(&self) -> impl Iterator<Item = &'static Declared> {
        self.on.iter().map(|tool| &tool.declared)
    }

    pub(super) fn get(&self, name: &str) -> Option<&'static Registered> {
        self.on.iter().copied().find(|tool| tool.declared.name == name)
    }

    pub(super) fn is_slim(&self) -> bool {
        self.slim
    }

    /// Whether results have data next to the text.
    pub(super) fn is_structured(&self) -> bool {
        self.structured
    }

    /// Whether commands of the debugger may leave it.
    pub(super) fn shell(&self) -> Shell {
        self.shell
    }

    /// The answer to a call of a tool that exists and is off.
    pub(super) fn refusal(&self, tool: &Declared) -> Reply {
        let way_on = self.chosen.faults(tool).join(" and ");
        let cause = format!("{} is off; to have it, start dapdock mcp {way_on}", tool.name);
        let next = self.get("debug_status").or_else(|| self.on.first().copied());
        let next = next.map_or("", |tool| tool.declared.name);
        Reply::error(ErrorText::new("tool-off", &cause, next))
    }
}

impl Chosen {
    /// Changes of flags or configuration after which a tool is on; none if it is.
    fn faults(&self, tool: &Declared) -> Vec<String> {
        let mut faults = Vec::new();
        let name = tool.name;
        if !self.toolsets.contains(&tool.toolset) && !self.tools.contains(&name) {
            faults.push(if self.tools.is_empty() {
                let mut sets: Vec<_> = self.toolsets.iter().map(|set| set.name()).collect();
                sets.push(tool.toolset.name());
                format!("with --toolsets {} (`mcp.toolsets` in dapdock.toml)", sets.join(","))
            } else {
                format!("with {name} added to --tools (`mcp.tools` in dapdock.toml)")
            });
        }
        if self.exclude.contains(&name) {
            faults.push(format!(
                "without {name} in --exclude-tools (`mcp.exclude_tools` in dapdock.toml)"
            ));
        }
        if self.read_only && tool.effect != Effect::Reads {
            faults.push("without --read-only (`mcp.read_only` in dapdock.toml)".to_owned());
        }
        faults
    }
}

/// The description of a tool in a slim list: its title and its arguments, without those that most
/// tools have. `names[]` is a list, `kind=in|out` has these values.
pub(super) fn slim(tool: &Declared) -> String {
    let schema = tool.schema();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut text = tool.title.to_owned();
    let mut separator = ": ";
    for (name, schema) in properties.into_iter().flatten() {
        if matches!(name.as_str(), "session" | "timeout_s") {
            continue;
        }
        let _ = write!(text, "{separator}{name}");
        separator = ", ";
        if schema["type"] == "array" {
            text.push_str("[]");
        }
        let words = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for (at, word) in words.enumerate() {
            let _ = write!(text, "{}{word}", if at == 0 { "=" } else { "|" });
        }
    }
    text
}

fn toolset(name: &String) -> Result<Toolset, ChoiceError> {
    Toolset::ALL.into_iter().find(|set| set.name() == name).ok_or_else(|| {
        let known: Vec<_> = Toolset::ALL.into_iter().map(Toolset::name).collect();
        let near = nearest(name, known.iter().copied());
        ChoiceError::NoSuchToolset { name: name.clone(), known, near }
    })
}

fn tool(name: &String) -> Result<&'static str, ChoiceError> {
    let known: Vec<_> = registered().iter().map(|tool| tool.declared.name).collect();
    known.iter().copied().find(|known| known == name).ok_or_else(|| {
        let near = nearest(name, known.iter().copied());
        ChoiceError::NoSuchTool { name: name.clone(), known, near }
    })
}
