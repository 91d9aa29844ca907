//! Types at the beginning of texts, in Go's syntax. Knows no values.

use crate::scan;

/// The length of the type at the beginning; none if the text begins with none.
pub fn length(text: &str) -> Option<usize> {
    for prefix in ["*", "[]", "chan ", "<-chan ", "chan<- "] {
        if let Some(element) = text.strip_prefix(prefix) {
            return Some(prefix.len() + length(element)?);
        }
    }
    for prefix in ["", "map"] {
        if let Some(bracket) = text.strip_prefix(prefix).filter(|rest| rest.starts_with('[')) {
            let element = prefix.len() + scan::part(bracket, &[])?;
            return Some(element + length(&text[element..])?);
        }
    }
    for keyword in ["struct ", "interface "] {
        if let Some(fields) = text.strip_prefix(keyword).filter(|rest| rest.starts_with('{')) {
            return Some(keyword.len() + scan::part(fields, &[])?);
        }
    }
    match text.strip_prefix("func") {
        Some(parameters) if parameters.starts_with('(') => {
            let end = "func".len() + scan::part(parameters, &[])?;
            Some(end + result(&text[end..]))
        }
        _ => name(text),
    }
}

/// The length of a function's result, with the blank before it.
fn result(text: &str) -> usize {
    let Some(ty) = text.strip_prefix(' ') else { return 0 };
    let length = if ty.starts_with('(') { scan::part(ty, &[]) } else { length(ty) };
    // What follows the type of a value is after another blank.
    length.filter(|length| ty[*length..].starts_with(' ')).map_or(0, |length| 1 + length)
}

/// The length of a name with its import path and type arguments.
fn name(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_./@%-".contains(c));
    let end = end.unwrap_or(text.len());
    if end == 0 || text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    let arguments = &text[end..];
    if arguments.starts_with('[') { Some(end + scan::part(arguments, &[])?) } else { Some(end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_end_before_their_values() {
        for (ty, value) in [
            ("int", " 5"),
            ("*main.Item", " {n: 1}"),
            ("[]int", " len: 1, cap: 1, [5]"),
            ("[2]main.Pos", " [{X: 1},{X: 2}]"),
            ("map[string][]int", " [\"a\": [1]]"),
            ("map[main.Key]*example.com/a/b-c.V", " nil"),
            ("chan struct {}", " 0/3"),
            ("<-chan int", " nil"),
            ("main.Box[int,string]", " {v: 1}"),
            ("[]func(int, string) error", " len: 0, cap: 0, nil"),
            ("[]func()", " len: 1, cap: 1, [main.f]"),
            ("func() (int, error)", " main.f"),
            ("struct { X int; Y []string }", " {X: 1}"),
            ("interface {}", "(int) 5"),
        ] {
            assert_eq!(length(&format!("{ty}{value}")), Some(ty.len()), "{ty}");
        }
        for text in ["", "7 = 0x7", "-1", "\"a b\"", "(1 + 2i)", "{n: 1}"] {
            assert_eq!(length(text), None, "{text}");
        }
    }
}
