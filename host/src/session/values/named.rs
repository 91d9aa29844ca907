//! Values at paths that are no expressions of the debugged language: a listing displays keys that
//! the language cannot write, and a debugger may refuse a key for its length.
//!
//! Follows exact names only, so that no other value replaces an error. Refuses operators and calls.

use crate::model::{Effects, Variable};
use crate::session::values::elements;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::path::{self, Key};
use crate::session::values::reader::FrameReader;

/// The value at a path with subscripts that the adapter refused to evaluate.
pub(crate) async fn value(reader: &FrameReader<'_>, text: &str) -> Option<Variable> {
    let segments = path::parse(text);
    let members = segments.iter().take_while(|one| matches!(one.key, Key::Member(_))).count();
    let mut from = segments.get(members.checked_sub(1)?)?.end;
    if members == segments.len() || !path::reads_only(&text[..from]) {
        return None;
    }
    let start = evaluate_one(reader, reader.frame, &text[..from], Effects::None).await;
    let mut found = start.result.ok()?;
    for segment in &segments[members..] {
        found = child(reader, &found, &text[from..segment.end]).await?;
        from = segment.end;
    }
    Some(found)
}

/// The child that `.name` or `[key]` names.
async fn child(reader: &FrameReader<'_>, parent: &Variable, step: &str) -> Option<Variable> {
    if reader.wire.quirks().numbers_entries(parent) {
        return None;
    }
    let mut rows = elements::compared(reader, parent).await.ok()?;
    let Some(key) = subscript(step) else {
        let name = step.trim_start_matches(['.', '-', '>']);
        let at = rows.iter().position(|row| row.name == name)?;
        return Some(rows.swap_remove(at));
    };
    if let Some(at) = rows.iter().position(|row| is_entry(&row.name, key)) {
        return Some(rows.swap_remove(at));
    }
    if !path::reads_only(key) {
        return None;
    }
    let value = evaluate_one(reader, reader.frame, key, Effects::None).await.result.ok()?.value;
    if let Some(at) = rows.iter().position(|row| is_entry(&row.name, &value)) {
        return Some(rows.swap_remove(at));
    }
    // The listing may have cut the key.
    let lookup = format!("{}[{value}]", parent.expression.as_deref()?);
    let is_literal = matches!(path::key_of_value(&value), Key::Text(_) | Key::Number(_));
    if !is_literal {
        return None;
    }
    evaluate_one(reader, reader.frame, &lookup, Effects::None).await.result.ok()
}

fn subscript(step: &str) -> Option<&str> {
    Some(step.strip_prefix('[')?.strip_suffix(']')?.trim())
}

/// Whether a child is displayed as the entry with this key. A plain name or a number is a key only
/// in brackets: without them it may be an attribute.
fn is_entry(name: &str, key: &str) -> bool {
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(inside) if inside == key => true,
        _ => name == key && key.contains(|c: char| !c.is_alphanumeric() && c != '_'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_exact_names() {
        for (name, key, expect) in [
            ("{X: 1, Y: 2}", "{X: 1, Y: 2}", true),
            ("*{X: 1}", "*{X: 1}", true),
            ("[1,2]", "[1,2]", true),
            ("\"a\"", "\"a\"", true),
            ("[5]", "5", true),
            ("[main.Red]", "main.Red", true),
            ("5", "5", false),
            ("size", "size", false),
            ("\"a\"", "a", false),
            ("{X: 1, Y: 2}", "{X: 1}", false),
        ] {
            assert_eq!(is_entry(name, key), expect, "{name} {key}");
        }
    }
}
