//! The messages of log breakpoints as callers write them: whoever has them written, host or plugin,
//! reads them alike.

/// A part of a log message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogPiece {
    /// As it is.
    Text(String),
    /// What stood in braces, for the debugger to evaluate.
    Expression(String),
}

/// Cuts a log message at `{expression}`, nested braces included; `{{` and `}}` are literal braces,
/// and so is a brace that is never closed.
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

/// Where the brace that was open before `text` closes. Braces in quotes count for nothing; where
/// that finds no end, all of them count.
fn closing(text: &str) -> Option<usize> {
    closing_beside(text, quoted).or_else(|| closing_beside(text, |_, _| None))
}

/// `quoted`: where a quote ends that begins at a place.
fn closing_beside(text: &str, quoted: fn(&str, usize) -> Option<usize>) -> Option<usize> {
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

/// Behind the quote that begins at `start`. What never ends is none, nor is a lifetime of Rust.
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
