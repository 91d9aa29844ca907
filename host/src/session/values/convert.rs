//! Turns DAP's frames, variables and errors into the model's, by the profile. Sends nothing.

use std::path::{Path, PathBuf};

use dapdock_schema::{ErrorText, Profile};

use crate::dap;
use crate::dap::types as wire;
use crate::model::{Children, Frame, FrameKind, Variable, answer};

/// A frame at its index.
pub(crate) fn frame(index: u32, frame: &wire::StackFrame, profile: &Profile) -> Frame {
    let path = frame.source.as_ref().and_then(|source| source.path.clone()).map(PathBuf::from);
    let kind = if is_library(frame, path.as_deref(), profile) {
        FrameKind::Library
    } else {
        FrameKind::User
    };
    let number = |n: i64| u32::try_from(n).unwrap_or(0);
    Frame {
        index,
        id: frame.id,
        name: plain(&frame.name, profile).to_owned(),
        path,
        line: number(frame.line),
        column: number(frame.column),
        kind,
        pc: frame.instruction_pointer_reference.clone(),
    }
}

/// A name without what the adapter appends to it (`asides` of the profile).
pub(crate) fn plain<'a>(name: &'a str, profile: &Profile) -> &'a str {
    let asides = profile.asides.iter().filter_map(|aside| name.find(aside.as_str()));
    name[..asides.min().unwrap_or(name.len())].trim_end()
}

fn is_library(frame: &wire::StackFrame, path: Option<&Path>, profile: &Profile) -> bool {
    let subtle =
        |hint: &Option<String>| matches!(hint.as_deref(), Some("subtle" | "label" | "deemphasize"));
    let Some(path) = path.map(Path::to_string_lossy) else { return true };
    subtle(&frame.presentation_hint)
        || frame.source.as_ref().is_some_and(|source| subtle(&source.presentation_hint))
        || profile.library.paths.iter().any(|part| path.contains(part.as_str()))
        || profile.library.functions.iter().any(|start| frame.name.starts_with(start.as_str()))
}

/// A variable without its children.
pub(crate) fn variable(row: wire::Variable) -> Variable {
    let count = row.named_variables.unwrap_or(0).max(0) + row.indexed_variables.unwrap_or(0).max(0);
    let children = match u64::try_from(count).unwrap_or(0) {
        _ if row.variables_reference <= 0 => Children::None,
        0 => Children::Some,
        count => Children::Count(count),
    };
    Variable {
        name: if row.name.is_empty() { "(value)".to_owned() } else { row.name },
        value: row.value,
        ty: row.type_.filter(|ty| !ty.is_empty()),
        children,
        preview: Vec::new(),
        expression: row.evaluate_name.filter(|name| !name.is_empty()),
        reference: row.variables_reference,
        lazy: row.presentation_hint.and_then(|hint| hint.lazy).unwrap_or_default(),
        address: None,
    }
}

/// A variable without its children; a pointer with the address it holds.
pub(crate) fn pointing(row: wire::Variable, profile: &Profile) -> Variable {
    let address = address(&row, profile);
    Variable { address, ..variable(row) }
}

/// The address that a pointer holds; none for a null pointer and for any other type.
fn address(row: &wire::Variable, profile: &Profile) -> Option<String> {
    let ty = row.type_.as_deref()?;
    if !profile.variables.pointers.iter().any(|end| ty.ends_with(end.as_str())) {
        return None;
    }
    let digits = row.memory_reference.as_deref()?.strip_prefix("0x")?;
    let address = u64::from_str_radix(digits, 16).ok()?;
    (address > 0).then(|| format!("{address:#x}"))
}

/// An evaluation's answer as a variable named by its expression.
pub(crate) fn result(
    expression: &str,
    response: dap::responses::EvaluateResponse,
) -> wire::Variable {
    wire::Variable {
        name: expression.to_owned(),
        value: response.result,
        type_: response.type_,
        evaluate_name: Some(expression.to_owned()),
        variables_reference: response.variables_reference,
        named_variables: response.named_variables,
        indexed_variables: response.indexed_variables,
        memory_reference: response.memory_reference,
        ..wire::Variable::default()
    }
}

