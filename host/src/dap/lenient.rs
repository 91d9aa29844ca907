//! JSON as adapters write it: parsing and typing that forgive what costs nothing to forgive.
//!
//! Knows JSON. Refuses to know any message.
//!
//! A response that is refused for its spelling leaves a request waiting for ever, so:
//! bytes that are no UTF-8 and lone surrogates (`"\udc80"`, what ASCII-escaping
//! encoders make of undecodable file names) become U+FFFD, and before a body is typed its null members are
//! dropped, so that they default like missing ones, and `3.0` becomes `3`.

use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

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

/// Types a body. An absent one counts as `{}`.
///
/// # Errors
/// When a field has a type that cannot be forgiven.
pub fn decode<T: DeserializeOwned>(body: &Value) -> serde_json::Result<T> {
    match body {
        Value::Null => serde_json::from_str("{}"),
        body if is_tidy(body) => T::deserialize(body),
        body => serde_json::from_value(tidy(body)),
    }
}

/// Nearly every body is, and needs no copy then.
fn is_tidy(value: &Value) -> bool {
    match value {
        Value::Object(members) => members.values().all(|member| !member.is_null() && is_tidy(member)),
        Value::Array(items) => items.iter().all(is_tidy),
        Value::Number(number) => whole(number).is_none(),
        _ => true,
    }
}

fn tidy(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let present = members.iter().filter(|(_, member)| !member.is_null());
            Value::Object(present.map(|(name, member)| (name.clone(), tidy(member))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(tidy).collect()),
        Value::Number(number) => whole(number).map_or_else(|| value.clone(), Value::from),
        _ => value.clone(),
    }
}

/// `3.0` as `3`; beyond 2^53 a float no longer counts in ones.
fn whole(number: &Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
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
