//! Values of mappings by their keys, where a number is one (`variables.numbered` of the profile).
//!
//! Refuses keys that are more than a literal or a name: finding them out could call something.

use dapdock_schema::{Numbered, Profile};

use crate::model::{Effects, Variable};
use crate::session::values::children::Listed;
use crate::session::values::elements;
use crate::session::values::evaluate::evaluate_one;
use crate::session::values::frame::Target;
use crate::session::values::path::{self, Key};

/// How the values of this one are found; none: its children are named as a path names them.
pub(crate) fn rule<'a>(parent: &Variable, profile: &'a Profile) -> Option<&'a Numbered> {
    let ty = parent.ty.as_deref()?.trim_start_matches(['&', '*']);
    let ty = ["mut ", "const "].iter().fold(ty, |ty, word| ty.strip_prefix(word).unwrap_or(ty));
    let fits =
        |name: &String| if name.contains('<') { ty.starts_with(name.as_str()) } else { ty == name };
    profile.variables.numbered.iter().find(|rule| rule.types.iter().any(fits))
}

/// Does a number behind this one name a key?
pub(crate) fn are_numbered(parent: Option<&Variable>, profile: &Profile) -> bool {
    parent.is_some_and(|parent| rule(parent, profile).is_some())
}

/// A value by its key, or what is known of there being none.
pub(crate) enum Sought {
    Found(Box<Variable>),
    /// All keys were looked at.
    None,
    /// So many entries were looked at, and there are more.
    NotAmong(u64),
    /// No expression found it.
    Unknown,
}

/// The value of a key, of a variable in which this is listed and to which `walked` leads.
pub(crate) async fn value(
    target: &Target<'_>,
    parent: &Variable,
    rule: &Numbered,
    key: &Key,
    (listed, walked): (&Listed, &str),
) -> Sought {
    let Some(said) = written(key) else { return Sought::Unknown };
    let Some(template) = &rule.value else {
        let (mut children, cut) = elements::first(target, parent, listed).await;
        return match (named(&children, key, &said), cut) {
            (Some(at), _) => Sought::Found(Box::new(children.swap_remove(at))),
            (None, true) => Sought::NotAmong(children.len() as u64),
            (None, false) => Sought::None,
        };
    };
    by_expression(target, parent, (template, walked), &said)
        .await
        .map_or(Sought::Unknown, Sought::Found)
}

async fn by_expression(
    target: &Target<'_>,
    parent: &Variable,
    (template, walked): (&str, &str),
    key: &str,
) -> Option<Box<Variable>> {
    let text = template
        .replace("{expr}", parent.expression.as_deref().unwrap_or(walked))
        .replace("{key}", key);
    let found = evaluate_one(target, target.frame, &text, Effects::None).await.result.ok()?;
    let there = target.profile.variables.absent.as_ref() != Some(&found.value);
    let expression = found.expression.clone().or(Some(text));
    there.then(|| Box::new(Variable { name: format!("[{key}]"), expression, ..found }))
}

/// The key as an expression.
fn written(key: &Key) -> Option<String> {
    match key {
        Key::Number(number) => Some(number.to_string()),
        Key::Text(text) => serde_json::to_string(text).ok(),
        Key::Other(text) => path::reads_only(&format!("a[{text}]")).then(|| text.clone()),
        Key::Member(_) => None,
    }
}

/// The child that has the key for its name.
fn named(children: &[Variable], key: &Key, said: &str) -> Option<usize> {
    let name = format!("[{said}]");
    let exactly = children.iter().position(|child| child.name == name);
    exactly.or_else(|| path::position(children.iter().map(|child| child.name.as_str()), key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::types as wire;
    use crate::session::values::convert;

    fn child(name: &str, value: &str) -> Variable {
        convert::variable(wire::Variable {
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
            assert_eq!(written(&key).as_deref(), expect, "{key:?}");
        }
    }

    #[test]
    fn a_value_has_its_key_for_a_name() {
        let children = ["[-3]", "[5]", "[\"a\"]", "['b']", "size"].map(|name| child(name, ""));
        let at = |key: Key| named(&children, &key, &written(&key).unwrap());
        assert_eq!(
            [at(Key::Other("-3".into())), at(Key::Number(5)), at(Key::Number(0))],
            [Some(0), Some(1), None]
        );
        let text = |text: &str| at(Key::Text(text.into()));
        assert_eq!([text("a"), text("b"), text("c")], [Some(2), Some(3), None]);
    }

    #[test]
    fn the_type_says_whose_children_are_numbered() {
        let numbered = Numbered { types: vec!["map<".into(), "Map".into()], value: None };
        let mut profile = Profile::default();
        profile.variables.numbered.push(numbered);
        for (ty, expect) in [
            ("map<int, int>", true),
            ("&mut map<int>", true),
            ("my::map<int>", false),
            ("int", false),
            ("Map", true),
            ("MapView", false),
        ] {
            let parent = Variable { ty: Some(ty.into()), ..child("m", "") };
            assert_eq!(are_numbered(Some(&parent), &profile), expect, "{ty}");
        }
        assert!(!are_numbered(None, &profile));
    }
}
