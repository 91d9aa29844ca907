//! Checks the syntax of conditions and log messages before they are sent: pydevd accepts any text,
//! and a condition that does not parse would stop every time. Knows nothing of Python's grammar:
//! the caller passes the parser.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{LogPiece, log_pieces};
use dapdock_plugin::translate::BreakpointText;

use crate::python::isolated;

/// The script of the probe `expression`: exit code 0, or the parser's message last on stderr.
pub const PARSE: &str =
    isolated!("import ast\n", "ast.parse(sys.stdin.read().strip(), mode='eval')");

/// `parse` returns the parser's message if an expression does not parse.
pub fn check(
    spec: &BreakpointText,
    parse: impl Fn(&str) -> Result<Option<String>, Error>,
) -> Result<(), Error> {
    if let Some(condition) = &spec.condition
        && let Some(message) = parse(condition)?
    {
        return Err(refusal("condition", condition, &message));
    }
    for code in spec.log_message.iter().flat_map(|message| expressions(message)) {
        if let Some(message) = parse(&code)? {
            return Err(refusal("log expression", &code, &message));
        }
    }
    Ok(())
}

fn refusal(what: &str, code: &str, message: &str) -> Error {
    Error::invalid_request(format!("{what} `{code}` does not parse: {message}"))
}

/// The expressions of a log message.
fn expressions(message: &str) -> Vec<String> {
    let mut expressions = Vec::new();
    for piece in log_pieces(message) {
        if let LogPiece::Expression(code) = piece {
            expressions.push(code);
        }
    }
    expressions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expression_that_does_not_parse_is_named() {
        let parse = |code: &str| Ok(code.ends_with('<').then(|| "invalid syntax".to_owned()));
        let spec = |condition: &str, log: &str| BreakpointText {
            at: None,
            condition: Some(condition.into()),
            log_message: Some(log.into()),
            function: None,
        };
        let message = |spec| check(&spec, parse).err().map(|error| error.message);
        assert_eq!(message(spec("a < 1", "{a}")), None);
        assert_eq!(
            message(spec("total <", "")).as_deref(),
            Some("condition `total <` does not parse: invalid syntax")
        );
        assert_eq!(
            message(spec("a", "{b <}")).as_deref(),
            Some("log expression `b <` does not parse: invalid syntax")
        );
    }
}
