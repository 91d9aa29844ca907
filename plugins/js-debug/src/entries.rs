//! Entries of maps: their names in listings, and the expressions for those names. Pure.
//!
//! An entry is named by its key, which the map's `get` finds. An object as a key has no text: such
//! an entry is named by its position, `entry@2`, which is no expression of the language.

use dapdock_plugin::prelude::*;

/// Before the position of an entry.
const ENTRY: &str = "entry@";
/// Between a map and its key in the expression of the manifest.
const GET: &str = ".get(entry@";

/// The name of a child that is listed under its position, as far as it is the entry of a map.
pub fn name(position: &str, value: &str, expression: Option<&str>) -> Option<String> {
    let (key, _) = value.strip_prefix('{')?.split_once(" => ")?;
    let is_text = serde_json::from_str::<String>(key).is_ok() && !key.contains('…');
    if is_text || key.parse::<f64>().is_ok() {
        return Some(key.to_owned());
    }
    // An object has `name: ` before the text of a function.
    let is_entry =
        !key.contains(": ") || expression.is_some_and(|text| text.contains(".entries()]["));
    is_entry.then(|| format!("{ENTRY}{position}"))
}

/// The expression with the entries that are named by their positions, each as an object with `key`
/// and `value`; none if it has no such name.
pub fn expression(text: &str) -> Option<String> {
    let (map, rest) = text.split_once(GET)?;
    let (position, rest) = rest.split_once(')')?;
    let position: u32 = position.parse().ok()?;
    let found = format!(
        "(([key, value]) => ({{ key, value }}))([...Map.prototype.entries.call({map})][{position}])\
         {rest}"
    );
    Some(expression(&found).unwrap_or(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_its_key_or_its_position() {
        let name = |value: &str| name("4", value, None);
        assert_eq!(name(r#"{"a b" => 1}"#).as_deref(), Some(r#""a b""#));
        assert_eq!(name("{7 => Array(2)}").as_deref(), Some("7"));
        assert_eq!(name("{Object => 1}").as_deref(), Some("entry@4"));
        assert_eq!(name(r#"{"long…text" => 1}"#).as_deref(), Some("entry@4"));
        assert_eq!(name(r#"{"a => b" => 1}"#).as_deref(), Some("entry@4"));
        for other in ["Object", r#""{a => b}""#, "{f: x => 1}", "{s: 'a => b'}", "7"] {
            assert_eq!(name(other), None, "{other}");
        }
        let error = "{Error: no\n    at f => 1}";
        assert_eq!(super::name("4", error, Some("list[4]")), None);
        let found = super::name("4", error, Some("[...m.entries()][4]"));
        assert_eq!(found.as_deref(), Some("entry@4"));
    }

    #[test]
    fn a_position_becomes_an_expression() {
        let entry = |map: &str, position: u32| {
            format!(
                "(([key, value]) => ({{ key, value }}))\
                 ([...Map.prototype.entries.call({map})][{position}])"
            )
        };
        assert_eq!(expression("m.get(entry@2)"), Some(entry("m", 2)));
        let inner = format!("{}.value", entry("a.m", 2));
        let nested = "a.m.get(entry@2).value.get(entry@0).key.id";
        assert_eq!(expression(nested), Some(format!("{}.key.id", entry(&inner, 0))));
        for other in ["m.get(2)", "m.get(entry)", "m.get(entry@x)", "entry@2"] {
            assert_eq!(expression(other), None, "{other}");
        }
    }
}