/// A variable for the plugin.
pub(crate) fn for_plugin(row: &wire::Variable) -> answer::Variable {
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
pub(crate) fn frames_for_plugin(frames: &[wire::StackFrame]) -> Vec<answer::Frame> {
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

/// The message of an adapter's refusal without the noise around it.
pub(crate) fn message(error: &dap::Error, profile: &Profile) -> String {
    match error {
        dap::Error::Refused { message, .. } => essence(message.trim(), profile).trim().to_owned(),
        dap::Error::Timeout { after, .. } => format!("no answer within {} s", after.as_secs_f32()),
        error => error.to_string(),
    }
}

/// The part of a message that says what is wrong: the line after the last trace, else what
/// `error_text` of the profile names.
fn essence<'a>(text: &'a str, profile: &Profile) -> &'a str {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let trace = profile.trace.as_deref().filter(|trace| text.starts_with(trace));
    if let Some((_, frames)) = trace.and_then(|trace| text.rsplit_once(trace)) {
        let mut after = frames
            .lines()
            .skip(1)
            .skip_while(|line| line.starts_with(' ') || line.trim().is_empty());
        return after.next().or(lines.next_back()).unwrap_or(text);
    }
    match profile.error_text {
        ErrorText::Whole => text,
        ErrorText::FirstLine => lines.next().unwrap_or(text),
        ErrorText::LastLine => lines.next_back().unwrap_or(text),
    }
}

/// Are two displayed values the same? One that the adapter cut is compared up to the cut.
pub(crate) fn same_value(a: &str, b: &str, profile: &Profile) -> bool {
    let Some(mark) = profile.variables.cut_mark.as_deref() else { return a == b };
    if !a.contains(mark) && !b.contains(mark) {
        return a == b;
    }
    let a = a.split(mark).next().unwrap_or_default();
    let b = b.split(mark).next().unwrap_or_default();
    a.starts_with(b) || b.starts_with(a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_name_makes_a_pointer() {
        let mut profile = Profile::default();
        profile.variables.pointers = vec!["*".into()];
        let row = |ty: &str, reference: &str| wire::Variable {
            type_: Some(ty.into()),
            memory_reference: Some(reference.into()),
            ..wire::Variable::default()
        };
        for (ty, reference, expect) in [
            ("Node *", "0x7FFFFFFFE4B0", Some("0x7fffffffe4b0")),
            ("Node", "0x7FFFFFFFE4B0", None),
            ("Node *", "0x0", None),
            ("Node *", "17", None),
        ] {
            assert_eq!(
                pointing(row(ty, reference), &profile).address.as_deref(),
                expect,
                "{ty} {reference}"
            );
        }
        assert_eq!(pointing(row("Node *", "0x10"), &Profile::default()).address, None);
    }

    #[test]
    fn profile_says_where_the_essence_of_an_error_is() {
        let mut profile = Profile { trace: Some("Trace:".into()), ..Profile::default() };
        let text = "one\ntwo\n";
        let chained = "Trace:\n  frame\nOld: x\n\nthen\nTrace:\n  frame\n    code\nNew: y\nmore\n";
        for (error_text, expect) in
            [(ErrorText::Whole, text), (ErrorText::FirstLine, "one"), (ErrorText::LastLine, "two")]
        {
            profile.error_text = error_text;
            assert_eq!(essence(text, &profile), expect);
            assert_eq!(essence(chained, &profile), "New: y");
        }
        assert_eq!(essence("", &profile), "");
    }

    #[test]
    fn cut_values_are_equal_as_far_as_they_go() {
        let mut profile = Profile::default();
        assert!(!same_value("{a:1, b:2}", "{a:1, …}", &profile));
        profile.variables.cut_mark = Some("…".into());
        assert!(same_value("{a:1, b:2}", "{a:1, …}", &profile));
        assert!(!same_value("{a:2, b:2}", "{a:1, …}", &profile));
        assert!(!same_value("{a:2, b:2}", "{a:2, b:3}", &profile));
    }
}
