//! The lists of resources and of their templates (MCP, "Resources").
//!
//! Names only what can be listed without reading the configuration: sessions, and templates for the
//! rest.

use rmcp::model::{Resource, ResourceTemplate};

use super::super::compat;
use super::super::toolset::Tools;
use super::address::{Address, SessionPart};
use super::tool::off;
use crate::session::Sessions;

pub(super) const PLAIN: &str = "text/plain";
pub(super) const MARKDOWN: &str = "text/markdown";
pub(super) const JSON: &str = "application/json";

/// A row of the list of templates.
struct Row {
    template: &'static str,
    name: &'static str,
    description: &'static str,
    kind: &'static str,
}

const TEMPLATES: &[Row] = &[
    Row {
        template: "debug://session/{session}",
        name: "session",
        description: "State, place and breakpoints of a session.",
        kind: PLAIN,
    },
    Row {
        template: "debug://session/{session}/output",
        name: "session output",
        description: "The last output of the program and of log breakpoints.",
        kind: PLAIN,
    },
    Row {
        template: "debug://session/{session}/log",
        name: "session log",
        description: "The session's own log: command lines, phases, what plugins log.",
        kind: PLAIN,
    },
    Row {
        template: "debug://session/{session}/source/{+path}",
        name: "source",
        description: "A source file of the workspace, or of a frame or a breakpoint.",
        kind: PLAIN,
    },
    Row {
        template: "debug://adapters/{adapter}/{document}",
        name: "adapter document",
        description: "What an adapter's debugger understands: commands, options, expressions.",
        kind: MARKDOWN,
    },
    Row {
        template: "{adapter}://commands/{document}",
        name: "adapter document",
        description: "The same document, by the name of its adapter.",
        kind: MARKDOWN,
    },
];

/// The template of a family.
const OF_FAMILY: Row = Row {
    template: compat::SOURCE.1,
    name: "debugger source",
    description: "A source file of the current session's program.",
    kind: PLAIN,
};

/// All resources that exist now and whose tools are on.
pub(in crate::mcp) fn resources(sessions: &Sessions, tools: &Tools) -> Vec<Resource> {
    let is_on = |address: &Address| off(tools, address).is_none();
    let mut all = Vec::new();
    let whole = [
        (Address::Sessions, "sessions", "All sessions with state, place and breakpoints."),
        (Address::Adapters, "adapters", "The adapters, and whether each can be used."),
    ];
    for (address, name, description) in whole {
        if is_on(&address) {
            all.push(listed(&address, name, description));
        }
    }
    for handle in sessions.all() {
        for part in SessionPart::ALL {
            let address = Address::Session(handle.id().to_string(), part);
            if !is_on(&address) {
                continue;
            }
            let row = &TEMPLATES[part as usize];
            let name = match part {
                SessionPart::Status => handle.id().to_string(),
                SessionPart::Output => format!("{} output", handle.id()),
                SessionPart::Log => format!("{} log", handle.id()),
            };
            all.push(listed(&address, &name, row.description));
        }
    }
    for resource in compat::resources() {
        let address = Address::OfFamily(resource);
        if is_on(&address) {
            let of_family = listed(&address, resource.name, resource.description);
            all.push(of_family.with_mime_type(JSON));
        }
    }
    all
}

fn listed(address: &Address, name: &str, description: &str) -> Resource {
    Resource::new(address.to_string(), name).with_description(description).with_mime_type(PLAIN)
}

/// A template with such a variable.
pub(in crate::mcp) fn with_variable(name: &str) -> Option<&'static str> {
    let has = |row: &&Row| variables(row.template).is_some_and(|names| names.contains(&name));
    TEMPLATES.iter().find(has).map(|row| row.template)
}

/// The variables of a template; `None`: there is no such template.
pub(in crate::mcp) fn variables(uri: &str) -> Option<Vec<&'static str>> {
    let row = TEMPLATES.iter().chain([&OF_FAMILY]).find(|row| row.template == uri)?;
    let parts = row.template.split('{').skip(1);
    Some(parts.filter_map(|part| Some(part.split_once('}')?.0.trim_start_matches('+'))).collect())
}

/// The templates of all addresses with a variable whose tools are on.
pub(in crate::mcp) fn templates(tools: &Tools) -> Vec<ResourceTemplate> {
    let mut all = Vec::new();
    let is_on =
        |row: &&Row| Address::parse(row.template).is_some_and(|it| off(tools, &it).is_none());
    let of_family = tools.has(compat::SOURCE.0).then_some(&OF_FAMILY);
    for row in TEMPLATES.iter().filter(|row| is_on(row)).chain(of_family) {
        let template = ResourceTemplate::new(row.template, row.name)
            .with_description(row.description)
            .with_mime_type(row.kind);
        all.push(template);
    }
    all
}
