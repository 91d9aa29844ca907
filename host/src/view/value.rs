//! One value on one line: `list(3)[a, b, …]`, `Item{kind: "book", …}`, built from the children that
//! were read with it, where the plugin's `present.variables` wants some (`prefetch`), or else the
//! debugger's text. Leaves out addresses.

use super::text::{cut_middle, one_line};
use crate::model::{Children, Variable};

/// A value and whether it was cut.
pub(super) struct Value {
    pub text: String,
    pub cut: bool,
}

/// `variable`'s value in at most `max` characters.
pub(super) fn value(variable: &Variable, max: usize) -> Value {
    if variable.preview.is_empty() {
        let (text, cut) = cut_middle(&without_address(&one_line(&variable.value)), max);
        return Value { text, cut };
    }
    let head = head(variable);
    let (open, close) = if is_sequence(&variable.preview) { ('[', ']') } else { ('{', '}') };
    let (inside, cut) = children(variable, open, max.saturating_sub(head.chars().count() + 2));
    Value { text: format!("{head}{open}{inside}{close}"), cut }
}

/// `variable`'s value as it is written among others, in at most `max` characters.
pub fn value_text(variable: &Variable, max: usize) -> String {
    value(variable, max).text
}

/// How the value of a pointer to memory that cannot be read begins; the address follows.
const NOT_READABLE: &str = "<not readable: ";

/// The address of a pointer, except of one to a text, or of one whose value is its address.
pub(super) fn address(variable: &Variable) -> Option<&str> {
    let is_text = variable.value.trim_start_matches(['L', 'u', 'U', '8']).starts_with('"');
    let is_named = is_text || variable.value.starts_with(NOT_READABLE);
    variable.address.as_deref().filter(|_| !is_named)
}

/// `list(3)`: the type without its path, and the number of children if the debugger counts them.
fn head(variable: &Variable) -> String {
    let name = cut_middle(short_type(variable.ty.as_deref().unwrap_or_default()), 40).0;
    match variable.children {
        Children::Count(count) if is_sequence(&variable.preview) && !name.is_empty() => {
            // What is before the brackets of a slice, `&[u8]`, is no name.
            let is_name = name.contains(char::is_alphanumeric);
            format!("{}({count})", if is_name { name.as_str() } else { "" })
        }
        _ => name,
    }
}

/// The last part of a qualified type name; type arguments stay with it only while it is short.
fn short_type(ty: &str) -> &str {
    // An array that names its elements: `[u8; 3]`.
    if ty.starts_with('[') && ty.ends_with(']') {
        return "";
    }
    let plain = ty.split(['<', '[', '(']).next().unwrap_or(ty);
    let start = plain
        .rfind("::")
        .map(|at| at + 2)
        .or_else(|| plain.rfind('.').map(|at| at + 1))
        .unwrap_or(0);
    if plain.is_empty() { ty } else { &plain[start..] }
}

/// Elements are named by number, with or without brackets.
fn is_sequence(children: &[Variable]) -> bool {
    children.iter().all(|child| {
        let name = child.name.trim_start_matches('[').trim_end_matches(']');
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
    })
}

fn children(variable: &Variable, open: char, max: usize) -> (String, bool) {
    let mut text = String::new();
    let mut cut = false;
    let each = (max / variable.preview.len().clamp(1, 3)).max(12);
    for (index, child) in variable.preview.iter().enumerate() {
        let inner = value(child, each);
        let item = if open == '[' { inner.text } else { format!("{}: {}", child.name, inner.text) };
        let separator = if index == 0 { "" } else { ", " };
        if text.chars().count() + separator.len() + item.chars().count() + 3 > max && index > 0 {
            text.push_str(", …");
            return (text, true);
        }
        cut |= inner.cut;
        text.push_str(separator);
        text.push_str(&item);
    }
    if has_more(variable) {
        text.push_str(", …");
        cut = true;
    }
    let (text, shortened) = cut_middle(&text, max.max(3));
    (text, cut | shortened)
}

fn has_more(variable: &Variable) -> bool {
    matches!(variable.children, Children::Count(count) if count > variable.preview.len() as u64)
}

/// Removes ` at 0x7f…` from a default representation, and the digits of pointers, which differ from
/// run to run. Quoted texts keep all of their characters.
fn without_address(text: &str) -> String {
    let mut retained = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let quoted = quoted_length(&rest[at..]);
        retained.push_str(&unquoted_without_address(&rest[..at]));
        retained.push_str(&rest[at..at + quoted]);
        rest = &rest[at + quoted..];
    }
    retained + &unquoted_without_address(rest)
}

