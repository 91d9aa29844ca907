//! The first items of a list or mapping that a debugger has written as text: `[1, 2, …]`.
//!
//! Knows brackets, commas and quotes. Refuses to know whose text it is: a text that it does not
//! understand stays.

/// The text with at most `most` items of the bracket at its end; `None`: it has no more.
pub(super) fn first_items(text: &str, most: usize) -> Option<String> {
    let text = text.trim_end();
    let (open, commas) = last_bracket(text)?;
    let end = match most {
        // A bracket without commas has one item or none.
        0 => open + 1,
        most => *commas.get(most - 1)?,
    };
    let close = text.chars().next_back()?;
    if text[open + 1..text.len() - close.len_utf8()].trim().is_empty() {
        return None;
    }
    let separator = if most == 0 { "" } else { ", " };
    Some(format!("{}{separator}…{close}", &text[..end]))
}

/// The position of the bracket that ends with the text, and of the commas directly inside it.
fn last_bracket(text: &str) -> Option<(usize, Vec<usize>)> {
    let mut open: Vec<(usize, char, Vec<usize>)> = Vec::new();
    let mut quote: Option<char> = None;
    let mut is_escaped = false;
    for (at, letter) in text.char_indices() {
        if is_escaped {
            is_escaped = false;
            continue;
        }
        match (quote, letter) {
            (Some(_), '\\') => is_escaped = true,
            (Some(mark), letter) if mark == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '[' | '(' | '{') => open.push((at, closing(letter), Vec::new())),
            (None, ',') => {
                if let Some((_, _, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            (None, ']' | ')' | '}') => {
                let (start, close, commas) = open.pop()?;
                if close != letter {
                    return None;
                }
                if at + letter.len_utf8() == text.len() {
                    return Some((start, commas));
                }
            }
            (None, _) => {}
        }
    }
    None
}

fn closing(open: char) -> char {
    match open {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}

#[test]
fn items_of_a_text_are_counted() {
    for (text, most, expect) in [
        ("[1, 2, 3]", 2, Some("[1, 2, …]")),
        ("[1, 2, 3]", 3, None),
        ("[1, 2, 3]", 0, Some("[…]")),
        ("[]", 0, None),
        ("{'a, b': [1, 2], 'c': 3}", 1, Some("{'a, b': [1, 2], …}")),
        ("(3) [1, 2, 3]", 1, Some("(3) [1, …]")),
        ("len: 3, cap: 3, [1,2,3]", 2, Some("len: 3, cap: 3, [1,2, …]")),
        ("Point(x=1, y=2)", 1, Some("Point(x=1, …)")),
        ("\"[1, 2]\"", 1, None),
        ("it's [1, 2]", 1, None),
        ("[1, 2)", 1, None),
        ("plain, text", 1, None),
    ] {
        assert_eq!(first_items(text, most).as_deref(), expect, "{text}");
    }
}
