//! Entries of maps: their names in listings, and the expressions for those names. Pure.
//!
//! An entry is named by its key, which the map's `get` finds. An object as a key has no text: such
//! an entry is named by its position, `entry@2`, which is no expression of the language.

use dapdock_plugin::prelude::*;

use crate::timeout;

/// Between a map and its key in the expression of the manifest.
const GET: &str = ".get(entry@";

/// The digits of a position before a key.
const DIGITS: usize = 10;

/// The list of a map's entries in js-debug's expressions (variableStore.ts, `accessor`).
const ENTRIES: &str = r#"["[[Entries]]"]"#;

/// The name and the expression of an element of a list, of a set or of a map, which js-debug lists
/// under its position. `runtime/parts.js` adds to it the key of an entry of a map, whose expression
/// the host makes from the key. None for another variable.
pub fn element(listed: &str, expression: Option<&str>) -> Option<(String, Option<String>)> {
    if let Some(key) = key(listed, expression) {
        return Some((key.to_owned(), None));
    }
    if !is_number(listed) {
        return None;
    }
    let owner = expression.and_then(|text| {
        let (owner, index) = text.strip_prefix("[...")?.rsplit_once(".entries()][")?;
        (index.strip_suffix(']') == Some(listed)).then(|| timeout::without_mark(owner))
    });
    Some(match owner {
        Some(set) => (listed.to_owned(), Some(format!("[...{set}.values()][{listed}]"))),
        None => (listed.to_owned(), expression.map(str::to_owned)),
    })
}

/// The key in the name of an entry. A property of the program may have such a name, too: js-debug's
/// expression says that it is in a list of entries.
fn key<'a>(listed: &'a str, expression: Option<&str>) -> Option<&'a str> {
    let (position, key) = listed.split_once(' ')?;
    let list = expression?.strip_suffix(&format!("[{}]", json!(listed)))?;
    let is_key = position.len() == DIGITS && is_number(position) && list.ends_with(ENTRIES);
    is_key.then_some(key)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
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

/// A map or a set without `size` among its contents: the number is in front of them.
pub fn without_size(text: String) -> String {
    let Some((title, rest)) = text.split_once(") {size: ") else { return text };
    let Some((name, count)) = title.rsplit_once('(') else { return text };
    let Some(rest) = rest.strip_prefix(count) else { return text };
    if name.contains(['{', '[', '\'', '"']) || count.is_empty() {
        return text;
    }
    format!("{title}) {{{}", rest.strip_prefix(", ").unwrap_or(rest))
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
    fn an_element_has_its_key_or_its_position() {
        let read = |listed: &str, expression: &str| {
            let (name, expression) = element(listed, Some(expression)).unwrap();
            format!("{name} {}", expression.unwrap_or_default())
        };
        let text = r#"a.m["[[Entries]]"]["0000000004 \"a b\""]"#;
        assert_eq!(read("0000000004 \"a b\"", text), "\"a b\" ");
        let object = r#"a.m["[[Entries]]"]["0000000004 entry@4"]"#;
        assert_eq!(read("0000000004 entry@4", object), "entry@4 ");
        assert_eq!(read("2", "[...set.entries()][2]"), "2 [...set.values()][2]");
        assert_eq!(read("2", "list[2]"), "2 list[2]");
        assert_eq!(read("0", "[...set.entries()][2][0]"), "0 [...set.entries()][2][0]");
        assert_eq!(element("7", None), Some(("7".into(), None)));
        let phone = "5551234567 John";
        for owner in ["phones", r#"m["[[Entries]]"]["0000000001 entry@1"].value"#] {
            let expression = format!("{owner}[{phone:?}]");
            assert_eq!(element(phone, Some(&expression)), None, "{expression}");
        }
        assert_eq!(element(phone, None), None);
        for other in ["a", "", "a b", "7 a", " 7", "size"] {
            assert_eq!(element(other, None), None, "{other}");
        }
    }

    #[test]
    fn the_size_of_a_map_is_not_among_its_contents() {
        for (text, expect) in [
            ("Map(2) {size: 2, 'k' => 1, …}", "Map(2) {'k' => 1, …}"),
            ("Own(0) {size: 0}", "Own(0) {}"),
            ("Map(2) {size: 3, a: 1}", "Map(2) {size: 3, a: 1}"),
            ("{text: '(1) {size: 1'}", "{text: '(1) {size: 1'}"),
        ] {
            assert_eq!(without_size(text.into()), expect);
        }
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
