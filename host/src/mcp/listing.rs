//! The tools as MCP lists them: in full, slim, or with the schemas of their results.
//!
//! Knows the declarations of tools. Refuses to run one.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

use super::declared::{Declared, Effect, Toolset};
use super::registry::named;
use super::structured::Forms;
use super::toolset::{self, Tools};

/// The tools that a caller sees.
pub(super) fn list(tools: &Tools) -> Vec<Tool> {
    if tools.is_slim() {
        return tools.declared().map(slim).collect();
    }
    if !tools.is_structured() {
        return tools.declared().map(listed).collect();
    }
    let (mut all, mut forms) = (Vec::new(), Forms::default());
    for tool in tools.declared() {
        let mut one = listed(tool);
        if let Some(schema) = output(tool) {
            one = one.with_raw_output_schema(Arc::new(forms.shorten(tool.name, schema)));
        }
        all.push(one);
    }
    all
}

/// A tool of a slim list. Its description names the arguments; errors state their types.
fn slim(tool: &Declared) -> Tool {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    Tool::new(tool.name, toolset::slim(tool), schema)
}

/// A declaration as an MCP tool.
pub(super) fn listed(tool: &Declared) -> Tool {
    let (reads, destroys, idempotent) = match tool.effect {
        Effect::Reads => (true, false, true),
        Effect::Sets => (false, false, true),
        Effect::Moves => (false, false, false),
        Effect::Destroys => (false, true, false),
    };
    let hints = ToolAnnotations::new()
        .read_only(reads)
        .destructive(destroys)
        .idempotent(idempotent)
        .open_world(false);
    Tool::new(tool.name, tool.description, tool.schema())
        .with_title(tool.title)
        .with_annotations(hints)
}

/// The schema of its results. A family's tool has none if calls of its name may run ours, whose
/// results have another schema.
fn output(tool: &Declared) -> Option<Map<String, Value>> {
    let schema = (tool.output)();
    match (tool.toolset, named(tool.name)) {
        (Toolset::Family(_), Some(ours)) if schema != (ours.declared.output)() => None,
        _ => Some(schema),
    }
}
