//! A checked choice of tools, and what has to change for a tool that it leaves out.
//!
//! Refuses to know how a call finds its tool.

use crate::mcp::compat;
use crate::mcp::declared::{Declared, Effect, Toolset};
use crate::mcp::registry::{Registered, registered};
use crate::model::ToolChoice;
use crate::near::nearest;

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
        /// All our tools.
        known: Vec<&'static str>,
        /// The most similar one.
        near: Option<&'static str>,
    },
    /// A tool that several families have, without its toolset.
    #[error("`{name}` is a tool of {}; add one of these to toolsets", of.join(" and "))]
    SeveralTools {
        /// The name.
        name: String,
        /// The toolsets.
        of: Vec<&'static str>,
    },
    /// Two families that have tools with the same names.
    #[error("{} cannot be on together: both have {}", of.join(" and "), tools.join(", "))]
    Clash {
        /// The toolsets.
        of: [&'static str; 2],
        /// The names.
        tools: Vec<&'static str>,
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

/// A checked choice.
#[derive(Clone)]
pub(super) struct Chosen {
    toolsets: Vec<Toolset>,
    tools: Vec<&'static Declared>,
    exclude: Vec<String>,
    read_only: bool,
}

impl Default for Chosen {
    fn default() -> Self {
        Self {
            toolsets: vec![Toolset::Default],
            tools: Vec::new(),
            exclude: Vec::new(),
            read_only: false,
        }
    }
}

impl Chosen {
    /// # Errors
    /// If it names a toolset or tool that does not exist.
    pub fn of(choice: &ToolChoice) -> Result<Self, ChoiceError> {
        let toolsets = match (&choice.toolsets, &choice.tools) {
            (None, None) => vec![Toolset::Default],
            (named, _) => named.iter().flatten().map(toolset).collect::<Result<_, _>>()?,
        };
        let mut tools = Vec::new();
        for name in choice.tools.iter().flatten() {
            tools.push(tool(name, &toolsets)?);
        }
        let exclude = choice.exclude.clone().unwrap_or_default();
        if let Some(unknown) = exclude.iter().find(|name| servers(name).is_empty()) {
            return Err(no_such_tool(unknown));
        }
        Ok(Self { toolsets, tools, exclude, read_only: choice.read_only.unwrap_or_default() })
    }

    /// Changes of flags or configuration after which a tool is on; none if it is.
    pub fn faults(&self, tool: &Declared) -> Vec<String> {
        let mut faults = Vec::new();
        if !self.toolsets.contains(&tool.toolset) && !self.tools.iter().any(|it| same(it, tool)) {
            faults.push(if self.tools.is_empty() || servers(tool.name).len() > 1 {
                self.toolset_way(tool.toolset)
            } else {
                format!("with {} added to --tools (`mcp.tools` in dapdock.toml)", tool.name)
            });
        }
        faults.extend(self.bars(tool));
        faults
    }

    /// The flag with which a toolset is on.
    pub fn toolset_way(&self, toolset: Toolset) -> String {
        let others = self.toolsets.iter().filter(|set| !clash(**set, toolset));
        let mut sets: Vec<_> = others.map(|set| set.name()).collect();
        sets.push(toolset.name());
        format!("with --toolsets {} (`mcp.toolsets` in dapdock.toml)", sets.join(","))
    }

    /// The changes that make a tool callable when its toolset is already on.
    pub fn bars(&self, tool: &Declared) -> Vec<String> {
        let mut bars = Vec::new();
        let name = tool.name;
        if self.exclude.iter().any(|excluded| excluded == name) {
            bars.push(format!(
                "without {name} in --exclude-tools (`mcp.exclude_tools` in dapdock.toml)"
            ));
        }
        if self.read_only && tool.effect != Effect::Reads {
            bars.push("without --read-only (`mcp.read_only` in dapdock.toml)".to_owned());
        }
        bars
    }

    /// The flags with which a tool of this name is on: the one of a chosen toolset, else ours, else
    /// any family's. `None`: no tool has this name.
    pub fn way_on(&self, name: &str) -> Option<String> {
        let all = servers(name);
        let chosen = all.iter().find(|tool| self.toolsets.contains(&tool.toolset));
        let ours = all.iter().find(|tool| !is_of_family(tool));
        let tools = chosen.or(ours).map_or(all.as_slice(), std::slice::from_ref);
        let mut ways = Vec::new();
        for tool in tools {
            ways.push(self.faults(tool).join(" and "));
        }
        (!ways.is_empty()).then(|| ways.join(" or "))
    }
}

/// Our tools, then those of the families.
pub(super) fn all() -> impl Iterator<Item = &'static Registered> {
    registered().iter().chain(compat::names().map(|name| &name.tool))
}

pub(super) fn is_of_family(tool: &Declared) -> bool {
    matches!(tool.toolset, Toolset::Family(_))
}

/// The tools with this name, ours first.
fn servers(name: &str) -> Vec<&'static Declared> {
    all().map(|tool| &tool.declared).filter(|tool| tool.name == name).collect()
}

