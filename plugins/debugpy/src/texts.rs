//! Checks the syntax of conditions and log messages before they are sent: pydevd
//! accepts anything, and a condition that does not parse would stop everywhere.
//! Knows nothing of Python but how to ask for a parse.

use dapdock_plugin::prelude::*;
use dapdock_plugin::translate::BreakpointText;

/// The script of the probe `expression`: exit code 0, or the parser's words last on stderr.
pub const PARSE: &str = "import ast, sys; ast.parse(sys.stdin.read().strip(), mode='eval')";

/// `parse` answers with the parser's words where an expression does not parse.
pub fn check(spec: &BreakpointText, parse: impl Fn(&str) -> Result<Option<String>, Error>) -> Result<(), Error> {
    let refuse = |what: &str, code: &str| match parse(code)? {
        None => Ok(()),
        Some(words) => Err(Error::invalid_request(format!("{what} `{code}` does not parse: {words}"))),
    };
    if let Some(condition) = &spec.condition {
        refuse("condition", condition)?;
    }
    for code in spec.log_message.iter().flat_map(|message| expressions(message)) {
        refuse("log expression", &code)?;
    }
    Ok(())
}

/// A part of a log message.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Expression(String),
}

/// The expressions of a log message.
fn expressions(message: &str) -> Vec<String> {
    let expression = |piece| match piece {
        Piece::Text(_) => None,
        Piece::Expression(code) => Some(code),
    };
    pieces(message).into_iter().filter_map(expression).collect()
}

/// Cuts a log message at `{…}`, nested braces included; `{{` and `}}` are literal, and so is a brace that is never
/// closed.
pub fn pieces(message: &str) -> Vec<Piece> {
    let (mut pieces, mut literal, mut rest) = (Vec::new(), String::new(), message);
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        literal.push_str(before);
        let (cut, after) = match brace.strip_prefix('{').and_then(closing) {
            _ if brace.starts_with("{{") || brace.starts_with("}}") => (None, 2),
            Some(end) => (Some(&brace[1..=end]), end + 2),
            None => (None, 1),
        };
        match cut {
            Some(code) => {
                pieces.extend((!literal.is_empty()).then(|| Piece::Text(std::mem::take(&mut literal))));
                pieces.push(Piece::Expression(code.trim().to_owned()));
            }
            None => literal.push_str(&brace[..1]),
        }
        rest = &brace[after..];
    }
    literal.push_str(rest);
    pieces.extend((!literal.is_empty()).then_some(Piece::Text(literal)));
    pieces
}

/// Where the brace closes that stands before `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
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
    fn expressions_are_what_stands_in_single_braces() {
        assert_eq!(expressions("a={a} {{x}} {d['k']}"), ["a", "d['k']"]);
        assert_eq!(expressions("{ {1: 2}[1] } open {b"), ["{1: 2}[1]"]);
        assert!(expressions("none }} here").is_empty());
    }

    #[test]
    fn what_does_not_parse_is_named() {
        let parse = |code: &str| Ok(code.ends_with('<').then(|| "invalid syntax".to_owned()));
        let spec = |condition: &str, log: &str| BreakpointText {
            condition: Some(condition.into()),
            log_message: Some(log.into()),
            function: None,
        };
        let said = |spec| check(&spec, parse).err().map(|error| error.message);
        assert_eq!(said(spec("a < 1", "{a}")), None);
        assert_eq!(said(spec("total <", "")).as_deref(), Some("condition `total <` does not parse: invalid syntax"));
        assert_eq!(said(spec("a", "{b <}")).as_deref(), Some("log expression `b <` does not parse: invalid syntax"));
    }
}
