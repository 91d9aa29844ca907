//! JSON as adapters write it: parsing that forgives what costs nothing to forgive. The same for the
//! types of a body is [`decode`].
//!
//! Knows JSON. Refuses to know any message.
//!
//! Bytes that are no UTF-8 and lone surrogates (`"\udc80"`, what ASCII-escaping encoders make of
//! undecodable file names) become U+FFFD: a response that is refused for its spelling leaves a
//! request waiting for ever.

use serde_json::Value;

pub use dapdock_schema::dap::lenient::decode;

/// Parses one body.
///
/// # Errors
/// The parser's, for the bytes as they came.
pub fn parse(body: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(body).or_else(|error| {
        let text = String::from_utf8_lossy(body);
        serde_json::from_str(&replace_surrogates(&text)).map_err(|_| error)
    })
}

/// Replaces `\udXXX` escapes that have no partner by `\ufffd`.
fn replace_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let pair = surrogate(rest).filter(|unit| *unit < 0xdc00).is_some()
            && rest.get(6..).and_then(surrogate).is_some_and(|unit| unit >= 0xdc00);
        let (keep, skip) = match surrogate(rest) {
            Some(_) if pair => (&rest[..12], 12),
            Some(_) => ("\\ufffd", 6),
            None => {
                let width = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                (&rest[..width], width)
            }
        };
        out.push_str(keep);
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
