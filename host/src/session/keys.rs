//! Values of mappings by their keys, where the adapter numbers the entries (`variables.numbered` of the profile).
//!
//! Refuses keys that are more than a literal or a name: finding them out could call something.

use dapdock_schema::{Numbered, Profile};

use super::children::Listed;
use super::elements::{self, number};
use super::inspect::{self, Target};
use super::path::{self, Key};
use crate::model::{Effects, Variable};

/// How the values of this one are found; none: its children are named as a path names them.
pub(super) fn rule<'a>(parent: &Variable, profile: &'a Profile) -> Option<&'a Numbered> {
    let ty = parent.ty.as_deref()?.trim_start_matches(['&', '*']);
    let ty = ["mut ", "const "].iter().fold(ty, |ty, word| ty.strip_prefix(word).unwrap_or(ty));
    let fits = |name: &String| if name.contains('<') { ty.starts_with(name.as_str()) } else { ty == name };
    profile.variables.numbered.iter().find(|rule| rule.types.iter().any(fits))
}

/// Does a number behind this one name a key?
pub(super) fn are_numbered(parent: Option<&Variable>, profile: &Profile) -> bool {
    parent.is_some_and(|parent| rule(parent, profile).is_some())
}

/// A value by its key, or what is known of there being none.
pub(super) enum Sought {
    Found(Box<Variable>),
    /// All keys were looked at.
    None,
    /// So many entries were looked at, and there are more.
    NotAmong(u64),
    /// No expression found it.
    Unknown,
}

/// The value of a key, of a variable in which this is listed and to which `walked` leads.
pub(super) async fn value(
    target: &Target<'_>,
    parent: &Variable,
    rule: &Numbered,
    key: &Key,
    (listed, walked): (&Listed, &str),
) -> Sought {
    let Some(key) = written(key) else { return Sought::Unknown };
    let Some(template) = &rule.value else {
        let (children, cut) = elements::first(target, parent, listed).await;
        return match (in_turn(&children, &key), cut) {
            (Some(found), _) => Sought::Found(Box::new(found)),
            (None, true) => Sought::NotAmong(children.len() as u64 / 2),
            (None, false) => Sought::None,
        };
    };
    by_expression(target, parent, (template, walked), &key).await.map_or(Sought::Unknown, Sought::Found)
}

async fn by_expression(
    target: &Target<'_>,
    parent: &Variable,
    (template, walked): (&str, &str),
    key: &str,
) -> Option<Box<Variable>> {
    let text = template.replace("{expr}", parent.expression.as_deref().unwrap_or(walked)).replace("{key}", key);
    let found = inspect::evaluate_one(target, target.frame, &text, Effects::None).await.result.ok()?;
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

/// What stands behind the key among keys and values. A character is told behind its number: `97 'a'`.
fn in_turn(children: &[Variable], key: &str) -> Option<Variable> {
    let entries = children.iter().filter(|child| number(&child.name).is_some()).collect::<Vec<_>>();
    let character = key.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).map(|text| format!(" '{text}'"));
    let is_key = |one: &str| one == key || character.as_ref().is_some_and(|text| one.ends_with(text.as_str()));
    let (_, value) =
        entries.as_chunks().0.iter().map(|[key, value]| (key, value)).find(|(one, _)| is_key(&one.value))?;
    Some(Variable { name: format!("[{key}]"), ..(*value).clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dap::types as wire;
    use crate::session::read;

    fn child(name: &str, value: &str) -> Variable {
        read::variable(wire::Variable { name: name.into(), value: value.into(), ..Default::default() })
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
    fn a_value_stands_behind_its_key() {
        let children =
            [child("[0]", "-3"), child("[1]", "5"), child("[2]", "5"), child("[3]", "50"), child("size", "2")];
        let value = |key| in_turn(&children, key).map(|found| (found.name, found.value));
        assert_eq!(value("5"), Some(("[5]".into(), "50".into())));
        assert_eq!(value("-3"), Some(("[-3]".into(), "5".into())));
        assert_eq!(value("50"), None, "it is a value");
        let children = [child("[0]", "97 'a'"), child("[1]", "1"), child("[2]", "\"'b'\""), child("[3]", "2")];
        let value = |key| in_turn(&children, key).map(|found| found.value);
        assert_eq!(
            [value("\"a\""), value("\"'b'\""), value("\"b\"")],
            [Some("1".to_owned()), Some("2".to_owned()), None]
        );
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
