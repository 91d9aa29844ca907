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

/// Whether a value is a `Map`, of any context.
const IS_MAP: &str = "const isMap = (of) => { try { Map.prototype.has.call(of); return true; } \
                      catch { return false; } }";

/// Assigns an element; one of a typed array cuts an integer to its type.
const PUT: &str = "const put = (of, key, value) => { const old = of[key]; of[key] = value; \
                   if (ArrayBuffer.isView(of) && Number.isInteger(Number(value)) \
                   && of[key] != value) { of[key] = old; \
                   throw new RangeError(`${value} does not fit`); } }";

/// An expression for an assignment of the form `PATH[KEY] = VALUE`: whether the key is that of a
/// map or of a property is known only in the program. None for other assignments.
pub fn assignment(text: &str) -> Option<String> {
    let name = text.find(|c: char| !is_name(c)).filter(|name| *name > 0)?;
    let (mut path, mut rest) = (text[..name].to_owned(), &text[name..]);
    let mut last = None;
    while !rest.starts_with(' ') {
        if let Some(key) = last.take() {
            path = format!(
                "((of, key) => {{ {IS_MAP}; return isMap(of) ? \
                            Map.prototype.get.call(of, key) : of[key]; }})({path}, {key})"
            );
        }
        if let Some(member) = rest.strip_prefix('.') {
            let end = member.find(|c: char| !is_name(c)).filter(|end| *end > 0)?;
            path = format!("{path}.{}", &member[..end]);
            rest = &member[end..];
        } else {
            let end = key_end(rest.strip_prefix('[')?)?;
            last = Some(&rest[1..=end]);
            rest = rest[1 + end..].strip_prefix(']')?;
        }
    }
    let (key, value) = (last?, rest.strip_prefix(" = ")?);
    Some(format!(
        "((of, key, value) => {{ 'use strict'; {IS_MAP}; {PUT}; if (isMap(of)) \
         Map.prototype.set.call(of, key, value); else put(of, key, value); return value; }})\
         ({path}, {key}, ({value}))"
    ))
}

/// The length of a number or a quoted text.
fn key_end(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let Some(quote) = quote else {
        return text.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0);
    };
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return Some(at + 1);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    None
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
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
    fn the_key_of_an_assignment_is_one_of_a_map_or_a_property() {
        let ends = |text: &str, path: &str, key: &str, value: &str| {
            let found = assignment(text).unwrap();
            assert!(found.ends_with(&format!("({path}, {key}, ({value}))")), "{found}");
        };
        ends("m[\"a] = 1\"] = f(2)", "m", "\"a] = 1\"", "f(2)");
        ends("this.list[12] = { n: 1 }", "this.list", "12", "{ n: 1 }");
        ends("m['it\\'s'] = m['x'] = 3", "m", "'it\\'s'", "m['x'] = 3");
        let nested = assignment("a.m['k'].n[0] = 1").unwrap();
        assert!(nested.contains("of[key]; })(a.m, 'k').n, 0, (1))"), "{nested}");
        for other in ["x = 1", "a.b = m[1]", "m[k] = 1", "(m)['k'] = 1", "m['k = 1", "m[] = 1"] {
            assert_eq!(assignment(other), None, "{other}");
        }
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
