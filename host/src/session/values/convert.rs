//! From DAP's things to the model's: frames, variables, source.
//!
//! Knows the profile's tables. Refuses to ask the adapter anything.

use std::path::{Path, PathBuf};

use dapdock_schema::{ErrorText, Profile};

use crate::dap;
use crate::dap::types as wire;
use crate::model::{Children, Frame, FrameKind, Variable, answer};

/// A frame at its index.
pub(crate) fn frame(index: u32, told: &wire::StackFrame, profile: &Profile) -> Frame {
    let path = told.source.as_ref().and_then(|source| source.path.clone()).map(PathBuf::from);
    let kind = match is_library(told, path.as_deref(), profile) {
        true => FrameKind::Library,
        false => FrameKind::User,
    };
    let number = |n: i64| u32::try_from(n).unwrap_or(0);
    Frame {
        index,
        id: told.id,
        name: plain(&told.name, profile).to_owned(),
        path,
        line: number(told.line),
        column: number(told.column),
        kind,
    }
}

/// A name without the adapter's asides.
pub(crate) fn plain<'a>(name: &'a str, profile: &Profile) -> &'a str {
    let asides = profile.asides.iter().filter_map(|aside| name.find(aside.as_str()));
    name[..asides.min().unwrap_or(name.len())].trim_end()
}

fn is_library(told: &wire::StackFrame, path: Option<&Path>, profile: &Profile) -> bool {
    let subtle =
        |hint: &Option<String>| matches!(hint.as_deref(), Some("subtle" | "label" | "deemphasize"));
    let Some(path) = path.map(Path::to_string_lossy) else { return true };
    subtle(&told.presentation_hint)
        || told.source.as_ref().is_some_and(|source| subtle(&source.presentation_hint))
        || profile.library.paths.iter().any(|part| path.contains(part.as_str()))
        || profile.library.functions.iter().any(|start| told.name.starts_with(start.as_str()))
}

/// A variable without its children.
pub(crate) fn variable(told: wire::Variable) -> Variable {
    let count = [told.named_variables, told.indexed_variables]
        .into_iter()
        .flatten()
        .filter(|n| *n > 0)
        .sum::<i64>();
    let children = match (told.variables_reference > 0, u64::try_from(count).unwrap_or(0)) {
        (false, _) => Children::None,
        (true, 0) => Children::Some,
        (true, count) => Children::Count(count),
    };
    Variable {
        name: if told.name.is_empty() { "(value)".to_owned() } else { told.name },
        value: told.value,
        ty: told.type_.filter(|ty| !ty.is_empty()),
        children,
        preview: Vec::new(),
        expression: told.evaluate_name.filter(|name| !name.is_empty()),
        reference: told.variables_reference,
        lazy: told.presentation_hint.and_then(|hint| hint.lazy).unwrap_or_default(),
        address: None,
    }
}

/// The same, with where it points.
pub(crate) fn pointing(told: wire::Variable, profile: &Profile) -> Variable {
    let address = address(&told, profile);
    Variable { address, ..variable(told) }
}

/// Where a pointer points; none: it is none, or points nowhere.
fn address(told: &wire::Variable, profile: &Profile) -> Option<String> {
    let ty = told.type_.as_deref()?;
    let is_pointer = profile.variables.pointers.iter().any(|end| ty.ends_with(end.as_str()));
    let digits = told.memory_reference.as_deref().filter(|_| is_pointer)?.strip_prefix("0x")?;
    u64::from_str_radix(digits, 16)
        .ok()
        .filter(|address| *address > 0)
        .map(|address| format!("{address:#x}"))
}

/// An evaluation's answer as a variable named by its expression.
pub(crate) fn result(expression: &str, told: dap::responses::EvaluateResponse) -> wire::Variable {
    wire::Variable {
        name: expression.to_owned(),
        value: told.result,
        type_: told.type_,
        evaluate_name: Some(expression.to_owned()),
        variables_reference: told.variables_reference,
        named_variables: told.named_variables,
        indexed_variables: told.indexed_variables,
        memory_reference: told.memory_reference,
        ..wire::Variable::default()
    }
}

/// For the plugin.
pub(crate) fn for_plugin(told: &wire::Variable) -> answer::Variable {
    let count = |n: Option<i64>| n.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    answer::Variable {
        name: told.name.clone(),
        value: told.value.clone(),
        ty: told.type_.clone(),
        evaluate_name: told.evaluate_name.clone(),
        has_children: told.variables_reference > 0,
        named: count(told.named_variables),
        indexed: count(told.indexed_variables),
    }
}

/// Frames for the plugin.
pub(crate) fn frames_for_plugin(frames: &[wire::StackFrame]) -> Vec<answer::Frame> {
    let frame = |told: &wire::StackFrame| answer::Frame {
        name: told.name.clone(),
        path: told.source.as_ref().and_then(|source| source.path.clone()),
        line: u32::try_from(told.line).unwrap_or(0),
        module: told.module_id.as_ref().and_then(|id| id.as_str()).map(str::to_owned),
    };
    frames.iter().map(frame).collect()
}

/// The part of an adapter's refusal that is for the caller.
pub(crate) fn words(error: &dap::Error, profile: &Profile) -> String {
    match error {
        dap::Error::Refused { message, .. } => point(message.trim(), profile).trim().to_owned(),
        dap::Error::Timeout { after, .. } => format!("no answer within {} s", after.as_secs_f32()),
        error => error.to_string(),
    }
}

fn point<'a>(text: &'a str, profile: &Profile) -> &'a str {
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

/// Are two values the same, as far as the adapter tells?
pub(crate) fn same_value(a: &str, b: &str, profile: &Profile) -> bool {
    let Some(mark) =
        profile.variables.cut_mark.as_deref().filter(|mark| a.contains(mark) || b.contains(mark))
    else {
        return a == b;
    };
    let head = |text: &str| text.split(mark).next().unwrap_or_default().to_owned();
    let (a, b) = (head(a), head(b));
    a.starts_with(&b) || b.starts_with(&a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_points_somewhere_by_the_name_of_its_type() {
        let mut profile = Profile::default();
        profile.variables.pointers = vec!["*".into()];
        let told = |ty: &str, reference: &str| wire::Variable {
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
                pointing(told(ty, reference), &profile).address.as_deref(),
                expect,
                "{ty} {reference}"
            );
        }
        assert_eq!(pointing(told("Node *", "0x10"), &Profile::default()).address, None);
    }

    #[test]
    fn the_point_of_an_error_is_where_the_profile_says() {
        let mut profile = Profile { trace: Some("Trace:".into()), ..Profile::default() };
        let text = "one\ntwo\n";
        let chained = "Trace:\n  frame\nOld: x\n\nthen\nTrace:\n  frame\n    code\nNew: y\nmore\n";
        for (error_text, expect) in
            [(ErrorText::Whole, text), (ErrorText::FirstLine, "one"), (ErrorText::LastLine, "two")]
        {
            profile.error_text = error_text;
            assert_eq!(point(text, &profile), expect);
            assert_eq!(point(chained, &profile), "New: y");
        }
        assert_eq!(point("", &profile), "");
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
