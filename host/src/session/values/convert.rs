//! Turns DAP's variables into the model's, and frames and variables into those of a plugin. Sends
//! nothing.

use crate::dap;
use crate::dap::types;
use crate::model::{Children, Variable, answer};

/// A variable without its children.
pub(crate) fn variable(row: types::Variable) -> Variable {
    let count = row.named_variables.unwrap_or(0).max(0) + row.indexed_variables.unwrap_or(0).max(0);
    let children = match u64::try_from(count).unwrap_or(0) {
        _ if row.variables_reference <= 0 => Children::None,
        0 => Children::Some,
        count => Children::Count(count),
    };
    let hint = row.presentation_hint.unwrap_or_default();
    Variable {
        name: if row.name.is_empty() { "(value)".to_owned() } else { row.name },
        value: row.value,
        ty: row.type_.filter(|ty| !ty.is_empty()),
        children,
        preview: Vec::new(),
        expression: row.evaluate_name.filter(|name| !name.is_empty()),
        reference: row.variables_reference,
        lazy: hint.lazy.unwrap_or_default(),
        function: hint.kind.as_deref() == Some("method"),
        address: None,
        declared: row.declared,
    }
}

/// An evaluation's answer as a variable named by its expression.
pub(crate) fn result(
    expression: &str,
    response: dap::responses::EvaluateResponse,
) -> types::Variable {
    types::Variable {
        name: expression.to_owned(),
        value: response.result,
        type_: response.type_,
        evaluate_name: Some(expression.to_owned()),
        variables_reference: response.variables_reference,
        named_variables: response.named_variables,
        indexed_variables: response.indexed_variables,
        memory_reference: response.memory_reference,
        ..types::Variable::default()
    }
}

/// A variable for the plugin.
pub(crate) fn for_plugin(row: &types::Variable) -> answer::Variable {
    let count = |n: Option<i64>| n.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    answer::Variable {
        name: row.name.clone(),
        value: row.value.clone(),
        ty: row.type_.clone(),
        evaluate_name: row.evaluate_name.clone(),
        has_children: row.variables_reference > 0,
        named: count(row.named_variables),
        indexed: count(row.indexed_variables),
    }
}

/// Frames for the plugin.
pub(crate) fn frames_for_plugin(frames: &[types::StackFrame]) -> Vec<answer::Frame> {
    let mut given = Vec::with_capacity(frames.len());
    for frame in frames {
        given.push(answer::Frame {
            name: frame.name.clone(),
            path: frame.source.as_ref().and_then(|source| source.path.clone()),
            line: u32::try_from(frame.line).unwrap_or(0),
            module: frame.module_id.as_ref().and_then(|id| id.as_str()).map(str::to_owned),
        });
    }
    given
}
