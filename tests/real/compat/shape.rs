//! The form of JSON answers: keys and types as documented.

use serde_json::Value;

/// Asserts that an answer has every key of a form with its type. A form is an object of forms, an
/// array of one form, or words for types: `string`, `integer?` (or null), `"=paused"` (this text).
/// Other keys may be there too.
#[track_caller]
pub fn fits(value: &Value, form: &Value) {
    if let Err(cause) = check("answer", value, form) {
        panic!("{cause}\n{value:#}");
    }
}

fn check(at: &str, value: &Value, form: &Value) -> Result<(), String> {
    match form {
        Value::Object(keys) => {
            for (key, form) in keys {
                let Some(field) = value.get(key) else { return Err(format!("{at} has no {key}")) };
                check(&format!("{at}.{key}"), field, form)?;
            }
            Ok(())
        }
        Value::Array(forms) => {
            let Some(items) = value.as_array() else { return Err(format!("{at} is no array")) };
            for (index, item) in items.iter().enumerate() {
                check(&format!("{at}[{index}]"), item, &forms[0])?;
            }
            Ok(())
        }
        Value::String(word) if is(value, word) => Ok(()),
        word => Err(format!("{at} is {value}, not {word}")),
    }
}

fn is(value: &Value, word: &str) -> bool {
    if let Some(text) = word.strip_prefix('=') {
        return value == text;
    }
    match word.strip_suffix('?') {
        Some(_) if value.is_null() => true,
        Some(word) => is(value, word),
        None => match word {
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "boolean" => value.is_boolean(),
            "object" => value.is_object(),
            _ => false,
        },
    }
}

#[test]
fn missing_key_and_wrong_type_are_found() {
    use serde_json::json;
    let form = json!({"a": "integer?", "b": [{"c": "string"}]});
    for (value, is_good) in [
        (json!({"a": null, "b": [], "more": 1}), true),
        (json!({"a": 1, "b": [{"c": "x"}]}), true),
        (json!({"b": []}), false),
        (json!({"a": "1", "b": []}), false),
        (json!({"a": 1, "b": [{"c": "x"}, {}]}), false),
        (json!({"a": 1, "b": {}}), false),
    ] {
        assert_eq!(check("it", &value, &form).is_ok(), is_good, "{value}");
    }
}
