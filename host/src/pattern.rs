//! Compiles regular expressions of plugins and callers with a bound on their size: a few characters
//! can describe millions of states. Refuses to know what they match.

use regex::{Error, Regex, RegexBuilder};

/// The largest compiled form, in bytes. Matching takes time linear in it.
const SIZE: usize = 512 << 10;
/// The longest expression, in bytes: it is parsed before its compiled size is known.
const LENGTH: usize = 16 << 10;

/// Compiles a regular expression.
///
/// # Errors
/// If the syntax is invalid or the expression is too large.
pub fn compile(pattern: &str) -> Result<Regex, Error> {
    bounded(pattern)?.build()
}

/// Compiles a regular expression in which `^` and `$` match at line ends.
///
/// # Errors
/// If the syntax is invalid or the expression is too large.
pub fn compile_for_lines(pattern: &str) -> Result<Regex, Error> {
    bounded(pattern)?.multi_line(true).build()
}

fn bounded(pattern: &str) -> Result<RegexBuilder, Error> {
    if pattern.len() > LENGTH {
        return Err(Error::CompiledTooBig(SIZE));
    }
    let mut builder = RegexBuilder::new(pattern);
    builder.size_limit(SIZE).dfa_size_limit(SIZE);
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_patterns_are_refused() {
        assert!(compile(r"^(?P<port>\d+): \w+ [a-z]{2,40}$").unwrap().is_match("80: x abc"));
        assert!(compile_for_lines("^b$").unwrap().is_match("a\nb\nc"));
        let long = "a".repeat(LENGTH + 1);
        for pattern in [r"(?:\w{40}){40}", "(?:(?:a{99}){99}){99}", long.as_str()] {
            let refused = compile(pattern);
            assert!(matches!(refused, Err(Error::CompiledTooBig(_))), "{}", pattern.len());
        }
    }
}
