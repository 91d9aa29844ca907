//! The message of a panic's value, from the text that a debugger has of it. Knows the errors of the
//! library and of the runtime by their fields, in Go 1.20 to 1.26.

use crate::{quotes, scan};

/// The messages of accesses out of bounds, and those for a negative index
/// (runtime/error.go, `boundsErrorFmts`).
const BOUNDS: [(&str, &str); 9] = [
    ("index out of range [x] with length y", "index out of range [x]"),
    ("slice bounds out of range [:x] with length y", "slice bounds out of range [:x]"),
    ("slice bounds out of range [:x] with capacity y", "slice bounds out of range [:x]"),
    ("slice bounds out of range [x:y]", "slice bounds out of range [x:]"),
    ("slice bounds out of range [::x] with length y", "slice bounds out of range [::x]"),
    ("slice bounds out of range [::x] with capacity y", "slice bounds out of range [::x]"),
    ("slice bounds out of range [:x:y]", "slice bounds out of range [:x:]"),
    ("slice bounds out of range [x:y:]", "slice bounds out of range [x::]"),
    (
        "cannot convert slice with length y to array or pointer to array with length x",
        "cannot convert slice with length y to array or pointer to array with length x",
    ),
];

/// The message of an error by its fields: its text, or that of an access out of bounds.
pub fn message(value: &str) -> Option<String> {
    let fields = &value[value.find('{')?..];
    for start in ["{msg: ", "{s: "] {
        if let Some(text) = fields.strip_prefix(start).filter(|text| text.starts_with('"')) {
            return unquoted(&text[..scan::quoted(text)]);
        }
    }
    if value.contains("runtime.boundsError") { bounds(fields) } else { None }
}

/// A quoted text without its quotes, on one line; none if it has no end.
pub fn unquoted(literal: &str) -> Option<String> {
    let bytes = quotes::unquoted(literal)?;
    let mut plain = String::new();
    for c in String::from_utf8_lossy(&bytes).chars() {
        if c.is_control() { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    Some(plain)
}

/// `{x: 5, y: 3, signed: true, code: BoundsIndex (0)}` in words.
fn bounds(fields: &str) -> Option<String> {
    let inside = fields.strip_prefix('{')?.strip_suffix('}')?;
    let mut values = Vec::new();
    for (item, name) in scan::items(inside).into_iter().zip(["x: ", "y: ", "signed: ", "code: "]) {
        values.push(item.strip_prefix(name)?);
    }
    let [x, y, signed, code] = values[..] else { return None };
    let code = code.rsplit_once('(').map_or(code, |(_, number)| number.trim_end_matches(')'));
    let code: usize = code.split(' ').next()?.parse().ok()?;
    let (message, negative) = BOUNDS.get(code)?;
    let message = if signed == "true" && x.starts_with('-') { negative } else { message };
    Some(format!("runtime error: {}", filled(message, x, y)))
}

/// The message with numbers in place of `x` and `y`.
fn filled(message: &str, x: &str, y: &str) -> String {
    let mut text = String::new();
    let mut before = ' ';
    let mut rest = message.chars().peekable();
    while let Some(c) = rest.next() {
        let is_alone =
            !before.is_alphanumeric() && rest.peek().is_none_or(|next| !next.is_alphanumeric());
        match c {
            'x' if is_alone => text.push_str(x),
            'y' if is_alone => text.push_str(y),
            c => text.push(c),
        }
        before = c;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_of_an_error_is_its_own() {
        let check = |value: &str, expect: Option<&str>| {
            assert_eq!(message(value).as_deref(), expect, "{value}");
        };
        check(r#"error(*errors.errorString) *{s: "EOF"}"#, Some("EOF"));
        check(
            r#"error(*fmt.wrapError) *{msg: "bad \"a\", b\n", err: error nil}"#,
            Some(r#"bad "a", b\n"#),
        );
        check(r#"*main.E {s: "a\\b"}, x: "c", y: 1}"#, Some(r"a\b"));
        // The message of what it contains.
        check(r#"*main.E {Code: 3, Err: error(*errors.errorString) *{s: "EOF"}}"#, None);
        check(r#"*main.E {msg: 3}"#, None);
        check(r#"*fmt.wrapError {msg: "long...}"#, None);
        check("7", None);
    }

    #[test]
    fn accesses_out_of_bounds_have_the_words_of_the_runtime() {
        let check = |fields: &str, expect: Option<&str>| {
            let value = format!("runtime.boundsError {{{fields}}}");
            let expect = expect.map(|text| format!("runtime error: {text}"));
            assert_eq!(message(&value), expect, "{value}");
        };
        let index = "index out of range [5] with length 3";
        check("x: 5, y: 3, signed: true, code: BoundsIndex (0)", Some(index));
        check("x: 5, y: 3, signed: true, code: 0", Some(index));
        let negative = "index out of range [-1]";
        check("x: -1, y: 3, signed: true, code: BoundsIndex (0)", Some(negative));
        let slice = "slice bounds out of range [4:2]";
        check("x: 4, y: 2, signed: true, code: BoundsSliceB (3)", Some(slice));
        let array = "cannot convert slice with length 1 to array or pointer to array with length 4";
        check("x: 4, y: 1, signed: true, code: BoundsConvert (8)", Some(array));
        check("x: 4, y: 1, signed: true, code: BoundsNew (9)", None);
        check("x: 4", None);
        assert_eq!(message("main.P {x: 1, y: 2, signed: true, code: 0}"), None);
    }
}
