//! Checks the syntax of conditions and log messages before they are sent: pydevd
//! accepts anything, and a condition that does not parse would stop everywhere.
//! Knows nothing of Python but how to ask for a parse.

use dapdock_plugin::prelude::*;
use dapdock_plugin::schema::{LogPiece, log_pieces};
use dapdock_plugin::translate::BreakpointText;

use crate::python::isolated;

/// The script of the probe `expression`: exit code 0, or the parser's words last on stderr.
pub const PARSE: &str =
    isolated!("import ast\n", "ast.parse(sys.stdin.read().strip(), mode='eval')");

/// `parse` answers with the parser's words where an expression does not parse.
pub fn check(
    spec: &BreakpointText,
    parse: impl Fn(&str) -> Result<Option<String>, Error>,
) -> Result<(), Error> {
    let refuse = |what: &str, code: &str| match parse(code)? {
        None => Ok(()),
        Some(words) => {
            Err(Error::invalid_request(format!("{what} `{code}` does not parse: {words}")))
        }
    };
    if let Some(condition) = &spec.condition {
        refuse("condition", condition)?;
    }
    for code in spec.log_message.iter().flat_map(|message| expressions(message)) {
        refuse("log expression", &code)?;
    }
    Ok(())
}

/// The expressions of a log message.
fn expressions(message: &str) -> Vec<String> {
    let expression = |piece| match piece {
        LogPiece::Text(_) => None,
        LogPiece::Expression(code) => Some(code),
    };
    log_pieces(message).into_iter().filter_map(expression).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_parse_is_named() {
        let parse = |code: &str| Ok(code.ends_with('<').then(|| "invalid syntax".to_owned()));
        let spec = |condition: &str, log: &str| BreakpointText {
            at: None,
            condition: Some(condition.into()),
            log_message: Some(log.into()),
            function: None,
        };
        let said = |spec| check(&spec, parse).err().map(|error| error.message);
        assert_eq!(said(spec("a < 1", "{a}")), None);
        assert_eq!(
            said(spec("total <", "")).as_deref(),
            Some("condition `total <` does not parse: invalid syntax")
        );
        assert_eq!(
            said(spec("a", "{b <}")).as_deref(),
            Some("log expression `b <` does not parse: invalid syntax")
        );
    }
}
