//! Finds where parts of a value's text end. Knows quotes and brackets, no types.

/// The length of the quoted text at the beginning, with its quotes; all of a text without an end.
pub fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the part at the beginning: up to its closing bracket if it begins with an opening
/// one, else up to a separator outside of brackets. `None`: the text was cut before that.
pub fn part(text: &str, separators: &[char]) -> Option<usize> {
    let is_bracket = text.starts_with(['(', '[', '{']);
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(c) = text[at..].chars().next() {
        match c {
            '"' => {
                at += quoted(&text[at..]);
                continue;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 && is_bracket {
                    return Some(at + 1);
                }
            }
            c if depth == 0 && separators.contains(&c) => return Some(at),
            _ => {}
        }
        at += c.len_utf8();
    }
    (!is_bracket && depth == 0).then_some(at)
}

/// The parts between commas outside of brackets.
pub fn items(text: &str) -> Vec<&str> {
    let (mut items, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let mut end = 0;
        while !rest[end..].is_empty() && !rest[end..].starts_with(',') {
            end += step(&rest[end..]);
        }
        items.push(rest[..end].trim());
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    items.retain(|item| !item.is_empty());
    items
}

/// The length of a quoted text, of a bracket with what is in it, or of one character.
fn step(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    match text.as_bytes().first() {
        Some(b'"') => quoted(text),
        Some(b'(' | b'[' | b'{') => part(text, &[]).unwrap_or(text.len()),
        _ => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_at_their_brackets_and_separators() {
        for (text, end) in [
            (r#"{a: "}", b: [1,2]}, c"#, Some(18)),
            ("{a: 1, b: {", None),
            ("5, b", Some(1)),
            ("5}", Some(1)),
            ("main.T {x: 1}, y", Some(13)),
            (r#""a, b", c"#, Some(6)),
        ] {
            assert_eq!(part(text, &[',']), end, "{text}");
        }
    }

    #[test]
    fn items_are_split_outside_of_brackets() {
        assert_eq!(
            items(r#""a, b": {x: 1, y: 2}, "c": [1,2], "#),
            [r#""a, b": {x: 1, y: 2}"#, r#""c": [1,2]"#]
        );
        assert_eq!(items(r#""open"#), [r#""open"#]);
        assert!(items("").is_empty());
    }
}
