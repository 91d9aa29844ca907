//! The messages of log breakpoints as callers write them: whoever has them written, host or plugin, reads them alike.

/// A part of a log message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogPiece {
    /// As it is.
    Text(String),
    /// What stood in braces, for the debugger to evaluate.
    Expression(String),
}

/// Cuts a log message at `{expression}`, nested braces included; `{{` and `}}` are literal braces, and so is a brace
/// that is never closed.
pub fn log_pieces(text: &str) -> Vec<LogPiece> {
    let (mut pieces, mut literal, mut rest) = (Vec::new(), String::new(), text);
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        literal.push_str(before);
        if brace.starts_with("{{") || brace.starts_with("}}") {
            literal.push_str(&brace[..1]);
            rest = &brace[2..];
        } else if let Some(end) = brace.strip_prefix('{').and_then(closing) {
            pieces.extend((!literal.is_empty()).then(|| LogPiece::Text(std::mem::take(&mut literal))));
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

/// Where the brace that was open before `text` closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
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
            ("open { brace", vec![text("open { brace")]),
            ("größe {größe} ✓", vec![text("größe "), expression("größe"), text(" ✓")]),
            ("", vec![]),
        ] {
            assert_eq!(log_pieces(given), want, "{given}");
        }
    }
}
