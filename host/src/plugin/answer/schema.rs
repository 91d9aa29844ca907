//! Settings and options against a manifest's `config_schema`.
//!
//! Knows a part of JSON Schema: a crate for all of it brings thirty others. A plugin with any other
//! keyword in its schema is not loaded.

use serde_json::Value;

use crate::near::nearest;

/// Path of the offending key, and why it is wrong.
pub(crate) type Fault = (String, String);

/// Keywords that say nothing about validity.
const NOTES: [&str; 8] =
    ["title", "description", "default", "examples", "$schema", "$defs", "$id", "format"];
const CHECKED: [&str; 11] = [
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minimum",
    "maximum",
    "anyOf",
    "$ref",
];
const DEPTH: u8 = 32;

/// Checks `value`. Without a schema only an empty object is valid.
pub(crate) fn check(schema: Option<&Value>, value: &Value) -> Result<(), Fault> {
    match schema {
        Some(schema) => Checker { root: schema }.check(schema, value, "", DEPTH),
        None => match value.as_object().and_then(|map| map.keys().next()) {
            None if value.is_object() => Ok(()),
            None => Err((".".into(), "not an object".into())),
            Some(key) => Err((key.clone(), unknown(key, std::iter::empty()))),
        },
    }
}

/// Checks that a schema uses only keywords that [`check`] supports.
pub(crate) fn check_schema(schema: &Value) -> Result<(), Fault> {
    keywords(schema, "", schema)
}

fn keywords(schema: &Value, path: &str, root: &Value) -> Result<(), Fault> {
    let Some(map) = schema.as_object() else {
        return schema.is_boolean().then_some(()).ok_or_else(|| (dot(path), "not a schema".into()));
    };
    for (key, value) in map {
        let here = join(path, key);
        match key.as_str() {
            "properties" | "$defs" => {
                let all =
                    value.as_object().ok_or_else(|| (here.clone(), "not an object".to_owned()))?;
                all.iter().try_for_each(|(name, part)| keywords(part, &join(&here, name), root))?;
            }
            "items" | "additionalProperties" => keywords(value, &here, root)?,
            "anyOf" => {
                let all =
                    value.as_array().ok_or_else(|| (here.clone(), "not a list".to_owned()))?;
                all.iter().try_for_each(|part| keywords(part, &here, root))?;
            }
            "$ref" if target(root, value).is_none() => {
                return Err((here, format!("{value} leads nowhere")));
            }
            word if CHECKED.contains(&word) || NOTES.contains(&word) => {}
            word => return Err((here, format!("the keyword {word:?} is not supported"))),
        }
    }
    Ok(())
}

struct Checker<'a> {
    root: &'a Value,
}

impl Checker<'_> {
    fn check(&self, schema: &Value, value: &Value, path: &str, depth: u8) -> Result<(), Fault> {
        let no = |reason: String| Err((dot(path), reason));
        let Some(rules) = schema.as_object() else {
            return if schema == &Value::Bool(false) { no("not allowed".into()) } else { Ok(()) };
        };
        if depth == 0 {
            return no("nested too deeply".into());
        }
        for (key, rule) in rules {
            match key.as_str() {
                "type" if !has_type(rule, value) => {
                    return no(format!("{value} is not {}", types(rule)));
                }
                "const" if rule != value => return no(format!("{value} is not {rule}")),
                "enum" if !rule.as_array().is_some_and(|all| all.contains(value)) => {
                    return no(format!("{value} is not one of {rule}"));
                }
                "minimum" if below(value, rule) => {
                    return no(format!("{value} is less than {rule}"));
                }
                "maximum" if below(rule, value) => {
                    return no(format!("{value} is more than {rule}"));
                }
                "anyOf" => self.any(rule, value, path, depth)?,
                "$ref" => match target(self.root, rule) {
                    Some(part) => self.check(part, value, path, depth - 1)?,
                    None => return no(format!("{rule} leads nowhere")),
                },
                "items" => self.items(rule, value, path, depth)?,
                _ => {}
            }
        }
        self.object(rules, value, path, depth)
    }

    fn any(&self, rule: &Value, value: &Value, path: &str, depth: u8) -> Result<(), Fault> {
        let mut first = None;
        for part in rule.as_array().into_iter().flatten() {
            match self.check(part, value, path, depth - 1) {
                Ok(()) => return Ok(()),
                Err(fault) => first = first.or(Some(fault)),
            }
        }
        first.map_or(Ok(()), Err)
    }

    fn items(&self, rule: &Value, value: &Value, path: &str, depth: u8) -> Result<(), Fault> {
        let items = value.as_array().into_iter().flatten().enumerate();
        items
            .into_iter()
            .try_for_each(|(at, item)| self.check(rule, item, &format!("{path}[{at}]"), depth - 1))
    }

    fn object(
        &self,
        rules: &serde_json::Map<String, Value>,
        value: &Value,
        path: &str,
        depth: u8,
    ) -> Result<(), Fault> {
        let Some(map) = value.as_object() else { return Ok(()) };
        let none = serde_json::Map::new();
        let known = rules.get("properties").and_then(Value::as_object).unwrap_or(&none);
        for (key, item) in map {
            let here = join(path, key);
            match (known.get(key), rules.get("additionalProperties")) {
                (Some(part), _) => self.check(part, item, &here, depth - 1)?,
                (None, Some(Value::Bool(false))) => return Err((here, unknown(key, known.keys()))),
                (None, Some(rest)) => self.check(rest, item, &here, depth - 1)?,
                (None, None) => {}
            }
        }
        let required = rules.get("required").and_then(Value::as_array).into_iter().flatten();
        let missing = required.filter_map(Value::as_str).find(|key| !map.contains_key(*key));
        missing.map_or(Ok(()), |key| Err((join(path, key), "missing".into())))
    }
}

