//! Messages of log points as callers write them; host and plugins parse them with this code.

/// A part of a log message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogPiece {
    /// Literal text.
    Text(String),
    /// Text in braces, for the debugger to evaluate.
    Expression(String),
}

/// Splits a log message at `{expression}`, including nested braces. `{{` and `}}` are literal
/// braces, and so is a brace that is never closed.
pub fn log_pieces(text: &str) -> Vec<LogPiece> {
    let (mut pieces, mut literal, mut rest) = (Vec::new(), String::new(), text);
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        literal.push_str(before);
        if brace.starts_with("{{") || brace.starts_with("}}") {
            literal.push_str(&brace[..1]);
            rest = &brace[2..];
        } else if let Some(end) = brace.strip_prefix('{').and_then(closing) {
            pieces.extend(
                (!literal.is_empty()).then(|| LogPiece::Text(std::mem::take(&mut literal))),
            );
            pieces.push(LogPiece::Expression(brace[1..=end].trim().to_owned()));
            rest = &brace[end + 2..];
        } else {
            literal.push_str(&brace[..1]);
            rest = &brace[1..];
        }
    }
    literal.push_str(rest);
    pieces.extend((!literal.is_empty()).then_some(LogPiece::Text(literal)));
    pieces
}

/// The position of the brace that closes the one before `text`. Braces in quotes do not count; if
/// no closing brace is found that way, all braces count.
fn closing(text: &str) -> Option<usize> {
    closing_outside(text, quoted).or_else(|| closing_outside(text, |_, _| None))
}

/// Finds the closing brace; `quoted` returns the end of a quote that begins at a position.
fn closing_outside(text: &str, quoted: fn(&str, usize) -> Option<usize>) -> Option<usize> {
    let (mut depth, mut inside) = (1, 0);
    for (at, c) in text.char_indices().filter(|(_, c)| matches!(c, '{' | '}' | '\'' | '"')) {
        match c {
            _ if at < inside => continue,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => inside = quoted(text, at).unwrap_or(at),
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The end of the quote that begins at `start`; None if it is never closed, or is a lifetime of
/// Rust.
fn quoted(text: &str, start: usize) -> Option<usize> {
    let (before, rest) = text.split_at(start);
    let lifetime = rest.starts_with('\'') && before.ends_with(['&', '<']);
    let quote = rest.chars().next().filter(|_| !lifetime)?;
    let mut escaped = false;
    let end = rest.char_indices().skip(1).find(|(_, c)| {
        let ends = !escaped && *c == quote;
        escaped = !escaped && *c == '\\';
        ends
    });
    end.map(|(at, _)| start + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_braces() {
        let text = |text: &str| LogPiece::Text(text.to_owned());
        let expression = |text: &str| LogPiece::Expression(text.to_owned());
        for (given, want) in [
            ("x = {x}", vec![text("x = "), expression("x")]),
            ("{a}{b}", vec![expression("a"), expression("b")]),
            ("{{literal}} {x}", vec![text("{literal} "), expression("x")]),
            ("{ {1: 2}[1] }", vec![expression("{1: 2}[1]")]),
            (
                r#"{d["}"]} {f('{', "\"}")}!"#,
                vec![expression(r#"d["}"]"#), text(" "), expression(r#"f('{', "\"}")"#), text("!")],
            ),
            (r#"{s.find('"')}{t}"#, vec![expression(r#"s.find('"')"#), expression("t")]),
            ("{x as &'a T}'s", vec![expression("x as &'a T"), text("'s")]),
            (
                "it's {x} isn't {y}",
                vec![text("it's "), expression("x"), text(" isn't "), expression("y")],
            ),
            ("{&'a x} and {&'b y}", vec![expression("&'a x"), text(" and "), expression("&'b y")]),
            (r#"{d["{"]} }}"#, vec![expression(r#"d["{"]"#), text(" }")]),
            ("{d['x} {y}", vec![expression("d['x"), text(" "), expression("y")]),
            ("open { brace", vec![text("open { brace")]),
            ("größe {größe} ✓", vec![text("größe "), expression("größe"), text(" ✓")]),
            ("", vec![]),
        ] {
            assert_eq!(log_pieces(given), want, "{given}");
        }
    }
}