/// Are these families with a name in common?
fn clash(one: Toolset, other: Toolset) -> bool {
    let all: Vec<_> = compat::names().map(|name| &name.tool).collect();
    one != other && !shared(&all, [one, other]).is_empty()
}

pub(super) fn same(one: &Declared, other: &Declared) -> bool {
    (one.name, one.toolset) == (other.name, other.toolset)
}

/// Refuses tools of two families with the same name.
pub(super) fn no_clash(on: &[&'static Registered]) -> Result<(), ChoiceError> {
    for pair in on.windows(2) {
        let [one, other] = pair else { continue };
        if one.declared.name == other.declared.name {
            let of = [one.declared.toolset, other.declared.toolset];
            let names = shared(on, of);
            return Err(ChoiceError::Clash { of: of.map(Toolset::name), tools: names });
        }
    }
    Ok(())
}

/// The names that both toolsets have.
fn shared(tools: &[&'static Registered], of: [Toolset; 2]) -> Vec<&'static str> {
    let [one, other] = of.map(|set| {
        let of_set = tools.iter().filter(|tool| tool.declared.toolset == set);
        of_set.map(|tool| tool.declared.name).collect::<Vec<_>>()
    });
    one.into_iter().filter(|name| other.contains(name)).collect()
}

fn toolset(name: &String) -> Result<Toolset, ChoiceError> {
    let families = compat::FAMILIES.iter().map(|family| family.toolset);
    let all: Vec<Toolset> = [Toolset::Default, Toolset::Raw].into_iter().chain(families).collect();
    all.iter().copied().find(|set| set.name() == name).ok_or_else(|| {
        let known: Vec<_> = all.into_iter().map(Toolset::name).collect();
        let near = nearest(name, known.iter().copied());
        ChoiceError::NoSuchToolset { name: name.clone(), known, near }
    })
}

/// The tool with this name: of a chosen toolset, else ours, else of the only family that has it.
fn tool(name: &str, toolsets: &[Toolset]) -> Result<&'static Declared, ChoiceError> {
    let all = servers(name);
    let chosen = all.iter().find(|tool| toolsets.contains(&tool.toolset));
    match (chosen, all.as_slice()) {
        (Some(tool), _) | (None, [tool]) => Ok(tool),
        (None, [ours, ..]) if !is_of_family(ours) => Ok(ours),
        (None, []) => Err(no_such_tool(name)),
        (None, several) => {
            let of = several.iter().map(|tool| tool.toolset()).collect();
            Err(ChoiceError::SeveralTools { name: name.to_owned(), of })
        }
    }
}

fn no_such_tool(name: &str) -> ChoiceError {
    let near = nearest(name, all().map(|tool| tool.declared.name));
    let known = registered().iter().map(|tool| tool.declared.name).collect();
    ChoiceError::NoSuchTool { name: name.to_owned(), known, near }
}
