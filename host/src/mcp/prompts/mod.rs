//! MCP prompts: ways to debug, as calls of the tools that this server offers.
//!
//! Knows the arguments of a prompt and its text. A family has prompts of its own. A step is a tool
//! with arguments, so that a test checks each against the tool's schema. Refuses to know what a
//! tool does.

pub(super) mod declared;
pub(super) mod plan;
mod plans;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::{Map, Value};

use self::declared::{DECLARED, Declared};
use self::plan::{Arguments, Plan, Step};
use super::compat;
use super::declared::Toolset;
use super::request::Request;
use super::toolset::Tools;
use crate::near::nearest;

/// Ours and those of families.
fn all() -> impl Iterator<Item = &'static Declared> {
    DECLARED.iter().chain(compat::prompts())
}

/// Those of a server with these tools.
fn of(tools: &Tools) -> impl Iterator<Item = &'static Declared> {
    all().filter(|one| one.toolset == Toolset::Default || tools.has(one.toolset))
}

/// The prompts of a server with these tools.
pub(super) fn prompts(tools: &Tools) -> Vec<Prompt> {
    let mut all = Vec::new();
    for declared in of(tools) {
        let mut arguments = Vec::new();
        for argument in declared.arguments {
            arguments.push(
                PromptArgument::new(argument.name)
                    .with_description(argument.description)
                    .with_required(argument.required),
            );
        }
        let (title, description) = (declared.title, declared.description);
        all.push(Prompt::new(declared.name, Some(description), Some(arguments)).with_title(title));
    }
    all
}

/// The name of one of our prompts with such an argument.
pub(super) fn with_argument(name: &str) -> Option<&'static str> {
    let has = |declared: &&Declared| declared.arguments.iter().any(|one| one.name == name);
    DECLARED.iter().find(has).map(|declared| declared.name)
}

/// The names of a prompt's arguments; `None`: there is no such prompt.
pub(super) fn arguments(name: &str) -> Option<Vec<&'static str>> {
    let declared = all().find(|declared| declared.name == name)?;
    Some(declared.arguments.iter().map(|argument| argument.name).collect())
}

/// The text of a prompt for a caller with these tools.
///
/// # Errors
/// -32602: there is no such prompt, an argument is missing, unknown, no text or no number.
pub(super) fn get(
    name: &str,
    arguments: &Map<String, Value>,
    tools: &Tools,
) -> Result<GetPromptResult, ErrorData> {
    let Some(declared) = of(tools).find(|declared| declared.name == name) else {
        let names: Vec<&str> = of(tools).map(|declared| declared.name).collect();
        return Err(invalid(format!("there is no prompt `{name}`{}", hint(name, &names))));
    };
    let arguments = check(declared, arguments)?;
    let mut plan = (declared.plan)(&arguments);
    if let Some(session) = arguments.get("session") {
        plan = plan.of_session(session);
    }
    let message = PromptMessage::new_text(Role::User, text(plan, tools));
    Ok(GetPromptResult::new(vec![message]).with_description(declared.description))
}

/// The text of a plan for a caller with these tools; a step whose tool is off is left out.
fn text(plan: Plan, tools: &Tools) -> String {
    let mut text = plan.goal;
    text.push_str(
        " Find it with the debugger, not by reading alone. Read each answer before the next call: \
         an answer proposes calls too, and words in capitals stand for what you have found.\n",
    );
    let named = |step: Step| Some((&tools.get(step.tool)?.declared, step));
    for (number, (tool, step)) in plan.steps.into_iter().filter_map(named).enumerate() {
        let call = Request::new(tool, step.arguments).text();
        let _infallible = writeln!(text, "{}. {call}\n   {}", number + 1, step.why);
    }
    text.push_str(plan.answer);
    text
}

/// The values of the arguments; an empty one counts as missing.
fn check(declared: &Declared, given: &Map<String, Value>) -> Result<Arguments, ErrorData> {
    let mut values = Arguments::default();
    for (name, value) in given {
        let Some(known) = declared.arguments.iter().find(|argument| argument.name == name) else {
            let names: Vec<_> = declared.arguments.iter().map(|argument| argument.name).collect();
            let cause = format!("{} has no argument `{name}`", declared.name);
            return Err(invalid(format!("{cause}{}", hint(name, &names))));
        };
        let Some(text) = value.as_str() else {
            return Err(invalid(format!("`{name}` of {} must be a text", declared.name)));
        };
        if text.is_empty() {
            continue;
        }
        if known.is_number && text.parse::<u32>().is_err() {
            let cause = format!("`{name}` of {} must be a number, got `{text}`", declared.name);
            return Err(invalid(cause));
        }
        values.insert(known.name, text);
    }
    if !declared.one_of.is_empty() && declared.one_of.iter().all(|name| values.get(name).is_none())
    {
        let names: Vec<_> = declared.one_of.iter().map(|name| format!("`{name}`")).collect();
        return Err(invalid(format!("{} needs one of {}", declared.name, names.join(", "))));
    }
    for argument in declared.arguments {
        if argument.required && values.get(argument.name).is_none() {
            let (name, description) = (argument.name, argument.description);
            return Err(invalid(format!("{} needs `{name}`: {description}", declared.name)));
        }
    }
    Ok(values)
}

fn hint(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; there are {}", known.join(", ")),
    }
}

fn invalid(cause: String) -> ErrorData {
    ErrorData::invalid_params(cause, None)
}