/// Whether a schema has this top-level name.
pub(crate) fn has(schema: Option<&Value>, key: &str) -> bool {
    schema.and_then(|schema| schema.get("properties")?.get(key)).is_some()
}

/// The top-level name of a schema that an unknown key probably intends.
pub(crate) fn intended(schema: Option<&Value>, key: &str) -> Option<String> {
    let known = schema?.get("properties")?.as_object()?;
    let near = nearest(key, known.keys().map(String::as_str));
    near.filter(|_| !known.contains_key(key)).map(str::to_owned)
}

/// "unknown key", with the nearest one that exists, else with all.
fn unknown<'a>(key: &str, known: impl Iterator<Item = &'a String> + Clone) -> String {
    match nearest(key, known.clone().map(String::as_str)) {
        Some(near) => format!("unknown key; did you mean {near:?}?"),
        None => match known.map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => "unknown key; the plugin has none".into(),
            all => format!("unknown key; it has {}", all.join(", ")),
        },
    }
}

fn has_type(rule: &Value, value: &Value) -> bool {
    match rule {
        Value::Array(any) => any.iter().any(|one| has_type(one, value)),
        one => match one.as_str() {
            Some("null") => value.is_null(),
            Some("boolean") => value.is_boolean(),
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("number") => value.is_number(),
            Some("string") => value.is_string(),
            Some("array") => value.is_array(),
            Some("object") => value.is_object(),
            _ => false,
        },
    }
}

fn types(rule: &Value) -> String {
    match rule {
        Value::Array(any) => any.iter().map(types).collect::<Vec<_>>().join(" or "),
        one => match one.as_str().unwrap_or("?") {
            "array" => "a list".into(),
            "object" => "an object".into(),
            "integer" => "an integer".into(),
            word => format!("a {word}"),
        },
    }
}

fn below(one: &Value, other: &Value) -> bool {
    one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| one < other)
}

fn target<'a>(root: &'a Value, reference: &Value) -> Option<&'a Value> {
    root.pointer(reference.as_str()?.strip_prefix('#')?)
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn dot(path: &str) -> String {
    if path.is_empty() { ".".into() } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn refused(value: Value, field: &str, reason: &str) {
        let schema = json!({
            "type": "object", "additionalProperties": false, "required": ["mode"],
            "properties": {
                "mode": {"enum": ["fast", "slow"]},
                "just_my_code": {"type": "boolean", "description": "x"},
                "depth": {"type": ["integer", "null"], "minimum": 1, "maximum": 9},
                "paths": {"type": "array", "items": {"$ref": "#/$defs/path"}},
                "env": {"type": "object", "additionalProperties": {"type": "string"}},
                "log": {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
            },
            "$defs": {"path": {"type": "string"}},
        });
        check_schema(&schema).unwrap();
        let found = check(Some(&schema), &value).err();
        let expect = (!field.is_empty()).then(|| (field.to_owned(), reason.to_owned()));
        assert_eq!(found, expect, "{value}");
    }

    #[test]
    fn values_are_checked_by_path() {
        refused(
            json!({"mode": "fast", "depth": null, "paths": ["a"], "env": {"A": "b"}, "log": "x"}),
            "",
            "",
        );
        refused(json!([]), ".", "[] is not an object");
        refused(json!({}), "mode", "missing");
        refused(json!({"mode": "quick"}), "mode", r#""quick" is not one of ["fast","slow"]"#);
        refused(
            json!({"mode": "fast", "just_my_cod": 1}),
            "just_my_cod",
            "unknown key; did you mean \"just_my_code\"?",
        );
        let all = "unknown key; it has mode, just_my_code, depth, paths, env, log";
        refused(json!({"mode": "fast", "x": 1}), "x", all);
        refused(json!({"mode": "fast", "just_my_code": 1}), "just_my_code", "1 is not a boolean");
        refused(json!({"mode": "fast", "depth": 0}), "depth", "0 is less than 1");
        refused(json!({"mode": "fast", "depth": 10}), "depth", "10 is more than 9");
        refused(json!({"mode": "fast", "depth": 1.5}), "depth", "1.5 is not an integer or a null");
        refused(json!({"mode": "fast", "paths": ["a", 2]}), "paths[1]", "2 is not a string");
        refused(json!({"mode": "fast", "env": {"A": 1}}), "env.A", "1 is not a string");
        refused(json!({"mode": "fast", "log": 1}), "log", "1 is not a boolean");
    }

    #[test]
    fn a_schema_is_never_half_obeyed() {
        let schema = json!({"properties": {"a": {"pattern": "x"}}});
        let fault = (
            "properties.a.pattern".to_owned(),
            "the keyword \"pattern\" is not supported".to_owned(),
        );
        assert_eq!(check_schema(&schema), Err(fault));
        let looping = json!({"$ref": "#"});
        assert_eq!(check(Some(&looping), &json!(1)), Err((".".into(), "nested too deeply".into())));
    }

    #[test]
    fn without_a_schema_nothing_is_accepted() {
        assert_eq!(check(None, &json!({})), Ok(()));
        assert_eq!(
            check(None, &json!({"a": 1})),
            Err(("a".into(), "unknown key; the plugin has none".into()))
        );
    }
}
