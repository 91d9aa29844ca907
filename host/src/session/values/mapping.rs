//! Values of mappings by their keys. An adapter may list the entries of a mapping by number: then
//! `m[5]` means the key 5, not the sixth entry.
//!
//! Refuses to evaluate keys that are more than a literal or a name: that could call something.

use crate::model::{Effects, Variable};
use crate::session::adapter::quirks::Mapping;
use crate::session::values::children::Listed;
use crate::session::values::elements;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::path::{self, Key};
use crate::session::values::reader::FrameReader;

/// The result of a search for a value by its key.
pub(crate) enum Sought {
    Found(Box<Variable>),
    /// All keys were looked at: there is none.
    None,
    /// Not among this many entries; there are more.
    NotAmong(u64),
    /// Not found, which does not prove that there is none.
    Unknown,
}

/// The value of a key of `parent`: its children are `listed`, the path `walked` leads to it.
pub(crate) async fn value(
    reader: &FrameReader<'_>,
    parent: &Variable,
    mapping: &Mapping<'_>,
    key: &Key,
    (listed, walked): (&Listed, &str),
) -> Sought {
    let is_variable = matches!(key, Key::Other(name) if path::reads_only(name));
    let text = match as_expression(key) {
        Some(text) => text,
        // As a listing displays it.
        None if mapping.has_keys_as_names() => key.name(),
        // A listing may display keys that are no expressions.
        None => return displayed(listed, key),
    };
    let expression = parent.expression.as_deref().unwrap_or(walked);
    if let Some(lookup) = mapping.lookup(expression, &text) {
        let found = by_expression(reader, lookup, &text).await;
        return found.map_or(Sought::Unknown, Sought::Found);
    }
    let (mut children, more) = elements::first(reader, parent, listed).await;
    match named(&children, key, &text) {
        Some(at) => Sought::Found(Box::new(children.swap_remove(at))),
        None if is_variable => Sought::Unknown,
        None if more => Sought::NotAmong(children.len() as u64),
        None => Sought::None,
    }
}

/// The listed value with the key as its name.
fn displayed(listed: &Listed, key: &Key) -> Sought {
    let found = named(&listed.rows, key, &key.name());
    found.map_or(Sought::Unknown, |at| Sought::Found(Box::new(listed.rows[at].clone())))
}

/// Evaluates the expression for a key. The adapter's value for an absent key counts as not found.
async fn by_expression(
    reader: &FrameReader<'_>,
    lookup: String,
    key: &str,
) -> Option<Box<Variable>> {
    let found = evaluate_one(reader, reader.frame, &lookup, Effects::None).await.result.ok()?;
    if reader.wire.quirks().is_absent(&found.value) {
        return None;
    }
    let expression = found.expression.clone().or(Some(lookup));
    Some(Box::new(Variable { name: format!("[{key}]"), expression, ..found }))
}

/// The key as an expression.
fn as_expression(key: &Key) -> Option<String> {
    match key {
        Key::Number(number) => Some(number.to_string()),
        Key::Text(text) => serde_json::to_string(text).ok(),
        Key::Other(text) => path::reads_only(&format!("a[{text}]")).then(|| text.clone()),
        Key::Member(_) => None,
    }
}

/// Index of the child with the key as its name.
fn named(children: &[Variable], key: &Key, text: &str) -> Option<usize> {
    let name = format!("[{text}]");
    let exactly = children.iter().position(|child| child.name == name);
    exactly.or_else(|| path::position(children.iter().map(|child| child.name.as_str()), key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::types;
    use crate::session::values::convert;

    fn child(name: &str, value: &str) -> Variable {
        convert::variable(types::Variable {
            name: name.into(),
            value: value.into(),
            ..Default::default()
        })
    }

    #[test]
    fn keys_are_literals_and_names() {
        for (key, expect) in [
            (Key::Number(5), Some("5")),
            (Key::Text("a \"b\"".into()), Some("\"a \\\"b\\\"\"")),
            (Key::Other("-3".into()), Some("-3")),
            (Key::Other("index".into()), Some("index")),
            (Key::Other("next()".into()), None),
        ] {
            assert_eq!(as_expression(&key).as_deref(), expect, "{key:?}");
        }
    }

    #[test]
    fn value_is_the_child_named_by_its_key() {
        let children = ["[-3]", "[5]", "[\"a\"]", "['b']", "size"].map(|name| child(name, ""));
        let at = |key: Key| named(&children, &key, &as_expression(&key).unwrap());
        assert_eq!(
            [at(Key::Other("-3".into())), at(Key::Number(5)), at(Key::Number(0))],
            [Some(0), Some(1), None]
        );
        let text = |text: &str| at(Key::Text(text.into()));
        assert_eq!([text("a"), text("b"), text("c")], [Some(2), Some(3), None]);
        let displayed = Key::Other("{x = 1, y = 2}".into());
        let entry = [child("[{x = 1, y = 2}]", "")];
        assert_eq!(named(&entry, &displayed, &displayed.name()), Some(0));
    }
}