/// The length of a text in quotes, with both; 1 if no quote closes it, as of an apostrophe.
fn quoted_length(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if byte == quote => return at + 1,
            _ => {}
        }
    }
    1
}

fn unquoted_without_address(text: &str) -> String {
    let mut retained = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let digits = hex_length(&rest[at..]);
        match rest[..at].strip_suffix(" at ") {
            Some(before) => retained.push_str(before),
            None if rest[..at].ends_with(NOT_READABLE) => retained.push_str(&rest[..at + digits]),
            None if digits >= POINTER => {
                let is_null = rest[at + 2..at + digits].bytes().all(|digit| digit == b'0');
                retained.extend([&rest[..at], if is_null { "0x0" } else { "0x…" }]);
            }
            None => retained.push_str(&rest[..at + digits]),
        }
        rest = &rest[at + digits..];
    }
    retained + rest
}

/// Characters of a number that counts as a pointer.
const POINTER: usize = 12;

/// The length of the hexadecimal number at the start of `text`, `0x` included; 0 without one.
fn hex_length(text: &str) -> usize {
    match text.strip_prefix("0x") {
        Some(digits) => 2 + digits.bytes().take_while(u8::is_ascii_hexdigit).count(),
        None => 0,
    }
}

/// Whether the text is such a number and nothing else.
pub(super) fn is_hexadecimal(text: &str) -> bool {
    text.len() > 2 && hex_length(text) == text.len()
}

/// Is it a hexadecimal number, alone or with an earlier one: `0x5 (was 0xd)`?
pub(super) fn is_number(text: &str) -> bool {
    text.trim_end_matches(')').split(" (was ").all(is_hexadecimal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::sample::{leaf, parent};

    #[track_caller]
    fn check(variable: &Variable, max: usize, expect: &str, cut: bool) {
        let value = value(variable, max);
        assert_eq!((value.text.as_str(), value.cut), (expect, cut));
        assert!(value.text.chars().count() <= max.max(20), "{}", value.text);
    }

    #[test]
    fn values_are_built_from_their_children() {
        let item = parent(
            "item",
            "shop.Item",
            Children::Some,
            vec![leaf("kind", "'book'"), leaf("price", "12.0")],
        );
        check(&item, 60, "Item{kind: 'book', price: 12.0}", false);
        let list =
            parent("items", "list", Children::Count(3), vec![leaf("[0]", "1"), leaf("[1]", "2")]);
        check(&list, 60, "list(3)[1, 2, …]", true);
        let vector = parent(
            "v",
            "alloc::vec::Vec<u32>",
            Children::Count(2),
            vec![leaf("[0]", "1"), leaf("[1]", "2")],
        );
        check(&vector, 60, "Vec(2)[1, 2]", false);
        let slice = Variable { ty: Some("&[u32]".into()), ..vector };
        check(&slice, 60, "(2)[1, 2]", false);
        let nested = parent(
            "orders",
            "list",
            Children::Count(1),
            vec![Variable { name: "[0]".into(), ..item }],
        );
        check(&nested, 60, "list(1)[Item{kind: 'book', price: 12.0}]", false);
    }

    #[test]
    fn long_values_lose_their_middle() {
        check(&leaf("text", &"日".repeat(200)), 10, "日日日日日日…日日日", true);
        check(&leaf("text", "two\nlines\n"), 30, "two\\nlines", false);
    }

    #[test]
    fn addresses_are_left_out() {
        check(&leaf("o", "<shop.Cart object at 0x7f12ab34cd56>"), 60, "<shop.Cart object>", false);
        check(&leaf("p", "0x00007fffe4c0a5d8"), 60, "0x…", false);
        check(&leaf("mask", "0xff"), 60, "0xff", false);
        check(&leaf("none", "{next:0x0000000000000000}"), 60, "{next:0x0}", false);
        check(&leaf("inner", "Some(0x00005555555d3ae0) 0x1"), 60, "Some(0x…) 0x1", false);
        for text in [
            "'see 0x00005555555d3ae0'",
            "{'0xdeadbeef01': \"it's 0xdeadbeef02\"}",
            r#"["\"0xdeadbeef01", 'at 0xdeadbeef02']"#,
        ] {
            check(&leaf("text", text), 60, text, false);
        }
        check(&leaf("r", "&'a Node(0x00005555555d3ae0)"), 60, "&'a Node(0x…)", false);
    }
}
