//! The tools that one server offers: of toolsets and single names, with a family's tool in place of
//! ours with the same name.
//!
//! Knows the choice of flags and configuration. Refuses to know where the choice comes from.

mod choice;
mod slim;

use serde_json::{Map, Value};

use self::choice::{Chosen, all, is_of_family};
use super::arguments;
use super::call::Reply;
use super::compat;
use super::declared::{Declared, Toolset};
use super::registry::{Registered, registered};
use crate::model::ToolChoice;
use crate::session::Shell;
use crate::view::ErrorText;

pub use self::choice::ChoiceError;
pub(super) use self::slim::slim;

/// The tools of one server.
#[derive(Clone)]
pub struct Tools {
    chosen: Chosen,
    /// Listed: sorted by name, one tool for each.
    on: Vec<&'static Registered>,
    /// Callable and not listed: while a family is on, the default tools that our texts name.
    unlisted: Vec<&'static Registered>,
    slim: bool,
    structured: bool,
    shell: Shell,
}

impl Default for Tools {
    /// The default toolset.
    fn default() -> Self {
        Self::of(Chosen::default())
    }
}

impl Tools {
    /// The tools that a choice leaves: those of its toolsets and those that it names, without the
    /// excluded ones and, if it is read-only, without those that change something.
    ///
    /// # Errors
    /// If it names a toolset or tool that does not exist, leaves no tool, or leaves tools of two
    /// families with the same name.
    pub fn chosen(choice: &ToolChoice) -> Result<Self, ChoiceError> {
        let tools = Self::of(Chosen::of(choice)?);
        if tools.on.is_empty() {
            return Err(ChoiceError::Nothing);
        }
        choice::no_clash(&tools.on)?;
        Ok(Self {
            slim: choice.slim.unwrap_or_default(),
            structured: choice.structured.unwrap_or_default(),
            shell: if choice.allow_shell == Some(true) { Shell::Allowed } else { Shell::Refused },
            ..tools
        })
    }

    fn of(chosen: Chosen) -> Self {
        let on = all().filter(|tool| chosen.faults(&tool.declared).is_empty());
        let mut tools = Self {
            on: on.collect(),
            unlisted: Vec::new(),
            chosen,
            slim: false,
            structured: false,
            shell: Shell::Refused,
        };
        tools.replace_names_of_families();
        tools
    }

    /// Lists the tools of families in place of ours with the same names. With a family, the default
    /// tools that are not listed are callable.
    fn replace_names_of_families(&mut self) {
        let (of_families, mut listed): (Vec<_>, Vec<_>) =
            self.on.iter().copied().partition(|tool| is_of_family(&tool.declared));
        if of_families.is_empty() {
            return;
        }
        listed.retain(|ours| !has(&of_families, ours.declared.name));
        for ours in registered() {
            let is_default = ours.declared.toolset == Toolset::Default;
            let is_allowed = self.chosen.bars(&ours.declared).is_empty();
            if is_default && is_allowed && !has(&listed, ours.declared.name) {
                self.unlisted.push(ours);
            }
        }
        self.on = [of_families, listed].concat();
        self.on.sort_by_key(|tool| tool.declared.name);
    }

    /// The declarations of the listed tools, in order of their names.
    pub(super) fn declared(&self) -> impl Iterator<Item = &'static Declared> {
        self.on.iter().map(|tool| &tool.declared)
    }

    /// Whether a tool of this toolset is listed.
    pub(super) fn has(&self, toolset: Toolset) -> bool {
        self.on.iter().any(|tool| tool.declared.toolset == toolset)
    }

    /// The listed tool with this name, or else a callable one.
    pub(super) fn get(&self, name: &str) -> Option<&'static Registered> {
        let mut all = self.on.iter().chain(&self.unlisted).copied();
        all.find(|tool| tool.declared.name == name)
    }

    /// The tool that a call runs: the listed one, unless the arguments fit only ours with the same
    /// name.
    pub(super) fn of_call(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
    ) -> Option<&'static Registered> {
        let listed = self.get(name)?;
        let ours = self.unlisted.iter().copied().find(|tool| tool.declared.name == name);
        let Some(ours) = ours.filter(|_| is_of_family(&listed.declared)) else {
            return Some(listed);
        };
        let takes = |tool: &'static Registered| arguments::takes(&tool.declared, arguments.clone());
        let only_ours = !takes(listed) && takes(ours);
        Some(if only_ours { ours } else { listed })
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

    /// Why a tool is off, and how it is had; `None`: it is callable.
    pub(super) fn off(&self, tool: &Registered) -> Option<String> {
        let mut on = self.on.iter().chain(&self.unlisted);
        if on.any(|on| choice::same(&on.declared, &tool.declared)) {
            return None;
        }
        let way = self.chosen.faults(&tool.declared).join(" and ");
        Some(format!("{} is off; to have it, start dapdock mcp {way}", tool.declared.name))
    }

    /// How a toolset that is off is had.
    pub(super) fn off_toolset(&self, toolset: Toolset) -> String {
        let way = self.chosen.toolset_way(toolset);
        format!("{} is off; to have it, start dapdock mcp {way}", toolset.name())
    }

    /// The answer to a call of a tool that exists and is off; `None`: no tool has this name.
    pub(super) fn refusal(&self, name: &str, arguments: &Map<String, Value>) -> Option<Reply> {
        let way_on = format!("start dapdock mcp {}", self.chosen.way_on(name)?);
        Some(Reply::error(match self.next(name, arguments) {
            Some(next) => {
                let cause = format!("{name} is off; to have it, {way_on}");
                ErrorText::new("tool-off", &cause, &next)
            }
            None => ErrorText::new("tool-off", &format!("{name} is off"), &way_on),
        }))
    }

    /// A call that works in place of one of a tool that is off.
    fn next(&self, name: &str, arguments: &Map<String, Value>) -> Option<String> {
        let of_families = compat::names().filter(|one| one.tool.declared.name == name);
        let mut replacements = of_families.filter_map(|one| one.replacement(arguments));
        if let Some(ours) = replacements.find(|ours| self.get(ours.tool).is_some()) {
            return Some(ours.text());
        }
        // Both work without a session and without arguments.
        let mut names = ["debug_status", "debug_targets"].into_iter();
        names.find(|name| self.get(name).is_some()).map(str::to_owned)
    }
}

fn has(tools: &[&'static Registered], name: &str) -> bool {
    tools.iter().any(|tool| tool.declared.name == name)
}
