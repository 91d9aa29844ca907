//! Lenient parsing of JSON. [`decode`] does the same for the types of a body.
//!
//! Knows JSON. Refuses to know any message.
//!
//! Bytes that are not UTF-8 and lone surrogates (`"\udc80"`: some encoders write undecodable file
//! names so) become U+FFFD. A request would wait for ever for a response that is dropped.

use serde_json::Value;

pub use dapdock_schema::dap::lenient::decode;

/// Parses one body.
///
/// # Errors
/// The parser's, for the original bytes.
pub fn parse(body: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(body).or_else(|error| {
        let text = String::from_utf8_lossy(body);
        serde_json::from_str(&replace_surrogates(&text)).map_err(|_| error)
    })
}

/// Replaces unpaired `\udXXX` escapes by `\ufffd`.
fn replace_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let pair = surrogate(rest).filter(|unit| *unit < 0xdc00).is_some()
            && rest.get(6..).and_then(surrogate).is_some_and(|unit| unit >= 0xdc00);
        let (copy, skip) = match surrogate(rest) {
            Some(_) if pair => (&rest[..12], 12),
            Some(_) => ("\\ufffd", 6),
            None => {
                let width = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                (&rest[..width], width)
            }
        };
        out.push_str(copy);
        rest = &rest[skip..];
    }
    out.push_str(rest);
    out
}

/// The code unit of an escape at the start of `text`, if it is half of a pair.
fn surrogate(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u16::from_str_radix(digits, 16).ok().filter(|unit| (0xd800..0xe000).contains(unit))
}
