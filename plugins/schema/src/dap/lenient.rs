//! Bodies as adapters write them: typing that forgives what costs nothing to forgive.
//!
//! Knows JSON. Refuses to know any message.
//!
//! A response that is refused for its spelling leaves a request waiting for ever, so before a body is typed its null
//! members are dropped, so that they default like missing ones, and `3.0` becomes `3`.

use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

/// Types a body. An absent one counts as `{}`.
///
/// # Errors
/// When a field has a type that cannot be forgiven.
pub fn decode<T: DeserializeOwned>(body: &Value) -> serde_json::Result<T> {
    match body {
        Value::Null => T::deserialize(&Value::Object(Map::new())),
        body if is_tidy(body) => T::deserialize(body),
        body => T::deserialize(&tidy(body)),
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
